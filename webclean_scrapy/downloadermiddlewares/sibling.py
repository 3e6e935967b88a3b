"""Fetch a sibling for a page of an unknown template, and learn the template.

Song et al. 2011 (papers.md) compare each page with a similar one of its site.
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
from weakref import WeakKeyDictionary

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse, Request, Response
from scrapy.utils.defer import deferred_from_coro

from webclean_scrapy import stats
from webclean_scrapy.cleaning.templates.url_shapes import url_shape
from webclean_scrapy.crawl.log_lines import safe_logger
from webclean_scrapy.crawl.request_meta import CANONICAL, IS_SIBLING, SIBLING_URL
from webclean_scrapy.crawl.responses import is_of_a_command
from webclean_scrapy.crawl.service import Component
from webclean_scrapy.crawl.siblings.sibling_search import SiblingSearch, may_be_article
from webclean_scrapy.crawl.waiting import KeyedEvents

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from twisted.internet.defer import Deferred
    from twisted.python.failure import Failure

logger = safe_logger(__name__)


class SiblingMiddleware(Component):
    """Learns unknown templates from siblings, with few fetches each, one at a time.

    One search for a template at a time, shared by all pages that wait for it. It goes on when its
    pages no longer wait: the pages after them use what it learns.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        service, config = self._service, self._config
        if not (config.sibling_enabled and config.learns and config.sibling_max_fetches):
            raise NotConfigured
        self._backend = service.backend
        self._timeout_s = config.sibling_timeout_s
        self._at_once = service.pages.articles.are_all
        service.search_sibling = self.search_for_page
        self._search = SiblingSearch(
            crawler, config, service.backend, service.extra_pages.requested
        )
        self._found: WeakKeyDictionary[HtmlResponse, str | None] = WeakKeyDictionary()  # URLs
        self._running: dict[str, Deferred[None]] = {}  # by URL shape
        self._ended = KeyedEvents()  # by URL shape
        crawler.signals.connect(self.spider_closed, signal=signals.spider_closed)

    async def process_request(self, request: Request) -> Response | None:
        """Return the cached response of a page fetched as a sibling."""
        return None if IS_SIBLING in request.meta else await self._search.cached_response(request)

    async def process_response(self, request: Request, response: Response) -> Response:
        """Return *response* unchanged, once its template is learned or the wait is over."""
        if isinstance(response, HtmlResponse) and self._may_have_sibling(request, response):
            if self._at_once and not is_of_a_command(request):
                if sibling_url := await self.search_for_page(request, response):
                    request.meta[SIBLING_URL] = sibling_url
            elif not self._backend.knows_template(response.url):
                self._search.add_seen(request, response, url_shape(response.url))
        return response

    async def search_for_page(self, request: Request, page: HtmlResponse) -> str | None:
        """Return the URL of the sibling of *page*; None without one, and on a second call.

        None too when its template is known, or another page's search served it, or none was found
        in time. The clean pipeline calls it for the first item of a page.
        """
        if page in self._found or not self._may_have_sibling(request, page):
            return None
        self._found[page] = None
        await self._backend.wait_until_ready(page.url)  # that is no part of the time limit
        shape = url_shape(page.url)
        host = self._search.host(page.url)
        host.pages += 1
        if self._backend.knows_template(page.url):
            self._stats.inc_value(stats.SIBLING_KNOWN)
            host.has_template = True
            if shape in self._running:  # the page that still searches may learn from it
                self._search.add_seen(request, page, shape)
            return None
        self._search.add_seen(request, page, shape)
        if shape in self._running:
            self._stats.inc_value(stats.SIBLING_SHARED)
        else:
            self._start_search(request, page, shape)
        is_running = shape in self._running  # it may have ended at once
        if is_running and not await self._ended.wait_for_notify(shape, self._timeout_s):
            self._stats.inc_value(stats.SIBLING_LATE)
        return self._found[page]

    def _may_have_sibling(self, request: Request, response: HtmlResponse) -> bool:
        """True if *response* may need a sibling, or may serve as one."""
        is_page = response.status == 200 and may_be_article(request, response.url)
        is_other = CANONICAL in request.meta  # is asked for in its place
        return is_page and not is_other and self._service.extra_pages.part_of(response.url) is None

    def spider_closed(self) -> None:
        """Cancel searches that no page waits for."""
        for task in list(self._running.values()):
            task.cancel()

    def _start_search(self, request: Request, page: HtmlResponse, shape: str) -> None:
        """Start the search for *page*; it continues independently of waiting pages."""

        async def search() -> None:
            self._found[page] = await self._search.find_sibling(request, page, shape)

        task = self._running[shape] = deferred_from_coro(search())
        task.addBoth(self._end_search, shape, page.url)

    def _end_search(self, failure: Failure | None, shape: str, url: str) -> None:
        del self._running[shape]
        self._ended.notify(shape)
        if failure is None:
            return
        error, spider = failure.value, {"spider": self._crawler.spider}
        self._stats.inc_value(f"{stats.SIBLING_FAILED}/{type(error).__name__}")
        what = "The sibling search for %s failed: %r"
        logger.error(what, url, error, exc_info=error, extra=spider)
