"""Finds credits: editors, sources, disclaimers, and the bylines below a title."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.body import wording
from webclean_scrapy.cleaning.body.amid import are_sentences_amid
from webclean_scrapy.cleaning.body.signs import SHORT_UNITS
from webclean_scrapy.cleaning.body.wording import match
from webclean_scrapy.cleaning.metadata.authors import is_byline
from webclean_scrapy.cleaning.page import row_flags as f

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.body.reasons.page_lines import PageLines
    from webclean_scrapy.cleaning.page.table import PageTable


_LEADS = 2  # paragraphs behind the title that a byline stands between or before
_DISCLAIMER = 900  # units; a longer line is more than a disclaimer


def find_credits(lines: PageLines) -> NDArray[np.bool_]:
    """Mark credits and disclaimers that are no sentence of the text, and bylines at its start."""
    table, texts = lines.table, lines.table.lines
    short = lines.asked & (lines.units < SHORT_UNITS) & table.columns.plain
    found = match(wording.EDITORIAL.match, texts, short)
    found |= match(wording.DISCLAIMER.match, texts, lines.asked & (lines.units < _DISCLAIMER))
    if any(map("".join(texts.lower_starts).__contains__, wording.KEYS)):  # few pages
        found |= match(wording.BY_KEYS.search, texts, lines.units < _DISCLAIMER)
    return found & ~are_sentences_amid(table, found) | _find_bylines(lines)


def _find_bylines(lines: PageLines) -> NDArray[np.bool_]:
    """Mark the bylines and dates between the title and the body's second paragraph.

    A date is none where others like it follow: a diary has one above each entry.
    """
    table, signs, weight = lines.table, lines.signs, lines.weight
    columns, texts = table.columns, table.lines.text
    bylines = np.zeros(len(weight), bool)
    if signs.title_line is None:
        return bylines
    heading = lines.own & f.HEADING > 0
    short = columns.plain & (columns.units < SHORT_UNITS) & ~heading
    stop, paragraphs = signs.title_line, 0
    while paragraphs < _LEADS and (stop := stop + 1) < len(weight):
        bylines[stop] = short[stop] and is_byline(texts[stop])
        paragraphs += weight[stop] > 0 and not bylines[stop]
    dated = (signs.dated & short).nonzero()[0].tolist()
    for line in (bylines & signs.dated).nonzero()[0].tolist():
        like = (other for other in dated if other > stop and _are_alike(table, line, other))
        bylines[line] = not any(is_byline(texts[other]) for other in like)
    return bylines


def _are_alike(table: PageTable, line: int, other: int) -> bool:
    """True if the elements of two lines have the same tag and class."""
    rows = (table.lines.container[line], table.lines.container[other])
    tags, classes = ({column[row] for row in rows} for column in (table.tag, table.classes))
    return len(tags) == len(classes) == 1
