"""Regions of a template: what its pages hold beside the article, and the next one need not read.

A template's first pages are read whole. An element is *closed* if its place never held a line of
the body, the title, a date, an author or a heading that ends an article: menus, lists of other
stories, footers, most of a page. Of the next page only the rest gets rows, so that every step costs
less by what is left out.

Deviation from the entropy paper, which keeps the path to the body alone: what is beside it may hold
the title, the byline and the date, and a body that moves to the element beside is still found.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from webclean_scrapy.cleaning.page.keys import place_key
from webclean_scrapy.cleaning.page.units import text_units

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lxml.etree import _Element
    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.page.keys import U32
    from webclean_scrapy.cleaning.page.table import PageTable

MAX_PAGES = 20  # that count
MAX_PLACES = 1_000  # of a template; those that fewest pages had go first
KNOWN_PAGES = 4  # articles read whole before a page is not
_CLOSED_PAGES = 3  # of these that had a place before it is closed
_ARTICLES = 0.7  # share of the pages read whole, 0..1; fewer are no template of articles
_GROWTH, _MORE = 1.5, 100  # a closed element that holds so many times the units, and more, is read
CLOSED, OPEN, BODY = range(3)  # states of a place: BODY is the subtree that holds the body


@dataclass(frozen=True, eq=False)
class Regions:
    """The places of the elements around the articles of a template, over its pages read whole."""

    places: U32  # sorted
    states: NDArray[np.uint8]
    pages: NDArray[np.uint8]  # that had the place
    units: NDArray[np.uint32]  # of text in it, the most of any page
    read: float  # pages read whole
    articles: float  # how many of these were articles, each by its probability

    @classmethod
    def of_page(
        cls, table: PageTable, body_row: int | None, lines: Iterable[int], article: float
    ) -> Regions:
        """Return the regions of one page, an article with the probability *article*.

        *lines* are those of its body and all about it. Elements inside the body's, and inside
        closed ones, are not kept. Cost: O(elements that hold lines).
        """
        held = np.zeros(len(table.lines) + 1, np.int64)
        held[np.fromiter(lines, np.int64) + 1] = 1
        before = held.cumsum()
        line_of, end, units = table.line_of, table.end, table.arrays.units
        states: dict[int, int] = {}
        sizes: dict[int, int] = {}
        within = {-1}  # rows whose children are kept
        for row, place in table.keys.places.items():
            if table.parent[row] not in within:
                continue
            state = OPEN if before[line_of[end[row]]] > before[line_of[row]] else CLOSED
            if row == body_row:
                state = BODY
            elif state == OPEN:
                within.add(row)
            states[place] = max(state, states.get(place, CLOSED))
            sizes[place] = max(int(units[row]), sizes.get(place, 0))
        places = np.array(sorted(states), np.uint32)
        known = places.tolist()
        return cls(
            places,
            np.array([states[place] for place in known], np.uint8),
            np.ones(len(known), np.uint8),
            np.array([sizes[place] for place in known], np.uint32),
            1.0,
            article,
        )

    @property
    def nbytes(self) -> int:
        """Memory of the arrays, in bytes."""
        return self.places.nbytes + self.states.nbytes + self.pages.nbytes + self.units.nbytes

    @property
    def are_known(self) -> bool:
        """True if the template's next page is read where it is open alone."""
        return self.read >= KNOWN_PAGES and self.articles >= _ARTICLES * self.read

    @property
    def closed(self) -> int:
        """The number of places that are not read on the next page."""
        return sum(state == CLOSED for state, _ in self._states.values())

    @property
    def article_share(self) -> float:
        """The share of articles among the pages that were read whole, 0..1."""
        return self.articles / self.read

    def merged(self, other: Regions) -> Regions:
        """Return the regions over the pages of both."""
        places = np.union1d(self.places, other.places)
        states, pages = np.zeros(len(places), np.uint8), np.zeros(len(places), np.uint16)
        units = np.zeros(len(places), np.uint32)
        for one in (self, other):
            at = np.searchsorted(places, one.places)
            states[at] = np.maximum(states[at], one.states)
            units[at] = np.maximum(units[at], one.units)
            pages[at] += one.pages
        if len(places) > MAX_PLACES:
            kept = np.sort(np.argsort(-pages.astype(int), kind="stable")[:MAX_PLACES])
            places, states, pages, units = places[kept], states[kept], pages[kept], units[kept]
        share = min(1.0, MAX_PAGES / (self.read + other.read))
        return Regions(
            places,
            states,
            np.minimum(pages, MAX_PAGES).astype(np.uint8),
            units,
            share * (self.read + other.read),
            share * (self.articles + other.articles),
        )

    @cached_property
    def _states(self) -> dict[int, tuple[int, int]]:
        """State and most units of each place; without closed places that few pages had."""
        certain = (self.states > CLOSED) | (self.pages >= _CLOSED_PAGES)
        places, states, units = (
            column[certain].tolist() for column in (self.places, self.states, self.units)
        )
        return dict(zip(places, zip(states, units, strict=True), strict=True))

    def close(self, root: _Element) -> list[Closed] | None:
        """Empty the closed elements under *root*, and return what they held.

        None for a page without the place of the body: it is of another template. Cost: O(elements
        about the body, and the characters of those that are closed).
        """
        known = self._states
        found = False
        closed = []
        above = [(root, _key_of(root, 0))]
        while above:
            element, key = above.pop()
            for child in element.iterchildren("*"):
                place = _key_of(child, key)
                state, units = known.get(place, (BODY, 0))
                if state == OPEN:
                    above.append((child, place))
                elif state == CLOSED:
                    if _units_in(child) <= _GROWTH * units + _MORE:
                        closed.append(child)
                elif place in known:
                    found = True
                elif len(child) and not any(map(str.strip, child.itertext())):
                    closed.append(child)
        return list(map(_empty, closed)) if found else None

    def to_data(self) -> dict[str, Any]:
        """Return plain values: JSON can hold them."""
        arrays = {name: getattr(self, name).tolist() for name in _ARRAYS}
        return {**arrays, "read": self.read, "articles": self.articles}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Regions:
        """Return the regions of ``to_data``. Raises as `Template.from_data`."""
        arrays = {name: np.array(data[name], kind) for name, kind in _ARRAYS.items()}
        places, states = arrays["places"], arrays["states"]
        read, articles = float(data["read"]), float(data["articles"])
        if len({array.shape for array in arrays.values()}) > 1 or places.ndim != 1:
            raise ValueError("the regions of a saved template are not all described")
        if not (places[1:] > places[:-1]).all() or not (states <= BODY).all():
            raise ValueError("the regions of a saved template are not sorted, or in no known state")
        if not 0.0 <= articles <= read <= MAX_PAGES or read < 1.0:
            raise ValueError("a saved template has numbers of pages out of range")
        return cls(**arrays, read=read, articles=articles)


_ARRAYS: dict[str, type[np.unsignedinteger[Any]]] = {
    "places": np.uint32, "states": np.uint8, "pages": np.uint8, "units": np.uint32,
}  # fmt: skip


class Closed(NamedTuple):
    """An element that was emptied, and what it held."""

    element: _Element
    text: str | None
    children: list[_Element]


def reopen(closed: Iterable[Closed]) -> None:
    """Give the elements that `Regions.close` has emptied what they held."""
    for element, text, children in closed:
        element.text = text
        element.extend(children)


def _empty(element: _Element) -> Closed:
    closed = Closed(element, element.text, list(element))
    element.text = None
    del element[:]
    return closed


def _key_of(element: _Element, above: int) -> int:
    ident, classes = element.get("id") or "", element.get("class") or ""
    return place_key(str(element.tag), ident.lower(), classes.lower(), above)


def _units_in(element: _Element) -> int:
    return text_units(" ".join("".join(element.itertext()).split()))
