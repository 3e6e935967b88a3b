"""Read a list by its entries: all of them, each once, without the labels that they share.

A slot is what the lines of one markup are in the entries: their titles, their texts, their prices.
Words that most entries have in a slot say nothing of one of them: "Add to cart", "Read more". They
are found by that, without the words of a language.
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from webclean_scrapy.cleaning.body.models import with_lines, without_lines
from webclean_scrapy.cleaning.body.reasons.names import NOT
from webclean_scrapy.cleaning.page.row_flags import (
    ARTICLE,
    ASIDE,
    CELL,
    HEADER,
    HEADING,
    ITEM,
    NAV,
)
from webclean_scrapy.cleaning.units.groups import unit_around

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from webclean_scrapy.cleaning.body.evidence import Evidence
    from webclean_scrapy.cleaning.body.models import Body
    from webclean_scrapy.cleaning.page.table import PageTable

_LEAST_LINES = 4  # of a slot
_MOSTLY = 0.6  # share of the lines of a slot, 0..1
_LABEL_UNITS = 60  # a longer line is a text
_LEAST_LOST = 0.9  # of the text of the body, in the entries beside it; less may be other offers
_TITLE_UNITS = 10  # a shorter link is a button


def read_entries(evidence: Evidence, body: Body) -> Body:
    """Return the *body* of a list with all entries, and each of them once. Cost: O(rows)."""
    table = evidence.table
    if lost := _find_lost(evidence, body):
        body = with_lines(evidence, body, lost)
    body = without_lines(evidence, body, _find_labels(table, body.lines), "label")
    return without_lines(evidence, body, _find_copies(table, body.lines), "repeated")


def _slots(table: PageTable, lines: Iterable[int]) -> Iterator[list[int]]:
    """Yield the *lines* of each markup that has enough of them."""
    slots: dict[int, list[int]] = {}
    for line in lines:
        slots.setdefault(int(table.signatures[line]), []).append(line)
    return (slot for slot in slots.values() if len(slot) >= _LEAST_LINES)


def _find_lost(evidence: Evidence, body: Body) -> list[int]:
    """Find the lines of entries beside the *body*, if they have nearly as much text as it has.

    Their titles are headings of one markup below the title of the page. The walk leaves them for a
    text about the list, above or below it.
    """
    table = evidence.table
    inside = table.around_flags
    fits = (evidence.excluded == NOT) & (inside & (NAV | ASIDE) == 0)
    fits &= inside & (HEADER | ARTICLE) != HEADER  # of the page, not of an entry
    fits[: 0 if body.title_line is None else body.title_line + 1] = False
    fits[list(body.lines)] = False
    headings = fits & (table.block_flags & HEADING > 0)
    units = table.columns.units
    before = np.concatenate([[0], (units * fits).cumsum()])
    most = _LEAST_LOST * units[list(body.lines)].sum()
    found: list[range] = []
    for slot in _slots(table, headings.nonzero()[0].tolist()):
        entries = _entries_of(table, slot)
        size = sum(before[each.stop] - before[each.start] for each in entries)
        if size >= most:
            most, found = size, entries
    return [line for each in found for line in each if fits[line]]


def _entries_of(table: PageTable, titles: list[int]) -> list[range]:
    """Return the lines of each entry, given their *titles*, if most of these differ."""
    if len({table.lines.text[line] for line in titles}) < _MOSTLY * len(titles):
        return []
    rows = sorted({*table.columns.block[titles].tolist()})
    borders = [-1, *rows, len(table)]
    sides = zip(rows, borders, borders[2:], strict=False)
    return [table.lines_in(unit_around(table, *each)) for each in sides]


def _find_labels(table: PageTable, lines: Iterable[int]) -> list[int]:
    """Return the lines that have the words of most lines of their slot.

    Cells and items of lists are values: many products have the same.
    """
    is_value = table.block_flags & (CELL | ITEM) > 0
    may_be = (table.columns.units <= _LABEL_UNITS) & ~is_value
    texts = table.lines.text
    found: list[int] = []
    for slot in _slots(table, lines):
        label, count = Counter(texts[line] for line in slot).most_common(1)[0]
        if count >= max(_LEAST_LINES, _MOSTLY * len(slot)):
            found += [line for line in slot if texts[line] == label and may_be[line]]
    return sorted(found)


class _Place(NamedTuple):
    """Where a text stands beside a link."""

    line: int
    slot: int
    run: int  # the number of the run of lines beside one link


def _find_copies(table: PageTable, lines: Iterable[int]) -> list[int]:
    """Return the lines whose text stands above, too, beside a link to the same address.

    In the same slot, as where a page has its entries again for small screens, or in the same run
    of lines, as the name below a picture that is named. A title, which is a link, begins a copy;
    what else repeats may be true of both. Of two, a heading stays.
    """
    own, units = table.block_flags, table.columns.units
    is_title = (units >= _TITLE_UNITS) & (2 * table.columns.linked >= units)
    rows, addresses = list(table.hrefs), list(table.hrefs.values())
    places: dict[tuple[str, str], _Place] = {}
    found: list[int] = []
    address, run, copied = "", 0, -1
    for line in lines:
        if table.lines.link_units[line]:
            link = addresses[bisect(rows, table.lines.last[line]) - 1]
            run += link != address
            address = link
        text = table.lines.text[line], address
        here = _Place(line, int(table.signatures[line]), run)
        first = places.setdefault(text, here)
        if first is here or (first.slot != here.slot and first.run != run):
            continue
        if copied != run and not is_title[line]:
            continue
        copied = run
        if own[line] & HEADING and not own[first.line] & HEADING:
            places[text] = here
            found.append(first.line)
        else:
            found.append(line)
    return sorted(found)
