"""Fit the models one after the other, and score them as they are used: line, subtree, its lines."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.fitting.features import FEATURES, KEEP_PROBABILITY, PageFeatures, read_features
from benchmarks.fitting.labels import label_lines
from benchmarks.fitting.models import Lines, Subtrees, fit_choice, fit_logistic
from benchmarks.scoring import precision_recall, set_score

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from benchmarks.data import Page, Sets

MIN_UNITS = 4  # a shorter line counts as one of this length
UNITS_POWER = 0.8  # a line of twice the length counts 1.7 times
SET_POWER = -0.5  # of a set's pages: a large set counts more than a small one, not in proportion


@dataclass(frozen=True, slots=True, kw_only=True)
class FitOptions:
    """What is given, not fitted."""

    penalty: float = 1e-2  # on the weights of lines
    choice_penalty: float = 3e-3  # on the weights of subtrees
    threshold: float = -0.25  # log-odds above which a line of the subtree is body


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
    subtree: NDArray[np.float64]
    inner: NDArray[np.float64]
    threshold: float

    def to_dict(self) -> dict[str, Any]:
        """Return the weights by model and feature, with three digits; those of 0 are left out."""
        named = {
            model: {
                name: round(float(weight), 3)
                for name, weight in zip(names, getattr(self, model), strict=True)
                if round(float(weight), 3)
            }
            for model, names in FEATURES.items()
        }
        return {"threshold": self.threshold, **named}


def read_examples(sets: Sets) -> list[Example]:
    """Return the articles of the sets, each once more with its first sibling if that is of use."""
    examples = [
        _make_example(name, page, features)
        for name, pages in sets.items()
        for page, features in read_features(pages)
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
    line = fit_logistic(lines, options.penalty)
    candidates = [_candidates(example, line) for example in examples]
    choice = fit_choice([subtrees for _, subtrees in candidates], options.choice_penalty)
    inner = []
    for example, (rows, subtrees) in zip(examples, candidates, strict=True):
        row = rows[int((subtrees.features @ choice).argmax())]
        inside, features = example.features.inner(row, example.features.probability(line))
        cut = slice(inside.start, inside.stop)
        inner.append(Lines(features, example.is_body[cut], example.weight[cut]))
    return Fitted(line, choice, fit_logistic(inner, options.penalty), options.threshold)


def _candidates(example: Example, line: NDArray[np.float64]) -> tuple[list[int], Subtrees]:
    """Return the rows that may hold the body, and what the choice among them is fitted on."""
    page = example.features
    probability = page.probability(line)
    rows, features = page.subtrees(probability)
    kept = page.units * (probability > KEEP_PROBABILITY)
    right, total = kept * example.is_body, (page.units * example.is_body).sum() + 1e-9
    scores = []
    for row in rows:
        inside = page.lines_in(row)
        hits = right[inside.start : inside.stop].sum()
        size = kept[inside.start : inside.stop].sum() + 1e-9
        scores.append(2 * hits / (size + total))
    return rows, Subtrees(features, np.array(scores), float(example.weight.sum()))


def score_sets(
    examples: Sequence[Example], fitted: Mapping[str, Fitted]
) -> dict[str, dict[bool, float]]:
    """Return F1 by set, by whether a sibling helps. *fitted* has the weights for each set."""
    pairs: dict[str, dict[bool, list[tuple[float, float]]]] = {}
    for one in examples:
        text = _body_text(one, fitted[one.group])
        pair = precision_recall(one.page.gold, text, one.page.optional)
        pairs.setdefault(one.group, {}).setdefault(one.features.has_template, []).append(pair)
    return {
        name: {helped: set_score(some).f1 for helped, some in sorted(both.items())}
        for name, both in pairs.items()
    }


def _body_text(example: Example, fitted: Fitted) -> str:
    """Return the text that the models find, below the title where the labels have it so."""
    page, kept = example.features, []
    if len(example.is_body):
        probability = page.probability(fitted.line)
        rows, features = page.subtrees(probability)
        row = rows[int((features @ fitted.subtree).argmax())]
        inside, inner = page.inner(row, probability)
        log_odds = page.apply_rules(inner @ fitted.inner, inside)
        kept = [page.texts[inside[at]] for at in np.flatnonzero(log_odds > fitted.threshold)]
    return "\n".join([page.title, *kept] if example.page.title_in_gold else kept)
