"""The lines of a page as arrays, and the elements around each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.page.row_flags import RowFacts
    from webclean_scrapy.cleaning.page.table import PageTable

#: Above this share of its units inside links a line is a link line.
LINK_LINE = 0.5
WHOLLY = 0.9  # share of a line inside links above which all of it is one
LINK_UNITS = 25  # a shorter link is a word or a name


@dataclass(frozen=True, slots=True)
class LineColumns:
    """The table's lines as arrays, and the elements around each."""

    units: NDArray[np.int64]
    linked: NDArray[np.int64]
    plain: NDArray[np.bool_]  # no link line
    box: NDArray[np.int64]  # row of the innermost block element
    inline: NDArray[np.int64]  # row of the element that holds the first text
    second: NDArray[np.int64]  # rows of the three elements above the box (the box's own at the top)
    third: NDArray[np.int64]
    fourth: NDArray[np.int64]


def line_columns(table: PageTable, facts: RowFacts) -> LineColumns:
    """Return the columns of the table. Cost: O(lines)."""
    lines, up = table.lines, facts.parent
    units = np.array(lines.units, np.int64)
    linked = np.array(lines.link_units, np.int64)
    box = np.array(lines.container, np.int64)
    first = np.array(lines.first, np.int64)
    second = _above(up, box)
    third = _above(up, second)
    return LineColumns(
        units=units,
        linked=linked,
        plain=linked <= LINK_LINE * units,
        box=box,
        inline=_above(up, first),
        second=second,
        third=third,
        fourth=_above(up, third),
    )


def _above(up: NDArray[np.int64], rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the parents of *rows*; the root stays what it is."""
    parents = up[rows]
    return np.where(parents >= 0, parents, rows)


def wholly_linked(columns: LineColumns) -> NDArray[np.bool_]:
    """Mark the lines that are one link, and more than a name."""
    found: NDArray[np.bool_] = columns.linked >= WHOLLY * columns.units
    return found & (columns.units >= LINK_UNITS)
