"""The three small linear models that find the body, and their numbers.

How likely each line is body (logistic), whether a step down the page tree is right (logistic, see
`decay_walk`), and which lines of the subtree at the end of the walk are body (logistic): a few
dozen readable features each. The weights for articles are in ``weights.json``, those for pages of
other kinds in ``page_weights.json``.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

import numpy as np

from webclean_scrapy.cleaning.body.decay_walk import STEP_FEATURES
from webclean_scrapy.cleaning.body.features import INNER_FEATURES, LINE_FEATURES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray


#: What each of FAVORS adds to the log-odds that a line must have, and to those of each step down:
#: of articles, and of other pages. Tuned on the development sets in November 2026.
_SHIFTS = {"balanced": (0.0, 0.0), "precision": (1.5, 1.5), "recall": (-0.75, -1.5)}
_PAGE_SHIFTS = {"balanced": (0.0, 0.0), "precision": (0.5, 0.0), "recall": (0.0, -1.5)}


@dataclass(frozen=True, slots=True)
class Weights:
    """The numbers of the three models, each in the order of its features."""

    line: NDArray[np.float64]
    step: NDArray[np.float64]
    inner: NDArray[np.float64]
    threshold: float  # log-odds above which a line inside the subtree is body

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Weights:
        """Return the weights of a mapping of features to numbers; a missing feature weighs 0."""
        return cls(
            line=_column(data["line"], LINE_FEATURES),
            step=_column(data["step"], STEP_FEATURES),
            inner=_column(data["inner"], LINE_FEATURES + INNER_FEATURES),
            threshold=float(data["threshold"]),
        )


def _column(weights: Mapping[str, float], features: tuple[str, ...]) -> NDArray[np.float64]:
    if unknown := set(weights) - set(features):
        raise ValueError(f"weights for unknown features: {sorted(unknown)}")
    return np.array([weights.get(feature, 0.0) for feature in features], float)


@cache
def default_weights(name: str = "weights.json") -> Weights:
    """Return weights that come with the package: those for articles, if not named otherwise."""
    file = resources.files("webclean_scrapy.cleaning.body").joinpath(name)
    return Weights.from_dict(json.loads(file.read_text("utf-8")))


def favoring(weights: Weights, favor: str, of_pages: bool) -> Weights:
    """Return the models at the thresholds of *favor*, one of ``method_names.FAVORS``.

    With "precision" the walk goes further down and lines must be surer, with "recall" the reverse.
    Other pages than articles (*of_pages*) are moved less: their lines are less sure as it is.
    """
    threshold, step = (_PAGE_SHIFTS if of_pages else _SHIFTS)[favor]
    return replace(
        weights,
        threshold=weights.threshold + threshold,
        step=weights.step + _column({"one": step}, STEP_FEATURES),
    )
