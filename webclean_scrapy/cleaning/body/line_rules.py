"""Lines that are no body by what they are or say: credits, advertisements, tools, captions, titles.

What is found here is set apart (``apart``), each line with its reason.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.body import exclusions as apart
from webclean_scrapy.cleaning.body.line_patterns import (
    ADVERT,
    DISCLAIMER,
    EDITORIAL,
    TOOLS,
    ends_sentence,
    match,
)
from webclean_scrapy.cleaning.body.title_anchor import SAME_TITLE
from webclean_scrapy.cleaning.page.row_flags import (
    CELL,
    CENTRED,
    FIGURE,
    HEADING,
    ITEM,
    PRE,
    QUOTE,
    SAYS_CAPTION,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.page.line_arrays import LineColumns
    from webclean_scrapy.cleaning.page.row_flags import RowFacts
    from webclean_scrapy.cleaning.page.table import PageTable

SHORT_UNITS = 150  # a longer line is no credit and no caption by its words
_CAPTION_UNITS = 300  # a longer line tells more than a picture
_TITLE_UNITS = 160  # a longer line is a paragraph, whatever a page gives as its title
_AD_UNITS = 60  # a longer line is more than the mark of an advertisement or a row of tools
_SENTENCE_UNITS = 60  # a shorter line tells little, whatever it ends with
_DISCLAIMER = 900  # units; a longer line is more than a disclaimer


def by_wording(
    table: PageTable, facts: RowFacts, columns: LineColumns
) -> dict[int, NDArray[np.bool_]]:
    """Return the lines that are set apart by what they say, per reason."""
    lines, units = table.lines, columns.units
    no_cell = facts.own[columns.box] & CELL == 0
    credit = match(EDITORIAL.match, lines, (units < SHORT_UNITS) & columns.plain)
    return {
        apart.CREDIT: credit | match(DISCLAIMER.match, lines, units < _DISCLAIMER),
        apart.ADVERT: match(ADVERT.fullmatch, lines, units < _AD_UNITS),
        apart.TOOLS: match(TOOLS.fullmatch, lines, (units < _AD_UNITS) & no_cell),
    }


def find_titling(
    facts: RowFacts,
    columns: LineColumns,
    mass: Sequence[int],
    likeness: Sequence[float],
    anchor: int | None,
) -> NDArray[np.bool_]:
    """Mark what repeats the title: headings, the anchor, and lines before the text."""
    heading = facts.own[columns.box] & HEADING > 0
    leading = np.cumsum(mass) - mass == 0  # no paragraph stands before it
    may_be = heading | leading
    if anchor is not None:
        may_be[anchor] = True
    found: NDArray[np.bool_] = (np.array(likeness) > SAME_TITLE) & may_be
    return found & (heading | (columns.units < _TITLE_UNITS))


def find_captions(
    table: PageTable,
    facts: RowFacts,
    columns: LineColumns,
    behind_image: NDArray[np.bool_],
    worded: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Mark the captions: lines under a picture that are named, worded or placed as one.

    *worded* marks the lines that say they are. Quotations and code are none.
    """
    named = _named(table, facts, columns) | worded | _centred(table.lines.text, facts, columns)
    found: NDArray[np.bool_]
    found = behind_image & named & (facts.bits[columns.box] & (QUOTE | PRE) == 0)
    return found


def _named(table: PageTable, facts: RowFacts, columns: LineColumns) -> NDArray[np.bool_]:
    """Mark the short lines in ``figcaption``, and those in other elements named so but sentences.

    What classes call a caption is often the lead of a text that stands under its picture.
    """
    near = facts.own[columns.box] | facts.own[columns.inline] | facts.own[columns.second]
    found: NDArray[np.bool_] = (columns.units <= _CAPTION_UNITS) & (near & SAYS_CAPTION > 0)
    may_tell = found & (columns.units >= _SENTENCE_UNITS)
    may_tell &= facts.bits[columns.box] & FIGURE == 0
    for line in np.flatnonzero(may_tell).tolist():
        found[line] = not ends_sentence(table.lines.text[line])
    return found


def _centred(texts: Sequence[str], facts: RowFacts, columns: LineColumns) -> NDArray[np.bool_]:
    """Mark the short lines that are centred, outside tables and lists.

    The name of a work alone in its line begins the work.
    """
    own = facts.own
    found: NDArray[np.bool_]
    found = (own[columns.box] | own[columns.inline] | own[columns.second]) & CENTRED > 0
    found &= (columns.units < SHORT_UNITS) & columns.plain
    found &= own[columns.box] & (HEADING | CELL | ITEM) == 0
    for line in np.flatnonzero(found).tolist():
        found[line] = not (texts[line][0] == "《" and texts[line][-1] == "》")
    return found
