"""Finds repetitions of the title."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.body.signs import SAME_TITLE
from webclean_scrapy.cleaning.page import row_flags as f

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.body.reasons.page_lines import PageLines


_TITLE_UNITS = 160  # a longer line is a paragraph, even if it repeats the title


def find_title_repeats(lines: PageLines) -> NDArray[np.bool_]:
    """Mark repetitions of the title: headings, the title line, and lines before the text.

    An ``h1`` that is the title's line need not be the same: the page's title names the site too.
    """
    table, title_line = lines.table, lines.signs.title_line
    heading = lines.own & f.HEADING > 0
    leading = lines.weight.cumsum() - lines.weight == 0  # no paragraph comes before it
    may_be = heading | leading
    if title_line is not None:
        may_be[title_line] = True
    repeats: NDArray[np.bool_] = (np.array(lines.signs.title_similarity) > SAME_TITLE) & may_be
    if title_line is not None and table.tag[table.lines.container[title_line]] == "h1":
        repeats[title_line] = True
    return repeats & (heading | (lines.units < _TITLE_UNITS))
