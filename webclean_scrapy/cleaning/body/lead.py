"""Add the lead: what stands between the headline of a text and its first line.

It is two or three in a hundred of a text, so the walk may leave it outside. Where the headline is,
its first paragraph belongs to the text, whatever is between of bylines, dates and labels.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.body.models import with_lines
from webclean_scrapy.cleaning.body.reasons.about_page import is_about_page
from webclean_scrapy.cleaning.body.reasons.names import NOT, TITLE
from webclean_scrapy.cleaning.body.signs import MIN_JACCARD
from webclean_scrapy.cleaning.body.wording import ends_sentence, states_rights
from webclean_scrapy.cleaning.page import row_flags as f
from webclean_scrapy.cleaning.page.tags import HEADING_TAGS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.body.evidence import Evidence
    from webclean_scrapy.cleaning.body.models import Body
    from webclean_scrapy.cleaning.page.table import PageTable

_MOST_BETWEEN = 12  # lines from the title on in which a lead is looked for
_UNITS, _LEAST = range(40, 601), 60  # of a lead; of one without the end of a sentence
#: That a line is body, 0..1: of the first paragraph, of one behind a picture, of another one.
_FIRST_LIKELY, _PICTURED_LIKELY, _LIKELY = 0.2, 0.75, 0.66
#: Characters of a heading that is a lead; of one like other headings, or directly above its text.
#: No units: those of a Chinese heading are as many as those of a sentence elsewhere.
_DECK, _LONG_DECK = 50, 80
#: Elements in which no lead is: by their names, by what they are.
_NO_NAMES = f.NAMED_PROMPT | f.RELATED | f.COMMENTS | f.CONSENT | f.NAMED_AUTHOR
_NO_PLACES = f.QUOTE | f.FIGURE | f.NOT_SHOWN
#: A class that says how a browser places an element.
_PLACED = re.compile(r"(?<!\S)(?:\S{0,20}\W)?relative(?!\S)")
_TEASER = "teaser"  # in a class: of a paragraph below a title the lead, elsewhere another text's
_EXCERPT = "excerpt"  # in a class: what systems cut out of a text, or write for lists of pages


def take_lead(evidence: Evidence, body: Body, probability: NDArray[np.float64]) -> Body:
    """Return the *body* with the lead between the title and its first line.

    *probability* is that of each line.
    """
    table, title = evidence.table, evidence.signs.title_line
    if body.row is None or not body.lines:
        return body
    if title is None:  # the page names another one in its head
        blocks = table.lines.container[: body.lines[0]]
        heads = (line for line, row in enumerate(blocks) if table.tag[row] == "h1")
        title = max((line for line in heads if evidence.excluded[line] == NOT), default=None)
    if title is None:
        return body
    between = range(title + 1, min(body.lines[0], title + 1 + _MOST_BETWEEN))
    lead = [line for line in between if _is_lead(evidence, title, line, probability[line])]
    if len(between) > 1:
        lead = sorted({*lead, *_points(evidence, between)})
    body = with_lines(evidence, body, lead) if lead else body
    return replace(body, deck=_find_deck(evidence, body, title))


def heading_row(table: PageTable, line: int) -> int:
    """Return the row of the heading that a line is in; 0 outside of headings."""
    row = table.lines.container[line]
    if not table.flags.own[row] & f.HEADING:
        return 0
    while table.tag[row] not in HEADING_TAGS:
        row = table.parent[row]
    return row


def _is_lead(evidence: Evidence, title: int, line: int, chance: float) -> bool:
    """True if a line below the *title*, of this *chance* to be body, is a lead."""
    table, signs, columns = evidence.table, evidence.signs, evidence.table.columns
    units, linked = table.lines.units[line], table.lines.link_units[line]
    if (
        evidence.excluded[line] != NOT
        or units not in _UNITS
        or signs.title_similarity[line] >= MIN_JACCARD
        or _is_elsewhere(evidence, title, line)
    ):
        return False
    ends, rows = ends_sentence(table.lines.text[line]), [columns.block[line], columns.second[line]]
    is_excerpt = any(_EXCERPT in table.classes[row] for row in rows)
    is_other = signs.post[line] or signs.repeats[line]
    if any(evidence.weights[title + 1 : line]):
        is_other |= linked > 0 or signs.stream[line] or is_excerpt
        return bool(ends and chance > _LIKELY and not is_other)
    own = np.bitwise_or.reduce(table.flags.own[rows])
    is_caption = own & f.SAYS_CAPTION or (signs.after_image[line] and chance < _PICTURED_LIKELY)
    lower = table.lines.lower_starts[line]
    if is_caption or 2 * linked >= units or states_rights(lower):
        return False
    is_whole = ends or (not linked and (units >= _LEAST or own & f.HEADING))
    is_likely = chance > (_LIKELY if is_excerpt else _FIRST_LIKELY)
    is_likely &= not (is_other or signs.dated[line] or is_about_page(lower))
    return bool(signs.described[line] or (is_whole and is_likely))


def _is_elsewhere(evidence: Evidence, title: int, line: int) -> bool:
    """True if an element around a line, but not around the headline, holds no lead."""
    table, excluded = evidence.table, evidence.excluded
    row, inside = table.lines.container[line], table.flags.inside
    title = max(at for at in range(title, line) if at == title or excluded[at] == TITLE)
    says, places = 0, inside[row]
    while table.line_of[row] > title:
        names = _PLACED.sub("", f"{table.classes[row]} {table.ident[row]}")
        is_alone = len(table.lines_in(row)) == 1
        says |= f.read_names(names.replace(_TEASER, "") if is_alone else names)
        row = table.parent[row]
    return bool(says & _NO_NAMES or places & ~inside[row] & _NO_PLACES)


def _find_deck(evidence: Evidence, body: Body, title: int) -> int | None:
    """Return the row of a heading right below the *title* that is no heading, but the lead.

    It has a markup of its own, and its size or another element parts it from the text below.
    """
    table, lines = evidence.table, body.lines[bisect_left(body.lines, title + 1) :]
    row = heading_row(table, lines[0]) if lines and lines[0] <= title + _MOST_BETWEEN else 0
    count = bisect_left(lines, table.line_of[table.end[row]])
    if not row or table.tag[row] == "h1" or count == len(lines):
        return None
    size = sum(len(table.lines.text[line]) for line in lines[:count])
    is_long = size >= _LONG_DECK
    heads = [row, *dict.fromkeys(heading_row(table, line) for line in lines[count:])]
    marks = [(table.tag[at], is_long and table.classes[at]) for at in heads]
    below, own = table.lines.container[lines[count]], table.flags.own
    while own[table.parent[below]] & (f.ITEM | f.GROUP):
        below = table.parent[below]
    is_apart = is_long or table.parent[below] != table.parent[row]
    return row if size >= _DECK and is_apart and marks.count(marks[0]) == 1 else None


def _points(evidence: Evidence, between: range) -> list[int]:
    """Return the heading right below the title and the items below it: a text in short."""
    table, (heading, first) = evidence.table, between[:2]
    block = table.lines.container[first]
    items = table.lines_in(table.parent[block])
    is_list = table.tag[block] == "li" and items.start == first < items.stop - 1
    is_headed = table.flags.own[table.lines.container[heading]] & f.HEADING
    if not (is_list and is_headed) or table.flags.inside[block] & (_NO_NAMES | _NO_PLACES):
        return []
    lines = slice(heading, items.stop)
    is_text = not (table.columns.linked[lines].any() or evidence.excluded[lines].any())
    if not is_text or any(map(is_about_page, table.lines.lower_starts[lines])):
        return []
    return list(between[: len(items) + 1])
