"""One walk over lxml's tree: elements and texts as rows, and what stands before each text.

The hottest loop of the package, so it only collects: it goes over the elements in document order
and detects from their parents which ones have ended (a tenth of the cost of ``iterwalk``). `lines`
works out afterwards how much text there is.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from lxml import etree

from webclean_scrapy.cleaning.page.tags import BLOCK_TAGS
from webclean_scrapy.cleaning.page.units import is_seen

if TYPE_CHECKING:
    from lxml.etree import _Element

TEXT = "#text"

SAME_LINE, NEW_LINE, NEW_PARAGRAPH = 0, 1, 2  # breaks before a text; two br make a paragraph
_UNSEEN, _BREAK, _BLOCK, _PRE = 1, 2, 3, 4  # from _BLOCK on, both edges break the line
_KINDS = (
    dict.fromkeys(BLOCK_TAGS, _BLOCK)
    | {"pre": _PRE, "br": _BREAK}
    | dict.fromkeys(("meta", "link"), _UNSEEN)  # a tenth of a page's elements, and no text in any
)


@dataclass(slots=True)
class WalkedRows:
    """The rows of a page as columns; `rows.PageRows` says what they mean."""

    tag: list[str]
    node: list[_Element]
    parent: list[int]
    end: list[int]
    # The texts: row, text with the white space before it, breaks before it, innermost block.
    texts: list[tuple[int, str, int, int]]


class _Texts:
    """The texts that were met, and what stands between the last one and the next."""

    __slots__ = ("blocks", "breaks", "met", "pres", "white")

    def __init__(self) -> None:
        self.met: list[tuple[int, str, int, int]] = []  # as `WalkedRows.texts`
        self.blocks = [0]  # rows of the open blocks
        self.pres = 0  # how many of them are pre
        self.white, self.breaks = "", NEW_PARAGRAPH

    def begin(self, kind: int, row: int) -> None:
        """Take the begin of a block or a ``br``."""
        self.white = ""
        self.breaks = self.breaks + 1 if kind == _BREAK else NEW_PARAGRAPH
        if kind >= _BLOCK:
            self.blocks.append(row)
            self.pres += kind == _PRE

    def end(self, kind: int) -> None:
        """Take the end of a block."""
        self.white, self.breaks = "", NEW_PARAGRAPH
        self.pres -= kind == _PRE
        self.blocks.pop()

    def take(self, text: str, row: int) -> bool:
        """Return whether *text* gets the row *row*; white space waits for the text after it."""
        if text.isspace():
            self.white = self.white + text if self.pres else " "
            return False
        if not (text.isprintable() or is_seen(text)):
            return False
        self.met.append((row, self.white + text, self.breaks, self.blocks[-1]))
        self.white, self.breaks = "", SAME_LINE
        return True


def collect_rows(root: _Element) -> WalkedRows:
    """Return the rows of the document under *root*, which is not changed. Cost: O(nodes)."""
    rows: list[tuple[str, _Element, int]] = []  # tag, node, parent
    ends: list[tuple[int, int]] = []  # row of an element and the first one after it
    outer: list[tuple[_Element | None, int, int]] = []  # elements around the innermost open one
    inner: _Element | None = None  # the innermost open element, its kind and its row
    kind, here, texts = 0, -1, _Texts()
    after = etree.Element("after")  # has no parent: ends all elements
    for element in chain(root.iter("*"), (after,)):
        above = element.getparent()
        while inner is not above:
            left: _Element = inner  # type: ignore[assignment] # above is None for the first only
            ends.append((here, len(rows)))
            if kind >= _BLOCK:
                texts.end(kind)
            inner, kind, here = outer.pop()
            if (text := left.tail) and texts.take(text, len(rows)):
                rows.append((TEXT, left, here))
        if element is after:
            break
        outer.append((inner, kind, here))
        inner, name = element, str(element.tag)
        kind = _KINDS.get(name, 0)
        if kind == _UNSEEN:
            continue  # without a row; the text after it belongs to the element above
        rows.append((name, element, here))
        here = len(rows) - 1
        if kind:
            texts.begin(kind, here)
        text = element.text
        if text and (name != "title" or text.isspace()) and texts.take(text, len(rows)):
            rows.append((TEXT, element, here))
    return _as_columns(rows, ends, texts.met)


def _as_columns(
    rows: list[tuple[str, _Element, int]],
    ends: list[tuple[int, int]],
    texts: list[tuple[int, str, int, int]],
) -> WalkedRows:
    tag, node, parent = map(list, zip(*rows, strict=True))
    end = list(range(1, len(rows) + 1))  # of a text
    for row, stop in ends:
        end[row] = stop
    return WalkedRows(tag, node, parent, end, texts)
