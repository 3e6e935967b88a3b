"""Fit the models one after the other, and score them as they are used: line, step, lines."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from benchmarks.fitting.features import FEATURES, LEARNED, PageFeatures, read_features
from benchmarks.fitting.labels import label_lines
from benchmarks.fitting.models import Lines, fit_logistic
from webclean_scrapy.cleaning.config import CleanConfig
from webclean_scrapy.report.text_scores import harmonic, set_score

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from benchmarks.data import Page, Sets

MIN_UNITS = 4  # a shorter line counts as one of this length
UNITS_POWER = 0.8  # a line of twice the length counts 1.7 times
MIN_PROBABILITY = 0.2  # a line less likely to be body does not count when subtrees are compared
MOST_WON = 0.5  # F1; a step that wins or loses more counts no more
SET_POWER = -0.5  # of a set's pages: a large set counts more than a small one, not in proportion


@dataclass(frozen=True, slots=True, kw_only=True)
class FitOptions:
    """Parameters that are given, not fitted."""

    penalty: float = 1e-2  # on the weights of lines
    step_penalty: float = 1e-2  # on the weights of steps
    threshold: float = -0.25  # log-odds above which a line of the subtree is body
    limit: float | None = None  # T of every step, in place of one that is fitted; -1: no step
    weigh: str = LEARNED  # what lines weigh in the walk
    left_out: frozenset[str] = frozenset()  # features that no model gets


#: For pages that are not articles: there are fewer of them, and of more shapes.
PAGE_OPTIONS = FitOptions(penalty=2e-2, threshold=-0.75)
FOLDS = 5  # parts of the sites, each scored by a fit on the others


@dataclass(frozen=True, slots=True)
class Example:
    """A labelled page, by itself or beside a sibling."""

    group: str  # name of the set
    page: Page
    features: PageFeatures
    is_body: NDArray[np.bool_]  # per line
    weight: NDArray[np.float64]  # of each line in the fit


@dataclass(frozen=True, slots=True)
class Fitted:
    """The weights of the models, each in the order of FEATURES."""

    line: NDArray[np.float64]
    step: NDArray[np.float64]
    inner: NDArray[np.float64]
    threshold: float
    weigh: str = LEARNED

    def to_dict(self) -> dict[str, Any]:
        """Return the non-zero weights by model and feature, with three digits."""
        named = {
            model: {
                name: round(float(weight), 3)
                for name, weight in zip(names, getattr(self, model), strict=True)
                if round(float(weight), 3)
            }
            for model, names in FEATURES.items()
        }
        return {"threshold": self.threshold, **named}


def read_examples(
    sets: Sets, config: CleanConfig | None = None, *, articles: bool = True
) -> list[Example]:
    """Return the articles of the sets, without and with their first useful sibling.

    Without *articles* the other pages; the group of these is what they are, not their set.
    """
    examples = [
        _make_example(name if articles else page.kind, page, features)
        for name, pages in sets.items()
        for page, features in read_features(pages, config or CleanConfig(), articles=articles)
    ]
    count = Counter(example.group for example in examples)
    return [replace(one, weight=one.weight * count[one.group] ** SET_POWER) for one in examples]


def _make_example(group: str, page: Page, features: PageFeatures) -> Example:
    size = np.maximum(features.units, MIN_UNITS) ** UNITS_POWER
    weight = size / size.sum() if len(size) else size
    weight[features.excluded] = 0.0  # no model decides about them
    return Example(group, page, features, label_lines(features.texts, page.gold), weight)


def fit(examples: Sequence[Example], options: FitOptions) -> Fitted:
    """Return the weights that fit the examples."""
    examples = [example for example in examples if len(example.is_body)]
    lines = [Lines(one.features.line, one.is_body, one.weight) for one in examples]
    line = _fit_model("line", lines, options.penalty, options)
    if options.limit is None:
        steps = [_steps(example, line, options.weigh) for example in examples]
        step = _fit_model("step", steps, options.step_penalty, options)
    else:
        step = _fixed_limit(options.limit)
    inner = []
    for example in examples:
        probability = example.features.probability(line)
        row = example.features.walk(probability, step, options.weigh).row
        inside, features = example.features.inner(row, probability)
        cut = slice(inside.start, inside.stop)
        inner.append(Lines(features, example.is_body[cut], example.weight[cut]))
    inner_weights = _fit_model("inner", inner, options.penalty, options)
    return Fitted(line, step, inner_weights, options.threshold, options.weigh)


def _fit_model(
    model: str, pages: Sequence[Lines], penalty: float, options: FitOptions
) -> NDArray[np.float64]:
    """Fit a model and return its weights; left-out features weigh 0."""
    out = [at for at, name in enumerate(FEATURES[model]) if name in options.left_out]
    if out:
        pages = [page._replace(features=page.features.copy()) for page in pages]
        for page in pages:
            page.features[:, out] = 0
    return fit_logistic(pages, penalty)


def _fixed_limit(limit: float) -> NDArray[np.float64]:
    names = FEATURES["step"]
    weights = np.zeros(len(names))
    weights[names.index("one")], weights[names.index("decay")] = limit, -1.0
    return weights


def _steps(example: Example, line: NDArray[np.float64], weigh: str) -> Lines:
    """Return the steps of a page's walk, and the right ones: above the best subtree.

    A step counts by how much is won with it, or lost.
    """
    page = example.features
    probability = page.probability(line)
    walk = page.walk(probability, weigh=weigh)
    kept = page.units * (probability > MIN_PROBABILITY)
    right, total = kept * example.is_body, (page.units * example.is_body).sum() + 1e-9
    scores = []
    for row in walk.rows:
        inside = page.lines_in(row)
        hits = right[inside.start : inside.stop].sum()
        size = kept[inside.start : inside.stop].sum() + 1e-9
        scores.append(2 * hits / (size + total))
    below = np.maximum.accumulate(scores[::-1])[::-1]  # the best from each row down
    won = below[1:] - scores[:-1]
    weight = np.minimum(np.abs(won), MOST_WON) * example.weight.sum()
    return Lines(walk.features.astype(np.float32), won > 0, weight)


def score_sets(
    examples: Sequence[Example], fitted: Mapping[str, Fitted]
) -> dict[str, dict[bool, float]]:
    """Return F1 by set, by whether a sibling helps. *fitted* has the weights for each set."""
    pairs: dict[str, dict[bool, list[tuple[float, float]]]] = {}
    for one in examples:
        pair = score_example(one, fitted[one.group])
        pairs.setdefault(one.group, {}).setdefault(one.features.has_template, []).append(pair)
    return {
        name: {helped: set_score(some).f1 for helped, some in sorted(both.items())}
        for name, both in pairs.items()
    }


def score_folds(examples: Sequence[Example], options: FitOptions) -> dict[str, float]:
    """Return the mean F1 of the pages of each group, by fits that have not seen their sites."""
    scores: dict[str, list[float]] = {}
    for fold in range(FOLDS):
        fitted = fit([one for one in examples if fold_of(one.page) != fold], options)
        for one in examples:
            if fold_of(one.page) == fold:
                pair = score_example(one, fitted)
                scores.setdefault(one.group, []).append(harmonic(*pair))
    return {group: float(np.mean(some)) for group, some in sorted(scores.items())}


def fold_of(page: Page) -> int:
    """Return the part of the sites, 0 to FOLDS - 1, that the site of *page* is in."""
    return crc32((page.site or page.url or "").encode()) % FOLDS


def score_example(example: Example, fitted: Fitted) -> tuple[float, float]:
    """Return the precision and the recall of the body that the models find."""
    page, kept = example.features, []
    if len(example.is_body):
        probability = page.probability(fitted.line)
        row = page.walk(probability, fitted.step, fitted.weigh).row
        inside, inner = page.inner(row, probability)
        log_odds = page.apply_rules(inner @ fitted.inner, inside)
        kept = [page.texts[inside[at]] for at in np.flatnonzero(log_odds > fitted.threshold)]
    return example.page.score(page.title, "\n".join(kept))
