"""Posts: like elements side by side with a date each. What readers wrote, or teasers.

What stands many times beside itself is not the article. No names of classes are read. A feature of
the linear model, since the entries of a live ticker have the same shape.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.page.table import PageTable

_LEVELS = 12  # elements above a dateline that are looked at
_BETWEEN = 6  # elements between two that are alike: the text of the first, a line
_HEAD = 3  # lines at the start of a post, and at its end, among which its date is
_TABLE = frozenset({"tr", "td", "th", "tbody"})


class _Pair(NamedTuple):
    """Two like elements side by side, one after the other."""

    first: int  # row
    second: int
    between: int  # elements


def find_posts(table: PageTable, dated: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Mark the lines in like elements side by side in which a short line with a date is.

    *dated* marks these short lines. Where the element is only the head of a post, as ``dt`` is, the
    elements up to the next head belong to it. Cost: O(lines + datelines x _LEVELS).
    """
    posts = np.zeros(len(dated), bool)
    numbers = np.flatnonzero(dated).tolist()
    for line, following in pairwise(numbers):
        rows = table.lines.container[line], table.lines.container[following]
        if table.tag[rows[0]] != table.tag[rows[1]]:
            continue
        pair = _side_by_side(table, *rows)
        if pair and _is_post(table, pair.first, line) and _is_post(table, pair.second, following):
            start, stop = table.lines_in(pair.first).start, _end_of_last(table, pair)
            posts[start : table.line_of[stop]] = True
    return posts


def _side_by_side(table: PageTable, first: int, second: int) -> _Pair | None:
    """Return the elements around two rows that have one parent, if they are alike."""
    for _ in range(_LEVELS):
        up = table.parent[first]
        if up < 0 or table.end[up] > second:
            break
        first = up
    above = table.parent[first]
    for _ in range(_LEVELS):
        if table.parent[second] == above:
            break
        second = table.parent[second]
        if second < 0:
            return None
    if table.parent[second] != above or first == second or not _alike(table, first, second):
        return None
    between, at = 0, table.end[first]
    while at < second and between <= _BETWEEN:
        between, at = between + 1, table.end[at]
    return _Pair(first, second, between) if at == second else None


def _is_post(table: PageTable, row: int, dateline: int) -> bool:
    """Whether an element is the head of a post, or holds a text with its dateline at one end."""
    lines = table.lines_in(row)
    at_end = dateline < lines.start + _HEAD or dateline >= lines.stop - _HEAD
    return table.tag[row] == "dt" or (len(lines) > 1 and at_end and table.tag[row] not in _TABLE)


def _alike(table: PageTable, first: int, second: int) -> bool:
    return table.tag[first] == table.tag[second] and (
        _first_class(table, first) == _first_class(table, second)
    )


def _first_class(table: PageTable, row: int) -> str:
    names = table.classes[row].split(None, 1)
    return names[0].rstrip("-_0123456789") if names else ""


def _end_of_last(table: PageTable, pair: _Pair) -> int:
    """Return the row behind the second post: as many elements follow its head as the first's."""
    stop = table.end[table.parent[pair.second]]
    at = table.end[pair.second]
    for _ in range(pair.between):
        if at < stop:
            at = table.end[at]
    return at
