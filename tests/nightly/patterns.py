"""Measures how the cost of each regular expression, and of a page, grows with the length of a run.

What takes four times as long on a text twice as long is no fault where the code hands over little:
`BOUNDS` says how much, and the pages show that it is not more.
"""

from __future__ import annotations

import html
import random
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.markdown import table, times
from tests.patterns import (
    METHODS,
    Attack,
    Found,
    attacks,
    exponential_attack,
    package_patterns,
    seconds,
)
from tests.toml_files import read_toml
from webclean_scrapy import clean

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterator

MOST = 2.6  # times the cost for twice the text: 2 of linear work, 4 of quadratic
_DATA = read_toml(Path(__file__).with_suffix(".toml"))
#: Characters that the code hands to patterns whose cost grows faster.
BOUNDS: dict[str, int] = _DATA["BOUNDS"]
_LENGTH, _SHORT = 6_000, 600  # characters of the smaller text, and of one that is tried before
_PAGE_LENGTH = 10_000  # characters of the smaller run in a page
_ATTACKS = 1_500  # of a pattern
_LIMIT_S, _NOTHING_S, _TRIES = 0.5, 0.0002, 4


@dataclass(frozen=True, slots=True)
class Growth:
    """Cost of a text in that of one half as long, for a method of a pattern or for a page."""

    times: float
    seconds: float
    name: str
    text: str

    @property
    def is_fault(self) -> bool:
        return self.times > MOST and self.name.partition(" ")[0] not in BOUNDS


@dataclass(slots=True)
class Longest:
    """Takes the place of a pattern and notes the longest text that it is given."""

    pattern: re.Pattern[Any]
    characters: int = 0

    def __getattr__(self, name: str) -> Any:
        value = getattr(self.pattern, name)
        if name not in METHODS:
            return value

        def method(*given: Any) -> Any:
            self.characters = max(self.characters, len(given[name in {"sub", "subn"}]))
            return value(*given)

        return method


# ---- Patterns.


def measure_pattern(found: Found) -> Iterator[Growth]:
    """Yield the worst growth of each method, or the first that is too much."""
    texts = list(attacks(found.pattern))
    texts = random.Random(1).sample(texts, min(len(texts), _ATTACKS))
    for method in sorted(found.methods):
        worst = Growth(0.0, 0.0, f"{found.place} {method}", "")
        for attack in texts:
            growth, cost = _growth(found, method, attack, _SHORT)
            if growth > MOST:
                growth, cost = _growth(found, method, attack, _LENGTH)
            if growth > worst.times:
                worst = Growth(growth, cost, worst.name, repr(attack))
            if worst.times > MOST:
                break
        yield worst


def _growth(found: Found, method: str, attack: Attack, length: int) -> tuple[float, float]:
    count = max(1, length // len(attack.pump))
    while (large := seconds(found, method, attack.text(2 * count), _LIMIT_S)) == float("inf"):
        count //= 3
    return _least_growth(
        lambda twice: seconds(found, method, attack.text(count << twice), _LIMIT_S), large
    )


def _least_growth(cost: Callable[[int], float], large: float) -> tuple[float, float]:
    """Return the growth from half to whole and the whole cost, the least of some tries."""
    if large < _NOTHING_S:
        return 0.0, large
    small = cost(0)
    for _ in range(_TRIES):
        if large <= MOST * small:
            break
        small, large = min(small, cost(0)), min(large, cost(1))
    return large / small, large


# ---- Pages.

_PARAGRAPH: str = _DATA["PARAGRAPH"]
_IN_HEAD: list[str] = _DATA["IN_HEAD"]
_IN_BODY: list[str] = _DATA["IN_BODY"]
_RUNS = (
    *'1a_-/.:,;|([{<"*$~@#&=中年', "\xa0", "\n", "a ", "1 ", "a.", "1-", "a,", "- ", "a@", "//a",
    "A ", "<a", "<!--", "a:", "1/", "by ", "jan", "ultim", "kopi", "](", "\\(", "字体大小", "&#1;",
)  # fmt: skip
_ENDS = "", "! b"


def measure_pages(found: list[Found]) -> tuple[list[Growth], dict[str, Longest]]:
    """Return the growths that are too much, and the longest texts of the patterns in `BOUNDS`."""
    longest = _watch(found)
    faults = []
    for place in (*_IN_HEAD, *_IN_BODY):
        for run, end in ((run, end) for run in _RUNS for end in _ENDS):
            count = _PAGE_LENGTH // len(run)
            pages = [_page(place, run * count + end), _page(place, run * 2 * count + end)]

            def cost(twice: int, pages: list[str] = pages) -> float:
                start = time.thread_time()
                page = clean(pages[twice], url="http://harbour.invalid/fog.html")
                page.to_dict(), page.markdown, page.comments
                return time.thread_time() - start

            growth, took = _least_growth(cost, cost(1))
            if growth > MOST:
                faults.append(Growth(growth, took, place, repr(run + end)))
    return faults, longest


def _watch(found: list[Found]) -> dict[str, Longest]:
    """Put a `Longest` in the place of each pattern in `BOUNDS`, wherever it was imported."""
    watched = {id(one.pattern): Longest(one.pattern) for one in found if one.place in BOUNDS}
    modules = [module for name, module in sys.modules.items() if name.startswith("webclean_scrapy")]
    for module in modules:
        for name, value in list(vars(module).items()):
            if id(value) in watched:
                setattr(module, name, watched[id(value)])
    return {one.place: watched[id(one.pattern)] for one in found if id(one.pattern) in watched}


def _page(place: str, text: str) -> str:
    shown = place.replace("{}", text if place == "{}" else html.escape(text))
    head, body = (shown, "") if place in _IN_HEAD else ("", shown)
    return f"<html><head>{head}</head><body><h1>Fog</h1><article>{_PARAGRAPH * 3}{body}{_PARAGRAPH}"


# ---- The report.


def measure() -> tuple[str, bool]:
    """Return the report, and whether all is in proportion."""
    found, unknown = package_patterns()
    exponential = [(one.place, *attack) for one in found if (attack := exponential_attack(one))]
    names = {name for name, *_ in exponential}
    growths = [growth for one in found if one.place not in names for growth in measure_pattern(one)]
    pages, longest = measure_pages(found)
    faults = [one for one in growths if one.is_fault] + pages
    worst = sorted(growths, key=lambda one: -one.times)[:10]
    beyond = {
        name: one.characters for name, one in longest.items() if one.characters > BOUNDS[name]
    }
    lines = [
        f"{len(found)} patterns, and {len(unknown)} made while the code runs: {', '.join(unknown)}",
        f"exponential: {exponential or 'none'}",
        f"The worst by growth, most of them on texts of a bounded length:\n\n{_growths(worst)}",
        f"Above {MOST} at any length, and pages:\n\n{_growths(faults) if faults else 'none'}",
        f"Longer than in BOUNDS: {beyond or 'none'}",
    ]
    return "\n\n".join(lines), not (exponential or faults or beyond)


def _growths(growths: list[Growth]) -> str:
    rows = [(f"{one.name} {one.text}", times(one.times), f"{1000 * one.seconds:.1f}")
            for one in growths]  # fmt: skip
    return table(["pattern or page", "growth", "ms"], rows)
