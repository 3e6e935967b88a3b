"""Bodies: similarity of each extractor's text to the labels, and its cost."""

from __future__ import annotations

import random
import sys
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import webclean_scrapy
from benchmarks.data import ARTICLE, ARTICLE_KINDS
from benchmarks.peers import make_peer
from benchmarks.timing import Turn, take_turn, take_turns
from webclean_scrapy.report.text_scores import SetScore, precision_recall, set_score

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from benchmarks.data import Page

OURS, ALONE = "webclean", "webclean, no sibling"


@dataclass(slots=True)
class Run:
    """Results of an extractor on a set."""

    pairs: list[tuple[float, float]] = field(default_factory=list)  # of articles, in one order
    seconds: float = 0.0  # of CPU, all pages
    crashes: int = 0

    @property
    def score(self) -> SetScore:
        """The score of the set."""
        return set_score(self.pairs)


@dataclass(slots=True)
class SetResult:
    """All runs over one set, with the pages in the same order."""

    pages: int
    runs: dict[str, Run]
    scored: list[str] = field(default_factory=list)  # keys of the articles, as in each run's pairs
    called_articles: dict[bool, int] = field(default_factory=lambda: {True: 0, False: 0})
    of_kind: dict[bool, int] = field(default_factory=lambda: {True: 0, False: 0})

    @property
    def articles(self) -> int:
        """Number of scored pages."""
        return len(self.runs[OURS].pairs)

    @property
    def sibling_seconds(self) -> float:
        """CPU seconds spent on siblings of all pages, parsed and learned anew for each page."""
        return self.runs[OURS].seconds - self.runs[ALONE].seconds


def measure_bodies(
    pages: Mapping[str, Page], peers: Sequence[str], *, siblings: int = 1
) -> SetResult:
    """Run the project, with and without siblings, and the *peers* over a set.

    Every page is done by all in turn, in one process; a crash counts as no text.
    """
    bodies = {name: make_peer(name) for name in peers}
    result = SetResult(len(pages), {name: Run() for name in (OURS, ALONE, *peers)})
    order = sorted(pages)
    random.Random(7).shuffle(order)
    # What is loaded on first use is not a page's cost.
    take_turn(_our_calls(pages[order[0]], pages, siblings)[OURS])
    for body in bodies.values():
        take_turn(partial(body, pages[order[0]]))
    for number, key in enumerate(order):
        page = pages[key]
        if page.kind == ARTICLE:
            result.scored.append(key)
        calls = _our_calls(page, pages, siblings)
        calls |= {name: partial(body, page) for name, body in bodies.items()}
        for name, turn in take_turns(calls, number).items():
            _note(result.runs[name], page, turn, f"{name} on {key}")
            if name == OURS:
                _note_kind(result, page, turn)
    return result


def _our_calls(
    page: Page, pages: Mapping[str, Page], siblings: int
) -> dict[str, Callable[[], object]]:
    known = [pages[key] for key in page.siblings if key in pages][:siblings]
    near = [(sibling.html, sibling.url) for sibling in known]
    return {
        OURS: lambda: webclean_scrapy.clean(page.html, url=page.url, siblings=near),
        ALONE: lambda: webclean_scrapy.clean(page.html, url=page.url),
    }


def _note(run: Run, page: Page, turn: Turn, what: str) -> None:
    run.seconds += turn.seconds
    found = turn.result
    if isinstance(found, Exception):
        run.crashes += 1
        print(f"{what}: {type(found).__name__}: {str(found)[:200]}", file=sys.stderr)
    if page.kind != ARTICLE:
        return
    if isinstance(found, webclean_scrapy.CleanedPage):
        run.pairs.append(page.score(found.title, found.text))
    else:
        text = found if isinstance(found, str) else ""
        run.pairs.append(precision_recall(page.gold, text, page.optional))


def _note_kind(result: SetResult, page: Page, turn: Turn) -> None:
    kind = page.kind in ARTICLE_KINDS
    result.of_kind[kind] += 1
    result.called_articles[kind] += bool(getattr(turn.result, "is_article", False))
