"""Rules about the lines of a subtree that no linear model may overrule."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.page.row_flags import PRE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.body.evidence import Evidence

NEVER = -9.0  # log-odds of a line that a rule excludes
MIN_COPIED_UNITS = 40  # shorter lines may well be written twice
MIN_COPY_LINES = 4  # one paragraph written again is the author's way, four are a second copy
MIN_COPY_UNITS = 400  # and so are two with so much text


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
    """Return which lines of the subtree are a second copy of the body, counted from its start.

    A copy is a run of lines that follow each other as they do further up. What is repeated line by
    line is none: cells of a table, refrains, questions that are put to several people.
    """
    texts, units = evidence.table.lines.text, evidence.table.columns.units
    copies: list[int] = []
    if len(set(texts[inside.start : inside.stop])) == len(inside):
        return copies
    for run in _repeated_runs(evidence, inside):
        long = {texts[n]: int(units[n]) for n in run if units[n] >= MIN_COPIED_UNITS}
        much = len(long) > 1 and sum(long.values()) >= MIN_COPY_UNITS
        if much or len(long) >= MIN_COPY_LINES:
            copies += (line - inside.start for line in run)
    return copies


def _repeated_runs(evidence: Evidence, inside: range) -> Iterator[list[int]]:
    """Yield the lines that repeat lines further up one after the other, as long as they do.

    Lines that are excluded are no source: then what repeats them is the only copy. Cost: O(lines).
    """
    texts, excluded = evidence.table.lines.text, evidence.excluded
    first: dict[str, int] = {}
    run: list[int] = []
    source = 0  # the line that the next one of the run would repeat
    for line in inside:
        text = texts[line]
        goes_on = run and source < run[0] and not excluded[source] and texts[source] == text
        if not goes_on:
            if run:
                yield run
            source = first.get(text, line)
            run = []
        if goes_on or source < line:
            run.append(line)
            source += 1
        if not excluded[line]:
            first.setdefault(text, line)
    if run:
        yield run
