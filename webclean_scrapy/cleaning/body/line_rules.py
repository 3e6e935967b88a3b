"""Lines that are no body by what they are or say: credits, advertisements, tools, captions, titles.

They are excluded (`exclusions`), each line with its reason.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.body import exclusions
from webclean_scrapy.cleaning.body import line_patterns as patterns
from webclean_scrapy.cleaning.body.line_matching import (
    ends_sentence,
    is_editorial,
    is_unfilled,
    match,
)
from webclean_scrapy.cleaning.body.title_anchor import SAME_TITLE
from webclean_scrapy.cleaning.page.paragraphs import SENTENCE_END
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

    from webclean_scrapy.cleaning.page.table import PageTable

SHORT_UNITS = 150  # a longer line is no credit and no caption by its words
_CAPTION_UNITS = 300  # a longer line is about more than a picture
_TITLE_UNITS = 160  # a longer line is a paragraph, whatever a page gives as its title
_AD_UNITS = 60  # a longer line is more than the mark of an advertisement or a row of tools
_SENTENCE_UNITS = 60  # a shorter line says little, whatever it ends with
_DISCLAIMER = 900  # units; a longer line is more than a disclaimer
#: Text that goes on for so long without the end of a sentence is no prose: words for machines.
_ENDLESS_UNITS = 1_500
_ENDLESS_READ = 200_000  # characters of it that are looked at


def find_worded(table: PageTable) -> dict[int, NDArray[np.bool_]]:
    """Return the lines that are excluded by what they say, per reason."""
    lines, columns = table.lines, table.columns
    units = columns.units
    no_cell = table.flags.own[columns.block] & CELL == 0
    no_code = table.flags.inside[columns.block] & PRE == 0
    credit = match(is_editorial, lines, (units < SHORT_UNITS) & columns.plain)
    credit |= match(patterns.DISCLAIMER.match, lines, units < _DISCLAIMER)
    short = units < _AD_UNITS
    return {
        exclusions.CREDIT: credit,
        exclusions.ADVERT: match(patterns.ADVERT.fullmatch, lines, short),
        exclusions.TOOLS: match(patterns.TOOLS.fullmatch, lines, short & no_cell),
        exclusions.PLACEHOLDER: match(is_unfilled, lines, no_code),
    }


def find_endless(table: PageTable) -> NDArray[np.bool_]:
    """Mark the long lines with next to no end of a sentence: lists of words for search engines.

    Code is none.
    """
    endless = np.zeros(len(table.lines), bool)
    for line, units in enumerate(table.lines.units):
        if units > _ENDLESS_UNITS:
            text = table.lines.text[line]
            read = text[:_ENDLESS_READ]
            ends = len(SENTENCE_END.findall(read))
            endless[line] = ends * _ENDLESS_UNITS * len(text) < units * len(read)
    code: NDArray[np.bool_] = table.flags.inside[table.columns.block] & PRE > 0
    return endless & ~code


def find_title_repeats(
    table: PageTable, weights: Sequence[int], similarity: Sequence[float], title_line: int | None
) -> NDArray[np.bool_]:
    """Mark what repeats the title: headings, the title's line, and lines before the text.

    An ``h1`` that is the title's line need not be the same: the page's title names the site too.
    """
    heading = table.flags.own[table.columns.block] & HEADING > 0
    leading = np.cumsum(weights) - weights == 0  # no paragraph comes before it
    may_be = heading | leading
    if title_line is not None:
        may_be[title_line] = True
    repeats: NDArray[np.bool_] = (np.array(similarity) > SAME_TITLE) & may_be
    if title_line is not None and table.tag[table.lines.container[title_line]] == "h1":
        repeats[title_line] = True
    return repeats & (heading | (table.columns.units < _TITLE_UNITS))


def find_caption_wording(table: PageTable) -> NDArray[np.bool_]:
    """Mark the short lines that are worded as a caption."""
    columns = table.columns
    short = (columns.units < SHORT_UNITS) & columns.plain
    return match(patterns.CAPTION.search, table.lines, short)


def find_captions(
    table: PageTable, after_image: NDArray[np.bool_], worded: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Mark the captions: lines under a picture that are named, worded or placed as one.

    *worded* marks the lines whose words say so. Quotations and code are none.
    """
    caption = _named(table) | worded | _centred(table)
    quoted = table.flags.inside[table.columns.block] & (QUOTE | PRE) > 0
    captions: NDArray[np.bool_] = after_image & caption & ~quoted
    return captions


def _own_flags_near(table: PageTable) -> NDArray[np.int32]:
    """Return for each line the flags of its block, its first text's element and the one above."""
    own, columns = table.flags.own, table.columns
    near: NDArray[np.int32] = own[columns.block] | own[columns.inline] | own[columns.second]
    return near


def _named(table: PageTable) -> NDArray[np.bool_]:
    """Mark the short lines in ``figcaption``, and those in other elements named so but sentences.

    What classes call a caption is often the lead of a text that is under its picture.
    """
    columns = table.columns
    named: NDArray[np.bool_] = columns.units <= _CAPTION_UNITS
    named &= _own_flags_near(table) & SAYS_CAPTION > 0
    sentences = named & (columns.units >= _SENTENCE_UNITS)
    sentences &= table.flags.inside[columns.block] & FIGURE == 0
    for line in np.flatnonzero(sentences).tolist():
        named[line] = not ends_sentence(table.lines.text[line])
    return named


def _centred(table: PageTable) -> NDArray[np.bool_]:
    """Mark the short lines that are centred, outside tables and lists.

    The name of a work alone in its line begins the work.
    """
    columns, texts = table.columns, table.lines.text
    centred: NDArray[np.bool_] = _own_flags_near(table) & CENTRED > 0
    centred &= (columns.units < SHORT_UNITS) & columns.plain
    centred &= table.flags.own[columns.block] & (HEADING | CELL | ITEM) == 0
    for line in np.flatnonzero(centred).tolist():
        centred[line] = not (texts[line][0] == "《" and texts[line][-1] == "》")
    return centred
