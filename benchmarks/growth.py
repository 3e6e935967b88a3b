"""What pages of one shape each cost beside their parse, as they grow up to the guard's limits.

Each shape in three sizes, each twice the one before. The cost is that of `Cleaner.clean` and of
every field of its record, in CPU time, by that of lxml's parse of the same bytes: the least of some
rounds each. What costs more than MAX_PARSES, or grows faster than MAX_EXPONENT, is marked.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from lxml import etree

from benchmarks.growth_shapes import PARTS, make_shape
from benchmarks.markdown import table
from benchmarks.timing import best_of
from webclean_scrapy.cleaning.cleaner import Cleaner

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SHARES = (0.25, 0.5, 1.0)  # of what the guard lets pass
ROUNDS = 3
MAX_PARSES = 25.0
MAX_EXPONENT = 1.05


@dataclass(frozen=True, slots=True)
class ShapeGrowth:
    """What the pages of a shape cost, by rising size."""

    sizes: list[int]  # bytes
    parse: list[float]  # CPU seconds of lxml's parse
    record: list[float]  # CPU seconds of cleaning and of every field

    @property
    def parses(self) -> list[float]:
        """The cost of each page in parses."""
        return [record / parse for record, parse in zip(self.record, self.parse, strict=True)]

    @property
    def exponent(self) -> float:
        """The slope of log seconds over log bytes, by least squares: 1 is linear."""
        return float(np.polyfit(np.log(self.sizes), np.log(self.record), 1)[0])

    @property
    def faults(self) -> list[str]:
        """What is over its limit."""
        over = {
            "cost": max(self.parses) > MAX_PARSES,
            "growth": self.exponent > MAX_EXPONENT,
        }
        return [name for name, is_over in over.items() if is_over]


def measure_shapes(
    names: Iterable[str] = (), rounds: int = ROUNDS
) -> Iterator[tuple[str, ShapeGrowth]]:
    """Yield every shape, or those with *names*, and its growth."""
    Cleaner().warm_up()
    for name in names or PARTS:
        yield name, _measure(name, rounds)


def _measure(name: str, rounds: int) -> ShapeGrowth:
    pages = [make_shape(name, share) for share in SHARES]
    costs = [
        best_of({"parse": partial(_parse, page), "record": partial(_record, page)}, rounds)
        for page in pages
    ]
    return ShapeGrowth(
        sizes=[len(page) for page in pages],
        parse=[cost["parse"] for cost in costs],
        record=[cost["record"] for cost in costs],
    )


def _parse(page: bytes) -> object:
    return etree.fromstring(page, etree.HTMLParser(encoding="utf-8", huge_tree=True))


def _record(page: bytes) -> object:
    return Cleaner().clean(page).to_dict()


def growth_table(found: dict[str, ShapeGrowth]) -> str:
    """Return the growth of every shape as Markdown, and how many are over a limit."""
    rows = [
        [
            name,
            f"{one.sizes[-1]:,}",
            " ".join(f"{seconds:.2f}" for seconds in one.record),
            f"{one.exponent:.2f}",
            " ".join(f"{parses:.1f}" for parses in one.parses),
            ", ".join(one.faults),
        ]
        for name, one in found.items()
    ]
    head = ["shape", "bytes", "CPU s", "exponent", "parses", "over"]
    over = sum(bool(one.faults) for one in found.values())
    limits = f"{MAX_PARSES:.0f} parses, exponent {MAX_EXPONENT}"
    return f"{table(head, rows)}\n\n{over} of {len(found)} shapes over {limits}"
