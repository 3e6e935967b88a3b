"""Finds prompts: requests to subscribe, buttons, and the boxes around them."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from itertools import compress, count
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.body.boxes import (
    BOX_UNITS,
    BUTTON_UNITS,
    NO_SITE,
    box_around,
    few_alike,
    mark,
)
from webclean_scrapy.cleaning.body.wording import LETTERS, SUBSCRIBED_AT, asks_to_subscribe
from webclean_scrapy.cleaning.page.row_flags import CELL, HEADING, ITEM, NAMED_PROMPT, PARAGRAPH
from webclean_scrapy.cleaning.page.tags import CONTAINER_TAGS
from webclean_scrapy.web_addresses import is_of_site, join

if TYPE_CHECKING:
    from lxml.etree import _Element
    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.body.reasons.page_lines import PageLines
    from webclean_scrapy.cleaning.page.table import PageTable
    from webclean_scrapy.cleaning.parsed_page import ParsedPage


_FIELD_NAMES = ("type", "name", "id", "placeholder")  # attributes of a field
_LABEL_UNITS = 40  # a longer text is no label of a link
_LETTER_UNITS = 250  # a longer line is about more than a letter


def find_prompts(lines: PageLines) -> NDArray[np.bool_]:
    """Mark requests to subscribe, buttons, and links that lead back or stand there again."""
    found = _find_letter_prompts(lines) | lines.buttons
    again = _find_repeated_links(lines.page)
    return found | again & (lines.weight.cumsum() > 0) & ~lines.signs.after_image


def find_boxes(lines: PageLines) -> NDArray[np.bool_]:
    """Mark the lines of boxes that are named as a prompt, or around one button."""
    return _find_named_boxes(lines.table) | _find_button_boxes(lines)


def _find_letter_prompts(lines: PageLines) -> NDArray[np.bool_]:
    """Mark lines that ask to subscribe to a newsletter, unless the page is about these.

    So does one that asks to subscribe, and links to where one does, or to a channel.
    Below a heading that asks, the rest of its box does.
    """
    table, own, units = lines.table, lines.own, lines.units
    prompts, lower = np.zeros(len(own), bool), table.lines.lower_starts
    candidates = (own & CELL == 0) & ~lines.code
    heading = own & HEADING > 0
    linked = (table.columns.linked > 0) & ~heading
    is_said = (own & PARAGRAPH > 0) & (linked | (units > _LABEL_UNITS))
    is_text = table.is_paragraph | heading | is_said
    short = (candidates & is_text & (units < _LETTER_UNITS)).nonzero()[0].tolist()
    whole, title = "\n".join([lower[line] for line in short]), " ".join(lines.page.titles).lower()
    characters = set(whole)  # few words are written in those of a page
    known = (word for word in LETTERS if characters.issuperset(word))
    words = [word for word in known if word in whole and word not in title]
    for line in short if words else ():
        prompts[line] = any(word in lower[line] for word in words) and asks_to_subscribe(
            lower[line]
        )
    rows, last = list(table.hrefs), [-1, *table.lines.last]  # of the line before, from -1
    for line in (at for at in short if linked[at]):
        links = rows[bisect_left(rows, last[line]) : bisect_left(rows, last[line + 1])]
        if any(SUBSCRIBED_AT.search(table.hrefs[row].lower()) for row in links):
            prompts[line] |= asks_to_subscribe(lower[line])
    for line in (prompts & heading).nonzero()[0].tolist():
        box = table.parent[table.lines.container[line]]
        inside = table.lines_in(box)
        if inside.start == line and table.arrays.units[box] <= BOX_UNITS:
            prompts[inside.start : inside.stop] = True
    return prompts


_AGAIN = 3  # links with the same words, or to one page, that are buttons
_SKIP_UNITS = 120  # a longer link says more than where one may go on


def _find_repeated_links(page: ParsedPage) -> NDArray[np.bool_]:
    """Mark lines that are a link back to a place of the page, or one of several of a kind.

    Three with the same words in the site, or to the same page. A run of links to places is a table
    of contents.
    """
    table, url = page.table, page.url or NO_SITE
    columns, own = table.columns, table.flags.own
    alone = (columns.linked >= columns.units) & (columns.units <= _SKIP_UNITS)
    alone &= (table.block_flags | own[columns.second]) & (CELL | ITEM | HEADING) == 0
    found, rows = np.zeros(len(alone), bool), np.fromiter(table.hrefs, np.int64)
    ends = table.arrays.line_of[table.arrays.end[rows]] - 1
    asked = (ends >= 0) & alone[ends] if len(alone) else ends < -1
    hrefs = map(table.hrefs.__getitem__, rows[asked].tolist())
    links = {line: href for line, href in zip(ends[asked].tolist(), hrefs, strict=True) if href}
    words = Counter(map(table.lines.text.__getitem__, links))
    pages, this = Counter(links.values()), f"{url.partition('#')[0]}#"
    back = {line for line, href in links.items() if len(href) > 1 and href.startswith(("#", this))}
    for line, href in links.items():
        if line in back:
            found[line] = len(back.intersection(range(line - 2, line + 3))) < _AGAIN
        elif columns.units[line] <= BUTTON_UNITS and href != "#":
            is_same = words[table.lines.text[line]] >= _AGAIN and is_of_site(join(url, href), url)
            found[line] = is_same or pages[href] >= _AGAIN
    return found


def _find_named_boxes(table: PageTable) -> NDArray[np.bool_]:
    """Mark the lines of small elements named as a prompt that hold a link beside their text."""
    boxes = np.zeros(len(table.lines), bool)
    inside, arrays = table.flags.inside & NAMED_PROMPT > 0, table.arrays
    first = inside & (arrays.units <= BOX_UNITS) & (arrays.link_units > 0)
    first &= arrays.link_units < arrays.units
    known = 0
    for row in first.nonzero()[0].tolist():
        if row < known or inside[table.parent[row]] or table.tag[row] not in CONTAINER_TAGS:
            continue
        known = table.end[row]
        lines = table.lines_in(row)
        boxes[lines.start : lines.stop] = True
    return boxes


def find_mail_boxes(lines: PageLines) -> NDArray[np.bool_]:
    """Mark the lines of the boxes around e-mail fields."""
    table = lines.table
    inputs = compress(count(), map("input".__eq__, table.tag)) if "input" in table.counts else ()
    fields = (row for row in inputs if _is_for_mail(table.node[row]))
    return mark(table, (box_around(table, row) for row in fields))


def _is_for_mail(field: _Element) -> bool:
    return "mail" in " ".join(field.get(name) or "" for name in _FIELD_NAMES).lower()


def _find_button_boxes(lines: PageLines) -> NDArray[np.bool_]:
    """Mark the lines of the boxes around one button each, which say what it is for."""
    table, buttons = lines.table, lines.buttons.nonzero()[0]
    rows = [table.lines.container[line] for line in buttons.tolist()]
    boxes = Counter(box_around(table, row) for row in rows)
    lone = [box for box, count in boxes.items() if count == 1]
    return mark(table, few_alike(table, lone, lines.signs.title_line))
