"""Find comments and forum posts, each with its author and date.

Each stands around a line with a date, in an element of the same kind as the others, which holds no
other such line unless it is a reply. Teasers of other articles have that shape too; they are told
from posts by their linked headlines.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections import Counter
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from webclean_scrapy.cleaning.metadata.dates import parse_date
from webclean_scrapy.cleaning.page import row_flags as f
from webclean_scrapy.cleaning.words.phrases import any_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.page.table import PageTable

    _Signature = tuple[str, str]  # tag and first class

MAX_POSTS = 1_000
MAX_DATES = 8  # in a post, on average: written, joined, edited; those of its replies
_LEVELS = 12  # elements above a date that are looked at
_GROUPS = 4  # kinds of posts on a page: questions, answers, comments on them
_DATE_LINE = 120  # characters; a longer line with a date is text
_NAME = 40  # characters of an author
_MIN_UNITS = 8  # of a post
_DAY = len("2026-11-30")
_HEADLINE = 0.6  # share of links in the text of a teaser
_AGO = re.compile(rf"\b\d+\s?{any_of('ago', run_on=False)}\b|\d+\s?{any_of('ago', run_on=True)}")
_PERSON = re.compile(
    r"author|user(?!content)|(?<![a-z])(?:nick|name|poster|fn|vcard|byline)|member"
)
_PROFILE = re.compile(
    r"(?:^|/)(?:users?|u|profiles?|members?|people|author|space)(?:[/.?_-]|\.php)|[?&]uid="
)
_DIGITS = "-_0123456789"
_DIGIT = re.compile(r"\d")


class Comment(NamedTuple):
    """A comment on the page, or a post of a forum."""

    author: str | None
    date: str | None  # ISO 8601; None too where it is only said how long ago
    text: str


class Post(NamedTuple):
    """A post of a thread: its text, and where its author and date are stated."""

    lines: tuple[int, ...]  # of the text, rising
    around: range  # of lines: the post, with what is beside it and about no other


def find_comments(table: PageTable, dated: Iterable[int], after: int = -1) -> list[Comment]:
    """Return the comments in the order of the page, or the posts of a forum.

    *dated*: the short lines with a date; *after*: the last row of an article, which what is no post
    may stand before. Cost: O(rows + dated lines x levels).
    """
    stated = _stated_dates(table, dated)
    groups, owner = _groups(table, sorted(stated)[: 2 * MAX_POSTS])
    found: list[tuple[int, Comment]] = []
    for rows in groups:
        read = ((row, _read(table, row, owner, stated)) for row in rows)
        posts = [(row, post) for row, post in read if post is not None]
        inside = sum(bool(table.flags.inside[row] & f.COMMENTS) for row in rows)
        signed = sum(post.author is not None for _, post in posts)
        if after < min(rows) and (after < 0 or 2 * max(inside, signed) > len(rows)):
            found += posts
    return [comment for _, comment in sorted(found, key=itemgetter(0))][:MAX_POSTS]


def read_thread(table: PageTable, dated: Iterable[int], posts: Sequence[Post]) -> list[Comment]:
    """Return the *posts* of a thread; author and date are stated beside the text of each.

    The date is the first with a time of day, for a post may be edited, else the last: its author
    joined before. The author is the person named nearest to it, by a link if there is one.
    """
    if not posts:
        return []
    stated, texts = _stated_dates(table, dated), table.lines.text
    beside = [sorted({*post.around}.difference(post.lines)) for post in posts[:MAX_POSTS]]
    names = [list(_names(table, lines)) for lines in beside]
    said: dict[_Signature, set[str]] = {}
    for name in chain.from_iterable(names):
        said.setdefault(name.slot, set()).add(name.text)
    read: list[Comment] = []
    for post, lines, named in zip(posts, beside, names, strict=False):
        dates = [(date, line) for line in lines if (date := stated.get(line))]
        timed = [date for date in dates if len(date[0]) > _DAY]
        date, at = min(timed) if timed else max(dates, default=(None, post.lines[0]))
        likely = [
            (not name.is_link, len(said[name.slot]) == 1, abs(name.line - at), name.text)
            for name in named  # a rank is the same of all who have it
        ]
        text = "\n".join(texts[line].strip() for line in post.lines)
        read.append(Comment(min(likely)[-1] if likely else None, date, text))
    return read


def _groups(table: PageTable, lines: Sequence[int]) -> tuple[list[list[int]], NDArray[np.int64]]:
    """Return the rows of dated posts around *lines*, one list per kind of element.

    And for each row of the page the post that it is in: of a reply within a comment, the reply.
    Posts are elements of the same tag and class, at least two of them side by side. The kind with
    most text comes first, of several the outermost; others may stand around its posts, not in them.
    """
    dates = Counter(row for line in lines for row in _around(table, line))
    kinds: dict[_Signature, list[int]] = {}
    for row in dates:
        kinds.setdefault((table.tag[row], _first_class(table, row)), []).append(row)
    ranked = []
    for kind, rows in kinds.items():
        beside = Counter(table.parent[row] for row in rows)
        if max(beside.values()) > 1 and sum(dates[row] for row in rows) <= MAX_DATES * len(rows):
            units = sum(int(table.arrays.units[row] - table.arrays.link_units[row]) for row in rows)
            depth = min(table.arrays.depth[row] for row in rows)
            ranked.append((-round(math.log(1 + units) * 8), depth, kind))
    taken: dict[int, _Signature] = {}
    owner = np.full(len(table) + 1, -1)
    groups: list[list[int]] = []
    for _, _, kind in sorted(ranked):
        rows = [row for row in kinds[kind] if owner[row] < 0 or taken[owner[row]] == kind]
        if len(rows) < 2:
            continue
        for row in rows:
            taken[row] = kind
            inside = owner[row : table.end[row]]
            np.maximum(inside, row, out=inside)
        groups.append(rows)
        if len(groups) == _GROUPS:
            break
    return groups, owner


def _around(table: PageTable, line: int) -> Iterator[int]:
    """Yield the elements around a line that hold other lines as well."""
    row = table.lines.container[line]
    for _ in range(_LEVELS):
        if row < 0 or table.flags.own[row] & f.WHOLE:
            return
        if len(table.lines_in(row)) > 1:
            yield row
        row = table.parent[row]


def _stated_dates(table: PageTable, dated: Iterable[int]) -> dict[int, str | None]:
    """Return the date of each short line with one; None for unreadable dates."""
    texts = table.lines.text
    dates: dict[int, str | None] = dict.fromkeys(dated)
    for line, text in enumerate(texts):
        if len(text) > _DATE_LINE or not _DIGIT.search(text):
            continue
        if (date := parse_date(text)) or _AGO.search(text):
            dates[line] = date
    for row, tag in enumerate(table.tag):
        line = table.line_of[table.end[row]] - 1  # the last that begins before its end
        if tag == "time" and line >= 0 and len(texts[line]) <= _DATE_LINE:
            dates[line] = parse_date(table.node[row].get("datetime") or "") or dates.get(line)
    return dates


def _first_class(table: PageTable, row: int) -> str:
    names = table.classes[row].split(None, 1)
    return names[0].rstrip(_DIGITS) if names else ""


def _read(
    table: PageTable, row: int, owner: NDArray[np.int64], stated: Mapping[int, str | None]
) -> Comment | None:
    """Read the comment in an element; None for one without text, or a teaser."""
    own = [line for line in table.lines_in(row) if owner[table.lines.container[line]] == row]
    dates = [line for line in own if line in stated]
    author, author_line = _author(table, row, own)
    date, date_line = _date(dates, stated)
    about = {author_line, date_line, *(line for line in dates if line <= date_line)}
    lines = _text_lines(table, row, own, about)
    units = sum(table.lines.units[line] for line in lines)
    linked = sum(table.lines.link_units[line] for line in lines)
    if units < _MIN_UNITS or linked > _HEADLINE * units:
        return None
    return Comment(author, date, "\n".join(table.lines.text[line].strip() for line in lines))


def _text_lines(table: PageTable, top: int, own: list[int], about: set[int]) -> list[int]:
    """Return the lines of the comment's text: its named text element, or all but links.

    Such an element does not hold the lines *about* the post.
    """
    units, linked, container = table.lines.units, table.lines.link_units, table.lines.container
    plain = [line for line in own if linked[line] < units[line] and line not in about]
    others = sorted(container[line] for line in about if line >= 0)
    named: Counter[int] = Counter()
    for line in plain:
        row, chosen = container[line], -1
        while row > top and bisect_left(others, row) == bisect_left(others, table.end[row]):
            if table.flags.own[row] & f.SAYS_BODY:
                chosen = row
            row = table.parent[row]
        named[chosen] += units[line]
    best = max((row for row in named if row >= 0), key=lambda row: named[row], default=-1)
    if best < 0 or 2 * named[best] < named.total():
        return plain
    return [line for line in own if best <= container[line] < table.end[best]]


def _author(table: PageTable, top: int, lines: list[int]) -> tuple[str | None, int]:
    """Return the author's name in a post and its line, by class name or profile link."""
    return next(((name.text, name.line) for name in _names(table, lines, top)), (None, -1))


class _Name(NamedTuple):
    line: int
    text: str
    is_link: bool
    slot: _Signature  # of the innermost element around it with a class


def _names(table: PageTable, lines: Iterable[int], top: int = -1) -> Iterator[_Name]:
    """Yield the names of persons on *lines*, below the row *top*."""
    for line in lines:
        for row in range(table.lines.first[line], table.lines.last[line] + 1):
            text = table.text[row].strip()
            is_name = 1 < len(text) <= _NAME and text[-1] != ":" and _is_person(table, row, top)
            if is_name and not parse_date(text):
                named = table.parent[row]
                while named > 0 and not table.classes[named]:
                    named = table.parent[named]
                slot = table.tag[named], _first_class(table, named)
                yield _Name(line, text, table.link[row], slot)


def _is_person(table: PageTable, row: int, top: int) -> bool:
    for _ in range(3):
        row = table.parent[row]
        if row <= top:
            return False
        names = f"{table.classes[row]} {table.ident[row]}".lower()
        if _PERSON.search(names):
            return True
        if table.tag[row] == "a":
            node = table.node[row]
            return bool(_PROFILE.search(node.get("href") or "")) or node.get("rel") == "author"
    return False


def _date(lines: list[int], stated: Mapping[int, str | None]) -> tuple[str | None, int]:
    """Return the date of a post and its line: the most exact one, then the latest.

    That on which its author joined is a day, and earlier.
    """
    dates = [(len(date) > _DAY, date, -line) for line in lines if (date := stated[line])]
    if not dates:
        return None, lines[0] if lines else -1
    _, date, line = max(dates)
    return date, -line
