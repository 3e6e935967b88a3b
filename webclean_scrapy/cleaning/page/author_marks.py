"""The elements that name an author: by their class, by ``rel`` and ``itemprop``, by their link.

Microformats (hCard, rel-author) and what sites call the place of a byline.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.page.row_flags import COMMENTS, RELATED
from webclean_scrapy.cleaning.page.walk import TEXT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from webclean_scrapy.cleaning.page.table import PageTable

MAX_LEVELS = 6  # above a text
MAX_LINES = 6  # of an element; a larger one is no byline
MAX_ROWS = 60
MAX_TOGETHER = 4  # lines between the marks of several authors

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


@dataclass(frozen=True, slots=True)
class AuthorMark:
    """The texts of one element that names an author."""

    texts: tuple[str, ...]
    line: int
    is_sure: bool  # it holds the name alone, not a whole byline


def find_author_marks(table: PageTable, lines: Iterable[int]) -> list[AuthorMark]:
    """Return the marks in *lines*, in their order, each element once.

    Cost: O(lines), not of the page; elements that hold more than a few lines are not looked at.
    """
    marks: dict[int, AuthorMark] = {}
    inside = table.flags.inside
    for line in lines:
        first, last = table.lines.first[line], table.lines.last[line]
        if inside[first] & (COMMENTS | RELATED):
            continue
        for text_row in range(first, min(last, first + MAX_ROWS) + 1):
            if table.tag[text_row] != TEXT or not table.text[text_row].strip():
                continue
            found = _marked_above(table, text_row)
            if found is not None and found[0] not in marks:
                row, is_sure = found
                marks[row] = AuthorMark(_texts(table, row), line, is_sure)
    return list(marks.values())


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
        if "author" in f"{get('rel') or ''} {get('itemprop') or ''}".lower():
            return row, True
        if table.tag[row] == "a" and (link := _ADDRESS.search(get("href") or "")):
            return row, _is_in(table, row, link.string[link.end() - 1 :])
        if _NAMED.search(names):
            return row, _NAME_ALONE.search(names) is not None
    return None


def _is_in(table: PageTable, row: int, slug: str) -> bool:
    """Whether the address of an author has the text of its link in it."""
    text = "".join(_texts(table, row))
    return _NOT_LETTER.sub("", text).lower() in _NOT_LETTER.sub("", slug).lower()


def _texts(table: PageTable, row: int) -> tuple[str, ...]:
    """Return the texts inside an element, in order."""
    rows = range(row, min(table.end[row], row + MAX_ROWS))
    found = (" ".join(table.text[at].split()) for at in rows if table.tag[at] == TEXT)
    return tuple(filter(None, found))
