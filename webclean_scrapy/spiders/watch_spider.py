"""One round over many sites: what is new on them is found, downloaded and made into items."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

import scrapy
from protego import Protego
from scrapy import signals
from scrapy.exceptions import IgnoreRequest
from scrapy.http import HtmlResponse, Request
from scrapy.utils.asyncio import create_looping_call

from webclean_scrapy.cleaning.method_names import LOW_CONFIDENCE
from webclean_scrapy.crawl import discovery
from webclean_scrapy.crawl.discovery import FEED, PAGE, SITEMAP, Entry
from webclean_scrapy.crawl.export_watch import ITEMS_CONFIRMED
from webclean_scrapy.crawl.request_meta import WEBCLEAN
from webclean_scrapy.crawl.responses import readable, wanted_pause
from webclean_scrapy.crawl.scrapy_private import (
    Withdrawn,
    delay_of,
    forget_requests,
    is_closing,
    withdraw,
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
from webclean_scrapy.downloadermiddlewares.redirects import (
    OF_ADDONS,
    add_middlewares,
    use_redirects,
)
from webclean_scrapy.downloadermiddlewares.robots_cache import RobotsCacheMiddleware
from webclean_scrapy.errors import StoreError
from webclean_scrapy.pipelines.clean import NotAnArticle
from webclean_scrapy.pipelines.dedup import NearDuplicate
from webclean_scrapy.pipelines.store import NotStored
from webclean_scrapy.pipelines.watched import TooOld, Wall, WatchedPipeline
from webclean_scrapy.stats import DEDUP_NOT_EXPORTED, has_lost_feed, total_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Iterator, Mapping

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.settings import BaseSettings
    from twisted.python.failure import Failure
    from typing_extensions import Self

    from webclean_scrapy.crawl.discovery import Listed
    from webclean_scrapy.crawl.watch_rounds import Waiting

    Tags = tuple[str | None, str | None] | None  # ETag and Last-Modified

MAX_CHILDREN = 1000  # of an index of sitemaps, the latest
MAX_NEXT_PAGES = 20  # of one list, in one round; in the first round of a site `FIRST_NEXT_PAGES`
FIRST_NEXT_PAGES = 1  # what is behind was published long before
MAX_DEPTH = 2  # lists between the first page of a site and an article
SLOW_S = 5.0  # between two requests to a host: then one page at a time is underway
STOP_S = 20.0  # after which a round that is being stopped waits for no answer any more
NOT_MODIFIED, BAD, SERVER_ERROR = 304, 400, 500
RETRIED = [408, 500, 502, 504, 522, 524]  # those of Scrapy without 429 and 503
ANSWERS = [NOT_MODIFIED, *range(400, 600)]  # statuses that callbacks are given
MOVED_TO = "webclean_moved_to"  # in the meta of a request: the hash of the address


class WatchSpider(scrapy.Spider):
    """Makes an `ArticleItem` of each page that is new on *sites*, once over any number of rounds.

    *sites*: addresses of first pages, in a string with spaces, or a mapping that gives the feeds
    of each; *state*: the file that is kept between rounds; *since*: a date, before which what is
    dated is left out; *max_pages*, *site_time*: most pages and seconds of a site in a round, the
    others follow in the next; *within*: how the paths of pages begin, by default as that of a first
    page which ends with a slash; *shard*: ``2/8`` takes the second of eight parts of the sites.

    A round asks the feeds, sitemaps and lists of a site in the order in which they most likely
    have something new, and stops after three in a row that have nothing. Pages that turn out to
    be lists become sources. Needs ``WEBCLEAN_DROP_NON_ARTICLES``.
    """

    name = "webclean-watch"
    webclean_items = True
    asks_for_changes = True  # a known page only when its site dates a change
    clock = staticmethod(time.time)

    def __init__(
        self,
        sites: str | Mapping[str, Iterable[str]],
        *,
        state: str = ".watch.db",
        since: str = "",
        max_pages: str = "500",
        site_time: str = "600",
        within: str = "/",
        shard: str = "",
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        named = dict.fromkeys(sites.split(), ()) if isinstance(sites, str) else sites
        self._homes = {
            discovery.home_address(url): [*feeds]
            for url, feeds in named.items()
            if discovery.is_of_shard(url, shard)
        }
        moment = discovery.seconds(since) if since else 0
        if moment is None or not str(max_pages).isdigit() or not str(site_time).isdigit():
            raise ValueError(
                "since must be a date such as 2026-11-30, max_pages and site_time whole numbers, "
                f"got {since!r}, {max_pages!r} and {site_time!r}"
            )
        self.since, self._budget = moment, min(int(max_pages) or 10**6, 10**6)
        self._site_time, self._within = int(site_time), "/" + within.lstrip("/")
        urls = [url for home, feeds in self._homes.items() for url in (home, *feeds)]
        self.named_hosts = {urlsplit(url).hostname or "" for url in urls}
        self.watch_state = WatchState(state, self.clock)
        self.template_folder = Path(state).with_suffix(".templates")
        self.template_folder.mkdir(mode=0o700, exist_ok=True)
        self.rounds: list[SiteRound] = []
        self.lines: list[tuple[bool, str]] = []  # for each site; True: it has something to say
        self.problem = ""  # with the state
        self._of_host: dict[str, SiteRound] = {}
        self._pages: dict[str, tuple[SiteRound, Waiting]] = {}  # by the address of the response
        self._scraped: dict[str, tuple[SiteRound, Waiting]] = {}  # not yet in the feed
        self._ticks = create_looping_call(self._tick)
        self._stopped = 0.0  # when the round was told to end

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        """Add what is between Scrapy and the state; leave patience with sites to the spider."""
        super().update_settings(settings)
        use_redirects(settings)
        add_middlewares(settings, {RobotsCacheMiddleware: 90})
        changes: dict[str, Any] = {
            "ITEM_PIPELINES": {**settings.getdict("ITEM_PIPELINES"), WatchedPipeline: 200},
            "RETRY_HTTP_CODES": RETRIED,
            "URLLENGTH_LIMIT": 0,  # Scrapy drops such a request in silence; a round would wait
        }
        for name, value in changes.items():
            settings.set(name, value, max(settings.getpriority(name) or 0, OF_ADDONS))

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        spider = super().from_crawler(crawler, *args, **kwargs)
        connect = crawler.signals.connect
        connect(spider.follow_redirect, signal=signals.request_scheduled)
        connect(spider.count_request, signal=signals.request_reached_downloader)
        connect(spider.note_scraped, signal=signals.item_scraped)
        connect(spider.note_dropped, signal=signals.item_dropped)
        connect(spider.note_error, signal=signals.item_error)
        connect(spider.note_confirmed, signal=ITEMS_CONFIRMED)
        connect(spider.finish, signal=signals.engine_stopped)
        return spider

    async def start(self) -> AsyncIterator[Request]:
        """Yield the first request for each site that is due."""
        self._ticks.start(1.0, now=False)
        for home in self._homes:
            for request in self._begin(home):
                yield request

    def _begin(self, home: str) -> Iterator[Request]:
        state, feeds = self.watch_state, self._homes[home]
        site = state.begin_round(home)
        if site is None:
            self.lines.append((False, f"{home}: left alone in this round, as it asked or failed"))
            return
        for url in feeds:
            state.add_source(site, url, FEED)
        state.add_source(site, home, PAGE)
        sources, end = state.sources(site), self.clock() + self._site_time
        round_ = SiteRound(site, sources, self._budget, feeds, end)
        round_.homes = [one for one in (home, site.leads_to) if one]
        if all(one.url != home or one.kind == PAGE for one in sources):
            round_.part = discovery.part_of(home)
        if round_.is_first:  # what it names tells where to look
            round_.queue.sort(key=lambda one: one.url != site.home)
        self.rounds.append(round_)
        self._of_host.setdefault(urlsplit(home).netloc, round_)
        yield from self._go_on(round_)

    def _tick(self) -> None:
        """End the rounds that are over, without the requests that still wait for their turn."""
        is_stopped = is_closing(self.crawler)
        late = {id(one) for one in self.rounds if is_stopped or self.clock() >= one.end}
        withdraw(self.crawler, lambda request: id(request.cb_kwargs.get("round_")) in late)
        if is_stopped:
            self._stopped = self._stopped or time.monotonic()
            if time.monotonic() - self._stopped > STOP_S:
                forget_requests(self.crawler)
            return
        for round_ in [one for one in self.rounds if not one.is_open]:
            self.rounds.remove(round_)
            self._end(round_)

    def _go_on(self, round_: SiteRound) -> Iterator[Request]:
        """Yield the request for the next source; when there is none, those for pages."""
        if round_.guesses and not round_.queue and not round_.is_halted:
            round_.queue.append(Source(0, round_.guesses.pop(0), FEED))
        if source := round_.next_source(self.clock()):
            headers = {"If-None-Match": source.etag, "If-Modified-Since": source.modified}
            headers = {} if round_.site.is_repeated else headers  # a killed round may have them
            yield self._request(
                source.url,
                self.parse_source,
                self.source_failed,
                {"round_": round_, "source": source},
                {name: value for name, value in headers.items() if value},
            )
            return
        round_.pages = self.watch_state.waiting(round_.site, round_.budget, self.since)
        yield from self._more_pages(round_)

    def parse_source(self, response: Response, round_: SiteRound, source: Source) -> Iterator[Any]:
        """Note what a feed, a sitemap or a list names, and go on."""
        self._read_robots(round_)
        if not self._is_halted(response, round_):
            round_.is_reached |= response.status < SERVER_ERROR
            round_.barren += 1
            if response.status == NOT_MODIFIED:
                self.watch_state.note_source(round_.site, source)
            elif (
                response.status >= BAD
                or (listed := discovery.read_source(response, source.kind)) is None
            ):
                self._without(round_, source)
            elif self._take(round_, source, listed, response):
                round_.barren = 0
        yield from self._go_on(round_)

    def source_failed(self, failure: Failure) -> Iterator[Any]:
        """Note a source without an answer, and go on."""
        request = failure.request  # type: ignore[attr-defined]
        round_, source = request.cb_kwargs["round_"], request.cb_kwargs["source"]
        self._read_robots(round_)
        round_.barren += 1
        if isinstance(failure.value, Withdrawn):
            round_.is_reached = True  # it was not asked
        else:
            self._without(round_, source)
        yield from self._go_on(round_)

    def _without(self, round_: SiteRound, source: Source) -> None:
        """Note that a source gave nothing; of one that was guessed, nothing is kept."""
        if source.source:
            self.watch_state.source_failed(source)
            round_.counts["failed"] += 1

    def _take(self, round_: SiteRound, source: Source, listed: Listed, response: Response) -> bool:
        """Queue what a source names; True if something is new, or a sitemap is.

        Its validators are kept last: after a kill, nothing that it names may be missing.
        """
        if not source.source and source.kind != PAGE:  # it was guessed
            self.watch_state.add_source(round_.site, source.url, listed.kind)
            source = self.watch_state.source(round_.site, source.url)
        source = source._replace(kind=listed.kind)
        if source.url == round_.site.home:
            self._read_first_page(round_, listed, response)
        is_new = False
        for child in sorted(listed.sitemaps, key=lambda one: one.dated or 0)[-MAX_CHILDREN:]:
            is_old = child.dated is not None and child.dated < self.since
            is_new |= not is_old and self._add(round_, child.url, SITEMAP, child.dated)
        for url in reversed(listed.feeds):
            self._add(round_, url, FEED)
        if listed.kind == FEED:
            round_.guesses.clear()
        named = [response.headers.get(name) or b"" for name in ("ETag", "Last-Modified")]
        etag, modified = [value.decode("latin-1") or None for value in named]
        tags = (etag, modified) if source.source else None
        new = self._note(round_, source, listed.pages, response.url, tags)
        most = FIRST_NEXT_PAGES if round_.is_first else MAX_NEXT_PAGES
        follows = listed.next_page
        if new and round_.next_pages < most and discovery.is_of_site(follows, response.url):
            round_.next_pages += 1
            round_.queue.insert(0, Source(0, follows, PAGE))
        return is_new or bool(new)

    def _read_first_page(self, round_: SiteRound, listed: Listed, response: Response) -> None:
        """Take the hosts of a site from its first page; guess sources if that names none."""
        site, urls = round_.site, [one.url for one in listed.pages]
        leads_to = response.url if response.url != site.home else ""
        if listed.kind != PAGE:
            round_.part = "/"
            if not any(discovery.site_page(url, round_.homes) for url in urls):
                leads_to = next(filter(discovery.is_askable, urls), "")  # a feed of another host
        if leads_to and leads_to not in round_.homes:
            self.watch_state.lead_to(site, leads_to)
            round_.homes.append(leads_to)
        if round_.is_first and listed.kind == PAGE:
            if SITEMAP not in {one.kind for one in round_.queue}:
                map_url = urljoin(response.url, discovery.USUAL_SITEMAP)
                round_.queue.insert(0, Source(0, map_url, SITEMAP))
            round_.guesses = [urljoin(response.url, path) for path in discovery.USUAL_FEEDS]

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

    def _add(self, round_: SiteRound, url: str, kind: str, dated: int | None = None) -> bool:
        """Add a source that a document names; one that is new or newer is asked next."""
        if not discovery.is_askable(url):
            return False
        if not self.watch_state.add_source(round_.site, url, kind, dated):
            return False
        if url not in round_.asked and all(one.url != url for one in round_.queue):
            round_.queue.insert(0, self.watch_state.source(round_.site, url))
        return True

    def _read_robots(self, round_: SiteRound) -> None:
        """Queue the sitemaps that robots.txt names; it is known once something was asked for."""
        if round_.has_robots:
            return
        round_.has_robots = True
        home = round_.homes[-1]
        text = discovery.robots_text(self.watch_state.robots(urlsplit(home).netloc) or b"")
        parsed = Protego.parse(text)
        for url in parsed.sitemaps:
            self._add(round_, urljoin(home, url), SITEMAP)
        settings = self.crawler.settings
        agent = str(settings["ROBOTSTXT_USER_AGENT"] or settings["USER_AGENT"])
        if (parsed.crawl_delay(agent) or 0) > self._site_time:
            round_.budget = min(round_.budget, 1)

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
        known = self.watch_state.status(address)
        if leads[1:]:  # several pages lead there
            for one in leads:
                self._failed(round_, one, f"leads to {address}, as others do")
        elif known in {EXPORTED, LEFT_OUT}:
            self.watch_state.end_page(page.hash, NOT_ARTICLE)
        elif known is None:
            self._note(round_, Source(0, address, PAGE), [Entry(address)], address, None)
            round_.begun.add(number)
            return True
        elif known in {NOT_ARTICLE, GIVEN_UP} or self.watch_state.why(number):
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

    def _settle(self, round_: SiteRound, page: Waiting, status: int, *, same: bool = False) -> None:
        first, *others = self._leads(round_, page)
        credited = round_.site.round if status == EXPORTED and not same else 0
        self.watch_state.end_page(first.hash, status, credited, is_unchanged=same)
        for one in others:
            self.watch_state.end_page(one.hash, NOT_ARTICLE)

    def page_of(self, item: Any) -> tuple[SiteRound, Waiting] | None:
        """Return the round and the address of an item that is not settled."""
        return self._pages.get(getattr(item, "url", ""))

    def note_scraped(self, item: Any) -> None:
        if found := self._pages.pop(getattr(item, "url", ""), None):
            round_, page = found
            round_.underway.pop(page.hash, None)
            round_.counts["new"] += 1
            round_.counts[LOW] += (item.webclean or {}).get("confidence", 1.0) < LOW_CONFIDENCE
            self._scraped[item.url] = found

    def note_confirmed(self, keys: list[str]) -> None:
        """Settle the pages of items that are in the feed."""
        for key in keys:
            if found := self._scraped.pop(key, None):
                round_, page = found
                round_.items -= 1
                copied = self.watch_state.why(page.hash).removeprefix(f"{LOOKS_LIKE}a copy of ")
                if "://" in copied:  # it is none: what the other page said was a wall
                    self.watch_state.ask_again(address_hash(copied))
                self._settle(round_, page, EXPORTED)

    def note_dropped(self, item: Any, response: Any, exception: BaseException) -> None:
        """Note why a page gave no item; one that is no article may name some."""
        if (found := self._pages.pop(getattr(item, "url", ""), None)) is None:
            return
        round_, page = found
        round_.items -= 1
        if isinstance(exception, NearDuplicate):
            round_.counts["copies"] += 1
            original = exception.match.key
            why = self.watch_state.why(page.hash)
            self._settle(round_, page, EXPORTED, same=original == exception.key)
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
            if any(self.watch_state.status(address) is None for address in addresses):
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

    def count_request(self, request: Request) -> None:
        round_ = request.cb_kwargs.get("round_") or self._of_host.get(urlsplit(request.url).netloc)
        if round_ is not None:
            round_.counts["requests"] += 1

    def finish(self) -> None:
        """Settle what was exported, log a line for each site, and close the state."""
        state, found = self.watch_state, self.crawler.stats.get_stats()
        is_whole = found.get("finish_reason") == "finished"
        if self._ticks.running:
            self._ticks.stop()
        try:
            if not has_lost_feed(found) and not total_of(found, DEDUP_NOT_EXPORTED):
                self.note_confirmed([*self._scraped])
            for round_ in self.rounds:
                self._end(round_, is_whole=is_whole)
            state.forget()
            state.close()
        except StoreError as error:
            self.problem = str(error)
        self.problem = self.problem or state.problem
        for _, line in self.lines:
            self.logger.info(line)

    def _end(self, round_: SiteRound, *, is_whole: bool = True) -> None:
        """Note how a round went, in the state and in a line."""
        site, failed, until = round_.site, not round_.is_reached, 0
        self._of_host.pop(urlsplit(site.home).netloc, None)
        if is_whole:
            until = self.watch_state.end_round(site, round_.counts, failed=failed)
        troubles = [
            one
            for one in self.watch_state.troubles(site.home)
            if not one.why.startswith((LOOKS_LIKE, "robots.txt"))
        ]
        counts = round_.counts
        says = bool(failed or round_.is_halted or counts["new"] or counts["failed"] or troubles)
        moment = time.strftime("%Y-%m-%dT%H:%MZ", time.gmtime(until)) if until else ""
        self.lines.append((says or not is_whole, round_.line(moment, troubles, is_whole=is_whole)))

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
