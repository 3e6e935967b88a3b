"""A page as one table of nodes: the ground every method walks on.

The "feature tree" (CTree) of Song, Zhi, Zhou, Luo, An: "LCS-based feature tree maximum similarity
matching for web page denoising", Video Engineering 2011(13), as document-ordered arrays with the
prefix sums that Chen, Chen, Wu: "Main text extraction by information decay amplitude" (2012)
needs: TextLength, LinksLength and Lc in O(1).

Rows are elements and text nodes. The subtree of row ``i`` is ``[i, end[i])``. Text rows are also
gathered into *lines*: a line is what a reader sees between two breaks (a block's edge or ``br``).
Stages decide over lines and subtrees and return rows; nobody changes the table or the lxml tree.

Deviation: geometry is not part of the table (see ``page.layout``).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING

from lxml import etree

from webclean_scrapy.page.tags import BLOCK_TAGS, DROPPED_TAGS

if TYPE_CHECKING:
    from lxml.etree import _Element

TEXT = "#text"

# UTF-8 writes CJK, kana and hangul as 3 bytes: the published weight of 3 units comes for free.
# Lead bytes of 2-byte characters (Latin with marks, Greek, Cyrillic, Arabic) are taken off again.
_TWO_BYTE_LEADS = bytes(range(0xC2, 0xE0))
_SENTENCE = re.compile(r"[.!?。！？…][\s\"'”’」』)）]*(?:\s|$)|[。！？；]")
_MAX_LINK_UNITS = 200
_MIN_SENTENCE_UNITS = 80


def text_units(text: str) -> int:
    """Return the length of *text* in units: a character is 1, a CJK, kana or hangul one 3.

    >>> text_units("naïve"), text_units("正文")
    (5, 6)
    """
    if text.isascii():
        return len(text)
    return len(text.encode("utf-8", "surrogatepass").translate(None, _TWO_BYTE_LEADS))


@dataclass(slots=True)
class Lines:
    """The lines of a page, as parallel lists in document order."""

    first: list[int] = field(default_factory=list)  # first text row
    last: list[int] = field(default_factory=list)  # last text row, inclusive
    container: list[int] = field(default_factory=list)  # row of the innermost block element
    paragraph: list[int] = field(default_factory=list)  # number of the paragraph it is part of
    units: list[int] = field(default_factory=list)
    link_units: list[int] = field(default_factory=list)
    text: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.first)


@dataclass(slots=True)
class PageTable:
    """One page. All row lists have one entry per row; the prefix sums have one more."""

    tag: list[str]  # lower case; TEXT for text rows
    node: list[_Element]  # of a text row: the element that owns the text
    parent: list[int]  # -1 for the root
    end: list[int]  # first row behind the subtree
    depth: list[int]
    text: list[str]  # text rows only; white space collapsed, an outer blank kept
    link: list[bool]  # inside a link
    classes: list[str]  # class attribute, lower case
    ident: list[str]  # id attribute, lower case
    lines: Lines
    line_of: list[int]  # lines that begin before the row; n + 1 entries
    text_before: list[int]  # units before the row
    link_before: list[int]  # units inside links before the row

    def __len__(self) -> int:
        return len(self.tag)

    def text_length(self, row: int) -> int:
        """Return the text of the subtree, in units."""
        return self.text_before[self.end[row]] - self.text_before[row]

    def link_length(self, row: int) -> int:
        """Return the text inside links of the subtree, in units."""
        return self.link_before[self.end[row]] - self.link_before[row]

    def plain_length(self, row: int) -> int:
        """Return Lc of the papers: text of the subtree outside links, in units."""
        return self.text_length(row) - self.link_length(row)

    def children(self, row: int) -> list[int]:
        """Return the child rows, in document order."""
        found = []
        child, stop = row + 1, self.end[row]
        while child < stop:
            found.append(child)
            child = self.end[child]
        return found

    def lines_in(self, row: int) -> range:
        """Return the numbers of the lines inside the subtree."""
        return range(self.line_of[row], self.line_of[self.end[row]])

    def ancestors(self, row: int) -> list[int]:
        """Return the rows above *row*, nearest first."""
        found = []
        row = self.parent[row]
        while row >= 0:
            found.append(row)
            row = self.parent[row]
        return found


def build_table(root: _Element) -> PageTable:
    """Return the table of the tree under *root*; *root* loses the subtrees that are dropped.

    The caller's own tree must be a copy: scripts and the like are stripped from it. Cost: one walk.
    """
    etree.strip_elements(root, *DROPPED_TAGS, with_tail=False)
    builder = _Builder()
    builder.walk(root)
    return builder.finish()


class _Builder:
    """Fills the row lists in one walk over the start and end events of the tree."""

    def __init__(self) -> None:
        self.tag: list[str] = []
        self.node: list[_Element] = []
        self.parent: list[int] = []
        self.end: list[int] = []
        self.depth: list[int] = []
        self.text: list[str] = []
        self.link: list[bool] = []
        self.classes: list[str] = []
        self.ident: list[str] = []
        self.units: list[int] = []
        self.lines = Lines()
        self.pieces: list[list[str]] = []  # texts of each line
        self.new_line: list[int] = []  # 1 where a row begins a line

    def walk(self, root: _Element) -> None:  # noqa: C901, PLR0912, PLR0915 - hot loop, inlined
        tag, node, parent, end, depth = self.tag, self.node, self.parent, self.end, self.depth
        text, link, classes, ident, units = (
            self.text, self.link, self.classes, self.ident, self.units,
        )  # fmt: skip
        new_line, lines, pieces = self.new_line, self.lines, self.pieces
        block_tags = BLOCK_TAGS
        stack: list[int] = [-1]
        blocks: list[int] = [-1]
        links: list[int] = []
        in_line = in_pre = False
        blank = False  # white space seen since the last text row of this line
        breaks = 2  # breaks since the last text: two or more begin a paragraph
        paragraph = -1
        head = None
        for event, element in etree.iterwalk(root, events=("start", "end")):
            name = element.tag
            if event == "start":
                row = len(tag)
                if not isinstance(name, str):  # an entity or instruction that the parser kept
                    name = "#other"
                tag.append(name)
                node.append(element)
                parent.append(stack[-1])
                end.append(0)
                depth.append(len(stack) - 1)
                text.append("")
                link.append(bool(links))
                attribute = element.get("class")
                classes.append(attribute.lower() if attribute else "")
                attribute = element.get("id")
                ident.append(attribute.lower() if attribute else "")
                units.append(0)
                new_line.append(0)
                stack.append(row)
                if name in block_tags:
                    in_line, breaks = False, 2
                    blocks.append(row)
                    if name == "pre":
                        in_pre = True
                elif name == "br":
                    in_line = False
                    breaks += 1
                elif name == "a":
                    links.append(row)
                elif name == "head" and head is None:
                    head = row
                piece = element.text
            else:
                row = stack.pop()
                end[row] = len(tag)
                if name in block_tags:
                    in_line, breaks = False, 2
                    blocks.pop()
                    if name == "pre":
                        in_pre = False
                elif name == "a":
                    links.pop()
                    if any(units[row:]) and not self._is_link(row):
                        link[row:] = [False] * (len(link) - row)
                elif name == "head" and row == head:
                    self._forget(row)
                    in_line, breaks = False, 2
                piece = element.tail
            if not piece:
                continue
            words = piece.split()
            if not words:
                blank = blank or in_line
                continue
            if in_pre:
                piece = piece.strip("\n") + "\n"
            else:
                piece = " ".join(words) if len(words) > 1 else words[0]
            if not in_line:
                if breaks > 1:
                    paragraph += 1
                lines.first.append(len(tag))
                lines.last.append(len(tag))
                lines.container.append(blocks[-1])
                lines.paragraph.append(paragraph)
                pieces.append([piece])
                new_line.append(1)
            else:
                raw = element.text if event == "start" else element.tail
                lines.last[-1] = len(tag)
                pieces[-1].append(" " + piece if blank or raw[0].isspace() else piece)  # type: ignore[index]
                new_line.append(0)
            in_line, breaks = True, 0
            raw = element.text if event == "start" else element.tail
            blank = raw[-1].isspace()  # type: ignore[index]
            tag.append(TEXT)
            node.append(element)
            parent.append(stack[-1])
            end.append(len(tag))
            depth.append(len(stack) - 1)
            text.append(pieces[-1][-1])
            link.append(bool(links))
            classes.append("")
            ident.append("")
            units.append(text_units(piece))

    def _forget(self, row: int) -> None:
        """Drop the text rows of ``head``: its title is metadata, no text of the page."""
        for at in range(row, len(self.tag)):
            self.text[at], self.units[at] = "", 0
        lines = self.lines
        while lines.first and lines.first[-1] > row:
            self.new_line[lines.first[-1]] = 0
            for column in (lines.first, lines.last, lines.container, lines.paragraph, self.pieces):
                column.pop()

    def _is_link(self, row: int) -> bool:
        """Whether the ``a`` at *row* that just closed is a link, and not one left open.

        An unclosed ``a`` turns the rest of the page into link text: it holds several sentences in
        blocks of their own. A card (picture, headline, teaser) is a link.
        """
        if sum(self.units[row:]) <= _MAX_LINK_UNITS:
            return True
        first = len(self.lines)
        while first and self.lines.first[first - 1] >= row:
            first -= 1
        long = 0
        count = len(self.lines) - first
        for pieces in self.pieces[first:]:
            line = "".join(pieces)
            long += text_units(line) >= _MIN_SENTENCE_UNITS and bool(_SENTENCE.search(line))
        return not (long >= 2 or (long and count <= 1))

    def finish(self) -> PageTable:
        lines, link = self.lines, self.link
        linked = [size if inside else 0 for size, inside in zip(self.units, link, strict=True)]
        text_before = [0, *accumulate(self.units)]
        link_before = [0, *accumulate(linked)]
        lines.text = [pieces[0] if len(pieces) == 1 else "".join(pieces) for pieces in self.pieces]
        for first, last in zip(lines.first, lines.last, strict=True):
            lines.units.append(text_before[last + 1] - text_before[first])
            lines.link_units.append(link_before[last + 1] - link_before[first])
        return PageTable(
            tag=self.tag, node=self.node, parent=self.parent, end=self.end, depth=self.depth,
            text=self.text, link=link, classes=self.classes, ident=self.ident, lines=lines,
            line_of=[0, *accumulate(self.new_line)], text_before=text_before,
            link_before=link_before,
        )  # fmt: skip
