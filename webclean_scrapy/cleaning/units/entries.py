"""Read a list by its entries: all of them, each once, without the labels that they share.

A slot is what the lines of one markup are in the entries: their titles, their texts, their prices.
Words that most entries have in a slot say nothing of one of them: "Add to cart", "Read more". They
are found by that, without the words of a language.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter
from dataclasses import replace
from itertools import chain, zip_longest
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from webclean_scrapy.cleaning.body.models import with_lines, without_lines
from webclean_scrapy.cleaning.body.reasons.names import NOT
from webclean_scrapy.cleaning.page.removals import LABEL, Removal
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

_DIGITS = re.compile(r"\d+")
_LEAST_LINES = 4  # of a slot
_MOSTLY = 0.6  # share of the lines of a slot, 0..1
_MOST_MISSED = 0.25  # share of the lines of a slot, 0..1
_LABEL_UNITS = 60  # a longer line is a text
_LEAST_LOST = 0.9  # of the text of the body, in the entries beside it; less may be other offers
_TITLE_UNITS = 10  # a shorter link is a button
_JOINED_BEFORE, _JOINED_BEHIND = tuple(",;:/([{、，；：（［【"), tuple(",;:/)]}、，；：）］】")


def read_entries(evidence: Evidence, body: Body) -> Body:
    """Return the *body* of a list with all entries, and each of them once. Cost: O(rows)."""
    table = evidence.table
    if lost := _find_lost(evidence, body):
        body = with_lines(evidence, body, lost)
    if missed := _find_missed(evidence, body):
        body = with_lines(evidence, body, missed)
    body = without_lines(evidence, body, _find_labels(table, body.lines), LABEL)
    body = _without_label_links(evidence, body)
    return without_lines(evidence, body, _find_copies(table, body.lines), "repeated")


def _slots(table: PageTable, lines: Iterable[int]) -> Iterator[list[int]]:
    """Yield the *lines* of each markup that has enough of them."""
    names = [(tag, _DIGITS.sub("", classes)) for tag, _, classes in table.labels]
    label, block, second = table.label, table.columns.block, table.columns.second
    slots: dict[tuple[tuple[str, str], tuple[str, str]], list[int]] = {}
    for line in lines:
        key = names[label[block[line]]], names[label[second[line]]]
        slots.setdefault(key, []).append(line)
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


def _find_missed(evidence: Evidence, body: Body) -> list[int]:
    """Find lines that were left out of slots most of whose lines are text, as the last price."""
    table, kept = evidence.table, {*body.lines, body.title_line}
    if body.row is None:
        return []
    shown = [line for line in table.lines_in(body.row) if table.lines.units[line]]
    found: list[int] = []
    for slot in _slots(table, shown):
        missed = [line for line in slot if line not in kept]
        found += missed if len(missed) <= _MOST_MISSED * len(slot) else ()
    return sorted(found)


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

    Cells and items of lists are values: many products have the same. A heading that is a link is a
    title, whatever its words.
    """
    own = table.block_flags
    is_title = (own & HEADING > 0) & (table.columns.linked > 0)
    may_be = (table.columns.units <= _LABEL_UNITS) & (own & (CELL | ITEM) == 0) & ~is_title
    texts = table.lines.text
    found: list[int] = []
    for slot in _slots(table, lines):
        label, count = Counter(texts[line] for line in slot).most_common(1)[0]
        if count >= max(_LEAST_LINES, _MOSTLY * len(slot)):
            found += [line for line in slot if texts[line] == label and may_be[line]]
    return sorted(found)


def _without_label_links(evidence: Evidence, body: Body) -> Body:
    """Return the *body* without links whose words say nothing of where they lead.

    In a slot the same words lead to different pages, as what is done with each entry does, or to
    none: "Details" in a cell, "Add to cart" behind a price. A link to one page names what the
    entries share.
    """
    table = evidence.table
    found = _find_label_links(table, body.lines)
    whole = [line for line in sorted(found) if not _says_more(table, line, found[line])]
    body = without_lines(evidence, body, whole, LABEL)
    kept = found.keys() - {*whole}
    spans = sorted((row, table.end[row]) for line in kept for row in found[line])
    if not spans:
        return body
    return replace(body, removals=(*body.removals, Removal("line", LABEL, tuple(spans))))


def _find_label_links(table: PageTable, lines: Iterable[int]) -> dict[int, list[int]]:
    """Return the rows of such links, by line.

    They are about as many as the different words of links in the slot, or more. Where they are
    most of the text they are the entries: the months of each year.
    """
    links, text = list(table.hrefs), table.text
    own = table.block_flags
    is_title = own & HEADING > 0
    found: dict[int, list[int]] = {}
    for slot in _slots(table, lines):
        places: dict[str, list[tuple[int, int]]] = {}
        for line in slot:
            for row in () if is_title[line] else _links_in(table, links, line):
                words = "".join(text[row : table.end[row]]).strip()
                places.setdefault(words, []).append((line, row))
        least = max(_LEAST_LINES, _MOSTLY * len(places))
        same = [each for each in places.values() if len(each) >= least and _lead_away(table, each)]
        labels = sorted(chain.from_iterable(same))
        if len(same) < len(places):  # among links with words of their own such an item is one, too
            labels = [(line, row) for line, row in labels if not _is_item(table, line)]
        if not labels:
            continue
        size = sum(table.text_length(row) for _, row in labels)
        around = table.text_before[table.end[labels[-1][1]]] - table.text_before[labels[0][1]]
        for line, row in labels if size < _MOSTLY * around else ():
            found.setdefault(line, []).append(row)
    return found


def _says_more(table: PageTable, line: int, links: list[int]) -> bool:
    """True if the *line* has a letter or a digit outside *links*."""
    others = {*range(table.lines.first[line], table.lines.last[line] + 1)}
    others.difference_update(*(range(row, table.end[row]) for row in links))
    return any(map(str.isalnum, "".join(table.text[row] for row in others)))


def _lead_away(table: PageTable, links: list[tuple[int, int]]) -> bool:
    """True if links of the same words lead to different pages, or to places of this one."""
    addresses = {table.hrefs[row].partition("#")[0] for _, row in links}
    return addresses == {""} or len(addresses) >= _MOSTLY * len(links)


def _is_item(table: PageTable, line: int) -> bool:
    """True if a line is all that an item of a list has."""
    block = table.lines.container[line]
    return bool(table.flags.own[block] & ITEM) and len(table.lines_in(block)) == 1


def _links_in(table: PageTable, links: list[int], line: int) -> list[int]:
    """Return the rows of the short *links*, rising, that stand in the *line* alone."""
    before = table.lines.last[line - 1] if line else -1
    stop = table.lines.first[line + 1] if line + 1 < len(table.lines) else len(table)
    return [
        row
        for row in links[bisect(links, before) : bisect(links, table.lines.last[line])]
        if table.end[row] <= stop
        and 0 < table.text_length(row) <= _LABEL_UNITS
        and not _is_joined(table, line, row)
    ]


def _is_joined(table: PageTable, line: int, row: int) -> bool:
    """True if a bracket or a comma is beside a link: it is part of a sentence."""
    before = _first_text(table, range(row - 1, table.lines.first[line] - 1, -1))
    behind = _first_text(table, range(table.end[row], table.lines.last[line] + 1))
    return before.endswith(_JOINED_BEFORE) or behind.startswith(_JOINED_BEHIND)


def _first_text(table: PageTable, rows: range) -> str:
    return next(filter(None, (table.text[row].strip() for row in rows)), "")


class _Place(NamedTuple):
    """A line, with the link that it stands beside."""

    line: int
    slot: int
    address: str
    run: int  # the number of the run of lines beside one link


def _places(table: PageTable, lines: Iterable[int]) -> Iterator[_Place]:
    """Yield the place of each of the *lines*."""
    rows, addresses = list(table.hrefs), list(table.hrefs.values())
    address, run = "", 0
    for line in lines:
        if table.lines.link_units[line]:
            link = addresses[bisect(rows, table.lines.last[line]) - 1]
            run += link != address
            address = link
        yield _Place(line, int(table.signatures[line]), address, run)


def _find_copies(table: PageTable, lines: Iterable[int]) -> list[int]:
    """Return the lines whose text stands above, too, beside a link to the same address.

    In the same slot, as where a page has its entries again for small screens, or in the same run
    of lines, as the name below a picture that is named, or elsewhere, if what follows it stands
    above as well. A title, which is a link, begins a copy; what else repeats may be true of both.
    Of two, a heading stays.
    """
    own, units = table.block_flags, table.columns.units
    is_title = (units >= _TITLE_UNITS) & (2 * table.columns.linked >= units)
    texts = table.lines.text
    places: dict[tuple[str, str], _Place] = {}
    found: list[int] = []
    copied = whole = -1  # runs
    every = [*_places(table, lines)]
    for here, after in zip_longest(every, every[1:]):
        line, text = here.line, (texts[here.line], here.address)
        first = places.setdefault(text, here)
        if first is here or (copied != here.run and not is_title[line]):
            continue
        if first.run != here.run and after is not None and after.run == here.run:
            whole = here.run if (texts[after.line], here.address) in places else whole
        if first.slot != here.slot and here.run not in {first.run, whole}:
            continue
        copied = here.run
        if first.run == here.run and own[line] & HEADING and not own[first.line] & HEADING:
            places[text] = here
            found.append(first.line)
        else:
            found.append(line)
    return sorted(found)
