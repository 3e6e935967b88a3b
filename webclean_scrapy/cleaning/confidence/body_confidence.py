"""Confidence: the probability that F1 against a hand-labelled body is .95 or more.

Two logistic models over `body_signs`, one for articles and one for all other pages, each counting
as much as the page is likely of its kind. Their weights ``python -m benchmarks confidence`` fits to
bodies of pages that the body's own models have not seen.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.body.decay_walk import walk_down
from webclean_scrapy.cleaning.body.features import estimate_lines, sigmoid
from webclean_scrapy.cleaning.body.models import default_weights
from webclean_scrapy.cleaning.body.selection import alike_left, select_lines
from webclean_scrapy.cleaning.method_names import SOURCE
from webclean_scrapy.cleaning.page.row_flags import FIGURE
from webclean_scrapy.cleaning.papers.decay import DecayConfig, find_body

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.body.decay_walk import DecayWalk
    from webclean_scrapy.cleaning.body.evidence import Evidence
    from webclean_scrapy.cleaning.body.features import LineEstimate
    from webclean_scrapy.cleaning.body.models import Body
    from webclean_scrapy.cleaning.body.selection import Selection

BODY_SIGNS = (
    "one",
    "expected loss",  # 1 - F1 that the model of lines expects inside the subtree, logarithm
    "left in subtree",  # 1 - F1 of the kept lines with all of the subtree, logarithm
    "last step",  # log-odds that no step of the walk further down is right, MOST_SURE at most
    "other walk",  # 1 - F1 of the kept lines with the subtree of the printed decay walk, logarithm
    "outside",  # share of the page's paragraph weight that is not in the subtree
    "figures",  # share of the kept text that stands in figures
    "stretches",  # of kept lines without a line left out in between, by kept line
    "shapes",  # entropy of tag and class of the kept lines, weighed by length, in bits
    "likely outside",  # share of the text that the model of lines calls likely, not in the subtree
    "alike left",  # of all lines that look like a kept one, the share that is not kept, by length
)
MOST_SURE = 4.0
_LEAST = 0.01  # of a share whose logarithm is taken
_PRINTED = DecayConfig()


@dataclass(frozen=True, slots=True)
class ModelViews:
    """The results of several variants of the models for one page."""

    walk: DecayWalk
    selection: Selection  # of the lines of the body's subtree, wherever the walk stops
    lines: LineEstimate  # of all lines of the page


def body_signs(evidence: Evidence, body: Body, models: ModelViews) -> NDArray[np.float64]:
    """Return the signs of a non-empty body, in the order of BODY_SIGNS. Cost: O(lines)."""
    selection, table = models.selection, evidence.table
    units = np.maximum(table.columns.units, 1).astype(float)
    lines = np.array(body.lines, np.int64)
    kept = units[lines]
    in_figure = table.flags.inside[table.columns.block[lines]] & FIGURE > 0
    row = body.row or 0
    return np.array(
        [
            1.0,
            math.log(_expected_loss(units, lines, models) + _LEAST),
            _log_distance(units, lines, selection.lines),
            _last_step(models.walk, row),
            _log_distance(units, lines, table.lines_in(find_body(table, _PRINTED))),
            1.0 - evidence.subtrees.of(row) / (evidence.total or 1),
            float(kept[in_figure].sum() / kept.sum()),
            (1 + np.count_nonzero(np.diff(lines) > 1)) / len(lines),
            _entropy(kept, table.signatures[lines]),
            _likely_outside(units, selection.lines, models.lines.probability),
            alike_left(table, lines),
        ]
    )


def _expected_loss(
    units: NDArray[np.float64], lines: NDArray[np.int64], models: ModelViews
) -> float:
    """Return 1 - expected F1 of *lines*, by the model's probability of each line of the subtree.

    A lead outside the subtree counts as the model of all lines sees it.
    """
    inside = slice(models.selection.lines.start, models.selection.lines.stop)
    likely = units * models.lines.probability
    likely[inside] = units[inside] * models.selection.probability
    lead = lines[(lines < inside.start) | (lines >= inside.stop)]
    total = units[lines].sum() + likely[inside].sum() + likely[lead].sum()
    return float(1.0 - 2 * likely[lines].sum() / total)


def _last_step(walk: DecayWalk, row: int) -> float:
    below = [p for outer, p in zip(walk.rows, walk.go_on.tolist(), strict=False) if outer >= row]
    if not below:
        return MOST_SURE
    likeliest = max(below)
    return min(math.log((1.0 - likeliest + 1e-3) / (likeliest + 1e-3)), MOST_SURE)


def _log_distance(units: NDArray[np.float64], lines: NDArray[np.int64], others: range) -> float:
    both = lines[(lines >= others.start) & (lines < others.stop)]
    total = units[lines].sum() + units[others.start : others.stop].sum()
    return math.log(1.0 - 2 * units[both].sum() / total + _LEAST)


def _entropy(units: NDArray[np.float64], shapes: NDArray[np.int64]) -> float:
    """Return the entropy of the *shapes* over their share of the *units*, in bits."""
    shares = np.bincount(shapes, units) / units.sum()
    shares = shares[shares > 0]
    return float(-(shares * np.log2(shares)).sum())


def _likely_outside(
    units: NDArray[np.float64], inside: range, probability: NDArray[np.float64]
) -> float:
    likely = units * probability
    outside = likely[: inside.start].sum() + likely[inside.stop :].sum()
    return float(outside / (likely.sum() or 1.0))


WEIGHTS_FILE = "confidence_weights.json"
KINDS = ("article", "other")  # what it has weights for
#: Of a page that was not parsed: in its body, and in its kind.
MAX_UNPARSED = 0.5


def body_confidence(
    evidence: Evidence, body: Body, models: ModelViews | None, article: float
) -> float:
    """Return the probability that *body* is right, 0..1; 0 without lines.

    *article* is the probability that the page is one, 0..1: as much counts what is fitted on
    articles, the rest what is fitted on other pages. Without *models*, after another method than
    the default one, they are asked now: what they say of its body counts the same. A page that was
    not parsed gets MAX_UNPARSED at most.
    """
    if not body.lines or body.row is None:
        return 0.0
    signs = body_signs(evidence, body, models or _ask_models(evidence, body.row))
    right = sigmoid(_weights() @ signs)
    probability = float(article * right[0] + (1.0 - article) * right[1])
    return min(probability, MAX_UNPARSED) if body.extractor == SOURCE else probability


def confidence_terms(
    evidence: Evidence, body: Body, models: ModelViews | None, article: float
) -> dict[str, tuple[float, float]]:
    """Return value and log-odds contribution of each sign; {} for an empty body.

    Of the two models that of the likelier kind: for a page that is clearly an article or clearly
    none, what they add together gives `body_confidence`, but for the limit of unparsed pages.
    """
    if not body.lines or body.row is None:
        return {}
    signs = body_signs(evidence, body, models or _ask_models(evidence, body.row))
    added = (signs * _weights()[int(article < 0.5)]).tolist()
    return dict(zip(BODY_SIGNS, zip(signs.tolist(), added, strict=True), strict=True))


def _ask_models(evidence: Evidence, row: int) -> ModelViews:
    weights = default_weights()
    lines = estimate_lines(evidence, weights.line)
    walk = walk_down(evidence, lines.probability, weights.step)
    return ModelViews(walk, select_lines(evidence, row, lines, weights), lines)


@cache
def _weights() -> NDArray[np.float64]:
    """Return the weights of the signs, KINDS x BODY_SIGNS; a missing sign weighs 0."""
    file = resources.files("webclean_scrapy.cleaning.confidence").joinpath(WEIGHTS_FILE)
    weights = json.loads(file.read_text("utf-8"))
    return np.array([[weights[kind].get(sign, 0.0) for sign in BODY_SIGNS] for kind in KINDS])
