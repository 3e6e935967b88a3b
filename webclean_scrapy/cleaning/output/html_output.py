"""Render the kept rows of a page as clean HTML.

Elements that carry meaning in an article stay, without attributes but ``href``, ``src``, ``alt``,
spans of cells, ``start`` of lists, the language of code and the number of a footnote; pictures have
their caption as ``title``. URLs are absolute; everything else is unwrapped. It holds the same
characters as the text (``text_output``), but for white space and the titles of frames and players.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from functools import cached_property
from html import escape, unescape
from itertools import accumulate, chain
from operator import and_
from typing import TYPE_CHECKING

from lxml import etree

from webclean_scrapy.cleaning.output.html_writer import LISTS, HtmlWriter, with_headings
from webclean_scrapy.cleaning.output.pictures import (
    is_button,
    is_large,
    is_small,
    without_size,
)
from webclean_scrapy.cleaning.output.text_output import CELL_TAGS, clean_line
from webclean_scrapy.cleaning.output.urls import absolute_url, base_url, image_url, is_blank
from webclean_scrapy.cleaning.page import row_flags as f
from webclean_scrapy.cleaning.page.footnotes import NOTE
from webclean_scrapy.cleaning.page.formulas import FORMULA_CLASS
from webclean_scrapy.cleaning.page.listings import LANGUAGES
from webclean_scrapy.cleaning.page.media import is_badge, is_shown
from webclean_scrapy.cleaning.page.tags import BLOCK_TAGS, HEADING_TAGS, PLAYERS
from webclean_scrapy.cleaning.page.units import letters
from webclean_scrapy.cleaning.page.walk import TEXT
from webclean_scrapy.web_addresses import without_tracking

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
_WRITTEN = KEPT_BLOCKS | KEPT_INLINES | BLOCK_TAGS | CELL_TAGS | PLAYERS | {"br", "img"}
_NOWHERE = frozenset({"", "#"})  # addresses of links that scripts do something at
_IS_COUNT = re.compile(r"\s*[1-9][0-9]{0,3}\s*\Z", re.ASCII)
#: Blocks directly in a list: browsers show them in the item before.
_OF_ITEMS = LISTS | {"blockquote", "p", "pre"}
#: A table that holds one of these lays a page out, unless it is made of short cells.
_NOT_IN_CELLS = HEADING_TAGS | {"pre", "table"}
_CELL_UNITS = 200  # of a cell of data at most
_HOST = re.compile(r"https?://(?:www\.)?([^/?#]+)")  # of an address that may be broken
_LARGE = 100  # pixels, from which on a frame or a player without a title is content
_OF_OTHERS = f.ASIDE | f.COMMENTS | f.NAMED_AUTHOR | f.RELATED  # flags of removed elements
_INDENTED = re.compile(r"\s{0,20}?[\u2003\u3000]{2}")  # as Chinese paragraphs behind a line break
_LEVELS = 12  # above an element that are looked at
_CARD_ROWS = 200  # of a link, or beside a picture, that are looked at
_LANGUAGE = re.compile(
    r"(?:^|\s)(?:(?:[\w-]+-)?lang(?:uage)?-|highlight-(?:source-|text-)?|brush:\s*"
    r"|sourcecode\s+(?:numbersource\s+)?|source-)([\w+#.-]{1,30})"
)
_LANGUAGE_KEY = re.compile(r"data-(?:(?:[\w-]+-)?lang(?:uage)?|syntaxhighlighter-params)|syntax")
_NO_LANGUAGE = frozenset({"none", "default", "source", "notranslate", "plaintext", "plain", "text"})
_LANGUAGE_ROWS, _LANGUAGE_LEVELS = 12, 4  # of a listing, and above it, that are looked at
_HIGHLIGHTER = re.compile(r"highlight|syntax|hljs|geshi|prism|source-?code|codehilite")
_DECORATION = re.compile(
    r"(?<![a-z])(?:(?:gr)?avatar|btn|button|emoji|smil(?:ey|ies)|sprite|spacer|favicon"
    r"|(?P<icon>icons?))(?![a-z])"
)


def render_html(
    kept: KeptRows, start: int, stop: int, url: str | None, lead: int | None = None
) -> str:
    """Render the kept rows from *start* to before *stop* as clean HTML.

    Always properly nested; every text is in a block. *url* is the page's: relative URLs are
    resolved against it, or its ``base``. The picture at row *lead* comes first. Cost: O(rows).
    """
    writer = HtmlWriter()
    span = _Span(kept, start, stop, base_url(kept.table, url))
    if lead is not None:
        span.write(writer, lead)
    tag, written = kept.table.tag, _WRITTEN | {TEXT}
    for row, is_kept in enumerate(kept.mask[start:stop], start):
        if writer.due <= row:
            writer.close_until(row)
        if is_kept and tag[row] in written:
            span.write(writer, row)
    return with_headings(writer.finish())


class _Span:
    def __init__(self, kept: KeptRows, start: int, stop: int, base: str | None) -> None:
        self._table, self._start, self._stop, self._base = kept.table, start, stop, base
        self._mask, self._kept = kept.mask, kept
        self._row_text = kept.row_text if kept.parted else self._table.text.__getitem__
        self._pictures: set[str] = set()  # since the last text, in any size
        self._is_after_picture = False  # and one is written
        self._links: dict[int, str] = {}  # to open in the block at a row
        self._cited: dict[_Element, int] = {}  # the numbers of the footnotes that it refers to

    @cached_property
    def _captions(self) -> list[int]:
        table, start, stop = self._table, self._start, self._stop
        inside, own = (of[start:stop] for of in (table.flags.inside, table.flags.own))
        rows, end = {*((inside & f.FIGURE).nonzero()[0] + start).tolist()}, 0
        for row in ((own & f.SAYS_CAPTION).nonzero()[0] + start).tolist():
            rows.update(range(max(row, end), end := max(end, table.end[row])))
        lost = (at for at in rows if table.text[at] and not (self._mask[at] or table.link[at]))
        return sorted({*self._kept.captions, *lost})

    @cached_property
    def _caption_units(self) -> list[int]:
        return [0, *accumulate(map(self._table.text_length, self._captions))]

    @cached_property
    def _images(self) -> list[int]:
        node, tag = self._table.node, self._table.tag
        rows = (row for row in range(self._start, self._stop) if tag[row] == "img")
        return [row for row in rows if node[row].get("alt") or not self._is_blank(node[row])]

    def _is_blank(self, image: _Element) -> bool:
        return is_blank(image.get("src", "")) and is_blank(image_url(image, self._base))

    @cached_property
    def _notes(self) -> set[_Element]:
        table = self._table
        rows = {table.node[at]: at for at in reversed(range(self._start, self._stop))}
        notes = (one for one in table.mended.notes.values() if one in rows)
        return {note for note in notes if not self._is_empty(rows[note])}

    @cached_property
    def _shown_before(self) -> list[int]:
        """The number of kept texts before each row of the span."""
        text, mask = (of[self._start : self._stop] for of in (self._table.text, self._mask))
        return [0, *accumulate(map(and_, mask, map(bool, text)))]

    @cached_property
    def _layouts(self) -> set[int]:
        table, layouts = self._table, set[int]()
        for row in range(self._start, self._stop) if "table" in table.tag else ():
            name = table.tag[row]
            if name == "table" and (
                table.node[row].get("role") in {"none", "presentation"} or self._has_one_line(row)
            ):
                layouts.add(row)
            if name in _NOT_IN_CELLS and self._mask[row]:
                above = self._table_around(row)
                if above < self._start or not _holds_data(table, above):
                    layouts.add(above)
        return layouts

    def _table_around(self, row: int) -> int:
        """Return the table with *row* in a cell, if it is no heading of one; else -1."""
        table, above = self._table, self._table.parent[row]
        for _ in range(_LEVELS):
            if above < self._start or table.tag[above] == "table":
                return above
            is_head = table.tag[above] in CELL_TAGS and table.tag[row] in HEADING_TAGS
            if is_head and table.text_length(above) == table.text_length(row):
                break
            above = table.parent[above]
        return -1

    def _has_one_line(self, row: int) -> bool:
        """True if a table has one filled cell, or one row or column of long ones."""
        table = self._table
        cells = [[at for at in line if not self._is_empty(at)] for line in _cells(table, row)]
        lines = [line for line in cells if line]
        sizes = len(lines), max(map(len, lines), default=0)
        longest = max(map(table.text_length, chain.from_iterable(lines)), default=0)
        return min(sizes) < 2 and (max(sizes) < 2 or longest > _CELL_UNITS)

    @cached_property
    def _rows_left(self) -> Counter[int]:
        """The number of rows from one of a table to the end of its group, which no cell leaves."""
        left, of_group = Counter[int](), Counter[int]()
        for row in range(self._stop - 1, self._start - 1, -1):
            if self._table.tag[row] == "tr":
                of_group[self._table.parent[row]] += 1
                left[row] = of_group[self._table.parent[row]]
        return left

    def _is_empty(self, row: int) -> bool:
        before, stop = self._shown_before, min(self._table.end[row], self._stop)
        return before[stop - self._start] == before[row - self._start]

    def write(self, writer: HtmlWriter, row: int) -> None:
        table = self._table
        name, end = table.tag[row], table.end[row]
        if name == TEXT:
            self._text(writer, row)
        elif name == "br":
            writer.line_break(2 if _INDENTED.match(table.node[row].tail or "") else 1)
        elif name == "img":
            self._image(writer, row)
        elif name == "a":
            self._link(writer, row)
        elif name in PLAYERS:
            self._player(writer, row)
        elif name in KEPT_INLINES:
            is_formula = name == "code" and table.classes[row] == FORMULA_CLASS
            writer.inline(name, f' class="{FORMULA_CLASS}"' if is_formula else "", end)
        elif name in CELL_TAGS:
            self._cell(writer, row)
        elif name in KEPT_BLOCKS and row not in self._layouts:
            shown, goes_on = "p" if row == self._kept.deck else name, _is_of_item(table, row)
            writer.block(shown, self._attributes(row), end, goes_on=goes_on)
        elif name in BLOCK_TAGS:
            writer.wrapper(end)
            if name == "summary" and HEADING_TAGS.isdisjoint(table.tag[row:end]):
                writer.inline("strong", "", end)
        if row in self._links:
            writer.inline("a", self._links[row], end)

    def _text(self, writer: HtmlWriter, row: int) -> None:
        """Write a text; white space moves in front of or behind a picture before it."""
        text, node = self._row_text(row), self._table.node[row]
        if self._is_after_picture:
            is_first = self._table.node[self._table.parent[row]] is node
            begins_blank = ((node.text if is_first else node.tail) or " ")[0].isspace()
            is_behind = node.tag == "img" and (node.tail or "")[:1].isspace()
            text = " " * is_behind + text.lstrip() if is_behind or not begins_blank else text
        writer.text(text)
        self._pictures.clear()
        self._is_after_picture = False

    def _link(self, writer: HtmlWriter, row: int) -> None:
        """Begin a link; a link around blocks moves to their heading, or to the first block."""
        table, end = self._table, self._table.end[row]
        href = table.node[row].get("href", "")
        note = table.mended.notes.get(table.node[row])
        if note is not None and note in self._notes:
            url = f"#{NOTE}{self._cited.setdefault(note, len(self._cited) + 1)}"
        elif href in _NOWHERE or not (url := without_tracking(absolute_url(href, self._base))):
            return
        attributes = f' href="{escape(url)}"'
        inside = range(row + 1, min(end, row + _CARD_ROWS))
        blocks = [at for at in inside if table.tag[at] in BLOCK_TAGS and not self._is_empty(at)]
        headings = (at for at in blocks if table.tag[at] in HEADING_TAGS)
        first = next((at for at in inside if table.text[at] and self._mask[at]), row)
        around = (at for at in reversed(blocks) if at < first < table.end[at])
        if block := next(headings, 0) or next(around, 0):
            self._links[block] = attributes
        else:
            writer.inline("a", attributes, blocks[0] if blocks else end)

    def _player(self, writer: HtmlWriter, row: int) -> None:
        node, end = self._table.node[row], self._table.end[row]
        url = image_url(node, self._base).partition("#")[0]  # scripts keep their data behind it
        site = _HOST.match(url)
        is_player = "/embed" in url or not {"allowfullscreen", "controls"}.isdisjoint(node.attrib)
        title = clean_line(" ".join((node.get("title") or node.get("aria-label") or "").split()))
        sizes = [one[:9] for key in ("width", "height") if (one := node.get(key, "")).isdecimal()]
        is_large = min(map(int, sizes), default=_LARGE if title or is_player else 0) >= _LARGE
        if site and is_large and is_shown(node) and self._caption(row) is not None:
            writer.block("p", "", end)
            writer.inline("a", f' href="{escape(url)}"', end)
            writer.text(title or site[1])

    def _attributes(self, row: int) -> str:
        table = self._table
        if number := self._cited.get(table.node[row]):
            return f' id="{NOTE}{number}"'
        if table.tag[row] == "pre" and (language := _language(table, row)):
            return f' class="language-{escape(language)}"'
        if table.tag[row] != "ol":
            return ""
        item = table.node[row].find("li")
        start = table.node[row].get("start", "" if item is None else item.get("value", ""))
        return f' start="{start.strip()}"' if _IS_COUNT.match(start) else ""

    def _image(self, writer: HtmlWriter, row: int) -> None:
        table, node = self._table, self._table.node[row]
        if is_small(node) or is_badge(node) or (caption := self._caption(row)) is None:
            return
        alt = clean_line(" ".join(unescape(node.get("alt") or "").split()))  # some encode it twice
        before = self._shown_before[row - self._start] if row >= self._start else -1
        is_amid = before < 0 or 0 < before < self._shown_before[-1]
        if not (caption or is_amid) and is_button(table, row, self._base, is_above=before == 0):
            return
        url = image_url(node, self._base)
        if not url or is_blank(url) or (name := without_size(url)) in self._pictures:
            return
        self._pictures.add(name)
        decoration = _DECORATION.search(f"{table.classes[row]} {url.rpartition('/')[2].lower()}")
        if decoration is None or (decoration["icon"] and (alt or is_large(table, row))):
            shown = {"src": url, "alt": alt, "title": caption}.items()
            attributes = "".join(f' {key}="{escape(value)}"' for key, value in shown if value)
            writer.image(attributes, is_apart=_is_behind_blank(node))
            self._is_after_picture = True

    def _caption(self, row: int) -> str | None:
        """Return the caption of a picture outside of the text; None without one.

        Text about a picture is kept, or nothing but its caption is near it, or a line with its
        description. Or text before and behind is kept, and it has a caption or no links are near:
        then the picture is part of that. In a thread each picture in a post is.
        """
        table, up, caption = self._table, self._table.parent[row], ""
        if self._kept.is_thread:
            return "" if self._mask[row] else None
        shown, images, units = self._shown_before, self._images, self._caption_units
        alt = letters(table.node[row].get("alt") or "")
        for _ in range(_LEVELS):
            if up < self._start or not self._is_empty(up):
                break
            end, linked = min(table.end[up], self._stop), table.link_length(up)
            first, stop = (bisect_left(self._captions, at) for at in (up, end))
            is_before = shown[end - self._start] < shown[-1]
            is_more = table.text_length(up) > units[stop] - units[first]
            may_name = is_before and not linked and end - up <= _CARD_ROWS
            if is_more and not (may_name and letters("".join(table.text[up:end])) == alt):
                is_between = is_before and shown[up - self._start] > 0
                is_linked = not caption and 2 * linked > table.text_length(up)
                inside = table.flags.inside
                is_other = inside[up] & ~inside[self._start] & _OF_OTHERS > 0
                return caption if is_between and not (is_linked or is_other) else None
            before, behind = (bisect_left(images, at) for at in (up, table.end[up]))
            if images[before : before + 1] == [row] and (not caption or behind == before + 1):
                texts = (table.text[at].strip() for at in self._captions[first:stop])
                caption = clean_line(" ".join(dict.fromkeys(texts)))
            up = table.parent[up]
        return caption

    def _cell(self, writer: HtmlWriter, row: int) -> None:
        table, above = self._table, self._table.parent[row]
        columns, rows = ((table.node[row].get(key) or "").strip() for key in ("colspan", "rowspan"))
        if rows == "0" or (_IS_COUNT.match(rows) and int(rows) > self._rows_left[above]):
            rows = str(self._rows_left[above])
        spans = {"colspan": columns, "rowspan": rows}.items()
        attributes = "".join(f' {key}="{value}"' for key, value in spans if _IS_COUNT.match(value))
        cell = table.tag[row], attributes, table.end[row]
        if self._is_empty(row) and above >= self._start and not self._is_empty(above):
            writer.empty_cell(*cell)
        else:
            writer.block(*cell)


def _holds_data(table: PageTable, row: int) -> bool:
    rows = _cells(table, row)
    several = [cells for cells in rows if len(cells) > 1]
    of_data = [
        max(map(table.text_length, cells)) <= _CELL_UNITS
        and HEADING_TAGS.isdisjoint(table.tag[cells[0] : table.end[cells[-1]]])
        for cells in several
    ]
    return len(rows) > 1 and 2 * sum(of_data) > len(rows)


def _cells(table: PageTable, row: int) -> list[list[int]]:
    parts = table.children(row)
    parts += [at for part in parts if table.tag[part] != "tr" for at in table.children(part)]
    rows = [at for at in parts if table.tag[at] == "tr"]
    return [[at for at in table.children(one) if table.tag[at] in CELL_TAGS] for one in rows]


def _language(table: PageTable, row: int) -> str:
    """Return the programming language declared on the ``pre`` at *row*; or ""."""
    inside = range(row, min(table.end[row], row + _LANGUAGE_ROWS))
    elements = [at for at in inside if table.tag[at] != TEXT]
    for at in [*elements, *table.ancestors(row)[:_LANGUAGE_LEVELS]]:
        names = table.classes[at]
        written = table.node[at].items()
        data = next((one for key, one in written if _LANGUAGE_KEY.fullmatch(key)), "").lower()
        match = _LANGUAGE.search(f"{data} lang-{data} {names}")
        if match and match[1] not in _NO_LANGUAGE:
            return match[1]
        if table.tag[at] in {"pre", "code"} or _HIGHLIGHTER.search(names):
            named = [*names.split(), (table.node[at].get("lang") or "").lower()]
            if language := next(filter(LANGUAGES.__contains__, named), ""):
                return language
    return ""


def _is_of_item(table: PageTable, row: int) -> bool:
    """True if a block is directly in a list, or a list alone in an element that is."""
    above = table.parent[row]
    if table.tag[row] in LISTS and above == row - 1 and table.end[above] == table.end[row]:
        above = table.parent[above] if table.tag[above] in {"div", "li"} else above
    return above >= 0 and table.tag[row] in _OF_ITEMS and table.tag[above] in LISTS


def _is_behind_blank(node: _Element) -> bool:
    for _ in range(_LEVELS):
        before, above = node.getprevious(), node.getparent()
        text = (None if above is None else above.text) if before is None else before.tail
        if not text and before is not None and before.tag in KEPT_INLINES:
            text = "".join(before.itertext())
        if text or before is not None or above is None or above.tag in BLOCK_TAGS:
            return bool(text) and str(text)[-1].isspace()
        node = above
    return False


def walk_html(html: str) -> Iterator[tuple[str, _Element]]:
    """Yield ("start", element) and ("end", element) of clean HTML in document order.

    The ``body`` around them is left out. Any depth: nothing is recursive.
    """
    parser = etree.HTMLParser(huge_tree=True, encoding="utf-8")
    content = f"<!DOCTYPE html><html><body>{html}</body></html>".encode("utf-8", "replace")
    body = etree.fromstring(content, parser)[0]
    for event, element in etree.iterwalk(body, events=("start", "end")):
        if element is not body and isinstance(element.tag, str):
            yield event, element
