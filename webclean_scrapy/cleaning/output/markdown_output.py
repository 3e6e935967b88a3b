"""The clean HTML of a page as Markdown (CommonMark; tables, footnotes and ``~~`` as GitHub's).

Written here, as the tags of the clean HTML are few and known (`html_output`). markdownify 1.2.3
takes 55 ms for a page of 5 kB, fails on deep pages, turns a paragraph that begins with ``#`` into
a heading, and cuts a cell that holds ``|``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.output.html_output import walk_html
from webclean_scrapy.cleaning.page.mending import NOTE_ID

if TYPE_CHECKING:
    from lxml.etree import _Element

MAX_DEPTH = 20  # lists and quotes in each other

_MARKS = {"b": "**", "strong": "**", "em": "*", "i": "*", "del": "~~", "s": "~~"}
_CODE = frozenset({"code", "kbd", "samp"})
_SCRIPTS = frozenset({"sup", "sub"})  # CommonMark takes the tags of HTML
_INLINES = frozenset({*_MARKS, *_CODE, *_SCRIPTS, "a"})
_IS_SCRIPT = re.compile(r"[^\W_]|[-−–+±]")  # "®" and "*" are raised by themselves
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_BLOCKS = frozenset(
    {*_HEADINGS, "blockquote", "caption", "dd", "dl", "dt", "figcaption", "figure", "li", "ol", "p",
     "pre", "table", "td", "th", "tr", "ul"}
)  # fmt: skip
#: What CommonMark would read; an underscore within a word, "&" before a blank or "C:\\U" is text.
_SPECIAL = re.compile(
    r"[`*\[\]<]|\\(?=[!-/:-@\[-`{-~]|\Z)|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w{1,40};)"
)
#: A formula in TeX, as it stands in a text: between dollars, it is none without a sign of TeX.
_TEX = re.compile(
    r"\$\$(?=[^$]*[\\^_*{])[^$]{1,2000}\$\$|\\\(.{1,2000}?\\\)|\\\[.{1,2000}?\\\]"
    r"|(?<![\w$\\])\$(?=[^$]*[\\^_{])(?![\s$])[^$]{1,500}(?<![\s\\])\$(?![\w$])",
    re.DOTALL,
)
_TAG_START = re.compile(r"<(?=[A-Za-z/!?])")
_SIGN = re.compile(r"[`*\[\]<\\_&~]")  # without one, nothing is special
_CLOSING = re.compile(r"(?<!\S)#+\Z")  # of a heading
_BREAK = "\\\n"
_STRUCK = re.compile(r"~~|~\S[^~]*~")  # GitHub strikes out between single ones too
_AT_START = re.compile(
    r"#{1,6}(?=\s|\Z)|[-+](?=\s|\Z)|-(?=-)|=(?==|\s*\Z)|>|[|:](?=[-:| ]*-)"
    r"|[0-9]{1,9}(?=[.)](?:\s|\Z))"
)
_ENTITY = re.compile(r"&(?=#?\w{1,40};)")
_SPACES = re.compile(r"[ \t\n\r\f]+")
_ODD_SPACE = re.compile(r"[\t\n\r\f]|  ")
_MOST_COLUMNS = 50  # that cells cover, and that a row is filled up with
#: What stands outside of marks: between one of these and a letter, as in "**A：**b", is none.
_OUTSIDE = "：。，、；！？）」』》】”’“‘「『《【（™®"
_ENCODED = str.maketrans({sign: f"%{ord(sign):02X}" for sign in " ()<>|"})


@dataclass(slots=True)
class _Container:
    """A block that holds others, and the prefix of their lines."""

    tag: str
    first: str  # before the first line, once
    rest: str
    used: bool = False

    def take(self) -> str:
        prefix, self.used = (self.rest if self.used else self.first), True
        return prefix


@dataclass(slots=True)
class _Inline:
    """An inline element, or the block that holds it, and its text so far."""

    tag: str
    target: str = ""
    parts: list[str] = field(default_factory=list)


def render_markdown(html: str, title: str = "") -> str:
    """Return clean *html* as Markdown, *title* above it as a heading. Cost: O(length).

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


def escape_text(text: str) -> str:
    r"""Return *text* so that no sign in it is taken for Markdown.

    >>> escape_text("2 * 3 [a] <b>")
    '2 \\* 3 \\[a\\] \\<b>'
    """
    if not _SIGN.search(text):
        return text
    if "$" not in text and "\\" not in text:
        return _escaped(text)
    shown, at = [], 0
    for formula in _TEX.finditer(text):
        shown += _escaped(text[at : formula.start()]), _formula(formula[0])
        at = formula.end()
    return "".join(shown) + _escaped(text[at:])


def _escaped(text: str) -> str:
    escaped = _SPECIAL.sub(r"\\\g<0>", text)
    return escaped.replace("~", r"\~") if _STRUCK.search(text) else escaped


def _formula(tex: str) -> str:
    """Return a formula so that its delimiters are read as such, and what is in it stays."""
    shown = _TAG_START.sub("< ", tex)
    return shown if tex[0] == "$" else f"\\{shown[:-2]}\\{shown[-2:]}"


class _Writer:
    """Takes the elements of a page in document order; `lines` is the result."""

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
            end = "\n" if self._pre else " " if self._is_raw() else _BREAK
            self._inlines[-1].parts.append(end)
        elif tag == "img":
            self._image(element)
        elif tag in _BLOCKS:
            self.flush()
            self._open_block(tag, element)

    def _is_raw(self) -> bool:
        """True in code."""
        return self._pre > 0 or any(inline.tag in _CODE for inline in self._inlines)

    def _image(self, element: _Element) -> None:
        """Write a picture, with its caption as title."""
        alt, title = (self._shown(element.get(name) or "") for name in ("alt", "title"))
        address, title = _address(element.get("src") or ""), title.replace('"', '\\"')
        shown = f'{address} "{title}"' if address and title else address
        self._inlines[-1].parts.append(f"![{alt}]({shown})")

    def _open_block(self, tag: str, element: _Element) -> None:
        if self._tables or tag == "table":
            self._open_in_table(tag, element)
        elif tag in _HEADINGS:
            self._open_heading(_HEADINGS[tag])
        elif tag == "pre":
            self._language = (element.get("class") or "").removeprefix("language-")
            self._pre += 1
        elif tag == "blockquote":
            self._contain(_Container(tag, "> ", "> "))
        elif tag in {"ul", "ol"}:
            self._tight = self._containers[-1:] != [] and self._containers[-1].tag == "li"
            self._numbers.append(_count(element, "start") if tag == "ol" else 0)
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
        self._heading, self._heading_text = min(len(self._levels), len(_HEADINGS)), []

    def _open_in_table(self, tag: str, element: _Element) -> None:
        """Begin a table or a part of one; what is in a cell of another one is text of that cell."""
        self._tables += tag == "table"
        if tag == "tr" and self._tables == 1:
            self._rows.append([])
        elif tag in {"td", "th"} and self._tables == 1:
            row, number, covered = self._rows[-1], len(self._rows), self._spans
            while covered.get(len(row), 0) >= number:
                row.append("")
            columns = min(_count(element, "colspan"), max(1, _MOST_COLUMNS - len(row)))
            for column in range(len(row), len(row) + columns):
                covered[column] = number + _count(element, "rowspan") - 1
            row.append("")
            self._more = [""] * (columns - 1)
            if len(self._rows) == 1:
                group = next(element.iterancestors("thead", "table"))
                self._heads.append(tag == "th" or group.tag == "thead")

    def _contain(self, container: _Container) -> None:
        """Open a container; behind MAX_DEPTH levels it is not shown, or lines would grow."""
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
            shown = inner
        elif inline.tag in _CODE:
            shown = _fenced(inner)
        elif inline.tag in _SCRIPTS:
            is_mark = inner.startswith("[^") or not _IS_SCRIPT.search(inner)
            shown = inner if is_mark else f"<{inline.tag}>{inner}</{inline.tag}>"
        elif inline.tag == "a":
            shown = _link(inner, inline.target)
            if not before and parts and parts[-1].endswith("!"):  # it would be a picture
                parts[-1] = parts[-1][:-1] + "\\!"
        else:
            core = inner.strip(_OUTSIDE)
            first, _, last = inner.partition(core or inner)
            mark = _MARKS[inline.tag] if core else ""
            mark = "" if mark == "**" and self._is_term else mark  # all of it is
            shown = f"{first}{mark}{core or inner}{mark}{last}"
        parts.append(before + shown + behind)

    def _close_block(self, tag: str, element: _Element) -> None:
        self._heading, self._is_term = 0, False
        if tag == "table":
            self._tables -= 1
            if not self._tables:
                self._write_table()
        elif self._tables:
            if tag in {"td", "th"} and self._tables == 1:
                self._rows[-1] += self._more
        elif tag == "pre":
            self._pre -= 1
        elif tag in {"ul", "ol"}:
            self._numbers.pop()
            self._tight = False
        elif tag in {"li", "blockquote"} or _note(element):
            self._containers.pop()
            self._tight = tag == "li" and not _note(element)

    def text(self, text: str) -> None:
        """Add the text of the page."""
        if self._heading:
            self._heading_text.append(text)
        self._inlines[-1].parts.append(self._shown(text))

    def _shown(self, text: str) -> str:
        """Return text of the page as Markdown."""
        if self._pre:
            return text
        shown = _SPACES.sub(" ", text) if _ODD_SPACE.search(text) else text
        if len(self._inlines) == 1 or not self._is_raw():
            shown = escape_text(shown)
        # In a table, the cell and the code would end at it.
        return shown.replace("|", "\\|") if self._tables else shown

    def flush(self) -> None:
        """Write the block that ends here."""
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
            self._add_to_cell(content)
        elif self._pre:
            fence = "`" * max(3, _longest_run(written) + 1)
            self.block(f"{fence}{self._language}\n{written.strip(chr(10))}\n{fence}")
        elif self._heading and self._title == (_letters("".join(self._heading_text)) or None):
            self._levels.pop()
        elif self._heading:
            shown = _CLOSING.sub(r"\\\g<0>", content.replace(_BREAK, " "))
            self.block(f"{'#' * self._heading} {shown}")
        else:
            content = f"**{content}**" if self._is_term else content
            lines = [line.strip() for line in content.split("\n")]
            self.block("\n".join(map(_escape_start, lines)))

    def _add_to_cell(self, content: str) -> None:
        if self._rows and self._rows[-1]:
            cell = self._rows[-1][-1]
            one_line = " ".join(content.replace("\\\n", " ").split("\n"))
            self._rows[-1][-1] = f"{cell} {one_line}" if cell else one_line
        else:  # a caption
            self.block(content)

    def _write_table(self) -> None:
        rows, heads = [row for row in self._rows if row], self._heads
        self._rows, self._heads, self._spans = [], [], {}
        if not rows:
            return
        named = [is_head for is_head, cell in zip(heads, rows[0], strict=False) if cell]
        has_head = any(named) and all(named)
        width = max(map(len, rows))
        if width == len(rows) == 1:  # it lays out the page
            self.block(_escape_start(rows[0][0]))
            return
        head = [*rows.pop(0), *[""] * width][:width] if has_head else [""] * width
        rows = [row + [""] * min(width - len(row), _MOST_COLUMNS) for row in rows]
        lines = [head, ["---"] * width, *rows]
        self.block("\n".join(f"| {' | '.join(line)} |" for line in lines))

    def block(self, content: str) -> None:
        """Write a block behind a blank line; an item follows the one before it directly."""
        if self.lines and not self._tight:
            around = [one.rest for one in self._containers[:MAX_DEPTH] if one.used]
            self.lines.append("".join(around).rstrip())
        self._tight = False
        for line in content.split("\n"):
            prefix = "".join([one.take() for one in self._containers[:MAX_DEPTH]])
            self.lines.append((prefix + line).rstrip())


def _without_outer_breaks(content: str) -> str:
    """Return *content* without blanks and line breaks at both ends."""
    if _BREAK not in content:
        return content.strip()
    first, last = 0, len(content)
    while first < last and (content[first].isspace() or content.startswith(_BREAK, first)):
        first += 1
    while first < last and (content[last - 1].isspace() or content.endswith(_BREAK, first, last)):
        last -= len(_BREAK) if content.endswith(_BREAK, first, last) else 1
    return content[first:last]


def _escape_start(line: str) -> str:
    """Return a line whose first sign does not begin a heading, a list or a rule."""
    match = _AT_START.match(line)
    if match is None:
        return line
    return f"{match[0]}\\{line[match.end() :]}" if line[0].isdigit() else f"\\{line}"


def _address(url: str) -> str:
    url = _ENTITY.sub(r"\\\g<0>", url.replace("\\", "%5C"))  # both are read in an address too
    return _SPACES.sub("", url.translate(_ENCODED))


def _link(shown: str, target: str) -> str:
    """Return a link, or the reference to a footnote."""
    if target.startswith("#") and (note := NOTE_ID.fullmatch(target, 1)):
        return f"[^{note[1]}]"
    return f"[{shown}]({_address(target)})" if target else shown


def _note(element: _Element) -> str:
    """Return the mark of a footnote; empty for other elements."""
    note = NOTE_ID.fullmatch(element.get("id") or "")
    return f"[^{note[1]}]" if note else ""


def _count(element: _Element, name: str) -> int:
    """Return an attribute that counts, 1 without it."""
    value = element.get(name) or ""
    number = int(value[:4]) if value.isdecimal() else 1
    return number if name == "start" else min(number, _MOST_COLUMNS)


def _letters(text: str) -> str:
    """Return what two writings of a heading have in common."""
    return "".join(filter(str.isalnum, text.casefold()))


def _fenced(code: str) -> str:
    fence = "`" * (_longest_run(code) + 1)
    edge = " " if code.startswith("`") or code.endswith("`") else ""
    return f"{fence}{edge}{code}{edge}{fence}"


def _longest_run(text: str) -> int:
    """Return the length of the longest run of backticks."""
    return max(map(len, re.findall("`+", text)), default=0)
