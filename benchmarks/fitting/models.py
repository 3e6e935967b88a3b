"""The two kinds of models that are fitted: is a line body, and which of several subtrees is.

Both are linear in features that are scaled by their spread, with a quadratic penalty on weights,
and are fitted by L-BFGS. The second is the conditional logit of McFadden, "Conditional logit
analysis of qualitative choice behavior", 1974, towards a soft target.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

SMALLEST = 0.005  # a weight times its feature's spread below this is 0
SHARPNESS = 0.05  # F1 by which a subtree must fall behind the best to be e times less likely
MIN_SCORE = 0.2  # F1; a page on which no subtree reaches it teaches nothing


class Lines(NamedTuple):
    """Lines of one page."""

    features: NDArray[np.float32]  # lines x features; the first is 1 for all
    is_body: NDArray[np.bool_]
    weight: Floats  # of each line in the fit


class Subtrees(NamedTuple):
    """Candidates of one page."""

    features: Floats  # candidates x features
    score: Floats  # F1 of each as the body, 0..1
    weight: float  # of the page in the fit


def fit_logistic(pages: Sequence[Lines], penalty: float) -> Floats:
    """Return the weight of each feature for the log-odds of a line to be body."""
    features = np.vstack([page.features for page in pages]).astype(float)
    is_body = np.concatenate([page.is_body for page in pages]).astype(float)
    weight = np.concatenate([page.weight for page in pages])
    weight /= weight.sum()
    spread = features.std(0) + 1e-3
    spread[0] = 1
    scaled = features / spread

    def loss(b: Floats) -> tuple[float, Floats]:
        log_odds = scaled @ b
        pull = penalty * np.r_[0, b[1:]]
        slope = scaled.T @ (weight * (expit(log_odds) - is_body)) + pull
        missed = np.logaddexp(0, log_odds) - is_body * log_odds
        return float((weight * missed).sum() + pull @ b / 2), slope

    return _minimize(loss, spread)


def fit_choice(pages: Sequence[Subtrees], penalty: float) -> Floats:
    """Return the weight of each feature for the score by which a subtree is selected."""
    every = np.vstack([page.features for page in pages])
    spread, middle = every.std(0) + 1e-6, every.mean(0)
    data = []
    for page in pages:
        if page.score.max() > MIN_SCORE:
            aim = np.exp((page.score - page.score.max()) / SHARPNESS)
            data.append(((page.features - middle) / spread, aim / aim.sum(), page.weight))
    total = sum(weight for _, _, weight in data)

    def loss(b: Floats) -> tuple[float, Floats]:
        value, slope = float(penalty * b @ b / 2), penalty * b
        for features, aim, weight in data:
            score = features @ b
            probability = np.exp(score - score.max())
            probability /= probability.sum()
            value -= float(weight / total * (aim * np.log(probability + 1e-12)).sum())
            slope = slope + weight / total * (features.T @ (probability - aim))
        return value, slope

    return _minimize(loss, spread)


def _minimize(loss: Callable[[Floats], tuple[float, Floats]], spread: Floats) -> Floats:
    """Return where *loss* (value and slope) is least, for features that were divided by spread."""
    least: Any = minimize(loss, np.zeros(len(spread)), jac=True, method="L-BFGS-B").x
    least[np.abs(least) < SMALLEST] = 0
    weights: Floats = least / spread
    return weights
