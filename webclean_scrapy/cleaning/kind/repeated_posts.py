"""Posts of several people, as in a forum: like elements, each with its date and its own author.

Entries of a live ticker have a time and no authors, those of a blog's front page have headings of
their own that lead on, so neither are posts. Our choice, not of a paper; no names of classes are
read.
"""

from __future__ import annotations

import re
from itertools import accumulate, compress, islice
from typing import TYPE_CHECKING, NamedTuple

from webclean_scrapy.cleaning.body.wording import DATE
from webclean_scrapy.cleaning.page.paragraphs import SENTENCE_END

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from webclean_scrapy.cleaning.page.table import PageTable

_ENTRIES = 3  # an article may be followed by another
_POSTS = 2  # like elements with a date each that make a discussion
_DATE_UNITS = 120  # a longer line with a date in it is no dateline
_AUTHOR_UNITS = 60  # a longer link is no name
_LEVELS = 12  # elements above a dateline that are looked at
_GROUPS = 8  # groups that are looked into; the outermost come first
_MEMBERS = 40  # of a group
_ROWS = 4_000  # of a member
_LEAD = 400  # units of paragraphs before the first post: these are comments on an article
_HEADINGS = frozenset({"h1", "h2", "h3"})
_AGO = re.compile(
    r"\b\d+ ?(?:min|minute|hour|day|week|month|year|hr|h|d)s? ago\b|\byesterday\b"
    r"|[\d半几]+ ?(?:秒|分钟|小时|天|周|个?月|年)前|[昨前]天"
)
_MAY_DATE = re.compile(r"[\d几半昨前]|[Yy]esterday").search  # quicker than to try in vain
_REPLY = re.compile(r"^\s*(?:re|aw|回复|回覆)\s*[:：]\s*", re.IGNORECASE)


class Repeats(NamedTuple):
    """Shares of the body's text, 0..1, that are in like elements with a date each."""

    posts: float  # of several people
    entries: float  # under a heading each that leads to the whole of it


def find_repeats(table: PageTable, kept: Sequence[int], weights: Sequence[int]) -> Repeats:
    """Return how much of the body, the lines *kept*, is in posts or entries.

    *weights* are those of the lines as paragraphs. Cost: O(lines), and at most _GROUPS x _MEMBERS x
    _ROWS.
    """
    units, of_body = table.lines.units, [0] * len(table.lines)
    for line in kept:
        of_body[line] = units[line]
    before = [0, *accumulate(of_body)]
    lead = [0, *accumulate(weights)]
    posts = entries = looked = 0
    for rows in _dated_groups(table, weights, _beside_like(table, before)):
        spans = map(table.lines_in, rows)
        inside = sum(before[span.stop] - before[span.start] for span in spans)
        if inside > min(posts, entries) and looked < _GROUPS:
            looked += 1
            members = [_read_member(table, row, weights) for row in islice(rows, _MEMBERS)]
            if lead[table.line_of[rows[0]]] < _LEAD and _are_posts(members):
                posts = max(posts, inside)
            elif _are_entries(members):
                entries = max(entries, inside)
    whole = before[-1] or 1
    return Repeats(posts / whole, entries / whole)


def _beside_like(table: PageTable, before: Sequence[int]) -> list[int]:
    """Return the lines in like elements (parent, tag, class) of which one holds body text.

    No other lines count, and on most pages there are few. *before* has the units of the body
    before each line. Cost: O(children of the elements that hold body text).
    """
    tag, classes, line_of, end = table.tag, table.classes, table.line_of, table.end
    beside = bytearray(len(table.lines))
    waiting = [0]
    while waiting:
        row = waiting.pop()
        named: dict[tuple[str, str], list[int]] = {}
        holding: set[tuple[str, str]] = set()
        child, stop = row + 1, end[row]
        while child < stop:
            behind, name = end[child], None
            if classes[child]:
                name = tag[child], classes[child]
                named.setdefault(name, []).append(child)
            if behind > child + 1 and before[line_of[behind]] > before[line_of[child]]:
                waiting.append(child)
                if name is not None:
                    holding.add(name)
            child = behind
        for name in holding:
            if len(named[name]) >= _POSTS:
                for like in named[name]:
                    first, last = line_of[like], line_of[end[like]]
                    beside[first:last] = b"\1" * (last - first)
    return list(compress(range(len(beside)), beside))


def _dated_groups(
    table: PageTable, weights: Sequence[int], candidates: Iterable[int]
) -> Iterator[list[int]]:
    """Yield the rows of like elements (parent, tag, class) that hold a dateline each.

    *candidates* are the lines that may be one. A date in a paragraph is part of the text: a
    timeline is an article.
    """
    lines = table.lines
    dated: dict[tuple[int, str, str], dict[int, None]] = {}
    for line in candidates:
        start = lines.lower_starts[line]
        if lines.units[line] > _DATE_UNITS or not _MAY_DATE(lines.text[line]):
            continue
        if (DATE.search(start) or _AGO.search(start)) and not _is_paragraph(table, line, weights):
            row = lines.container[line]
            for _ in range(_LEVELS):
                if table.classes[row]:
                    key = (table.parent[row], table.tag[row], table.classes[row])
                    dated.setdefault(key, {})[row] = None
                row = table.parent[row]
                if row < 0:
                    break
    for key in sorted(dated):
        if len(dated[key]) >= _POSTS:
            yield list(dated[key])


def _is_paragraph(table: PageTable, line: int, weights: Sequence[int]) -> bool:
    """True if a line weighs as a paragraph and reads as one; on a page without any, all weigh."""
    lines = table.lines
    return weights[line] > 0 and (
        lines.units[line] > _DATE_UNITS or SENTENCE_END.search(lines.text[line]) is not None
    )


class _Member(NamedTuple):
    """The content of one of several similar elements."""

    links: frozenset[str]  # short links outside headings and paragraphs
    headings: frozenset[str]
    leads_on: bool  # a heading is a link


def _are_posts(members: Sequence[_Member]) -> bool:
    """True if each has a link that others lack, such as its author's, and no heading of its own.

    Those of posts repeat the subject.
    """
    headings = frozenset().union(*(member.headings for member in members))
    common = members[0].links.intersection(*(member.links for member in members))
    return len(headings) <= 1 and sum(bool(each.links - common) for each in members) >= _POSTS


def _are_entries(members: Sequence[_Member]) -> bool:
    """True if they are the posts of a blog's front page, one below the other."""
    leading = [member.headings for member in members if member.leads_on]
    return len(leading) >= _ENTRIES and len(frozenset().union(*leading)) >= len(leading)


def _read_member(table: PageTable, row: int, weights: Sequence[int]) -> _Member:
    links: set[str] = set()
    headings: set[str] = set()
    leads_on = False
    at, stop = row + 1, min(table.end[row], row + _ROWS)
    while at < stop:
        tag, end = table.tag[at], table.end[at]
        if tag == "a" and 0 < table.text_length(at) <= _AUTHOR_UNITS:
            line = table.line_of[end] - 1  # that its last text is part of
            if not _is_paragraph(table, line, weights):
                links.add("".join(table.text[at:end]).strip())
        elif tag in _HEADINGS and table.text_length(at):
            headings.add(_REPLY.sub("", "".join(table.text[at:end])).strip())
            leads_on = leads_on or table.link_length(at) > 0
        else:
            end = at + 1
        at = end
    return _Member(frozenset(links), frozenset(headings), leads_on)
