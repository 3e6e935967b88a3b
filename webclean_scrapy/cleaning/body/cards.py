"""Cards: like elements side by side with a link each, which lead to other pages of the site."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.page.row_flags import REPEATABLE
from webclean_scrapy.cleaning.page.walk import TEXT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.page.table import PageTable

_CARD_UNITS = 1_500  # a larger repeated element is a section
_CARD_REPEATS = 3  # fewer like elements do not repeat
_HEADLINE_UNITS = 20  # a shorter link is a name: of a shop, a tool, a place
_TEASER_UNITS = 60  # a shorter line is a label or a date
MIN_TEASERS = 4
_NAMELESS = frozenset({"li", "article"})


def find_cards(table: PageTable) -> NDArray[np.bool_]:
    """Mark the rows that have siblings like themselves, each with a link and text.

    Alike are elements of one parent with the same tag and first class, digits aside; articles and
    list items whatever their class, which often names what they are about.
    """
    card = np.zeros(len(table), bool)
    units, linked = table.arrays.units, table.arrays.link_units
    fits = (linked > 0) & (linked < units) & (units < _CARD_UNITS)
    rows = _repeated(table, fits)
    keys = [(table.parent[row], table.tag[row], _card_class(table, row)) for row in rows]
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
    """Return the rows that may repeat: enough of them have one parent, and two of these fit."""
    rows = np.flatnonzero(table.flags.own & REPEATABLE)
    up = table.arrays.parent[rows]
    repeats = np.bincount(up)[up] >= _CARD_REPEATS
    repeats &= np.bincount(up, fits[rows])[up] >= 2  # more than half of them have to
    repeated: list[int] = rows[repeats].tolist()
    return repeated


def _card_class(table: PageTable, row: int) -> str:
    if table.tag[row] in _NAMELESS:
        return ""
    names = table.classes[row].split(None, 1)
    return names[0].rstrip("-_0123456789") if names else ""


def find_headline_cards(table: PageTable, card: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Mark the lines of the cards that open with a linked headline: it and what it leads to.

    Labels and dates may come before it, the text that it leads to may not.
    """
    inside = np.zeros(len(table.lines), bool)
    for row in np.flatnonzero(card).tolist():
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
    weights: Sequence[int],
) -> NDArray[np.bool_]:
    """Mark the lines of other articles: linked headlines with the text that belongs to them.

    Both are in one line, or in ``article`` elements side by side. A link that a sentence begins
    with is followed by the rest of the sentence; the text behind a headline begins anew. Fewer than
    MIN_TEASERS such lines on a page are none.
    """
    teasers = np.zeros(len(table.lines), bool)
    for line in np.flatnonzero(headline_card & (np.array(weights) > 0)).tolist():
        teasers[line] = _begins_anew(table, line)
    if teasers.sum() < MIN_TEASERS:
        teasers[:] = False
    for row in np.flatnonzero(card).tolist():
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
            return text[:1].isspace() and text[1:2] not in ":,;-–—" and not text[1:2].islower()
    return False
