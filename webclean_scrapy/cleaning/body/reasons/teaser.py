"""Finds teasers of other pages: links that interrupt a text, and cards."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.body.amid import COLONS
from webclean_scrapy.cleaning.body.boxes import NO_SITE, box_around, few_alike, is_file, mark
from webclean_scrapy.cleaning.body.wording import ends_sentence
from webclean_scrapy.cleaning.page.lines import WHOLLY
from webclean_scrapy.cleaning.page.row_flags import CELL, HEADING, IMAGE, ITEM, PARAGRAPH
from webclean_scrapy.web_addresses import is_of_site, join

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.body.reasons.page_lines import PageLines
    from webclean_scrapy.cleaning.parsed_page import ParsedPage


_GAP = 6  # lines from one paragraph to the next, between which links interrupt a text
_LABEL_UNITS, _LIST_LABEL = 40, 20  # a longer text is no label of a link, or of a list of them
_HEADLINE = 18  # units; a shorter link in a list is a name
_LABELLED = re.compile(r"[^:：]{2,30}[:：]").match


def find_inline_related_links(page_lines: PageLines) -> NDArray[np.bool_]:
    """Mark links to other pages of the site that interrupt a text: "Read also: ...".

    They have a label with a colon, in the line or above it, or are a paragraph that is all link and
    no sentence, and stand between two paragraphs. In tables, and in lists below a longer label,
    these are data; where there are as many groups of them as paragraphs, they are the text.
    """
    page, weight = page_lines.page, page_lines.weight
    columns, lines, own = page.table.columns, page.table.lines, page.table.flags.own
    link = ~columns.plain & (columns.units - columns.linked <= _LABEL_UNITS)
    around = page_lines.own | own[columns.second] | own[columns.third]
    item = around & ITEM > 0
    is_headline = (columns.linked >= WHOLLY * columns.units) & (columns.units >= _HEADLINE)
    link &= (around & (CELL | HEADING) == 0) & (~item | is_headline)
    is_alone = is_headline & (columns.units >= _LABEL_UNITS) & (page_lines.own & PARAGRAPH > 0)
    led, paragraphs = np.zeros(len(weight), bool), (weight > 0).nonzero()[0].tolist()
    groups = 0
    for before, stop in pairwise(paragraphs):
        start = -1  # of the group: a label, or a link with one
        for line in range(before + 1, stop + 1) if stop - before <= _GAP else ():
            if not link[line] or line == stop:
                if start >= 0 and item[line] and item[line - 1]:  # not all of a list
                    led[start:line] = False
                start = line if lines.text[line].endswith(COLONS) else -1
            elif not item[line] and (
                _LABELLED(lines.text[line])
                or (start < 0 and is_alone[line] and not ends_sentence(lines.text[line]))
            ):
                start = line
            if not link[line] or line == stop or start < 0:
                continue
            if not _leads_to_page(page, line):
                if item[line] and item[line - 1]:
                    led[start:line] = False
                start = -1
            elif columns.units[start] <= _LIST_LABEL or not item[line]:
                led[start : line + 1] = True
                groups += start >= line - 1
    return led if 2 * groups <= len(paragraphs) else np.zeros_like(led)


def _leads_to_page(page: ParsedPage, line: int) -> bool:
    """True if the links of a line lead to one other page of the site."""
    hrefs, url, lines = page.table.hrefs, page.url or NO_SITE, page.table.lines
    linked = range(lines.first[line] - 2, lines.last[line] + 1)
    to = {join(url, hrefs[row]).partition("#")[0] for row in linked if row in hrefs}
    return len(to) == 1 and is_of_site(one := to.pop(), url) and not is_file(one) and one != url


_CARD_HEADLINE = 20  # units; a shorter link in a card is a name


def find_lone_cards(page_lines: PageLines) -> NDArray[np.bool_]:
    """Mark the lines of boxes with a picture and a headline that lead to one page of the site.

    They interrupt a text: the element around has paragraphs on both sides.
    """
    page, weight = page_lines.page, page_lines.weight
    table, url = page.table, page.url or NO_SITE
    told, lines = weight.nonzero()[0].tolist() or [0], table.lines
    text = slice(lines.first[told[0]], lines.last[told[-1]]) if lines.first else slice(0, 0)
    pictures = (table.flags.own[text] & IMAGE).nonzero()[0] + text.start
    if not len(pictures):
        return np.zeros(len(lines), bool)
    rows, end = np.fromiter(table.hrefs, np.int64, len(table.hrefs)), table.arrays.end
    has_picture = np.searchsorted(pictures, end[rows]) > np.searchsorted(pictures, rows)
    pictured = {table.hrefs[row] for row in rows[has_picture].tolist()}
    says = rows[table.arrays.units[rows] >= _CARD_HEADLINE].tolist() if pictured else ()
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
        if (box := box_around(table, box)) <= 0:
            continue
        inside, around = table.lines_in(box), table.lines_in(table.parent[box])
        above, below = weight[around.start : inside.start], weight[inside.stop : around.stop]
        to = join(url, href) if above.any() and below.any() else url
        if to.partition("#")[0] != url.partition("#")[0] and not is_file(to):
            boxes += [box] * is_of_site(to, url)
    return mark(table, few_alike(table, boxes, page_lines.signs.title_line))
