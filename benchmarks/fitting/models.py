"""The fitted kind of model: is a line body, is a step right.

It is linear in features that are scaled by their spread, with a quadratic penalty on the weights,
and is fitted by L-BFGS.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

SMALLEST = 0.005  # a weight times its feature's spread below this is 0


class Lines(NamedTuple):
    """Lines of one page."""

    features: NDArray[np.float32]  # lines x features; the first is 1 for all
    is_body: NDArray[np.bool_]
    weight: Floats  # of each line in the fit


def fit_logistic(pages: Sequence[Lines], penalty: float) -> Floats:
    """Return the weight of each feature for the log-odds of a line to be body."""
    features = np.vstack([page.features for page in pages]).astype(float)
    is_body = np.concatenate([page.is_body for page in pages]).astype(float)
    weight = np.concatenate([page.weight for page in pages])
    weight /= weight.sum() or 1.0  # where nothing counts every weight is 0
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


def _minimize(loss: Callable[[Floats], tuple[float, Floats]], spread: Floats) -> Floats:
    """Return where *loss* (value and slope) is least, for features that were divided by spread."""
    least: Any = minimize(loss, np.zeros(len(spread)), jac=True, method="L-BFGS-B").x
    least[np.abs(least) < SMALLEST] = 0
    weights: Floats = least / spread
    return weights


def write_weights(weights: Mapping[str, Any], file: Path) -> None:
    """Write a file of weights that the package reads."""
    file.write_text(json.dumps(weights, indent=1) + "\n", encoding="utf-8")
