"""Removes headings and labels of sections of which nothing is left."""

from __future__ import annotations

from itertools import chain, compress, count
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.body.amid import COLONS
from webclean_scrapy.cleaning.body.lead import heading_row
from webclean_scrapy.cleaning.body.models import without_lines
from webclean_scrapy.cleaning.body.reasons.names import CAPTION
from webclean_scrapy.cleaning.body.wording import ends_sentence
from webclean_scrapy.cleaning.page import row_flags as f
from webclean_scrapy.cleaning.page.media import is_badge, is_shown
from webclean_scrapy.cleaning.page.tags import HEADING_TAGS, PLAYERS

if TYPE_CHECKING:
    from webclean_scrapy.cleaning.body.evidence import Evidence
    from webclean_scrapy.cleaning.body.models import Body

EMPTY_SECTION = "empty section"  # why its heading was removed
_LABEL_UNITS = 60  # a longer line says something by itself


def remove_empty_sections(evidence: Evidence, body: Body) -> Body:
    """Return the *body* without headings whose sections were removed.

    A section reaches to the next heading of its level, or to the end of the element around. One in
    which nothing stands keeps its heading if body follows; one with a picture, too. Where several
    headings of one markup were to go, what was removed beside them belongs to each of the page.
    """
    table, kept = evidence.table, set(body.lines)
    heading = table.block_flags & f.HEADING > 0
    emptied: dict[int, dict[str, list[int]]] = {}
    is_kept = np.zeros(len(heading) + 1, bool)
    is_kept[list(body.lines)] = True
    may_be = is_kept[:-1] & (heading | ((table.columns.units <= _LABEL_UNITS) & ~is_kept[1:]))
    for line in reversed(may_be.nonzero()[0].tolist()):
        is_emptied = _is_emptied if heading[line] else _is_label_of_removed
        if is_emptied(evidence, body, line, kept):
            kept.discard(line)
            of_markup = emptied.setdefault(int(table.signatures[line]), {})
            of_markup.setdefault(table.lines.text[line], []).append(line)
    lines = sorted(
        chain.from_iterable(of[text] for of in emptied.values() for text in of if len(of) == 1)
    )
    return without_lines(evidence, body, lines, EMPTY_SECTION)


def _is_emptied(evidence: Evidence, body: Body, line: int, kept: set[int]) -> bool:
    """True if no line is kept in the section of the heading *line*, within the *body*."""
    table = evidence.table
    row = heading_row(table, line)
    level, below, first = table.tag[row], line + 1, table.end[row]
    around, end = table.parent[row], table.end
    while around >= (body.row or 0):
        stop = end[around]
        for other in range(below, table.line_of[stop]):
            block = table.lines.container[other]
            if table.tag[block] in HEADING_TAGS and table.tag[block] <= level:
                stop = table.lines.first[other]
                break
            if other in kept:
                return False
        if _has_picture(evidence, first, stop):
            return False
        if table.line_of[stop] > line + 1 or "form" in table.tag[first:stop]:
            return True
        if stop < end[around]:
            return False
        around = table.parent[around]
    return line == max(kept) and not evidence.weights[line]  # nothing of the body follows


def _is_label_of_removed(evidence: Evidence, body: Body, line: int, kept: set[int]) -> bool:
    """True if a short line leads to lines that were removed, and to nothing else.

    It begins an element of which these are the rest, or is the last line, with a colon.
    """
    table = evidence.table
    block, text = table.lines.container[line], table.lines.text[line]
    around, top = table.parent[block], body.row or 0
    is_last = line == body.lines[-1] and text.endswith(COLONS)
    if (
        table.lines.units[line] > _LABEL_UNITS
        or around < top
        or table.flags.own[block] & (f.CELL | f.ITEM)
        or table.flags.inside[block] & f.PRE
        or not (is_last or (around > top and table.line_of[around] == line))
    ):
        return False
    others = range(line + 1, table.line_of[table.end[around]])
    return (
        len(others) > 0
        and kept.isdisjoint(others)
        and not ends_sentence(text)
        and not _has_picture(evidence, table.end[block], table.end[around])
    )


def _has_picture(evidence: Evidence, first: int, stop: int) -> bool:
    """True if the rows hold a picture outside of captions."""
    table = evidence.table
    own = table.flags.own[first:stop] & f.IMAGE > 0
    tags = table.tag[first:stop]
    players = compress(count(first), map(PLAYERS.__contains__, tags))
    pictures = (at for at in (own.nonzero()[0] + first).tolist() if not is_badge(table.node[at]))
    for row in chain(pictures, (at for at in players if is_shown(table.node[at]))):
        above = table.parent[row]
        while above >= first and not table.lines_in(above):
            above = table.parent[above]
        about = table.lines_in(above)
        if above < first or (evidence.excluded[about.start : about.stop] == CAPTION).all():
            return True
    return False
