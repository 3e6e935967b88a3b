"""Finds buttons and boxes: small elements around a field, a button or a link."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.body.like_elements import first_class
from webclean_scrapy.cleaning.page.row_flags import CELL, ITEM, PARAGRAPH
from webclean_scrapy.cleaning.page.rows import rows_named
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


def few_alike(table: PageTable, boxes: Iterable[int], title: int | None) -> Iterator[int]:
    """Yield the boxes that are no parts of the text: items, one of many cards, the title's."""
    names = {box: (table.tag[box], first_class(table, box)) for box in boxes if box > 0}
    alike = Counter(names.values())
    for box, name in names.items():
        is_item = table.flags.own[box] & (ITEM | CELL | PARAGRAPH) > 0
        if alike[name] < _CARDS and title not in table.lines_in(box) and not is_item:
            yield box


def box_around(table: PageTable, row: int) -> int:
    """Return the largest element around a row that is a box; -1 if none is."""
    box, above = -1, row
    while above > 0 and table.arrays.units[above] <= BOX_UNITS:
        box, above = above, table.parent[above]
    return box


def mark(table: PageTable, boxes: Iterable[int]) -> NDArray[np.bool_]:
    """Mark the lines of boxes in which none is too long for a label."""
    marked = np.zeros(len(table.lines), bool)
    for box in boxes:
        inside = table.lines_in(box) if box > 0 else range(0)
        lines = slice(inside.start, inside.stop)
        marked[lines] |= not (table.columns.units[lines] > _BOX_LINE).any()
    return marked


_BUTTON = re.compile(r"(?:^|[\s_-])(?:btn|button)(?=$|[\s_-])")
BUTTON_UNITS = 40  # a longer one is a card


def find_buttons(page: ParsedPage) -> NDArray[np.bool_]:
    """Mark the lines that are one short link in the site, named as a button.

    Not in lists and tables. Those to other sites tell where a thing is, or is sold.
    """
    table, url = page.table, page.url or NO_SITE
    columns, own = table.columns, table.block_flags
    short = (columns.units == columns.linked) & (columns.units <= BUTTON_UNITS)
    short &= own & (CELL | ITEM) == 0
    buttons: NDArray[np.bool_] = np.zeros(len(table.lines), bool)
    for row in rows_named(table, ["btn", "button"], _BUTTON.search, {"a"}, ids=True):
        line = table.line_of[table.end[row]] - 1
        if table.text_length(row) > 0 and short[line]:
            buttons[line] |= is_of_site(join(url, table.hrefs.get(row, "")), url)
    return buttons
