"""Finds text without sentences: words for machines, addresses of files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.body import wording
from webclean_scrapy.cleaning.body.amid import is_among_paragraphs
from webclean_scrapy.cleaning.page import row_flags as f
from webclean_scrapy.cleaning.page.lines import SENTENCE_END

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.body.reasons.page_lines import PageLines


#: Text that goes on for so long without the end of a sentence is no prose: words for machines.
_ENDLESS_UNITS = 1_500
_MIN_ADDRESSES = 5  # of scripts that are no text
_ENDLESS_READ = 200_000  # characters of it that are looked at


def find_endless(lines: PageLines) -> NDArray[np.bool_]:
    """Mark long lines with hardly any sentence end: lists of words for search engines.

    Code is none, nor is a paragraph without links between others: a list of names or sources.
    """
    table, weight = lines.table, lines.weight
    endless = np.zeros(len(table.lines), bool)
    for line, units in enumerate(table.lines.units):
        if units > _ENDLESS_UNITS and not is_among_paragraphs(table, weight, line):
            text = table.lines.text[line]
            read = text[:_ENDLESS_READ]
            ends = len(SENTENCE_END.findall(read))
            endless[line] = ends * _ENDLESS_UNITS * len(text) < units * len(read)
    return endless & ~lines.code


def find_addresses(lines: PageLines) -> NDArray[np.bool_]:
    """Mark addresses of files where many follow each other, as in leaked script data.

    Two or three are what a text tells to write.
    """
    texts, found = lines.table.lines.text, np.zeros(len(lines.own), bool)
    may_be = (lines.own & f.ITEM == 0).nonzero()[0].tolist()
    named = np.array([at for at in may_be if wording.FILE_ADDRESS.fullmatch(texts[at])], np.int64)
    for run in np.split(named, (np.diff(named) > 1).nonzero()[0] + 1):
        found[run] = len(run) >= _MIN_ADDRESSES
    return found
