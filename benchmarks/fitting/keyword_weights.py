"""Fit the weights of the method "features" to the keywords that pages give themselves."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.fitting.models import Lines, fit_logistic
from benchmarks.keywords import is_met
from webclean_scrapy import keywords
from webclean_scrapy.keywords.feature_ranker import FEATURES, FeatureRanker
from webclean_scrapy.keywords.segment import fold_word
from webclean_scrapy.keywords.tfidf import clean_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from benchmarks.keywords import KeywordPage

    Pages = Mapping[str, Sequence[KeywordPage]]  # by name of the set

WEIGHTS = Path(keywords.__file__).with_name("keyword_weights.json")
PENALTY = 1e-2


def fit_weights(pages: Iterable[KeywordPage]) -> dict[str, float]:
    """Return the weight of each feature, with three digits; each page counts the same."""
    ranker = FeatureRanker(feature_weights=[0.0] * len(FEATURES))
    examples = []
    for page in pages:
        found = ranker.candidates([(clean_text(text), weight) for text, weight in page.blocks[""]])
        if found.words:
            words = map(fold_word, found.words)
            met = np.array([any(is_met(own, word) for own in page.gold) for word in words])
            columns = np.column_stack([np.ones(len(met)), found.features])
            examples.append(Lines(columns, met, np.full(len(met), 1 / len(met))))
    weights = fit_logistic(examples, PENALTY)[1:]
    return {name: round(float(w), 3) for name, w in zip(FEATURES, weights, strict=True)}
