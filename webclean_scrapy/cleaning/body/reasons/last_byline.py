"""Removes bylines from the last lines of a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.body.models import without_lines
from webclean_scrapy.cleaning.body.reasons.empty_section import remove_empty_sections
from webclean_scrapy.cleaning.body.reasons.names import CREDIT, EXCLUSIONS
from webclean_scrapy.cleaning.metadata.authors import is_byline

if TYPE_CHECKING:
    from webclean_scrapy.cleaning.body.evidence import Evidence
    from webclean_scrapy.cleaning.body.models import Body

_LAST = 3  # lines about the author, behind as many at least
_SHORT_LINE = 40  # characters of one that may be a name


def remove_last_byline(evidence: Evidence, body: Body) -> Body:
    """Return the *body* without last lines that say who wrote it, or when.

    So does one that begins with the name in the byline, which the text has nowhere else, and what
    follows the name alone.
    """
    texts, title = evidence.table.lines.text, evidence.signs.title_line or 0
    above = [*texts[max(0, title - _LAST) : title], *texts[title + 1 : min(body.lines, default=0)]]
    last = body.lines[_LAST:][-_LAST:]

    def is_in_byline(name: str) -> bool:
        is_name = name.istitle() and " " in name
        return is_name and any(name in each and is_byline(each) for each in above)

    def begins_short_line(name: str) -> bool:
        near = (each for each in above if len(each) <= _SHORT_LINE)
        return name.istitle() and any(each.startswith(name) for each in near)

    marks = evidence.table.signatures
    counts = np.bincount(marks[list(body.lines)])  # headings, if several: of a profile
    his = (at for at in last if is_in_byline(texts[at]) and counts[marks[at]] in {1, counts.max()})
    alone = next(his, len(texts))
    found: list[int] = []
    for line in reversed(last):
        name = " ".join(texts[line].split()[:2])
        is_his = is_in_byline(name) or begins_short_line(name)
        is_his = is_his and sum(name in texts[other] for other in body.lines) == 1
        if not (line >= alone or is_his or is_byline(texts[line], labelled=True)):
            break
        found.insert(0, line)
    body = without_lines(evidence, body, found, EXCLUSIONS[CREDIT])
    return remove_empty_sections(evidence, body) if found else body
