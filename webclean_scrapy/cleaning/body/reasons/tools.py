"""Finds tools of a page, counters, and elements whose names say that they are no text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.body import wording
from webclean_scrapy.cleaning.body.wording import match
from webclean_scrapy.cleaning.page import row_flags as f
from webclean_scrapy.cleaning.page.rows import rows_named

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.body.reasons.page_lines import PageLines


_TOOL_UNITS = 60  # a longer line is more than a row of tools
_COUNTER_UNITS = 24  # of what counts pictures


def find_tools(lines: PageLines) -> NDArray[np.bool_]:
    """Mark rows of tools, and counters of pictures."""
    texts, short = lines.table.lines, lines.units < _TOOL_UNITS
    # Lines of link blocks, too: some blocks are opened again.
    found = match(wording.TOOLS.fullmatch, texts, short & (lines.own & f.CELL == 0))
    no_part = lines.own & (f.CELL | f.ITEM | f.HEADING | f.PARAGRAPH) == 0
    counters = lines.asked & no_part & (lines.units < _COUNTER_UNITS)
    return found | match(wording.COUNTER.fullmatch, texts, counters)


#: Names of what is no content, or for print only; and those of places of advertisements.
_NO_TEXT = (
    "robots-nocontent", "postmetadata", "sharedaddy", "hide-text", "print-only", "printonly",
    "only-print", "visible-print", "show-for-print",
)  # fmt: skip
_NUMBERED = re.compile(r"ad(?<![\w-]ad)v?[_-]?\d+(?![\w-])")  # "ad" is found fast


def find_furniture(page_lines: PageLines) -> NDArray[np.bool_]:
    """Mark the lines of elements that say by their names that they are no text, or for print."""
    table = page_lines.table
    signs = [sign for sign in _NO_TEXT if sign in table.written]
    rows = rows_named(table, signs, lambda names: any(map(names.__contains__, signs)), ids=True)
    if _NUMBERED.search(table.written):  # "ad" alone is in most
        rows += rows_named(table, ["ad"], _NUMBERED.search, ids=True)
    return table.mark_lines(rows)
