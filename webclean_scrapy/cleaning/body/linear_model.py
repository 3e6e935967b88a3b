"""Choose the body among candidate subtrees, and its lines: a small sum of readable terms.

One walk down the tree is brittle; so every container is a candidate, and evidence from all the
methods (decay, title anchor, semantic markup, words, template) adds up. Three linear models, a few
dozen numbers each, in ``weights.json``: how likely each line is body, which subtree holds the
body, and which lines inside that subtree are body. ``terms`` says what each number means.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

import numpy as np

from webclean_scrapy.cleaning.body.inner_features import INNER_TERMS, inner_terms
from webclean_scrapy.cleaning.body.line_features import LINE_TERMS, line_terms
from webclean_scrapy.cleaning.body.subtree_features import CANDIDATE_TERMS, candidate_terms
from webclean_scrapy.cleaning.page.row_flags import ASIDE, CONTAINER, HEADER, NAV, PRE, WHOLE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.body.evidence import Evidence

MIN_SHARE = 0.05  # of the page's paragraph weight that a candidate must hold, 0..1


@dataclass(frozen=True, slots=True)
class Weights:
    """The numbers of the three models, each in the order of its terms."""

    line: NDArray[np.float64]
    candidate: NDArray[np.float64]
    inner: NDArray[np.float64]
    threshold: float  # log-odds above which a line inside the subtree is body

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Weights:
        """Return the weights of a mapping of terms to numbers; a missing term weighs 0."""
        return cls(
            line=_column(data["line"], LINE_TERMS),
            candidate=_column(data["candidate"], CANDIDATE_TERMS),
            inner=_column(data["inner"], LINE_TERMS + INNER_TERMS),
            threshold=float(data["threshold"]),
        )


def _column(weights: Mapping[str, float], terms: tuple[str, ...]) -> NDArray[np.float64]:
    if unknown := set(weights) - set(terms):
        raise ValueError(f"weights for unknown features: {sorted(unknown)}")
    return np.array([weights.get(term, 0.0) for term in terms], float)


@cache
def default_weights() -> Weights:
    """Return the weights that come with the package."""
    data = (
        resources.files("webclean_scrapy.cleaning.body").joinpath("weights.json").read_text("utf-8")
    )
    return Weights.from_dict(json.loads(data))


@dataclass(frozen=True, slots=True)
class Choice:
    """The chosen subtree and what is known of its lines."""

    row: int
    lines: range  # all lines of the subtree
    terms: NDArray[np.float32]  # lines x (LINE_TERMS + INNER_TERMS)
    odds: NDArray[np.float64]  # log-odds of each of them to be body
    confidence: float  # share of the candidates' belief that the chosen one holds, 0..1


@dataclass(frozen=True, slots=True)
class Ranking:
    """The subtrees that may hold the body, and what speaks for each."""

    rows: list[int]  # rising
    terms: NDArray[np.float64]  # rows x CANDIDATE_TERMS
    scores: NDArray[np.float64]  # per row: the terms times their weights
    line_terms: NDArray[np.float32]  # lines of the page x LINE_TERMS
    chance: NDArray[np.float64]  # per line of the page: to be body, 0..1

    @property
    def best(self) -> int:
        """The place in *rows* of the best one, the first on ties."""
        return int(self.scores.argmax())

    @property
    def belief(self) -> NDArray[np.float64]:
        """How likely each row is the right one, beside the others, 0..1."""
        share = np.exp(self.scores - self.scores.max())
        belief: NDArray[np.float64] = share / share.sum()
        return belief


def rank(evidence: Evidence, decayed: int, weights: Weights) -> Ranking:
    """Return the candidates with their scores. Cost: O(lines x terms)."""
    terms = line_terms(evidence)
    chance = line_chance(evidence, terms, weights.line)
    rows = candidates(evidence)
    matrix = candidate_terms(evidence, rows, chance, decayed)
    return Ranking(rows, matrix, matrix @ weights.candidate, terms, chance)


def choose(evidence: Evidence, decayed: int, weights: Weights) -> Choice:
    """Return the subtree that holds the body. Cost: O(lines x terms)."""
    return settle_on(rank(evidence, decayed, weights), evidence, weights)


def settle_on(ranking: Ranking, evidence: Evidence, weights: Weights) -> Choice:
    """Return the best subtree of a ranking, widened where the body has several containers."""
    best = ranking.best
    row = _with_its_like(evidence, ranking.rows[best], ranking.chance)
    inside = evidence.table.lines_in(row)
    extra = inner_terms(evidence, row, inside, ranking.chance)
    both = np.hstack([ranking.line_terms[inside.start : inside.stop], extra])
    odds = settle(both @ weights.inner, evidence, inside)
    return Choice(row, inside, both, odds, float(ranking.belief[best]))


def line_chance(
    evidence: Evidence, terms: NDArray[np.float32], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return how likely each line is body, 0..1; what is set apart is none."""
    chance = sigmoid(terms @ weights)
    chance[evidence.apart > 0] = 0.0
    return chance


def _with_its_like(evidence: Evidence, row: int, chance: NDArray[np.float64]) -> int:
    """Return *row*, or its parent when elements beside it of the same name hold body too.

    A body in several containers: advertisements and promotions stand between them.
    """
    table, mass = evidence.table, np.array(evidence.mass)
    up, name = table.parent[row], (table.tag[row], table.classes[row])
    if up < 0 or not name[1]:
        return row
    for child in table.children(up):
        if child != row and (table.tag[child], table.classes[child]) == name:
            inside = table.lines_in(child)
            cut = slice(inside.start, inside.stop)
            weight = mass[cut].sum()
            if weight and (mass[cut] * chance[cut]).sum() > LIKELY * weight:
                return up
    return row


LIKELY = 0.5  # mean chance of a container's paragraphs above which it holds body


def settle(odds: NDArray[np.float64], evidence: Evidence, inside: range) -> NDArray[np.float64]:
    """Return *odds* after what holds whatever the numbers say.

    A table or list stays or goes as a whole, by the mean of its lines: with half its cells it is
    worth less than none. A listing of code goes as the text before and behind it goes. Never body:
    what is set apart, and a second copy of the body.
    """
    members: dict[int, list[int]] = {}
    for at, line in enumerate(inside):
        if evidence.group[line] >= 0:
            members.setdefault(evidence.group[line], []).append(at)
    settled = odds.copy()
    for lines in members.values():
        settled[lines] = odds[lines].mean()
    _settle_code(settled, evidence, inside)
    settled[evidence.apart[inside.start : inside.stop] > 0] = NEVER
    settled[_said_again(evidence, inside)] = NEVER
    return settled


def _settle_code(odds: NDArray[np.float64], evidence: Evidence, inside: range) -> None:
    """Give preformatted lines the mean odds of the lines around them, when these speak for it.

    Code looks like nothing that is fitted on prose, yet readers come for it.
    """
    columns = evidence.columns
    cut = slice(inside.start, inside.stop)
    code = evidence.facts.bits[columns.box[cut]] & PRE > 0
    if not code.any() or code.all():
        return
    text = np.flatnonzero(~code)
    at = np.flatnonzero(code)
    behind = np.searchsorted(text, at)
    before = odds[text[np.maximum(behind - 1, 0)]]
    after = odds[text[np.minimum(behind, len(text) - 1)]]
    odds[at] = np.maximum(odds[at], (before + after) / 2)


NEVER = -9.0  # log-odds
MIN_SAID = 40  # units; shorter lines may well be said twice
MIN_COPY = 4  # lines; one paragraph said again is the author's way, four are a second copy


def _said_again(evidence: Evidence, inside: range) -> list[int]:
    """Return which lines of the subtree are a second copy of the body, counted from its start."""
    texts, units = evidence.table.lines.text, evidence.columns.units
    said: set[str] = set()
    again = []
    for at, line in enumerate(inside):
        if evidence.repeats[line] and units[line] >= MIN_SAID:
            if texts[line] in said:
                again.append(at)
            said.add(texts[line])
    return again if len({texts[inside[at]] for at in again}) >= MIN_COPY else []


def candidates(evidence: Evidence) -> list[int]:
    """Return the containers that may hold the body: of nested ones with equal lines the outermost.

    Containers with next to no paragraph weight are left out, and so are headers, navigation and
    asides where there are others; the root is always there.
    """
    facts = evidence.facts
    fits = (facts.own & CONTAINER > 0) & (facts.text > 0)
    fits &= evidence.rows.every >= MIN_SHARE * evidence.total
    inside = fits & (facts.bits & (ASIDE | HEADER | NAV) == 0) & (facts.own & WHOLE == 0)
    if inside.any():
        fits = inside | (fits & (facts.own & WHOLE > 0))
    found: dict[tuple[int, int], int] = {}
    for row in np.flatnonzero(fits).tolist():
        inside = evidence.table.lines_in(row)
        if len(inside):
            found.setdefault((inside.start, inside.stop), row)
    return sorted(found.values()) or [0]


def sigmoid(odds: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the probabilities of log-odds."""
    result: NDArray[np.float64] = 1 / (1 + np.exp(-np.clip(odds, -30, 30)))
    return result
