"""Ask for a similar page when a template is met for the first time.

Song, Zhi, Zhou, Luo, An, "LCS-based feature tree maximum similarity matching for web page
denoising" (Video Engineering 2011(13)) compare each page with a similar one of its site.
Deviation: not for each page. What a sibling teaches is kept as a template, pages of the crawl
teach too, so a few requests a template are enough; a crawl that wants a sibling's page later is
given the response that is already here.

A failed sibling never costs the page: it goes on without, and a stat says why.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse
from scrapy.http.request import NO_CALLBACK
from scrapy.utils.datatypes import LocalCache

from webclean_scrapy import stats
from webclean_scrapy.cleaning import RawPage
from webclean_scrapy.denoise.siblings import is_list_url, pick_siblings, url_shape
from webclean_scrapy.downloadermiddlewares.address import came_from_allowed, may_ask
from webclean_scrapy.downloadermiddlewares.kept import KeptResponses
from webclean_scrapy.downloadermiddlewares.request import (
    IS_SIBLING,
    answer_fault,
    sibling_request,
)
from webclean_scrapy.flight import Flights
from webclean_scrapy.responses import header_charset, page_links
from webclean_scrapy.service import WebcleanService

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from typing_extensions import Self

logger = logging.getLogger(__name__)

SIBLING_URL = "webclean_sibling_url"  # meta key of a page: the sibling fetched for it
CHOICES = 10  # links considered, so that one the crawl has not asked for can come first
REMEMBERED_URLS = 10_000  # requests of the crawl, latest


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
        self._config = config
        self._service = service
        self._kept = KeptResponses()
        self._templates = Flights()  # by URL shape
        self._downloads = Flights()  # by URL
        self._tried: LocalCache[str, set[str]] = LocalCache(limit=config.templates_max)
        self._asked: LocalCache[str, None] = LocalCache(limit=REMEMBERED_URLS)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    async def process_request(self, request: Request) -> Response | None:
        """Answer the crawl's own request for a page that was fetched as a sibling."""
        if IS_SIBLING in request.meta:
            return None
        self._asked[request.url] = None
        await self._downloads.wait(request.url)
        response = self._kept.take(request, self._crawler)
        if response is not None:
            self._stats.inc_value(stats.SIBLING_HANDED_OVER)
        return response

    async def process_response(self, request: Request, response: Response) -> Response:
        """Learn the template of the page from a sibling before the page goes on, unchanged."""
        if isinstance(response, HtmlResponse) and _wants_sibling(request, response):
            url = await self._ensure_template(request, response)
            if url:
                request.meta[SIBLING_URL] = url
        return response

    async def _ensure_template(self, request: Request, page: HtmlResponse) -> str | None:
        """Return the URL of the sibling fetched for *page*; None when none was, or was of use."""
        shape = url_shape(page.url)
        if self._service.cleaning.knows(page.url):
            self._stats.inc_value(stats.SIBLING_KNOWN)
            return None
        if shape in self._templates:
            self._stats.inc_value(stats.SIBLING_SHARED)
            await self._templates.wait(shape)
            return None
        with self._templates.begin(shape):
            return await self._find_sibling(request, page, shape)

    async def _find_sibling(self, request: Request, page: HtmlResponse, shape: str) -> str | None:
        tried = self._tried.setdefault(shape, set())
        left = self._config.sibling_max_fetches - len(tried)
        if left <= 0:
            self._stats.inc_value(stats.SIBLING_SPENT)
            return None
        links = page_links(page, self._service.guard)
        found = pick_siblings(links, page.url, failed=tried, limit=CHOICES)
        if not found:
            self._stats.inc_value(stats.SIBLING_NO_LINK)
        # What the crawl has not asked for yet it may ask for later: then it is here already.
        found.sort(key=self._asked.__contains__)
        for url in found[:left]:
            tried.add(url)
            if await self._learn_from(url, request, page):
                return url
        return None

    async def _learn_from(self, url: str, request: Request, page: HtmlResponse) -> bool:
        """Fetch *url* and learn from it. False, with a stat that says why, when it is no use."""
        if not await may_ask(page):
            self._stats.inc_value(f"{stats.SIBLING_REFUSED}/address")
            return False
        with self._downloads.begin(url):
            response = await self._download(sibling_request(url, request, self._config))
        if response is None:
            return False
        fault = await self._learn(page, response)
        if fault:
            self._stats.inc_value(f"{stats.SIBLING_REFUSED}/{fault}")
            logger.debug(
                "Sibling %(sibling)s is no use for %(page)s: %(fault)s",
                {"sibling": url, "page": page.url, "fault": fault},
                extra={"spider": self._crawler.spider},
            )
            return False
        self._stats.inc_value(stats.SIBLING_LEARNED)
        return True

    async def _download(self, request: Request) -> Response | None:
        self._stats.inc_value(stats.SIBLING_REQUESTED)
        try:
            response = await self._crawler.engine.download_async(request)
        except Exception as error:  # noqa: BLE001, a lost sibling must not lose the page
            self._stats.inc_value(f"{stats.SIBLING_FAILED}/{type(error).__name__}")
            logger.debug(
                "No sibling from %(request)s: %(error)r",
                {"request": request, "error": error},
                extra={"spider": self._crawler.spider},
            )
            return None
        if answer_fault(response) is None:
            self._kept.keep(request, response)
        return response

    async def _learn(self, page: HtmlResponse, sibling: Response) -> str | None:
        """Learn from *sibling*, or return why it teaches nothing about *page*."""
        if not came_from_allowed(page, sibling):
            return "address"
        if not isinstance(sibling, HtmlResponse) or sibling.status != 200:
            return answer_fault(sibling)
        return await self._service.cleaning.learn_sibling(_raw(page), _raw(sibling))


def _raw(response: HtmlResponse) -> RawPage:
    return RawPage(response.body, response.url, header_charset(response))


def _wants_sibling(request: Request, response: HtmlResponse) -> bool:
    """Whether *response* is a page of the spider that may hold an article."""
    return (
        response.status == 200
        and IS_SIBLING not in request.meta
        and request.meta.get("webclean") is not False
        and request.callback is not NO_CALLBACK
        and not is_list_url(response.url)
    )
