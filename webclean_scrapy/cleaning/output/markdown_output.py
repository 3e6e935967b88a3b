"""The clean HTML of a page as Markdown (CommonMark, with the tables and ``~~`` of GitHub).

Written here, as the tags of the clean HTML are few and known (`html_output`). markdownify 1.2.3
takes 55 ms for a page of 5 kB, fails on deep pages, turns a paragraph that begins with ``#`` into
a heading, and cuts a cell that holds ``|``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.output.html_output import walk_html

if TYPE_CHECKING:
    from lxml.etree import _Element

MAX_DEPTH = 20  # lists and quotes in each other

_MARKS = {"b": "**", "strong": "**", "em": "*", "i": "*", "del": "~~", "s": "~~"}
_CODE = frozenset({"code", "kbd", "samp"})
_INLINES = frozenset({*_MARKS, *_CODE, "a"})
_HEADINGS = {f"h{level}": "#" * level + " " for level in range(1, 7)}
_BLOCKS = frozenset(
    {*_HEADINGS, "blockquote", "caption", "dd", "dl", "dt", "figcaption", "figure", "li", "ol", "p",
     "pre", "table", "td", "th", "tr", "ul"}
)  # fmt: skip
#: What CommonMark would read; an underscore within a word, "&" before a blank or "C:\\U" is text.
_SPECIAL = re.compile(
    r"[`*\[\]<]|\\(?=[!-/:-@\[-`{-~]|\Z)|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w{1,40};)"
)
_CLOSING = re.compile(r"(?<!\S)#+\Z")  # of a heading
_BREAK = "\\\n"
_STRUCK = re.compile(r"~~|~\S[^~]*~")  # GitHub strikes out between single ones too
_AT_START = re.compile(
    r"#{1,6}(?=\s|\Z)|[-+](?=\s|\Z)|-(?=-)|=(?==|\s*\Z)|>|[|:](?=[-:| ]*-)"
    r"|[0-9]{1,9}(?=[.)](?:\s|\Z))"
)
_ENTITY = re.compile(r"&(?=#?\w{1,40};)")
_SPACES = re.compile(r"[ \t\n\r\f]+")


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
    """Return clean *html* as Markdown, *title* above it as a heading. Cost: O(length)."""
    writer = _Writer()
    if title:
        writer.block("# " + _CLOSING.sub(r"\\\g<0>", escape_text(" ".join(title.split()))))
    for event, element in walk_html(html):
        if event == "start":
            writer.start(element)
            writer.text(element.text)
        else:
            writer.end(element)
            writer.text(element.tail)
    writer.flush()
    return "\n".join(writer.lines).strip("\n") + "\n" if writer.lines else ""


def escape_text(text: str) -> str:
    r"""Return *text* so that no sign in it is taken for Markdown.

    >>> escape_text("2 * 3 [a] <b>")
    '2 \\* 3 \\[a\\] \\<b>'
    """
    escaped = _SPECIAL.sub(r"\\\g<0>", text)
    return escaped.replace("~", r"\~") if _STRUCK.search(text) else escaped


class _Writer:
    """Takes the elements of a page in document order; `lines` is the result."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._containers: list[_Container] = []
        self._inlines = [_Inline("")]
        self._numbers: list[int] = []  # of the next item of each open list; 0: not numbered
        self._rows: list[list[str]] = []  # of the outermost table that is open
        self._tables = 0  # open ones
        self._heading = ""
        self._pre = 0
        self._language = ""  # of the code
        self._has_head = False
        self._tight = False  # the next line follows without a blank one

    def start(self, element: _Element) -> None:
        """Begin an element."""
        tag = str(element.tag)
        if tag in _INLINES:
            self._inlines.append(_Inline(tag, element.get("href") or ""))
        elif tag == "br":
            in_code = any(inline.tag in _CODE for inline in self._inlines)  # a line may begin HTML
            self._inlines[-1].parts.append("\n" if self._pre else " " if in_code else "\\\n")
        elif tag == "img":
            alt = escape_text(_SPACES.sub(" ", element.get("alt") or ""))
            self._inlines[-1].parts.append(f"![{alt}]({_address(element.get('src') or '')})")
        elif tag in _BLOCKS:
            self.flush()
            self._language = (element.get("class") or "").removeprefix("language-")
            self._open_block(tag)

    def _open_block(self, tag: str) -> None:
        self._heading = _HEADINGS.get(tag, "")
        if tag == "table":
            self._tables += 1
        elif tag == "tr" and self._tables == 1:
            self._rows.append([])
        elif tag in {"td", "th"} and self._tables == 1:
            self._has_head |= tag == "th" and len(self._rows) == 1
            self._rows[-1].append("")
        elif self._tables:
            pass
        elif tag == "pre":
            self._pre += 1
        elif tag == "blockquote":
            self._contain(_Container(tag, "> ", "> "))
        elif tag in {"ul", "ol"}:
            self._tight = self._containers[-1:] != [] and self._containers[-1].tag == "li"
            self._numbers.append(int(tag == "ol"))
        elif tag == "li":
            self._contain(self._item())

    def _contain(self, container: _Container) -> None:
        """Open a container; behind MAX_DEPTH levels it is not shown, or lines would grow."""
        if len(self._containers) >= MAX_DEPTH:
            container.first = container.rest = ""
        self._containers.append(container)

    def _item(self) -> _Container:
        number = self._numbers[-1] if self._numbers else 0
        mark = f"{number}. " if number else "- "
        if number:
            self._numbers[-1] += 1
        return _Container("li", mark, " " * len(mark))

    def end(self, element: _Element) -> None:
        """End an element."""
        tag = str(element.tag)
        if tag in _INLINES:
            if len(self._inlines) > 1:
                self._close_inline()
        elif tag in _BLOCKS:
            self.flush()
            self._close_block(tag)

    def _close_inline(self) -> None:
        """Write an inline element; blanks at its ends stay outside of its marks."""
        inline = self._inlines.pop()
        content = "".join(inline.parts)
        inner = content.strip()
        if not inner:
            self._inlines[-1].parts.append(content)
            return
        at = content.index(inner)
        if inline.tag in _CODE:
            shown = inner if self._pre else _fenced(inner)
        elif inline.tag == "a":
            has_target = inline.target and not self._pre
            shown = f"[{inner}]({_address(inline.target)})" if has_target else inner
        else:
            mark = "" if self._pre else _MARKS[inline.tag]
            shown = f"{mark}{inner}{mark}"
        self._inlines[-1].parts.append(content[:at] + shown + content[at + len(inner) :])

    def _close_block(self, tag: str) -> None:
        self._heading = ""
        if tag == "table":
            self._tables -= 1
            if not self._tables:
                self._write_table()
        elif self._tables:
            pass
        elif tag == "pre":
            self._pre -= 1
        elif tag in {"ul", "ol"}:
            self._numbers.pop()
            self._tight = False
        elif tag in {"li", "blockquote"}:
            self._containers.pop()
            self._tight = tag == "li"

    def text(self, text: str | None) -> None:
        """Add the text of the page."""
        if not text:
            return
        raw = self._pre or any(inline.tag in _CODE for inline in self._inlines)
        shown = text if self._pre else _SPACES.sub(" ", text)
        if not raw:
            shown = escape_text(shown)
        if self._tables:
            shown = shown.replace("|", "\\|")  # else the cell and the code end at it
        self._inlines[-1].parts.append(shown)

    def flush(self) -> None:
        """Write the block that ends here."""
        open_inlines = [_Inline(inline.tag, inline.target) for inline in self._inlines[1:]]
        while len(self._inlines) > 1:
            self._close_inline()
        content = "".join(self._inlines[0].parts)
        if not self._pre:
            content = _without_outer_breaks(content)
        self._inlines = [_Inline(""), *open_inlines]
        if not content.strip():
            return
        if self._tables:
            self._add_to_cell(content.strip())
        elif self._pre:
            fence = "`" * max(3, _longest_run(content) + 1)
            self.block(f"{fence}{self._language}\n{content.strip(chr(10))}\n{fence}")
        elif self._heading:
            shown = content.replace(_BREAK, " ").strip()
            self.block(self._heading + _CLOSING.sub(r"\\\g<0>", shown))
        else:
            lines = [line.strip() for line in content.strip().split("\n")]
            self.block("\n".join(map(_escape_start, lines)))

    def _add_to_cell(self, content: str) -> None:
        if self._rows and self._rows[-1]:
            cell = self._rows[-1][-1]
            one_line = " ".join(content.replace("\\\n", " ").split("\n"))
            self._rows[-1][-1] = f"{cell} {one_line}" if cell else one_line
        else:  # a caption
            self.block(content)

    def _write_table(self) -> None:
        rows, has_head = [row for row in self._rows if row], self._has_head
        self._rows, self._has_head = [], False
        if not rows:
            return
        width = max(map(len, rows))
        rows = [row + [""] * (width - len(row)) for row in rows]
        head = rows.pop(0) if has_head else [""] * width
        lines = [head, ["---"] * width, *rows]
        self.block("\n".join(f"| {' | '.join(line)} |" for line in lines))

    def block(self, content: str) -> None:
        """Write a block behind a blank line; an item follows the one before it directly."""
        if self.lines and not self._tight:
            self.lines.append("".join(c.rest for c in self._containers if c.used).rstrip())
        self._tight = False
        for line in content.split("\n"):
            prefix = "".join(container.take() for container in self._containers)
            self.lines.append((prefix + line).rstrip())


def _without_outer_breaks(content: str) -> str:
    """Return *content* without blanks and line breaks at both ends."""
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
    for sign, code in ((" ", "%20"), ("(", "%28"), (")", "%29"), ("<", "%3C"), (">", "%3E")):
        url = url.replace(sign, code)
    return _SPACES.sub("", url)


def _fenced(code: str) -> str:
    fence = "`" * (_longest_run(code) + 1)
    edge = " " if code.startswith("`") or code.endswith("`") else ""
    return f"{fence}{edge}{code}{edge}{fence}"


def _longest_run(text: str) -> int:
    """Return the length of the longest run of backticks."""
    return max(map(len, re.findall("`+", text)), default=0)
