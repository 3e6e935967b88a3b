"""Render clean HTML as Markdown (CommonMark; tables, footnotes and ``~~`` as GitHub's).

Written here, as the tags of the clean HTML are few and known (`html_output`). html-to-markdown
3.21.2 needs CPython 3.11 and a pass of 150 lines over the HTML before it; it then still runs quotes
together, and a picture in a heading is lost.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from operator import itemgetter
from typing import TYPE_CHECKING

from lxml import etree

from webclean_scrapy.cleaning.output.html_output import walk_html
from webclean_scrapy.cleaning.output.markdown_signs import (
    TAGS,
    address,
    escape_start,
    escape_text,
    fenced,
    is_sign,
    longest_run,
    one_line,
    tagged,
)
from webclean_scrapy.cleaning.page.footnotes import NOTE_ID
from webclean_scrapy.cleaning.page.tags import HEADING_TAGS
from webclean_scrapy.cleaning.page.units import letters, text_of

if TYPE_CHECKING:
    from lxml.etree import _Element

MAX_DEPTH = 20  # items, quotes and cells in each other
_MARKS = {"b": "**", "strong": "**", "em": "*", "i": "*", "del": "~~", "s": "~~"}
_CODE = frozenset({"code", "kbd", "samp"})
_SCRIPTS = frozenset({"sup", "sub"})  # CommonMark takes the tags of HTML
_INLINES = frozenset({*_MARKS, *_CODE, *_SCRIPTS, "a"})
_IS_SCRIPT = re.compile(r"[^\W_]|[-−–+±]")  # "®" and "*" are raised by themselves
_LISTS, _CELLS = frozenset({"ul", "ol"}), frozenset({"td", "th"})
_NOTE = "note"  # the tag of a block that is a footnote
_PREFIXED = frozenset({*_CELLS, _NOTE, "blockquote", "li"})
_NESTED = frozenset({*_PREFIXED, *_LISTS, "table"})  # hold blocks
_PARENTS = {"li": _LISTS, "td": {"table"}, "th": {"table"}}
_WRITTEN = frozenset({*_NESTED, *HEADING_TAGS, "dt", "pre"})  # others are their text
_BLOCKS = frozenset({*_WRITTEN, "caption", "dd", "dl", "figcaption", "figure", "p", "tr"})
_CLOSING = re.compile(r"(?<!\S)#+\Z")  # of a heading
_BREAK = "\\\n"
_BOXES = {"☐ ": "[ ] ", "☑ ": "[x] "}  # in front of an item
#: What stands outside of marks: between one of these and a letter, as in "**A：**b", is none.
_OUTSIDE = "：。，、；！？）」』》】”’“‘「『《【（™®"
_MOST_COLUMNS = 50  # that cells cover, and that a row is filled up with


@dataclass(slots=True)
class _Open:
    tag: str
    element: _Element
    raw: str = ""  # the tag of the code that it is in
    depth: int = 0
    tables: int = 0  # that it is in
    number: int = 0  # of the next item of a list; 0: not numbered
    parts: list[tuple[str, str]] = field(default_factory=list)  # marks and the text between them
    written: list[str] = field(default_factory=list)  # blocks, and the line ends between them
    cells: list[tuple[_Element, str]] = field(default_factory=list)  # of a table

    def add(self, block: str, *, is_tight: bool = False) -> None:
        """Add a block, after a blank line if it is not tight."""
        is_in_cell = self.tables > (self.tag == "table")
        if self.written:
            self.written.append("\n" if is_tight or is_in_cell else "\n\n")
        self.written.append(block)


def render_markdown(html: str, title: str = "") -> str:
    """Render clean *html* as Markdown, below *title* as a heading. Cost: O(length).

    The title stands there once, and the headings below it leave out no level.
    """
    writer = _Writer(title)
    for event, element in walk_html(html):
        if event == "start":
            writer.start(element)
        else:
            writer.end(element)
        if text := element.text if event == "start" else element.tail:
            writer.text(text)
    return writer.finish()


class _Writer:
    """Takes the elements of a page in document order and writes each when it ends."""

    def __init__(self, title: str) -> None:
        self._title = letters(title)
        self._levels = [0] if title else []  # of the headings above the next one
        self._open = [_Open("", etree.Element("body"))]
        if title:
            shown = _CLOSING.sub(r"\\\g<0>", escape_text(" ".join(title.split())))
            self._open[0].add(f"# {shown}")

    def finish(self) -> str:
        self._flush()
        lines = "".join(self._open[0].written).split("\n")
        return "\n".join(map(str.rstrip, lines)) + "\n" if lines != [""] else ""

    def start(self, element: _Element) -> None:
        tag, top = str(element.tag), self._open[-1]
        if tag in _INLINES:
            self._begin(tag, element)
        elif tag == "br":  # in code, a line may begin HTML
            self._add("\n" if top.raw == "pre" else " " if top.raw else _BREAK)
        elif tag == "img":
            self._add(self._image(element))
        elif tag in _BLOCKS:
            self._flush()
            if self._open[-1].tag == "dt":  # the term ends at a block in it
                _end_block(self._open.pop(), self._open[-1])
            self._begin(_NOTE if _note(element) and not top.tables else tag, element)

    def _begin(self, tag: str, element: _Element) -> None:
        """Open an element; a block deeper than MAX_DEPTH is its text, or lines would grow."""
        top = self._open[-1]
        if tag in _NESTED:
            is_open = top.depth < MAX_DEPTH and top.tag in _PARENTS.get(tag, {top.tag})
        else:
            is_open = tag in _WRITTEN or tag in _INLINES
        if is_open:
            raw = top.raw or (tag if tag in _CODE or tag == "pre" else "")
            depth, tables = top.depth + (tag in _PREFIXED), top.tables + (tag == "table")
            number = _count(element, "start") if tag == "ol" else 0
            self._open.append(_Open(tag, element, raw, depth, tables, number))

    def end(self, element: _Element) -> None:
        is_block = element.tag in _BLOCKS
        if is_block:
            self._flush()
        if self._open[-1].element is element:
            closed = self._open.pop()
            if is_block:
                _end_block(closed, self._open[-1])
            else:
                self._end_inline(closed, self._open[-1])

    def text(self, text: str) -> None:
        self._add(self._shown(text))

    def _shown(self, text: str) -> str:
        top = self._open[-1]
        if top.raw == "pre":
            return text
        shown = one_line(text) if top.raw else escape_text(one_line(text))
        # In a table, the cell and the code would end at it.
        return shown.replace("|", "\\|") if top.tables else shown

    def _image(self, element: _Element) -> str:
        alt, title = (self._shown(element.get(name) or "") for name in ("alt", "title"))
        source, title = address(element.get("src") or ""), title.replace('"', '\\"')
        return f'![{alt}]({source} "{title}")' if source and title else f"![{alt}]({source})"

    def _add(self, text: str, mark: str = "") -> None:
        if text:
            self._open[-1].parts.append((mark, text))

    def _end_inline(self, closed: _Open, top: _Open) -> None:
        content = _joined(closed.parts)
        if closed.tag == "a" and top.tag in _CODE and top.raw == top.tag:  # or it would be code
            self._add(_link(fenced(content.strip()), closed.element), "a")
        elif top.raw:
            self._add(content)
        else:
            for mark, text in _runs(closed.parts) if closed.tag in _CODE else [("", content)]:
                if mark or not text.strip():
                    self._add(text)
                else:
                    self._add_marked(text, closed)

    def _add_marked(self, content: str, closed: _Open) -> None:
        """Add the text of an inline element; blanks at its ends stay outside of its marks."""
        tag, parts, mark, inner = closed.tag, self._open[-1].parts, "", content.strip()
        before, _, behind = content.partition(inner)
        last_mark, last = parts[-1] if parts and not before else ("", "")
        if tag == "kbd" and last_mark == "`":  # another key
            inner = f"<kbd>{escape_text(inner)}</kbd>"
        elif tag in _CODE:
            mark = "`"
        elif tag == "a":
            if last.endswith("!") and not last_mark:  # it would be a picture
                parts[-1] = "", last[:-1] + "\\!"
            inner = _link(inner, closed.element)
        elif inner.startswith("[^"):
            pass  # a reference to a footnote has marks of its own
        elif tag in _SCRIPTS:
            inner = f"<{tag}>{inner}</{tag}>" if _IS_SCRIPT.search(inner) else inner
        elif core := inner.strip(_OUTSIDE):
            block = next(one.tag for one in reversed(self._open) if one.tag not in _INLINES)
            is_bold = block in {"dt", *HEADING_TAGS} and not closed.tables  # by itself
            mark = "" if is_bold and _MARKS[tag] == "**" else _MARKS[tag]
            first, _, last = inner.partition(core)
            before, inner, behind = before + first, core, last + behind
        self._add(before)
        self._add(inner, mark)
        self._add(behind)

    def _flush(self) -> None:
        """Write the text before the next block, with the marks around both ended."""
        while self._open[-1].tag in _INLINES:
            self._end_inline(self._open.pop(), self._open[-1])
        top = self._open[-1]
        if not top.parts:
            return
        written, top.parts = _joined(top.parts), []
        content = _without_outer_breaks(written)
        if not content:
            return
        if top.tag == "pre":
            top.add(_listing(written, top))
        elif top.tables:
            top.add(content.replace(_BREAK, "\n"))
        elif top.tag in HEADING_TAGS:
            self._end_heading(content, top)
        else:
            content = f"**{content}**" if top.tag == "dt" and "![" not in content[:3] else content
            lines = [escape_start(line.strip()) for line in content.split("\n")]
            top.add("\n".join(lines))

    def _end_heading(self, content: str, heading: _Open) -> None:
        level = int(heading.tag[1])
        above = self._levels or range(1, level)  # without a title, the first one keeps its level
        self._levels = [*(one for one in above if one < level), level]
        if self._title == (letters(text_of(heading.element)) or None):
            self._levels.pop()
            return
        shown = _CLOSING.sub(r"\\\g<0>", _heading_line(content.split(_BREAK)))
        heading.add(f"{'#' * min(len(self._levels), len(HEADING_TAGS))} {shown}")


def _end_block(closed: _Open, top: _Open) -> None:
    """Write a block into the one around it."""
    tag, content = closed.tag, "".join(closed.written)
    first, rest, is_tight = "", "", tag in _LISTS and top.tag == "li"
    if tag == "li":
        first = f"{top.number}. " if top.number else "- " * (not closed.tables)
        rest = " " * len(first) * (not closed.tables)
        top.number += top.number > 0
        is_tight = not top.written or not top.written[-1].startswith("[^")
        if not closed.tables:
            content = _BOXES.get(content[:2], content[:2]) + content[2:]
    elif tag == "blockquote" and not closed.tables:
        first = rest = "> "
    elif tag == _NOTE:
        first, rest = f"{_note(closed.element)}: ", "    "
    if tag in _CELLS:
        top.cells.append((closed.element, content))
    elif content:
        top.add(first + content.replace("\n", f"\n{rest}"), is_tight=is_tight)
    for row in _rows(closed):
        top.add(row)


def _rows(table: _Open) -> list[str]:
    """Return a table, or the rows of one in a cell, which become text of the cell."""
    rows = [list(row) for _, row in groupby(table.cells, lambda cell: cell[0].getparent())]
    if rows and table.tables == 1:
        return [_table(rows)]
    lines = (", ".join(text for _, text in row if text) for row in rows)
    return [line for line in lines if line]


def _runs(parts: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(mark, "".join(text for _, text in run)) for mark, run in groupby(parts, itemgetter(0))]


def _joined(parts: list[tuple[str, str]]) -> str:
    """Return the parts of a text with their marks.

    CommonMark reads no mark between a letter and a sign, or between two others: there is a tag.
    """
    if len(parts) == 1 and not parts[0][0]:
        return parts[0][1]
    shown, last, before = list[str](), "", ""
    for (mark, text), (mark_behind, behind) in pairwise([*_runs(parts), ("", "")]):
        written = fenced(text) if mark == "`" else f"{mark}{text}{mark}"
        is_none = mark in TAGS and (
            before[:1] == mark[0]
            or (last.isalnum() and is_sign(text[0]))
            or (is_sign(text[-1]) and not mark_behind and behind[:1].isalnum())
        )
        shown.append(tagged(mark, text) if is_none else written)
        last, before = shown[-1][-1:], "" if is_none else mark
    return "".join(shown)


def _listing(code: str, pre: _Open) -> str:
    if pre.tables:
        lines = filter(None, map(str.rstrip, code.split("\n")))
        return "\n".join(fenced(line.replace("|", "\\|")) for line in lines)
    language = (pre.element.get("class") or "").removeprefix("language-")
    fence = "`" * max(3, longest_run(code) + 1)
    return f"{fence}{language}\n{code.strip(chr(10))}\n{fence}"


def _table(rows: list[list[tuple[_Element, str]]]) -> str:
    grid: list[list[str]] = []
    covered: dict[int, int] = {}  # the last row that a cell covers, by column
    for number, cells in enumerate(rows):
        row: list[str] = []
        for element, text in cells:
            while covered.get(len(row), -1) >= number:
                row.append("")
            columns = min(_count(element, "colspan"), max(1, _MOST_COLUMNS - len(row)))
            last = number + _count(element, "rowspan") - 1
            covered |= dict.fromkeys(range(len(row), len(row) + columns), last)
            row += [text, *[""] * (columns - 1)]
        grid.append(row)
    in_head = next(rows[0][0][0].iterancestors("thead", "table")).tag == "thead"
    named = [in_head or element.tag == "th" for element, text in rows[0] if text]
    width = max(map(len, grid))
    head = [*grid.pop(0), *[""] * width][:width] if named and all(named) else [""] * width
    filled = [row + [""] * min(width - len(row), _MOST_COLUMNS) for row in grid]
    lines = (" | ".join(row).replace("\n", "<br>") for row in (head, ["---"] * width, *filled))
    return "\n".join(f"| {line} |" for line in lines)


def _without_outer_breaks(content: str) -> str:
    parts = content.split(_BREAK)
    filled = [at for at, part in enumerate(parts) if part.strip()]
    return _BREAK.join(parts[filled[0] : filled[-1] + 1]).strip() if filled else ""


def _heading_line(lines: list[str]) -> str:
    """Return the lines of a heading as one; those that would read as one stay apart."""
    joined = lines[0]
    for line in lines[1:]:
        joined += (" / " if joined[-1:].isalnum() and line[:1].isupper() else " ") + line
    return joined


def _link(shown: str, element: _Element) -> str:
    target = element.get("href") or ""
    if target.startswith("#") and (note := NOTE_ID.fullmatch(target, 1)):
        return f"[^{note[1]}]"
    return f"[{shown}]({address(target)})" if target else shown


def _note(element: _Element) -> str:
    note = NOTE_ID.fullmatch(element.get("id") or "")
    return f"[^{note[1]}]" if note else ""


def _count(element: _Element, name: str) -> int:
    value = element.get(name) or ""
    number = int(value[:4]) if value.isdecimal() else 1
    return number if name == "start" else min(number, _MOST_COLUMNS)
