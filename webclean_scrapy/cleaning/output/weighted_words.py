"""Weight words by their place: headings, emphasis, keywords of the head.

Features 5 (papers.md): the weight of each place of a word is added to its frequency.
"""

from __future__ import annotations

import re
from itertools import groupby, islice
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.output.text_output import clean_line
from webclean_scrapy.cleaning.page.tags import HEADING_TAGS
from webclean_scrapy.keywords import tag_weights
from webclean_scrapy.keywords.segment import fold_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from webclean_scrapy.cleaning.page.removals import KeptRows
    from webclean_scrapy.cleaning.page.table import PageTable

MAX_META_KEYWORDS = 50
#: Of a body, in which words are counted: a book has its subject in its first chapters, and to cut
#: more into words costs more than all else. The longest of 960 labelled pages had 74,000.
MAX_CHARACTERS = 100_000
_separators = re.compile(r"[,，;；、|\n]")


def first_blocks(blocks: Iterable[tuple[str, float]]) -> list[tuple[str, float]]:
    """Return the (text, weight) *blocks* up to MAX_CHARACTERS of text, the last one cut."""
    first, left = [], MAX_CHARACTERS
    for text, weight in blocks:
        first.append((text[:left], weight))
        left -= len(text)
        if left <= 0:
            break
    return first


def line_weight(table: PageTable, line: int) -> float:
    """Return the weight of a line's words: heading, fully emphasised, or plain."""
    block = table.lines.container[line]
    if table.tag[block] in HEADING_TAGS:
        return tag_weights.HEADINGS[table.tag[block]]
    if _is_emphasised(table, table.lines.first[line], block, table.lines.last[line]):
        return tag_weights.EMPHASISED
    return tag_weights.BODY


def emphasised_phrases(kept: KeptRows, lines: Iterable[int]) -> list[str]:
    """Return the kept emphasised phrases inside plain *lines*, in document order."""
    table, phrases = kept.table, []
    for line in lines:
        first, last = table.lines.first[line], table.lines.last[line]
        if first == last or line_weight(table, line) != tag_weights.BODY:
            continue  # a line of one text is emphasised as a whole or not at all
        block = table.lines.container[line]
        rows = [row for row in range(first, last + 1) if table.text[row] and kept.mask[row]]
        marks = [_is_emphasised(table, row, block, row) for row in rows]
        runs = groupby(zip(marks, rows, strict=True), lambda pair: pair[0])
        texts = ["".join(table.text[row] for _, row in run) for marked, run in runs if marked]
        phrases += [text for text in map(clean_line, texts) if text]
    return phrases


def named_keywords(keywords: Sequence[str], text: str) -> str:
    """Return the keywords of the head that occur in *text*, one per line.

    Many sites name themselves and their sections on every page.
    """
    named = _separators.split("\n".join(keywords))
    words = islice(dict.fromkeys(filter(None, map(str.strip, named))), MAX_META_KEYWORDS)
    whole = fold_word(text) if any(named) else ""
    return "\n".join(word for word in words if fold_word(word) in whole)


def _is_emphasised(table: PageTable, row: int, block: int, last: int) -> bool:
    """True if an element inside *block* emphasises all rows from *row* to *last*."""
    while (row := table.parent[row]) > block:
        if table.tag[row] in tag_weights.EMPHASIS_TAGS and table.end[row] > last:
            return True
    return False
