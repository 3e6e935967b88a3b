"""One round over many watched sites: find, download and export new pages."""

from __future__ import annotations

import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Request
from scrapy.utils.asyncio import create_looping_call

from webclean_scrapy.crawl import scrapy_private
from webclean_scrapy.crawl.export_watch import ITEMS_CONFIRMED
from webclean_scrapy.crawl.request_meta import FIRST_PAGE, WEBCLEAN
from webclean_scrapy.crawl.service import WebcleanService
from webclean_scrapy.downloadermiddlewares.redirects import OF_ADDONS, use_middlewares
from webclean_scrapy.errors import StoreError
from webclean_scrapy.spiders import discovery
from webclean_scrapy.spiders.documents import FEED, MAX_DOCUMENT, PAGE, SITEMAP
from webclean_scrapy.spiders.watch.pages import ANSWERS, FORBIDDEN, NOT_MODIFIED, WatchedPages
from webclean_scrapy.spiders.watch.pipeline import WatchedPipeline
from webclean_scrapy.spiders.watch.robots_cache import RobotsCacheMiddleware
from webclean_scrapy.spiders.watch.rounds import SiteRound, Source
from webclean_scrapy.spiders.watch.state import LOOKS_LIKE, STEPS_S, WatchState
from webclean_scrapy.spiders.written_dates import read_dates
from webclean_scrapy.stats import DEDUP_NOT_EXPORTED, has_lost_feed, total_of
from webclean_scrapy.web_addresses import (
    home_address,
    host_name,
    host_of,
    is_askable,
    is_below,
    is_of_shard,
    is_of_site,
    join,
    page_address,
    part_of,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Iterator, Mapping

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.settings import BaseSettings
    from twisted.python.failure import Failure
    from typing_extensions import Self

    from webclean_scrapy.spiders.documents import Listed

MAX_CHILDREN = 1000  # of an index of sitemaps, the latest
MAX_NEXT_PAGES = 20  # of one list, in one round; in the first round of a site `FIRST_NEXT_PAGES`
FIRST_NEXT_PAGES = 1  # later list pages hold old articles
STOP_S = 20.0  # after which a round that is being stopped waits for no answer any more
RETRIED = [408, 500, 502, 504, 522, 524]  # those of Scrapy without 429 and 503


class WatchSpider(WatchedPages):
    """Makes an `ArticleItem` of each new page on *sites*, once over all rounds.

    *sites*: addresses of first pages, in a string with spaces, or a mapping that gives the feeds
    of each; *state*: the file that is kept between rounds; *since*: a date, before which what is
    dated is left out; *max_pages*, *site_time*: most pages and seconds of a site in a round, the
    others follow in the next; *within*: how the paths of pages begin, by default as that of a first
    page which ends with a slash; *shard*: ``2/8`` takes the second of eight parts of the sites.

    Needs ``WEBCLEAN_DROP_NON_ARTICLES``.
    """

    name = "webclean-watch"
    webclean_items = True
    asks_for_changes = True  # a known page only when its site dates a change

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
            home_address(url): [*feeds] for url, feeds in named.items() if is_of_shard(url, shard)
        }
        moment = read_dates([since])[0] if since else 0
        if moment is None or not str(max_pages).isdigit() or not str(site_time).isdigit():
            raise ValueError(
                "since must be a date such as 2026-11-30, max_pages and site_time whole numbers, "
                f"got {since!r}, {max_pages!r} and {site_time!r}"
            )
        self.since, self._budget = moment, min(int(max_pages) or 10**6, 10**6)
        self.site_time, self._within = int(site_time), "/" + within.lstrip("/")
        urls = [url for home, feeds in self._homes.items() for url in (home, *feeds)]
        self.named_hosts = {host_name(url) for url in urls}
        self._pages, self._scraped = {}, {}
        self.reader = discovery.DocumentReader()
        self.watch_state = WatchState(state, self.clock)
        self.template_folder = Path(state).with_suffix(".templates")
        self.template_folder.mkdir(mode=0o700, exist_ok=True)
        self.rounds: list[SiteRound] = []
        self.lines: list[tuple[bool, str]] = []  # for each site; True: it has something to say
        self.problem = ""  # with the state
        self._of_host: dict[str, SiteRound] = {}
        self._ticks = create_looping_call(self._tick)
        self._stopped = 0.0  # when the round was told to end

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        """Add the components that use the state; leave most retries to later rounds."""
        super().update_settings(settings)
        use_middlewares(settings, {RobotsCacheMiddleware: 90})
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
        scrapy_private.send_once(self.crawler)
        self._stop_downloads = scrapy_private.stoppable_downloads(self.crawler)
        for home in self._homes:
            for request in self._begin(home):
                yield request

    def _begin(self, home: str) -> Iterator[Request]:
        state, feeds = self.watch_state, self._homes[home]
        site = state.begin_round(home)
        if site is None:
            self.lines.append((True, f"{home}: left alone in this round, as it asked or failed"))
            return
        for url in feeds:
            state.add_source(site, url, FEED)
        state.add_source(site, home, PAGE)
        sources, end = state.sources(site), self.clock() + self.site_time
        round_ = SiteRound(site, sources, self._budget, end, self.site_time)
        round_.homes = [one for one in (home, site.leads_to) if one]
        if all(one.url != home or one.kind == PAGE for one in sources):
            round_.part = part_of(home)
        if round_.is_first:  # what it names tells where to look
            round_.queue.sort(key=lambda one: one.url != site.home)
        self.rounds.append(round_)
        self._of_host.setdefault(host_of(home), round_)
        yield from self._next_requests(round_)

    def _tick(self) -> None:
        """End finished rounds, without their requests that still wait."""
        is_stopped = scrapy_private.is_closing(self.crawler)
        late = {id(one) for one in self.rounds if is_stopped or self.clock() >= one.end}
        scrapy_private.withdraw(
            self.crawler, lambda request: id(request.cb_kwargs.get("round_")) in late
        )
        if is_stopped:
            self._stopped = self._stopped or time.monotonic()
            if time.monotonic() - self._stopped > STOP_S:
                self._stop_downloads()
                self.reader.close()
                if service := self.crawler.get_extension(WebcleanService):
                    service.backend.stop()
            return
        for round_ in [one for one in self.rounds if not one.is_open]:
            self.rounds.remove(round_)
            self._end(round_)

    def _next_requests(self, round_: SiteRound) -> Iterator[Request]:
        if source := round_.next_source(self.clock()):
            tags = {"If-None-Match": source.etag, "If-Modified-Since": source.modified}
            if round_.site.resumes_killed_round:  # it may have them, and not all it named
                tags.clear()
            meta = {
                "handle_httpstatus_list": ANSWERS, WEBCLEAN: False,
                "download_maxsize": MAX_DOCUMENT,
                FIRST_PAGE: source.url == round_.site.home,
                **self.limits(round_, self.crawler.settings.getint("RETRY_TIMES")),
            }  # fmt: skip
            yield Request(
                source.url, self.parse_source, errback=self.source_failed, meta=meta,
                headers={name: value for name, value in tags.items() if value},
                cb_kwargs={"round_": round_, "source": source}, dont_filter=True, priority=1,
            )  # fmt: skip
            return
        round_.pages = self.watch_state.waiting(round_.site, round_.budget, self.since)
        yield from self._more_pages(round_)

    async def parse_source(
        self, response: Response, round_: SiteRound, source: Source
    ) -> AsyncIterator[Any]:
        """Record the addresses in a feed, sitemap or list, and continue."""
        self._read_robots(round_)
        if not self._is_halted(response, round_):
            round_.is_reached |= response.status < 500
            round_.barren += 1
            is_bad = response.status >= NOT_MODIFIED or self._is_astray(response, round_, source)
            listed = None if is_bad else await self.reader.list_source(response, source.kind)
            if listed is not None:
                if self._queue_listed(round_, source, listed, response):
                    round_.barren = 0
            elif response.status == NOT_MODIFIED:
                self.watch_state.note_source(round_.site, source)
            elif is_bad or not self.reader.is_closed:
                round_.has_slow_list |= self.reader.has_failed(response.url)
                self._source_gave_nothing(round_, source)
        for request in self._next_requests(round_):
            yield request

    def _is_astray(self, response: Response, round_: SiteRound, source: Source) -> bool:
        """True if a first page newly redirects off the site: probably to a login page."""
        if source.url != round_.site.home or source.kind != PAGE or round_.is_first:
            return False
        is_own = any(is_of_site(response.url, home) for home in round_.homes)
        if is_own and is_below(response.url, (round_.part, *map(part_of, round_.homes[1:]))):
            return False
        return not source.failing or self.clock() < source.failing + STEPS_S[-1]

    def source_failed(self, failure: Failure) -> Iterator[Any]:
        """Record a failed source, and continue."""
        request = failure.request  # type: ignore[attr-defined]
        round_, source = request.cb_kwargs["round_"], request.cb_kwargs["source"]
        self._read_robots(round_)
        round_.barren += 1
        if isinstance(failure.value, IgnoreRequest) and "robots.txt" in str(failure.value):
            round_.silence = FORBIDDEN
        if isinstance(failure.value, scrapy_private.Withdrawn):
            round_.is_reached = True  # it was not asked
        else:
            self._source_gave_nothing(round_, source)
        yield from self._next_requests(round_)

    def _source_gave_nothing(self, round_: SiteRound, source: Source) -> None:
        """Record that a source gave no addresses; a guessed one is forgotten."""
        self.watch_state.source_failed(source)
        round_.counts["failed"] += bool(source.source)

    def _queue_listed(
        self, round_: SiteRound, source: Source, listed: Listed, response: Response
    ) -> bool:
        """Queue the addresses of a source; True if any, or a listed sitemap, is new.

        Its validators are kept last: after a kill, nothing that it names may be missing.
        """
        if not source.source and source.kind != PAGE:  # it was guessed
            self.watch_state.add_source(round_.site, source.url, listed.kind)
            source = self.watch_state.source(round_.site, source.url)
        source = source._replace(kind=listed.kind)
        listed = listed.of_site(partial(self._is_own, round_))
        if source.url == round_.site.home:
            self._read_first_page(round_, listed, response)
        is_new = False
        for child in sorted(listed.sitemaps, key=lambda one: one.dated or 0)[-MAX_CHILDREN:]:
            is_old = child.dated is not None and child.dated < self.since
            is_new |= not is_old and self._add(round_, child.url, SITEMAP, child.dated)
        for url in reversed(listed.feeds):
            self._add(round_, url, FEED)
        elsewhere = listed.page_elsewhere(partial(self._is_own, round_))
        is_watched = any(is_of_site(elsewhere, home) for home in self._homes)
        if elsewhere and self._is_own(round_, response.url) and not is_watched:
            round_.homes.append(elsewhere)
        if listed.kind == FEED:  # then no other is to be guessed
            round_.queue = [one for one in round_.queue if one.source or one.kind != FEED]
            if not any(self._is_own(round_, one.url) for one in listed.pages):
                round_.elsewhere += len(listed.pages)
        named = [response.headers.get(name) or b"" for name in ("ETag", "Last-Modified")]
        etag, modified = [value.decode("latin-1") or None for value in named]
        tags = (etag, modified) if source.source and listed.is_whole else None
        new = self._record_pages(round_, source, listed.pages, response.url, tags)
        most = FIRST_NEXT_PAGES if round_.is_first else MAX_NEXT_PAGES
        follows = listed.next_page
        if new and round_.next_pages < most and is_of_site(follows, response.url):
            round_.next_pages += 1
            round_.queue.insert(0, Source(0, follows, PAGE))
        return is_new or bool(new)

    def _is_own(self, round_: SiteRound, url: str) -> bool:
        return bool(page_address(url, round_.homes))

    def _read_first_page(self, round_: SiteRound, listed: Listed, response: Response) -> None:
        """Read the site's hosts from its first page; guess sources if it declares none."""
        site, urls = round_.site, [one.url for one in listed.pages]
        leads_to = response.url if response.url != site.home else ""
        if listed.kind != PAGE:
            round_.part = "/"
            feed_of = listed.home if listed.home != response.url else ""
            if any(page_address(url, round_.homes) for url in urls):
                leads_to = site.leads_to
            elif not any(page_address(url, [response.url]) for url in (*urls, feed_of)):
                leads_to = next(filter(is_askable, urls), "")  # a feed of another host
        if leads_to != site.leads_to and (leads_to or listed.kind == PAGE):
            self.watch_state.lead_to(site, leads_to)
            round_.homes[1:] = [leads_to] if leads_to else []
        if round_.is_first and listed.kind == PAGE:
            if not listed.sitemaps and SITEMAP not in {one.kind for one in round_.queue}:
                maps = (join(response.url, path) for path in discovery.USUAL_SITEMAPS)
                round_.queue[:0] = [Source(0, url, SITEMAP) for url in maps]
            guesses = (join(response.url, path) for path in discovery.USUAL_FEEDS)
            round_.queue.extend(Source(0, url, FEED) for url in guesses)

    def _add(self, round_: SiteRound, url: str, kind: str, dated: int | None = None) -> bool:
        """Add a source; a new or changed one is requested next."""
        if not is_askable(url) or not self.watch_state.add_source(round_.site, url, kind, dated):
            return False
        if url not in round_.asked and all(one.url != url for one in round_.queue):
            round_.queue.insert(0, self.watch_state.source(round_.site, url))
        return True

    def _read_robots(self, round_: SiteRound) -> None:
        """Queue the sitemaps in robots.txt, which is known after the first request."""
        if round_.has_robots:
            return
        round_.has_robots = True
        home = round_.homes[-1]
        body = self.watch_state.robots(host_of(home)) or b""
        sitemaps, delay = discovery.read_robots(body, self.crawler.settings)
        for url in sitemaps:
            self._add(round_, join(home, url), SITEMAP)
        if delay > self.site_time:
            round_.budget = min(round_.budget, 1)

    def count_request(self, request: Request) -> None:
        round_ = request.cb_kwargs.get("round_") or self._of_host.get(host_of(request.url))
        if round_ is not None:
            round_.counts["requests"] += 1

    def finish(self) -> None:
        """Settle exported pages, log a line per site, and close the state."""
        self.reader.close()
        state, found = self.watch_state, self.crawler.stats.get_stats()
        is_whole = found.get("finish_reason") == "finished"
        if self._ticks.running:
            self._ticks.stop()
        with suppress(StoreError):  # its message is in the state
            if not has_lost_feed(found) and not total_of(found, DEDUP_NOT_EXPORTED):
                self.note_confirmed([*self._scraped])
            for round_ in self.rounds:
                self._end(round_, is_whole=is_whole)
            state.forget()
            state.close()
        self.problem = state.problem
        for _, line in self.lines:
            self.logger.info(line)

    def _end(self, round_: SiteRound, *, is_whole: bool = True) -> None:
        site, counts, until = round_.site, round_.counts, 0
        self._of_host.pop(host_of(site.home), None)
        if is_whole:
            self.end_leads(round_)
            until = self.watch_state.end_round(site, counts, failed=not round_.is_reached)
        found = self.watch_state.troubles(site.home)
        troubles = [one for one in found if not one.why.startswith((LOOKS_LIKE, FORBIDDEN))]
        is_quiet = is_whole and round_.is_reached and not (round_.is_halted or troubles)
        is_barren = round_.is_first and round_.elsewhere > 0  # no article yet, and this is why
        says = not is_quiet or is_barren or counts["new"] + counts["failed"] > 0
        moment = time.strftime("%Y-%m-%dT%H:%MZ", time.gmtime(until)) if until else ""
        self.lines.append((says, round_.line(moment, troubles, is_whole=is_whole)))
