"""Cards: like elements side by side, each with a link. What leads to other pages of the site."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.extract.facts import REPEATABLE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webclean_scrapy.extract.facts import RowFacts
    from webclean_scrapy.page.table import PageTable

_CARD_UNITS = 1_500  # a larger repeated element is a section
_CARD_REPEATS = 3  # fewer like elements do not repeat
_HEADLINE_UNITS = 20  # a shorter link is a name: of a shop, a tool, a place
_NAMELESS = frozenset({"li", "article"})


def find_cards(table: PageTable, facts: RowFacts) -> NDArray[np.bool_]:
    """Mark the rows that stand beside like ones, each with a link and text.

    Alike are elements of one parent with the same tag and first class, digits aside; articles and
    list items whatever their class, which often names what they are about.
    """
    card = np.zeros(len(table), bool)
    rows = np.flatnonzero(facts.own & REPEATABLE).tolist()
    keys = [(table.parent[row], table.tag[row], _card_class(table, row)) for row in rows]
    count = Counter(keys)
    linked: dict[tuple[int, str, str], list[int]] = {}
    fits = (facts.links > 0) & (facts.links < facts.text) & (facts.text < _CARD_UNITS)
    for row, key in zip(rows, keys, strict=True):
        if count[key] >= _CARD_REPEATS and fits[row]:
            linked.setdefault(key, []).append(row)
    for key, members in linked.items():
        if 2 * len(members) > count[key]:
            card[members] = True
    return card


def _card_class(table: PageTable, row: int) -> str:
    if table.tag[row] in _NAMELESS:
        return ""
    names = table.classes[row].split(None, 1)
    return names[0].rstrip("-_0123456789") if names else ""


def find_headline_cards(table: PageTable, card: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Mark the lines of the cards that open with a linked headline: it and what it leads to."""
    inside = np.zeros(len(table.lines), bool)
    for row in np.flatnonzero(card).tolist():
        lines = table.lines_in(row)
        if (
            lines
            and table.link[table.lines.first[lines.start]]
            and table.lines.link_units[lines.start] >= _HEADLINE_UNITS
        ):
            inside[lines.start : lines.stop] = True
    return inside
