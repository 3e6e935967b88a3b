"""Fetch further pages for a page of the crawl: parts of its article, its canonical page.

Each is downloaded once: when the crawl asks for such a page later, it gets the same response.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from scrapy import Request
from scrapy.exceptions import IgnoreRequest
from scrapy.http import HtmlResponse, Response
from scrapy.utils.datatypes import LocalCache

from webclean_scrapy import stats
from webclean_scrapy.cleaning.joined_parts import LAST, PART, SAME, WHOLE
from webclean_scrapy.cleaning.part_links import MAX_PARTS, PartLinks, is_later_part, later_forms
from webclean_scrapy.cleaning.templates.url_shapes import url_shape
from webclean_scrapy.crawl.log_lines import safe_logger
from webclean_scrapy.crawl.private_addresses import may_fetch, may_use
from webclean_scrapy.crawl.request_meta import IS_SIBLING
from webclean_scrapy.crawl.responses import canonical_address, raw_page
from webclean_scrapy.crawl.scrapy_private import Withdrawn, downloading, fetch, is_closing
from webclean_scrapy.crawl.siblings.sibling_search import (
    REMEMBERED_URLS,
    ResponseCache,
    SizedCache,
    sibling_request,
    without_fragment,
)
from webclean_scrapy.crawl.waiting import KeyedEvents, PendingTasks
from webclean_scrapy.web_addresses import host_of, origin_of, shorten

if TYPE_CHECKING:
    from typing import TypeGuard

    from scrapy.crawler import Crawler

    from webclean_scrapy.cleaning.page.raw_page import RawPage
    from webclean_scrapy.crawl.workers.backend import CleaningBackend
    from webclean_scrapy.settings import WebcleanConfig

logger = safe_logger(__name__)

MAX_JOINED = 20_000  # addresses of parts that are remembered
MAX_HOPS = 3  # redirects and repetitions of one request
MAX_VAIN = 3  # links of one form on pages of one URL shape, in a row, that led to no part: then
# none is followed, until a page of the crawl is a part of such a page
MAX_RECENT, MAX_RECENT_BYTES = 400, 20_000_000  # latest pages: more than wait to be cleaned
OK, FORBIDDEN = 200, 403
_LATER = frozenset({408, 429, *range(500, 600)})  # statuses that say nothing of the page
_LEAST_WAIT_S, _LOOK_S = 30.0, 0.1
_OF_ORIGIN = ("Authorization", "Proxy-Authorization")  # headers for the origin of a page alone


class ExtraPages:
    """Downloads pages beside the spider's, and reuses them for its requests."""

    def __init__(self, crawler: Crawler, config: WebcleanConfig, backend: CleaningBackend) -> None:
        self._crawler, self._stats = crawler, crawler.stats
        self._config, self._backend = config, backend
        self.cache = ResponseCache()
        #: URLs asked for by the spider or here: no sibling needs to be fetched from one again.
        self.requested: LocalCache[str, None] = LocalCache(REMEMBERED_URLS)
        # By the spider, and not answered yet. One that is redirected gets no answer of its own.
        self._asked: WeakValueDictionary[str, Request] = WeakValueDictionary()
        self._answered = KeyedEvents()  # by address
        self._recent: SizedCache[Response] = SizedCache(MAX_RECENT, MAX_RECENT_BYTES)
        self._met: LocalCache[str, None] = LocalCache(MAX_JOINED)  # pages that the spider asked for
        self._completing = PendingTasks()  # first pages, by address
        self._state: dict[str, LocalCache[str, str]] = {}  # without a JOBDIR
        self._joining: dict[str, str] = {}  # by a link of the first page that is being completed
        self._vain: LocalCache[tuple[str, str], int] = LocalCache(MAX_JOINED)  # by shape and form

    def _kept(self, name: str) -> LocalCache[str, str]:
        """Return a mapping of addresses that a JOBDIR keeps between runs."""
        state = getattr(self._crawler.spider, "state", None)  # or an argument of the spider
        state = state if isinstance(state, dict) else self._state
        kept: LocalCache[str, str] = state.setdefault(f"webclean {name}", LocalCache(MAX_JOINED))
        return kept

    def part_of(self, url: str) -> str | None:
        """Return the address of the first page of the part *url*; None if it is no part."""
        parts = self._kept("parts")
        return parts.get(shorten(url)) if parts else None

    async def find_first(self, url: str) -> str | None:
        """Return `part_of`, once no page that links to *url* as a part is being joined."""
        while (first := self._joining.get(url)) is not None:
            await self._completing.wait_until_ended(first)
        return self.part_of(url)

    def begin(self, request: Request) -> None:
        """Note that the spider's *request* is being sent, so that it is not sent twice."""
        self._asked[without_fragment(request)] = request
        self._met[shorten(request.url)] = None

    def end(self, request: Request, response: Response | None) -> None:
        """End the wait for a request of the spider, with its response if there is one."""
        if IS_SIBLING in request.meta:
            return
        url = without_fragment(request)
        self._asked.pop(url, None)
        self._met[shorten(url)] = None  # also where its response was a sibling's before
        self._keep(url, response)
        self._answered.notify(url)

    def _keep(self, url: str, response: Response | None) -> None:
        if response is not None and response.status not in _LATER:
            self._recent[url] = response.replace(), len(response.body)  # without its tree

    async def fetch(self, url: str, page: HtmlResponse) -> Response | None:
        """Fetch *url*, which belongs to *page*; None if it may come later.

        It obeys what sibling requests do; is sent again as the settings say, and redirected on its
        host only. What may not be asked for is answered as a server does that forbids it.
        """
        url = url.partition("#")[0]
        await self.cache.downloads.wait_until_ended(url)
        await self._wait_for_spider(url)
        if url in self._recent:
            return self._recent[url][0]
        if page.request is None or is_closing(self._crawler):
            return None
        self.requested[url] = None
        with self.cache.downloads.running(url):
            if not await may_fetch(url, page):
                return Response(url, FORBIDDEN)
            request = self._request(url, page)
            response = await self._send(request)
            if response is None or response.status in _LATER:
                return None
            if "proxy" not in request.meta and not may_use(response, page):
                return Response(url, FORBIDDEN)
            # The spider has to see a redirect by itself: it may know where that leads.
            if response.status != FORBIDDEN and response.url == url:
                self.cache.store_response(request, response)
            response.request = request
            self._keep(url, response)
        return response

    async def _wait_for_spider(self, url: str) -> None:
        end = time.monotonic() + _LEAST_WAIT_S
        while (request := self._asked.get(url)) is not None and time.monotonic() < end:
            if request not in downloading(self._crawler):
                return
            await self._answered.wait_for_notify(url, _LOOK_S)

    def _request(self, url: str, page: HtmlResponse) -> Request:
        assert page.request is not None  # noqa: S101, without one nothing is fetched
        request = sibling_request(url, page.request, self._config)
        del request.meta["dont_redirect"], request.meta["dont_retry"]
        request.meta[IS_SIBLING] = 0
        request.meta["download_timeout"] = max(_LEAST_WAIT_S, self._config.sibling_timeout_s)
        if origin_of(url) != origin_of(page.url):
            request.meta.pop("download_slot", None)
            for name in _OF_ORIGIN:
                request.headers.pop(name, None)
        return request

    async def _send(self, request: Request) -> Response | None:
        host = host_of(request.url)
        for _ in range(MAX_HOPS + self._crawler.settings.getint("RETRY_TIMES")):
            self._stats.inc_value(stats.PARTS_REQUESTED)
            try:
                response = await fetch(self._crawler, request)
            except Exception as error:  # noqa: BLE001, without this page the other one is read
                self._stats.inc_value(f"{stats.PARTS_FAILED}/{type(error).__name__}")
                if isinstance(error, IgnoreRequest) and not isinstance(error, Withdrawn):
                    return Response(request.url, FORBIDDEN)
                logger.debug("Request %s failed: %r", request, error)
                return None
            if not isinstance(response, Request):
                return response
            if host_of(response.url) != host:
                return Response(request.url, FORBIDDEN)
            request = response
        return None

    async def has_canonical(self, page: HtmlResponse, url: str) -> bool:
        """True if the canonical URL *url* of *page* answers with the same article.

        Its response waits for the spider. Where the pages of a form name others in vain, none is
        asked for any more.
        """
        key = url_shape(page.url), "canonical"
        if self._is_vain(key):
            return False
        found, is_same = await self.fetch(url, page), False
        here = shorten(page.url)
        # One that names another in turn is no article's own (RFC 6596), perhaps without end.
        if _is_page(found) and shorten(found.url) != here and not canonical_address(found):
            is_same = await self._relate(page, found) in {SAME, WHOLE}
        if found is not None:
            self._count(key, is_found=is_same)
        return is_same

    async def complete(
        self, page: HtmlResponse, links: PartLinks
    ) -> tuple[RawPage | None, int] | str:
        """Return the page joined with its parts, and the number of missing ones.

        None without any. Or, for a part that went into the article of its first page, the address
        of that one. The first page that the crawl does not ask for is completed here, in the place
        of *page*.
        """
        first = await self._first_page(page, links)
        if first is None:
            return await self._complete_first(page, links)
        await self._completing.wait_until_ended(first.url)
        is_asked = self._is_asked(page, first.url)
        found: tuple[RawPage | None, int] = None, 0
        if shorten(first.url) not in self._kept("first pages"):
            _, own = await self._backend.relate(raw_page(first), raw_page(first))
            found = await self._complete_first(first, own)
        if self.part_of(page.url) is None:  # it could not be joined: it is on its own
            return None, 0
        if not is_asked:
            self._note(first.url, page.url)
        return first.url if is_asked or found[0] is None else found

    async def _complete_first(
        self, page: HtmlResponse, links: PartLinks
    ) -> tuple[RawPage | None, int]:
        """Return *page*, the first of an article, joined with its parts, and the number missing."""
        await self._completing.wait_until_ended(page.url)
        with self._completing.running(page.url):
            self._kept("first pages")[shorten(page.url)] = ""
            linked = dict.fromkeys(links.numbered.values(), page.url)
            self._joining |= linked
            try:
                return await self._join(page, links)
            finally:
                for url in linked:
                    self._joining.pop(url, None)

    async def _join(self, page: HtmlResponse, links: PartLinks) -> tuple[RawPage | None, int]:
        if links.whole and (whole := await self._whole(page, links.whole)) is not None:
            for url in (links.whole, *links.numbered.values()):
                self._note(url, page.url)
            return whole, 0
        for form, numbered in links.series.items():
            key = url_shape(page.url), form
            if self._is_vain(key):
                self._stats.inc_value(stats.PARTS_NOT_ASKED)
                continue
            found, missing = await self._parts(page, form, numbered)
            if found or not missing:
                self._count(key, is_found=bool(found))
            if found or missing:
                return (raw_page(page)._replace(parts=tuple(found)) if found else None), missing
        return None, 0

    async def _whole(self, page: HtmlResponse, url: str) -> RawPage | None:
        """Return the page at *url* in place of *page*, if it holds the whole article."""
        key = url_shape(page.url), "whole"
        if self._is_vain(key):
            return None
        whole, found = await self.fetch(url, page), None
        if _is_page(whole) and await self._relate(page, whole) == WHOLE:
            found = raw_page(whole)._replace(url=page.url, parts=())
        if whole is not None:
            self._count(key, is_found=found is not None)
        return found

    async def _parts(
        self, page: HtmlResponse, form: str, numbered: dict[int, str]
    ) -> tuple[list[RawPage], int]:
        """Return the later pages of the article in a row, and how many known ones are missing."""
        parts: list[RawPage] = []
        known, number = dict(numbered), 0
        while len(parts) < MAX_PARTS - 1:
            number = min((one for one in known if one > number), default=0)
            if not number:
                break
            url = known[number]
            response = await self.fetch(url, page)
            if response is None or not _is_page(response):
                is_missing = bool(parts) or response is None
                return parts, sum(one >= number for one in known) * is_missing
            part = raw_page(response)
            relation, more = await self._backend.relate(raw_page(page), part)
            known = more.series.get(form, {}) | known
            is_last = all(one <= number for one in known)
            if relation == SAME and number == 1:  # the first page has a number too
                self._note(url, page.url)
                continue
            if relation != PART and not (is_last and relation == LAST):
                break
            self._note(url, page.url)
            parts.append(part)
            self._stats.inc_value(stats.PARTS_JOINED)
        return parts, 0

    async def _first_page(self, page: HtmlResponse, links: PartLinks) -> HtmlResponse | None:
        """Return the first page of the article of *page*; None if it is *page* itself."""
        key = url_shape(page.url), "first"
        met = (url for url in links.guesses if shorten(url) in self._met)
        url = links.first or next(met, "")
        if not url or not is_later_part(page.url) or self._is_vain(key):
            return None
        first = await self.fetch(url, page)
        if not _is_page(first):
            return None
        is_part = await self._relate(first, page) in {PART, LAST}
        self._count(key, is_found=is_part)
        if not is_part:
            return None
        for form in ("whole", *later_forms(page.url)):  # its pages have parts after all
            self._vain.pop((url_shape(first.url), form), None)
        return first

    def _is_asked(self, page: HtmlResponse, first: str) -> bool:
        asks = getattr(self._crawler.spider, "asks_for_first", None)
        is_met = shorten(first) in self._met or shorten(first) in self._kept("first pages")
        return is_met or bool(asks and page.request and asks(page.request, first))

    async def _relate(self, first: HtmlResponse, other: HtmlResponse) -> str:
        return (await self._backend.relate(raw_page(first), raw_page(other)))[0]

    def _is_vain(self, key: tuple[str, str]) -> bool:
        return bool(self._vain.get(key, 0) >= MAX_VAIN)

    def _count(self, key: tuple[str, str], *, is_found: bool) -> None:
        self._vain[key] = 0 if is_found else self._vain.get(key, 0) + 1

    def _note(self, url: str, first: str) -> None:
        self._kept("parts")[shorten(url)] = first


def _is_page(response: Response | None) -> TypeGuard[HtmlResponse]:
    return isinstance(response, HtmlResponse) and response.status == OK
