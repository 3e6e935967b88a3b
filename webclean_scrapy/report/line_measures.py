"""The measures of each line that explain what became of it: how likely body, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from webclean_scrapy.cleaning.body.inner_features import INNER_FEATURES
from webclean_scrapy.cleaning.body.line_features import LINE_FEATURES
from webclean_scrapy.report.wording import CUT, shorten

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.config import CleanConfig
    from webclean_scrapy.cleaning.page.table import PageTable
    from webclean_scrapy.cleaning.result import Trace

_FEATURES = LINE_FEATURES + INNER_FEATURES
_TERMS = 3  # that are named for, and against
_LEAST = 0.15  # log-odds; a smaller term says nothing
_PATH = 3  # elements of a path that are named, the innermost last
_NAME = 40  # characters of an element's name


class Term(NamedTuple):
    """What one feature adds to the log-odds of a line to be body."""

    name: str
    added: float


def line_likelihoods(trace: Trace) -> list[float | None]:
    """Return of each line how likely it is body, 0..1: inside the body's subtree as it was decided.

    Outside, as the decay walk saw it; None where no model was asked, or of a line of no length.
    """
    walk, selection = trace.walk, trace.selection
    count = len(trace.page.table.lines)
    if walk is None:
        return [None] * count
    units = trace.page.table.columns.units
    likely = np.cbrt(walk.line_weights / np.maximum(units, 1))  # a weight is length * likely³
    if selection is not None:
        likely[selection.lines.start : selection.lines.stop] = selection.probability
    return [round(float(p), 3) if n else None for p, n in zip(likely, units, strict=True)]


def line_terms(
    trace: Trace, config: CleanConfig, lines: Collection[int]
) -> Mapping[int, tuple[Term, ...]]:
    """Return of *lines* inside the body's subtree the features that weighed most for and against.

    The heaviest first. Nothing where no model was asked.
    """
    selection = trace.selection
    if selection is None or not len(selection.lines):
        return {}
    features = selection.features
    models = (config.body.weights.inner, config.body.page_weights.inner)
    # A few rules change single lines afterwards, so it is the model that most lines agree with.
    weights = max(models, key=lambda inner: _agreeing(features @ inner, selection.log_odds))
    return {
        line: tuple(_heaviest(features[line - selection.lines.start] * weights))
        for line in lines
        if line in selection.lines
    }


def _agreeing(ours: NDArray[np.float64], decided: NDArray[np.float64]) -> int:
    return int(np.isclose(ours, decided, atol=1e-3).sum())


def _heaviest(added: NDArray[np.float64]) -> list[Term]:
    order = np.argsort(added[1:], kind="stable") + 1  # all but the constant
    ends = [*order[:_TERMS].tolist(), *order[::-1][:_TERMS].tolist()]
    terms = {at: float(added[at]) for at in ends if abs(added[at]) >= _LEAST}
    heaviest = sorted(terms, key=lambda at: -abs(terms[at]))
    return [Term(_FEATURES[at], round(terms[at], 2)) for at in heaviest]


def element_name(table: PageTable, row: int) -> str:
    """Return what an element is called: its tag, and its id or first class.

    Shortened to a few dozen characters.
    """
    ident, classes = table.ident[row].strip(), table.classes[row].split(None, 1)
    mark = f"#{ident}" if ident else f".{classes[0]}" if classes else ""
    name = f"{table.tag[row]}{mark}"
    return shorten(name, _NAME)


def element_path(table: PageTable, row: int) -> str:
    """Return the names of an element and of those around it, the outermost first."""
    names: list[str] = []
    while row >= 0 and len(names) < _PATH:
        names.append(element_name(table, row))
        row = table.parent[row]
    return " › ".join(reversed([*names, CUT] if row >= 0 else names))
