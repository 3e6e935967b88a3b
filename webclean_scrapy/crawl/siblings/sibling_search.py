"""The search for the sibling of one page: among the pages of the crawl first, then by its links."""

from __future__ import annotations

import logging
import time
from collections import Counter
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.exceptions import IgnoreRequest
from scrapy.http import HtmlResponse
from scrapy.utils.datatypes import LocalCache

from webclean_scrapy import stats
from webclean_scrapy.cleaning.page.raw_page import RawPage
from webclean_scrapy.cleaning.templates.sibling_links import rank_siblings
from webclean_scrapy.crawl.pending import Flights
from webclean_scrapy.crawl.private_addresses import came_from_allowed, may_ask
from webclean_scrapy.crawl.responses import header_charset, page_links
from webclean_scrapy.crawl.scrapy_private import fetch, is_closing
from webclean_scrapy.crawl.siblings.fetch_budget import SiblingLedger
from webclean_scrapy.crawl.siblings.response_cache import KeptResponses
from webclean_scrapy.crawl.siblings.seen_pages import MetPages
from webclean_scrapy.crawl.siblings.sibling_request import answer_fault, sibling_request

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from webclean_scrapy.cleaning.templates.sibling_links import Candidate
    from webclean_scrapy.crawl.service import WebcleanService

logger = logging.getLogger(__name__)

MET_TEACHERS = 2  # pages of the crawl that teach one template, if so many come together
REMEMBERED_URLS = 10_000  # requests of the crawl, latest
LIMITS = {
    "budget_spent": stats.SIBLING_SPENT,
    "host_spent": stats.SIBLING_HOST_SPENT,
    "host_given_up": stats.SIBLING_HOST_GIVEN_UP,
}


class SiblingSearch:
    """Finds siblings and lets the Cleaner learn from them; knows what the crawl has asked for."""

    def __init__(self, crawler: Crawler, service: WebcleanService) -> None:
        self._crawler = crawler
        self._stats = crawler.stats
        self._cleaning = service.cleaning
        self._guard = service.guard
        self._config = service.config
        self.asked: LocalCache[str, None] = LocalCache(limit=REMEMBERED_URLS)
        self.downloads = Flights()  # by URL
        self.kept = KeptResponses()
        self.met = MetPages()
        self.ledger = SiblingLedger(
            max_fetches=self._config.sibling_max_fetches, max_templates=self._config.templates_max
        )

    async def find(self, request: Request, page: HtmlResponse, shape: str) -> str | None:
        """Return the URL of the page that *page*, the answer to *request*, has for a sibling.

        None also for a page that needs none: its template is known from other addresses.
        """
        host = host_of(page.url)
        if self.ledger.has_template(host) and await self._cleaning.recognises(raw_page(page)):
            self._stats.inc_value(stats.SIBLING_RECOGNISED)
            return None
        url = await self._find_met(page, shape) or await self._find_linked(request, page, shape)
        if url:
            self.ledger.learned(host)
        return url

    async def _find_met(self, page: HtmlResponse, shape: str) -> str | None:
        """Learn from pages of the crawl that are here, or on their way and come in time.

        From two if there are two: one page may lack what the others share, and nothing is asked
        for. Returns the URL of the first.
        """
        end = time.monotonic() + self._config.sibling_timeout_s
        taught: list[str] = []
        passed = {page.url}
        while len(taught) < MET_TEACHERS and self.ledger.may_try(shape):
            if not taught and self._cleaning.knows(page.url):
                return None
            other = self.met.another(shape, passed)
            if other is None:
                left = end - time.monotonic()
                if not self.met.is_coming(shape) or not await self.met.wait(shape, left):
                    break
                continue
            passed.add(other.url)
            self.ledger.tries(shape)
            fault = await self._cleaning.learn_sibling(raw_page(page), other)
            if fault is None:
                self._stats.inc_value(stats.SIBLING_MET)
                taught.append(other.url)
            else:
                self._stats.inc_value(f"{stats.SIBLING_MET_REFUSED}/{fault}")
                self.ledger.refused(other.url, shape)
        return taught[0] if taught else None

    async def _find_linked(self, request: Request, page: HtmlResponse, shape: str) -> str | None:
        """Fetch what the page links to until something teaches its template, within the limits."""
        host = host_of(page.url)
        asked = 0
        while not self._cleaning.knows(page.url) and not self._is_over(shape, host, asked):
            candidate = self._best_link(page, shape)
            if candidate is None:
                if not asked:
                    self._stats.inc_value(stats.SIBLING_NO_LINK)
                return None
            asked += 1
            if await self._learn_from(candidate.url, request, page, shape):
                return candidate.url
        return None

    def _is_over(self, shape: str, host: str, asked: int) -> bool:
        """Whether nothing may be fetched; a stat says why a page gets no request at all."""
        why = self.ledger.limit_reached(shape, host)
        name = LIMITS[why] if why else stats.SIBLING_CLOSING if is_closing(self._crawler) else None
        if name and not asked:
            self._stats.inc_value(name)
        return name is not None

    def _best_link(self, page: HtmlResponse, shape: str) -> Candidate | None:
        """Return the most likely sibling among the links of *page*.

        What the crawl has asked for is left out: it teaches without another request. The rest it
        may ask for later: then it is here already.
        """
        ranked = rank_siblings(
            page_links(page, self._guard),
            page.url,
            failed=self.ledger.asked(shape),
            asked=self.asked,
            suspects=self.ledger.suspects(shape),
        )
        best = ranked[0] if ranked and not ranked[0].why else None
        logger.debug(
            "Sibling candidates on %(page)s: %(counts)s; best: %(best)s",
            {
                "page": page.url,
                "counts": dict(Counter(candidate.why or "likely" for candidate in ranked)),
                "best": best.url if best else None,
            },
            extra={"spider": self._crawler.spider},
        )
        return best

    async def _learn_from(self, url: str, request: Request, page: HtmlResponse, shape: str) -> bool:
        """Fetch *url* and learn from it. False, with a stat that says why, when it is no use."""
        self.ledger.asks(url, shape, host_of(url))
        if not await may_ask(page):
            self._stats.inc_value(f"{stats.SIBLING_REFUSED}/address")
            return False
        with self.downloads.begin(url):
            response = await self._download(sibling_request(url, request, self._config), page)
        if response is None:
            return False
        fault = await self._learn(page, response)
        if fault:
            self._stats.inc_value(f"{stats.SIBLING_REFUSED}/{fault}")
            self.ledger.refused(url, shape)
            logger.debug(
                "Sibling %(sibling)s is refused for %(page)s: %(fault)s",
                {"sibling": url, "page": page.url, "fault": fault},
                extra={"spider": self._crawler.spider},
            )
            return False
        self._stats.inc_value(stats.SIBLING_LEARNED)
        return True

    async def _download(self, request: Request, page: HtmlResponse) -> Response | None:
        """Return the response; None, with a stat, when there is none."""
        self._stats.inc_value(stats.SIBLING_REQUESTED)
        host = host_of(request.url)
        try:
            response = await fetch(self._crawler, request)
        except Exception as error:  # noqa: BLE001, a lost sibling must not lose the page
            self._stats.inc_value(f"{stats.SIBLING_FAILED}/{type(error).__name__}")
            if not isinstance(error, IgnoreRequest):  # that one was not sent, or not unpacked
                self.ledger.failed(host)
            logger.debug(
                "Sibling request %(request)s failed: %(error)r",
                {"request": request, "error": error},
                extra={"spider": self._crawler.spider},
            )
            return None
        if isinstance(response, Request):  # a middleware would send us elsewhere
            self._stats.inc_value(f"{stats.SIBLING_REFUSED}/redirected")
            return None
        self.ledger.answered(host, response.status)
        if came_from_allowed(page, response):
            self.kept.keep(request, response)
        return response

    async def _learn(self, page: HtmlResponse, sibling: Response) -> str | None:
        """Learn from *sibling*, or return why it teaches nothing about *page*."""
        if not came_from_allowed(page, sibling):
            return "address"
        if not isinstance(sibling, HtmlResponse) or sibling.status != 200:
            return answer_fault(sibling)
        return await self._cleaning.learn_sibling(raw_page(page), raw_page(sibling))


def raw_page(response: HtmlResponse) -> RawPage:
    """Return the page as the Cleaner wants it."""
    return RawPage(response.body, response.url, header_charset(response))


def host_of(url: str) -> str:
    """Return the host and port of *url*."""
    return urlsplit(url).netloc
