"""The papers' methods on labelled articles: how close, how often right, and at what CPU time."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.data import ARTICLE
from benchmarks.scoring import BAD, GOOD, harmonic, precision_recall, set_score
from benchmarks.timing import take_turns
from webclean_scrapy.cleaning.cleaner import CleanConfig, Cleaner
from webclean_scrapy.cleaning.page.raw_page import RawPage
from webclean_scrapy.cleaning.result import CleanedPage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from benchmarks.data import Page

ALONE, SIBLING, CRAWL = "alone", "with a sibling", "as in a crawl"
RIGHT = (BAD, GOOD)  # F1 from which a page counts as right; the papers have no such number


@dataclass(frozen=True, slots=True)
class Way:
    """A configuration, and what it knows of a page's site.

    ALONE: nothing. SIBLING: one page of the site, read anew for each page. CRAWL: all pages before.
    """

    config: CleanConfig = field(default_factory=CleanConfig)
    knows: str = SIBLING


@dataclass(slots=True)
class PaperRun:
    """Scores of one way on some articles."""

    pairs: list[tuple[float, float]] = field(default_factory=list)
    sites: list[str] = field(default_factory=list)
    given_way: int = 0  # pages on which the paper's method found little, so that the default did it
    seconds: float = 0.0  # of CPU

    def right(self, least: float, site: str | None = None) -> float:
        """Return the share of the articles, of *site* if given, with F1 of *least* or more."""
        scores = [
            harmonic(*pair)
            for pair, own in zip(self.pairs, self.sites, strict=True)
            if site in (None, own)
        ]
        return float(np.mean([score >= least for score in scores]))

    @property
    def f1(self) -> float:
        """F1 of the mean precision and recall."""
        return set_score(self.pairs).f1


def run_ways(
    pages: Mapping[str, Page], ways: Mapping[str, Way], keys: Iterable[str] | None = None
) -> dict[str, PaperRun]:
    """Return what each of *ways* gives on the articles, those of *keys* if given, in turns."""
    cleaners = {name: Cleaner(way.config) for name, way in ways.items()}
    for cleaner in cleaners.values():
        cleaner.warm_up()
    order = [key for key in keys or pages if pages[key].kind == ARTICLE]
    random.Random(7).shuffle(order)
    runs = {name: PaperRun() for name in ways}
    for number, key in enumerate(order):
        page = pages[key]
        calls = {name: _call(cleaners[name], way, page, pages) for name, way in ways.items()}
        for name, turn in take_turns(calls, number).items():
            if isinstance(turn.result, Exception):
                raise turn.result
            assert isinstance(turn.result, CleanedPage)
            _note(runs[name], page, turn.result)
            runs[name].seconds += turn.seconds
    return runs


def _call(
    cleaner: Cleaner, way: Way, page: Page, pages: Mapping[str, Page]
) -> Callable[[], CleanedPage]:
    raw = RawPage(page.html, page.url or "")
    if way.knows == CRAWL:
        return lambda: cleaner.clean(page.html, page.url)
    near = [pages[key] for key in page.siblings if key in pages][: way.knows == SIBLING]
    return lambda: cleaner.inspect(raw, [RawPage(one.html, one.url or "") for one in near])


def _note(run: PaperRun, page: Page, found: CleanedPage) -> None:
    text = f"{found.title}\n{found.text}" if page.title_in_gold else found.text
    run.pairs.append(precision_recall(page.gold, text, page.optional))
    run.sites.append(page.site)
    run.given_way += found.fallback is not None


def join(runs: Iterable[PaperRun]) -> PaperRun:
    """Return several runs as one."""
    whole = PaperRun()
    for run in runs:
        whole.pairs += run.pairs
        whole.sites += run.sites
        whole.given_way += run.given_way
        whole.seconds += run.seconds
    return whole
