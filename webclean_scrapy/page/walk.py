"""One walk over lxml's tree: elements and texts as rows, and what stands before each text.

The hottest loop of the package, so it only collects: it goes over the elements in document order
and sees from their parents which ones have ended (a tenth of what ``iterwalk`` costs). What the
texts amount to is worked out afterwards, see `page.lines`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING

from lxml import etree

from webclean_scrapy.page.tags import BLOCK_TAGS
from webclean_scrapy.page.text import is_seen

if TYPE_CHECKING:
    from lxml.etree import _Element

TEXT = "#text"

SAME_LINE, NEW_LINE, NEW_PARAGRAPH = 0, 1, 2  # breaks before a text; two br make a paragraph
_LINK, _BREAK, _BLOCK, _PRE = 1, 2, 3, 4  # from _BLOCK on, both edges break the line
_KINDS = dict.fromkeys(BLOCK_TAGS, _BLOCK) | {"pre": _PRE, "br": _BREAK, "a": _LINK}


@dataclass(slots=True)
class Rows:
    """The rows of a page as columns. `PageTable` says what they mean."""

    tag: list[str] = field(default_factory=list)
    node: list[_Element] = field(default_factory=list)
    parent: list[int] = field(default_factory=list)
    end: list[int] = field(default_factory=list)
    links: list[int] = field(default_factory=list)  # rows of the a elements
    pres: list[int] = field(default_factory=list)  # rows of the pre elements
    # The texts: row, text with the white space before it, breaks before it, innermost block.
    texts: list[tuple[int, str, int, int]] = field(default_factory=list)

    def add_text(self, text: str, owner: _Element, parent: int, breaks: int, block: int) -> None:
        row = len(self.tag)
        self.tag.append(TEXT)
        self.node.append(owner)
        self.parent.append(parent)
        self.end.append(row + 1)
        self.texts.append((row, text, breaks, block))


def collect_rows(root: _Element) -> Rows:  # noqa: C901, PLR0912 - calls cost more than the work
    """Return the rows of the document under *root*, which is not changed. Cost: O(nodes)."""
    rows = Rows()
    tag, node, parent, end, add_text = rows.tag, rows.node, rows.parent, rows.end, rows.add_text
    path: list[_Element] = []  # the open elements
    kinds: list[int] = []  # what they are
    at, blocks = [-1], [0]  # their rows, and the rows of those that are blocks
    white, breaks, pres = "", NEW_PARAGRAPH, 0
    behind = etree.Element("behind")  # has no parent: ends all elements
    for element in chain(root.iter("*"), (behind,)):
        above = element.getparent()
        while path and path[-1] is not above:
            left = path.pop()
            end[at.pop()] = len(tag)
            kind = kinds.pop()
            if kind >= _BLOCK:
                white, breaks = "", NEW_PARAGRAPH
                pres -= kind == _PRE
                blocks.pop()
            if text := left.tail:
                if text.isspace():
                    white = white + text if pres else " "
                elif text.isprintable() or is_seen(text):
                    add_text(white + text, left, at[-1], breaks, blocks[-1])
                    white, breaks = "", SAME_LINE
        if element is behind:
            break
        name: str = element.tag  # type: ignore[assignment] # "*" gives elements only
        kind = _KINDS.get(name, 0)
        path.append(element)
        kinds.append(kind)
        parent.append(at[-1])
        at.append(len(tag))
        tag.append(name)
        node.append(element)
        end.append(0)
        if kind == _LINK:
            rows.links.append(at[-1])
        elif kind:
            white = ""
            breaks = breaks + 1 if kind == _BREAK else NEW_PARAGRAPH
            if kind >= _BLOCK:
                blocks.append(at[-1])
            if kind == _PRE:
                rows.pres.append(at[-1])
                pres += 1
        if text := element.text:
            if text.isspace():
                white = white + text if pres else " "
            elif name != "title" and (text.isprintable() or is_seen(text)):
                add_text(white + text, element, at[-1], breaks, blocks[-1])
                white, breaks = "", SAME_LINE
    return rows
