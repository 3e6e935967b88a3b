"""Write properly nested clean HTML, for elements in any order.

Blocks are written when the first text or picture in them comes, so none is empty. Inline elements
are written inside the innermost block: one that holds blocks (``a`` around paragraphs) is closed
before each and opened again in it.
Parts of a list or a table are in one or are unwrapped, and what a list or a table must not hold
gets an item or a cell of its own. Loose text becomes a ``p``, and so does each part of a text that
two line breaks divide.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from itertools import pairwise

from webclean_scrapy.cleaning.page.tags import HEADING_TAGS
from webclean_scrapy.cleaning.page.units import text_units

LISTS = frozenset({"ul", "ol"})
_TABLE_PARTS = frozenset({"table", "thead", "tbody", "tfoot"})
#: What the elements that are part of another must be in directly.
PARENTS = {
    "li": LISTS, "dt": {"dl"}, "dd": {"dl"}, "figcaption": {"figure"}, "caption": {"table"},
    "thead": {"table"}, "tbody": {"table"}, "tfoot": {"table"}, "tr": _TABLE_PARTS,
    "td": {"tr"}, "th": {"tr"},
}  # fmt: skip
#: What comes between these and anything that is not made for them.
_BETWEEN = dict.fromkeys(LISTS, "li") | dict.fromkeys(_TABLE_PARTS, "tr") | {"dl": "dd", "tr": "td"}
_NO_PARAGRAPHS = HEADING_TAGS | {"pre"}
_NO_BLOCKS = _NO_PARAGRAPHS | {"p"}  # hold no blocks
_ALIKE = {"b": "strong", "strong": "b", "i": "em", "em": "i", "s": "del", "del": "s"}
_NO_TEXT = frozenset({"blockquote", "figure"})  # text in them is put in a p
_NEVER = 1 << 60  # a row that no page has
_HEADING = re.compile("<h[1-6]>")
_TAG = re.compile("<[^<>]*>")
_PARAGRAPH = re.compile("<p>((?:[^<]|<(?!/?p>))*)</p>")
_BOLD = re.compile(r"<(b|strong)>((?:(?!</\1>).)*)</\1>", re.DOTALL)
#: In a line in bold that is no heading: a link, a break, a picture, or a mark at its end.
_NO_HEADING = re.compile(r"<(?:a |br>|img)|[.:?!…。：？！；，”](?:<[^<>]*>)*$")
_HEADING_UNITS, _LEAST_HEADINGS = 80, 2  # units of a line in bold at most; such lines


def with_headings(html: str) -> str:
    """Return clean *html* with bold lines as its headings, if it has no others.

    There must be several, each short, no sentence, and above a longer paragraph. Only of East Asian
    text, which is written in editors that offer bold and no headings. Cost: linear.
    """
    lines = html.count("</b></p>") + html.count("</strong></p>")
    if lines < _LEAST_HEADINGS or _HEADING.search(html):
        return html
    paragraphs = [(one, _TAG.sub("", one[1])) for one in _PARAGRAPH.finditer(html)]
    shown = [(one, text) for one, text in paragraphs if text]
    parts, done = list[str](), 0
    for (one, text), (behind, below) in pairwise([*shown, *shown[-1:]]):
        if (bold := _BOLD.fullmatch(one[1])) is None:
            continue
        is_heading = text_units(text) <= _HEADING_UNITS and not _NO_HEADING.search(bold[2])
        between = _TAG.sub("", html[one.end() : behind.start()])
        is_above = text_units(text) < text_units(below) and not _BOLD.fullmatch(behind[1])
        is_above &= 1.5 * len(below) < text_units(below)
        if not (is_heading and is_above) or between:
            return html
        parts += html[done : one.start()], f"<h2>{bold[2]}</h2>"
        done = one.end()
    return "".join([*parts, html[done:]]) if len(parts) >= 2 * _LEAST_HEADINGS else html


@dataclass(slots=True)
class _Open:
    name: str
    tag: str  # the start tag
    end: int  # first row behind it
    implied: bool = False  # not of the page, put in here
    filled: bool = False  # text or a picture is directly in it


class HtmlWriter:
    """Takes the parts of a page in document order and writes nested HTML."""

    def __init__(self) -> None:
        self._out: list[str] = []
        self._blocks: list[_Open] = []
        self._written = 0  # blocks whose start tag is written, from the outermost
        self._inlines: list[_Open] = []
        self.due = _NEVER  # no row before it ends anything
        self._shown = 0  # inline elements whose start tag is written
        self._link = ""  # the last one that was written
        self._edges: list[int] = []  # first rows behind the blocks that are not kept
        self._broken = False  # the edge of a block since the last text
        self._breaks = 0  # br since the last text

    def finish(self) -> str:
        """Close the open elements and return the HTML."""
        self.close_until(_NEVER)
        return "".join(self._out)

    def close_until(self, row: int) -> None:
        """Close the elements that end at or before *row*."""
        inlines = self._inlines
        while inlines and inlines[-1].end <= row:
            if len(inlines) == self._shown:
                self._out.append(f"</{inlines[-1].name}>")
                self._shown -= 1
            inlines.pop()
        while self._edges and self._edges[-1] <= row:
            self._edges.pop()
            self.break_line()
        while self._blocks and self._blocks[-1].end <= row:
            self._close_block()
        self.due = min(
            inlines[-1].end if inlines else _NEVER,
            self._edges[-1] if self._edges else _NEVER,
            self._blocks[-1].end if self._blocks else _NEVER,
        )

    def break_line(self) -> None:
        """Begin a new line, as at the edge of a block."""
        if self._shown:
            self._hide_inlines()
        self._broken, self._breaks = True, 0

    def _ends_at(self, row: int) -> int:
        self.due = min(self.due, row)
        return row

    def wrapper(self, end: int) -> None:
        """Begin a block element that is not part of the output."""
        self.break_line()
        self._edges.append(self._ends_at(end))

    def block(self, name: str, attributes: str, end: int, *, goes_on: bool = False) -> bool:
        """Begin a block; return False where it is not allowed and is unwrapped.

        With *goes_on* it is shown in the item before, if there is one.
        """
        self.break_line()
        if not self._make_room(name, goes_on=goes_on):
            self._edges.append(self._ends_at(end))
            return False
        self._blocks.append(_Open(name, f"<{name}{attributes}>", self._ends_at(end)))
        return True

    def empty_cell(self, name: str, attributes: str, end: int) -> None:
        """Write an empty cell, which keeps the others in their columns."""
        if self.block(name, attributes, end):
            self._write_blocks()

    def inline(self, name: str, attributes: str, end: int) -> None:
        """Begin an inline element; inside one that is shown alike it is left out."""
        for outer in self._inlines:
            if name in {outer.name, _ALIKE.get(outer.name)}:
                return
        self._inlines.append(_Open(name, f"<{name}{attributes}>", self._ends_at(end)))

    def line_break(self, breaks: int) -> None:
        """Note a ``br`` that counts as *breaks*; it is written if text follows in the block."""
        self._breaks += breaks

    def text(self, text: str) -> None:
        """Write *text*, preceded by a blank, or white space in ``pre``."""
        block = self._open_for_content()
        shown = text.lstrip()
        if len(shown) < len(text) and (block.filled or block.name == "pre"):
            self._out.append(text[: len(text) - len(shown)])  # outside the inline that begins here
        if self._inlines:
            if shown and shown[0].isalnum() and self._shown < len(self._inlines):
                self._rejoin_link()
            self._show_inlines()
        self._out.append(escape(shown, quote=False))
        block.filled = True

    def image(self, attributes: str, *, is_apart: bool) -> None:
        """Write a picture; *is_apart*: white space precedes it."""
        block = self._open_for_content(no_paragraph_in="figure")
        if is_apart and block.filled and block.name != "pre":  # where white space is text
            self._out.append(" ")
        self._show_inlines()
        self._out.append(f"<img{attributes}>")
        block.filled = True

    def _make_room(self, name: str, *, goes_on: bool) -> bool:
        """Close and open elements until a block *name* is allowed here; False if impossible."""
        parents = PARENTS.get(name)
        while self._blocks:
            top = self._blocks[-1]
            if parents is not None:
                if top.name in parents:
                    return True
                if not top.implied:
                    return False
                self._close_block()
            elif top.name in _NO_BLOCKS:
                if name == "p" and top.name != "p":
                    return False  # a paragraph in a heading is the heading
                self._close_block()
            elif goes_on and self._reopen_item(top):
                return True
            elif name in LISTS and top.name in LISTS:
                return False  # its items belong to the other list
            elif top.name in _BETWEEN:
                self._imply(_BETWEEN[top.name])
            else:
                return True
        return parents is None

    def _reopen_item(self, top: _Open) -> bool:
        """Go on with the last item behind it, or in the next one; False if none was the last."""
        unwritten = len(self._blocks) - self._written
        if unwritten != (top.name == "li") or self._out[-1:] != ["</li>"]:
            return False
        if not unwritten:
            self._blocks.append(_Open("li", "", top.end, implied=True))
        self._out.pop()
        self._written += 1
        self._blocks[-1].filled = True
        return True

    def _open_for_content(self, no_paragraph_in: str | None = None) -> _Open:
        while self._blocks and self._blocks[-1].name in _BETWEEN:
            self._imply(_BETWEEN[self._blocks[-1].name])
        top = self._blocks[-1] if self._blocks else None
        if top is None or (top.name in _NO_TEXT and top.name != no_paragraph_in):
            self._imply("p")
        elif top.filled and (self._broken or (self._breaks > 1 and top.name not in _NO_PARAGRAPHS)):
            self._begin_line(top.name)
        elif top.filled and self._breaks:
            self._out.append("<br>" * min(self._breaks, 2))
        if self._written < len(self._blocks):
            self._write_blocks()
        self._broken, self._breaks = False, 0
        return self._blocks[-1]

    def _begin_line(self, name: str) -> None:
        """Separate the next text from the one before in the innermost block, a *name*."""
        if name == "p":
            if not self._blocks[-1].implied:
                self._edges.append(self._blocks[-1].end)
            self._close_block()
        if name in HEADING_TAGS:
            self._out.append("<br>")
        elif name == "pre":
            self._out.append("\n")
        else:
            self._imply("p")

    def _imply(self, name: str) -> None:
        self._hide_inlines()
        end = self._blocks[-1].end if self._blocks else _NEVER
        self._blocks.append(_Open(name, f"<{name}>", end, implied=True))

    def _write_blocks(self) -> None:
        self._out += [block.tag for block in self._blocks[self._written :]]
        self._written = len(self._blocks)

    def _close_block(self) -> None:
        if self._shown:
            self._hide_inlines()
        if len(self._blocks) == self._written:
            self._out.append(f"</{self._blocks[-1].name}>")
            self._written -= 1
        self._blocks.pop()
        self._broken, self._breaks = True, 0

    def _rejoin_link(self) -> None:
        """Go on with the link that ended here, within a word, where the next has its address."""
        link = self._inlines[self._shown]
        if link.tag == self._link and self._out[-1:] == ["</a>"] and self._out[-2][-1:].isalnum():
            self._out.pop()
            self._shown += 1

    def _show_inlines(self) -> None:
        for inline in self._inlines[self._shown :]:
            self._out.append(inline.tag)
            if inline.name == "a":
                self._link = inline.tag
        self._shown = len(self._inlines)

    def _hide_inlines(self) -> None:
        self._out += [f"</{inline.name}>" for inline in reversed(self._inlines[: self._shown])]
        self._shown = 0
