"""Living rows of a page back to text and to clean HTML.

Text: one line per line of the page; the cells of a data table's row share a line. HTML: the
elements that carry meaning in an article, without attributes but ``href``, ``src``, ``alt`` and
spans of cells; URLs are absolute; everything else is unwrapped.
"""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from webclean_scrapy.page.table import TEXT

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from webclean_scrapy.page.living import Living
    from webclean_scrapy.page.table import PageTable

KEPT_TAGS = frozenset(
    "a abbr b blockquote br caption code dd del dl dt em figcaption figure h1 h2 h3 h4 h5 h6 i img "
    "ins kbd li mark ol p pre q s samp small strong sub sup table tbody td tfoot th thead tr u ul "
    "var".split()
)
VOID_TAGS = frozenset({"br", "img"})
_WRAPPERS = frozenset({"div", "section", "article", "center", "main", "address"})
_CELLS = frozenset({"td", "th"})
_ATTRIBUTES = {
    "a": ("href",), "img": ("src", "alt"), "td": ("colspan", "rowspan"),
    "th": ("colspan", "rowspan"),
}  # fmt: skip
_URL_ATTRIBUTES = frozenset({"href", "src"})
# Zero-width and bidirectional controls; the joiners U+200C/D shape words and stay.
_CONTROLS = re.compile("[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")


def clean_line(text: str) -> str:
    """Return *text* without control characters and outer blanks.

    >>> clean_line("\u200bbody\u202e text ")
    'body text'
    """
    if not text.isascii():
        text = _CONTROLS.sub("", text)
    return text.strip()


def render_text(living: Living, lines: Iterable[int]) -> str:
    """Return the living text of *lines* (rising), one per line, a row of cells as one."""
    table = living.table
    container, tag = table.lines.container, table.tag
    rows: list[str] = []
    last_row = -2
    for line in lines:
        text = clean_line(living.line_text(line))
        if not text:
            continue
        box = container[line]
        row = table.parent[box] if box >= 0 and tag[box] in _CELLS else -1
        if row >= 0 and row == last_row:
            rows[-1] = f"{rows[-1]} {text}"
        else:
            rows.append(text)
        last_row = row if row >= 0 and is_data_row(table, row) else -2
    return "\n".join(rows)


def is_data_row(table: PageTable, row: int) -> bool:
    """Whether the table row at *row* holds data: several cells, none with more than a line."""
    cells = [child for child in table.children(row) if table.tag[child] in _CELLS]
    return len(cells) > 1 and all(len(table.lines_in(cell)) <= 1 for cell in cells)


def render_html(living: Living, spans: Sequence[tuple[int, int]], base_url: str | None) -> str:
    """Return the living rows inside *spans* (row ranges, rising) as clean HTML.

    Text that stood in no kept block is wrapped in ``p``. Cost: O(rows of the spans).
    """
    writer = _HtmlWriter(living, base_url)
    for start, stop in spans:
        writer.write(start, stop)
    return writer.finish()


class _HtmlWriter:
    def __init__(self, living: Living, base_url: str | None) -> None:
        self.table, self.mask, self.base_url = living.table, living.mask, base_url
        self.out: list[str] = []
        self.open: list[tuple[int, str]] = []  # (end row, tag to close)
        self.loose = False  # inside a paragraph that this writer opened

    def write(self, start: int, stop: int) -> None:
        table = self.table
        for row in range(start, stop):
            self._close_until(row)
            if not self.mask[row]:
                continue
            name = table.tag[row]
            if name == TEXT:
                self._text(table.text[row])
            elif name in KEPT_TAGS:
                self._element(row, name)
            elif name in _WRAPPERS:
                self._end_loose()
        self._close_until(stop)
        self._end_loose()

    def finish(self) -> str:
        html = "".join(self.out)
        return _EMPTY_ELEMENT.sub("", _EMPTY_ELEMENT.sub("", html))

    def _close_until(self, row: int) -> None:
        while self.open and self.open[-1][0] <= row:
            name = self.open.pop()[1]
            if name in _BLOCKS:
                self._end_loose()
            self.out.append(f"</{name}>")

    def _text(self, text: str) -> None:
        if not self._in_block() and not self.loose:
            self.out.append("<p>")
            self.loose = True
        self.out.append(escape(_CONTROLS.sub("", text), quote=False))

    def _element(self, row: int, name: str) -> None:
        if name in _BLOCKS:
            self._end_loose()
        elif not self._in_block() and not self.loose and self.table.text_length(row):
            self.out.append("<p>")
            self.loose = True
        if name == "img" and not self.table.node[row].get("src"):
            return
        self.out.append(f"<{name}{self._attributes(row, name)}>")
        if name not in VOID_TAGS:
            self.open.append((self.table.end[row], name))

    def _attributes(self, row: int, name: str) -> str:
        node, found = self.table.node[row], []
        for key in _ATTRIBUTES.get(name, ()):
            value = node.get(key)
            if not value:
                continue
            if key in _URL_ATTRIBUTES:
                value = absolute_url(value, self.base_url)
                if not value:
                    continue
            found.append(f' {key}="{escape(value)}"')
        return "".join(found)

    def _in_block(self) -> bool:
        return any(name in _BLOCKS for _, name in self.open)

    def _end_loose(self) -> None:
        if self.loose and not self._in_block():
            self.out.append("</p>")
            self.loose = False


_BLOCKS = KEPT_TAGS & frozenset(
    "blockquote caption dd dl dt figcaption figure h1 h2 h3 h4 h5 h6 li ol p pre table tbody td "
    "tfoot th thead tr ul".split()
)
_EMPTY_ELEMENT = re.compile(
    r"<(p|li|ul|ol|a|b|i|em|strong|u|small|h[1-6]|figure|blockquote)(?: [^<>]*)?>\s*</\1>"
)


def absolute_url(url: str, base_url: str | None) -> str:
    """Return *url* against *base_url*; empty for what a page must not hand on (``javascript:``).

    >>> absolute_url("b.html", "http://example.com/a/"), absolute_url("javascript:x()", None)
    ('http://example.com/a/b.html', '')
    """
    url = url.strip()
    if base_url:
        try:
            url = urljoin(base_url, url)
        except ValueError:  # a broken IPv6 host, say
            return ""
    scheme = url.partition(":")[0].lower() if ":" in url else ""
    return "" if scheme in {"javascript", "vbscript", "data"} else url
