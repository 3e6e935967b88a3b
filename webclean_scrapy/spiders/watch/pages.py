"""Request the pages of watched sites, and record their outcomes."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import scrapy
from scrapy.exceptions import IgnoreRequest
from scrapy.http import HtmlResponse, Request

from webclean_scrapy.cleaning.confidence import LOW_CONFIDENCE
from webclean_scrapy.crawl.request_meta import CANONICAL
from webclean_scrapy.crawl.responses import is_cut_off, readable, wanted_pause
from webclean_scrapy.crawl.scrapy_private import Withdrawn, delay_of, has_cookies_for, is_closing
from webclean_scrapy.crawl.service import WebcleanService
from webclean_scrapy.crawl.workers.process import FAILING_HOST, TIMEOUT
from webclean_scrapy.pipelines.clean import NotAnArticle, PartOfArticle
from webclean_scrapy.pipelines.dedup import NearDuplicate
from webclean_scrapy.pipelines.store import NotStored
from webclean_scrapy.spiders import discovery
from webclean_scrapy.spiders.documents import PAGE, ListedPage
from webclean_scrapy.spiders.watch import pipeline
from webclean_scrapy.spiders.watch.rounds import LOW, MAX_UNDERWAY, SiteRound, Source
from webclean_scrapy.spiders.watch.state import (
    A_LIST,
    DAY_S,
    EXPORTED,
    GIVEN_UP,
    HOUR_S,
    LEFT_OUT,
    LOOKS_LIKE,
    NOT_ARTICLE,
    TOGETHER,
    TWO_DAYS_S,
    WAITS,
    WatchState,
    address_hash,
)
from webclean_scrapy.web_addresses import host_name, is_below, is_of_site, page_address, part_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Iterator

    from scrapy.http import Response
    from twisted.python.failure import Failure

    from webclean_scrapy.spiders.discovery import DocumentReader
    from webclean_scrapy.spiders.documents import Listed
    from webclean_scrapy.spiders.watch.rounds import QueuedPage

    Tags = tuple[str | None, str | None] | None  # ETag and Last-Modified

MAX_DEPTH = 2  # lists between the first page of a site and an article
SHORTEST = 2  # pages in a circle
NEXT_DAY_S = DAY_S - HOUR_S  # such a circle costs two requests for each try
MAX_REDIRECTS = 5  # of a page, in a row; one for a page that led ever on before
LEAST_TRY_S = 30.0  # a slow site is asked less often rather than more hastily
SLOW_S = 5.0  # between two requests to a host: then one page at a time is underway
NOT_MODIFIED, BAD = 304, 400
FORBIDDEN = "robots.txt forbids it"
EVER_ON = "leads ever on"
COPY = f"{LOOKS_LIKE}a copy of "
ANSWERS = [NOT_MODIFIED, *range(400, 600)]  # statuses that callbacks are given
MOVED_TO = "webclean_moved_to"  # in the meta of a request: the hash of the address


class WatchedPages(scrapy.Spider):
    """The page half of `WatchSpider`; the other half finds pages."""

    watch_state: WatchState
    reader: DocumentReader
    clock = staticmethod(time.time)
    since = 0
    site_time = 600
    _within = "/"
    _homes: dict[str, list[str]]  # first pages of all sites, with their feeds
    _pages: dict[str, tuple[SiteRound, QueuedPage]]  # in the pipelines, by their addresses
    _scraped: dict[str, tuple[SiteRound, QueuedPage]]  # not yet in the feed

    def _record_pages(
        self, round_: SiteRound, source: Source, named: Iterable[ListedPage], url: str, tags: Tags
    ) -> list[QueuedPage]:
        others = [url] if is_of_site(source.url, round_.site.home) else []
        pages = [
            entry._replace(url=address)
            for entry in named
            if (address := self._address(round_, entry.url, others))
        ]
        return self.watch_state.note_source(round_.site, source, pages, tags)

    def _address(self, round_: SiteRound, url: str, others: Iterable[str] = ()) -> str:
        """Return the canonical address of a page of the site or of *others*, or ""."""
        address = page_address(url, (*round_.homes, *others))
        if not address or address in self._homes:
            return ""
        parts = [self._within]
        if self._within == "/" and round_.part != "/":
            parts = [round_.part, *map(part_of, round_.homes[1:])]
        return address if is_below(address, tuple(parts)) else ""

    def _more_pages(self, round_: SiteRound) -> Iterator[Request]:
        host = host_name(round_.homes[-1])
        most = MAX_UNDERWAY if delay_of(self.crawler, host) < SLOW_S else 1
        for page in round_.begin_pages(self.clock(), most):
            self.watch_state.begin_page(page.hash)
            yield self._page_request(round_, page)

    def _page_request(self, round_: SiteRound, page: QueuedPage) -> Request:
        retries = int(not page.since)  # later rounds ask again
        meta = {"handle_httpstatus_list": ANSWERS, **self.limits(round_, retries)}
        return Request(
            page.url, self.parse_page, errback=self.page_failed, meta=meta, dont_filter=True,
            cb_kwargs={"round_": round_, "page": page},
        )  # fmt: skip

    def limits(self, round_: SiteRound, retries: int) -> dict[str, Any]:
        """Return the meta of a request that ends, with all its tries, before the round does.

        *retries*: the most that are wanted.
        """
        timeout = self.crawler.settings.getfloat("DOWNLOAD_TIMEOUT") or self.site_time
        left = max(1.0, round_.end - self.clock())
        tries = max(1, min(retries + 1, int(left / LEAST_TRY_S)))
        return {"download_timeout": min(timeout, left / tries), "max_retry_times": tries - 1}

    def ask_for_more(self, round_: SiteRound) -> None:
        """Request more pages when no callback can yield requests."""
        if is_closing(self.crawler):
            return
        for request in self._more_pages(round_):
            self.crawler.engine.crawl(request)

    def follow_redirect(self, request: Request) -> None:
        """Drop a redirect that leads to no new page. Raises: IgnoreRequest."""
        page, before = request.cb_kwargs.get("page"), request.meta.get("redirect_urls")
        if page is None or not before:
            return
        round_, times = request.cb_kwargs["round_"], before.count(request.url)
        known = self.watch_state.address
        address = self._address(round_, request.url, [page.url])
        number = address_hash(address)
        if not address:
            self._failed(round_, page, f"leads to {request.url}")
        elif times > 1 or (times and not has_cookies_for(self.crawler, request.url)):
            how_often = (NEXT_DAY_S,) if len(before) == SHORTEST else (TWO_DAYS_S, GIVEN_UP)
            self._failed(round_, page, "leads in a circle", *how_often)
        # One redirect only, if they were endless before.
        elif len(before) > (1 if known(page.hash).why == EVER_ON else MAX_REDIRECTS):
            self._failed(round_, page, EVER_ON, TWO_DAYS_S, GIVEN_UP)
        elif number in {page.hash, request.meta.get(MOVED_TO)}:
            return
        elif number in round_.begun or known(number).status is not None:
            round_.leads.setdefault(address, []).append(page)
        else:
            round_.begun.add(number)
            request.meta[MOVED_TO] = number
            return
        round_.underway.discard(page.hash)
        self.ask_for_more(round_)
        raise IgnoreRequest

    def end_leads(self, round_: SiteRound) -> None:
        """Settle pages that led to an article of their own; request others again."""
        scraped = {page.hash for _, page in self._scraped.values()} if round_.leads else set()
        for address, pages in round_.leads.items():
            number = address_hash(address)
            known = self.watch_state.address(number)
            if known.status == WAITS and not known.why and number not in round_.begun:
                continue  # it was not asked for yet
            is_article = number in scraped or known.status in {EXPORTED, LEFT_OUT}
            for page in pages:
                if is_article and len(pages) < pipeline.SEVERAL:
                    self.watch_state.end_page(page.hash, NOT_ARTICLE)
                else:
                    self._failed(round_, page, f"leads to {address}")

    async def parse_page(
        self, response: Response, round_: SiteRound, page: QueuedPage
    ) -> AsyncIterator[Any]:
        """Yield the item of a page, or the request for its canonical URL."""
        is_bad = self._is_halted(response, round_) or response.status >= BAD
        is_read = is_bad or discovery.is_page(response)
        listed = None if is_read else await self.reader.list_source(response, PAGE)
        round_.underway.discard(page.hash)
        if self.reader.is_closed and not is_read:
            return
        address = self._address(round_, response.url, [page.url])
        is_plain = (response.headers.get("Content-Type") or b"").startswith(b"text/plain")
        if is_bad:
            self._failed(round_, page, f"HTTP status {response.status}")
        elif not response.body.strip() or is_plain:
            self._failed(round_, page, "no page of HTML")
        elif is_cut_off(response.body) and self.watch_state.asks_again(page):  # last, as it is
            self._failed(round_, page, "the page is cut off")
        else:
            if address_hash(address) != page.hash:  # it has moved
                page = self._lead_to(round_, page, address)
            if listed:
                self.watch_state.end_page(page.hash, NOT_ARTICLE)
                self._take_document(round_, page, listed, response.url)
            elif not isinstance(response, HtmlResponse):
                round_.has_slow_list |= self.reader.has_failed(response.url)
                self._looks_like(page, "no page of HTML")
            elif canonical := response.meta.get(CANONICAL):
                if request := self._ask_canonical(round_, page, canonical):
                    yield request
            else:
                self._pages[response.url] = round_, page
                round_.underway.add(page.hash)
                round_.items += 1
                yield WebcleanService.new_item(self.crawler, response.url)
        for request in self._more_pages(round_):
            yield request

    def _lead_to(self, round_: SiteRound, page: QueuedPage, address: str) -> QueuedPage:
        round_.leads.setdefault(address, []).append(page)
        return self.watch_state.move(round_.site, page, address)

    def wants_canonical(self, request: Request, url: str) -> bool:
        """True if the canonical URL *url* of a new page is to be requested.

        What is known is compared with that page.
        """
        if not self._may_have(request, url):
            return False
        hashes = request.cb_kwargs["page"].hash, address_hash(url)
        return all(self.watch_state.address(one).status != EXPORTED for one in hashes)

    def asks_for_first(self, request: Request, url: str) -> bool:
        """True if the first page *url* of the article of *request* is requested or exported."""
        status = self.watch_state.address(address_hash(url)).status
        return self._may_have(request, url) and status in {None, WAITS, EXPORTED}

    def _may_have(self, request: Request, url: str) -> bool:
        page = request.cb_kwargs.get("page")
        if page is None:
            return False
        return self._address(request.cb_kwargs["round_"], url, [page.url]) == url

    def _ask_first(self, round_: SiteRound, page: QueuedPage, url: str) -> None:
        address = self._address(round_, url, [page.url])
        number = address_hash(address)
        if address and self.watch_state.address(number).status is None:
            round_.pages.insert(0, self.watch_state.move(round_.site, page, address))

    def _ask_canonical(self, round_: SiteRound, page: QueuedPage, address: str) -> Request | None:
        """Return the request for the canonical page of *page*, unless it is in progress."""
        known = self._lead_to(round_, page, address)
        if known.hash in round_.begun:
            return None
        round_.begun.add(known.hash)
        round_.underway.add(known.hash)
        return self._page_request(round_, known)

    def page_failed(self, failure: Failure) -> Iterator[Any]:
        """Schedule a later attempt; pages forbidden by robots.txt wait a day."""
        request, error = failure.request, failure.value  # type: ignore[attr-defined]
        round_, page = request.cb_kwargs["round_"], request.cb_kwargs["page"]
        round_.underway.discard(page.hash)
        if isinstance(error, Withdrawn):
            return
        if isinstance(error, IgnoreRequest) and "robots.txt" in str(error):
            self.watch_state.page_failed(page.hash, FORBIDDEN, DAY_S)
        else:
            self._failed(round_, page, f"{type(error).__name__}: {error}"[:200])
        yield from self._more_pages(round_)

    def _failed(
        self, round_: SiteRound, page: QueuedPage, why: str, least: int = 0, settled: int = WAITS
    ) -> None:
        """Schedule a page for a later round, as failures in one round prove little."""
        self.watch_state.page_failed(page.hash, why, least, settled)
        round_.counts["failed"] += 1

    def _looks_like(self, page: QueuedPage, what: str, settled: int = NOT_ARTICLE) -> None:
        self.watch_state.page_failed(page.hash, f"{LOOKS_LIKE}{what}", TWO_DAYS_S, settled)

    def page_of(self, item: Any) -> tuple[SiteRound, QueuedPage] | None:
        """Return the round and address of an unsettled item."""
        return self._pages.get(getattr(item, "url", ""))

    def _left(self, item: Any) -> tuple[SiteRound, QueuedPage] | None:
        found = self._pages.pop(getattr(item, "url", ""), None)
        if found is not None:
            found[0].items -= 1
            found[0].underway.discard(found[1].hash)
        return found

    def note_scraped(self, item: Any) -> None:
        if found := self._left(item):
            counts = found[0].counts
            counts["new"] += 1
            counts[LOW] += (item.webclean or {}).get("confidence", 1.0) < LOW_CONFIDENCE
            found[0].slow_pages += (item.webclean or {}).get("fallback") in {TIMEOUT, FAILING_HOST}
            self._scraped[item.url] = found

    def note_confirmed(self, keys: list[str]) -> None:
        """Settle the pages of items in the feed."""
        for round_, page in filter(None, (self._scraped.pop(key, None) for key in keys)):
            copied = self.watch_state.address(page.hash).why.removeprefix(COPY)
            if "://" in copied:  # no copy: the other page showed a notice
                self.watch_state.end_page(address_hash(copied), WAITS)
            self.watch_state.end_page(page.hash, EXPORTED, round_.site.round)

    def note_dropped(self, item: Any, response: Any, exception: BaseException) -> None:
        """Record why a page gave no item; pages of other kinds may list addresses."""
        if (found := self._left(item)) is None:
            return
        round_, page = found
        if isinstance(exception, NearDuplicate):
            self._drop_copy(round_, page, exception.key, exception.match.key)
        elif isinstance(exception, pipeline.TooOld):
            self.watch_state.end_page(page.hash, LEFT_OUT, round_.site.round)
        elif isinstance(exception, pipeline.SameTextOnManyPages):
            self._failed_together(round_, page)
        elif isinstance(exception, pipeline.Stopped):
            pass  # it waits for the next round
        elif isinstance(exception, NotStored):
            self._failed(round_, page, "it could not be stored")
        elif isinstance(exception, PartOfArticle):
            self._ask_first(round_, page, exception.first)
            self.watch_state.end_page(page.hash, NOT_ARTICLE)
        elif isinstance(exception, pipeline.PartMissing):
            self._failed(round_, page, "a part of it could not be had")
        elif isinstance(exception, NotAnArticle):
            self._drop_other_kind(round_, page, exception.kind, response)
        else:
            self._looks_like(page, f"no item: {type(exception).__name__}")
        self.ask_for_more(round_)

    def _drop_copy(self, round_: SiteRound, page: QueuedPage, key: str, original: str) -> None:
        """Settle a copy, except of a recently listed page: the text may be a notice.

        It is one as soon as several pages of the site, in whatever rounds, have it. Sites with one
        consent wall have one text, so the page that it was first met on may be another site's.
        """
        state, number = self.watch_state, address_hash(original)
        is_unchanged, is_own = original == key, bool(self._address(round_, original))
        if state.address(page.hash).why == TOGETHER:
            self._failed(round_, page, TOGETHER)
            return
        round_.counts["copies"] += 1
        if is_unchanged or not state.is_recent(number):
            brought_in = 0 if is_unchanged or is_own else round_.site.round
            state.end_page(page.hash, EXPORTED, brought_in, is_unchanged=is_unchanged)
            return
        if not is_own:
            state.credit(page.hash, round_.site.round)
        self._looks_like(page, f"a copy of {original}", EXPORTED)
        copies = state.waiting_for(round_.site, f"{COPY}{original}")
        if len(copies) + is_own >= pipeline.SEVERAL:
            for one in (number, *copies):
                state.page_failed(one, TOGETHER)

    def _drop_other_kind(
        self, round_: SiteRound, page: QueuedPage, kind: str, response: HtmlResponse
    ) -> None:
        """Record the links on a page that is no article; a text on several pages is a failure.

        A page that names what no other has named is a list: a source as soon as that is an article.
        """
        state, listed = self.watch_state, discovery.list_links(response)
        addresses = {self._address(round_, one.url) for one in listed.pages} - {""}
        known = (state.address(address_hash(one)).status for one in addresses)
        found = readable(response).xpath("//body//text()[not(parent::script or parent::style)]")
        is_wall = len(round_.of_text(" ".join(found.getall()), page)) > 1
        is_list = page.depth <= MAX_DEPTH and None in known
        is_list |= state.address(page.hash).why == A_LIST
        source = self._take_document(round_, page, listed, response.url) if is_list else None
        if is_wall:
            self._failed_together(round_, page)
        elif source and not source.hits:
            state.list_waits(page.hash)
        elif source and page.dated is None:  # what names it has brought something, too
            state.end_page(page.hash, NOT_ARTICLE, round_.site.round)
        else:
            self._looks_like(page, f"a page of the kind {kind}")

    def _failed_together(self, round_: SiteRound, page: QueuedPage) -> None:
        """Schedule all pages with one text for later: it is the site's notice."""
        for text, same in round_.texts.items():
            if page.hash in same:
                for one in same.values():
                    self.watch_state.set_notice(one.hash, text)
                    if one.hash not in round_.failed_together:
                        round_.failed_together.add(one.hash)
                        self._failed(round_, one, TOGETHER)

    def _take_document(
        self, round_: SiteRound, page: QueuedPage, listed: Listed, url: str
    ) -> Source:
        """Make a source of a page that is a list, a feed or a sitemap, and record its entries."""
        self.watch_state.add_source(round_.site, url, listed.kind)
        source = self.watch_state.source(round_.site, url)
        new = self._record_pages(round_, source, listed.pages, url, (None, None))
        round_.pages.extend(one._replace(depth=page.depth + 1) for one in new)
        return source

    def note_error(self, item: Any) -> None:
        if found := self._left(item):
            self._failed(*found, "an error in the pipelines, see the log")
            self.ask_for_more(found[0])

    def _is_halted(self, response: Response, round_: SiteRound) -> bool:
        """True if the site asked for a pause, which is then applied."""
        if (seconds := wanted_pause(response, time.time())) is None:
            return False
        self.watch_state.wait(round_.site, seconds)
        round_.is_halted = round_.is_reached = True
        return True
