"""Rows of a page: elements and texts in document order, as columns.

The subtree of row ``i`` is the range ``[i, end[i])``, and prefix sums give the text and the link
text of it in O(1). Lists give single rows quickly; `RowArrays` holds the same numbers for work on
all rows at once.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Mapping, Sequence

    from lxml.etree import _Element
    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.page.lines import Lines
    from webclean_scrapy.cleaning.page.walk import RowAttributes


@dataclass(frozen=True)
class RowArrays:
    """Columns of the rows as arrays. Prefix sums have one entry more than there are rows."""

    parent: NDArray[np.int64]
    end: NDArray[np.int64]
    line_of: NDArray[np.int64]  # lines that begin before the row
    text_before: NDArray[np.int64]  # units
    link_before: NDArray[np.int64]  # units inside links

    @cached_property
    def units(self) -> NDArray[np.int64]:
        """The text length of each subtree."""
        sizes: NDArray[np.int64] = self.text_before[self.end] - self.text_before[:-1]
        return sizes

    @cached_property
    def depth(self) -> NDArray[np.int64]:
        """The number of elements above each row."""
        size = len(self.end)
        depth: NDArray[np.int64] = (
            np.arange(size) - np.bincount(self.end, None, size + 1).cumsum()[:-1]
        )
        return depth

    @cached_property
    def link_units(self) -> NDArray[np.int64]:
        """The text length inside links of each subtree."""
        sizes: NDArray[np.int64] = self.link_before[self.end] - self.link_before[:-1]
        return sizes


class Mended(NamedTuple):
    """Hidden names and footnotes, which mending finds and no row says."""

    hidden_names: frozenset[str] = frozenset()  # classes and ids that its style sheets hide
    notes: Mapping[_Element, _Element] = MappingProxyType({})  # of links: the footnotes


NOT_MENDED = Mended()


@dataclass
class PageRows:
    """The rows of one page, and its lines.

    All row lists have one entry per row; the prefix sums have one more.
    """

    tag: list[str]  # lower case; TEXT for text rows
    node: list[_Element]  # of a text row: the element that owns the text
    parent: list[int]  # -1 for the root
    end: list[int]  # first row behind the subtree
    text: list[str]  # text rows only; white space collapsed, an outer blank kept
    link: list[bool]  # inside a link
    classes: list[str]  # class attribute, lower case
    ident: list[str]  # id attribute, lower case
    label: NDArray[np.int64]  # place of its tag, id and class in ``labels``
    labels: list[tuple[str, str, str]]
    written: str  # their ids and classes, to find names in
    attributes: list[tuple[int, str, str]]  # row, name and value of those that say what it is
    hrefs: dict[int, str]  # where each ``a`` leads to, by row; empty without an address
    lines: Lines
    line_of: list[int]  # lines that begin before the row; n + 1 entries
    text_before: list[int]  # units before the row
    link_before: list[int]  # units inside links before the row
    arrays: RowArrays
    mended: Mended = NOT_MENDED
    unseen: Sequence[tuple[int, _Element]] = ()  # ``meta`` and ``link``, and the row behind each

    def __len__(self) -> int:
        return len(self.tag)

    @cached_property
    def counts(self) -> Counter[str]:
        """The number of rows with each tag; to look for one among the rows takes as long."""
        return Counter(self.tag)

    def text_length(self, row: int) -> int:
        """Return the text length of the subtree, in units."""
        return self.text_before[self.end[row]] - self.text_before[row]

    def link_length(self, row: int) -> int:
        """Return the text length inside links of the subtree, in units."""
        return self.link_before[self.end[row]] - self.link_before[row]

    def plain_length(self, row: int) -> int:
        """Return Lc of the papers: the text length of the subtree outside links, in units."""
        return self.text_length(row) - self.link_length(row)

    def children(self, row: int) -> list[int]:
        """Return the child rows, in document order."""
        children = []
        child, stop = row + 1, self.end[row]
        while child < stop:
            children.append(child)
            child = self.end[child]
        return children

    def lines_in(self, row: int) -> range:
        """Return the numbers of the lines inside the subtree."""
        return range(self.line_of[row], self.line_of[self.end[row]])

    def mark_lines(self, rows: Iterable[int]) -> NDArray[np.bool_]:
        """Return an array with true for each line inside any of *rows*."""
        marked = np.zeros(len(self.lines), bool)
        for lines in map(self.lines_in, rows):
            marked[lines.start : lines.stop] = True
        return marked

    def ancestors(self, row: int) -> list[int]:
        """Return the rows above *row*, nearest first."""
        above = []
        row = self.parent[row]
        while row >= 0:
            above.append(row)
            row = self.parent[row]
        return above

    def xpath(self, row: int) -> str:
        """Return the XPath of a row's element in the page as parsed."""
        node = self.node[row]
        return node.getroottree().getpath(node)


def rows_named(
    read: RowAttributes | PageRows,
    signs: Iterable[str],
    wanted: Callable[[str], object],
    tags: Container[str] | None = None,
    *,
    ids: bool = False,
) -> list[int]:
    """Return the rows whose class, or with *ids* id and class, is *wanted*; of *tags* if given.

    What is wanted holds one of *signs*: a page without them, as most are, costs next to nothing.
    """
    if not any(map(read.written.__contains__, signs)):
        return []
    found = [
        at
        for at, (tag, ident, classes) in enumerate(read.labels)
        if (tags is None or tag in tags) and wanted(f"{ident} {classes}" if ids else classes)
    ]
    return np.isin(read.label, found).nonzero()[0].tolist()
