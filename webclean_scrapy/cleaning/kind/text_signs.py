"""Features of text layout: in one stretch, in cards, in boxes, and the removed text beside it.

The body was found as that of an article: where much that looks like it had to be left out, the page
is none. Our choice, not of a paper; no names of classes are read.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.body.selection import alike_left
from webclean_scrapy.cleaning.body.wording import CLOSERS, SENTENCE_ENDS
from webclean_scrapy.cleaning.page.row_flags import HEADING, PARAGRAPH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webclean_scrapy.cleaning.body.evidence import Evidence
    from webclean_scrapy.cleaning.body.models import Body
    from webclean_scrapy.cleaning.page.table import PageTable

_HEADLINE_UNITS = 12  # a shorter link line is no headline
_ENDS = SENTENCE_ENDS | frozenset(",;:，；：、،")  # of a line of verse or of a list too


def ended_share(table: PageTable, kept: Sequence[int]) -> float:
    """Return how much of the lines *kept* is in lines that end in a punctuation mark, 0..1."""
    units, texts = table.lines.units, table.lines.text
    ended = (line for line in kept if texts[line].rstrip(CLOSERS)[-1:] in _ENDS)
    return sum(units[line] for line in ended) / max(sum(units[line] for line in kept), 1)


def _headlines(evidence: Evidence) -> list[bool]:
    """Mark lines that are one link as long as a headline; a menu line has several."""
    columns, table = evidence.table.columns, evidence.table
    headline: list[bool] = ((columns.units >= _HEADLINE_UNITS) & ~columns.plain).tolist()
    for line, is_headline in enumerate(headline):
        if is_headline:
            first, last = table.lines.first[line], table.lines.last[line]
            headline[line] = "a" not in table.tag[first : last + 1]
    return headline


def _longest_run(evidence: Evidence, kept: Sequence[int]) -> int:
    body, best, run = set(kept), 0, 0
    units = evidence.table.lines.units
    for line, breaks in enumerate(_headlines(evidence)):
        if line in body and evidence.weights[line]:
            run += units[line]
            best = max(best, run)
        elif breaks:
            run = 0
    return best


#: The features of the text.
TEXT = (
    "one stretch is the body", "paragraph elements", "boxes of paragraphs", "lines in posts",
    "length of the headings", "quotations", "cards on the page", "a short line again and again",
    "paragraphs left out", "lines alike left out",
)  # fmt: skip
_has_quotation = re.compile('["“”„«»「『]').search  # people are quoted in news, not in offers
_LABEL_UNITS = 60  # a longer line is no label
_MARKS = 10  # lines of a mark alone that may be more frequent
_has_word = re.compile(r"\w\w").search
_HEADING = 60  # units; a longer heading says no more
_SHORT = 500  # units of a body of which the shares count half


def text_signs(evidence: Evidence, body: Body) -> dict[str, float]:
    """Return features of the text for the kind of the page, 0..1. Cost: O(rows)."""
    table, columns = evidence.table, evidence.table.columns
    kept = np.array(body.lines, np.int64)
    units, own = columns.units[kept], table.block_flags[kept]
    text, page = max(int(units.sum()), 1), max(table.text_length(0), 1)
    much = text / (text + _SHORT)  # a sentence is no sign of an article
    weights = np.fromiter(table.paragraph_weights, np.int64, len(columns.units))
    paragraphs = kept[evidence.weight[kept] > 0]
    boxes = set(table.arrays.parent[columns.block[paragraphs]].tolist())
    quoted = sum(_has_quotation(table.lines.text[line]) is not None for line in body.lines)
    in_card = np.zeros(len(table), bool)
    for row in evidence.signs.card.nonzero()[0].tolist():
        in_card[row : table.end[row]] = True
    return {
        "one stretch is the body": much * _longest_run(evidence, body.lines) / text,
        "paragraph elements": much * float(units[own & PARAGRAPH > 0].sum()) / text,
        "boxes of paragraphs": len(boxes) / (len(paragraphs) + 1),
        "lines in posts": float(columns.units[evidence.signs.post].sum())
        / max(int(columns.units.sum()), 1),
        "length of the headings": _length_of_headings(evidence, body),
        "quotations": quoted / (len(kept) + 1),
        "cards on the page": float(np.diff(table.arrays.text_before)[in_card].sum()) / page,
        "a short line again and again": _repetition(table),
        "paragraphs left out": 1.0 - float(weights[kept].sum() / max(weights.sum(), 1)),
        "lines alike left out": alike_left(table, kept),
    }


def _repetition(table: PageTable) -> float:
    """Return the frequency of the most frequent short line, 0..1; twice is 0.

    Posts, offers and entries have the same buttons and labels each.
    """
    lines = table.lines
    measured = zip(lines.text, lines.units, strict=True)
    short = (text.strip() for text, units in measured if units <= _LABEL_UNITS)
    often = Counter(short).most_common(_MARKS)
    times = next((times for text, times in often if _has_word(text)), 0)
    return times / (times + 6) if times > 2 else 0.0


def _length_of_headings(evidence: Evidence, body: Body) -> float:
    """Return the mean length of the headings in the body, 0..1, short on pages of products."""
    if not body.lines:
        return 0.0
    columns, among = evidence.table.columns, slice(body.lines[0], body.lines[-1] + 1)
    is_heading = evidence.table.block_flags[among] & HEADING > 0
    length = columns.units[among][is_heading].sum() / max(np.count_nonzero(is_heading), 1)
    return min(float(length) / _HEADING, 1.0)
