"""Speed: what bodies, records and peers cost beside lxml's parse, and growth with page size.

`stages` looks inside. Only ratios are given: they hold on other machines, seconds do not.
"""

from __future__ import annotations

import gc
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from lxml import etree

import webclean_scrapy
from benchmarks.data import Page
from benchmarks.made_pages import SIZES, make_page
from benchmarks.peers import make_peer
from benchmarks.timing import best_of, take_turn, take_turns

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

PARSE = "lxml parse"
WHOLE = "webclean, a page"
RECORD = "webclean, every field"
MAX_PAGES = 120  # that peers are timed on
ROUNDS = 3
LARGE = 100_000  # bytes, from which growth is fitted
TOO_LONG = 4.0  # CPU seconds; who takes longer is not given larger pages


@dataclass(slots=True)
class Growth:
    """CPU seconds by page size (bytes), rising, and the exponent of the power law through them."""

    seconds: dict[int, float]

    @property
    def exponent(self) -> float | None:
        """The slope of log seconds over log size, by least squares: 1 is linear.

        Smaller pages are left out: what every page costs would hide how the cost grows. None when
        fewer than three sizes are left.
        """
        large = [pair for pair in self.seconds.items() if pair[0] >= LARGE]
        if len(large) < 3:
            return None
        x, y = np.log(large).T
        return float(np.polyfit(x, y, 1)[0])


def sample(sets: Mapping[str, Mapping[str, Page]], count: int = MAX_PAGES) -> list[Page]:
    """Return at most *count* pages, spread over all sets and sizes alike."""
    pages = [page for some in sets.values() for page in some.values() if _is_cleaned(page)]
    pages.sort(key=lambda page: (len(page.html), page.html))
    step = max(1.0, len(pages) / count)
    return [pages[int(at * step)] for at in range(min(count, len(pages)))]


def measure_steps(
    pages: Sequence[Page], peers: Sequence[str], *, rounds: int = ROUNDS
) -> dict[str, float]:
    """Return the CPU seconds of parse, body, record and every peer, least of *rounds* a page.

    A round goes through all pages, so that no one has the last page still in a cache. A page on
    which a peer crashes is left out for all.
    """
    bodies = {name: make_peer(name) for name in peers}
    least: list[dict[str, float]] = [{} for _ in pages]
    for number in range(rounds):
        gc.collect()
        for page, best in zip(pages, least, strict=True):
            calls = _whole_calls(page) | {name: partial(b, page) for name, b in bodies.items()}
            for name, turn in take_turns(calls, number).items():
                spent = float("inf") if isinstance(turn.result, Exception) else turn.seconds
                best[name] = min(best.get(name, spent), spent)
    whole = [best for best in least if max(best.values()) < float("inf")]
    return {name: sum(best[name] for best in whole) for name in whole[0]}


def measure_growth(
    peers: Sequence[str], *, sizes: Sequence[int] = SIZES, rounds: int = ROUNDS
) -> dict[str, Growth]:
    """Return how the cost of parse, project and *peers* grows with the size of made pages."""
    bodies = {name: make_peer(name) for name in peers}
    found: dict[str, dict[int, float]] = {}
    out: set[str] = set()
    for size in sizes:
        text = make_page(size)
        page = Page(html=text.encode(), text=text, url=None, kind="article", gold="")
        calls = _whole_calls(page) | {name: partial(b, page) for name, b in bodies.items()}
        for name, call in list(calls.items()):
            if name in out or take_turn(call).seconds > TOO_LONG:
                out.add(name)
                del calls[name]
        for name, seconds in best_of(calls, rounds).items():
            found.setdefault(name, {})[len(page.html)] = seconds
    return {name: Growth(seconds) for name, seconds in found.items()}


def _is_cleaned(page: Page) -> bool:
    try:
        webclean_scrapy.clean(page.html, url=page.url)
    except webclean_scrapy.PageError:
        return False
    return True


def _whole_calls(page: Page) -> dict[str, Callable[[], object]]:
    data = page.text.encode("utf-8", "replace")

    def record() -> object:
        return webclean_scrapy.clean(page.html, url=page.url).to_dict()

    return {
        PARSE: lambda: etree.fromstring(data, etree.HTMLParser(encoding="utf-8", huge_tree=True)),
        WHOLE: lambda: webclean_scrapy.clean(page.html, url=page.url),
        RECORD: record,
    }
