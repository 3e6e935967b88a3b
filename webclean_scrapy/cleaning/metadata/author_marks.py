"""The elements that name an author: by their class, by ``rel`` and ``itemprop``, by their link.

Microformats (hCard, rel-author) and what sites call the place of a byline.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote

from webclean_scrapy.cleaning.page.row_flags import COMMENTS, RELATED
from webclean_scrapy.cleaning.page.walk import TEXT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from webclean_scrapy.cleaning.page.table import PageTable

MAX_LEVELS = 6  # above a text
MAX_LINES = 6  # of an element; a larger one is no byline
MAX_ROWS = 60
MAX_TEXT = 60  # characters of a link to an author
MAX_TOGETHER = 2  # lines between the marks of several authors

_NAMED = re.compile(
    r"author(?!i[sz])|(?<![a-z])autor|auteur|byline|by-line|(?<![a-z])(?:writer|writtenby|postedby"
    r"|contributor|journalist|redakteur|verfasser|vcard)|posted-by|written-by"
)
_NAME_ALONE = re.compile(r"author[-_]{0,2}name|(?<![a-z])(?:vcard|fn)(?![a-z])")
_NOT_LETTER = re.compile(r"[\W_]+")
# What is said of an author beside the name, in an element of its own.
_BESIDE = re.compile(
    r"(?:author|autor|byline|writer|contributor)s?[a-z]{0,4}[-_]{1,2}(?:role|title|position|job|date"
    r"|time|bio|desc|label|avatar|image|img|photo|social|links?|meta-date|about|info__role)\b"
    r"|comment|repl(?:y|ies)"
)
_ADDRESS = re.compile(
    r"/(?:authors?|autor(?:en|es|ka|zy)?|auteurs?|autori|contributors?|writers?|columnists?"
    r"|journalists?|reporters?|redaktion|profiles?|people|staff|by)/[^/?#]|[?&]author=[^&]",
    re.IGNORECASE,
)
# In the addresses of authors' pages, but not in those of people and profiles.
_AUTHORS_PAGE = (
    "author", "autor", "auteur", "contrib", "writer", "column", "journal", "report", "redak",
)  # fmt: skip


@dataclass(slots=True)
class _Mark:
    """The elements that name the authors of one byline: the texts of each."""

    elements: list[tuple[str, ...]]
    is_sure: bool  # they hold the names alone, not a whole byline
    last_line: int


def find_author_marks(
    table: PageTable, lines: Iterable[int]
) -> Iterator[tuple[list[tuple[str, ...]], bool]]:
    """Yield the bylines in *lines*: the texts of each element, and whether these are names alone.

    Elements of one tag and class that follow each other are one byline. Cost: O(lines), not of the
    page; elements that hold more than a few lines are not looked at.
    """
    last: dict[tuple[str, str], _Mark] = {}  # by tag and class
    seen: set[int] = set()
    marks: list[_Mark] = []
    for line in lines:
        for row, is_sure in _marked_in(table, line):
            if row in seen:
                continue
            seen.add(row)
            kind = table.tag[row], table.classes[row]
            before = last.get(kind)
            if before and abs(line - before.last_line) <= MAX_TOGETHER:
                before.elements.append(_texts(table, row))
                before.last_line = line
                continue
            last[kind] = _Mark([_texts(table, row)], is_sure, line)
            marks.append(last[kind])
    yield from ((mark.elements, mark.is_sure) for mark in marks)


def lone_author_link(table: PageTable) -> str | None:
    """Return the text of the page's links to an author with that name; None with several authors.

    Lists of other articles link to their authors, too. Cost: one look at each link.
    """
    found: dict[str, int] = {}
    for row, href in table.hrefs.items():
        is_authors = any(name in href for name in _AUTHORS_PAGE)
        if is_authors and (link := _ADDRESS.search(href)):
            text = " ".join(_texts(table, row))
            if " " in text and len(text) <= MAX_TEXT and _is_in(table, row, link):
                found[text] = row
    names = [text for text, row in found.items() if not table.flags.inside[row] & COMMENTS]
    return names[0] if len(names) == 1 else None


def _marked_in(table: PageTable, line: int) -> Iterator[tuple[int, bool]]:
    """Yield the elements of a line that name an author, and whether they are sure."""
    first, last = table.lines.first[line], table.lines.last[line]
    if table.flags.inside[first] & (COMMENTS | RELATED):
        return
    for row in range(first, min(last, first + MAX_ROWS) + 1):
        if table.tag[row] == TEXT and table.text[row].strip():
            found = _marked_above(table, row)
            if found is not None:
                yield found


def _marked_above(table: PageTable, row: int) -> tuple[int, bool] | None:
    """Return the innermost element around a text that names an author, and whether it is sure."""
    for _ in range(MAX_LEVELS):
        row = table.parent[row]
        if row < 0 or table.line_of[table.end[row]] - table.line_of[row] > MAX_LINES:
            return None
        get = table.node[row].get
        names = f"{table.classes[row]} {table.ident[row]}"
        if _BESIDE.search(names):
            return None
        if "author" in (get("itemprop") or ""):
            return row, True
        if table.tag[row] == "a":
            if "author" in (get("rel") or "").lower():
                return row, True
            if link := _ADDRESS.search(get("href") or ""):
                return row, _is_in(table, row, link)
        if _NAMED.search(names):
            return row, _NAME_ALONE.search(names) is not None
    return None


def _is_in(table: PageTable, row: int, link: re.Match[str]) -> bool:
    """True if the address of an author has the text of its link in it."""
    slug = unquote(link.string[link.end() - 1 :])
    text = "".join(_texts(table, row))
    return _NOT_LETTER.sub("", text).lower() in _NOT_LETTER.sub("", slug).lower()


def _texts(table: PageTable, row: int) -> tuple[str, ...]:
    """Return the texts inside an element, in order."""
    rows = range(row, min(table.end[row], row + MAX_ROWS))
    found = (" ".join(table.text[at].split()) for at in rows if table.tag[at] == TEXT)
    return tuple(filter(None, found))
