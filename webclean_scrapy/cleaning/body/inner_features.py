"""Further features of the lines inside the selected subtree: how each lies among the others.

A *section* is the child of the subtree that holds a line; a *signature* is what tag and class of
a line's block and the element above it are; a *group* is the table or list around it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.body.line_matching import match
from webclean_scrapy.cleaning.body.line_patterns import RIGHTS
from webclean_scrapy.cleaning.page import row_flags as f

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.body.evidence import Evidence

INNER_FEATURES = (
    "log odds", "group log odds", "signature log odds", "before first", "after last", "own text",
    "section links", "section density", "section named other", "section named body",
    "section lines", "section share", "signature count", "signature paragraphs",
    "signature never", "signature share", "rights",
)  # fmt: skip
_NOTICE = 600  # units; a longer line is more than a notice
#: Lines at each end of a subtree that are looked at for notices: these begin or end a text, and
#: no labelled page has a body of more lines than both.
_NOTICE_LINES = 1_500


def inner_features(
    evidence: Evidence, row: int, inside: range, probability: NDArray[np.float64]
) -> NDArray[np.float32]:
    """Return further features of the lines *inside* the subtree *row*: lines x INNER_FEATURES."""
    size = len(inside)
    if not size:
        return np.zeros((0, len(INNER_FEATURES)), np.float32)
    cut = slice(inside.start, inside.stop)
    weights = np.fromiter(evidence.weights[cut], float, size)
    probability = probability[cut]
    log_odds = (np.log(probability + 1e-6) - np.log(1 - probability + 1e-6)) / 4
    heavy = np.flatnonzero(weights)
    first, last = (heavy[0], heavy[-1]) if len(heavy) else (0, size)
    at = np.arange(size)
    weight = weights.sum() or 1.0
    names = evidence.table.signatures[cut]
    number_of: dict[int, int] = {}  # a line without a group has a number of its own
    named = (g if g >= 0 else -1 - at for at, g in enumerate(evidence.group[cut]))
    groups = [number_of.setdefault(group, len(number_of)) for group in named]
    numbers = np.fromiter(groups, np.int64, size)
    columns = [
        log_odds,
        _mean_over(log_odds, numbers),
        _mean_over(log_odds, names),
        at < first,
        at > last,
        *_section_features(evidence, row, inside, weight),
        *_signature_features(names, weights, weight),
        _states_rights(evidence, inside),
    ]
    return np.stack(columns, axis=1).astype(np.float32)


def _mean_over(log_odds: NDArray[np.float64], names: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return for each line the mean of *log_odds* over the lines of the same name."""
    means = np.bincount(names, log_odds) / np.maximum(np.bincount(names), 1)
    of_line: NDArray[np.float64] = means[names]
    return of_line


def _section_features(
    evidence: Evidence, row: int, inside: range, weight: float
) -> NDArray[np.float64]:
    """Return own text, links, density, named other, named body, lines, share: 7 x lines."""
    table, arrays = evidence.table, evidence.table.arrays
    features = np.zeros((7, len(inside)))
    features[0] = 1.0
    columns, spans = [], []
    for child in table.children(row):
        numbers = table.lines_in(child)
        text = int(arrays.units[child])
        if not text or table.tag[child][0] == "#" or not numbers:
            continue
        own, weights = int(table.flags.own[child]), evidence.subtrees.of(child)
        spans.append((numbers.start - inside.start, len(numbers)))
        columns.append(
            (
                0.0,
                arrays.link_units[child] / text,
                weights / text,
                own & f.SAYS_OTHER > 0,
                own & f.SAYS_BODY > 0,
                math.log1p(len(numbers)) / 4,
                weights / weight,
            )
        )
    if spans:
        start, size = np.array(spans, np.int64).T
        at = np.repeat(start - np.concatenate(([0], size[:-1].cumsum())), size)
        features[:, at + np.arange(len(at))] = np.repeat(np.array(columns, float).T, size, 1)
    return features


def _signature_features(
    names: NDArray[np.int64], weights: NDArray[np.float64], weight: float
) -> list[NDArray[np.float64]]:
    """Return count, share of paragraphs, never a paragraph, share of the weight: 4 x lines."""
    count = np.bincount(names)
    good = np.bincount(names, weights > 0) / np.maximum(count, 1)
    share = np.bincount(names, weights) / weight
    return [
        (np.minimum(count, 20) / 20)[names],
        good[names],
        (good == 0)[names],
        share[names],
    ]


def _states_rights(evidence: Evidence, inside: range) -> NDArray[np.bool_]:
    """Mark the lines that say who owns a text or what it must not be taken for.

    Articles speak of that too, so it is known of the lines of the subtree alone: it has no
    influence on where the walk goes.
    """
    lines, units = evidence.table.lines, evidence.table.columns.units
    looked_at = np.zeros(len(lines), bool)
    looked_at[inside.start : inside.start + _NOTICE_LINES] = True
    looked_at[max(inside.start, inside.stop - _NOTICE_LINES) : inside.stop] = True
    looked_at[inside.stop :] = False
    looked_at &= (units < _NOTICE) & (evidence.excluded == 0)
    return match(RIGHTS.search, lines, looked_at)[inside.start : inside.stop]
