"""Find the parts of a page that their names, buttons and links tell: boxes, tools, pull quotes.

Boxes for an address of mail, around a button, or named as a prompt; parts that say by their names
that they are no text; links that are buttons; sentences of the text that are set large.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.body.like_elements import first_class
from webclean_scrapy.cleaning.page.mending import MAIL_FIELD
from webclean_scrapy.cleaning.page.row_flags import (
    CELL,
    HEADING,
    IMAGE,
    ITEM,
    NAMED_PROMPT,
    PARAGRAPH,
)
from webclean_scrapy.cleaning.page.rows import rows_named
from webclean_scrapy.cleaning.page.tags import CONTAINER_TAGS
from webclean_scrapy.web_addresses import is_of_site, join

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.page.table import PageTable
    from webclean_scrapy.cleaning.parsed_page import ParsedPage

NO_SITE = "http://-/"  # of a page without an address
is_file = re.compile(r"\.(?!html?|php|aspx?|jsp)[a-z]\w{1,3}$").search
BOX_UNITS = 400  # a larger element is no box
_BOX_LINE = 250  # units; a longer line is no label of a box
_CARDS = 4  # boxes of one name are the text of a page
_HEADLINE = 20  # units; a shorter link is a name


def find_prompt_boxes(table: PageTable) -> NDArray[np.bool_]:
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


def find_mail_boxes(page: ParsedPage) -> NDArray[np.bool_]:
    """Mark the lines of the boxes around e-mail fields."""
    table, fields = page.table, [-1]
    if any(one.tag == "input" for one in page.controls):  # most pages have none
        for _ in range(table.counts[MAIL_FIELD]):
            fields.append(table.tag.index(MAIL_FIELD, fields[-1] + 1))
    return _mark(table, (_box_around(table, row) for row in fields[1:]))


def find_button_boxes(
    table: PageTable, buttons: NDArray[np.bool_], title: int | None
) -> NDArray[np.bool_]:
    """Mark the lines of the boxes around one of the *buttons* each, which say what it is for."""
    rows = [table.lines.container[line] for line in buttons.nonzero()[0].tolist()]
    boxes = Counter(_box_around(table, row) for row in rows)
    return _mark(table, _few_alike(table, [x for x, count in boxes.items() if count == 1], title))


def find_lone_cards(
    page: ParsedPage, title: int | None, weight: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Mark the lines of boxes with a picture and a headline that lead to one page of the site.

    They interrupt a text: the element around has paragraphs, by their *weight*, on both sides.
    """
    table, url = page.table, page.url or NO_SITE
    told, lines = weight.nonzero()[0].tolist() or [0], table.lines
    text = slice(lines.first[told[0]], lines.last[told[-1]]) if lines.first else slice(0, 0)
    pictures = (table.flags.own[text] & IMAGE).nonzero()[0] + text.start
    if not len(pictures):
        return np.zeros(len(lines), bool)
    rows, end = np.fromiter(table.hrefs, np.int64, len(table.hrefs)), table.arrays.end
    has_picture = np.searchsorted(pictures, end[rows]) > np.searchsorted(pictures, rows)
    pictured = {table.hrefs[row] for row in rows[has_picture].tolist()}
    says = rows[table.arrays.units[rows] >= _HEADLINE].tolist() if pictured else ()
    links: dict[str, list[int]] = {
        href: [] for row in says if (href := table.hrefs[row]) in pictured
    }
    for row, href in table.hrefs.items() if links else ():
        if href in links:
            links[href].append(row)
    boxes = []
    for href, of_page in links.items():
        box, last = of_page[0], max(table.end[row] for row in of_page)
        while table.end[box] < last:
            box = table.parent[box]
        if (box := _box_around(table, box)) <= 0:
            continue
        inside, around = table.lines_in(box), table.lines_in(table.parent[box])
        above, below = weight[around.start : inside.start], weight[inside.stop : around.stop]
        to = join(url, href) if above.any() and below.any() else url
        if to.partition("#")[0] != url.partition("#")[0] and not is_file(to):
            boxes += [box] * is_of_site(to, url)
    return _mark(table, _few_alike(table, boxes, title))


def _few_alike(table: PageTable, boxes: Iterable[int], title: int | None) -> Iterator[int]:
    """Yield the boxes that are no parts of the text: items, one of many cards, the title's."""
    names = {box: (table.tag[box], first_class(table, box)) for box in boxes if box > 0}
    alike = Counter(names.values())
    for box, name in names.items():
        is_item = table.flags.own[box] & (ITEM | CELL | PARAGRAPH) > 0
        if alike[name] < _CARDS and title not in table.lines_in(box) and not is_item:
            yield box


def _box_around(table: PageTable, row: int) -> int:
    """Return the largest element around a row that is a box; -1 if none is."""
    box, above = -1, row
    while above > 0 and table.arrays.units[above] <= BOX_UNITS:
        box, above = above, table.parent[above]
    return box


def _mark(table: PageTable, boxes: Iterable[int]) -> NDArray[np.bool_]:
    """Mark the lines of boxes in which none is too long for a label."""
    marked = np.zeros(len(table.lines), bool)
    for box in boxes:
        inside = table.lines_in(box) if box > 0 else range(0)
        lines = slice(inside.start, inside.stop)
        marked[lines] |= not (table.columns.units[lines] > _BOX_LINE).any()
    return marked


_QUOTES = " \"'”“„«»‹›‘’「」『』.…"
_MOST_PULLED = 40  # elements that are looked at
_PULLED_UNITS = 25  # a shorter quotation may be of other words
_PULLED_LINES = 3  # of an element that repeats a sentence, and names who said it
#: Names of what is no content, or for print only; and those of places of advertisements.
_NO_TEXT = (
    "robots-nocontent", "postmetadata", "sharedaddy", "hide-text", "print-only", "printonly",
    "only-print", "visible-print", "show-for-print",
)  # fmt: skip
_NUMBERED = re.compile(r"ad(?<![\w-]ad)v?[_-]?\d+(?![\w-])")  # "ad" is found fast


def find_furniture(table: PageTable) -> NDArray[np.bool_]:
    """Mark the lines of elements that say by their names that they are no text, or for print."""
    found = np.zeros(len(table.lines), bool)
    signs = [sign for sign in _NO_TEXT if sign in table.written]
    rows = rows_named(table, signs, lambda names: any(map(names.__contains__, signs)), ids=True)
    if _NUMBERED.search(table.written):  # "ad" alone is in most
        rows += rows_named(table, ["ad"], _NUMBERED.search, ids=True)
    for lines in map(table.lines_in, rows):
        found[lines.start : lines.stop] = True
    return found


def find_pulled(table: PageTable) -> NDArray[np.bool_]:
    """Mark pull quotes: elements named so that repeat words of a line elsewhere."""
    rows = rows_named(table, ["pull"], lambda names: "pull" in names, ids=True)
    texts = [text.lower() for text in table.lines.text] if rows else []
    pulled = np.zeros(len(table.lines), bool)
    for lines in map(table.lines_in, rows[:_MOST_PULLED]):
        if 0 < len(lines) <= _PULLED_LINES:
            words = max((texts[at] for at in lines), key=len).strip(_QUOTES)
            others = chain(texts[: lines.start], texts[lines.stop :])
            if len(words) >= _PULLED_UNITS and any(words in text for text in others):
                pulled[lines.start : lines.stop] = True
    return pulled


_BUTTON = re.compile(r"(?:^|[\s_-])(?:btn|button)(?=$|[\s_-])")
_BUTTON_UNITS = 40  # a longer one is a card
_AGAIN = 3  # links with the same words, or to one page, that are buttons
_SKIP_UNITS = 120  # a longer link says more than where one may go on


def find_buttons(page: ParsedPage) -> NDArray[np.bool_]:
    """Mark the lines that are one short link in the site, named as a button.

    Not in lists and tables. Those to other sites tell where a thing is, or is sold.
    """
    table, url = page.table, page.url or NO_SITE
    columns, own = table.columns, table.flags.own[table.columns.block]
    short = (columns.units == columns.linked) & (columns.units <= _BUTTON_UNITS)
    short &= own & (CELL | ITEM) == 0
    buttons: NDArray[np.bool_] = np.zeros(len(table.lines), bool)
    for row in rows_named(table, ["btn", "button"], _BUTTON.search, {"a"}, ids=True):
        line = table.line_of[table.end[row]] - 1
        if table.text_length(row) > 0 and short[line]:
            buttons[line] |= is_of_site(join(url, table.hrefs.get(row, "")), url)
    return buttons


def find_repeated_links(page: ParsedPage) -> NDArray[np.bool_]:
    """Mark lines that are a link back to a place of the page, or one of several of a kind.

    Three with the same words in the site, or to the same page. A run of links to places is a table
    of contents.
    """
    table, url = page.table, page.url or NO_SITE
    columns, own = table.columns, table.flags.own
    alone = (columns.linked >= columns.units) & (columns.units <= _SKIP_UNITS)
    alone &= (own[columns.block] | own[columns.second]) & (CELL | ITEM | HEADING) == 0
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
        elif columns.units[line] <= _BUTTON_UNITS and href != "#":
            is_same = words[table.lines.text[line]] >= _AGAIN and is_of_site(join(url, href), url)
            found[line] = is_same or pages[href] >= _AGAIN
    return found
