"""Hand each page over to the pipelines, with the items that the spider made of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse
from scrapy.spidermiddlewares.base import BaseSpiderMiddleware

from webclean_scrapy.cleaning.page.raw_page import RawPage
from webclean_scrapy.crawl.page_handover import Page
from webclean_scrapy.crawl.responses import header_charset
from webclean_scrapy.crawl.service import WebcleanService
from webclean_scrapy.meta import SIBLING_URL, WEBCLEAN

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response


class AttachPageMiddleware(BaseSpiderMiddleware):
    """Keeps the bytes of a page for its items until the pipelines have used them.

    ``webclean=False`` in the meta of a request leaves its page alone; so does any response that
    is not HTML. All items of a response share one page, which is cleaned once.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        service = WebcleanService.of(crawler)
        if not service.config.clean_enabled:
            raise NotConfigured
        self._handover = service.pages
        self._pages: WeakKeyDictionary[HtmlResponse, Page] = WeakKeyDictionary()

    def get_processed_item(self, item: Any, response: Response | None) -> Any:
        """Return *item*, whose page the pipelines can now ask for."""
        if isinstance(response, HtmlResponse) and response.meta.get(WEBCLEAN) is not False:
            if response not in self._pages:
                self._pages[response] = _page_of(response)
            self._handover.put_page(item, self._pages[response])
        return item


def _page_of(response: HtmlResponse) -> Page:
    return Page(
        url=response.url,
        raw=RawPage(response.body, response.url, header_charset(response)),
        sibling_url=response.meta.get(SIBLING_URL),
    )
