"""A page and a sibling side by side, with the lines that an alignment of both trees pairs.

Song et al. 2011: nodes that the alignment pairs are template, so each line has a partner: the lines
in the node that its own node, or the nearest one around it, is paired with.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import groupby, pairwise, zip_longest
from typing import TYPE_CHECKING, NamedTuple

from webclean_scrapy.cleaning.cleaner import Cleaner
from webclean_scrapy.cleaning.templates.alignment import align
from webclean_scrapy.cleaning.templates.learner import MAX_ALIGNED_ROWS
from webclean_scrapy.errors import PageTooLargeError
from webclean_scrapy.report.explain_lines import sibling_notes
from webclean_scrapy.report.wording import shorten

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from webclean_scrapy.cleaning.config import CleanConfig
    from webclean_scrapy.cleaning.page.table import PageTable
    from webclean_scrapy.cleaning.result import Trace
    from webclean_scrapy.cleaning.templates.alignment import AlignConfig

MAX_ROWS = 1_000  # that are drawn of two pages
_EDGE = 10  # rows of a long run of equal rows at each of its ends that are drawn
MAX_CHARACTERS = 300  # of a line
_NOTHING = (0, 0)

Span = tuple[int, int]  # first line and the one behind the last, from 0


class SideLine(NamedTuple):
    """A line of one of both pages."""

    number: int  # from 1
    text: str
    style: str  # of the page: what the sibling says of it; of the sibling: "body" or "other"
    span: Span  # its partners on the other page; (0, 0) for none


class SideRow(NamedTuple):
    """What stands beside each other; *left_out* rows without lines stand for rows not drawn."""

    page: SideLine | None
    sibling: SideLine | None
    is_paired: bool
    left_out: int = 0


class SideBySide(NamedTuple):
    """Both pages, and how many of their nodes are paired."""

    rows: tuple[SideRow, ...]
    pairs: int | None  # nodes; None where the pages are too large to be aligned


def draw_sibling(trace: Trace, config: CleanConfig) -> SideBySide:
    """Return the page of *trace*, cleaned with one sibling alone, beside that sibling.

    Cost: an alignment, and finding the sibling's body.
    """
    (sibling,) = trace.comparison.siblings
    table, other = trace.page.table, sibling.table
    pairs = _pair_rows(table, other, config.align)
    body = frozenset(Cleaner(config).extract(sibling).body.lines)
    forth, back = _partners(table, other, pairs), _partners(other, table, _turned(pairs))
    styles = [next(iter(words), "none") for words in sibling_notes(trace)]
    page = _side(table, styles, forth)
    beside = _side(other, ["body" if n in body else "other" for n in range(len(back))], back)
    anchors = _anchors(forth, back)
    rows = list(_rows(page, beside, anchors))
    return SideBySide(tuple(_shorten(rows)), None if pairs is None else len(pairs))


def _pair_rows(
    table: PageTable, other: PageTable, config: AlignConfig
) -> list[tuple[int, int]] | None:
    if max(len(table), len(other)) > MAX_ALIGNED_ROWS:
        return None
    try:
        return align(table, other, config).pairs
    except PageTooLargeError:
        return None


def _turned(pairs: list[tuple[int, int]] | None) -> list[tuple[int, int]] | None:
    return None if pairs is None else [(right, left) for left, right in pairs]


def _partners(
    table: PageTable, other: PageTable, pairs: list[tuple[int, int]] | None
) -> list[Span]:
    """Return for each line the lines of the node that the nearest node around it is paired with.

    The roots are paired in any case and say nothing. Of pages that were not aligned, the first line
    of equal text. Cost: O(rows).
    """
    if pairs is None:
        place: dict[str, int] = {}
        for number, text in enumerate(other.lines.text):
            place.setdefault(text, number)
        found = (place.get(text) for text in table.lines.text)
        return [_NOTHING if at is None else (at, at + 1) for at in found]
    partner = dict(pairs[1:])
    near: list[int] = []  # of each row the partner of the nearest row around it, or -1
    for row, parent in enumerate(table.parent):
        near.append(partner.get(row, near[parent] if parent >= 0 else -1))
    spans = []
    for row in table.lines.first:
        inside = other.lines_in(near[row]) if near[row] >= 0 else range(0)
        spans.append((inside.start, inside.stop) if inside else _NOTHING)
    return spans


def _anchors(forth: Sequence[Span], back: Sequence[Span]) -> list[tuple[int, int]]:
    """Return the most pairs of single lines, each the other's only partner, that rise in both.

    The longest rising subsequence. Cost: O(lines * log lines).
    """
    mutual = [
        (line, span[0])
        for line, span in enumerate(forth)
        if span[1] - span[0] == 1 and back[span[0]] == (line, line + 1)
    ]
    ends: list[int] = []  # the least right line that a run of each length ends in
    chosen: list[int] = []  # and which pair that is
    before: list[int] = []
    for at, (_, right) in enumerate(mutual):
        length = bisect_left(ends, right)
        before.append(chosen[length - 1] if length else -1)
        if length == len(ends):
            ends.append(right)
            chosen.append(at)
        else:
            ends[length], chosen[length] = right, at
    run: list[tuple[int, int]] = []
    at = chosen[-1] if chosen else -1
    while at >= 0:
        run.append(mutual[at])
        at = before[at]
    return run[::-1]


def _side(table: PageTable, styles: Sequence[str], spans: Sequence[Span]) -> list[SideLine]:
    columns = zip(table.lines.text, styles, spans, strict=True)
    return [
        SideLine(number, shorten(text, MAX_CHARACTERS), style, span)
        for number, (text, style, span) in enumerate(columns, 1)
    ]


def _rows(
    page: list[SideLine], sibling: list[SideLine], anchors: Iterable[tuple[int, int]]
) -> Iterator[SideRow]:
    """Yield the anchors as rows, and between them what is left of both pages, beside each other."""
    ends = [(-1, -1), *anchors, (len(page), len(sibling))]
    for (left, right), (next_left, next_right) in pairwise(ends):
        if left >= 0:
            yield SideRow(page[left], sibling[right], is_paired=True)
        between = zip_longest(page[left + 1 : next_left], sibling[right + 1 : next_right])
        for mine, theirs in between:
            yield SideRow(mine, theirs, is_paired=False)


def _shorten(rows: list[SideRow]) -> Iterator[SideRow]:
    """Yield MAX_ROWS at most: of long runs of like rows the ends, and the first rows of all."""
    if len(rows) <= MAX_ROWS:
        yield from rows
        return
    drawn = 0
    runs = groupby(rows, key=lambda row: (row.is_paired, row.page and row.page.style))
    for _, run in runs:
        members = list(run)
        if len(members) <= 2 * _EDGE and drawn + len(members) <= MAX_ROWS:
            yield from members
            drawn += len(members)
            continue
        edge = _EDGE if drawn + 2 * _EDGE <= MAX_ROWS else 0
        yield from members[:edge]
        yield SideRow(None, None, is_paired=False, left_out=len(members) - 2 * edge)
        yield from members[len(members) - edge :]
        drawn += 2 * edge
