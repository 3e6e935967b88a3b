"""Asks for the pages of watched sites, and notes what becomes of each."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import scrapy
from scrapy.exceptions import IgnoreRequest
from scrapy.http import HtmlResponse, Request

from webclean_scrapy.cleaning.method_names import LOW_CONFIDENCE
from webclean_scrapy.crawl import discovery
from webclean_scrapy.crawl.discovery import PAGE, Entry
from webclean_scrapy.crawl.request_meta import WEBCLEAN
from webclean_scrapy.crawl.responses import readable, wanted_pause
from webclean_scrapy.crawl.scrapy_private import (
    Withdrawn,
    delay_of,
    is_closing,
)
from webclean_scrapy.crawl.service import WebcleanService
from webclean_scrapy.crawl.watch_rounds import LOW, MAX_UNDERWAY, SiteRound, Source
from webclean_scrapy.crawl.watch_state import (
    DAY_S,
    EXPORTED,
    GIVEN_UP,
    LEFT_OUT,
    LOOKS_LIKE,
    NOT_ARTICLE,
    WatchState,
    address_hash,
)
from webclean_scrapy.pipelines.clean import NotAnArticle
from webclean_scrapy.pipelines.dedup import NearDuplicate
from webclean_scrapy.pipelines.store import NotStored
from webclean_scrapy.pipelines.watched import SEVERAL, TooOld, Wall

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scrapy.http import Response
    from twisted.python.failure import Failure

    from webclean_scrapy.crawl.discovery import Listed
    from webclean_scrapy.crawl.watch_rounds import Waiting

    Tags = tuple[str | None, str | None] | None  # ETag and Last-Modified

MAX_DEPTH = 2  # lists between the first page of a site and an article
SLOW_S = 5.0  # between two requests to a host: then one page at a time is underway
NOT_MODIFIED, BAD = 304, 400
COPY = f"{LOOKS_LIKE}a copy of "
ANSWERS = [NOT_MODIFIED, *range(400, 600)]  # statuses that callbacks are given
MOVED_TO = "webclean_moved_to"  # in the meta of a request: the hash of the address


class WatchedPages(scrapy.Spider):
    """The half of `WatchSpider` that concerns pages; the other one finds them."""

    watch_state: WatchState
    clock = staticmethod(time.time)
    since = 0
    _within = "/"

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._homes: dict[str, list[str]] = {}  # first pages of all sites, with their feeds
        self._pages: dict[str, tuple[SiteRound, Waiting]] = {}  # by the address of the response
        self._scraped: dict[str, tuple[SiteRound, Waiting]] = {}  # not yet in the feed

    def _note(
        self, round_: SiteRound, source: Source, named: Iterable[Entry], url: str, tags: Tags
    ) -> list[Waiting]:
        """Note the pages of the site that a source names, which answered at *url*."""
        others = [url] if discovery.is_of_site(source.url, round_.site.home) else []
        pages = [
            entry._replace(url=address)
            for entry in named
            if (address := self._address(round_, entry.url, others))
        ]
        return self.watch_state.note_source(round_.site, source, pages, tags)

    def _address(self, round_: SiteRound, url: str, others: Iterable[str] = ()) -> str:
        """Return the address of a page of the site, or of *others* beside it; else ""."""
        address = discovery.site_page(url, (*round_.homes, *others))
        if not address or address in self._homes:
            return ""
        parts = [self._within]
        if self._within == "/" and round_.part != "/":
            parts = [round_.part, *map(discovery.part_of, round_.homes[1:])]
        return address if (urlsplit(address).path or "/").startswith(tuple(parts)) else ""

    def _more_pages(self, round_: SiteRound) -> Iterator[Request]:
        host = urlsplit(round_.homes[-1]).hostname or ""
        most = MAX_UNDERWAY if delay_of(self.crawler, host) < SLOW_S else 1
        for page in round_.begin_pages(self.clock(), most):
            self.watch_state.begin_page(page.hash)
            yield self._request(
                page.url, self.parse_page, self.page_failed, {"round_": round_, "page": page}
            )

    def ask_for_more(self, round_: SiteRound) -> None:
        """Ask for more pages where no callback can yield the requests."""
        if is_closing(self.crawler):
            return
        for request in self._more_pages(round_):
            self.crawler.engine.crawl(request)

    def follow_redirect(self, request: Request) -> None:
        """Drop a redirected request that leads to no new page. Raises: IgnoreRequest to do so."""
        page, before = request.cb_kwargs.get("page"), request.meta.get("redirect_urls")
        if page is None or not before:
            return
        round_ = request.cb_kwargs["round_"]
        address = self._address(round_, request.url, [page.url])
        number = address_hash(address)
        is_round = request.url in before and (page.since or before.count(request.url) > 1)
        if is_round or not address:
            self._failed(round_, page, f"leads to {request.url}")
        elif number == page.hash or number == request.meta.get(MOVED_TO):
            return
        elif self._is_new_lead(round_, page, address, number):
            request.meta[MOVED_TO] = number
            return
        round_.underway.pop(page.hash, None)
        self.ask_for_more(round_)
        raise IgnoreRequest

    def _is_new_lead(self, round_: SiteRound, page: Waiting, address: str, number: int) -> bool:
        """Note that a page leads to another address; True if that is to be asked for now."""
        leads = round_.leads.setdefault(number, [])
        leads.append(page)
        known = self.watch_state.address(address_hash(address)).status
        if known in {EXPORTED, LEFT_OUT} and len(leads) >= SEVERAL:
            for one in leads:
                self._failed(round_, one, f"leads to {address}, as others do")
        elif known in {EXPORTED, LEFT_OUT}:
            self.watch_state.end_page(page.hash, NOT_ARTICLE)
        elif known is None:
            self._note(round_, Source(0, address, PAGE), [Entry(address)], address, None)
            round_.begun.add(number)
            return True
        elif known in {NOT_ARTICLE, GIVEN_UP} or self.watch_state.address(number).why:
            self._failed(round_, page, f"leads to {address}")  # else that page says what it is
        return False

    def parse_page(self, response: Response, round_: SiteRound, page: Waiting) -> Iterator[Any]:
        """Yield the item of a page."""
        address = self._address(round_, response.url, [page.url])
        number = address_hash(address)
        if address and number != page.hash:  # it has moved
            round_.underway.pop(page.hash, None)
            page = page._replace(hash=number, url=address)
            round_.underway[number] = page
        if self._is_halted(response, round_) or response.status >= BAD:
            self._failed(round_, page, f"HTTP status {response.status}")
        elif not address:
            self._failed(round_, page, f"leads to {response.url}")
        elif not response.body.strip() or _is_plain(response):
            self._failed(round_, page, "no page of HTML")
        elif (listed := discovery.read_source(response, PAGE)) and listed.kind != PAGE:
            self._settle(round_, page, NOT_ARTICLE)
            self._take_document(round_, page, listed, response.url)
        elif not isinstance(response, HtmlResponse):
            self._looks_like(round_, page, "no page of HTML", NOT_ARTICLE)
        else:
            self._pages[response.url] = round_, page
            round_.items += 1
            yield WebcleanService.new_item(self.crawler, response.url)
        yield from self._more_pages(round_)

    def page_failed(self, failure: Failure) -> Iterator[Any]:
        """Leave a page for later; what robots.txt forbids is not asked for within a day."""
        request, error = failure.request, failure.value  # type: ignore[attr-defined]
        round_, page = request.cb_kwargs["round_"], request.cb_kwargs["page"]
        if isinstance(error, Withdrawn):
            round_.underway.pop(page.hash, None)
            return
        is_forbidden = isinstance(error, IgnoreRequest) and "robots.txt" in str(error)
        why = "robots.txt forbids it" if is_forbidden else f"{type(error).__name__}: {error}"
        self._failed(round_, page, why[:200], DAY_S * is_forbidden, counts=not is_forbidden)
        yield from self._more_pages(round_)

    def _leads(self, round_: SiteRound, page: Waiting) -> list[Waiting]:
        """Return a page and those that lead to it: nothing more is expected of them."""
        found = [page, *round_.leads.get(page.hash, ())]
        for one in found:
            round_.underway.pop(one.hash, None)
        return found

    def _failed(
        self, round_: SiteRound, page: Waiting, why: str, least: int = 0, *, counts: bool = True
    ) -> None:
        """Leave a page for a later round: what its site answered in this one proves nothing."""
        for one in self._leads(round_, page):
            self.watch_state.page_failed(one.hash, why, least)
        round_.counts["failed"] += counts

    def _looks_like(self, round_: SiteRound, page: Waiting, what: str, status: int) -> None:
        for one in self._leads(round_, page):
            self.watch_state.looks_like(one.hash, what, status)

    def _settle(self, of: SiteRound, page: Waiting, status: int, **kwargs: Any) -> None:
        first, *others = self._leads(of, page)
        self.watch_state.end_page(first.hash, status, **kwargs)
        for one in others:
            self.watch_state.end_page(one.hash, NOT_ARTICLE)

    def page_of(self, item: Any) -> tuple[SiteRound, Waiting] | None:
        """Return the round and the address of an item that is not settled."""
        return self._pages.get(getattr(item, "url", ""))

    def note_scraped(self, item: Any) -> None:
        if found := self._pages.pop(getattr(item, "url", ""), None):
            round_, page = found
            round_.underway.pop(page.hash, None)
            round_.items -= 1
            round_.counts["new"] += 1
            round_.counts[LOW] += (item.webclean or {}).get("confidence", 1.0) < LOW_CONFIDENCE
            self._scraped[item.url] = found

    def note_confirmed(self, keys: list[str]) -> None:
        """Settle the pages of items that are in the feed."""
        for key in keys:
            if found := self._scraped.pop(key, None):
                round_, page = found
                copied = self.watch_state.address(page.hash).why.removeprefix(COPY)
                if "://" in copied:  # it is none: what the other page said was a wall
                    self.watch_state.ask_again(address_hash(copied))
                self._settle(round_, page, EXPORTED, round_=round_.site.round)

    def note_dropped(self, item: Any, response: Any, exception: BaseException) -> None:
        """Note why a page gave no item; one that is no article may name some."""
        if (found := self._pages.pop(getattr(item, "url", ""), None)) is None:
            return
        round_, page = found
        round_.items -= 1
        if isinstance(exception, NearDuplicate):
            round_.counts["copies"] += 1
            original = exception.match.key
            why = self.watch_state.address(page.hash).why
            self._settle(round_, page, EXPORTED, is_unchanged=original == exception.key)
            is_own = original != exception.key and bool(self._address(round_, original))
            if is_own and not why and self.watch_state.is_recent(address_hash(original)):
                self.watch_state.looks_like(page.hash, f"a copy of {original}", EXPORTED)
        elif isinstance(exception, TooOld):
            self._settle(round_, page, LEFT_OUT)
        elif isinstance(exception, Wall):
            self._failed_together(round_, page)
        elif isinstance(exception, NotStored):
            self._failed(round_, page, "it could not be stored")
        elif isinstance(exception, NotAnArticle):
            self._drop_other_kind(round_, page, exception.kind, response)
        else:
            self._looks_like(round_, page, f"no item: {type(exception).__name__}", NOT_ARTICLE)
        self.ask_for_more(round_)

    def _drop_other_kind(
        self, round_: SiteRound, page: Waiting, kind: str, response: HtmlResponse
    ) -> None:
        """Take what a page that is no article names; if others have its text, it is a fault."""
        if page.depth <= MAX_DEPTH:
            listed = discovery.read_page(response)
            addresses = {self._address(round_, one.url) for one in listed.pages} - {""}
            known = (self.watch_state.address(address_hash(one)).status for one in addresses)
            if None in known:
                self._take_document(round_, page, listed, response.url)
        found = readable(response).xpath("//body//text()[not(parent::script or parent::style)]")
        if len(round_.of_text(" ".join(found.getall()), page)) > 1:
            self._failed_together(round_, page)
        else:
            self._looks_like(round_, page, f"a page of the kind {kind}", NOT_ARTICLE)

    def _failed_together(self, round_: SiteRound, page: Waiting) -> None:
        """Leave all pages of one text for later: it is what the site says in place of articles."""
        for same in round_.texts.values():
            if page.hash in same:
                for one in same.values():
                    self._failed(round_, one, "other pages have its text")

    def _take_document(self, round_: SiteRound, page: Waiting, listed: Listed, url: str) -> None:
        """Make a page that turned out to be a list, a feed or a sitemap a source."""
        self.watch_state.add_source(round_.site, url, listed.kind)
        source = self.watch_state.source(round_.site, url)
        new = self._note(round_, source, listed.pages, url, (None, None))
        round_.pages.extend(one._replace(depth=page.depth + 1) for one in new)

    def note_error(self, item: Any) -> None:
        if found := self._pages.pop(getattr(item, "url", ""), None):
            found[0].items -= 1
            self._failed(*found, "an error in the pipelines, see the log")
            self.ask_for_more(found[0])

    def _request(
        self, url: str, callback: Any, errback: Any, arguments: dict[str, Any], headers: Any = None
    ) -> Request:
        is_source = "source" in arguments
        meta: dict[str, Any] = {"handle_httpstatus_list": ANSWERS}
        if is_source:
            meta |= {WEBCLEAN: False, "download_maxsize": discovery.MAX_DOCUMENT}
        else:  # later rounds ask again
            meta["max_retry_times"] = int(not arguments["page"].since)
        return Request(
            url, callback, errback=errback, cb_kwargs=arguments, headers=headers, meta=meta,
            dont_filter=True, priority=is_source,
        )  # fmt: skip

    def _is_halted(self, response: Response, round_: SiteRound) -> bool:
        """True if the site asks to be left alone; then it is, for as long as it says."""
        if (seconds := wanted_pause(response, time.time())) is None:
            return False
        self.watch_state.wait(round_.site, seconds)
        round_.is_halted = round_.is_reached = True
        return True


def _is_plain(response: Response) -> bool:
    return (response.headers.get("Content-Type") or b"").startswith(b"text/plain")
