"""Finds requests for the consent to cookies."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.page import row_flags as f

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.body.reasons.page_lines import PageLines


_COOKIE = re.compile(r"\b[Cc]ookie")
_CONSENT_SHARE = 0.3  # of an element's text in lines about cookies, 0..1
_CONSENT_LINES = 2  # such lines in it


def find_consent(lines: PageLines) -> NDArray[np.bool_]:
    """Mark the lines of cookie notices: elements with such a name, or mostly about cookies.

    The word is the same in nearly every language. An article about cookies has it in its title
    or is about other things too.
    """
    table, columns, code = lines.table, lines.table.columns, lines.code
    consent: NDArray[np.bool_] = lines.around & f.CONSENT > 0
    cookie_lines = [
        line
        for line in (lines.signs.cookies & columns.plain & ~consent).nonzero()[0].tolist()
        if _COOKIE.search(table.lines.text[line])
    ]
    titles = " ".join(lines.page.titles).lower()
    if len(cookie_lines) < _CONSENT_LINES or "cookie" in titles:
        return consent
    about = np.zeros(len(consent) + 1, np.int64)
    about[np.array(cookie_lines) + 1] = columns.units[cookie_lines]
    before = np.cumsum(about)
    for column in (columns.second, columns.third, columns.fourth):
        for row in set(column[cookie_lines].tolist()):
            inside = table.lines_in(row)
            share = before[inside.stop] - before[inside.start]
            if (
                table.flags.own[row] & f.WHOLE == 0
                and share >= _CONSENT_SHARE * max(1, int(table.arrays.units[row]))
                and sum(inside.start <= n < inside.stop for n in cookie_lines) >= _CONSENT_LINES
                and not code[inside.start : inside.stop].any()  # a manual may be about them
            ):
                consent[inside.start : inside.stop] = True
    return consent
