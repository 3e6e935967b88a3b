"""One round over many sites: what is new on them is found, downloaded and made into items."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

import scrapy
from scrapy import signals
from scrapy.exceptions import IgnoreRequest
from scrapy.http import HtmlResponse, Request
from scrapy.settings import SETTINGS_PRIORITIES
from scrapy.utils.sitemap import sitemap_urls_from_robots

from webclean_scrapy.cleaning.method_names import LOW_CONFIDENCE
from webclean_scrapy.crawl import discovery
from webclean_scrapy.crawl.discovery import FEED, PAGE, SITEMAP, Entry
from webclean_scrapy.crawl.export_watch import ITEMS_CONFIRMED
from webclean_scrapy.crawl.request_meta import WEBCLEAN
from webclean_scrapy.crawl.responses import wanted_pause
from webclean_scrapy.crawl.service import WebcleanService
from webclean_scrapy.crawl.watch_rounds import LOW, SiteRound, Source
from webclean_scrapy.crawl.watch_state import (
    EXPORTED,
    GONE,
    LEFT_OUT,
    NOT_ARTICLE,
    WatchState,
    address_hash,
)
from webclean_scrapy.downloadermiddlewares.robots_cache import RobotsCacheMiddleware
from webclean_scrapy.errors import StoreError
from webclean_scrapy.pipelines.clean import NotAnArticle
from webclean_scrapy.pipelines.dedup import NearDuplicate
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
NOT_MODIFIED, BAD, SERVER_ERROR = 304, 400, 500
MISSING = (404, 410)
RETRIED = [408, 500, 502, 504, 522, 524]  # those of Scrapy without 429 and 503
ANSWERS = [NOT_MODIFIED, *range(400, 600)]  # statuses that callbacks are given
OF_ADDONS = SETTINGS_PRIORITIES["addon"]  # a default would be lost with some runners
MOVED_TO = "webclean_moved_to"  # in the meta of a request: the hash of the address


class WatchSpider(scrapy.Spider):
    """Makes an `ArticleItem` of each page that is new on *sites*, once over any number of rounds.

    *sites*: addresses of first pages, in a string with spaces, or a mapping that gives the feeds
    of each; *state*: the file that is kept between rounds; *since*: a date, before which what is
    dated is left out; *max_pages*: most pages of a site in a round, the others follow in the next;
    *shard*: ``2/8`` takes the second of eight parts of the sites, by their hosts.

    A round asks the feeds, sitemaps and lists of a site in the order in which they most likely
    have something new, and stops after three in a row that have nothing. Pages that turn out to
    be lists become sources. Needs ``WEBCLEAN_DROP_NON_ARTICLES``.
    """

    name = "webclean-watch"
    webclean_items = True
    asks_for_changes = True  # a known page only when its site dates a change

    def __init__(
        self,
        sites: str | Mapping[str, Iterable[str]],
        state: str = ".watch.db",
        since: str = "",
        max_pages: str = "500",
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
        if moment is None or not str(max_pages).isdigit():
            raise ValueError(
                "since must be a date such as 2026-11-30, and max_pages a whole number, "
                f"got {since!r} and {max_pages!r}"
            )
        self._since, self._budget = moment, min(int(max_pages) or 10**6, 10**6)
        self.watch_state = WatchState(state, time.time)
        self.template_folder = Path(state).with_suffix(".templates")
        self.template_folder.mkdir(mode=0o700, exist_ok=True)
        self.rounds: list[SiteRound] = []
        self.lines: list[str] = []  # one for each site, when the round is over
        self.problem = ""  # with the state
        self._of_host: dict[str, SiteRound] = {}
        self._pages: dict[str, tuple[SiteRound, Waiting]] = {}  # by the address of the response
        self._scraped: dict[str, tuple[SiteRound, Waiting]] = {}  # not yet in the feed

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        """Add the cache of robots.txt; let the spider answer to sites that ask for patience."""
        super().update_settings(settings)
        middlewares = {**settings.getdict("DOWNLOADER_MIDDLEWARES"), RobotsCacheMiddleware: 90}
        changes: dict[str, Any] = {
            "DOWNLOADER_MIDDLEWARES": middlewares,
            "RETRY_HTTP_CODES": RETRIED,
            "URLLENGTH_LIMIT": 0,  # Scrapy drops such a request in silence; a round would wait
        }
        for name, value in changes.items():
            settings.set(name, value, max(settings.getpriority(name) or 0, OF_ADDONS))

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        spider = super().from_crawler(crawler, *args, **kwargs)
        connect = crawler.signals.connect
        connect(spider.leave_known, signal=signals.request_scheduled)
        connect(spider.count_request, signal=signals.request_reached_downloader)
        connect(spider.note_scraped, signal=signals.item_scraped)
        connect(spider.note_dropped, signal=signals.item_dropped)
        connect(spider.note_error, signal=signals.item_error)
        connect(spider.note_confirmed, signal=ITEMS_CONFIRMED)
        connect(spider.finish, signal=signals.engine_stopped)
        return spider

    async def start(self) -> AsyncIterator[Request]:
        """Yield the first request for each site that is due."""
        for home in self._homes:
            for request in self._begin(home):
                yield request

    def _begin(self, home: str) -> Iterator[Request]:
        site, feeds = self.watch_state.begin_round(home), self._homes[home]
        if site is None:
            self.lines.append(f"{home}: left alone in this round, as the site asked or failed")
            return
        for url in feeds:
            self.watch_state.add_source(site, url, FEED)
        self.watch_state.add_source(site, home, PAGE)
        round_ = SiteRound(site, self.watch_state.sources(site), self._budget, feeds)
        if round_.is_first:  # what it names tells where to look
            round_.queue.sort(key=lambda one: one.url != site.home)
        self.rounds.append(round_)
        self._of_host.setdefault(urlsplit(home).netloc, round_)
        yield from self._go_on(round_)

    def _go_on(self, round_: SiteRound) -> Iterator[Request]:
        """Yield the request for the next source; when there is none, those for pages."""
        if round_.guesses and not round_.queue and not round_.is_halted:
            self._add(round_, round_.guesses.pop(0), FEED)
        if source := round_.next_source():
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
        round_.pages = self.watch_state.waiting(round_.site, round_.budget, self._since)
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
        self._without(round_, source)
        yield from self._go_on(round_)

    def _without(self, round_: SiteRound, source: Source) -> None:
        """Note that a source gave nothing: a guess is forgotten, others are tried again."""
        if round_.is_first and source.due and source.url not in {round_.site.home, *round_.feeds}:
            self.watch_state.drop_source(source)
        elif source.source:
            self.watch_state.source_failed(source)
            round_.counts["failed"] += 1

    def _take(self, round_: SiteRound, source: Source, listed: Listed, response: Response) -> bool:
        """Queue what a source names; True if something is new, or a sitemap is.

        Its validators are kept last: after a kill, nothing that it names may be missing.
        """
        home, is_new = round_.site.home, False
        for child in sorted(listed.sitemaps, key=lambda one: one.dated or 0)[-MAX_CHILDREN:]:
            is_old = child.dated is not None and child.dated < self._since
            is_new |= not is_old and self._add(round_, child.url, SITEMAP, child.dated)
        for url in reversed(listed.feeds):
            self._add(round_, url, FEED)
        if round_.is_first and source.url == home:
            self._guess(round_)
        if listed.is_feed:
            round_.guesses.clear()
        named = [response.headers.get(name) or b"" for name in ("ETag", "Last-Modified")]
        etag, modified = [value.decode("latin-1") or None for value in named]
        tags = (etag, modified) if source.source else None
        new = self._note(round_, source, listed.pages, (home, source.url, response.url), tags)
        most = FIRST_NEXT_PAGES if round_.is_first else MAX_NEXT_PAGES
        follows = listed.next_page
        if new and round_.next_pages < most and discovery.is_of_site(follows, response.url):
            round_.next_pages += 1
            round_.queue.insert(0, Source(0, follows, PAGE))
        return is_new or bool(new)

    def _note(
        self,
        round_: SiteRound,
        source: Source,
        named: list[Entry],
        homes: tuple[str, ...],
        tags: Tags,
    ) -> list[Waiting]:
        """Note the pages of the site that a source names; return the new ones."""
        pages = [
            entry._replace(url=address)
            for entry in named
            if (address := discovery.site_page(entry.url, homes)) and address not in self._homes
        ]
        return self.watch_state.note_source(round_.site, source, pages, tags)

    def _add(self, round_: SiteRound, url: str, kind: str, dated: int | None = None) -> bool:
        """Add a source that a document names; one that is new or newer is asked next."""
        if not discovery.is_of_site(url, round_.site.home):
            return False
        if not self.watch_state.add_source(round_.site, url, kind, dated):
            return False
        if url not in round_.asked and all(one.url != url for one in round_.queue):
            round_.queue.insert(0, self.watch_state.source(round_.site, url))
        return True

    def _guess(self, round_: SiteRound) -> None:
        """Queue the usual sitemap if robots.txt names none; and feeds, until one is found."""
        home = round_.site.home
        if SITEMAP not in {one.kind for one in round_.queue}:
            self._add(round_, urljoin(home, discovery.USUAL_SITEMAP), SITEMAP)
        round_.guesses = [urljoin(home, path) for path in discovery.USUAL_FEEDS]

    def _read_robots(self, round_: SiteRound) -> None:
        """Queue the sitemaps that robots.txt names; it is known once something was asked for."""
        if round_.has_robots:
            return
        round_.has_robots = True
        home = round_.site.home
        body = self.watch_state.robots(urlsplit(home).netloc) or b""
        for url in sitemap_urls_from_robots(body, base_url=home):
            self._add(round_, url, SITEMAP)

    def _more_pages(self, round_: SiteRound) -> Iterator[Request]:
        for page in round_.begin_pages():
            self.watch_state.begin_page(page.hash)
            yield self._request(
                page.url, self.parse_page, self.page_failed, {"round_": round_, "page": page}
            )

    def parse_page(self, response: Response, round_: SiteRound, page: Waiting) -> Iterator[Any]:
        """Yield the item of a page."""
        state = self.watch_state
        address = discovery.site_page(response.url, (round_.site.home, page.url))
        if response.status in MISSING:
            state.end_page(page.hash, GONE)
        elif self._is_halted(response, round_) or response.status >= BAD:
            self._page_failed(round_, page)
        elif not isinstance(response, HtmlResponse) or not address or address in self._homes:
            state.end_page(page.hash, NOT_ARTICLE)
        else:
            number = address_hash(address)
            if number != page.hash:  # it has moved
                state.end_page(page.hash, NOT_ARTICLE)
            self._pages[response.url] = round_, page._replace(hash=number)
            yield WebcleanService.new_item(self.crawler, response.url)
        round_.underway.discard(page.hash)
        yield from self._more_pages(round_)

    def leave_known(self, request: Request) -> None:
        """Drop a redirected request for a page that is known. Raises: IgnoreRequest to do so."""
        if "page" not in request.cb_kwargs:
            return
        round_, page = request.cb_kwargs["round_"], request.cb_kwargs["page"]
        address = discovery.site_page(request.url, (round_.site.home, page.url))
        number = address_hash(address)
        if not address or number in {page.hash, request.meta.get(MOVED_TO)}:
            return
        known = self.watch_state.status(address)
        self._note(round_, Source(0, address, PAGE), [Entry(address)], (address,), None)
        if number in round_.begun or known in {EXPORTED, NOT_ARTICLE, LEFT_OUT}:
            self.watch_state.end_page(page.hash, NOT_ARTICLE)
            round_.underway.discard(page.hash)
            self._ask_for_more(round_)
            raise IgnoreRequest
        round_.begun.add(number)
        request.meta[MOVED_TO] = number

    def page_failed(self, failure: Failure) -> Iterator[Any]:
        """Leave a page for the next round; what robots.txt forbids is not asked for again."""
        request = failure.request  # type: ignore[attr-defined]
        round_, page = request.cb_kwargs["round_"], request.cb_kwargs["page"]
        if isinstance(failure.value, IgnoreRequest):
            self.watch_state.end_page(page.hash, NOT_ARTICLE)
        else:
            self._page_failed(round_, page)
        round_.underway.discard(page.hash)
        yield from self._more_pages(round_)

    def _page_failed(self, round_: SiteRound, page: Waiting) -> None:
        self.watch_state.page_failed(page.hash)
        round_.counts["failed"] += 1

    def note_scraped(self, item: Any) -> None:
        if found := self._pages.pop(getattr(item, "url", ""), None):
            found[0].counts["new"] += 1
            found[0].counts[LOW] += (item.webclean or {}).get("confidence", 1.0) < LOW_CONFIDENCE
            self._scraped[item.url] = found

    def note_confirmed(self, keys: list[str]) -> None:
        """Settle the pages of items that are in the feed."""
        for key in keys:
            if found := self._scraped.pop(key, None):
                self.watch_state.end_page(found[1].hash, EXPORTED, found[0].site.round)

    def note_dropped(self, item: Any, response: Any, exception: BaseException) -> None:
        """Settle a page without an item; one that is no article may name some."""
        if (found := self._pages.pop(getattr(item, "url", ""), None)) is None:
            return
        round_, page = found
        if isinstance(exception, NearDuplicate):
            is_same = exception.match.key == exception.key
            self.watch_state.end_page(page.hash, EXPORTED, is_unchanged=is_same)
            round_.counts["copies"] += 1
            return
        if isinstance(exception, NotAnArticle) and page.depth <= MAX_DEPTH:
            self._take_list(round_, page, response)
        self.watch_state.end_page(page.hash, NOT_ARTICLE)  # last: a kill may come before

    def _take_list(self, round_: SiteRound, page: Waiting, response: HtmlResponse) -> None:
        listed, bases = discovery.read_page(response), (round_.site.home, response.url)
        addresses = {discovery.site_page(one.url, bases) for one in listed.pages}
        addresses -= {"", *self._homes}
        if any(self.watch_state.status(address) is None for address in addresses):
            self.watch_state.add_source(round_.site, response.url, PAGE)
            source = self.watch_state.source(round_.site, response.url)
            new = self._note(round_, source, listed.pages, bases, (None, None))
            round_.pages.extend(one._replace(depth=page.depth + 1) for one in new)
            self._ask_for_more(round_)

    def _ask_for_more(self, round_: SiteRound) -> None:
        """Ask for more pages where no callback can yield the requests."""
        for request in self._more_pages(round_):
            self.crawler.engine.crawl(request)

    def note_error(self, item: Any) -> None:
        if found := self._pages.pop(getattr(item, "url", ""), None):
            self._page_failed(*found)

    def count_request(self, request: Request) -> None:
        round_ = request.cb_kwargs.get("round_") or self._of_host.get(urlsplit(request.url).netloc)
        if round_ is not None:
            round_.counts["requests"] += 1

    def finish(self) -> None:
        """Settle what was exported, log a line for each site, and close the state."""
        state, found = self.watch_state, self.crawler.stats.get_stats()
        is_whole = found.get("finish_reason") == "finished"
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
        for line in self.lines:
            self.logger.info(line)

    def _end(self, round_: SiteRound, *, is_whole: bool = True) -> None:
        """Note how a round went, in the state and in a line."""
        site, failed, paused = round_.site, not round_.is_reached, 0
        self._of_host.pop(urlsplit(site.home).netloc, None)
        if is_whole:
            paused = self.watch_state.end_round(site, round_.counts, failed=failed)
        self.lines.append(round_.line(paused, is_whole=is_whole))

    def _request(
        self, url: str, callback: Any, errback: Any, arguments: dict[str, Any], headers: Any = None
    ) -> Request:
        is_source = "source" in arguments
        meta: dict[str, Any] = {"handle_httpstatus_list": ANSWERS}
        if is_source:
            meta[WEBCLEAN] = False
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
