"""The source of a page with fewer levels of nested elements, its text in the same lines.

libxml2 holds 2,048 levels and loses the rest of a page that has more; browsers put what is deeper
than some 500 on one level. Here the levels in the middle are left out: those that enclose very many
others and lie within very many others. The outermost keep the parts of the page apart, and the
innermost have its text.

Which element ends where is told as libxml2 does it, for the tags that matter. Every step is linear:
an end tag is matched with its element by the names and ranks that are open, not by a search.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import NamedTuple

from webclean_scrapy.cleaning.page.tags import BLOCK_TAGS

OUTER_LEVELS = 100  # that are kept; ordinary pages have fewer
INNER_LEVELS = 400

_TAG = re.compile(rb"<(/?)([a-zA-Z][^\s<>/]*)[^<>]*>?")
_VOID = frozenset(
    b"area base br col embed frame hr img input link meta param source track wbr".split()
)
_VERBATIM = frozenset(b"iframe noframes script style textarea title xmp".split())  # no tags in them
_KEPT = frozenset((b"html", b"head", b"body"))
_BLOCKS = frozenset(tag.encode() for tag in BLOCK_TAGS)
#: An element is ended by the start of these, if it is the innermost one.
_ENDED_BY = {
    b"p": _BLOCKS,
    b"li": frozenset((b"li",)),
    b"dt": frozenset((b"dt", b"dd")),
    b"dd": frozenset((b"dt", b"dd")),
    b"td": frozenset((b"td", b"th", b"tr", b"tbody", b"tfoot")),
    b"th": frozenset((b"td", b"th", b"tr", b"tbody", b"tfoot")),
    b"tr": frozenset((b"tr", b"tbody", b"tfoot")),
    b"option": frozenset((b"option", b"optgroup")),
    b"head": _BLOCKS - _KEPT | {b"body"},
}
#: An end tag ends no element of a higher rank than its own.
_RANKS = {
    b"div": 1, b"td": 2, b"th": 2, b"tr": 3, b"thead": 4, b"tbody": 4, b"tfoot": 4,
    b"table": 5, b"head": 6, b"body": 6, b"html": 7,
}  # fmt: skip


class _Element(NamedTuple):
    """An open element."""

    name: bytes
    start: int  # of its start tag
    stop: int


def flatten(html: bytes, outer: int = OUTER_LEVELS, inner: int = INNER_LEVELS) -> bytes:
    """Return *html* with at most about *outer* + *inner* levels. Cost: linear, 2 us a tag.

    *html* has no scripts and no angle brackets in attributes, as `without_scripts` gives it.

    >>> flatten(b"<div><div><div><i><p>a</p></i></div></div></div>", outer=1, inner=2)
    b'<div><br><i><p>a</p></i><br></div>'
    """
    nesting = _Nesting(outer, inner)
    at = 0
    while match := _TAG.search(html, at):
        at = match.end()
        name = match[2].lower()
        if match[1]:
            nesting.end(name, match.span())
            continue
        if name in _VERBATIM:
            at = nesting.behind(name, html, at)
        elif name not in _VOID:
            nesting.start(_Element(name, *match.span()))
    nesting.end_all()
    return _without(html, sorted(nesting.dropped))


def _without(html: bytes, spans: list[tuple[int, int, bool]]) -> bytes:
    """Return *html* without *spans*; one line break for blocks that stood beside each other."""
    out: list[bytes] = []
    done, broken = 0, False
    for start, stop, is_block in spans:
        between = html[done:start]
        broken = broken and not between.strip()
        out.append(between)
        if is_block and not broken:
            out.append(b"<br>")
            broken = True
        done = stop
    out.append(html[done:])
    return b"".join(out)


class _Nesting:
    """The open elements of a page, and the tags of those that are left out."""

    def __init__(self, outer: int, inner: int) -> None:
        self.dropped: list[tuple[int, int, bool]] = []  # start, stop, whether of a block
        self._outer, self._inner = outer, inner
        self._open: list[_Element] = []
        self._heights: list[int] = []  # of the open ones: levels inside
        self._places: dict[object, list[int]] = defaultdict(list)  # by name, and by rank
        self._endless: set[bytes] = set()

    def start(self, element: _Element) -> None:
        """Open an element; it ends what its start tag ends."""
        while self._open and element.name in _ENDED_BY.get(self._open[-1].name, ()):
            self._pop(None)
        for key in (element.name, _RANKS.get(element.name)):
            if key is not None:
                self._places[key].append(len(self._open))
        self._open.append(element)
        self._heights.append(0)

    def end(self, name: bytes, span: tuple[int, int]) -> None:
        """End the innermost element with this name, and all in it."""
        places = self._places.get(name)
        if not places:
            return
        last, rank = places[-1], _RANKS.get(name, 0)
        if any((above := self._places[r]) and above[-1] > last for r in range(rank + 1, 8)):
            return
        while len(self._open) > last + 1:
            self._pop(None)
        self._pop(span)

    def end_all(self) -> None:
        """End all that are open at the end of the page."""
        while self._open:
            self._pop(None)

    def behind(self, name: bytes, html: bytes, at: int) -> int:
        """Return where the element without tags in it ends that begins at *at*."""
        if name in self._endless:
            return at
        match = re.compile(rb"</" + name + rb"(?=[\s/>])", re.IGNORECASE).search(html, at)
        if match is None:
            self._endless.add(name)
            return at
        return match.end()

    def _pop(self, end_tag: tuple[int, int] | None) -> None:
        element, height = self._open.pop(), self._heights.pop()
        for key in (element.name, _RANKS.get(element.name)):
            if key is not None:
                self._places[key].pop()
        if self._heights:
            self._heights[-1] = max(self._heights[-1], height + 1)
        is_inside = len(self._open) >= self._outer and height >= self._inner
        if is_inside and element.name not in _KEPT:
            is_block = element.name in _BLOCKS
            self.dropped.append((element.start, element.stop, is_block))
            if end_tag:
                self.dropped.append((*end_tag, is_block))
