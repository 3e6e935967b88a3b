"""Read the pages of products and services: what is offered, once, and not how to buy it.

The page of a product is about one product of many: what readers wrote of it and the others of the
shop stand below it. Both kinds show texts again for other screens, and call to act between them.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.body.like_elements import find_offers
from webclean_scrapy.cleaning.body.models import with_lines, without_lines
from webclean_scrapy.cleaning.body.reasons.empty_section import EMPTY_SECTION
from webclean_scrapy.cleaning.body.reasons.names import (
    COMMENTS,
    EXCLUSIONS,
    HIDDEN,
    NOT,
    PROMPT,
    REPEATED,
    TAIL,
    TEASER,
)
from webclean_scrapy.cleaning.body.reasons.repeated import repeated_runs
from webclean_scrapy.cleaning.page import row_flags as f
from webclean_scrapy.cleaning.page.rows import rows_named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.body.evidence import Evidence
    from webclean_scrapy.cleaning.body.models import Body

_REVIEWS = re.compile(r"(?<![a-z])reviews?(?![a-z])")  # in ids and classes
_NOTES = re.compile(r"tooltip|popover")  # of what is shown where a reader points
_BUTTON = re.compile(r"(?<![a-z])(?:btn|button|cta)")
_CALL_UNITS = 20  # a longer link says what it leads to, unless it is named as a button
_AGAIN = 3  # links with the same words, which lead to nothing that these name
_COPY_UNITS, _COPY_LINES = 40, 2  # of a copy, of a service; fewer may well be written twice
_LEAST_FACTS = 4  # lines of a table


def find_beside_product(evidence: Evidence) -> Iterator[tuple[int, NDArray[np.bool_]]]:
    """Yield reasons to exclude lines of a product's page, each with the lines that it excludes.

    Other products, reviews of this one, and the notes of tools. Cost: O(rows).
    """
    table = evidence.table
    yield TEASER, find_offers(table)
    yield COMMENTS, _named(evidence, ["review"], _REVIEWS)
    yield HIDDEN, _named(evidence, ["tooltip", "popover"], _NOTES)


def _named(evidence: Evidence, signs: list[str], names: re.Pattern[str]) -> NDArray[np.bool_]:
    """Mark the lines of elements with such a name, without the title of the page in them."""
    table, title = evidence.table, evidence.signs.title_line
    rows = rows_named(table, signs, names.search, ids=True)
    return table.mark_lines([row for row in rows if title not in table.lines_in(row)])


def read_product(evidence: Evidence, body: Body) -> Body:
    """Return the *body* of a product's page without copies, calls and what follows the product.

    With all tables of facts about it. Cost: O(rows x depth).
    """
    body = _without_calls(evidence, _without_copies(evidence, body, 1))
    if not body.lines:
        return body
    first = body.lines[0] if body.title_line is None else body.title_line
    end = _find_end(evidence, body)
    after = [line for line in body.lines if line > end]
    body = without_lines(evidence, body, after, EXCLUSIONS[TAIL])
    facts = _find_facts(evidence, range(first, end)).difference(body.lines)
    return with_lines(evidence, body, sorted(facts)) if facts else body


def _find_end(evidence: Evidence, body: Body) -> int:
    """Return the first line of other products or of reviews, below half of the text.

    A heading or a link that leads to reviews is none of them.
    """
    lines, units = np.array(body.lines), evidence.table.columns.units
    above = units[lines].cumsum()
    half = lines[np.searchsorted(above, above[-1] / 2)]
    is_review = (evidence.excluded == COMMENTS) & evidence.table.is_paragraph
    ends = ((evidence.excluded == TEASER) | is_review).nonzero()[0]
    return int(min(ends[ends > half], default=len(units)))


def _find_facts(evidence: Evidence, inside: range) -> set[int]:
    """Return the lines of tables of facts *inside* a range of lines, with their headings."""
    table, flags = evidence.table, evidence.table.flags
    units, linked = table.arrays.units, table.arrays.link_units
    away = table.around_flags & (f.ASIDE | f.NAV | f.FORM) > 0
    never = away | (evidence.excluded != NOT)
    is_heading = table.block_flags & f.HEADING > 0
    facts: set[int] = set()
    for row in (flags.own & f.GROUP).nonzero()[0].tolist():
        lines, above = table.lines_in(row), table.line_of[row] - 1
        is_table = table.tag[row] in {"table", "dl"} and 2 * linked[row] < units[row]
        if (
            is_table
            and len(lines) >= _LEAST_FACTS
            and lines[0] in inside
            and lines[-1] in inside
            and not never[lines.start : lines.stop].any()
        ):
            has_heading = above in inside[1:] and is_heading[above] and not never[above]
            facts.update(lines, [above] if has_heading else ())
    return facts


def read_service(evidence: Evidence, body: Body) -> Body:
    """Return the *body* of the page of a service without copies and calls. Cost: O(rows).

    A heading without a text or a form below is no empty section, but a claim: "100M+".
    """
    table, first = evidence.table, [*evidence.table.lines.first, len(evidence.table)]
    spans = chain.from_iterable(one.spans for one in body.removals if one.why == EMPTY_SECTION)
    headings = [table.line_of[start] for start, _ in spans]
    if claims := [
        line for line in headings if "form" not in table.tag[first[line] : first[line + 1]]
    ]:
        body = with_lines(evidence, body, claims)
    return _without_calls(evidence, _without_copies(evidence, body, _COPY_LINES))


def _without_copies(evidence: Evidence, body: Body, least: int) -> Body:
    """Leave out runs of *least* lines or more that repeat lines further up."""
    units = evidence.table.columns.units
    runs = repeated_runs(evidence.table, np.zeros_like(evidence.excluded), body.lines)
    long = (run for run in runs if len(run) >= least and units[run].sum() >= _COPY_UNITS)
    return without_lines(evidence, body, [*chain.from_iterable(long)], EXCLUSIONS[REPEATED])


def _without_calls(evidence: Evidence, body: Body) -> Body:
    """Leave out links alone in their line that call to act: "Shop now".

    Outside lists and tables they are named as buttons, or anywhere short and repeated.
    """
    table, columns, texts = evidence.table, evidence.table.columns, evidence.table.lines.text
    is_link = (columns.linked >= columns.units) & (columns.units > 0)
    short = is_link & (columns.units < _CALL_UNITS)
    counts = Counter(texts[line] for line in is_link.nonzero()[0].tolist())
    grouped = table.mark_lines((table.flags.own & f.GROUP).nonzero()[0].tolist())
    named = rows_named(table, ["btn", "button", "cta"], _BUTTON.search, ids=True)
    buttons = table.mark_lines([row for row in named if len(table.lines_in(row)) == 1])
    again = np.array([counts[text] >= _AGAIN for text in texts], bool)
    is_call = (is_link & buttons & ~grouped) | (short & again)
    calls = [line for line in body.lines if is_call[line]]
    return without_lines(evidence, body, calls, EXCLUSIONS[PROMPT])
