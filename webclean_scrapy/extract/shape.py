"""How the lines of a body lie on the page: in one stretch, or one by one between links.

What the page's kind is judged by (``page.kind``).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from webclean_scrapy.extract.patterns import DATE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webclean_scrapy.extract.evidence import Evidence

_HEADLINE_UNITS = 12  # a shorter link line is no headline
_POSTS = 2  # like elements with a date each that make a discussion
_DATE_UNITS = 120  # a longer line with a date in it is no dateline


@dataclass(frozen=True, slots=True)
class BodyShape:
    run: int  # units of the longest stretch of kept paragraphs without a link line in between
    teaser_share: float  # of the paragraphs that have a link line beside them, 0..1
    card_share: float  # of the lines that lie in repeated like elements with links, 0..1
    post_share: float  # of the text in repeated like elements with a date each, 0..1


def measure_shape(evidence: Evidence, kept: Sequence[int]) -> BodyShape:
    """Return the shape of the body that consists of the lines *kept*. Cost: O(lines)."""
    columns = evidence.columns
    headline = ((columns.units >= _HEADLINE_UNITS) & ~columns.plain).tolist()
    paragraphs = [line for line in kept if evidence.mass[line]]
    beside = sum(any(headline[max(line - 2, 0) : line + 2]) for line in paragraphs)
    cards = sum(_in_card(evidence, line) for line in kept)
    return BodyShape(
        run=_longest_run(evidence, kept, headline),
        teaser_share=beside / len(paragraphs) if paragraphs else 0.0,
        card_share=cards / len(kept) if kept else 0.0,
        post_share=_post_share(evidence, kept),
    )


def _longest_run(evidence: Evidence, kept: Sequence[int], headline: Sequence[bool]) -> int:
    body, best, run = set(kept), 0, 0
    units = evidence.table.lines.units
    for line, breaks in enumerate(headline):
        if line in body and evidence.mass[line]:
            run += units[line]
            best = max(best, run)
        elif breaks:
            run = 0
    return best


def _in_card(evidence: Evidence, line: int) -> bool:
    row = evidence.table.lines.container[line]
    for _ in range(5):
        if row < 0:
            return False
        if evidence.card[row]:
            return True
        row = evidence.table.parent[row]
    return False


def _post_share(evidence: Evidence, kept: Sequence[int]) -> float:
    """Return the share of the body's text in elements that repeat with a date in each of them."""
    table = evidence.table
    lines = table.lines
    dated: dict[tuple[int, str, str], dict[int, None]] = {}
    for line, text in enumerate(lines.text):
        if lines.units[line] <= _DATE_UNITS and DATE.search(text.lower()):
            for row in (lines.container[line], *table.ancestors(lines.container[line])):
                if table.classes[row]:
                    key = (table.parent[row], table.tag[row], table.classes[row])
                    dated.setdefault(key, {})[row] = None
    body = set(kept)
    before = [0, *accumulate(u if at in body else 0 for at, u in enumerate(lines.units))]
    total = before[-1]
    best = 0
    for rows in dated.values():
        if len(rows) >= _POSTS:
            spans = map(table.lines_in, rows)
            inside = [before[span.stop] - before[span.start] for span in spans]
            if sum(1 for units in inside if units) >= _POSTS:
                best = max(best, sum(inside))
    return best / total if total else 0.0
