"""Ask for a similar page when a template is met for the first time.

Song, Zhi, Zhou, Luo, An, "LCS-based feature tree maximum similarity matching for web page
denoising" (Video Engineering 2011(13)) compare each page with a similar one of its site.
Deviation: not for each page. What a sibling teaches is kept as a template, pages of the crawl
teach too, so a few requests a template are enough; a crawl that wants a sibling's page later is
given the response that is already here.

A failed sibling never costs the page: it goes on without, and a stat says why. Nor does it wait
longer than ``WEBCLEAN_SIBLING_TIMEOUT_S``: what comes later serves the pages after it.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse, Request, Response
from scrapy.http.request import NO_CALLBACK
from scrapy.utils.defer import deferred_from_coro

from webclean_scrapy import stats
from webclean_scrapy.cleaning.templates.url_shapes import is_list_url, url_shape
from webclean_scrapy.crawl.pending import Bell
from webclean_scrapy.crawl.service import WebcleanService
from webclean_scrapy.crawl.siblings.response_cache import without_fragment
from webclean_scrapy.crawl.siblings.sibling_request import IS_SIBLING
from webclean_scrapy.crawl.siblings.sibling_search import SiblingSearch, host_of, raw_page

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from twisted.internet.defer import Deferred
    from twisted.python.failure import Failure
    from typing_extensions import Self

logger = logging.getLogger(__name__)

SIBLING_URL = "webclean_sibling_url"  # meta key of a page: the page that taught its template
_SENT_AGAIN = ("redirect_urls", "retry_times")  # meta keys: the download before brought no page


@dataclass(slots=True)
class _Running:
    """A search that pages wait for."""

    work: Deferred[Any] | None = None
    found: str | None = None


class SiblingMiddleware:
    """Fetches siblings, at most a few a template, one at a time, shared by all that wait."""

    def __init__(self, crawler: Crawler) -> None:
        service = WebcleanService.of(crawler)
        config = service.config
        wanted = config.sibling_enabled and config.learns
        if not wanted or not config.sibling_max_fetches:
            raise NotConfigured
        self._crawler = crawler
        self._stats = crawler.stats
        self._cleaning = service.cleaning
        self._timeout = config.sibling_timeout_s
        self._search = SiblingSearch(crawler, service)
        self._running: dict[str, _Running] = {}  # by URL shape
        self._ended = Bell()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        middleware = cls(crawler)
        crawler.signals.connect(middleware.request_scheduled, signal=signals.request_scheduled)
        crawler.signals.connect(middleware.spider_closed, signal=signals.spider_closed)
        return middleware

    async def process_request(self, request: Request) -> Response | None:
        """Answer the crawl's own request for a page that was fetched as a sibling."""
        if IS_SIBLING in request.meta:
            return None
        url = without_fragment(request)
        self._search.asked[url] = None
        await self._search.downloads.wait(url)
        response = self._search.kept.take(request, self._crawler)
        if response is not None:
            self._stats.inc_value(stats.SIBLING_HANDED_OVER)
            self._search.ledger.used_by_crawl(host_of(url))
        if _may_be_article(request, url) and not self._cleaning.knows(url):
            self._search.met.set_out(url, url_shape(url))
        return response

    async def process_response(self, request: Request, response: Response) -> Response:
        """Learn the template of the page from a sibling before the page goes on, unchanged."""
        if IS_SIBLING in request.meta:
            return response
        if (
            isinstance(response, HtmlResponse)
            and response.status == 200
            and _may_be_article(request, response.url)
        ):
            url = await self._ensure_template(request, response)
            if url:
                request.meta[SIBLING_URL] = url
        self._search.met.stay_out(without_fragment(request))
        return response

    async def process_exception(self, request: Request, exception: Exception) -> None:
        """Tell pages that wait for this one that it does not come."""
        self._search.met.stay_out(without_fragment(request))

    def request_scheduled(self, request: Request) -> None:
        """Tell the same when a download has ended in a redirect or a retry."""
        if any(name in request.meta for name in _SENT_AGAIN):
            for url in (*request.meta.get("redirect_urls", ())[-1:], without_fragment(request)):
                self._search.met.stay_out(url)

    def spider_closed(self) -> None:
        """Give up what no page waits for any more."""
        for running in list(self._running.values()):
            if running.work is not None:
                running.work.cancel()

    async def _ensure_template(self, request: Request, page: HtmlResponse) -> str | None:
        """Return the URL of the sibling found for *page*; None when none was, or in time."""
        shape = url_shape(page.url)
        self._search.ledger.saw_page(host_of(page.url))
        running = self._running.get(shape)
        if self._cleaning.knows(page.url):
            self._stats.inc_value(stats.SIBLING_KNOWN)
            self._search.ledger.learned(host_of(page.url))
            if running is None:
                self._search.met.forget_shape(shape)
            else:  # it may teach the page that is still waiting
                self._search.met.arrive(raw_page(page), shape)
            return None
        self._search.met.arrive(raw_page(page), shape)
        shared = running is not None
        if running is None:
            running = self._begin(request, page, shape)
        else:
            self._stats.inc_value(stats.SIBLING_SHARED)
        is_running = self._running.get(shape) is running  # else it ended without waiting itself
        if is_running and not await self._ended.wait(shape, self._timeout):
            self._stats.inc_value(stats.SIBLING_LATE)
            return None
        return None if shared else running.found

    def _begin(self, request: Request, page: HtmlResponse, shape: str) -> _Running:
        """Start the search for *page*; it goes on by itself, whoever waits for it and how long."""
        running = self._running[shape] = _Running()

        async def search() -> None:
            running.found = await self._search.find(request, page, shape)

        def end(result: Any) -> Any:  # None, or a Failure
            del self._running[shape]
            self._ended.ring(shape)
            return result

        running.work = deferred_from_coro(search())
        running.work.addBoth(end)
        running.work.addErrback(self._log_fault, page.url)
        return running

    def _log_fault(self, failure: Failure, url: str) -> None:
        """Say what broke a search: the page has gone on without it."""
        self._stats.inc_value(f"{stats.SIBLING_FAILED}/{type(failure.value).__name__}")
        logger.error(
            "The sibling search for %(url)s failed: %(error)r",
            {"url": url, "error": failure.value},
            exc_info=failure.value,
            extra={"spider": self._crawler.spider},
        )


def _may_be_article(request: Request, url: str) -> bool:
    """Whether *request* is one of the spider for a page that may hold an article."""
    return (
        request.meta.get("webclean") is not False
        and request.callback is not NO_CALLBACK
        and not is_list_url(url)
    )
