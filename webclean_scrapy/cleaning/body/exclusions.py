"""Lines that are never body, whatever the linear models say, each with its reason.

Next to no body lies in these on pages of any kind: what readers wrote, forms, navigation and asides
beside a real text, the consent to cookies, the line under a picture that is named or worded as one,
the heading that repeats the title, editor and source lines, text run together a second time, text
without sentences. Elements are excluded only while enough paragraphs lie outside them: a page whose
article is in a form keeps it, and so does one whose captions are its text. What only screen readers
get, what they are kept from, dialogs, and places that a template left empty are no text either.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.page import row_flags as f

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.page.table import PageTable
    from webclean_scrapy.cleaning.parsed_page import ParsedPage

#: Why a line is excluded; 0 is a line that is not.
REASONS = (
    "", "caption", "credit", "title", "tail", "consent", "comments", "form", "navigation",
    "aside", "repeated", "no sentences", "advertisement", "template", "teaser", "player", "tools",
    "author", "hidden", "link block", "dialog", "placeholder",
)  # fmt: skip
(
    NOT, CAPTION, CREDIT, TITLE, TAIL, CONSENT, COMMENTS, FORM, NAVIGATION, ASIDE, REPEATED,
    NO_SENTENCES, ADVERT, TEMPLATE, TEASER, PLAYER, TOOLS, AUTHOR, HIDDEN, LINK_BLOCK, DIALOG,
    PLACEHOLDER,
) = range(len(REASONS))  # fmt: skip

#: Reasons that hold on pages of every kind.
OF_ANY_PAGE = (CONSENT, NAVIGATION, ADVERT, TEMPLATE, TOOLS, HIDDEN, DIALOG, PLACEHOLDER)

MIN_OUTSIDE_UNITS = 300  # of paragraphs outside an element that is excluded
MIN_OUTSIDE_SHARE = 0.25  # of the page's, 0..1
MIN_COMMENTED_SHARE = 0.05  # the same for comments and consent: they may outweigh the text
MIN_SHOWN_SHARE = 0.75  # the same for what is hidden: scripts show whole articles later
MAX_SHARE = 0.5  # of the page's paragraphs in these lines; above it they are the text of the page
_AT_MOST = frozenset({CAPTION, TEMPLATE})

_ELEMENTS = (
    (COMMENTS, f.COMMENTS, MIN_COMMENTED_SHARE),
    (FORM, f.FORM, MIN_OUTSIDE_SHARE),
    (NAVIGATION, f.NAV, MIN_OUTSIDE_SHARE),
    (ASIDE, f.ASIDE, MIN_OUTSIDE_SHARE),
    (AUTHOR, f.NAMED_BIO, MIN_OUTSIDE_SHARE),
    (HIDDEN, f.HIDDEN, MIN_SHOWN_SHARE),
    (HIDDEN, f.UNSEEN, MIN_SHOWN_SHARE),
    (DIALOG, f.DIALOG, MIN_COMMENTED_SHARE),
)


def find_exclusions(
    page: ParsedPage,
    weights: Sequence[int],
    known: Mapping[int, NDArray[np.bool_]],
    title_line: int | None,
) -> NDArray[np.uint8]:
    """Return for each line why it is no body: an index of REASONS. Cost: O(lines).

    *weights* are those of the lines as paragraphs, in units; *known* has the lines that are
    excluded by what is known of them already, per reason. An element that holds the *title_line*
    is not excluded, whatever it is.
    """
    table = page.table
    columns, flags = table.columns, table.flags
    reasons = np.zeros(len(weights), np.uint8)
    inside = flags.inside[columns.block]
    weight = np.array(weights, np.int64)
    elements = []
    for reason, lines in known.items():
        if reason == TEASER:
            elements.append((TEASER, lines, MIN_COMMENTED_SHARE))
        elif reason == LINK_BLOCK:  # the blocks of a whole page: a title that is a link is none
            others = lines & (np.arange(len(lines)) != title_line)
            elements.append((LINK_BLOCK, others, MIN_OUTSIDE_SHARE))
        elif reason not in _AT_MOST or weight[lines].sum() <= MAX_SHARE * weight.sum():
            reasons[lines] = reason
    reasons[_run_together(table)] = REPEATED
    elements.append((CONSENT, _consent(table, page.titles), MIN_COMMENTED_SHARE))
    said = int(np.bitwise_or.reduce(inside, initial=0))
    elements += [(why, inside & bit > 0, low) for why, bit, low in _ELEMENTS if said & bit]
    playing = (inside & f.NAMED_PLAYER > 0) & (flags.own[columns.block] & f.CELL == 0)
    reasons[playing & (weight == 0) & (reasons == NOT)] = PLAYER  # in tables they play ball
    elements.append((PLAYER, playing, MIN_OUTSIDE_SHARE))
    for reason, lines, share in elements:
        if not lines.any():
            continue
        holds_title = title_line is not None and lines[title_line] and reason != FORM
        if not holds_title and _leaves_enough(lines, weight * (reasons == NOT), share):
            reasons[lines & (reasons == NOT)] = reason
    return reasons


def _leaves_enough(lines: NDArray[np.bool_], weight: NDArray[np.int64], least: float) -> bool:
    left = weight[~lines].sum()
    return bool(left >= MIN_OUTSIDE_UNITS and left >= least * weight.sum())


_LONG_LINE = 400  # units; a line that may be a whole text run together
_PART = 40  # units; a line that may be a part of one
_MIN_PARTS = 3
_MIN_COPIED = 0.6  # share of the long line that other lines make up, 0..1
_MAX_LOOKED_AT = 20  # long lines; more are the page's way of writing
_MAX_SEARCHED = 200_000_000  # characters in which parts are looked for, 0.1 s; the first parts are


def _run_together(table: PageTable) -> list[int]:
    """Return the long lines that say what several other lines say, in one piece.

    Data that scripts or machines read, beside the text that people read, which is in paragraphs.
    """
    columns, texts = table.columns, table.lines.text
    paragraph = table.flags.own[columns.block] & f.PARAGRAPH > 0
    long = np.flatnonzero((columns.units >= _LONG_LINE) & ~paragraph)
    if not 0 < len(long) <= _MAX_LOOKED_AT:
        return []
    parts = np.flatnonzero(columns.units >= _PART).tolist()
    parts = parts[: _MAX_SEARCHED // sum(len(texts[line]) for line in long.tolist())]
    copies = []
    for line in long.tolist():
        text, size = texts[line], len(texts[line])
        shorter = [texts[n] for n in parts if len(texts[n]) < size]
        if len(shorter) < _MIN_PARTS or sum(map(len, shorter)) < _MIN_COPIED * size:
            continue
        held = [len(part) for part in shorter if part in text]
        if len(held) >= _MIN_PARTS and sum(held) >= _MIN_COPIED * size:
            copies.append(line)
    return copies


_COOKIE = re.compile(r"\b[Cc]ookie")
_CONSENT_SHARE = 0.3  # of an element's text in lines about cookies, 0..1
_CONSENT_LINES = 2  # such lines in it


def _consent(table: PageTable, titles: Iterable[str]) -> NDArray[np.bool_]:
    """Mark the lines of elements that are named a cookie notice, or are about little else.

    The word is the same in nearly every language. An article about cookies has it in its title
    or is about other things too.
    """
    columns, flags = table.columns, table.flags
    consent: NDArray[np.bool_] = flags.inside[columns.block] & f.CONSENT > 0
    cookie_lines = [
        line
        for line, text in enumerate(table.lines.text)
        if "ookie" in text and _COOKIE.search(text) and columns.plain[line] and not consent[line]
    ]
    if len(cookie_lines) < _CONSENT_LINES or any("cookie" in title.lower() for title in titles):
        return consent
    about = np.zeros(len(consent) + 1, np.int64)
    about[np.array(cookie_lines) + 1] = columns.units[cookie_lines]
    before = np.cumsum(about)
    for column in (columns.second, columns.third, columns.fourth):
        for row in set(column[cookie_lines].tolist()):
            inside = table.lines_in(row)
            share = before[inside.stop] - before[inside.start]
            if (
                flags.own[row] & f.WHOLE == 0
                and share >= _CONSENT_SHARE * max(1, int(table.arrays.units[row]))
                and sum(inside.start <= n < inside.stop for n in cookie_lines) >= _CONSENT_LINES
            ):
                consent[inside.start : inside.stop] = True
    return consent
