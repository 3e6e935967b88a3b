"""Fetches pages that belong to one of the crawl: the parts of its article, its canonical page.

Each is downloaded once: when the crawl asks for such a page later, it gets the same response.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy import Request
from scrapy.exceptions import IgnoreRequest
from scrapy.http import HtmlResponse
from scrapy.utils.datatypes import LocalCache

from webclean_scrapy import stats
from webclean_scrapy.cleaning.joined_parts import LAST, PART, SAME, WHOLE
from webclean_scrapy.cleaning.part_links import MAX_PARTS, PartLinks, is_later_part
from webclean_scrapy.cleaning.templates.url_shapes import url_shape
from webclean_scrapy.crawl.log_lines import safe_logger
from webclean_scrapy.crawl.pending import PendingTasks, Waiters
from webclean_scrapy.crawl.private_addresses import may_fetch, may_use
from webclean_scrapy.crawl.responses import raw_page
from webclean_scrapy.crawl.scrapy_private import fetch, is_closing
from webclean_scrapy.crawl.siblings.sibling_search import (
    ResponseCache,
    SizedCache,
    sibling_request,
    without_fragment,
)
from webclean_scrapy.web_addresses import host_of, shorten

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from webclean_scrapy.cleaning.page.raw_page import RawPage
    from webclean_scrapy.crawl.service import WebcleanService

logger = safe_logger(__name__)

MAX_JOINED = 20_000  # addresses of parts that are remembered
MAX_HOPS = 3  # redirects and repetitions of one request
MAX_VAIN = 3  # pages of one URL shape in a row whose links led to no part: then none is asked for
MAX_RECENT, MAX_RECENT_BYTES = 32, 5_000_000  # latest pages of the spider
OK = 200
_LEAST_WAIT_S = 30.0


class ExtraPages:
    """Downloads pages beside those that the spider asks for, and hands them over to it."""

    def __init__(self, crawler: Crawler, service: WebcleanService) -> None:
        self._crawler, self._service, self._stats = crawler, service, crawler.stats
        self._downloads = PendingTasks()  # by address
        self._cache = ResponseCache()
        self._asked: dict[str, Request] = {}  # by the spider, and not answered yet
        self._answered = Waiters()  # by address
        self._recent: SizedCache[HtmlResponse] = SizedCache(MAX_RECENT, MAX_RECENT_BYTES)
        self._part_of: LocalCache[str, str] = LocalCache(MAX_JOINED)  # the first page of each part
        self._vain: LocalCache[str, int] = LocalCache(MAX_JOINED)  # in a row, by URL shape

    def part_of(self, url: str) -> str | None:
        """Return the address of the page whose article goes on at *url*; None: it is no part."""
        found: str | None = self._part_of.get(shorten(url))
        return found

    async def cached_response(self, request: Request) -> Response | None:
        """Return the response to *request* of the spider, if it was downloaded here; once."""
        url = without_fragment(request)
        await self._downloads.wait_until_ended(url)
        return self._cache.take_response(request, self._crawler)

    def begin(self, request: Request) -> None:
        """Note that the spider's *request* is on its way: nobody else has to send it."""
        self._asked[without_fragment(request)] = request

    def end(self, request: Request, response: Response | None) -> None:
        """Note the answer to a request of the spider, if there is one."""
        url = without_fragment(request)
        if self._asked.pop(url, None) is None:
            return
        if isinstance(response, HtmlResponse) and response.status == OK:
            self._recent[url] = response.replace(), len(response.body)  # without its tree
        self._answered.notify(url)

    async def fetch(self, url: str, page: HtmlResponse) -> HtmlResponse | None:
        """Return the page at *url*, which belongs to *page*; None where there is none of HTML.

        It obeys what sibling requests do; is sent again as the settings say, and redirected on its
        host only.
        """
        if url in self._asked:
            await self._answered.wait_for_notify(url, _LEAST_WAIT_S)
        if url in self._recent:
            return self._recent[url][0]
        if page.request is None or is_closing(self._crawler) or not await may_fetch(url, page):
            return None
        config = self._service.config
        request = sibling_request(url, page.request, config)
        del request.meta["dont_redirect"], request.meta["dont_retry"]
        request.meta["download_timeout"] = max(_LEAST_WAIT_S, config.sibling_timeout_s)
        with self._downloads.running(url):
            response = await self._send(request)
            if not isinstance(response, HtmlResponse) or response.status != OK:
                return None
            if not may_use(response, page):
                return None
            self._cache.store_response(request, response)
        return response

    async def _send(self, request: Request) -> Response | None:
        host = host_of(request.url)
        for _ in range(MAX_HOPS + self._crawler.settings.getint("RETRY_TIMES")):
            self._stats.inc_value(stats.PARTS_REQUESTED)
            try:
                response = await fetch(self._crawler, request)
            except Exception as error:  # noqa: BLE001, without this page the other one is read
                self._stats.inc_value(f"{stats.PARTS_FAILED}/{type(error).__name__}")
                if not isinstance(error, IgnoreRequest):
                    self._log("Request %s failed: %r", request, error)
                return None
            if not isinstance(response, Request):
                return response
            if host_of(response.url) != host:
                return None
            request = response
        return None

    async def has_canonical(self, page: HtmlResponse, url: str) -> bool:
        """True if *url*, which *page* names as its own address, answers with the same article.

        Its response waits for the spider. Where the pages of a form name others in vain, none is
        asked for any more.
        """
        shape = "canonical " + url_shape(page.url)
        if self._vain.get(shape, 0) >= MAX_VAIN:
            return False
        found = await self.fetch(url, page)
        is_same = False
        if found is not None and shorten(found.url) != shorten(page.url):
            relation, _ = await self._service.backend.relate(raw_page(page), raw_page(found))
            is_same = relation in {SAME, WHOLE}
        self._vain[shape] = 0 if is_same else self._vain.get(shape, 0) + (found is not None)
        return is_same

    async def complete(
        self, page: HtmlResponse, links: PartLinks
    ) -> tuple[RawPage | None, int] | str:
        """Return the page with the parts of its article, and how many could not be had.

        None without any. Or, for a part itself, the address of the page that its article begins on.
        """
        raw = raw_page(page)
        if first := await self._first_page(page, links):
            return first
        shape = url_shape(page.url)
        if self._vain.get(shape, 0) >= MAX_VAIN:
            return None, 0
        if links.whole and (whole := await self.fetch(links.whole, page)) is not None:
            relation, _ = await self._service.backend.relate(raw, raw_page(whole))
            if relation == WHOLE:
                self._note(links.whole, page.url)
                for url in links.numbered.values():
                    self._note(url, page.url)
                return raw_page(whole)._replace(url=page.url, parts=()), 0
        parts, missing = await self._parts(page, raw, links)
        self._vain[shape] = 0 if parts else self._vain.get(shape, 0) + (not missing)
        return (raw._replace(parts=tuple(parts)), missing) if parts else (None, missing)

    async def _parts(
        self, page: HtmlResponse, raw: RawPage, links: PartLinks
    ) -> tuple[list[RawPage], int]:
        """Return the pages behind the first, in order, as far as each of them is a part."""
        found: list[RawPage] = []
        known, number = dict(links.numbered), 0
        while len(found) < MAX_PARTS - 1:
            number = min((one for one in known if one > number), default=0)
            if not number:
                break
            url = known[number]
            response = await self.fetch(url, page)
            if response is None:
                return found, 1
            part = raw_page(response)
            relation, more = await self._service.backend.relate(raw, part)
            known |= {n: u for n, u in more.numbered.items() if n not in known}
            is_last = all(one <= number for one in known)
            if relation == SAME:  # the first page has a number too
                self._note(url, page.url)
                continue
            if relation != PART and not (is_last and relation == LAST):
                break
            self._note(url, page.url)
            found.append(part)
            self._stats.inc_value(stats.PARTS_JOINED)
        return found, 0

    async def _first_page(self, page: HtmlResponse, links: PartLinks) -> str:
        """Return the address of the page that the article of *page*, a part, begins on; or ""."""
        if not links.first or not is_later_part(page.url):
            return ""
        first_page = await self.fetch(links.first, page)
        if first_page is None:
            return ""
        relation, _ = await self._service.backend.relate(raw_page(first_page), raw_page(page))
        if relation not in {PART, LAST}:
            return ""
        self._note(page.url, first_page.url)
        return first_page.url

    def _note(self, url: str, first: str) -> None:
        self._part_of[shorten(url)] = first

    def _log(self, message: str, *values: object) -> None:
        logger.debug(message, *values, extra={"spider": self._crawler.spider})
