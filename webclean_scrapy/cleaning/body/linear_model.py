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

from webclean_scrapy.cleaning.body.inner_features import INNER_FEATURES, inner_features
from webclean_scrapy.cleaning.body.line_features import LINE_FEATURES, line_features
from webclean_scrapy.cleaning.body.subtree_features import SUBTREE_FEATURES, subtree_features
from webclean_scrapy.cleaning.page.row_flags import ASIDE, CONTAINER, HEADER, NAV, PRE, WHOLE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.body.evidence import Evidence

MIN_SHARE = 0.05  # of the page's paragraph weight that a candidate must hold, 0..1
LIKELY = 0.5  # mean probability of a container's paragraphs above which it holds body
NEVER = -9.0  # log-odds of a line that a rule excludes
MIN_COPIED_UNITS = 40  # shorter lines may well be written twice
MIN_COPY_LINES = 4  # one paragraph written again is the author's way, four are a second copy


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


def line_probabilities(
    evidence: Evidence, features: NDArray[np.float32], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return how likely each line is body, 0..1; 0 for what is excluded."""
    probability = sigmoid(features @ weights)
    probability[evidence.excluded > 0] = 0.0
    return probability


def candidates(evidence: Evidence) -> list[int]:
    """Return the containers that may hold the body: of nested ones with equal lines the outermost.

    Containers with next to no paragraph weight are left out, and so are headers, navigation and
    asides where there are others; the root is always a candidate.
    """
    table, flags = evidence.table, evidence.table.flags
    fits = (flags.own & CONTAINER > 0) & (table.arrays.units > 0)
    fits &= evidence.subtrees.every >= MIN_SHARE * evidence.total
    inside = fits & (flags.inside & (ASIDE | HEADER | NAV) == 0) & (flags.own & WHOLE == 0)
    if inside.any():
        fits = inside | (fits & (flags.own & WHOLE > 0))
    outermost: dict[tuple[int, int], int] = {}
    for row in np.flatnonzero(fits).tolist():
        lines = table.lines_in(row)
        if len(lines):
            outermost.setdefault((lines.start, lines.stop), row)
    return sorted(outermost.values()) or [0]


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


def apply_rules(
    log_odds: NDArray[np.float64], evidence: Evidence, inside: range
) -> NDArray[np.float64]:
    """Return the *log_odds* of the lines *inside* after the rules that no model may overrule.

    A table or list stays or goes as a whole, by the mean of its lines: with half its cells it is
    worth less than none. A listing of code goes as the text before and after it goes. Never body:
    what is excluded, and a second copy of the body.
    """
    groups: dict[int, list[int]] = {}
    for at, line in enumerate(inside):
        if evidence.group[line] >= 0:
            groups.setdefault(evidence.group[line], []).append(at)
    ruled = log_odds.copy()
    for lines in groups.values():
        ruled[lines] = log_odds[lines].mean()
    _keep_code(ruled, evidence, inside)
    ruled[evidence.excluded[inside.start : inside.stop] > 0] = NEVER
    ruled[_second_copy(evidence, inside)] = NEVER
    return ruled


def _keep_code(log_odds: NDArray[np.float64], evidence: Evidence, inside: range) -> None:
    """Raise preformatted lines to the mean log-odds of the lines around them, where that is more.

    Code looks like nothing that is fitted on prose, yet readers come for it.
    """
    table = evidence.table
    cut = slice(inside.start, inside.stop)
    code = table.flags.inside[table.columns.block[cut]] & PRE > 0
    if not code.any() or code.all():
        return
    text = np.flatnonzero(~code)
    at = np.flatnonzero(code)
    next_text = np.searchsorted(text, at)
    before = log_odds[text[np.maximum(next_text - 1, 0)]]
    after = log_odds[text[np.minimum(next_text, len(text) - 1)]]
    log_odds[at] = np.maximum(log_odds[at], (before + after) / 2)


def _second_copy(evidence: Evidence, inside: range) -> list[int]:
    """Return which lines of the subtree are a second copy of the body, counted from its start."""
    texts, units = evidence.table.lines.text, evidence.table.columns.units
    seen: set[str] = set()
    copies = []
    for at, line in enumerate(inside):
        if evidence.repeats[line] and units[line] >= MIN_COPIED_UNITS:
            if texts[line] in seen:
                copies.append(at)
            seen.add(texts[line])
    return copies if len({texts[inside[at]] for at in copies}) >= MIN_COPY_LINES else []


def sigmoid(log_odds: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the probabilities of log-odds."""
    result: NDArray[np.float64] = 1 / (1 + np.exp(-np.clip(log_odds, -30, 30)))
    return result
