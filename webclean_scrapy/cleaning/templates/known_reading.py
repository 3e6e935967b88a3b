"""The reading of a page without the regions that its template skips.

What was skipped is kept, and looked at for labels that are missing. The page is read whole after
all where that reading does not fit the template, and teaches the template only what few of its
pages have shown.
"""

from __future__ import annotations

from copy import deepcopy
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from lxml import etree

from webclean_scrapy.cleaning.page.keys import text_key
from webclean_scrapy.cleaning.page.table import build_table

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from lxml.etree import _Element
    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.page.table import PageTable

# Why a page at an address of a known template is read whole nevertheless.
UNLIKE = NO_PLACE, SAME_ARTICLE, SHORT_BODY, NEW_PLACES = (
    "no element is where the body was", "its pages hold this article", "hardly any body was left",
    "most of what was read is at new places",
)  # fmt: skip
_LEAST_BODY = 300  # units
_MOST_NEW = 0.5  # share of the text read, 0..1
_TEACHING_PAGES = 8  # with a place; more change little
_LABEL = 300  # units of a closed element that may state a date or a name
_LINE = 100  # units of one whose attributes may state them too
_BESIDE = 3  # closed elements next to an article, on each side, that are looked at


class Closed(NamedTuple):
    """An element that was emptied, with its former content."""

    element: _Element
    first: str | None  # the text before its children
    children: list[_Element]
    text: str  # all of it
    units: int

    def says(self, may_hold: Callable[[str], object]) -> bool:
        """True if *may_hold* accepts the element's text, or the markup of a short one."""
        parts = (self.element, *self.children) if self.units <= _LINE else ()
        return any(map(may_hold, chain((self.text,), map(_markup, parts))))

    def copied(self) -> _Element:
        """Return a copy of the element with its content."""
        copy = deepcopy(self.element)
        copy.text, copy.tail = self.first, None
        copy.extend(map(deepcopy, self.children))
        return copy


class Reading(NamedTuple):
    """The regions of a page that were skipped."""

    closed: list[Closed]
    unknown: list[_Element]  # at places that no page of the template had
    known: Collection[int]  # keys of texts that closed elements of its pages held
    opened: list[_Element]  # that the template has closed, and are read for what they say
    has_grown: bool  # others are read for their size
    link_blocks: tuple[float, ...]  # of its template's pages: their mean number, LCR and CCR

    @property
    def units(self) -> int:
        """The length of the skipped text."""
        return sum(one.units for one in self.closed)

    def opened_lines(self, table: PageTable) -> NDArray[np.bool_] | None:
        """Mark the lines of *table* in reopened elements; None if there are none."""
        if not self.opened:
            return None
        lines = np.zeros(len(table.lines), bool)
        for row, node in enumerate(table.node):
            if node in self.opened:
                lines[table.line_of[row] : table.line_of[table.end[row]]] = True
        return lines

    def find_labels(
        self, table: PageTable, rows: range, may_hold: Callable[[str], object]
    ) -> PageTable | None:
        """Return skipped elements that may state date and author, as a page.

        Those are small, next to *rows* of the page's *table* or between them, their text is that of
        no other page, and *may_hold* is true of it, or of their markup. None without any.
        """
        closed = {one.element: one for one in self.closed if one.text}
        at = [(row, closed[node]) for row, node in enumerate(table.node) if node in closed]
        near = [one for row, one in at if row < rows.start][-_BESIDE:]
        near += [one for row, one in at if row in rows]
        near += [one for row, one in at if row >= rows.stop][:_BESIDE]
        new = (one for one in near if one.units <= _LABEL and text_key(one.text) not in self.known)
        root = etree.Element("body")
        root.extend(one.copied() for one in new if one.says(may_hold))
        return build_table(root) if len(root) else None

    def small_links(self) -> Iterator[str]:
        """Yield the addresses, as written, of links in small skipped elements."""
        for one in self.closed:
            for child in one.children if one.units <= _LABEL else ():
                yield from filter(None, (link.get("href") for link in child.iter("a")))

    def empty_textless(self) -> None:
        """Empty the elements at new places that have no text, now that the tree is mended."""
        for element in self.unknown:
            if len(element) and not any(map(str.strip, element.itertext())):
                self.closed.append(empty(element, "", 0))


def empty(element: _Element, text: str, units: int) -> Closed:
    """Empty *element*; return it with its former content."""
    closed = Closed(element, element.text, list(element), text, units)
    element.text = None
    del element[:]
    return closed


def _markup(element: _Element) -> str:
    return str(etree.tostring(element, encoding="unicode", with_tail=False))


def find_unlike(table: PageTable, pages: NDArray[np.float64] | None) -> str | None:
    """Return why a page does not fit its template, before its body is looked for, or None.

    *table* is the page without skipped regions, *pages* how many of the template have the place of
    each line: None where all of them hold this article.
    """
    if pages is None:
        return SAME_ARTICLE
    units = table.columns.units
    return NEW_PLACES if units[pages == 0].sum() > _MOST_NEW * units.sum() else None


def is_short(table: PageTable, body: Sequence[int]) -> bool:
    """True if the lines *body* of a page without skipped regions are hardly any."""
    return int(table.columns.units[list(body)].sum()) < _LEAST_BODY


def teaches(
    table: PageTable, pages: NDArray[np.float64], reading: Reading, in_doubt: frozenset[int]
) -> bool:
    """True if the page adds information to its template; *pages* as of `find_unlike`.

    It was read where that skips, or has places that only a few pages had or that are *in_doubt*.
    """
    is_opened = bool(reading.opened) or reading.has_grown
    is_rare = bool((pages < _TEACHING_PAGES).any())
    return is_opened or is_rare or not in_doubt.isdisjoint(table.keys.places.values())
