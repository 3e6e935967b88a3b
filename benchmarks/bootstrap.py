"""Confidence interval of the difference of two extractors: the paired bootstrap.

After Efron, Tibshirani: An Introduction to the Bootstrap, 1993, chapter 13 (percentile interval).
The same pages are drawn, with replacement, for both extractors, so what makes a page hard for both
cancels out. It tells of other pages of the same kind, and nothing of other kinds of pages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.stats import bootstrap

from benchmarks.scoring import f1_of_means

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

ROUNDS = 10_000
LEVEL = 0.95  # of the interval
SEED = 20


class Difference(NamedTuple):
    """F1 of one extractor minus F1 of another, and the interval it lies in."""

    value: float
    low: float
    high: float


def paired_difference(
    ours: Sequence[tuple[float, float]], theirs: Sequence[tuple[float, float]]
) -> Difference:
    """Return the difference in F1 of two lists of (precision, recall) over the same pages."""
    columns = [*np.transpose([*ours]), *np.transpose([*theirs])]
    whole = float(_difference(*columns))
    if len(ours) == 1:  # nothing to draw from
        return Difference(whole, whole, whole)
    found = bootstrap(
        columns, _difference, paired=True, vectorized=True, method="percentile",
        n_resamples=ROUNDS, confidence_level=LEVEL, random_state=SEED, batch=1_000,
    ).confidence_interval  # fmt: skip
    return Difference(whole, float(found.low), float(found.high))


def _difference(*columns: NDArray[np.float64], axis: int = -1) -> NDArray[np.float64]:
    """Return F1 minus F1 of precision, recall, precision, recall of pages along *axis*."""
    means = np.stack([column.mean(axis=axis) for column in columns], axis=-1)
    return f1_of_means(means[..., :2]) - f1_of_means(means[..., 2:])
