"""Removes the parts of lines that readers do not see."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.body.reasons.page_lines import MIN_SHOWN_SHARE
from webclean_scrapy.cleaning.page import row_flags as f
from webclean_scrapy.cleaning.page.removals import Removal

if TYPE_CHECKING:
    from webclean_scrapy.cleaning.body.models import Body
    from webclean_scrapy.cleaning.page.table import PageTable


def remove_hidden_parts(table: PageTable, body: Body) -> Body:
    """Return the *body* without parts of lines that are hidden from readers.

    Whole lines are excluded before. Code is left as it is, and so is all of a page that hides more
    than it may: its scripts show the rest later.
    """
    lines = np.array(body.lines, np.int64)
    hidden = table.flags.inside & f.NOT_SHOWN > 0
    if not len(lines) or not hidden.any():
        return body
    block = table.columns.block[lines]
    first, last = (np.array(of)[lines] for of in (table.lines.first, table.lines.last))
    is_sign = table.flags.inside[first] & (f.HIDDEN | f.NOT_SHOWN) == f.NOT_SHOWN
    # All of a cell says what the cell shows as a picture.
    is_sign &= hidden[last] & (table.flags.own[block] & f.CELL > 0)
    lines = lines[~hidden[block] & ~is_sign & (table.flags.inside[block] & f.PRE == 0)]
    rows = [row for row in hidden.nonzero()[0].tolist() if table.text[row]]
    within = set(lines.tolist())
    rows = [row for row in rows if table.line_of[row + 1] - 1 in within]
    removal = Removal("line", "hidden", tuple((row, row + 1) for row in rows))
    shown = sum(table.lines.units[line] for line in body.lines)
    if not rows or removal.units(table) > (1 - MIN_SHOWN_SHARE) * shown:
        return body
    return replace(body, removals=(*body.removals, removal))
