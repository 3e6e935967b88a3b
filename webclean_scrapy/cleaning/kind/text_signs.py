"""Features of the layout of text: in one stretch, in cards, in posts, under headings.

The *shape* of a body is how its lines lie: in one stretch, or one by one between links.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.body.wording import CLOSERS, SENTENCE_ENDS
from webclean_scrapy.cleaning.kind.repeated_posts import find_repeats
from webclean_scrapy.cleaning.page.row_flags import HEADING, PARAGRAPH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.body.body import Body
    from webclean_scrapy.cleaning.body.evidence import Evidence

_CARD_LEVELS = 5  # elements above a line that are looked at
_HEADLINE_UNITS = 12  # a shorter link line is no headline
_ENDS = SENTENCE_ENDS | frozenset(",;:，；：、،")  # of a line of verse or of a list too


@dataclass(frozen=True, slots=True)
class BodyShape:
    run: int  # units of the longest stretch of kept paragraphs without a link line in between
    teaser_share: float  # of the paragraphs that have a link line beside them, 0..1
    card_share: float  # of the text that lies in repeated like elements with links, 0..1
    post_share: float  # of the text in like elements with a date and an author each, 0..1
    entry_share: float  # of the text in entries, each under a heading that leads to it, 0..1
    ended_share: float  # of the text in lines that end in a punctuation mark, 0..1


def measure_shape(evidence: Evidence, kept: Sequence[int]) -> BodyShape:
    """Return the shape of the body that consists of the lines *kept*. Cost: O(lines)."""
    headline = _headlines(evidence)
    paragraphs = [line for line in kept if evidence.weights[line]]
    beside = sum(any(headline[max(line - 2, 0) : line + 2]) for line in paragraphs)
    units = evidence.table.lines.units
    text = sum(units[line] for line in kept)
    cards = int(evidence.table.columns.units[_in_cards(evidence, kept)].sum())
    repeats = find_repeats(evidence.table, kept, evidence.weights)
    texts = evidence.table.lines.text
    ended = (line for line in kept if texts[line].rstrip(CLOSERS)[-1:] in _ENDS)
    return BodyShape(
        run=_longest_run(evidence, kept, headline),
        teaser_share=beside / len(paragraphs) if paragraphs else 0.0,
        card_share=cards / text if text else 0.0,
        post_share=repeats.posts,
        entry_share=repeats.entries,
        ended_share=sum(units[line] for line in ended) / text if text else 0.0,
    )


def _headlines(evidence: Evidence) -> list[bool]:
    """Return for each line whether it is one link, as long as a headline; a menu is several."""
    columns, table = evidence.table.columns, evidence.table
    headline: list[bool] = ((columns.units >= _HEADLINE_UNITS) & ~columns.plain).tolist()
    for line, is_headline in enumerate(headline):
        if is_headline:
            first, last = table.lines.first[line], table.lines.last[line]
            headline[line] = "a" not in table.tag[first : last + 1]
    return headline


def _longest_run(evidence: Evidence, kept: Sequence[int], headline: Sequence[bool]) -> int:
    body, best, run = set(kept), 0, 0
    units = evidence.table.lines.units
    for line, breaks in enumerate(headline):
        if line in body and evidence.weights[line]:
            run += units[line]
            best = max(best, run)
        elif breaks:
            run = 0
    return best


def _in_cards(evidence: Evidence, kept: Sequence[int]) -> NDArray[np.int64]:
    """Return which of the lines *kept* have a card close above them."""
    table, lines = evidence.table, np.array(kept, np.int64)
    rows = table.columns.block[lines]
    found = np.zeros(len(lines), bool)
    for _ in range(_CARD_LEVELS):
        found |= (rows >= 0) & evidence.signs.card[rows]
        rows = np.where(rows >= 0, table.arrays.parent[rows], -1)
    numbers: NDArray[np.int64] = lines[found]
    return numbers


#: The features of the text.
TEXT = (
    "one stretch is the body", "posts",
    "entries under headings that lead on", "lines that end like sentences",
    "the body is most of the page", "paragraph elements", "headings",
    "a heading every few sentences", "links on the page", "links in link blocks",
    "cards on the page",
)  # fmt: skip
_HEADINGS = 8
_EVERY = 500  # units of the body to a heading
_SHORT = 500  # units of a body of which the shares count half


def text_signs(evidence: Evidence, body: Body, shape: BodyShape) -> dict[str, float]:
    """Return what the text says of the kind of the page, by feature, 0..1. Cost: O(rows).

    *shape* is that of the body.
    """
    table, columns = evidence.table, evidence.table.columns
    kept = np.array(body.lines, np.int64)
    units, own = columns.units[kept], table.flags.own[columns.block[kept]]
    text, page = max(int(units.sum()), 1), max(table.text_length(0), 1)
    headings = int(np.count_nonzero(own & HEADING))
    much = text / (text + _SHORT)  # a sentence is no sign of an article
    often = _EVERY * headings / text
    in_card = np.zeros(len(table), bool)
    for row in np.flatnonzero(evidence.signs.card).tolist():
        in_card[row : table.end[row]] = True
    return {
        "one stretch is the body": much * shape.run / text,
        "posts": shape.post_share,
        "entries under headings that lead on": shape.entry_share,
        "lines that end like sentences": much * shape.ended_share,
        "the body is most of the page": text / page,
        "paragraph elements": much * float(units[own & PARAGRAPH > 0].sum()) / text,
        "headings": headings / (headings + _HEADINGS),
        "a heading every few sentences": often / (often + 1),
        "links on the page": table.link_length(0) / page,
        "links in link blocks": evidence.signs.link_blocks.links_share,
        "cards on the page": float(np.diff(table.arrays.text_before)[in_card].sum()) / page,
    }
