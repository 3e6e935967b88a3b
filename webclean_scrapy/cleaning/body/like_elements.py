"""Find similar elements side by side: cards with a link each, and posts with a date each.

Cards lead to other pages of the site. Posts are what readers wrote, or teasers: what stands many
times beside itself is not the article, but the entries of a live ticker have the same shape, so
they are a feature of the linear model.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.page.row_flags import IMAGE, REPEATABLE
from webclean_scrapy.cleaning.page.walk import TEXT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.page.table import PageTable

_CARD_UNITS = 1_500  # a larger repeated element is a section
_CARD_REPEATS = 3  # fewer like elements do not repeat
_HEADLINE_UNITS = 20  # a shorter link is a name: of a shop, a tool, a place
_TEASER_UNITS = 60  # a shorter line is a label or a date
MIN_TEASERS = 4
_NO_PAGE = ("#", "javascript")
_NAMELESS = frozenset({"li", "article"})


def find_cards(table: PageTable) -> NDArray[np.bool_]:
    """Mark rows that have similar siblings, each with a link and text.

    Alike are elements of one parent with the same tag and first class, digits aside; articles and
    list items whatever their class, which often names what they are about.
    """
    units, linked = table.arrays.units, table.arrays.link_units
    return _find_like(table, (linked > 0) & (linked < units) & (units < _CARD_UNITS))


def find_offers(table: PageTable) -> NDArray[np.bool_]:
    """Mark the lines of rows that have similar siblings, each with a link and a picture.

    On the page of a product these are other products.
    """
    units, linked = table.arrays.units, table.arrays.link_units
    links = [row for row, href in table.hrefs.items() if href and not href.startswith(_NO_PAGE)]
    pictures = (table.flags.own & IMAGE).nonzero()[0]
    fits = (linked > 0) & (units < _CARD_UNITS)
    for rows in (np.array(links, np.int64), pictures):
        fits &= np.searchsorted(rows, table.arrays.end) > np.searchsorted(rows, range(len(table)))
    return table.mark_lines(_find_like(table, fits).nonzero()[0].tolist())


_FACT_UNITS = 60  # a longer line is a text
_LEAST_FACTS = 3  # lines of an element; two are a figure and its name
_EVERY = 3  # lines, of which one has a number


def find_fact_tables(
    table: PageTable, dated: NDArray[np.bool_], within: range
) -> NDArray[np.bool_]:
    """Mark lines of similar elements with three or more short lines, numbers and no links.

    Of the lines *within* alone.

    What is *dated* is a post. A heading of its own may be in each.
    """
    arrays, facts = table.arrays, np.zeros(len(dated), bool)
    rows = (table.flags.own & REPEATABLE).nonzero()[0]
    first, stop = arrays.line_of[rows], arrays.line_of[arrays.end[rows]]
    counts = stop - first
    fit = (counts >= _LEAST_FACTS) & (first >= within.start) & (stop <= within.stop)
    fit &= (arrays.link_units[rows] == 0) & (arrays.units[rows] <= _FACT_UNITS * counts)
    if np.count_nonzero(fit) < _CARD_REPEATS:
        return facts
    numbered = np.zeros(len(dated) + 1, np.int64)
    numbered[np.array(table.lines.numbered, np.int64) + 1] = 1
    numbers = numbered.cumsum()
    fit &= _EVERY * (numbers[stop] - numbers[first]) >= counts
    fits = np.zeros(len(table), bool)
    fits[rows[fit]] = True
    for row in _find_like(table, fits).nonzero()[0].tolist():
        lines = table.lines_in(row)
        short = (table.columns.units[lines.start : lines.stop] <= _FACT_UNITS).all()
        facts[lines.start : lines.stop] |= short and not dated[lines.start : lines.stop].any()
    return facts


def _find_like(table: PageTable, fits: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Mark rows that fit and have similar siblings, most of which fit as well."""
    card = np.zeros(len(table), bool)
    rows = _repeated(table, fits)
    keys = [
        (table.parent[row], tag, "" if tag in _NAMELESS else first_class(table, row))
        for row, tag in ((row, table.tag[row]) for row in rows)
    ]
    count = Counter(keys)
    groups: dict[tuple[int, str, str], list[int]] = {}
    for row, key in zip(rows, keys, strict=True):
        if count[key] >= _CARD_REPEATS and fits[row]:
            groups.setdefault(key, []).append(row)
    for key, members in groups.items():
        if 2 * len(members) > count[key]:
            card[members] = True
    return card


def _repeated(table: PageTable, fits: NDArray[np.bool_]) -> list[int]:
    """Return rows that can repeat: enough share a parent, and at least two of these fit."""
    rows = (table.flags.own & REPEATABLE).nonzero()[0]
    up = table.arrays.parent[rows]
    repeats = np.bincount(up)[up] >= _CARD_REPEATS
    repeats &= np.bincount(up, fits[rows])[up] >= 2  # more than half of them have to
    repeated: list[int] = rows[repeats].tolist()
    return repeated


def first_class(table: PageTable, row: int) -> str:
    """Return the first class of an element, without a number at its end."""
    names = table.classes[row].split(None, 1)
    return names[0].rstrip("-_0123456789") if names else ""


def find_headline_cards(table: PageTable, card: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Mark the lines of cards that open with a linked headline, and of the text it leads to.

    Labels and dates may come before it, the text that it leads to may not.
    """
    inside = np.zeros(len(table.lines), bool)
    for row in card.nonzero()[0].tolist():
        lines = table.lines_in(row)
        if not inside[lines.start : lines.stop].all() and _opens_with_headline(table, lines):
            inside[lines.start : lines.stop] = True
    return inside


def _opens_with_headline(table: PageTable, lines: range) -> bool:
    units, linked = table.lines.units, table.lines.link_units
    for line in lines:
        if linked[line] >= _HEADLINE_UNITS:
            return table.link[table.lines.first[line]]
        if units[line] - linked[line] >= _TEASER_UNITS:
            return False
    return False


def find_teasers(
    table: PageTable,
    card: NDArray[np.bool_],
    headline_card: NDArray[np.bool_],
    weight: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """Mark teasers of other articles: linked headlines with their texts.

    Both are in one line, or in ``article`` elements side by side. A link that a sentence begins
    with is followed by the rest of the sentence; the text behind a headline begins anew. Fewer than
    MIN_TEASERS such lines on a page are none.
    """
    teasers = np.zeros(len(table.lines), bool)
    for line in (headline_card & (weight > 0)).nonzero()[0].tolist():
        teasers[line] = _begins_anew(table, line)
    if teasers.sum() < MIN_TEASERS:
        teasers[:] = False
    for row in card.nonzero()[0].tolist():
        if table.tag[row] == "article":
            lines = table.lines_in(row)
            teasers[lines.start : lines.stop] = headline_card[lines.start : lines.stop].all()
    return teasers


def _begins_anew(table: PageTable, line: int) -> bool:
    units = table.lines.units[line]
    linked = table.lines.link_units[line]
    first, last = table.lines.first[line], table.lines.last[line]
    if not table.link[first] or linked < _HEADLINE_UNITS or units - linked < _TEASER_UNITS:
        return False
    for row in range(first + 1, last + 1):
        if table.tag[row] == TEXT and not table.link[row]:
            text = table.text[row]
            return text[:1].isspace() and text[1:2] not in ":,;-–—(" and not text[1:2].islower()
    return False


_LEVELS = 12  # elements above a dateline that are looked at
_BETWEEN = 6  # elements between two that are alike: the text of the first, a line
_HEAD = 3  # lines at the start of a post, and at its end, among which its date is
_TABLE = frozenset({"tr", "td", "th", "tbody"})


def find_posts(table: PageTable, dated: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Mark lines in similar elements side by side that contain a short line with a date.

    *dated* marks these short lines. Where the element is only the head of a post, as ``dt`` is, the
    elements up to the next head belong to it. Cost: O(lines + datelines x _LEVELS).
    """
    posts = np.zeros(len(dated), bool)
    numbers = dated.nonzero()[0].tolist()
    for line, following in pairwise(numbers):
        rows = table.lines.container[line], table.lines.container[following]
        if table.tag[rows[0]] != table.tag[rows[1]] or not (pair := _side_by_side(table, *rows)):
            continue
        first, second, between = pair
        if _is_post(table, first, line) and _is_post(table, second, following):
            stop, behind = table.end[second], table.end[table.parent[second]]
            for _ in range(between):  # as many elements follow this head as the first
                stop = table.end[stop] if stop < behind else stop
            posts[table.line_of[first] : table.line_of[stop]] = True
    return posts


def _side_by_side(table: PageTable, first: int, second: int) -> tuple[int, int, int] | None:
    """Return the ancestors of two rows that share a parent, if these are similar.

    The third number is how many elements are between them.
    """
    for _ in range(_LEVELS):
        up = table.parent[first]
        if up < 0 or table.end[up] > second:
            break
        first = up
    above = table.parent[first]
    for _ in range(_LEVELS):
        if table.parent[second] == above:
            break
        second = table.parent[second]
        if second < 0:
            return None
    if table.parent[second] != above or first == second or not _alike(table, first, second):
        return None
    between, at = 0, table.end[first]
    while at < second and between <= _BETWEEN:
        between, at = between + 1, table.end[at]
    return (first, second, between) if at == second else None


def _is_post(table: PageTable, row: int, dateline: int) -> bool:
    """True if an element is the head of a post, or holds a text with its dateline at one end."""
    lines = table.lines_in(row)
    at_end = dateline < lines.start + _HEAD or dateline >= lines.stop - _HEAD
    return table.tag[row] == "dt" or (len(lines) > 1 and at_end and table.tag[row] not in _TABLE)


def _alike(table: PageTable, first: int, second: int) -> bool:
    return table.tag[first] == table.tag[second] and (
        first_class(table, first) == first_class(table, second)
    )
