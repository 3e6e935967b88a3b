"""Weights of paragraphs, and their sums over subtrees of a page.

Chen et al. 2012 weighs all text outside links (Lc).
Deviation: only paragraphs weigh, lines with the end of a sentence and 25 units, or with 80 units,
and at most half of them inside links: menus and captions are plain text too.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.page.lines import SENTENCE_END

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.page.rows import PageRows

MIN_UNITS = 25  # of a line that ends a sentence
MIN_PLAIN_UNITS = 80  # of a line that does not
MAX_LINK_SHARE = 0.5  # of its units inside links, 0..1


def is_prose(text: str, units: int, linked: int) -> bool:
    """True if a line of *units*, of which *linked* in links, reads like prose."""
    return (
        units >= MIN_UNITS
        and linked <= MAX_LINK_SHARE * units
        and (units >= MIN_PLAIN_UNITS or SENTENCE_END.search(text) is not None)
    )


def paragraph_weights(table: PageRows) -> list[int]:
    """Return the weight of each line: units outside links, 0 for non-paragraphs."""
    lines = zip(table.lines.text, table.lines.units, table.lines.link_units, strict=True)
    return [units - linked if is_prose(text, units, linked) else 0 for text, units, linked in lines]


class SubtreeWeights:
    """Sums of line weights over subtrees, in O(1) each; *every* holds the sums of all rows."""

    __slots__ = ("_end", "_line_of", "every")

    def __init__(self, table: PageRows, weights: list[int]) -> None:
        before = np.array([0, *accumulate(weights)], np.int64)[table.arrays.line_of]
        self.every: NDArray[np.int64] = before[table.arrays.end] - before[:-1]
        self._line_of, self._end = table.line_of, table.end

    def of(self, row: int) -> int:
        """Return the weight of the lines that begin inside the subtree of *row*."""
        return int(self.every[row])

    def innermost(self, rows: Iterable[int], max_share: float) -> list[int]:
        """Return for each line the innermost of *rows* (rising) around it, -1 for none.

        A row that holds more than *max_share* of the page's weight counts as none.
        """
        around = [-1] * self._line_of[-1]
        most = max_share * self.of(0) if self._end else 0
        for row in rows:  # outer ones come first
            first, stop = self._line_of[row], self._line_of[self._end[row]]
            around[first:stop] = [row if self.of(row) <= most else -1] * (stop - first)
        return around
