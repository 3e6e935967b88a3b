"""The parts of a round of a watched site: the site, its sources, and the pages to ask for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_BARREN = 3  # sources in a row without anything new, after which no others are asked
MAX_SOURCES = 100  # of a site, in one round
MAX_UNDERWAY = 8  # pages of a site that are asked for or cleaned at once
LOW = "of low confidence"  # a count


@dataclass(frozen=True, slots=True)
class Site:
    """A watched site: its number, its first page, and the rounds it has had."""

    site: int
    home: str
    round: int
    failures: int
    paused: int
    wait_until: int
    is_repeated: bool = False  # the round was begun before, and killed or stopped


class Source(NamedTuple):
    """A feed, a sitemap or a page with links, and how often it had something new."""

    source: int
    url: str
    kind: str
    etag: str | None = None
    modified: str | None = None
    asked: float = 0.0
    hits: float = 0.0
    asked_in: int = 0
    due: int = 0

    @property
    def share(self) -> float:
        """The share of rounds in which it had a new article, by Laplace's rule of succession."""
        return 1.0 if self.due else (self.hits + 1) / (self.asked + 2)

    def chance(self, round_: int) -> float:
        """Return the probability that it has a new article, from 0 to 1: it rises with waiting."""
        return 1 - (1 - self.share) ** max(round_ - self.asked_in, 1)


class Waiting(NamedTuple):
    """An address whose page is to be asked for."""

    hash: int
    url: str
    depth: int = 1  # lists between the first page of the site and this page


@dataclass
class SiteRound:
    """One round of one site."""

    site: Site
    queue: list[Source]  # to be asked, in order
    budget: int  # pages that may still be asked for
    feeds: list[str]  # named by the user
    pages: list[Waiting] = field(default_factory=list)
    underway: set[int] = field(default_factory=set)  # hashes of pages
    begun: set[int] = field(default_factory=set)
    guesses: list[str] = field(default_factory=list)  # feeds that may be there, if no other is
    is_listing: bool = False  # a source is asked
    asked: set[str] = field(default_factory=set)  # sources
    barren: int = 0  # in a row
    next_pages: int = 0
    is_reached: bool = False  # a source has answered
    is_halted: bool = False  # the site wants to be left alone
    has_robots: bool = False  # its sitemaps were read
    counts: dict[str, int] = field(
        default_factory=lambda: dict.fromkeys(("requests", "new", "copies", "failed", LOW), 0)
    )

    @property
    def is_first(self) -> bool:
        return self.site.round == 1

    def next_source(self) -> Source | None:
        """Return the source to ask now; None when the rest of the round is for pages."""
        done = self.barren >= MAX_BARREN and not self.is_first
        if done or self.is_halted or len(self.asked) >= MAX_SOURCES:
            self.queue.clear()
        self.is_listing = bool(self.queue)
        if not self.is_listing:
            return None
        source = self.queue.pop(0)
        self.asked.add(source.url)
        return source

    def begin_pages(self) -> Iterator[Waiting]:
        """Yield the pages to ask for now."""
        while self.pages and len(self.underway) < MAX_UNDERWAY:
            page = self.pages.pop(0)
            if not self.is_halted and self.budget > 0 and page.hash not in self.begun:
                self.budget -= 1
                self.begun.add(page.hash)
                self.underway.add(page.hash)
                yield page

    def line(self, paused: int, *, is_whole: bool) -> str:
        """Return how the round went; the next *paused* rounds leave the site out."""
        counts = ", ".join(f"{count:,} {name}" for name, count in self.counts.items())
        follows = f"after {paused} rounds" if paused else "next round"
        said = "; the site did not answer" if is_whole and not self.is_reached else ""
        said = "; the site asks for patience" if self.is_halted else said
        return f"{self.site.home}: {counts}; next: {follows}{said}"
