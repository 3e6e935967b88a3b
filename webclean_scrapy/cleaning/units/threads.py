"""Read a thread by its posts: what somebody wrote, without the data about who wrote it.

The places of the posts are the group of elements that holds most of the page's text, little else,
and a dateline in each unit. What else is in a unit is data: names, ranks, counts, dates, buttons.
Each text counts once: what a post quotes, and what a preview repeats, stands above.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.body.reasons.names import EXCLUSIONS, NOT, REPEATED
from webclean_scrapy.cleaning.body.wording import DATE
from webclean_scrapy.cleaning.metadata.comments import Post
from webclean_scrapy.cleaning.page.removals import POST_DATA, Removal, removals_of
from webclean_scrapy.cleaning.page.row_flags import PRE
from webclean_scrapy.cleaning.page.weights import SubtreeWeights
from webclean_scrapy.cleaning.units.groups import are_inside, find_groups, overlap, unit_around

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.body.evidence import Evidence
    from webclean_scrapy.cleaning.body.models import Body
    from webclean_scrapy.cleaning.page.table import PageTable
    from webclean_scrapy.cleaning.units.groups import Group

# Shares are 0..1 of the weight of the page's paragraphs, unless stated otherwise.
_LEAST_SHARE = 0.3  # of the first group
_LEAST_FURTHER = 0.08  # of a further group, of other posts
_LEAST_DATED = 0.5  # of the units of such a group have a dateline
_MOST_OF_ONE = 0.95  # of the weight of a group, in one of its elements
_LEAST_INNER = 0.9  # of the weight of a group, in the groups that it is divided into
_FIRST_POST = 200  # weight of what stands between the title and the first unit; less is no post
_LABEL_UNITS = 60  # a longer line is no label


def read_posts(evidence: Evidence, body: Body) -> Body:
    """Return the *body* of a thread with the texts of its posts alone, if posts are found.

    Cost: O(rows x depth).
    """
    table = evidence.table
    places, first_unit = _find_places(evidence)
    kept = table.mark_lines(places) & (evidence.excluded == NOT)
    kept[_repeated_texts(evidence, places, kept)] = False
    kept[_labels(table, places, kept)] = False
    spans = [(row, table.end[row]) for row in places]
    if first_post := _first_post(evidence, body, first_unit):
        kept[first_post] = True
        rows = table.lines.first[first_post[0]], table.lines.last[first_post[-1]] + 1
        spans.insert(0, rows)
    if not kept.any():
        return body
    found = _with_only(evidence, body, kept.nonzero()[0].tolist(), spans)
    return replace(found, posts=tuple(_posts(evidence, found, spans)))


def _first_post(evidence: Evidence, body: Body, first_unit: int) -> list[int]:
    """Return the lines of a post between the title and the first unit, in a place of its own."""
    table = evidence.table
    title = -1 if body.title_line is None else body.title_line
    before = [line for line in body.lines if title < line < table.line_of[first_unit]]
    paragraphs = [line for line in before if evidence.weights[line]]
    if evidence.weight[paragraphs].sum() < _FIRST_POST:
        return []
    block, last = table.lines.container[paragraphs[0]], table.lines.last[paragraphs[-1]]
    around = table.lines_in(_element_around(table, block, last + 1))
    return [line for line in before if line in around]


def _posts(evidence: Evidence, body: Body, spans: list[tuple[int, int]]) -> Iterator[Post]:
    """Yield the posts in *spans*.

    The author and the date of a post stand in its unit; a unit without a date has them above it.
    """
    table, dated = evidence.table, evidence.signs.dated
    title = -1 if body.title_line is None else body.title_line
    befores = [-1, *(first for first, _ in spans)]
    afters = [*(first for first, _ in spans[1:]), len(table)]
    start = title + 1
    for (first, stop), before, after in zip(spans, befores, afters, strict=False):
        unit = table.lines_in(unit_around(table, first, before, after))
        begin = unit.start if dated[unit.start : unit.stop].any() else min(start, unit.start)
        around = range(begin, max(unit.stop, table.line_of[stop]))
        start = around.stop
        begins, ends = (bisect_left(body.lines, table.line_of[row]) for row in (first, stop))
        if begins < ends:
            yield Post(body.lines[begins:ends], around)


def _with_only(
    evidence: Evidence, body: Body, lines: list[int], spans: list[tuple[int, int]]
) -> Body:
    """Return the *body* with *lines* alone, which stand in *spans* of rows, rising."""
    table = evidence.table
    top = _element_around(table, spans[0][0], spans[-1][1])
    inside = chain(*(range(table.line_of[first], table.line_of[stop]) for first, stop in spans))
    others = sorted({*inside}.difference(lines))
    whys = (("line", EXCLUSIONS[why] or EXCLUSIONS[REPEATED]) for why in evidence.excluded[others])
    beside = Removal("line", POST_DATA, tuple(_between(table, top, spans)))
    return replace(
        body,
        row=top,
        lines=tuple(lines),
        paragraphs=sum(evidence.weights[line] > 0 for line in lines),
        removals=(beside, *removals_of(table, zip(others, whys, strict=True))),
    )


def _element_around(table: PageTable, first: int, stop: int) -> int:
    """Return the innermost element around the rows from *first* to *stop*."""
    row = table.parent[first]
    while table.end[row] < stop:
        row = table.parent[row]
    return row


def _between(
    table: PageTable, top: int, spans: Iterable[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """Yield the elements under *top* that are beside *spans*, with all that they hold."""
    row, end = top + 1, table.end
    for first, stop in (*spans, (end[top], end[top])):
        while row < first:
            if end[row] <= first:
                yield row, end[row]
            row = end[row] if end[row] <= first else row + 1
        row = max(row, stop)


def _find_places(evidence: Evidence) -> tuple[list[int], int]:
    """Return the rows whose texts are posts, rising, and the unit of the first."""
    table = evidence.table
    weights = SubtreeWeights(table, _without_copies(evidence)).every
    groups = [
        group
        for group in find_groups(table, weights, evidence.signs.dated)
        if weights[group.rows].max() < _MOST_OF_ONE * group.weight
    ]
    rows: list[int] = []
    units: list[int] = []
    least, least_dated = _LEAST_SHARE * evidence.total, 0.0
    while True:
        fits = [
            group
            for group in groups
            if group.weight >= least
            and group.dated >= least_dated
            and not overlap(table, group.rows, units)
        ]
        if not fits:
            return sorted(rows), min(units, default=0)
        best = max(fits, key=_score)
        rows += _divide(table, best, groups)
        units += best.units
        least, least_dated = _LEAST_FURTHER * evidence.total, _LEAST_DATED


def _score(group: Group) -> float:
    return group.weight * group.purity**3 * (1 + group.dated)


def _without_copies(evidence: Evidence) -> list[int]:
    """Return the weights of the lines, 0 for those whose text stands above already."""
    texts, weights = evidence.table.lines.text, evidence.weights
    first = {texts[line]: line for line in reversed(range(len(texts))) if weights[line]}
    return [
        weight if first.get(text) == line else 0
        for line, (text, weight) in enumerate(zip(texts, weights, strict=True))
    ]


def _divide(table: PageTable, whole: Group, groups: list[Group]) -> list[int]:
    """Return the elements inside *whole* that hold nearly all its text and less else, if any.

    So a question and its answers are told from the comments below them, which stand in the units of
    the group with the best score and are left out.
    """
    parts: list[Group] = []
    rows: list[int] = []
    for group in sorted(groups, key=_score, reverse=True):
        is_wrapper = group.weight >= _LEAST_INNER * whole.weight and group.purity <= whole.purity
        if is_wrapper or overlap(table, group.rows, rows):
            continue
        if are_inside(table, group.rows, whole.rows):
            parts.append(group)
            rows = [*rows, *group.rows]
    weight = sum(part.weight for part in parts)
    if weight < max(_LEAST_INNER * whole.weight, whole.purity * sum(map(table.text_length, rows))):
        return whole.rows
    first, *others = parts
    posts = [part for part in others if not are_inside(table, part.rows, first.units)]
    return [*first.rows, *chain(*(part.rows for part in posts))]


def _labels(table: PageTable, places: list[int], kept: NDArray[np.bool_]) -> list[int]:
    """Return short *kept* lines whose words stand in two places, but not all lines of a place."""
    texts, flags = table.lines.text, table.around_flags
    short = kept & (table.columns.units <= _LABEL_UNITS) & (flags & PRE == 0)
    counts = Counter(
        text
        for row in places
        for text in {texts[line] for line in table.lines_in(row) if short[line]}
    )
    found: list[int] = []
    for row in places:
        lines = table.lines_in(row)
        labels = [line for line in lines if short[line] and counts[texts[line]] > 1]
        found += labels if len(labels) < kept[lines.start : lines.stop].sum() else ()
    return found


def _repeated_texts(evidence: Evidence, places: list[int], kept: NDArray[np.bool_]) -> list[int]:
    """Find the *kept* lines that quote another post, and the lines that introduce the quotation.

    A line quotes another post if that post has the same text. Short lines count only inside a
    quotation, where one line may hold the introduction and the text. The dateline above it and the
    lines around it that are no paragraphs introduce it: they say who wrote it, and when.
    """
    table, texts, is_own = evidence.table, evidence.table.lines.text, kept & (evidence.weight > 0)
    is_part, is_quoting = _parts_of_posts(table, places, kept)
    is_quoted = is_quoting[table.columns.block]
    seen: set[str] = set()
    copies: list[int] = []
    for line in sorted(kept.nonzero()[0].tolist(), key=is_quoted.__getitem__):
        last = table.text[table.lines.last[line]].strip() if is_quoted[line] else texts[line]
        if (is_own[line] or is_quoted[line]) and not seen.isdisjoint((last, texts[line])):
            copies.append(line)
        seen.add(texts[line])
    is_own[copies] = False
    before = np.concatenate([[0], is_own.cumsum()])
    found: set[int] = set()
    for line in copies:
        around, row = range(line, line + 1), table.lines.container[line]
        while row >= 0:
            lines = table.lines_in(row)
            is_last = lines.stop == line + 1 and (is_part[row] or not is_quoted[line])
            if not (is_last or is_quoting[row]) or before[lines.stop] > before[lines.start]:
                break
            around, row = lines, table.parent[row]
        found.update(around)
        lead = max(around.start - 1, 0)
        if is_quoted[line] and not is_own[lead] and DATE.search(table.lines.lower_starts[lead]):
            found.add(lead)
    return sorted(found)


def _parts_of_posts(
    table: PageTable, places: list[int], kept: NDArray[np.bool_]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Mark the rows that hold some, not all, lines of a post, and those in quotations among them.

    Some software writes a post as a quotation.
    """
    before, starts = np.concatenate([[0], kept.cumsum()]), table.arrays.line_of
    sizes = before[starts[table.arrays.end]] - before[starts[:-1]]
    is_part, is_quoting = np.zeros((2, len(table)), bool)
    for place in places:
        rows = slice(place, table.end[place])
        is_part[rows] = sizes[rows] < sizes[place]
    for row in is_part.nonzero()[0].tolist():
        if table.tag[row] == "blockquote" and not is_quoting[row]:  # marked with the outer one
            is_quoting[row : table.end[row]] = True
    return is_part, is_quoting
