"""The page table: rows, lines, and all values derived from them.

Song et al. 2011 (the feature tree, CTree) and Chen et al. 2012 (text and link lengths of subtrees).
The prefix sums of `rows` give TextLength, LinksLength and Lc in O(1). The texts are also gathered
into *lines*: what a reader sees between two breaks (a block's edge or ``br``). Every step of the
method reads the table and returns what it would remove; no step changes the table or lxml's tree.

Deviation: geometry is no part of the feature tree here; `PageTable.layout` has the boxes of a page
that a browser has rendered.
"""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from functools import cached_property
from itertools import accumulate, islice
from typing import TYPE_CHECKING

import numpy as np
from lxml import etree

from webclean_scrapy.cleaning.page.keys import page_keys, tree_keys
from webclean_scrapy.cleaning.page.layout import read_layout
from webclean_scrapy.cleaning.page.line_mending import mend_lines
from webclean_scrapy.cleaning.page.lines import gather_lines, line_columns, line_signatures
from webclean_scrapy.cleaning.page.mending import mend
from webclean_scrapy.cleaning.page.row_flags import find_row_flags
from webclean_scrapy.cleaning.page.rows import NOT_MENDED, PageRows, RowArrays
from webclean_scrapy.cleaning.page.tags import DROPPED_TAGS, SWALLOWING_TAGS
from webclean_scrapy.cleaning.page.units import text_units
from webclean_scrapy.cleaning.page.walk import Elements, collect_rows, read_attributes
from webclean_scrapy.cleaning.page.weights import paragraph_weights
from webclean_scrapy.errors import PageTooLargeError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from lxml.etree import _Element
    from numpy.typing import ArrayLike, NDArray

    from webclean_scrapy.cleaning.page.keys import U64, PageKeys
    from webclean_scrapy.cleaning.page.layout import Layout
    from webclean_scrapy.cleaning.page.lines import LineColumns, Lines
    from webclean_scrapy.cleaning.page.row_flags import RowFlags
    from webclean_scrapy.cleaning.page.rows import Mended
    from webclean_scrapy.cleaning.page.walk import WalkedRows

_SENTENCE = re.compile(r"[.!?。！？…][\s\"'”’」』)）]*(?:\s|$)|[。！？；।॥؟۔։።။។]")
_SWALLOWED = 2  # paragraphs inside an element that has none by itself
_MOST_SWALLOWING = 100  # such elements of a page: one may hold 2,000 others, and all its text
_MAX_LINK_UNITS = 200
_MIN_SENTENCE_UNITS = 80


class PageTable(PageRows):
    """One page: its rows and derived values, each computed on first use."""

    @cached_property
    def flags(self) -> RowFlags:
        """Flags of each row: element, name and surrounding elements."""
        return find_row_flags(self)

    @cached_property
    def block_flags(self) -> NDArray[np.int32]:
        """The flags of the block of each line."""
        return self.flags.own[self.columns.block]

    @cached_property
    def around_flags(self) -> NDArray[np.int32]:
        """The flags of the block of each line and of the elements around it."""
        return self.flags.inside[self.columns.block]

    @cached_property
    def columns(self) -> LineColumns:
        """The lines as arrays, with the enclosing elements of each."""
        return line_columns(self.lines, self.arrays.parent)

    @cached_property
    def signatures(self) -> NDArray[np.int64]:
        """A number per line for the tag and class of its block and of the element above."""
        return line_signatures(self.label, self.labels, self.columns)

    @cached_property
    def paragraph_weights(self) -> list[int]:
        """The weight of each line as a paragraph, in units."""
        return paragraph_weights(self)

    @cached_property
    def is_paragraph(self) -> NDArray[np.bool_]:
        """Marks the lines with such a weight."""
        return np.fromiter(self.paragraph_weights, np.int64, len(self.lines)) > 0

    @cached_property
    def keys(self) -> PageKeys:
        """Stable hashes of the places and texts of the page."""
        return page_keys(self)

    @cached_property
    def tree_keys(self) -> U64:
        """Keys of the containers in the upper levels, which identify a template."""
        return tree_keys(self, self.keys.places)

    @cached_property
    def layout(self) -> Layout | None:
        """The boxes written by a browser; None for a page that was not rendered."""
        return read_layout(self)


def build_table(root: _Element, most_lines: int = sys.maxsize) -> PageTable:
    """Build the table of the tree under *root*; dropped subtrees are removed from *root*.

    Scripts and the like are stripped from the tree, so it must be the caller's own copy. Cost: one
    walk over the tree, less than the parse. Raises PageTooLargeError for more than *most_lines*.
    """
    elements = Elements(root)
    return measure_tree(root, most_lines, strip_dropped(elements))


def strip_dropped(elements: Elements) -> Mended:
    """Mend the tree of *elements* and remove dropped subtrees: scripts, styles and the like."""
    mended = mend(elements)
    _open_swallowing(elements)
    etree.strip_elements(
        elements.root, *DROPPED_TAGS, etree.Comment, etree.ProcessingInstruction, with_tail=False
    )
    return mended


def _open_swallowing(elements: Elements) -> None:
    """Keep dropped elements that the parser nested paragraphs into.

    Browsers show the content of an unclosed svg or button: dropping it loses the article.
    """
    left = _MOST_SWALLOWING
    without: set[_Element] = set()
    for element in elements.tagged(*SWALLOWING_TAGS):
        if element in without or not left:
            continue
        if next(islice(element.iter("p"), _SWALLOWED - 1, None), None) is None:
            without.update(element.iter(*SWALLOWING_TAGS))
        else:
            element.tag, left = "div", left - 1


def measure_tree(
    root: _Element, most_lines: int = sys.maxsize, mended: Mended = NOT_MENDED
) -> PageTable:
    """Build the table of a tree *mended* by `strip_dropped`. Raises as `build_table`."""
    rows = collect_rows(root)
    attributes = read_attributes(rows)
    if mend_lines(rows, attributes):
        rows = collect_rows(root)
        attributes = read_attributes(rows)
    count = sum(1 for text in rows.texts if text[2]) if len(rows.texts) > most_lines else 0
    if count > most_lines:
        raise PageTooLargeError("lines of text", count, most_lines)
    lines, text, sizes = gather_lines(rows)
    arrays, link = _measure(rows, lines, np.fromiter(sizes, np.int64, len(sizes)), attributes.hrefs)
    return PageTable(
        tag=rows.tag,
        node=rows.node,
        parent=rows.parent,
        end=rows.end,
        text=text,
        link=link.tolist(),
        **attributes._asdict(),
        lines=lines,
        line_of=arrays.line_of.tolist(),
        text_before=arrays.text_before.tolist(),
        link_before=arrays.link_before.tolist(),
        arrays=arrays,
        mended=mended,
        unseen=rows.unseen,
    )


def _measure(
    rows: WalkedRows, lines: Lines, sizes: NDArray[np.int64], links: Collection[int]
) -> tuple[RowArrays, NDArray[np.bool_]]:
    """Return the arrays of the rows, and which are inside links; set the units of the lines.

    *sizes* are the units of the texts, *links* the rows of the ``a`` elements.
    """
    size = len(rows.tag)
    texts = np.fromiter([text[0] for text in rows.texts], np.int64, len(rows.texts))
    first, stop = (np.fromiter(of, np.int64, len(lines)) for of in (lines.first, lines.last))
    stop += 1
    parent, end = (np.fromiter(of, np.int64, size) for of in (rows.parent, rows.end))
    line_of = _sum_before(size, first, 1)
    text_before = _sum_before(size, texts, sizes)
    starts = np.fromiter(links, np.int64, len(links))
    is_long = text_before[end[starts]] - text_before[starts] > _MAX_LINK_UNITS
    link = _inside_links(rows.end, zip(links, is_long.tolist(), strict=True), line_of, lines.text)
    link_before = _sum_before(size, texts, sizes * link[texts])
    lines.units = (text_before[stop] - text_before[first]).tolist()
    lines.link_units = (link_before[stop] - link_before[first]).tolist()
    return RowArrays(parent, end, line_of, text_before, link_before), link


def without_lines(table: PageTable, dropped: NDArray[np.bool_]) -> PageTable:
    """Return the page with the lines marked in *dropped* emptied. Cost: O(rows)."""
    arrays, lines = table.arrays, table.lines
    keep = (~dropped).astype(np.int64)  # 0 or 1
    kept = np.append(keep, 0)[arrays.line_of[1:] - 1]  # of a row: that of the line begun last
    sums = [
        np.concatenate([[0], (np.diff(before) * kept).cumsum()])
        for before in (arrays.text_before, arrays.link_before)
    ]
    columns = {name: getattr(lines, name) for name in ("units", "link_units", "text")}
    emptied = {
        name: [value * one for value, one in zip(column, keep.tolist(), strict=True)]
        for name, column in columns.items()
    }
    return replace(
        table,
        lines=replace(lines, **emptied),
        text_before=sums[0].tolist(),
        link_before=sums[1].tolist(),
        arrays=replace(arrays, text_before=sums[0], link_before=sums[1]),
    )


def _sum_before(size: int, rows: NDArray[np.int64], weights: ArrayLike) -> NDArray[np.int64]:
    sums = np.zeros(size + 1, np.int64)
    sums[rows + 1] = weights
    return sums.cumsum()


def _inside_links(
    end: list[int],
    links: Iterable[tuple[int, bool]],
    line_of: NDArray[np.int64],
    line_texts: list[str],
) -> NDArray[np.bool_]:
    """Mark rows inside links. *links*: row, and whether the link is long.

    An ``a`` that was left open would turn the rest of the page into link text: one that holds
    several sentences in blocks of their own is no link. A card (picture, headline, teaser) is.
    Cost: O(rows).
    """
    link = bytearray(len(end))  # marking a few rows costs less than in an array
    sentences: list[int] | None = None  # long lines with a sentence, before each line
    marked = 0
    for row, is_long in links:
        stop = end[row]
        if stop <= marked:
            continue  # within a link
        if is_long:
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
