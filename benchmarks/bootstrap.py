"""How far a difference of two extractors may be chance: the paired bootstrap.

After Efron, Tibshirani: An Introduction to the Bootstrap, 1993, chapter 13 (percentile interval).
The same pages are drawn, with replacement, for both extractors, so what makes a page hard for both
cancels out. It tells of other pages of the same kind, and nothing of other kinds of pages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

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
    ours: Sequence[tuple[float, float]],
    theirs: Sequence[tuple[float, float]],
    *,
    rounds: int = ROUNDS,
    seed: int = SEED,
) -> Difference:
    """Return the difference in F1 of two lists of (precision, recall) over the same pages.

    The same lists give the same interval. Cost: rounds times pages.

    Raises:
        ValueError: the lists are empty or of different length.
    """
    if len(ours) != len(theirs) or not ours:
        raise ValueError(f"pairs of the same pages needed, got {len(ours)} and {len(theirs)}")
    both = np.array([ours, theirs], dtype=np.float64)  # extractor, page, precision or recall
    drawn = _draw(len(ours), rounds, seed)
    f1 = f1_of_means(drawn @ both)  # extractor, round
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(f1[0] - f1[1], [tail, 1 - tail])
    whole = f1_of_means(both.mean(axis=1))
    return Difference(float(whole[0] - whole[1]), float(low), float(high))


def _draw(pages: int, rounds: int, seed: int) -> NDArray[np.float64]:
    """Return, for each round, the share of the draws that fell on each page."""
    random = np.random.default_rng(seed)
    return random.multinomial(pages, np.full(pages, 1 / pages), size=rounds) / pages
