"""Mends markup that hides text of a page, or writes it twice, before the page is measured.

Questions of accordions are buttons;
headings have a link to themselves, footnotes one back to the text; pictures that are loaded late
are in a ``noscript``, and parts of a page are sent behind it. What a reader gets of each is left.
"""

from __future__ import annotations

import re
from itertools import chain, islice
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.page.formulas import mend_formula
from webclean_scrapy.cleaning.page.listings import find_listing, mend_listing
from webclean_scrapy.cleaning.page.tags import BLOCK_TAGS, DROPPED, HEADING_TAGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lxml.etree import _Element

EMBEDDED = "embedded"  # what a frame or a player becomes: without content, with its attributes
NOTE = "footnote-no-"  # begins the id of a footnote; an attribute of what refers to it: the id
NOTE_ID = re.compile(rf"{NOTE}([0-9]{{1,6}})")
_PLAYERS = frozenset({"audio", "iframe", "video"})
_LISTINGS = frozenset({"code", "ol", "table"})  # what may be one
_FORMULAS = frozenset({"annotation", "math", "script"})
_LOOKED_AT = (
    "button", "noscript", "pre", *_FORMULAS, *_LISTINGS, *_PLAYERS, *HEADING_TAGS
)  # fmt: skip
_MOST_TEXTS = 1_000
_HIDDEN = re.compile(r"display\s*:\s*none")
_MOST_JUMPS, _NOTE_ELEMENTS, _LONGEST_MARK = 20, 100, 6  # in a place; in a note; characters
_PERMALINK = re.compile(
    r"(?:^|[\s_-])(?:headerlink|perma-?link|anchor|hash-?link|direct-link)", re.IGNORECASE
)
#: React sends parts of a page later, and moves each to the ``template`` that holds its place.
_STREAMED = re.compile(r"""\$R([CS])\(["']([\w:-]{1,40})["'],\s?["']([\w:-]{1,40})["']""")
_MAX_STREAMED = 100


def mend(root: _Element) -> None:
    """Mend the tree under *root* in place. Cost: O(elements)."""
    moves: list[tuple[str, str, str]] = []
    for element in list(root.iter(*_LOOKED_AT)):
        tag = element.tag
        if tag in HEADING_TAGS:
            _drop_permalinks(element)
        elif tag == "pre":
            mend_listing(element)
        elif tag in _LISTINGS:
            find_listing(element)
        elif tag == "button":
            if _is_heading(element):
                element.tag = "span"
        elif tag in _PLAYERS:
            _empty_player(element)
        elif tag == "noscript":
            _show_picture(element)
        elif tag in _FORMULAS:
            mend_formula(element)
            if tag == "script":
                moves += _STREAMED.findall(element.text or "")
    if moves:
        _move_parts(root, islice(moves, _MAX_STREAMED))
    _join_notes(root)


def _move_parts(root: _Element, moves: Iterable[tuple[str, str, str]]) -> None:
    """Put what was sent later where the page shows it."""
    named = {name: one for one in root.iter("*") if (name := one.get("id"))}
    for kind, *names in moves:
        place, part = map(named.get, names if kind == "C" else reversed(names))
        if place is None or part is None or place.tag != DROPPED or part in place.iterancestors():
            continue
        place.tag, place.text, part.text = "div", part.text, None
        place.extend(part)


def _empty_player(player: _Element) -> None:
    """Leave of a frame or a player its address; nothing if it is hidden or runs by itself."""
    if "src" not in player.attrib and (source := player.find("source")) is not None:
        player.set("src", source.get("src", ""))
    if not _HIDDEN.search(player.get("style", "")) and "autoplay" not in player.attrib:
        del player[:]
        player.tag, player.text = EMBEDDED, None


def _show_picture(noscript: _Element) -> None:
    """Give the picture in *noscript* to the one that a script puts in its place."""
    shown = next(noscript.iter("img"), None)
    for late in (noscript.getprevious(), noscript.getnext()):
        for name in ("src", "srcset"):
            if late is not None and late.tag == "img" and shown is not None:
                late.set(f"data-noscript-{name}", shown.get(name, ""))


def _join_notes(root: _Element) -> None:
    """Number the footnotes and what refers to them; drop their links back. Cost: O(links).

    A footnote is known by a link to it and a link in it, each of which leads to the other.
    """
    links = ((link, link.get("href", "").partition("#")) for link in root.iter("a"))
    jumps = [(link, to) for link, (_, is_jump, to) in links if is_jump]
    inside: dict[str, list[tuple[_Element, int]]] = {}
    for at, (link, _) in enumerate(jumps):
        for name, place in _places(link, 5):
            inside.setdefault(name, []).append((place, at))
    numbers: dict[str, int] = {}
    for at, (link, to) in enumerate(jumps):
        if to in inside and len(_text_of(link)) <= _LONGEST_MARK:
            names = {name for name, _ in _places(link, 2)}
            for place, other in islice(inside[to], _MOST_JUMPS):
                back, behind = jumps[other]
                if other > at and behind in names and (note := _note_of(place)) is not None:
                    number = numbers.setdefault(to, len(numbers) + 1)
                    link.set(NOTE, f"{NOTE}{number}")
                    note.set("id", f"{NOTE}{number}")
                    back.tag = DROPPED


def _places(link: _Element, levels: int) -> Iterator[tuple[str, _Element]]:
    """Yield the names of a link and of the elements around it, with the element."""
    for element in chain((link,), islice(link.iterancestors(), levels)):
        if name := element.get("id") or element.get("name"):
            yield name, element


def _note_of(place: _Element) -> _Element | None:
    """Return the block that is the footnote at *place*; None if there is none."""
    block = next(one for one in chain((place,), place.iterancestors()) if one.tag in BLOCK_TAGS)
    inner = list(islice(block.iter(), _NOTE_ELEMENTS))
    if len(inner) == _NOTE_ELEMENTS or any(one.tag in HEADING_TAGS for one in inner):
        return None
    return next((one for one in inner if one.tag in {"dd", "li", "p"}), None)


def _is_heading(button: _Element) -> bool:
    """True if a button is a heading, or the heading is in it."""
    near = chain(islice(button.iterancestors(), 2), islice(button.iter("*"), _MOST_TEXTS))
    return any(one.tag in HEADING_TAGS for one in near)


def _drop_permalinks(heading: _Element) -> None:
    """Drop the links of a heading to itself."""
    whole = _text_of(heading)
    for link in heading.iter("a"):
        if "#" not in (link.get("href") or ""):
            continue
        shown = _text_of(link)
        is_sign = len(shown) < 3 and not any(map(str.isalnum, shown))
        is_named = is_sign or _PERMALINK.search(link.get("class") or "")
        if is_named and shown != whole:
            link.tag = DROPPED


def _text_of(element: _Element) -> str:
    """Return the text of an element, or how a long one begins: many may be in each other."""
    return "".join(islice(element.itertext(), _MOST_TEXTS)).strip()
