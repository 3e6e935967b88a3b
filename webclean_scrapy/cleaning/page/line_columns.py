"""The lines of a page as arrays, and the elements around each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.page.rows import PageRows

#: Above this share of its units inside links a line is a link line.
LINK_LINE = 0.5
WHOLLY = 0.9  # share of a line inside links above which all of it is one
LINK_UNITS = 25  # a shorter link is a word or a name


@dataclass(frozen=True, slots=True)
class LineColumns:
    """One entry a line. Rows of elements: a block at the top of the page stands for its parent."""

    units: NDArray[np.int64]
    linked: NDArray[np.int64]  # units inside links
    plain: NDArray[np.bool_]  # no link line
    block: NDArray[np.int64]  # row of the innermost block element
    inline: NDArray[np.int64]  # row of the element that holds the first text
    second: NDArray[np.int64]  # rows of the three elements above the block
    third: NDArray[np.int64]
    fourth: NDArray[np.int64]

    def signatures(self, table: PageRows, lines: slice | NDArray[np.int64]) -> NDArray[np.int64]:
        """Return a number for tag and class of each line's block and of the element above it."""
        tag, classes = table.tag, table.classes
        labels: dict[tuple[str, str], int] = {}
        numbers: dict[tuple[int, int], int] = {}
        signatures = []
        for block, above in zip(
            self.block[lines].tolist(), self.second[lines].tolist(), strict=True
        ):
            one = labels.setdefault((tag[block], classes[block]), len(labels))
            two = labels.setdefault((tag[above], classes[above]), len(labels))
            signatures.append(numbers.setdefault((one, two), len(numbers)))
        return np.array(signatures, np.int64)


def line_columns(table: PageRows) -> LineColumns:
    """Return the columns of the table's lines. Cost: O(lines)."""
    lines, parent = table.lines, table.arrays.parent
    units = np.array(lines.units, np.int64)
    linked = np.array(lines.link_units, np.int64)
    block = np.array(lines.container, np.int64)
    second = _above(parent, block)
    third = _above(parent, second)
    return LineColumns(
        units=units,
        linked=linked,
        plain=linked <= LINK_LINE * units,
        block=block,
        inline=_above(parent, np.array(lines.first, np.int64)),
        second=second,
        third=third,
        fourth=_above(parent, third),
    )


def _above(parent: NDArray[np.int64], rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the parents of *rows*; the root stays what it is."""
    parents = parent[rows]
    return np.where(parents >= 0, parents, rows)
