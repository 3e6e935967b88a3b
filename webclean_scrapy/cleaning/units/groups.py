"""Group the elements of a page by their keys, and measure what each group repeats.

A key is the tag of an element and its classes without digits, or an id with a number, without it;
an element without one has that of its parent. Cells of different columns have different keys. What
a group holds besides text, and whether each of its units has a date, tells the posts of a thread
from their data, without the words of a language or the names of any software.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.page.table import PageTable

#: The elements that are grouped: no paragraphs, headings, tables, quotations or words of a line.
_TAGS = frozenset(
    "article aside center dd details div dl dt fieldset figure footer form header li main section "
    "tbody td tr".split()
)
_DIGITS = re.compile(r"\d+")
_NUMBERED = re.compile(r"\D+\d+\D*")  # an id that other elements may have with other numbers
_LEAST_MEMBERS = 2  # with a paragraph; fewer repeat nothing
_LEAST_WEIGHT = 0.05  # share of the weight of the page, 0..1; what holds less is no part of it


@dataclass(frozen=True, slots=True)
class Group:
    """The outermost elements of one key."""

    rows: list[int]  # rising; none is inside another
    units: list[int]  # of each row: the largest element around it that holds no other one
    weight: int  # of the paragraphs in them, in units of text
    purity: float  # the share of this weight in their text, 0..1
    dated: float  # the share of the units that hold a dateline, 0..1


def find_groups(
    table: PageTable, weights: NDArray[np.int64], dated: NDArray[np.bool_]
) -> list[Group]:
    """Return the groups that hold a share of the page's text, in document order.

    *weights* are those of the subtree of each row, *dated* marks short lines with a date. Cost:
    O(rows x depth).
    """
    found: dict[int, list[int]] = {}
    for row, key in _keys(table).items():
        rows = found.setdefault(key, [])
        if not rows or row >= table.end[rows[-1]]:
            rows.append(row)
    least = _LEAST_WEIGHT * int(weights[0])
    dates = np.concatenate([[0], dated.cumsum()])
    return [
        _measure(table, rows, weights[rows], dates)
        for rows in found.values()
        if np.count_nonzero(weights[rows]) >= _LEAST_MEMBERS and weights[rows].sum() >= least
    ]


def _keys(table: PageTable) -> dict[int, int]:
    """Return a number for the key of each element that is grouped, by row."""
    names = [
        " ".join(sorted({_DIGITS.sub("", name).strip("-_") for name in (classes or ident).split()}))
        if classes or _NUMBERED.fullmatch(ident)
        else ""
        for _, ident, classes in table.labels
    ]
    numbers: dict[tuple[str, str | int, int], int] = {}
    columns: dict[int, int] = {}  # of a row of a table: the cells so far
    keys: dict[int, int] = {}
    for row, (tag, label) in enumerate(zip(table.tag, table.label.tolist(), strict=True)):
        if tag in _TAGS:
            above = table.parent[row]
            name = names[label] or keys.get(above, -1)
            if tag == "td":
                columns[above] = columns.get(above, 0) + 1
            key = tag, name, columns.get(above, 0)
            keys[row] = numbers.setdefault(key, len(numbers))
    return keys


def _measure(
    table: PageTable, rows: list[int], weights: NDArray[np.int64], dates: NDArray[np.int64]
) -> Group:
    borders = [-1, *rows, len(table)]
    units = [
        unit_around(table, row, before, after)
        for row, before, after in zip(rows, borders, borders[2:], strict=False)
    ]
    lines = [table.lines_in(unit) for unit in units]
    dated = sum(dates[each.stop] > dates[each.start] for each in lines)
    weight = int(weights.sum())
    text = sum(map(table.text_length, rows))
    return Group(rows, units, weight, weight / max(text, 1), dated / len(rows))


def unit_around(table: PageTable, row: int, before: int, after: int) -> int:
    """Return the largest element around *row* that holds neither of the rows at its sides."""
    while (above := table.parent[row]) > before and table.end[above] <= after:
        row = above
    return row


def are_inside(table: PageTable, rows: Sequence[int], around: Sequence[int]) -> bool:
    """True if each of *rows* is inside one of the elements *around*, rising."""
    at = np.searchsorted(around, rows, side="right") - 1
    stops = table.arrays.end[list(around)]
    return bool(((at >= 0) & (np.array(rows) < stops[at])).all())


def overlap(table: PageTable, rows: Sequence[int], others: Sequence[int]) -> bool:
    """True if one of *rows* is inside one of *others*, around it, or the same."""
    starts = np.unique([*rows, *others])
    stops = table.arrays.end[starts]
    return len(starts) < len(rows) + len(others) or bool((stops[:-1] > starts[1:]).any())
