"""Render clean HTML as Markdown (CommonMark; tables, footnotes and ``~~`` as GitHub's).

Written here, as the tags of the clean HTML are few and known (`html_output`). markdownify 1.2.3
takes 55 ms for a page of 5 kB, fails on deep pages, turns a paragraph that begins with ``#`` into
a heading, and cuts a cell that holds ``|``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from lxml.etree import _Element

MAX_DEPTH = 20  # lists and quotes in each other
_MARKS = {"b": "**", "strong": "**", "em": "*", "i": "*", "del": "~~", "s": "~~"}
_CODE = frozenset({"code", "kbd", "samp"})
_SCRIPTS = frozenset({"sup", "sub"})  # CommonMark takes the tags of HTML
_INLINES = frozenset({*_MARKS, *_CODE, *_SCRIPTS, "a"})
_IS_SCRIPT = re.compile(r"[^\W_]|[-−–+±]")  # "®" and "*" are raised by themselves
_LISTS, _CELLS = frozenset({"ul", "ol"}), frozenset({"td", "th"})
_BLOCKS = frozenset(
    {*HEADING_TAGS, *_LISTS, *_CELLS, "blockquote", "caption", "dd", "dl", "dt", "figcaption",
     "figure", "li", "p", "pre", "table", "tr"}
)  # fmt: skip
_CLOSING = re.compile(r"(?<!\S)#+\Z")  # of a heading
_BREAK = "\\\n"
_BOXES = {"☐ ": "[ ] ", "☑ ": "[x] "}  # in front of an item
#: What stands outside of marks: between one of these and a letter, as in "**A：**b", is none.
_OUTSIDE = "：。，、；！？）」』》】”’“‘「『《【（™®"
_MOST_COLUMNS = 50  # that cells cover, and that a row is filled up with


@dataclass(slots=True)
class _Container:
    """A block that contains others, with the prefix of their lines."""

    tag: str
    first: str  # before the first line, once
    rest: str
    used: bool = False

    def take(self) -> str:
        prefix, self.used = (self.rest if self.used else self.first), True
        return prefix


@dataclass(slots=True)
class _Inline:
    """An inline element, or the block around it, with its text so far."""

    tag: str
    target: str = ""
    parts: list[str] = field(default_factory=list)
    closed: tuple[str, str] | None = None  # the mark that the last part is in, and what is in it


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
    writer.flush()
    return "\n".join(writer.lines).strip("\n") + "\n" if writer.lines else ""


class _Writer:
    """Takes the elements of a page in document order and collects `lines`."""

    def __init__(self, title: str) -> None:
        self.lines: list[str] = []
        self._title = _letters(title)
        self._levels = [0] if title else []  # of the headings above the next one
        self._containers: list[_Container] = []
        self._inlines = [_Inline("")]
        self._numbers: list[int] = []  # of the next item of each open list; 0: not numbered
        self._rows: list[list[str]] = []  # of the outermost table that is open
        self._tables = 0  # open ones
        self._heads: list[bool] = []  # of the cells in its first row
        self._spans: dict[int, int] = {}  # the last row that a cell covers, by column
        self._more: list[str] = []  # empty cells behind the open one, which covers them
        self._is_inner = False  # the next block in a cell is a cell of an inner table
        self._item = ""  # its number in a list
        self._heading = 0  # its level
        self._heading_text: list[str] = []
        self._is_term = False
        self._pre = 0
        self._language = ""  # of the code
        self._tight = False  # the next line follows without a blank one
        if title:
            self.block("# " + _CLOSING.sub(r"\\\g<0>", escape_text(" ".join(title.split()))))

    def start(self, element: _Element) -> None:
        """Begin an element."""
        tag = str(element.tag)
        if tag in _INLINES:
            code = self._inlines[-1].tag
            inner = [_Inline(code)] if tag == "a" and code in _CODE else []
            if inner:  # a link in code would be code, too
                self._close_inline()
            self._inlines += [_Inline(tag, element.get("href") or ""), *inner]
        elif tag == "br":  # in code, a line may begin HTML
            self._add("\n" if self._pre else " " if self._is_raw() else _BREAK)
        elif tag == "img":
            self._image(element)
        elif tag in _BLOCKS:
            self.flush()
            self._open_block(tag, element)

    def _is_raw(self) -> bool:
        return self._pre > 0 or any(inline.tag in _CODE for inline in self._inlines)

    def _image(self, element: _Element) -> None:
        alt, title = (self._shown(element.get(name) or "") for name in ("alt", "title"))
        source, title = address(element.get("src") or ""), title.replace('"', '\\"')
        self._add(f'![{alt}]({source} "{title}")' if source and title else f"![{alt}]({source})")

    def _open_block(self, tag: str, element: _Element) -> None:
        if tag == "pre":
            self._language = (element.get("class") or "").removeprefix("language-")
            self._pre += 1
        elif tag in _LISTS:
            self._numbers.append(_count(element, "start") if tag == "ol" else 0)
        if self._tables or tag == "table":
            self._open_in_table(tag, element)
        elif tag in HEADING_TAGS:
            self._open_heading(int(tag[1]))
        elif tag == "blockquote":
            self._contain(_Container(tag, "> ", "> "))
        elif tag in _LISTS:
            self._tight = self._containers[-1:] != [] and self._containers[-1].tag == "li"
        elif note := _note(element):
            self._contain(_Container(tag, f"{note}: ", "    "))
        elif tag == "li":
            number = self._numbers[-1] if self._numbers else 0
            mark = f"{number}. " if number else "- "
            self._numbers[-1:] = [number and number + 1]
            self._contain(_Container(tag, mark, " " * len(mark)))
        self._is_term = tag == "dt"

    def _open_heading(self, level: int) -> None:
        above = self._levels or range(1, level)  # without a title, the first one keeps its level
        self._levels = [*(one for one in above if one < level), level]
        self._heading, self._heading_text = min(len(self._levels), len(HEADING_TAGS)), []

    def _open_in_table(self, tag: str, element: _Element) -> None:
        """Begin a table or a part of one; a table inside a cell becomes text of the cell."""
        self._tables += tag == "table"
        if tag == "tr" and self._tables == 1:
            self._rows.append([])
        elif tag in _CELLS and self._tables == 1:
            row, number, covered = self._rows[-1], len(self._rows), self._spans
            while covered.get(len(row), 0) >= number:
                row.append("")
            columns = min(_count(element, "colspan"), max(1, _MOST_COLUMNS - len(row)))
            end = number + _count(element, "rowspan") - 1
            covered |= dict.fromkeys(range(len(row), len(row) + columns), end)
            row.append("")
            self._more = [""] * (columns - 1)
            if len(self._rows) == 1:
                group = next(element.iterancestors("thead", "table"))
                self._heads.append(tag == "th" or group.tag == "thead")
        elif tag in _CELLS:
            self._is_inner = element.getprevious() is not None
        elif tag == "li" and self._numbers and self._numbers[-1]:
            self._item = f"{self._numbers[-1]}. "
            self._numbers[-1] += 1

    def _contain(self, container: _Container) -> None:
        """Open a container; deeper than MAX_DEPTH it adds no prefix, or lines would grow."""
        if len(self._containers) >= MAX_DEPTH:
            container.first = container.rest = ""
        self._containers.append(container)

    def end(self, element: _Element) -> None:
        """End an element."""
        tag = str(element.tag)
        if tag in _INLINES:
            if len(self._inlines) > 1:
                inner = self._inlines[-1].tag
                self._close_inline()
                if tag == "a" and inner in _CODE:  # it goes on behind the link
                    self._close_inline()
                    self._inlines.append(_Inline(inner))
        elif tag in _BLOCKS:
            self.flush()
            self._close_block(tag, element)

    def _close_inline(self) -> None:
        """Write an inline element; blanks at its ends stay outside of its marks."""
        inline = self._inlines.pop()
        content = "".join(inline.parts)
        inner = content.strip()
        if not inner:
            self._inlines[-1].parts.append(content)
            return
        before, _, behind = content.partition(inner)
        parts = self._inlines[-1].parts
        if self._pre or (inline.tag not in _CODE and self._is_raw()):
            self._add(content)
        elif inline.tag in _CODE:
            touching = None if before else self._inlines[-1].closed
            if inline.tag == "kbd" and touching and touching[0] == "`":  # another key
                self._add(f"<kbd>{escape_text(inner)}</kbd>{behind}")
            else:
                self._add_marked("`", before, inner, behind)
        elif inline.tag in _SCRIPTS:
            is_mark = inner.startswith("[^") or not _IS_SCRIPT.search(inner)
            shown = inner if is_mark else f"<{inline.tag}>{inner}</{inline.tag}>"
            self._add(before + shown + behind)
        elif inline.tag == "a":
            if not before and parts and parts[-1].endswith("!"):  # it would be a picture
                parts[-1] = parts[-1][:-1] + "\\!"
            self._add(before + _link(inner, inline.target) + behind)
        else:
            core = inner.strip(_OUTSIDE)
            first, _, last = inner.partition(core or inner)
            mark = _MARKS[inline.tag] if core else ""
            if (mark == "**" and (self._is_term or self._heading)) or inner.startswith("[^"):
                mark = ""  # all of these are; a reference to a footnote has marks of its own
            self._add_marked(mark, before + first, core or inner, last + behind)

    def _add(self, text: str) -> None:
        """Add to the innermost inline element; marks that *text* would break become tags."""
        inline = self._inlines[-1]
        if not text:
            return
        if inline.closed is not None:
            mark, inner = inline.closed
            if mark in TAGS and is_sign(inner[-1]) and text[0].isalnum():
                inline.parts[-1] = tagged(mark, inner)
            inline.closed = None
        inline.parts.append(text)

    def _add_marked(self, mark: str, before: str, inner: str, behind: str) -> None:
        """Add marked text, joined with text in the same marks directly before it.

        CommonMark reads no mark between a letter and a sign, or between two others: there is a tag.
        """
        inline = self._inlines[-1]
        touching = inline.closed if not before else None
        if mark and touching and touching[0] == mark:
            inline.closed = None
            inline.parts.pop()
            inner, touching = touching[1] + inner, None
        else:
            self._add(before)
        if not mark:
            self._add(inner)
        else:
            last = inline.parts[-1][-1] if inline.parts else " "
            is_touching = touching is not None and touching[0][0] == mark[0]
            is_none = mark in TAGS and (is_touching or (last.isalnum() and is_sign(inner[0])))
            shown = fenced(inner) if mark == "`" else f"{mark}{inner}{mark}"
            self._add(tagged(mark, inner) if is_none else shown)
            inline.closed = None if is_none else (mark, inner)
        self._add(behind)

    def _close_block(self, tag: str, element: _Element) -> None:
        self._heading, self._is_term = 0, False
        self._pre -= tag == "pre"
        if tag in _LISTS:
            self._numbers.pop()
        if tag == "table":
            self._tables -= 1
            if not self._tables:
                self._write_table()
        elif self._tables:
            if tag in _CELLS and self._tables == 1:
                self._rows[-1] += self._more
        elif tag in _LISTS:
            self._tight = False
        elif tag in {"li", "blockquote"} or _note(element):
            self._containers.pop()
            self._tight = tag == "li" and not _note(element)

    def text(self, text: str) -> None:
        """Add the text of the page."""
        if self._heading:
            self._heading_text.append(text)
        self._add(self._shown(text))

    def _shown(self, text: str) -> str:
        """Return text of the page as Markdown."""
        if self._pre:
            return text
        shown = one_line(text)
        if len(self._inlines) == 1 or not self._is_raw():
            shown = escape_text(shown)
        # In a table, the cell and the code would end at it.
        return shown.replace("|", "\\|") if self._tables else shown

    def flush(self) -> None:
        """Write the current block."""
        if len(self._inlines) == 1 and not self._inlines[0].parts:
            return
        open_inlines = [_Inline(inline.tag, inline.target) for inline in self._inlines[1:]]
        while len(self._inlines) > 1:
            self._close_inline()
        written = "".join(self._inlines[0].parts)
        content = _without_outer_breaks(written)
        self._inlines = [_Inline(""), *open_inlines]
        if not content:
            return
        if self._tables:
            self._add_to_cell(written if self._pre else content)
        elif self._pre:
            fence = "`" * max(3, longest_run(written) + 1)
            self.block(f"{fence}{self._language}\n{written.strip(chr(10))}\n{fence}")
        elif self._heading and self._title == (_letters("".join(self._heading_text)) or None):
            self._levels.pop()
        elif self._heading:
            shown = _CLOSING.sub(r"\\\g<0>", _joined(content.split(_BREAK)))
            self.block(f"{'#' * self._heading} {shown}")
        else:
            content = f"**{content}**" if self._is_term and "![" not in content[:3] else content
            if content[:2] in _BOXES and self._containers[-1:] and not self._containers[-1].used:
                content = _BOXES[content[:2]] + content[2:]
            lines = [line.strip() for line in content.split("\n")]
            self.block("\n".join(map(escape_start, lines)))

    def _add_to_cell(self, content: str) -> None:
        """Add a block to a cell, separated by a line break, or a comma in inner cells."""
        if not (self._rows and self._rows[-1]):  # a caption
            self.block(content)
            return
        if self._pre:
            code = filter(None, map(str.rstrip, content.split("\n")))
            content = "\n".join(fenced(line.replace("|", "\\|")) for line in code)
        else:
            content = content.replace(_BREAK, "\n")
        cell, joint = self._rows[-1][-1], ", " if self._is_inner else "\n"
        self._rows[-1][-1] = f"{cell}{joint if cell else ''}{self._item}{content}"
        self._is_inner, self._item = False, ""

    def _write_table(self) -> None:
        rows, heads = [row for row in self._rows if row], self._heads
        self._rows, self._heads, self._spans = [], [], {}
        if not rows:
            return
        has_head = {one for one, cell in zip(heads, rows[0], strict=False) if cell} == {True}
        width = max(map(len, rows))
        head = [*rows.pop(0), *[""] * width][:width] if has_head else [""] * width
        rows = [row + [""] * min(width - len(row), _MOST_COLUMNS) for row in rows]
        lines = [head, ["---"] * width, *rows]
        shown = (" | ".join(line).replace("\n", "<br>") for line in lines)
        self.block("\n".join(f"| {line} |" for line in shown))

    def block(self, content: str) -> None:
        """Write a block after a blank line; list items follow each other directly."""
        if self.lines and not self._tight:
            around = [one.rest for one in self._containers[:MAX_DEPTH] if one.used]
            self.lines.append("".join(around).rstrip())
        self._tight = False
        for line in content.split("\n"):
            prefix = "".join([one.take() for one in self._containers[:MAX_DEPTH]])
            self.lines.append((prefix + line).rstrip())


def _without_outer_breaks(content: str) -> str:
    parts = content.split(_BREAK)
    filled = [at for at, part in enumerate(parts) if part.strip()]
    return _BREAK.join(parts[filled[0] : filled[-1] + 1]).strip() if filled else ""


def _joined(lines: list[str]) -> str:
    """Return the lines of a heading as one; those that would read as one stay apart."""
    joined = lines[0]
    for line in lines[1:]:
        joined += (" / " if joined[-1:].isalnum() and line[:1].isupper() else " ") + line
    return joined


def _link(shown: str, target: str) -> str:
    if target.startswith("#") and (note := NOTE_ID.fullmatch(target, 1)):
        return f"[^{note[1]}]"
    return f"[{shown}]({address(target)})" if target else shown


def _note(element: _Element) -> str:
    """Return the mark of a footnote; empty for other elements."""
    note = NOTE_ID.fullmatch(element.get("id") or "")
    return f"[^{note[1]}]" if note else ""


def _count(element: _Element, name: str) -> int:
    value = element.get(name) or ""
    number = int(value[:4]) if value.isdecimal() else 1
    return number if name == "start" else min(number, _MOST_COLUMNS)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))
