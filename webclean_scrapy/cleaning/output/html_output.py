"""The kept rows of a page as clean HTML.

Elements that carry meaning in an article stay, without attributes but ``href``, ``src``, ``alt``
and spans of cells; URLs are absolute; everything else is unwrapped. It holds the same characters as
the text (``text_output``), but for white space.
"""

from __future__ import annotations

import re
from functools import cached_property
from html import escape
from itertools import accumulate
from operator import and_
from typing import TYPE_CHECKING

from lxml import etree

from webclean_scrapy.cleaning.output.html_writer import HtmlWriter
from webclean_scrapy.cleaning.output.text_output import CELL_TAGS, clean_line
from webclean_scrapy.cleaning.output.urls import absolute_url, base_url, image_url
from webclean_scrapy.cleaning.page.tags import BLOCK_TAGS
from webclean_scrapy.cleaning.page.walk import TEXT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element

    from webclean_scrapy.cleaning.page.removals import KeptRows

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
        self._mask = kept.mask

    @cached_property
    def _shown_before(self) -> list[int]:
        """The texts of the span that are kept, before each row."""
        text, mask = (of[self._start : self._stop] for of in (self._table.text, self._mask))
        return [0, *accumulate(map(bool, map(and_, mask, map(bool, text))))]

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
                writer.inline(name, f' href="{escape(url)}"', end)
        elif name in KEPT_INLINES:
            writer.inline(name, "", end)
        elif name in CELL_TAGS:
            self._cell(writer, row)
        elif name in KEPT_BLOCKS:
            writer.block(name, "", end)
        elif name in BLOCK_TAGS:
            writer.wrapper(end)

    def _image(self, writer: HtmlWriter, row: int) -> None:
        node = self._table.node[row]
        if url := image_url(node, self._base):
            alt = clean_line(" ".join((node.get("alt") or "").split()))
            writer.image(f' src="{escape(url)}"' + (f' alt="{escape(alt)}"' if alt else ""))

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
