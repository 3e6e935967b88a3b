"""Features of the layout of text: in one stretch, in cards, in posts, under headings.

The *shape* of a body is how its lines lie: in one stretch, or one by one between links. *Posts* of
several people, as in a forum, are like elements, each with its date and its own author. Entries of
a live ticker have a time and no authors, those of a blog's front page have headings of their own
that lead on, so neither are posts. Our choice, not of a paper; no names of classes are read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import accumulate, compress, islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from webclean_scrapy.cleaning.body.wording import CLOSERS, DATE, SENTENCE_ENDS
from webclean_scrapy.cleaning.page.lines import SENTENCE_END
from webclean_scrapy.cleaning.page.row_flags import HEADING, PARAGRAPH

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.body.evidence import Evidence
    from webclean_scrapy.cleaning.body.models import Body
    from webclean_scrapy.cleaning.page.table import PageTable

_CARD_LEVELS = 5  # elements above a line that are looked at
_HEADLINE_UNITS = 12  # a shorter link line is no headline
_ENDS = SENTENCE_ENDS | frozenset(",;:，；：、،")  # of a line of verse or of a list too


@dataclass(frozen=True, slots=True)
class BodyShape:
    run: int  # units of the longest stretch of kept paragraphs without a link line in between
    teaser_share: float  # of the paragraphs that have a link line beside them, 0..1
    card_share: float  # of the text that lies in repeated like elements with links, 0..1
    post_share: float  # of the text in like elements with a date and an author each, 0..1
    entry_share: float  # of the text in entries, each under a heading that leads to it, 0..1
    ended_share: float  # of the text in lines that end in a punctuation mark, 0..1


def measure_shape(evidence: Evidence, kept: Sequence[int]) -> BodyShape:
    """Return the shape of the body that consists of the lines *kept*. Cost: O(lines)."""
    headline = _headlines(evidence)
    paragraphs = [line for line in kept if evidence.weights[line]]
    beside = sum(any(headline[max(line - 2, 0) : line + 2]) for line in paragraphs)
    units = evidence.table.lines.units
    text = sum(units[line] for line in kept)
    cards = int(evidence.table.columns.units[_in_cards(evidence, kept)].sum())
    repeats = find_repeats(evidence.table, kept, evidence.weights)
    texts = evidence.table.lines.text
    ended = (line for line in kept if texts[line].rstrip(CLOSERS)[-1:] in _ENDS)
    return BodyShape(
        run=_longest_run(evidence, kept, headline),
        teaser_share=beside / len(paragraphs) if paragraphs else 0.0,
        card_share=cards / text if text else 0.0,
        post_share=repeats.posts,
        entry_share=repeats.entries,
        ended_share=sum(units[line] for line in ended) / text if text else 0.0,
    )


def _headlines(evidence: Evidence) -> list[bool]:
    """Return for each line whether it is one link, as long as a headline; a menu is several."""
    columns, table = evidence.table.columns, evidence.table
    headline: list[bool] = ((columns.units >= _HEADLINE_UNITS) & ~columns.plain).tolist()
    for line, is_headline in enumerate(headline):
        if is_headline:
            first, last = table.lines.first[line], table.lines.last[line]
            headline[line] = "a" not in table.tag[first : last + 1]
    return headline


def _longest_run(evidence: Evidence, kept: Sequence[int], headline: Sequence[bool]) -> int:
    body, best, run = set(kept), 0, 0
    units = evidence.table.lines.units
    for line, breaks in enumerate(headline):
        if line in body and evidence.weights[line]:
            run += units[line]
            best = max(best, run)
        elif breaks:
            run = 0
    return best


def _in_cards(evidence: Evidence, kept: Sequence[int]) -> NDArray[np.int64]:
    """Return which of the lines *kept* have a card close above them."""
    table, lines = evidence.table, np.array(kept, np.int64)
    rows = table.columns.block[lines]
    found = np.zeros(len(lines), bool)
    for _ in range(_CARD_LEVELS):
        found |= (rows >= 0) & evidence.signs.card[rows]
        rows = np.where(rows >= 0, table.arrays.parent[rows], -1)
    numbers: NDArray[np.int64] = lines[found]
    return numbers


#: The features of the text.
TEXT = (
    "one stretch is the body", "paragraphs of one element", "posts",
    "entries under headings that lead on", "paragraph elements",
    "headings among the paragraphs", "a heading every few sentences", "quotations",
    "links in link blocks", "cards on the page",
)  # fmt: skip
_has_quotation = re.compile('["“”„«»「『]').search  # people are quoted in news, not in offers
_EVERY = 500  # units of the body to a heading
_SHORT = 500  # units of a body of which the shares count half


def text_signs(evidence: Evidence, body: Body, shape: BodyShape) -> dict[str, float]:
    """Return what the text says of the kind of the page, by feature, 0..1. Cost: O(rows).

    *shape* is that of the body.
    """
    table, columns = evidence.table, evidence.table.columns
    kept = np.array(body.lines, np.int64)
    units, own = columns.units[kept], table.flags.own[columns.block[kept]]
    text, page = max(int(units.sum()), 1), max(table.text_length(0), 1)
    much = text / (text + _SHORT)  # a sentence is no sign of an article
    often = _EVERY * int(np.count_nonzero(own & HEADING)) / text
    between = _count_headings(evidence, body)
    quoted = sum(_has_quotation(table.lines.text[line]) is not None for line in body.lines)
    in_card = np.zeros(len(table), bool)
    for row in np.flatnonzero(evidence.signs.card).tolist():
        in_card[row : table.end[row]] = True
    return {
        "one stretch is the body": much * shape.run / text,
        "paragraphs of one element": much * _share_of_one(evidence, kept),
        "posts": shape.post_share,
        "entries under headings that lead on": shape.entry_share,
        "paragraph elements": much * float(units[own & PARAGRAPH > 0].sum()) / text,
        "headings among the paragraphs": between / (between + body.paragraphs + 1),
        "a heading every few sentences": often / (often + 1),
        "quotations": quoted / (len(kept) + 1),
        "links in link blocks": evidence.signs.link_blocks.links_share,
        "cards on the page": float(np.diff(table.arrays.text_before)[in_card].sum()) / page,
    }


def _share_of_one(evidence: Evidence, kept: NDArray[np.int64]) -> float:
    """Return the largest share of the paragraphs' weight that is side by side in one element.

    An article is one column. Who sells something lays each of its merits out in a box.
    """
    weights = np.array(evidence.weights, np.int64)[kept]
    if not weights.any():
        return 0.0
    above = evidence.table.arrays.parent[evidence.table.columns.block[kept]]
    return float(np.bincount(above + 1, weights).max() / weights.sum())


def _count_headings(evidence: Evidence, body: Body) -> int:
    """Return how many headings that are no links are between title and end of the body."""
    if not body.lines:
        return 0
    columns, first = evidence.table.columns, body.lines[0]
    if body.title_line is not None:
        first = min(first, body.title_line)
    among = slice(first, body.lines[-1] + 1)
    is_heading = evidence.table.flags.own[columns.block[among]] & HEADING > 0
    return int(np.count_nonzero(is_heading & columns.plain[among]))


_ENTRIES = 3  # an article may be followed by another
_POSTS = 2  # like elements with a date each that make a discussion
_DATE_UNITS = 120  # a longer line with a date in it is no dateline
_AUTHOR_UNITS = 60  # a longer link is no name
_DATE_LEVELS = 12  # elements above a dateline that are looked at
_GROUPS = 8  # groups that are looked into; the outermost come first
_MEMBERS = 40  # of a group
_ROWS = 4_000  # of a member
_LEAD = 400  # units of paragraphs before the first post: these are comments on an article
_SUBJECTS = frozenset({"h1", "h2", "h3"})
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
            for _ in range(_DATE_LEVELS):
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
        elif tag in _SUBJECTS and table.text_length(at):
            headings.add(_REPLY.sub("", "".join(table.text[at:end])).strip())
            leads_on = leads_on or table.link_length(at) > 0
        else:
            end = at + 1
        at = end
    return _Member(frozenset(links), frozenset(headings), leads_on)
