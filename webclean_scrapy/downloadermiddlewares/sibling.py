"""Fetch a similar page when a page of an unknown template arrives, and learn the template from it.

Song, Zhi, Zhou, Luo, An, "LCS-based feature tree maximum similarity matching for web page
denoising" (Video Engineering 2011(13)) compare each page with a similar one of its site.
Deviation: not each page. What is learned from a sibling is kept as a template, and the pages of
the crawl add to it, so a few requests for each template are enough. When the crawl requests a
page that was fetched as a sibling, it gets the cached response.

When the search begins: with the first item of a page, so that pages without items, ``scrapy fetch``
and ``scrapy shell`` send no request. A spider that says that all its items are articles
(``webclean_items = True``) has its pages searched for as they arrive.

If no sibling can be fetched, the page is processed without one, and a stat says why. A page waits
at most ``WEBCLEAN_SIBLING_TIMEOUT_S``; what is learned later helps the pages after it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakSet

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse, Request, Response
from scrapy.http.request import NO_CALLBACK
from scrapy.utils.asyncio import call_later

from webclean_scrapy.cleaning.templates.url_shapes import is_list_url, url_shape
from webclean_scrapy.crawl.responses import is_of_a_command
from webclean_scrapy.crawl.service import WebcleanService
from webclean_scrapy.crawl.siblings.response_cache import without_fragment
from webclean_scrapy.crawl.siblings.shared_search import SharedSearch
from webclean_scrapy.crawl.siblings.sibling_search import SiblingSearch
from webclean_scrapy.meta import IS_SIBLING, SIBLING_URL, WEBCLEAN

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from typing_extensions import Self

REFUSED_S = 0.5  # after its download a page has come here, or does not come any more
_SENT_AGAIN = ("redirect_urls", "retry_times")  # meta keys: the last download brought no page


class SiblingMiddleware:
    """Learns unknown templates from siblings: at most a few fetches each, one at a time."""

    def __init__(self, crawler: Crawler) -> None:
        service = WebcleanService.of(crawler)
        config = service.config
        if not (config.sibling_enabled and config.learns and config.sibling_max_fetches):
            raise NotConfigured
        self._backend = service.backend
        self._at_once = service.pages.articles.are_all
        service.search_sibling = self.search_for_page
        self._searched: WeakSet[HtmlResponse] = WeakSet()
        self._search = SiblingSearch(crawler, service)
        self._shared_search = SharedSearch(crawler, service, self._search)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        middleware = cls(crawler)
        crawler.signals.connect(middleware.request_scheduled, signal=signals.request_scheduled)
        left = signals.request_left_downloader
        crawler.signals.connect(middleware.request_left_downloader, signal=left)
        crawler.signals.connect(middleware.spider_closed, signal=signals.spider_closed)
        return middleware

    async def process_request(self, request: Request) -> Response | None:
        """Return the cached response for a page that was fetched as a sibling."""
        if IS_SIBLING in request.meta:
            return None
        response = await self._search.cached_response(request)
        url = without_fragment(request)
        if _may_be_article(request, url) and not self._backend.knows_template(url):
            self._search.seen.expect_page(url, url_shape(url))
        return response

    async def process_response(self, request: Request, response: Response) -> Response:
        """Return *response* unchanged, after its template was learned or the wait has ended."""
        if IS_SIBLING in request.meta:
            return response
        if isinstance(response, HtmlResponse) and _may_have_sibling(request, response):
            if self._at_once and not is_of_a_command(request):
                if sibling_url := await self.search_for_page(request, response):
                    request.meta[SIBLING_URL] = sibling_url
            else:
                self._shared_search.note_page(response)
        self._search.seen.stop_expecting(without_fragment(request))
        return response

    async def search_for_page(self, request: Request, response: HtmlResponse) -> str | None:
        """Return the URL of the sibling found for *response*; None without, and for a second call.

        The clean pipeline calls it for the first item of a page.
        """
        if response in self._searched or not _may_have_sibling(request, response):
            return None
        self._searched.add(response)
        return await self._shared_search.join_search(request, response)

    async def process_exception(self, request: Request, exception: Exception) -> None:
        """Wake pages that wait for this one: it does not come."""
        self._search.seen.stop_expecting(without_fragment(request))

    def request_scheduled(self, request: Request) -> None:
        """Wake them too when a download has ended in a redirect or a retry."""
        if any(name in request.meta for name in _SENT_AGAIN):
            for url in (*request.meta.get("redirect_urls", ())[-1:], without_fragment(request)):
                self._search.seen.stop_expecting(url)

    def request_left_downloader(self, request: Request) -> None:
        """Expect no page that has not come soon after its download.

        No method is called and no signal is sent for a response that another middleware refuses,
        as Scrapy does with decompression bombs.
        """
        url = without_fragment(request)
        if self._search.seen.expects_url(url):
            call_later(REFUSED_S, self._search.seen.stop_expecting, url)

    def spider_closed(self) -> None:
        """Cancel searches for which no page waits any more."""
        self._shared_search.cancel_all()


def _may_be_article(request: Request, url: str) -> bool:
    """Whether *request* is one of the spider for a page that may hold an article."""
    return (
        request.meta.get(WEBCLEAN) is not False
        and IS_SIBLING not in request.meta
        and request.callback is not NO_CALLBACK
        and not is_list_url(url)
    )


def _may_have_sibling(request: Request, response: HtmlResponse) -> bool:
    """Whether a sibling may help to clean *response*."""
    return response.status == 200 and _may_be_article(request, response.url)
