"""A crawl of a site by several processes, which share the queue of scrapy-redis."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.exceptions import DontCloseSpider

from webclean_scrapy.spiders.site_spider import SiteSpider

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from typing_extensions import Self


class SharedSiteSpider(SiteSpider):
    """A `SiteSpider` that goes on while others may still find requests for it.

    A subclass gives it a name, which the keys of the queue begin with. *patience*: seconds without
    a page after which a process ends. With *max_pages*, each process has that limit.
    """

    patience = 60.0

    def __init__(self, *args: Any, patience: str | float | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if patience is not None:
            self.patience = float(patience)
        self._last_page = time.monotonic()

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.wait_for_others, signal=signals.spider_idle)
        return spider

    def parse(self, response: Response) -> Iterator[Any]:
        """Yield the item of the page and the requests for its links."""
        self._last_page = time.monotonic()
        yield from super().parse(response)

    def wait_for_others(self) -> None:
        """Go on without requests, up to *patience*. Raises: DontCloseSpider."""
        if time.monotonic() - self._last_page < self.patience:
            raise DontCloseSpider
