"""The model that tells the kinds of pages apart: linear in readable features, and a softmax.

Features are 0 to 1, weights are in ``weights.json``. They are fitted with a penalty, on pages as
they are, without their address and without what they declare, so that no single sign decides; the
scale of the weights is such that the probabilities are right on sites that the fit has not seen
(docs/method/kinds.md).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from webclean_scrapy.cleaning.kind.declared_signs import ADDRESS, DECLARED, LINKS
from webclean_scrapy.cleaning.kind.element_signs import CONTROLS, ELEMENTS
from webclean_scrapy.cleaning.kind.text_signs import TEXT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

ARTICLE, FORUM, PRODUCT = "article", "forum", "product"
LISTING, OTHER = "listing", "other"
#: The kinds that the model tells apart; the rules of `page_kind` add OTHER.
KINDS = (ARTICLE, FORUM, PRODUCT, "documentation", LISTING, "service")

ONE = "one"
FEATURES = (
    ONE, *TEXT, *ELEMENTS, *CONTROLS, *LINKS, *DECLARED, *ADDRESS, "a heading with the title",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class KindWeights:
    """The numbers of the model."""

    weights: NDArray[np.float64]  # FEATURES x KINDS
    threshold: float  # probability of an article from which a page is one

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> KindWeights:
        """Return the weights of a mapping of kinds to features to numbers; others are 0."""
        weights = np.zeros((len(FEATURES), len(KINDS)))
        if unknown := set(data["weights"]) - set(KINDS):
            raise ValueError(f"weights for unknown kinds: {sorted(unknown)}")
        for kind, column in data["weights"].items():
            if unknown := set(column) - set(FEATURES):
                raise ValueError(f"weights for unknown features: {sorted(unknown)}")
            weights[:, KINDS.index(kind)] = [column.get(name, 0.0) for name in FEATURES]
        return cls(weights, float(data["threshold"]))

    def probabilities(self, signs: Mapping[str, float]) -> dict[str, float]:
        """Return how likely each of KINDS is for a page with these *signs*; the sum is 1."""
        shares = softmax(_vector(signs) @ self.weights)
        return dict(zip(KINDS, shares.tolist(), strict=True))

    def reason(self, signs: Mapping[str, float], kind: str) -> str:
        """Return the feature that speaks most for *kind* and against the other kinds."""
        own = self.weights[:, KINDS.index(kind)]
        others = (self.weights.sum(1) - own) / (len(KINDS) - 1)
        speaks = _vector(signs) * (own - others)
        speaks[FEATURES.index(ONE)] = 0.0
        best = int(speaks.argmax())
        return FEATURES[best] if speaks[best] > 0.0 else "no sign of another kind"


_values_of = itemgetter(*FEATURES[1:])


def _vector(signs: Mapping[str, float]) -> NDArray[np.float64]:
    return np.array([1.0, *_values_of(signs)], float)


def softmax(log_odds: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the probabilities along the last axis."""
    powers = np.exp(log_odds - log_odds.max(-1, keepdims=True))
    shares: NDArray[np.float64] = powers / powers.sum(-1, keepdims=True)
    return shares


@cache
def default_kind_weights() -> KindWeights:
    """Return the weights that come with the package."""
    file = resources.files("webclean_scrapy.cleaning.kind").joinpath("weights.json")
    return KindWeights.from_dict(json.loads(file.read_text("utf-8")))
