"""Normalise footnotes: the same number for note and references, no link back.

A footnote and its reference link to each other, or their attributes declare them (EPUB, ARIA). A
note in the margin is written in the middle of its sentence: it becomes a footnote below the
paragraph.
"""

from __future__ import annotations

import re
from itertools import chain, islice
from typing import TYPE_CHECKING

from lxml import etree

from webclean_scrapy.cleaning.page.tags import BLOCK_TAGS, DROPPED, HEADING_TAGS
from webclean_scrapy.cleaning.page.units import text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element

    from webclean_scrapy.cleaning.page.walk import Elements

    Notes = dict[_Element, _Element]

NOTE = "footnote-no-"  # begins the id of a footnote in clean HTML
NOTE_ID = re.compile(rf"{NOTE}([0-9]{{1,6}})")
_MARGIN = re.compile(
    r"(?:^|[\s_-])(?:side|margin|d-foot)-?note(?=\s|$)|footnote[-_]{1,2}(?:note|text)|ltx_note_outer",
    re.IGNORECASE,
)
_MARGINS = ("d-footnote", "label", "small", "sup")  # in front of a note in the margin, or one
_NO_NOTES = frozenset({"label", "input", "sup"})
_DECLARED = re.compile(r"(?:^|\s)(?:doc-)?(?:note|foot|end|rear)(?:ref|notes?)(?=\s|$)")
_MOST_JUMPS, _NOTE_ELEMENTS, _LONGEST_MARK = 20, 100, 6  # in a place; in a note; characters
_NAMED_LEVELS = 2  # of a link and what is around it, before which an empty element may name it
_OPENING, _CLOSING = frozenset("([（【"), frozenset(")]）】")
_BACK_SIGNS = "^↑ \xa0"


def mend_notes(elements: Elements) -> Notes:
    """Return the footnote of each link that refers to one, without links back. Cost: O(links)."""
    notes: Notes = {}
    last: Notes = {}  # the last one below a block
    for element in elements.tagged(*_MARGINS):
        _move_below(element, notes, last)
    jumps = [
        (link, to)
        for link in elements.tagged("a")
        if "#" in (href := link.get("href", "")) and link.tag == "a"
        if (to := href.partition("#")[2])
    ]
    if jumps:
        _join_notes(elements.root, jumps, notes)
    return notes


def _move_below(element: _Element, notes: Notes, last: Notes) -> None:
    """Move a margin note below its paragraph, if *element* is one, or its label."""
    behind = [] if element.tag in {"d-footnote", "small"} else islice(element.itersiblings(), 2)
    note = next((one for one in (element, *behind) if one.tag not in _NO_NOTES), None)
    if note is None or not _MARGIN.search(note.get("class") or str(note.tag)):
        return
    block = next((one for one in note.iterancestors() if one.tag in BLOCK_TAGS), None)
    if block is None or block.getparent() is None or note.tag in BLOCK_TAGS:
        return
    below = etree.Element("p")
    below.text = note.text
    below.extend(list(note))
    mark = text_of(element)
    for again in (one for one in islice(below.iter("sup", "span"), 4) if text_of(one) == mark):
        again.tag = DROPPED
    last.get(block, block).addnext(below)
    last[block] = notes[element] = below
    note.tag, note.text = DROPPED, None
    element.attrib.clear()
    del element[:]
    element.tag, element.text = "a", f"[{len(notes)}]"


def _join_notes(root: _Element, jumps: list[tuple[_Element, str]], notes: Notes) -> None:
    inside: dict[str, list[tuple[_Element, int]]] = {}
    for number, (link, _) in enumerate(jumps):
        for name, place in _places(link, 5):
            inside.setdefault(name, []).append((place, number))
    declared = _declared_notes(root, jumps)
    backs: list[_Element] = []
    for number, (link, to) in enumerate(jumps):
        if len(text_of(link)) > _LONGEST_MARK or not (to in inside or to in declared):
            continue
        names = {name for name, _ in _places(link, 2)}
        around = {link, *islice(link.iterancestors(), 7)}  # a note does not refer to itself
        pairs = [
            (place, jumps[other][0])
            for place, other in islice(inside.get(to, ()), _MOST_JUMPS)
            if other > number and jumps[other][1] in names and place not in around
        ]
        if not pairs and to in declared:
            pairs = [(declared[to], one) for one in _links_back(declared[to])][:1]
            pairs = pairs or [(declared[to], etree.Element("a"))]
        for place, back in pairs:
            if (note := _note_of(place)) is not None:
                notes[link] = note
                _drop_brackets(link)
                mark = text_of(link) if text_of(link)[0] in _OPENING else ""
                note.text = (note.text or "").lstrip(_BACK_SIGNS).removeprefix(mark) or None
                backs.append(back)
                if len(note) and note[0] is back:
                    back.tail = (back.tail or "").lstrip(".) ")
    for back in backs:
        drop_link(back)


def _declared_notes(root: _Element, jumps: list[tuple[_Element, str]]) -> dict[str, _Element]:
    keys = ("role", "epub:type", "data-type")
    wanted = {to for link, to in jumps if any(_DECLARED.search(link.get(key, "")) for key in keys)}
    named = root.iter("*") if wanted else ()
    return {name: note for note in named if (name := note.get("id", "")) in wanted}


def _links_back(note: _Element) -> Iterator[_Element]:
    """Yield links of a note back to its reference: declared, or with only a sign as text."""
    for link in islice(note.iter("a"), _MOST_JUMPS):
        is_sign = not any(map(str.isalnum, text_of(link)))
        if link.get("role") == "doc-backlink" or (is_sign and link.get("href", "")[:1] == "#"):
            yield link


def _places(link: _Element, levels: int) -> Iterator[tuple[str, _Element]]:
    """Yield the names of a link and of the elements around it, each with its element.

    An empty element in front of one is a name of it.
    """
    for level, element in enumerate(chain((link,), islice(link.iterancestors(), levels))):
        if name := element.get("id") or element.get("name"):
            yield name, element
        before = element.getprevious() if level < _NAMED_LEVELS else None
        if before is not None and not len(before) and not before.text and before.get("id"):
            yield before.get("id", ""), element


def _note_of(place: _Element) -> _Element | None:
    above = chain((place,), place.iterancestors())
    block = next((one for one in above if one.tag in BLOCK_TAGS), None)
    if block is not None and block.tag == "dt":  # it holds the number
        block = block.getnext()
    if block is None:  # of an element that is not shown
        return None
    inner = list(islice(block.iter("*"), _NOTE_ELEMENTS))
    if len(inner) == _NOTE_ELEMENTS or any(one.tag in HEADING_TAGS for one in inner):
        return None
    note = next((one for one in inner if one.tag in {"dd", "li", "p"}), None)
    for around in islice(block.iterancestors("aside"), 1):  # beside the text are other texts
        around.tag = "div"
    if block.tag == "aside":
        block.tag = "p" if note is None else "div"
        note = block if note is None else note
    elif note is None and block.tag == "div":
        note = [one for one in inner if one.tag == "div"][-1]
        note.tag = "p"
    return note


def drop_link(link: _Element) -> None:
    """Remove a link, the wordless inline elements around it, and brackets around both."""
    link.tag, link.text = DROPPED, None
    del link[:]
    for above in list(islice(link.iterancestors(), 3)):
        if above.tag in BLOCK_TAGS or any(map(str.isalnum, text_of(above))):
            _drop_brackets(link)
            break
        above.tag = DROPPED
        link = above


def _drop_brackets(element: _Element) -> None:
    before, above = element.getprevious(), element.getparent()
    after = (element.tail or "").lstrip()
    owner, name = (above, "text") if before is None else (before, "tail")
    text = (getattr(owner, name) or "").rstrip()
    if text[-1:] in _OPENING and after[:1] in _CLOSING:
        setattr(owner, name, text[:-1])
        element.tail = after[1:]
