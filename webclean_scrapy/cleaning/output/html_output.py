"""The kept rows of a page as clean HTML.

Elements that carry meaning in an article stay, without attributes but ``href``, ``src``, ``alt``,
spans of cells, ``start`` of lists and the language of code;
URLs are absolute; everything else is unwrapped. It holds the same characters as the text
(``text_output``), but for white space.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cached_property
from html import escape
from itertools import accumulate
from operator import and_
from typing import TYPE_CHECKING

from lxml import etree

from webclean_scrapy.cleaning.output.html_writer import HtmlWriter
from webclean_scrapy.cleaning.output.text_output import CELL_TAGS, clean_line
from webclean_scrapy.cleaning.output.urls import (
    absolute_url,
    base_url,
    image_url,
    without_tracking,
)
from webclean_scrapy.cleaning.page.mending import FORMULA_CLASS
from webclean_scrapy.cleaning.page.tags import BLOCK_TAGS
from webclean_scrapy.cleaning.page.walk import TEXT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element

    from webclean_scrapy.cleaning.page.removals import KeptRows
    from webclean_scrapy.cleaning.page.table import PageTable

KEPT_BLOCKS = frozenset(
    "blockquote caption dd dl dt figcaption figure h1 h2 h3 h4 h5 h6 li ol p pre table tbody td "
    "tfoot th thead tr ul".split()
)
KEPT_INLINES = frozenset(
    "a abbr b code del em i ins kbd mark q s samp small strong sub sup u var".split()
)
#: The elements that `_Span.write` does anything about.
_WRITTEN = KEPT_BLOCKS | KEPT_INLINES | BLOCK_TAGS | CELL_TAGS | {"br", "img"}
_IS_COUNT = re.compile(r"\s*[1-9][0-9]{0,3}\s*\Z", re.ASCII)
#: A table that holds one of these lays a page out.
_NOT_IN_CELLS = frozenset({"pre", "table"})
_LEVELS = 12  # above an element that are looked at
_LANGUAGE = re.compile(
    r"(?:^|\s)(?:lang(?:uage)?-|highlight-(?:source-|text-)?|brush:\s*|sourcecode\s+)"
    r"([\w+#.-]{1,30})"
)
_NO_LANGUAGE = frozenset({"none", "default", "source", "notranslate", "plaintext", "text"})
_DECORATION = re.compile(
    r"(?<![a-z])(?:(?:gr)?avatar|emoji|smil(?:ey|ies)|sprite|spacer|favicon|(?P<icon>icons?))"
    r"(?![a-z])"
)


def render_html(kept: KeptRows, start: int, stop: int, url: str | None) -> str:
    """Return the kept ones of the rows from *start* to before *stop* as clean HTML.

    Always properly nested; every text is in a block. *url* is the page's: relative URLs are
    resolved against it, or against the page's ``base``. Cost: O(rows).
    """
    writer = HtmlWriter()
    span = _Span(kept, start, stop, base_url(kept.table, url))
    tag, written = kept.table.tag, _WRITTEN | {TEXT}
    for row, is_kept in enumerate(kept.mask[start:stop], start):
        if writer.due <= row:
            writer.close_until(row)
        if is_kept and tag[row] in written:
            span.write(writer, row)
    return writer.finish()


class _Span:
    """A range of rows to write."""

    def __init__(self, kept: KeptRows, start: int, stop: int, base: str | None) -> None:
        self._table, self._start, self._stop, self._base = kept.table, start, stop, base
        self._mask, self._captions = kept.mask, kept.captions
        self._last_picture = "", ""

    @cached_property
    def _shown_before(self) -> list[int]:
        """The texts of the span that are kept, before each row."""
        text, mask = (of[self._start : self._stop] for of in (self._table.text, self._mask))
        return [0, *accumulate(map(bool, map(and_, mask, map(bool, text))))]

    @cached_property
    def _layouts(self) -> set[int]:
        """The tables that lay the page out."""
        layouts: set[int] = set()
        tag, parent = self._table.tag, self._table.parent
        for row in range(self._start, self._stop) if "table" in tag else ():
            if tag[row] in _NOT_IN_CELLS and self._mask[row]:
                above = parent[row]
                for _ in range(_LEVELS):
                    if above < self._start or tag[above] == "table":
                        layouts.add(above)
                        break
                    above = parent[above]
        return layouts

    def _is_empty(self, row: int) -> bool:
        before, stop = self._shown_before, min(self._table.end[row], self._stop)
        return before[stop - self._start] == before[row - self._start]

    def write(self, writer: HtmlWriter, row: int) -> None:
        """Hand the row to the writer."""
        table = self._table
        name, end = table.tag[row], table.end[row]
        if name == TEXT:
            writer.text(table.text[row])
        elif name == "br":
            writer.line_break()
        elif name == "img":
            self._image(writer, row)
        elif name == "a":
            href = table.node[row].get("href")
            if href and (url := absolute_url(href, self._base)):
                writer.inline(name, f' href="{escape(without_tracking(url))}"', end)
        elif name in KEPT_INLINES:
            is_formula = name == "code" and table.classes[row] == FORMULA_CLASS
            writer.inline(name, f' class="{FORMULA_CLASS}"' if is_formula else "", end)
        elif name in CELL_TAGS:
            self._cell(writer, row)
        elif name in KEPT_BLOCKS and row not in self._layouts:
            writer.block(name, self._attributes(row), end)
        elif name in BLOCK_TAGS:
            writer.wrapper(end)
            if name == "summary":
                writer.inline("strong", "", end)

    def _attributes(self, row: int) -> str:
        """Return the attributes of a block: the language of code, the first number of a list."""
        table = self._table
        if table.tag[row] == "pre" and (language := _language(table, row)):
            return f' class="language-{escape(language)}"'
        start = table.node[row].get("start", "") if table.tag[row] == "ol" else ""
        return f' start="{start.strip()}"' if _IS_COUNT.match(start) else ""

    def _image(self, writer: HtmlWriter, row: int) -> None:
        """Write a picture that is part of the text, once."""
        node = self._table.node[row]
        alt = clean_line(" ".join((node.get("alt") or "").split()))
        url = image_url(node, self._base)
        is_again = (url, alt) == self._last_picture
        if not (url or alt) or is_again or _is_small(node) or not self._belongs(row):
            return
        self._last_picture = url, alt
        names = self._table.classes[row], url.rpartition("/")[2].lower()
        decoration = _DECORATION.search(" ".join(names))
        if decoration is None or (alt and decoration["icon"]):
            source = f' src="{escape(url)}"' if url else ""
            writer.image(source + (f' alt="{escape(alt)}"' if alt else ""))

    def _belongs(self, row: int) -> bool:
        """True if text about a picture is kept, or nothing but its caption is near it."""
        table, up = self._table, self._table.parent[row]
        for _ in range(_LEVELS):
            if up < self._start:
                break
            if not self._is_empty(up):
                return True
            if table.text_length(up) > sum(map(table.text_length, self._captions_in(up))):
                return False
            up = table.parent[up]
        return True

    def _captions_in(self, row: int) -> list[int]:
        """Return the text rows of the captions in the subtree of *row*."""
        captions = self._captions
        first, stop = (bisect_left(captions, at) for at in (row, self._table.end[row]))
        return captions[first:stop]

    def _cell(self, writer: HtmlWriter, row: int) -> None:
        """Begin a cell; one that is empty counts where its table row shows anything."""
        table = self._table
        spans = ((key, table.node[row].get(key) or "") for key in ("colspan", "rowspan"))
        attributes = "".join(
            f' {key}="{value.strip()}"' for key, value in spans if _IS_COUNT.match(value)
        )
        above = table.parent[row]
        cell = table.tag[row], attributes, table.end[row]
        if self._is_empty(row) and above >= self._start and not self._is_empty(above):
            writer.empty_cell(*cell)
        else:
            writer.block(*cell)


def _language(table: PageTable, row: int) -> str:
    """Return the language of the code in the ``pre`` at *row*, as the page names it; or ""."""
    inside = [at for at in range(row, min(table.end[row], row + 3)) if table.tag[at] != TEXT]
    for at in [*inside, *table.ancestors(row)[:3]]:
        node = table.node[at]
        data = node.get("data-lang") or node.get("data-language") or ""
        match = _LANGUAGE.search(f"{f'lang-{data.lower()}' if data else ''} {table.classes[at]}")
        if match and match[1] not in _NO_LANGUAGE:
            return match[1]
    return ""


def _is_small(node: _Element) -> bool:
    """True if a picture is an icon, a counter or a portrait by its size in pixels."""
    sizes = [node.get(key, "").strip().removesuffix("px") for key in ("width", "height")]
    return all(size.isdecimal() and int(size) <= 32 for size in sizes)


def walk_html(html: str) -> Iterator[tuple[str, _Element]]:
    """Yield ("start", element) and ("end", element) of clean HTML in document order.

    The ``body`` around them is left out. Any depth: nothing is recursive.
    """
    parser = etree.HTMLParser(huge_tree=True, encoding="utf-8")
    content = f"<!DOCTYPE html><html><body>{html}</body></html>".encode("utf-8", "replace")
    root = etree.fromstring(content, parser)
    body = root[0]
    for event, element in etree.iterwalk(body, events=("start", "end")):
        if element is not body and isinstance(element.tag, str):
            yield event, element
