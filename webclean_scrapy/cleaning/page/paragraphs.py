"""Which lines read like a paragraph of an article: the mass that body finding weighs.

Chen, Chen, Wu: "Main text extraction by information decay amplitude" (2012) weighs all text
outside links (Lc). Deviation: only good paragraphs weigh - sentence punctuation and 25 units, or
80 units, and under half of it links - since menus and captions are plain text too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.errors import ConfigError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.page.table import PageTable

#: The end of a sentence: a full stop before a blank or the end, or a CJK or Indic one anywhere.
SENTENCE_END = re.compile(r"[.!?…][\"'”’»)\]]*(?:\s|$)|[。！？；．।؟۔]")


@dataclass(frozen=True, slots=True, kw_only=True)
class ParagraphConfig:
    min_units: int = 25  # units of a line that ends a sentence
    min_plain_units: int = 80  # units of a line that does not
    max_link_share: float = 0.5  # share of its units inside links, 0..1

    def __post_init__(self) -> None:
        if not 0.0 <= self.max_link_share <= 1.0:
            raise ConfigError(
                f"max_link_share must be between 0 and 1, got {self.max_link_share!r}"
            )


def paragraph_mass(table: PageTable, config: ParagraphConfig) -> list[int]:
    """Return the weight of each line in units: its text outside links, 0 if it is no paragraph."""
    lines = table.lines
    mass = []
    for units, linked, text in zip(lines.units, lines.link_units, lines.text, strict=True):
        good = (
            units >= config.min_units
            and linked <= config.max_link_share * units
            and (units >= config.min_plain_units or SENTENCE_END.search(text) is not None)
        )
        mass.append(units - linked if good else 0)
    return mass


#: Text that goes on for so long without the end of a sentence is no prose: words for machines.
ENDLESS_UNITS = 1_500


def find_endless(table: PageTable) -> NDArray[np.bool_]:
    """Mark the long lines with next to no end of a sentence: lists of words for search engines."""
    found = np.zeros(len(table.lines), bool)
    for line, units in enumerate(table.lines.units):
        if units > ENDLESS_UNITS:
            ends = SENTENCE_END.findall(table.lines.text[line])
            found[line] = len(ends) * ENDLESS_UNITS < units
    return found


class RowMass:
    """Sums of line weights over subtrees, in O(1) each; *every* has those of all rows."""

    __slots__ = ("_before", "_end", "_line_of", "every")

    def __init__(self, table: PageTable, mass: list[int]) -> None:
        self._before = [0, *accumulate(mass)]
        self._line_of = table.line_of
        self._end = table.end
        arrays = table.arrays
        before = np.array(self._before)[arrays.line_of]
        self.every: NDArray[np.int64] = before[arrays.end] - before[:-1]

    def of(self, row: int) -> int:
        """Return the mass of the lines that begin inside the subtree of *row*."""
        line_of = self._line_of
        return self._before[line_of[self._end[row]]] - self._before[line_of[row]]
