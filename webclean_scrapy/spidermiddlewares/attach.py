"""Attach each page to the items made of it, for the pipelines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.spidermiddlewares.base import BaseSpiderMiddleware

from webclean_scrapy import stats
from webclean_scrapy.article_items import BY_SPIDER, ERROR_PAGE, NO_HTML, OTHER_PAGE
from webclean_scrapy.crawl.log_lines import safe_logger
from webclean_scrapy.crawl.request_meta import SIBLING_URL, WEBCLEAN
from webclean_scrapy.crawl.responses import is_html
from webclean_scrapy.crawl.scrapy_private import goes_to_callback
from webclean_scrapy.crawl.service import WebcleanService
from webclean_scrapy.crawl.summary import BAD
from webclean_scrapy.item_names import RULE

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from webclean_scrapy.crawl.item_pages import Page

logger = safe_logger(__name__)


class AttachPageMiddleware(BaseSpiderMiddleware):
    """Keeps the bytes of a page until the pipelines have processed its items.

    ``webclean=False`` in the meta of a request leaves its page alone; so does any response that
    is not HTML. Items that are not articles are left alone too, see `ArticleItems`. All items of a
    response share one page, which is cleaned once. An item of what its callback has downloaded
    (``engine.download_async``) has the page of that response.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        service = WebcleanService.of(crawler)
        if not service.config.clean_enabled:
            raise NotConfigured
        self._handover = service.pages
        self._stats = crawler.stats
        self._downloaded: WeakValueDictionary[str, Response] = WeakValueDictionary()  # by URL
        crawler.signals.connect(self._note_download, signals.response_received)

    def _note_download(self, response: Response) -> None:
        asked = response.request.meta.get("redirect_urls", ()) if response.request else ()
        for url in (*asked, response.url):
            self._downloaded[url] = response

    def process_spider_input(self, response: Response) -> None:
        """Register the page for items that do not pass this middleware."""
        self._page_of(response)

    def get_processed_item(self, item: Any, response: Response | None) -> Any:
        """Return *item* after its page was registered for the pipelines."""
        page, articles = self._page_of(response), self._handover.articles
        why = articles.why_not(item, page)
        url = self._handover.url_of(item) if why == OTHER_PAGE else ""
        inner = self._downloaded.get(url)
        if inner is not None and not goes_to_callback(self.crawler, inner):
            response, page = inner, self._page_of(inner)
            why = articles.why_not(item, page)
        if page is None:
            if response is None or articles.are_asked(item):
                return item
            is_left = why == BY_SPIDER or response.meta.get(WEBCLEAN) is False
            why = BY_SPIDER if is_left else NO_HTML
        elif response is not None and response.status >= BAD and not articles.are_asked(item):
            why = why or ERROR_PAGE  # such as a list of dead links, all of one text
        elif not why:
            self._handover.put_page(item, page)
            return item
        self._stats.inc_value(stats.ATTACH_LEFT_ALONE)
        if self._handover.leave(item, why):
            logger.info(
                "Items such as %.200s are left alone: %s. %s WEBCLEAN_NAMES, WEBCLEAN_ITEMS and "
                "webclean_items of the spider say more",
                item, why, RULE,
            )  # fmt: skip
        return item

    def _page_of(self, response: Response | None) -> Page | None:
        """Return the page with the sibling that taught its template; None without a page."""
        if not is_html(response) or response.meta.get(WEBCLEAN) is False:
            return None
        page = self._handover.page_of(response)
        page.sibling_url = page.sibling_url or response.meta.get(SIBLING_URL)
        return page
