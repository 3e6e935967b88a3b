"""One walk over lxml's tree: elements and texts as rows, and what stands before each text.

The hottest loop of the package, so it only collects: it goes over the elements in document order
and detects from their parents which ones have ended (a tenth of the cost of ``iterwalk``). `lines`
works out afterwards how much text there is.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING

from lxml import etree

from webclean_scrapy.cleaning.page.tags import BLOCK_TAGS
from webclean_scrapy.cleaning.page.units import is_seen

if TYPE_CHECKING:
    from lxml.etree import _Element

TEXT = "#text"

SAME_LINE, NEW_LINE, NEW_PARAGRAPH = 0, 1, 2  # breaks before a text; two br make a paragraph
_UNSEEN, _LINK, _BREAK, _BLOCK, _PRE = 1, 2, 3, 4, 5  # from _BLOCK on, both edges break the line
_KINDS = (
    dict.fromkeys(BLOCK_TAGS, _BLOCK)
    | {"pre": _PRE, "br": _BREAK, "a": _LINK}
    | dict.fromkeys(("meta", "link"), _UNSEEN)  # a tenth of a page's elements, and no text in any
)


@dataclass(slots=True)
class WalkedRows:
    """The rows of a page as columns; `rows.PageRows` says what they mean."""

    tag: list[str] = field(default_factory=list)
    node: list[_Element] = field(default_factory=list)
    parent: list[int] = field(default_factory=list)
    end: list[int] = field(default_factory=list)
    links: list[int] = field(default_factory=list)  # rows of the a elements
    pres: list[int] = field(default_factory=list)  # rows of the pre elements
    # The texts: row, text with the white space before it, breaks before it, innermost block.
    texts: list[tuple[int, str, int, int]] = field(default_factory=list)


def collect_rows(root: _Element) -> WalkedRows:  # noqa: C901, PLR0912, PLR0915 - calls cost more than the work
    """Return the rows of the document under *root*, which is not changed. Cost: O(nodes)."""
    rows = WalkedRows()
    tag, node, parent, end, texts = rows.tag, rows.node, rows.parent, rows.end, rows.texts
    add_tag, add_node, add_parent, add_end = tag.append, node.append, parent.append, end.append
    inner: _Element | None = None  # the innermost open element, what it is and its row
    kind, here = 0, -1
    outer: list[tuple[_Element | None, int, int]] = []  # the same of those around it
    blocks = [0]  # rows of the open blocks
    white, breaks, pres = "", NEW_PARAGRAPH, 0
    row = 0  # the next
    behind = etree.Element("behind")  # has no parent: ends all elements
    for element in chain(root.iter("*"), (behind,)):
        above = element.getparent()
        while inner is not above:
            left: _Element = inner  # type: ignore[assignment] # above is None for the first only
            end[here] = row
            if kind >= _BLOCK:
                white, breaks = "", NEW_PARAGRAPH
                pres -= kind == _PRE
                blocks.pop()
            inner, kind, here = outer.pop()
            if text := left.tail:
                if text.isspace():
                    white = white + text if pres else " "
                elif text.isprintable() or is_seen(text):
                    texts.append((row, white + text, breaks, blocks[-1]))
                    add_tag(TEXT)
                    add_node(left)
                    add_parent(here)
                    row += 1
                    add_end(row)
                    white, breaks = "", SAME_LINE
        if element is behind:
            break
        outer.append((inner, kind, here))
        inner = element
        name: str = element.tag  # type: ignore[assignment] # "*" gives elements only
        kind = _KINDS.get(name, 0)
        if kind == _UNSEEN:
            continue  # without a row; what stands behind it belongs to the element above
        add_tag(name)
        add_node(element)
        add_parent(here)
        add_end(0)
        here = row
        row += 1
        if kind == _LINK:
            rows.links.append(here)
        elif kind:
            white = ""
            breaks = breaks + 1 if kind == _BREAK else NEW_PARAGRAPH
            if kind >= _BLOCK:
                blocks.append(here)
            if kind == _PRE:
                rows.pres.append(here)
                pres += 1
        if text := element.text:
            if text.isspace():
                white = white + text if pres else " "
            elif name != "title" and (text.isprintable() or is_seen(text)):
                texts.append((row, white + text, breaks, blocks[-1]))
                add_tag(TEXT)
                add_node(element)
                add_parent(here)
                row += 1
                add_end(row)
                white, breaks = "", SAME_LINE
    return rows
