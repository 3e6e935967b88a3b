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


def line_signatures(table: PageRows, columns: LineColumns) -> NDArray[np.int64]:
    """Return a number for tag and class of each line's block and of the element above it.

    Cost: O(lines).
    """
    rows = columns.block.tolist(), columns.second.tolist()
    names = zip(
        *(map(of.__getitem__, at) for at in rows for of in (table.tag, table.classes)), strict=True
    )
    numbers: dict[tuple[str, ...], int] = {}
    signatures = [numbers.setdefault(name, len(numbers)) for name in names]
    return np.fromiter(signatures, np.int64, len(signatures))


def line_columns(table: PageRows) -> LineColumns:
    """Return the columns of the table's lines. Cost: O(lines)."""
    lines, parent = table.lines, table.arrays.parent
    units, linked, block, first = (
        np.fromiter(of, np.int64, len(lines))
        for of in (lines.units, lines.link_units, lines.container, lines.first)
    )
    second = _above(parent, block)
    third = _above(parent, second)
    return LineColumns(
        units=units,
        linked=linked,
        plain=linked <= LINK_LINE * units,
        block=block,
        inline=_above(parent, first),
        second=second,
        third=third,
        fourth=_above(parent, third),
    )


def _above(parent: NDArray[np.int64], rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the parents of *rows*; the root stays what it is."""
    parents = parent[rows]
    return np.where(parents >= 0, parents, rows)
