"""A round of a watched site: the site, its sources, and the pages to request."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from webclean_scrapy.web_addresses import number_of

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_BARREN = 3  # sources in a row without anything new, after which no others are asked
MAX_SOURCES = 100  # of a site, in one round
MAX_UNDERWAY = 8  # pages of a site that are asked for or cleaned at once
DUE = 2  # a source to be asked in any case
LOW = "of low confidence"  # a count


class WatchedSite(NamedTuple):
    """A watched site: number, first page, and number of rounds."""

    site: int
    home: str
    round: int
    leads_to: str = ""  # where the first page redirects to
    failing: int = 0  # since when it does not answer
    wait_until: int = 0
    began: int = 0  # when it first had an article, or was given up
    resumes_killed_round: bool = False  # the round was begun before, and killed or stopped


class Source(NamedTuple):
    """A feed, sitemap or list page, with its history of new pages."""

    source: int
    url: str
    kind: str
    etag: str | None = None
    modified: str | None = None
    asked: float = 0.0
    hits: float = 0.0
    asked_in: int = 0
    due: int = 0  # `DUE`, or 1: its date is recent, and it had nothing new
    failing: int = 0  # since when

    @property
    def share(self) -> float:
        """The share of rounds with a new article, by Laplace's rule of succession."""
        return 1.0 if self.due == DUE else (self.hits + 1) / (self.asked + 2)

    def chance(self, round_: int) -> float:
        """Return the probability of a new article, 0..1, which rises with the time since."""
        return 1 - (1 - self.share) ** max(round_ - self.asked_in, 1)


class QueuedPage(NamedTuple):
    """An address whose page is to be requested."""

    hash: int
    url: str
    depth: int = 1  # lists between the first page of the site and this page
    since: int = 0  # when it was first asked for in vain
    dated: int | None = None  # by the list


class Address(NamedTuple):
    """The stored state of an address; *status* None: unknown."""

    status: int | None = None
    since: int = 0
    why: str = ""
    day: int = 0
    unchanged: int = 0
    notice: int = 0

    def first(self, now: int) -> int:
        """Return when it first gave no article."""
        return self.since if self.why and self.since <= now else now  # else a clock was wrong


class Trouble(NamedTuple):
    """An address that waits or was given up, with the reason."""

    is_given_up: bool
    url: str
    why: str
    due: int  # when it is asked for again


@dataclass
class SiteRound:
    """One round of one site."""

    site: WatchedSite
    queue: list[Source]  # to be asked, in order
    budget: int  # pages that may still be asked for
    end: float  # seconds since 1970; then nothing more is begun
    seconds: float  # the time of the round; half of it is left for pages
    homes: list[str] = field(default_factory=list)  # addresses on the hosts of the site
    part: str = "/"  # of the site that is watched: how the paths of its pages begin
    pages: list[QueuedPage] = field(default_factory=list)
    underway: set[int] = field(default_factory=set)  # asked for, not yet known what they are
    begun: set[int] = field(default_factory=set)
    leads: dict[str, list[QueuedPage]] = field(default_factory=dict)  # by where they lead to
    texts: dict[int, dict[int, QueuedPage]] = field(default_factory=dict)  # pages by their text
    latest: int = 0  # of the texts
    failed_together: set[int] = field(default_factory=set)  # pages with one text
    is_listing: bool = False  # a source is asked
    asked: set[str] = field(default_factory=set)  # sources
    barren: int = 0  # in a row
    next_pages: int = 0
    is_reached: bool = False  # a source has answered
    silence: str = "the site did not answer"  # why none has
    is_halted: bool = False  # the site wants to be left alone, or the round has ended
    slow_pages: int = 0  # that were read from their source, as they or others took too long
    elsewhere: int = 0  # entries of feeds none of whose entries is a page of the site
    has_slow_list: bool = False  # a feed or a sitemap took too long to read
    has_robots: bool = False  # its sitemaps were read
    items: int = 0  # that are in the pipelines
    counts: dict[str, int] = field(
        default_factory=lambda: dict.fromkeys(("requests", "new", "copies", "failed", LOW), 0)
    )

    @property
    def is_first(self) -> bool:
        return not self.site.began

    @property
    def is_open(self) -> bool:
        return bool(self.is_listing or self.underway or self.items)

    def next_source(self, now: float) -> Source | None:
        """Return the next source to request; None if the rest of the round is for pages."""
        late = now >= self.end - self.seconds / 2
        done = self.barren >= MAX_BARREN and not self.is_first
        if done or self.is_halted or late or len(self.asked) >= MAX_SOURCES:
            self.queue.clear()
        self.is_listing = bool(self.queue)
        if not self.is_listing:
            return None
        source = self.queue.pop(0)
        self.asked.add(source.url)
        return source

    def begin_pages(self, now: float, most: int) -> Iterator[QueuedPage]:
        """Yield the pages to request now, up to *most* in progress."""
        while self.pages and len(self.underway) < most:
            page = self.pages.pop(0)
            is_over = self.is_halted or now >= self.end
            if not is_over and self.budget > 0 and page.hash not in self.begun:
                self.budget -= 1
                self.begun.add(page.hash)
                self.underway.add(page.hash)
                yield page

    def of_text(self, words: str, page: QueuedPage) -> dict[int, QueuedPage]:
        """Record the text of a page; return the pages of this round with the same text.

        Words with digits are left out: walls have numbers of the visit or the time.
        """
        plain = " ".join(re.sub(r"(?<![A-Za-z\d])[A-Za-z]*\d[A-Za-z\d]*", "", words).split())
        key = number_of(plain, 8) >> 1  # the state keeps 63 bits
        self.latest = key
        same = self.texts.setdefault(key, {})
        same[page.hash] = page
        return same

    def line(self, until: str, troubles: list[Trouble], *, is_whole: bool) -> str:
        """Summarise the round in a line; *until*: the site is left alone until that time."""
        counts = ", ".join(f"{count:,} {name}" for name, count in self.counts.items())
        said = f"{self.site.home}: {counts}"
        if until:
            said += f"; next: {until}"
        if self.slow_pages:
            said += f"; {self.slow_pages:,} read from their source, as pages took too long"
        if self.elsewhere:
            said += f"; {self.elsewhere:,} entries of feeds that lead to other sites alone"
        if self.has_slow_list:
            said += "; a feed or sitemap took too long to read"
        if self.is_halted:
            said += "; the site asks for patience"
        elif is_whole and not self.is_reached:
            said += f"; {self.silence}"
        for is_given_up, name in ((False, "waiting"), (True, "given up")):
            some = [one for one in troubles if one.is_given_up is is_given_up]
            if some:
                more = f" and {len(some) - 1:,} more" if some[1:] else ""
                said += f"; {name}: {some[0].url} ({some[0].why}){more}"
        return said
