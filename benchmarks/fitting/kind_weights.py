"""Fit the weights of the kinds of pages, and try them on sites that the fit has not seen.

Each page counts three times: as it is, without its address, and without what it declares. So no
single sign decides, and pages that have no such sign are told by the others.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.optimize import minimize, minimize_scalar

from benchmarks.fitting.kind_examples import FOLDS, columns, numbers
from webclean_scrapy.cleaning import kind
from webclean_scrapy.cleaning.kind.page_kind import (
    ARTICLE,
    FEATURES,
    KINDS,
    KindWeights,
    page_kind,
    softmax,
)
from webclean_scrapy.cleaning.kind.page_signs import ADDRESS, DECLARED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from benchmarks.fitting.kind_examples import KindExample
    from webclean_scrapy.cleaning.kind.page_kind import Kind

    Floats = NDArray[np.float64]

WEIGHTS = Path(kind.__file__).with_name("weights.json")
PENALTY = 0.015  # on the weights of features divided by their spread
ARTICLES = 0.4  # share of the articles in the fit; of the crawled pages of a news site it is more
MADE = "demo"  # the set of made pages, which say nothing of the threshold
#: Of the articles of sites that were left out, which gives the threshold. The rest look like shops
#: and services: to keep more of them is to take more shops for articles.
KEPT_ARTICLES = 0.992
SET_POWER = 0.85  # a set counts by this power of its articles
_LEAST_SPREAD = 0.05
_VIEWS = ((0.6, ()), (0.2, ADDRESS), (0.2, DECLARED))  # share, and the features that are 0


@dataclass(frozen=True, slots=True)
class FittedKinds:
    """The weights, and the predictions of fits without each page's site or set."""

    weights: KindWeights
    by_site: list[Kind]  # of each example, by the weights that four fifths of the sites give
    by_set: list[Kind]  # by those that the other sets give; as by site for a set without articles
    scale: float  # by which all weights were multiplied, so that probabilities are right


def fit_kinds(examples: Sequence[KindExample]) -> FittedKinds:
    """Return the fitted weights, tried on the sites and the sets that were left out."""
    folds = np.array([one.fold for one in examples])
    sets = np.array([one.group for one in examples])
    held = {f: _fit([e for e in examples if e.fold != f]) for f in range(FOLDS)}
    with_articles = sorted({one.group for one in examples if one.kind == ARTICLE})
    rest = {s: [e for e in examples if e.group != s] for s in with_articles}
    others = {s: _fit(kept) for s, kept in rest.items() if kept}
    signs, right = columns(examples), numbers(examples)
    log_odds = np.zeros((len(examples), len(KINDS)))
    for fold, weights in held.items():
        log_odds[folds == fold] = signs[folds == fold] @ weights
    counts = example_weights(examples)
    scale = _fit_scale(log_odds, right, counts)
    is_article = right == KINDS.index(ARTICLE)
    shares = softmax(scale * log_odds)[is_article & (sets != MADE), KINDS.index(ARTICLE)]
    threshold = min(0.5, round(float(np.quantile(shares, 1 - KEPT_ARTICLES)), 3))

    def kinds_of(by: Mapping[Any, Floats], key: Iterable[Any]) -> list[Kind]:
        models = {name: KindWeights(scale * weights, threshold) for name, weights in by.items()}
        return [page_kind(e.features, models[k]) for e, k in zip(examples, key, strict=True)]

    by_site = kinds_of(held, folds.tolist())
    keys = [s if s in others else f for s, f in zip(sets.tolist(), folds.tolist(), strict=True)]
    by_set = kinds_of({**held, **others}, keys)
    whole = KindWeights(scale * _fit(examples), threshold)
    return FittedKinds(whole, by_site, by_set, scale)


def example_weights(examples: Sequence[KindExample]) -> Floats:
    """Return the weight of each example: ARTICLES for all articles, by set; and other pages."""
    is_article = np.array([one.kind == ARTICLE for one in examples])
    articles = Counter(one.group for one in examples if one.kind == ARTICLE)
    weights = np.array(
        [
            (articles[one.group] ** (SET_POWER - 1) if one.kind == ARTICLE else 1.0)
            for one in examples
        ]
    )
    for which, part in ((is_article, ARTICLES), (~is_article, 1 - ARTICLES)):
        weights[which] *= part / max(weights[which].sum(), 1e-9)
    return weights


def to_dict(weights: KindWeights) -> dict[str, Any]:
    """Return the non-zero weights by kind and feature, with three digits."""
    return {
        "threshold": weights.threshold,
        "weights": {
            name: {
                feature: round(float(weight), 3)
                for feature, weight in zip(FEATURES, column, strict=True)
                if round(float(weight), 3)
            }
            for name, column in zip(KINDS, weights.weights.T, strict=True)
        },
    }


def _fit(examples: Sequence[KindExample]) -> Floats:
    whole, right, counts = columns(examples), numbers(examples), example_weights(examples)
    views = []
    for part, out in _VIEWS:
        signs = whole.copy()
        signs[:, [FEATURES.index(name) for name in out]] = 0.0
        views.append((signs, right, part * counts))
    signs, right, counts = (np.concatenate(one) for one in zip(*views, strict=True))
    spread = whole.std(0) + _LEAST_SPREAD
    spread[0] = 1.0
    return _minimize(_loss(signs / spread, right, counts / counts.sum()), spread)


def _loss(
    signs: Floats, right: NDArray[np.int64], counts: Floats
) -> Callable[[Floats], tuple[float, Floats]]:
    """Return the function that gives the log loss of weights, with penalty, and its slope."""
    wanted = np.eye(len(KINDS))[right]

    def loss(flat: Floats) -> tuple[float, Floats]:
        weights = flat.reshape(-1, len(KINDS))
        shares = softmax(signs @ weights)
        pull = PENALTY * weights
        pull[0] = 1e-6 * weights[0]  # the constants of all kinds may grow alike else
        missed = -np.log((shares * wanted).sum(1) + 1e-12) @ counts
        slope = signs.T @ (counts[:, None] * (shares - wanted)) + pull
        return float(missed + (pull * weights).sum() / 2), slope.ravel()

    return loss


def _minimize(loss: Callable[[Floats], tuple[float, Floats]], spread: Floats) -> Floats:
    start = np.zeros(len(spread) * len(KINDS))
    least: Any = minimize(loss, start, jac=True, method="L-BFGS-B").x
    weights: Floats = least.reshape(-1, len(KINDS)) / spread[:, None]
    return weights


def _fit_scale(log_odds: Floats, right: NDArray[np.int64], counts: Floats) -> float:
    """Return the factor of the log-odds with the least log loss: the inverse temperature."""

    def missed(scale: float) -> float:
        shares = softmax(scale * log_odds)[np.arange(len(right)), right]
        return float(-np.log(shares + 1e-12) @ counts)

    return float(minimize_scalar(missed, bounds=(0.2, 5.0), method="bounded").x)
