"""Rules about the lines of a subtree that no linear model may overrule."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.page.row_flags import PRE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.body.evidence import Evidence

NEVER = -9.0  # log-odds of a line that a rule excludes
MIN_COPIED_UNITS = 40  # shorter lines may well be written twice
MIN_COPY_LINES = 4  # one paragraph written again is the author's way, four are a second copy


def apply_rules(
    log_odds: NDArray[np.float64], evidence: Evidence, inside: range
) -> NDArray[np.float64]:
    """Return the *log_odds* of the lines *inside* after the rules that no model may overrule.

    A table or list stays or goes as a whole, by the mean of its lines: with half its cells it is
    worth less than none. A listing of code goes as the text before and after it goes. Never body:
    what is excluded, and a second copy of the body.
    """
    groups: dict[int, list[int]] = {}
    for at, line in enumerate(inside):
        if evidence.group[line] >= 0:
            groups.setdefault(evidence.group[line], []).append(at)
    ruled = log_odds.copy()
    for lines in groups.values():
        ruled[lines] = log_odds[lines].mean()
    _keep_code(ruled, evidence, inside)
    ruled[evidence.excluded[inside.start : inside.stop] > 0] = NEVER
    ruled[_second_copy(evidence, inside)] = NEVER
    return ruled


def _keep_code(log_odds: NDArray[np.float64], evidence: Evidence, inside: range) -> None:
    """Raise preformatted lines to the mean log-odds of the lines around them, where that is more.

    Code looks like nothing that is fitted on prose, yet readers come for it.
    """
    table = evidence.table
    cut = slice(inside.start, inside.stop)
    code = table.flags.inside[table.columns.block[cut]] & PRE > 0
    if not code.any() or code.all():
        return
    text = np.flatnonzero(~code)
    at = np.flatnonzero(code)
    next_text = np.searchsorted(text, at)
    before = log_odds[text[np.maximum(next_text - 1, 0)]]
    after = log_odds[text[np.minimum(next_text, len(text) - 1)]]
    log_odds[at] = np.maximum(log_odds[at], (before + after) / 2)


def _second_copy(evidence: Evidence, inside: range) -> list[int]:
    """Return which lines of the subtree are a second copy of the body, counted from its start."""
    texts, units = evidence.table.lines.text, evidence.table.columns.units
    seen: set[str] = set()
    copies = []
    for at, line in enumerate(inside):
        if evidence.repeats[line] and units[line] >= MIN_COPIED_UNITS:
            if texts[line] in seen:
                copies.append(at)
            seen.add(texts[line])
    return copies if len({texts[inside[at]] for at in copies}) >= MIN_COPY_LINES else []
