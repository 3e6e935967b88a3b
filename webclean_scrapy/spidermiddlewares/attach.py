"""Hands each page over to the pipelines, with the items that the spider made of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse
from scrapy.spidermiddlewares.base import BaseSpiderMiddleware

from webclean_scrapy import stats
from webclean_scrapy.crawl.log_lines import safe_logger
from webclean_scrapy.crawl.request_meta import SIBLING_URL, WEBCLEAN
from webclean_scrapy.crawl.service import WebcleanService

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from webclean_scrapy.crawl.page_handover import Page


logger = safe_logger(__name__)


class AttachPageMiddleware(BaseSpiderMiddleware):
    """Keeps the bytes of a page for its items until the pipelines have used them.

    ``webclean=False`` in the meta of a request leaves its page alone; so does any response that
    is not HTML. Items that are not articles are left alone too, see `ArticleItems`. All items of a
    response share one page, which is cleaned once.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        service = WebcleanService.of(crawler)
        if not service.config.clean_enabled:
            raise NotConfigured
        self._handover = service.pages
        self._stats = crawler.stats
        self._told: set[type] = set()  # classes of items left alone

    def process_spider_input(self, response: Response) -> None:
        """Make the page known to items that come past this middleware."""
        self._page_of(response)

    def get_processed_item(self, item: Any, response: Response | None) -> Any:
        """Return *item*, whose page the pipelines can now ask for."""
        page = self._page_of(response)
        if page is None:
            return item
        if self._handover.articles.takes(item):
            self._handover.put_page(item, page)
            return item
        self._stats.inc_value(stats.ATTACH_LEFT_ALONE)
        if type(item) not in self._told:
            self._told.add(type(item))
            logger.info(
                "Items such as %.200s are left alone: they have no place for an article. "
                "WEBCLEAN_ITEMS can name their class, or the spider can set webclean_items",
                (item,),
            )
        return item

    def _page_of(self, response: Response | None) -> Page | None:
        """Return the page, with the sibling from which its template was learned; None for none."""
        if not isinstance(response, HtmlResponse) or response.meta.get(WEBCLEAN) is False:
            return None
        page = self._handover.page_of(response)
        page.sibling_url = page.sibling_url or response.meta.get(SIBLING_URL)
        return page
