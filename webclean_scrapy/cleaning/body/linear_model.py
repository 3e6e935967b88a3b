"""Select the subtree that holds the body, and its lines, by three small linear models.

A fixed walk down the tree is brittle, so every container is a candidate, and all evidence adds up:
decay walk, title line, semantic markup, names, template. The models are logistic (lines) and
multinomial logistic (subtrees), a few dozen readable features each, weights in ``weights.json``:
how likely each line is body, which subtree holds the body, which lines of that subtree are body.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

import numpy as np

from webclean_scrapy.cleaning.body.certain_rules import apply_rules
from webclean_scrapy.cleaning.body.inner_features import INNER_FEATURES, inner_features
from webclean_scrapy.cleaning.body.line_features import (
    LINE_FEATURES,
    line_features,
    line_probabilities,
)
from webclean_scrapy.cleaning.body.subtree_features import (
    SUBTREE_FEATURES,
    candidates,
    subtree_features,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.body.evidence import Evidence

LIKELY = 0.5  # mean probability of a container's paragraphs above which it holds body


@dataclass(frozen=True, slots=True)
class Weights:
    """The numbers of the three models, each in the order of its features."""

    line: NDArray[np.float64]
    subtree: NDArray[np.float64]
    inner: NDArray[np.float64]
    threshold: float  # log-odds above which a line inside the subtree is body

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Weights:
        """Return the weights of a mapping of features to numbers; a missing feature weighs 0."""
        return cls(
            line=_column(data["line"], LINE_FEATURES),
            subtree=_column(data["subtree"], SUBTREE_FEATURES),
            inner=_column(data["inner"], LINE_FEATURES + INNER_FEATURES),
            threshold=float(data["threshold"]),
        )


def _column(weights: Mapping[str, float], features: tuple[str, ...]) -> NDArray[np.float64]:
    if unknown := set(weights) - set(features):
        raise ValueError(f"weights for unknown features: {sorted(unknown)}")
    return np.array([weights.get(feature, 0.0) for feature in features], float)


@cache
def default_weights() -> Weights:
    """Return the weights that come with the package."""
    file = resources.files("webclean_scrapy.cleaning.body").joinpath("weights.json")
    return Weights.from_dict(json.loads(file.read_text("utf-8")))


@dataclass(frozen=True, slots=True)
class Ranking:
    """The subtrees that may hold the body, and what each scores."""

    rows: list[int]  # rising
    features: NDArray[np.float64]  # rows x SUBTREE_FEATURES
    scores: NDArray[np.float64]  # per row: the features times their weights
    line_features: NDArray[np.float32]  # lines of the page x LINE_FEATURES
    line_probability: NDArray[np.float64]  # per line of the page: to be body, 0..1
    decay_row: int  # where the decay walk ended

    @property
    def best(self) -> int:
        """The place in *rows* of the best one, the first on ties."""
        return int(self.scores.argmax())

    @property
    def probability(self) -> NDArray[np.float64]:
        """How likely each row is the right one, beside the others, 0..1."""
        share = np.exp(self.scores - self.scores.max())
        probability: NDArray[np.float64] = share / share.sum()
        return probability


@dataclass(frozen=True, slots=True)
class Selection:
    """The selected subtree and what is known of its lines."""

    row: int
    lines: range  # all lines of the subtree
    features: NDArray[np.float32]  # lines x (LINE_FEATURES + INNER_FEATURES)
    log_odds: NDArray[np.float64]  # of each of them to be body
    probability: float  # that the best candidate is the right one, 0..1


def rank_subtrees(evidence: Evidence, decay_row: int, weights: Weights) -> Ranking:
    """Return the candidates with their scores. Cost: O(lines x features)."""
    features = line_features(evidence)
    probability = line_probabilities(evidence, features, weights.line)
    rows = candidates(evidence)
    matrix = subtree_features(evidence, rows, probability, decay_row)
    scores = matrix @ weights.subtree
    return Ranking(rows, matrix, scores, features, probability, decay_row)


def select_body(ranking: Ranking, evidence: Evidence, weights: Weights) -> Selection:
    """Return the best subtree of a ranking, widened where the body has several containers."""
    best = ranking.best
    row = _widen(evidence, ranking.rows[best], ranking.line_probability)
    inside = evidence.table.lines_in(row)
    extra = inner_features(evidence, row, inside, ranking.line_probability)
    features = np.hstack([ranking.line_features[inside.start : inside.stop], extra])
    log_odds = apply_rules(features @ weights.inner, evidence, inside)
    return Selection(row, inside, features, log_odds, float(ranking.probability[best]))


def _widen(evidence: Evidence, row: int, probability: NDArray[np.float64]) -> int:
    """Return *row*, or its parent when elements beside it of the same name hold body too.

    A body in several containers: advertisements and promotions stand between them.
    """
    table, weights = evidence.table, np.array(evidence.weights)
    parent, name = table.parent[row], (table.tag[row], table.classes[row])
    if parent < 0 or not name[1]:
        return row
    for child in table.children(parent):
        if child != row and (table.tag[child], table.classes[child]) == name:
            inside = table.lines_in(child)
            cut = slice(inside.start, inside.stop)
            weight = weights[cut].sum()
            if weight and (weights[cut] * probability[cut]).sum() > LIKELY * weight:
                return parent
    return row
