"""Finds what stands between the paragraphs of a text, and so belongs to it."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.body.wording import ENDS, LEADS_ON, ends_sentence
from webclean_scrapy.cleaning.page.row_flags import (
    ASIDE,
    COMMENTS,
    NAMED_AUTHOR,
    NAMED_PROMPT,
    NAMED_SHARING,
    RELATED,
)
from webclean_scrapy.cleaning.page.units import letters

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.page.table import PageTable


COLONS = (":", "：")
_NO_NOTE = COMMENTS | RELATED | NAMED_PROMPT | NAMED_AUTHOR | NAMED_SHARING  # of an aside
_MOST_EDGES = 40  # of asides


def find_inline_asides(table: PageTable, weight: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Mark the lines of asides without links that stand between two paragraphs of a text.

    A box with facts, a note: what is beside the text stands behind it. An aside that the text holds
    again is a sentence set large. Cost: O(lines), with the characters of the page where there are
    any; so many at most are looked at.
    """
    amid, flags = np.zeros(len(table.lines), bool), table.flags.inside
    aside = table.around_flags & ASIDE > 0
    edges = ((aside[1:] != aside[:-1]).nonzero()[0] + 1).tolist()[:_MOST_EDGES]
    whole = ""
    for first, stop in pairwise(edges):
        if not (aside[first] and weight[first - 1] and weight[stop : stop + 2].any()):
            continue
        row = table.lines.container[first]
        while flags[above := table.parent[row]] & ASIDE:
            row = above
        around = table.lines_in(above)
        if (
            table.tag[row] == "aside"
            and table.lines_in(row) == range(first, stop)
            and around.start < first < stop < around.stop
            and not flags[row] & _NO_NOTE
            and table.columns.plain[first:stop].all()
        ):
            whole = whole or "\n".join(map(letters, table.lines.text))
            words = max(map(letters, table.lines.text[first:stop]), key=len)  # beside a sign
            amid[first:stop] = whole.count(words) < 2
    return amid


def is_among_paragraphs(
    table: PageTable, weight: Sequence[int] | NDArray[np.int64], line: int
) -> bool:
    """True if a plain paragraph is between two others, or follows a colon and precedes one."""
    lines, second = table.lines, table.columns.second
    if not 0 < line < len(lines) - 1 or lines.link_units[line]:
        return False
    leads = weight[line - 1] > 0 or lines.text[line - 1].endswith(COLONS)
    block, around = lines.container[line], second[line - 1]
    is_paragraph = table.tag[block] == "p" or block == around  # or free text between them
    among = around == second[line + 1] and around in {block, second[line]}
    return bool(is_paragraph and among and leads and weight[line + 1] > 0)


def are_sentences_amid(table: PageTable, candidates: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Mark *candidates* that are sentences between paragraphs, and so part of the story.

    A credit, a notice of rights or a request is at an end of a text, or no sentence.
    """
    told = np.zeros(len(candidates), bool)
    for line in candidates.nonzero()[0].tolist():
        told[line] = ends_sentence(table.lines.text[line]) and is_among_paragraphs(
            table, table.paragraph_weights, line
        )
    return told


_LABEL, _SENTENCE = 12, 34  # least units of what leads to a list in doubt, to any list of links


def find_lists_after_colon(
    table: PageTable, lists: NDArray[np.bool_], in_doubt: NDArray[np.bool_], body: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Mark *lists* amid the *body* that a line with a colon, not alone with them, leads to."""
    introduced, text, lines = np.zeros(len(body), bool), body.nonzero()[0], table.lines.text
    amid = range(text[0], text[-1]) if len(text) else range(0)
    leads = {at for at in amid if lines[at].endswith(COLONS)}
    if not leads:  # as in most texts
        return introduced
    edges = np.diff(lists, prepend=False, append=False).nonzero()[0]
    for first, stop in edges.reshape(-1, 2).tolist():
        is_list = first - 1 in leads and first < stop - 1 < text[-1]
        if is_list and _introduces(table, first - 1, stop, in_doubt[first]):
            row, above = table.lines.container[first], table.lines.first[first - 1]
            while row > above:
                row = table.parent[row]
            box = table.lines_in(row)
            introduced[first:stop] = body[box.start : box.stop].sum() > body[first - 1]
    return introduced


def _introduces(table: PageTable, line: int, stop: int, in_doubt: bool) -> bool:
    """True if a *line* with a colon leads on: a sentence, or a label to a list in doubt."""
    lines, text, second = table.lines, table.lines.lower_starts[line], table.columns.second
    in_doubt &= bool(table.is_paragraph[stop] and second[line] == second[stop])
    is_long = lines.units[line] >= (_LABEL if in_doubt else _SENTENCE)
    is_on_others = LEADS_ON.match(text) or ENDS.search(text) or lines.link_units[line]
    return is_long and not is_on_others
