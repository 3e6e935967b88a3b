"""Regions of a template that never held article text and are skipped on its next pages.

A template's first pages are read whole. An element is *closed* if its place never held a line of
the body, the title, a date, an author or a heading that ends an article: menus, lists of other
stories, footers, most of a page. Of the next page only the rest gets rows, so that every step costs
less by what is left out.

A closed element that says something new is read nevertheless: the last paragraph of an article may
stand where others have a box about the author. New is a paragraph that was in no closed element of
the pages known, but for places that held another paragraph on each page, and never body: teasers.
A place that held something of an article is closed again when several pages in a row held nothing.

Deviation from the entropy paper, which keeps the path to the body alone: what is beside it may hold
the title, the byline and the date, and a body that moves to the element beside is still found.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import compress
from typing import TYPE_CHECKING, Any

import numpy as np
from lxml import etree

from webclean_scrapy.cleaning.page.keys import place_key, text_key
from webclean_scrapy.cleaning.page.lines import MAY_END_SENTENCE, SENTENCE_END
from webclean_scrapy.cleaning.page.tags import BLOCK_TAGS, DROPPED_TAGS, HEADING_TAGS
from webclean_scrapy.cleaning.page.units import text_units
from webclean_scrapy.cleaning.page.weights import MIN_PLAIN_UNITS, is_prose
from webclean_scrapy.cleaning.templates.known_reading import Closed, Reading, empty

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from lxml.etree import _Element
    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.page.keys import U32
    from webclean_scrapy.cleaning.page.table import PageTable

MAX_PAGES = 20  # that count
MAX_PLACES = 1_000  # of a template; those that fewest pages had go first
MAX_TEXTS = 500  # of a template; the oldest go first
KNOWN_PAGES = 2  # articles read whole before a page is not
_CLOSED_PAGES = 2  # of these that had a place before it is closed
_ARTICLES = 0.7  # share of the pages read whole, 0..1; fewer are no template of articles
_IDLE_PAGES = 8  # in a row that had a place, and nothing of the article there, before it is closed
_GROWTH, _MORE = 1.5, 100  # a closed element that holds so many times the units, and more, is read
CLOSED, OPEN, BODY = range(3)  # states of a place: BODY is the subtree that holds the body


@dataclass(frozen=True, eq=False)
class Regions:
    """The places of elements around the articles of a template, over its fully read pages."""

    places: U32  # sorted
    states: NDArray[np.uint8]
    pages: NDArray[np.uint8]  # that had the place; of one that is not closed, since it last held so
    units: NDArray[np.uint32]  # of text in it, the most of any page
    texts: U32  # keys of all that closed elements held and of each paragraph; the newest last
    read: float  # pages read whole
    articles: float  # how many of these were articles, each by its probability
    link_blocks: tuple[float, ...]  # of these: their mean number, LCR and CCR

    @classmethod
    def of_page(
        cls,
        table: PageTable,
        body_row: int | None,
        lines: Iterable[int],
        article: float,
        link_blocks: tuple[float, ...],
    ) -> Regions:
        """Return the regions of one page, an article with probability *article*.

        *lines* are those of its body and all about it. Elements inside the body's, and inside
        closed ones, are not kept. Cost: O(elements that hold lines).
        """
        held = np.zeros(len(table.lines) + 1, np.int64)
        held[np.fromiter(lines, np.int64) + 1] = 1
        before = held.cumsum().tolist()
        line_of, end = table.line_of, table.end
        found: dict[int, tuple[int, int]] = {}  # by place: state and units
        texts: dict[int, None] = {}
        within = {-1}  # rows whose children are kept
        keys, weights = table.keys, table.paragraph_weights
        for row, place in keys.places.items():
            if table.parent[row] not in within:
                continue
            state = OPEN if before[line_of[end[row]]] > before[line_of[row]] else CLOSED
            if row == body_row:
                state = BODY
            elif state == OPEN:
                within.add(row)
            else:
                inside = slice(line_of[row], line_of[end[row]])
                paragraphs = compress(keys.texts[inside].tolist(), weights[inside])
                texts |= dict.fromkeys((text_key(_text_of(table.node[row])), *paragraphs))
            known, units = found.get(place, (CLOSED, 0))
            found[place] = max(state, known), max(table.text_length(row), units)
        rows = [(place, *found[place]) for place in sorted(found)]
        places, states, sizes = np.array(rows, np.int64).reshape(-1, 3).T
        return cls(
            places.astype(np.uint32),
            states.astype(np.uint8),
            (states == CLOSED).astype(np.uint8),
            sizes.astype(np.uint32),
            np.array(list(texts)[-MAX_TEXTS:], np.uint32),
            1.0,
            article,
            link_blocks,
        )

    @property
    def nbytes(self) -> int:
        """Memory of the arrays, in bytes."""
        return sum(int(getattr(self, name).nbytes) for name in _ARRAYS)

    @property
    def are_known(self) -> bool:
        """True if enough pages are known to skip regions on the next page."""
        return self.read >= KNOWN_PAGES and self.articles >= _ARTICLES * self.read

    @property
    def closed(self) -> int:
        """The number of places skipped on the next page."""
        return sum(state == CLOSED for state, _ in self._states.values())

    @property
    def article_share(self) -> float:
        """The share of articles among the fully read pages, 0..1."""
        return self.articles / self.read

    def merged(self, other: Regions) -> Regions:
        """Merge the regions of both; the pages of *other* are newer."""
        places = np.union1d(self.places, other.places)
        units = np.zeros(len(places), np.uint32)
        states, pages = (
            np.full((2, len(places)), -1, np.int16),
            np.zeros((2, len(places)), np.int16),
        )
        for number, one in enumerate((self, other)):
            at = np.searchsorted(places, one.places)
            states[number, at], pages[number, at] = one.states, one.pages
            units[at] = np.maximum(units[at], one.units)
        state, count = _over_both(states, pages)
        if len(places) > MAX_PLACES:
            order = np.lexsort((-count, state == CLOSED))
            kept = np.sort(order[:MAX_PLACES])
            places, state, count, units = places[kept], state[kept], count[kept], units[kept]
        new = [text for text in other.texts.tolist() if text not in self._known_texts]
        texts = np.concatenate([self.texts, np.array(new, np.uint32)]) if new else self.texts
        read = self.read + other.read
        share = min(1.0, MAX_PAGES / read)
        both = zip(self.link_blocks, other.link_blocks, strict=True)
        return Regions(
            places,
            state.astype(np.uint8),
            np.minimum(count, MAX_PAGES).astype(np.uint8),
            units,
            texts[-MAX_TEXTS:],
            share * read,
            share * (self.articles + other.articles),
            tuple((self.read * one + other.read * two) / read for one, two in both),
        )

    @cached_property
    def _states(self) -> dict[int, tuple[int, int]]:
        """State and most units of each place, without rarely seen closed places."""
        certain = (self.states > CLOSED) | (self.pages >= _CLOSED_PAGES)
        places, states, units = (
            column[certain].tolist() for column in (self.places, self.states, self.units)
        )
        return dict(zip(places, zip(states, units, strict=True), strict=True))

    @cached_property
    def in_doubt(self) -> frozenset[int]:
        """The places whose share of article text changed lately."""
        return frozenset(self.places[(self.states > CLOSED) & (self.pages > 0)].tolist())

    @cached_property
    def _known_texts(self) -> frozenset[int]:
        return frozenset(self.texts.tolist())

    def close(
        self, root: _Element, find_settled: Callable[[], Collection[int]] = frozenset
    ) -> Reading | None:
        """Empty the skipped elements under *root*, which is not mended; return their content.

        *find_settled* gives places whose paragraphs are not read, new as they may be. None for a
        page without the place of the body: it is of another template, and its tree is as before.
        Cost: O(elements about the body, and the characters of those that are closed).
        """
        known = self._states
        found = has_grown = False
        skipped: list[tuple[_Element, int, int]] = []
        unknown: list[_Element] = []
        above = [(root, _key_of(root, 0))]
        while above:
            element, key = above.pop()
            for child in element.iterchildren("*"):
                place = _key_of(child, key)
                state, units = known.get(place, (None, 0))
                if state == OPEN:
                    above.append((child, place))
                elif state == CLOSED:
                    skipped.append((child, place, units))
                elif state == BODY:
                    found = True
                elif child.tag != "head":
                    unknown.append(child)
        if not found:
            return None
        opened: list[_Element] = []
        closed: list[Closed] = []
        for element, place, units in skipped:
            etree.strip_elements(element, *DROPPED_TAGS, with_tail=False)
            text = _text_of(element)
            size = text_units(text)
            if self._says_new(element, place, text, find_settled):
                opened.append(element)
            elif size > _GROWTH * units + _MORE:
                has_grown = True
            else:
                closed.append(empty(element, text, size))
        return Reading(closed, unknown, self._known_texts, opened, has_grown, self.link_blocks)

    def _says_new(
        self, element: _Element, place: int, text: str, find_settled: Callable[[], Collection[int]]
    ) -> bool:
        """True if a skipped *element* at *place*, with *text*, has a new paragraph."""
        known = self._known_texts
        if not MAY_END_SENTENCE.search(text) or text_key(text) in known:
            return False
        blocks = _new_paragraphs(element, known)
        settled = find_settled() if blocks else ()
        return any(_place_in(element, place, block) not in settled for block in blocks)

    def to_data(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        arrays = {name: getattr(self, name).tolist() for name in _ARRAYS}
        return {
            **arrays, "read": self.read, "articles": self.articles,
            "link_blocks": list(self.link_blocks),
        }  # fmt: skip

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Regions:
        """Return the regions of ``to_data``."""
        arrays = {name: np.array(data[name], kind) for name, kind in _ARRAYS.items()}
        return cls(
            **arrays,
            read=data["read"],
            articles=data["articles"],
            link_blocks=tuple(data["link_blocks"]),
        )


_ARRAYS: dict[str, type[np.unsignedinteger[Any]]] = {
    "places": np.uint32, "states": np.uint8, "pages": np.uint8, "units": np.uint32,
    "texts": np.uint32,
}  # fmt: skip


def _over_both(
    states: NDArray[np.int16], pages: NDArray[np.int16]
) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """Merge the states and page counts of places over older and newer pages; -1: missing."""
    (older, newer), highest = states, states.max(0)
    total = pages.sum(0)
    total[(older == newer) & (newer > CLOSED)] = 0
    total[(older >= CLOSED) & (newer > older)] = 1
    falls = (newer >= CLOSED) & (newer < older)
    total[falls] = pages[0, falls] + 1
    falls &= total >= _IDLE_PAGES
    total[falls & (newer > CLOSED)] = 0
    return np.where(falls, newer, highest), total


def _key_of(element: _Element, above: int) -> int:
    tag: str = element.tag  # type: ignore[assignment] # no comments
    return place_key(tag, element.get("id", ""), element.get("class", ""), above)


def _place_in(element: _Element, place: int, inner: _Element) -> int:
    """Return the place of *inner*, which is in *element* at *place*."""
    path = [inner, *inner.iterancestors()]
    path = path[: path.index(element)]
    return reduce(lambda above, part: _key_of(part, above), reversed(path), place)


def _text_of(element: _Element) -> str:
    # A third of the cost of ``itertext``, for which each text is an object.
    text: str = etree.tostring(element, method="text", encoding="unicode", with_tail=False)
    return " ".join(text.split())


def _new_paragraphs(element: _Element, known: Collection[int]) -> list[_Element]:
    """Return the blocks inside *element* with a paragraph whose key is not *known*.

    One of the texts of a paragraph, outside links, ends a sentence or is long. No headings.
    """
    may_end = MAY_END_SENTENCE.search
    blocks: dict[_Element, None] = {}
    for part in element.iter("*"):
        text, tail = part.text, part.tail
        if text and may_end(text) and part.tag != "a" and _may_be_new(text, known):
            blocks[_block_around(part)] = None
        if tail and may_end(tail) and part is not element and _may_be_new(tail, known):
            blocks[_block_around(next(part.iterancestors()))] = None
    return [
        block
        for block in blocks
        if block.tag not in HEADING_TAGS and any(_is_new(*line, known) for line in _lines_of(block))
    ]


def _may_be_new(text: str, known: Collection[int]) -> bool:
    """True if *text* ends a sentence or is long, and is not *known* by itself."""
    is_said = len(text) >= MIN_PLAIN_UNITS or SENTENCE_END.search(text) is not None
    return is_said and text_key(" ".join(text.split())) not in known


def _block_around(element: _Element) -> _Element:
    while element.tag not in BLOCK_TAGS and (above := element.getparent()) is not None:
        element = above
    return element


def _lines_of(block: _Element) -> Iterator[tuple[str, int]]:
    """Yield the lines of *block* outside of inner blocks, with their units inside links."""
    text, linked = block.text or "", 0
    for child in block.iterchildren("*"):
        if child.tag in BLOCK_TAGS or child.tag == "br":
            yield text, linked
            text, linked = "", 0
        else:
            inside = "".join(child.itertext())
            text += inside
            if child.tag == "a" or child.find(".//a") is not None:
                linked += text_units(" ".join(inside.split()))
        text += child.tail or ""
    yield text, linked


def _is_new(line: str, linked: int, known: Collection[int]) -> bool:
    """True if *line*, with *linked* units in links, is a paragraph that is not *known*."""
    line = " ".join(line.split())
    return is_prose(line, text_units(line), linked) and text_key(line) not in known
