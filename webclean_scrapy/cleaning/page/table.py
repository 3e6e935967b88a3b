"""A page as one table of nodes: the ground every method walks on.

The "feature tree" (CTree) of Song, Zhi, Zhou, Luo, An: "LCS-based feature tree maximum similarity
matching for web page denoising", Video Engineering 2011(13), as document-ordered arrays with the
prefix sums that Chen, Chen, Wu: "Main text extraction by information decay amplitude" (2012)
needs: TextLength, LinksLength and Lc in O(1).

Rows are elements and text nodes. The subtree of row ``i`` is ``[i, end[i])``. Text rows are also
gathered into *lines*: a line is what a reader sees between two breaks (a block's edge or ``br``).
Stages decide over lines and subtrees and return rows; nobody changes the table or the lxml tree.

Deviation: geometry is not part of the table (see ``page.layout``); of a page that a browser has
rendered it keeps the boxes as they are written.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, islice
from typing import TYPE_CHECKING

import numpy as np
from lxml import etree

from webclean_scrapy.cleaning.page.boxes import ATTRIBUTE as BOX
from webclean_scrapy.cleaning.page.boxes import HIDDEN
from webclean_scrapy.cleaning.page.lines import Lines, gather_lines
from webclean_scrapy.cleaning.page.tags import DROPPED_TAGS, SWALLOWING_TAGS
from webclean_scrapy.cleaning.page.units import text_units
from webclean_scrapy.cleaning.page.walk import TEXT, collect_rows

if TYPE_CHECKING:
    from lxml.etree import _Element
    from numpy.typing import ArrayLike, NDArray

    from webclean_scrapy.cleaning.page.walk import Rows

__all__ = ["TEXT", "Lines", "PageTable", "build_table", "text_units"]

_SENTENCE = re.compile(r"[.!?。！？…][\s\"'”’」』)）]*(?:\s|$)|[。！？；]")
_SWALLOWED = 2  # paragraphs inside an element that has none by itself
_MAX_LINK_UNITS = 200
_MIN_SENTENCE_UNITS = 80

#: Attributes that say what an element is.
MARKS = frozenset({"align", "hidden", "itemprop", "role", "style"})
_READ = MARKS | {BOX}


@dataclass(frozen=True, slots=True)
class RowArrays:
    """Columns of a table as arrays, for work on all rows at once; lists give single rows faster."""

    parent: NDArray[np.int64]
    end: NDArray[np.int64]
    line_of: NDArray[np.int64]
    text_before: NDArray[np.int64]
    link_before: NDArray[np.int64]


@dataclass
class PageTable:
    """One page. All row lists have one entry per row; the prefix sums have one more."""

    tag: list[str]  # lower case; TEXT for text rows
    node: list[_Element]  # of a text row: the element that owns the text
    parent: list[int]  # -1 for the root
    end: list[int]  # first row behind the subtree
    text: list[str]  # text rows only; white space collapsed, an outer blank kept
    link: list[bool]  # inside a link
    classes: list[str]  # class attribute, lower case
    ident: list[str]  # id attribute, lower case
    marks: list[tuple[int, str, str]]  # row, attribute and value of the attributes MARKS
    boxes: list[tuple[int, str]]  # row and box as a browser wrote it, see ``boxes``; rising
    lines: Lines
    line_of: list[int]  # lines that begin before the row; n + 1 entries
    text_before: list[int]  # units before the row
    link_before: list[int]  # units inside links before the row
    arrays: RowArrays  # some of these columns

    def __len__(self) -> int:
        return len(self.tag)

    def text_length(self, row: int) -> int:
        """Return the text of the subtree, in units."""
        return self.text_before[self.end[row]] - self.text_before[row]

    def link_length(self, row: int) -> int:
        """Return the text inside links of the subtree, in units."""
        return self.link_before[self.end[row]] - self.link_before[row]

    def plain_length(self, row: int) -> int:
        """Return Lc of the papers: text of the subtree outside links, in units."""
        return self.text_length(row) - self.link_length(row)

    def children(self, row: int) -> list[int]:
        """Return the child rows, in document order."""
        found = []
        child, stop = row + 1, self.end[row]
        while child < stop:
            found.append(child)
            child = self.end[child]
        return found

    @cached_property
    def depth(self) -> list[int]:
        """The number of elements above each row."""
        depth: list[int] = []
        for up in self.parent:
            depth.append(depth[up] + 1 if up >= 0 else 0)
        return depth

    def lines_in(self, row: int) -> range:
        """Return the numbers of the lines inside the subtree."""
        return range(self.line_of[row], self.line_of[self.end[row]])

    def ancestors(self, row: int) -> list[int]:
        """Return the rows above *row*, nearest first."""
        found = []
        row = self.parent[row]
        while row >= 0:
            found.append(row)
            row = self.parent[row]
        return found


def build_table(root: _Element) -> PageTable:
    """Return the table of the tree under *root*; *root* loses the subtrees that are dropped.

    The caller's own tree must be a copy: scripts and the like are stripped from it. Cost: one walk
    over the tree, less than the parse.
    """
    _keep_swallowed(root)
    etree.strip_elements(
        root, *DROPPED_TAGS, etree.Comment, etree.ProcessingInstruction, with_tail=False
    )
    rows = collect_rows(root)
    lines, text, sizes = gather_lines(rows)
    size = len(text)
    texts, units = np.array([found[0] for found in rows.texts], np.int64), np.array(sizes, np.int64)
    first, behind = np.array(lines.first, np.int64), np.array(lines.last, np.int64) + 1
    line_of = _sum_before(size, first, 1)
    text_before = _sum_before(size, texts, units)
    numbers, before = line_of.tolist(), text_before.tolist()
    link = _inside_links(rows, before, numbers, lines.text)
    link_before = _sum_before(size, texts, units * link[texts])
    lines.units = (text_before[behind] - text_before[first]).tolist()
    lines.link_units = (link_before[behind] - link_before[first]).tolist()
    classes, ident, marks, boxes = _read_attributes(rows)
    return PageTable(
        tag=rows.tag,
        node=rows.node,
        parent=rows.parent,
        end=rows.end,
        text=text,
        link=link.tolist(),
        classes=classes,
        ident=ident,
        marks=marks,
        boxes=boxes,
        lines=lines,
        line_of=numbers,
        text_before=before,
        link_before=link_before.tolist(),
        arrays=RowArrays(
            parent=np.array(rows.parent),
            end=np.array(rows.end),
            line_of=line_of,
            text_before=text_before,
            link_before=link_before,
        ),
    )


def without_lines(table: PageTable, dead: NDArray[np.bool_]) -> PageTable:
    """Return the same page as if the lines marked in *dead* held no text. Cost: O(rows)."""
    arrays, lines = table.arrays, table.lines
    alive = np.ones(len(table) + 1, np.int64)  # 1 for rows outside these lines
    marked = np.flatnonzero(dead)
    edges = np.zeros(len(table) + 1, np.int64)
    np.add.at(edges, np.array(lines.first, np.int64)[marked], 1)
    np.add.at(edges, np.array(lines.last, np.int64)[marked] + 1, -1)
    alive[edges.cumsum() > 0] = 0
    sums = [
        np.concatenate([[0], (np.diff(before) * alive[:-1]).cumsum()])
        for before in (arrays.text_before, arrays.link_before)
    ]
    keep = (~dead).astype(np.int64)
    return replace(
        table,
        lines=replace(
            lines,
            units=(np.array(lines.units, np.int64) * keep).tolist(),
            link_units=(np.array(lines.link_units, np.int64) * keep).tolist(),
            text=[
                "" if gone else text for gone, text in zip(dead.tolist(), lines.text, strict=True)
            ],
        ),
        text_before=sums[0].tolist(),
        link_before=sums[1].tolist(),
        arrays=replace(arrays, text_before=sums[0], link_before=sums[1]),
    )


def _keep_swallowed(root: _Element) -> None:
    """Make a plain element of one that was left open and has swallowed paragraphs.

    Browsers show what stands in an unclosed ``svg`` or ``button``; dropping it loses the article.
    """
    for element in root.iter(*SWALLOWING_TAGS):
        if sum(1 for _ in islice(element.iter("p"), _SWALLOWED)) >= _SWALLOWED:
            element.tag = "div"


def _read_attributes(
    rows: Rows,
) -> tuple[list[str], list[str], list[tuple[int, str, str]], list[tuple[int, str]]]:
    """Return class and id of every row in lower case, empty for text rows, marks and boxes.

    An element to which a browser gave no box is marked as hidden, like one that says so itself.
    """
    classes, ident = [""] * len(rows.tag), [""] * len(rows.tag)
    marks, boxes = [], []
    for row, (tag, node) in enumerate(zip(rows.tag, rows.node, strict=True)):
        if tag is not TEXT:
            for key in node.keys():  # noqa: SIM118 - to ask for each attribute that may be costs more
                if key == "class":
                    classes[row] = node.get(key, "").lower()
                elif key == "id":
                    ident[row] = node.get(key, "").lower()
                elif key in _READ:
                    value = node.get(key, "")
                    if key == BOX:
                        boxes.append((row, value))
                        key = HIDDEN if value == HIDDEN else BOX  # noqa: PLW2901
                    if key != BOX:
                        marks.append((row, key, value))
    return classes, ident, marks, boxes


def _sum_before(size: int, rows: NDArray[np.int64], weights: ArrayLike) -> NDArray[np.int64]:
    """Return for each of 0..*size* the sum of *weights* of the *rows* that are smaller."""
    sums = np.zeros(size + 1, np.int64)
    sums[rows + 1] = weights
    return sums.cumsum()


def _inside_links(
    rows: Rows, text_before: list[int], line_of: list[int], line_texts: list[str]
) -> NDArray[np.bool_]:
    """Return for each row whether it is inside a link. Cost: O(rows).

    An ``a`` that was left open turns the rest of the page into link text: it holds several
    sentences in blocks of their own, and is no link. A card (picture, headline, teaser) is one.
    """
    link = bytearray(len(rows.tag))  # marking a few rows costs less than in an array
    sentences: list[int] | None = None  # long lines with a sentence, before each line
    marked = 0
    for row in rows.links:
        stop = rows.end[row]
        if stop <= marked:
            continue  # within a link
        if text_before[stop] - text_before[row] > _MAX_LINK_UNITS:
            sentences = sentences or [0, *accumulate(map(_is_long_sentence, line_texts))]
            first, behind = line_of[row], line_of[stop]
            count = sentences[behind] - sentences[first]
            if count >= 2 or (count and behind - first <= 1):
                continue
        link[row + 1 : stop] = b"\1" * (stop - row - 1)
        marked = stop
    return np.frombuffer(link, bool)


def _is_long_sentence(line: str) -> bool:
    return text_units(line) >= _MIN_SENTENCE_UNITS and _SENTENCE.search(line) is not None
