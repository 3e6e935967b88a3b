"""Lines that are never body, whatever the numbers say, each with its reason.

`judge` weighs evidence; this is what needs no weighing, because next to no body lies in it on pages
of any kind: what readers wrote, forms, navigation and asides beside a real text, the consent to
cookies, the line under a picture that is named or worded as one, the heading that repeats the
title, editor and source lines, text run together a second time, text without sentences. Elements
are set apart only while enough paragraphs lie outside them: a page whose article stands in a form
keeps it, and so does one that is told in the captions of its pictures.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.page import row_flags as f

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.page.line_arrays import LineColumns
    from webclean_scrapy.cleaning.page.table import PageTable

#: Why a line is set apart; 0 is a line that is not.
REASONS = (
    "", "caption", "credit", "title", "tail", "consent", "comments", "form", "navigation",
    "aside", "repeated", "no sentences", "advertisement", "template", "teaser", "player", "tools",
    "author", "hidden",
)  # fmt: skip
(
    NOT, CAPTION, CREDIT, TITLE, TAIL, CONSENT, COMMENTS, FORM, NAVIGATION, ASIDE, REPEATED,
    NO_SENTENCES, ADVERT, TEMPLATE, TEASER, PLAYER, TOOLS, AUTHOR, HIDDEN,
) = range(len(REASONS))  # fmt: skip

MIN_OUTSIDE_UNITS = 300  # of paragraphs outside an element that is set apart
MIN_OUTSIDE_SHARE = 0.25  # of the page's, 0..1
MIN_COMMENTED_SHARE = 0.05  # the same for comments, consent, teasers: they may outweigh the text
MIN_SHOWN_SHARE = 0.75  # the same for what is hidden: scripts show whole articles later
MAX_SHARE = 0.5  # of the page's paragraphs in these lines; above it they are what the page tells
_AT_MOST = frozenset({CAPTION, TEMPLATE})

_ELEMENTS = (
    (COMMENTS, f.COMMENTS, MIN_COMMENTED_SHARE),
    (FORM, f.FORM, MIN_OUTSIDE_SHARE),
    (NAVIGATION, f.NAV, MIN_OUTSIDE_SHARE),
    (ASIDE, f.ASIDE, MIN_OUTSIDE_SHARE),
    (AUTHOR, f.NAMED_BIO, MIN_OUTSIDE_SHARE),
    (HIDDEN, f.HIDDEN, MIN_SHOWN_SHARE),
)


def find_apart(
    table: PageTable,
    facts: f.RowFacts,
    columns: LineColumns,
    *,
    mass: Sequence[int],
    titles: Iterable[str],
    told: Mapping[int, NDArray[np.bool_]],
    anchor: int | None,
) -> NDArray[np.uint8]:
    """Return for each line why it is no body: an index of REASONS. Cost: O(lines).

    *mass* has the weights of the lines as paragraphs, in units; *told* the lines that are set
    apart by what is known of them already, per reason. An element that holds the *anchor*, the
    line where the article's title stands, is not set apart whatever it is.
    """
    found = np.zeros(len(mass), np.uint8)
    bits = facts.bits[columns.box]
    weight = np.array(mass, np.int64)
    elements = []
    for reason, lines in told.items():
        if reason == TEASER:
            elements.append((TEASER, lines, MIN_COMMENTED_SHARE))
        elif reason not in _AT_MOST or weight[lines].sum() <= MAX_SHARE * weight.sum():
            found[lines] = reason
    found[_run_together(table, facts, columns)] = REPEATED
    elements.append((CONSENT, _consent(table, facts, columns, titles), MIN_COMMENTED_SHARE))
    elements += [(reason, bits & bit > 0, share) for reason, bit, share in _ELEMENTS]
    playing = (bits & f.NAMED_PLAYER > 0) & (facts.own[columns.box] & f.CELL == 0)
    found[playing & (weight == 0) & (found == NOT)] = PLAYER  # in tables they play ball
    elements.append((PLAYER, playing, MIN_OUTSIDE_SHARE))
    for reason, lines, share in elements:
        if not lines.any():
            continue
        holds_title = anchor is not None and lines[anchor] and reason != FORM
        if not holds_title and _leaves_enough(lines, weight * (found == NOT), share):
            found[lines & (found == NOT)] = reason
    return found


def _leaves_enough(lines: NDArray[np.bool_], mass: NDArray[np.int64], least: float) -> bool:
    left = mass[~lines].sum()
    return bool(left >= MIN_OUTSIDE_UNITS and left >= least * mass.sum())


_LONG_LINE = 400  # units; a line that may be a whole text run together
_PART = 40  # units; a line that may be a part of one
_MIN_PARTS = 3
_MIN_COPIED = 0.6  # share of the long line that other lines make up, 0..1
_MAX_LOOKED_AT = 20  # long lines; more are the page's way of writing


def _run_together(table: PageTable, facts: f.RowFacts, columns: LineColumns) -> list[int]:
    """Return the long lines that say what several other lines say, in one piece.

    Data that scripts or machines read, beside the text that people read, which is in paragraphs.
    """
    units, texts = columns.units, table.lines.text
    long = np.flatnonzero((units >= _LONG_LINE) & (facts.own[columns.box] & f.PARAGRAPH == 0))
    if not 0 < len(long) <= _MAX_LOOKED_AT:
        return []
    parts = np.flatnonzero(units >= _PART).tolist()
    found = []
    for line in long.tolist():
        text, size = texts[line], len(texts[line])
        held = [len(texts[n]) for n in parts if len(texts[n]) < size and texts[n] in text]
        if len(held) >= _MIN_PARTS and sum(held) >= _MIN_COPIED * size:
            found.append(line)
    return found


_COOKIE = re.compile(r"\b[Cc]ookie")
_CONSENT_SHARE = 0.3  # of an element's text in lines that speak of cookies, 0..1
_CONSENT_LINES = 2  # such lines in it


def _consent(
    table: PageTable, facts: f.RowFacts, columns: LineColumns, titles: Iterable[str]
) -> NDArray[np.bool_]:
    """Mark the lines of elements that are named a cookie notice, or speak of little else.

    The word is the same in nearly every language. An article about cookies has it in its title
    or speaks of other things too.
    """
    found: NDArray[np.bool_] = facts.bits[columns.box] & f.CONSENT > 0
    said = [
        line
        for line, text in enumerate(table.lines.text)
        if "ookie" in text and _COOKIE.search(text) and columns.plain[line] and not found[line]
    ]
    if len(said) < _CONSENT_LINES or any("cookie" in title.lower() for title in titles):
        return found
    about = np.zeros(len(found) + 1, np.int64)
    about[np.array(said) + 1] = columns.units[said]
    before = np.cumsum(about)
    for column in (columns.second, columns.third, columns.fourth):
        for row in set(column[said].tolist()):
            inside = table.lines_in(row)
            share = before[inside.stop] - before[inside.start]
            if (
                facts.own[row] & f.WHOLE == 0
                and share >= _CONSENT_SHARE * max(1, int(facts.text[row]))
                and sum(inside.start <= line < inside.stop for line in said) >= _CONSENT_LINES
            ):
                found[inside.start : inside.stop] = True
    return found
