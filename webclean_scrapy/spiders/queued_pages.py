"""Pages whose addresses are pushed to a Redis server, for any number of processes."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from scrapy.exceptions import DontCloseSpider
from scrapy.http import HtmlResponse, Request

from webclean_scrapy import stats
from webclean_scrapy.crawl.log_lines import safe_logger
from webclean_scrapy.crawl.service import WebcleanService
from webclean_scrapy.errors import missing_library

try:
    from redis.exceptions import RedisError
    from scrapy_redis.spiders import RedisSpider
except ImportError as error:
    raise missing_library("QueuedPagesSpider", "scrapy-redis") from error

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy.http import Response

    from webclean_scrapy.items import ArticleItem

logger = safe_logger(__name__)

SCHEMES = ("http://", "https://")


class QueuedPagesSpider(RedisSpider):  # type: ignore[misc]
    """Makes an `ArticleItem` of each page whose address is pushed to a list on a Redis server.

    The list is ``REDIS_START_URLS_KEY`` of scrapy-redis, by default "NAME:start_urls"; the server
    is ``REDIS_URL``. An entry is an address, or JSON as scrapy-redis reads it. No links are
    followed. A process takes as many entries at once as it has requests (``CONCURRENT_REQUESTS``),
    and waits for more; with *max_idle_time* it ends after so many seconds without a page.

    An entry that is no address is counted and named in the log, and the others are still crawled.
    A server that is away is waited for.
    """

    name = "webclean-queue"
    webclean_items = True  # each page makes one
    _is_away = False  # the server, so that it is said once

    def make_request_from_data(self, data: bytes) -> Request | None:
        """Return the request of one entry; None when it is no address."""
        try:
            text = data.decode(self.redis_encoding).strip()
            if text.startswith("{"):
                request = super().make_request_from_data(data)
            else:  # which scrapy-redis calls deprecated
                request = Request(text, dont_filter=True)
        except (ValueError, TypeError, AttributeError):  # of scrapy-redis, for odd JSON
            request = None
        if isinstance(request, Request) and request.url.startswith(SCHEMES):
            return request
        self.crawler.stats.inc_value(stats.SPIDER_NO_ADDRESS)
        entry = data[:200].decode(errors="replace")
        logger.warning("An entry of the queue is no address of a page: %s", entry)
        return None

    def parse(self, response: Response) -> Iterator[ArticleItem]:
        """Yield the item of the page."""
        self.spider_idle_start_time = int(time.time())  # else a long batch counts as idle
        if isinstance(response, HtmlResponse):
            yield WebcleanService.new_item(self.crawler, response.url)

    def spider_idle(self) -> None:
        """Ask for more. Raises: DontCloseSpider, unless it is time to end."""
        try:
            super().spider_idle()
        except RedisError as error:
            if not self._is_away:
                what = "The queue is not available, it is asked again every few seconds: %s"
                logger.warning(what, error)
            self._is_away = True
            raise DontCloseSpider from None
        except DontCloseSpider:
            self._is_away = False
            raise
