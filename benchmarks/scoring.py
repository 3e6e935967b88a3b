"""Score probabilities and means of scores; `webclean_scrapy.report.text_scores` scores texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Probabilities of one bin: where it begins, how many, their mean, the share that happened."""

    low: float
    count: int
    mean: float
    happened: float


def f1_of_means(pairs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return F1 along the last axis, of mean precision and mean recall."""
    product, total = pairs.prod(axis=-1), pairs.sum(axis=-1)
    found: NDArray[np.float64] = np.zeros_like(total)
    np.divide(2 * product, total, out=found, where=total > 0)
    return found


def auc(scores: Floats, positive: Bools) -> float | None:
    """Return the probability that a positive scores above a negative (ties: half), or None.

    >>> auc(np.array([0.9, 0.4, 0.4, 0.1]), np.array([True, True, False, False]))
    0.875
    """
    if positive.all() or not positive.any():
        return None
    above = scores[positive][:, None] - scores[~positive][None, :]
    return float(((above > 0) + (above == 0) / 2).mean())


def brier(probability: Floats, happened: Bools) -> float:
    """Return the mean squared error of the probabilities: 0 is best, a constant .5 has .25."""
    return float(((probability - happened) ** 2).mean())


def reliability(probability: Floats, happened: Bools, bins: int = 10) -> list[ReliabilityBin]:
    """Return the observed frequency per predicted probability, in *bins* of equal width.

    Bins without a probability are left out.

    >>> reliability(np.array([0.12, 0.18, 1.0]), np.array([False, True, True]))[0]
    ReliabilityBin(low=0.1, count=2, mean=0.15, happened=0.5)
    """
    place = np.minimum((probability * bins + 1e-9).astype(int), bins - 1)
    return [
        ReliabilityBin(
            low=at / bins,
            count=int(inside.sum()),
            mean=round(float(probability[inside].mean()), 6),
            happened=float(happened[inside].mean()),
        )
        for at in range(bins)
        for inside in [place == at]
        if inside.any()
    ]
