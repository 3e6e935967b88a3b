"""Finds marks of advertisements, and the headings over their frames."""

from __future__ import annotations

from itertools import compress, count
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.body import wording
from webclean_scrapy.cleaning.body.wording import match
from webclean_scrapy.cleaning.page import row_flags as f
from webclean_scrapy.cleaning.page.media import is_shown
from webclean_scrapy.cleaning.page.tags import PLAYERS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.body.reasons.page_lines import PageLines
    from webclean_scrapy.cleaning.page.table import PageTable


_AD_UNITS = 60  # a longer line is more than the mark of an advertisement


def find_adverts(lines: PageLines) -> NDArray[np.bool_]:
    """Mark what says that it is an advertisement, and the link below it, which is what it marks."""
    table = lines.table
    short = lines.asked & (lines.units < _AD_UNITS)
    adverts = match(wording.ADVERT.fullmatch, table.lines, short)
    adverts[1:] |= adverts[:-1] & ~table.columns.plain[1:]
    return adverts | match(wording.OVER_ADVERT.fullmatch, table.lines, short & _over_adverts(table))


def _over_adverts(table: PageTable) -> NDArray[np.bool_]:
    """Mark headings directly above an advertisement frame that name it."""
    over = np.zeros(len(table.lines), bool)
    if not PLAYERS.isdisjoint(table.counts):
        frames = compress(count(), map(PLAYERS.__contains__, table.tag))
        adverts = (row for row in frames if is_shown(table.node[row], is_advert=True))
        above = sorted({table.line_of[row] - 1 for row in adverts if table.line_of[row]})
        heading = table.flags.own[table.columns.block[above]] & f.HEADING > 0
        over[above] = heading
    return over
