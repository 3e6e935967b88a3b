"""Join the parts of an article; decide by title and text how two pages are related.

Texts are compared as they are read: line by line, without blanks, marks and the case of letters.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product, takewhile
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.page.removals import Removal, line_spans
from webclean_scrapy.cleaning.page.units import letters, text_units
from webclean_scrapy.cleaning.words.phrases import any_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from webclean_scrapy.cleaning.result import CleanedPage

SAME, WHOLE, PART, LAST = RELATIONS = ("same", "whole", "part", "last part")

_LINE_UNITS = 30  # a shorter line may be on any page
_PART_UNITS = 200  # a part with less text of its own is the next picture of a gallery,
_LAST_UNITS = 60  # unless it is the last one
_MOST_SHARED = 0.5  # of a part's text is on the first page: a lead, what stands on all of them
_LEAST_SHARED = 0.6  # of the text of a page is on one that says the same
_WHOLE_HOLDS = 0.8  # of the first page's text
_WHOLE_GROWS = 0.2  # of it again, that is new
_LEAST_TITLE = 6  # units of one that says anything
_DAY = len("2026-05-06")
_MOST_MARK = 14  # characters that a title has more than another: "(2)", "Page 2 of 3"
_NUMERAL = re.compile("[0-9一二三四五六七八九十]")
_PAGE_MARK = re.compile(  # "(2)", "（第2页）", "2/3", "- page 2 of 3"; not "Chapter 2"
    rf"(?:[(（\[【][^()（）]{{0,12}}{_NUMERAL.pattern}[^()（）]{{0,8}}[)）\]】]"
    rf"|(?:[-–—|,:]\s*(?:[^\W\d]{{1,8}}\s*)?)?\d{{1,2}}\s*(?:/|{any_of('page_of')})\s*\d{{1,2}})"
    r"(?=\s*(?:[-–—|_·»]|\Z))",
    re.IGNORECASE,
)


def relation(first: CleanedPage, other: CleanedPage) -> str:
    """Return the relation of *other* to *first*, one of RELATIONS; "" if unrelated.

    SAME has most of its text; WHOLE has its text and more; PART goes on with other text; LAST does
    so with little, as the last part may.
    """
    if not _same_title(first, other) or _differ(first.date_published, other.date_published):
        return ""
    held, lacking = _shared_units(first, other)
    shared, own = _shared_units(other, first)
    if held >= _LEAST_SHARED * max(held + lacking, 1):
        is_whole = held >= _WHOLE_HOLDS * (held + lacking) and own >= _WHOLE_GROWS * held
        return WHOLE if is_whole else SAME
    if shared >= _LEAST_SHARED * max(shared + own, 1):
        return SAME
    if shared > _MOST_SHARED * (shared + own) or own < _LAST_UNITS:
        return ""
    return PART if own >= _PART_UNITS else LAST


def join_pages(first: CleanedPage, parts: Iterable[CleanedPage]) -> CleanedPage:
    """Join the article of *first* and its *parts*; repeated lines are kept once."""
    met = {*_titles(first), *(letters(text) for _, text in first.text_lines)}
    rest = []
    for part in parts:
        rest.append(_without_repeated(part, met))
        met.update(letters(text) for _, text in rest[-1].text_lines)
    return first.with_trace(first.trace, rest)


def _without_repeated(part: CleanedPage, met: set[str]) -> CleanedPage:
    """Return *part* without lines of earlier pages; short lines are removed at its ends only."""
    lines = part.text_lines
    is_met = [_is_met(text, met) for _, text in lines]
    head = len(list(takewhile(bool, is_met)))
    tail = len(list(takewhile(bool, reversed(is_met[head:]))))
    ends = {*range(head), *range(len(lines) - tail, len(lines))}
    repeated = [
        line
        for at, (line, text) in enumerate(lines)
        if is_met[at] and (at in ends or text_units(text) >= _LINE_UNITS)
    ]
    if not repeated:
        return part
    body, table = part.trace.body, part.trace.page.table
    removal = Removal("parts", "repeated", line_spans(table, repeated))
    kept = tuple(line for line in body.lines if line not in set(repeated))
    body = replace(body, lines=kept, removals=(*body.removals, removal))
    return part.with_trace(replace(part.trace, body=body))


def _is_met(text: str, met: set[str]) -> bool:
    """True if a line was seen before, page numbers ignored; also for a row of page numbers."""
    words = letters(text)
    return words in met or letters(_PAGE_MARK.sub("", text)) in met or words.isdigit()


def _shared_units(one: CleanedPage, other: CleanedPage) -> tuple[int, int]:
    """Return how much text of *one* is and is not on *other*, short lines ignored."""
    text, shared, own = letters(other.text), 0, 0
    for _, line in one.text_lines:
        if (units := text_units(line)) >= _LINE_UNITS:
            is_shared = letters(line) in text
            shared, own = shared + units * is_shared, own + units * (not is_shared)
    return shared, own


def _same_title(one: CleanedPage, other: CleanedPage) -> bool:
    return any(_is_same(*sorted(pair, key=len)) for pair in product(_titles(one), _titles(other)))


def _differ(one: str | None, other: str | None) -> bool:
    """True if two dates differ: a weekly column repeats its title."""
    return bool(one and other) and str(one)[:_DAY] != str(other)[:_DAY]


def _titles(page: CleanedPage) -> set[str]:
    """Return the words of the title, with and without the name of the site, and its number."""
    return {letters(_PAGE_MARK.sub("", title)) for title in (page.title, *page.trace.page.titles)}


def _is_same(shorter: str, longer: str) -> bool:
    if text_units(shorter) < _LEAST_TITLE or not longer.startswith(shorter):
        return False
    mark = longer[len(shorter) :]
    return not mark or (len(mark) <= _MOST_MARK and _NUMERAL.search(mark) is not None)
