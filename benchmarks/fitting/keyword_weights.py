"""Fit the weights of the method "features" to the keywords that pages give themselves."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.fitting.models import Lines, fit_logistic
from benchmarks.keywords import Found, is_met, rank_pages
from benchmarks.markdown import share, table
from webclean_scrapy import keywords
from webclean_scrapy.keywords.feature_ranker import FEATURES, FeatureRanker
from webclean_scrapy.keywords.spelling import fold_word
from webclean_scrapy.keywords.tfidf import KeywordRanker, clean_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from benchmarks.keywords import KeywordPage

    Pages = Mapping[str, Sequence[KeywordPage]]  # by name of the set

WEIGHTS = Path(keywords.__file__).with_name("keyword_weights.json")
PENALTY = 1e-2


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What each method found on a set: with weights that this set has no part in, and all."""

    tfidf: Found
    others: Found
    all: Found


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


def measure_left_out(sets: Pages) -> dict[str, LeftOut]:
    """Return what is found on each set by weights fitted on the other sets, and on all."""
    whole = _ranker(fit_weights(page for pages in sets.values() for page in pages))
    measured = {}
    for name, pages in sets.items():
        others = _ranker(
            fit_weights(page for other in sets if other != name for page in sets[other])
        )
        measured[name] = LeftOut(*(rank_pages(r, pages) for r in (KeywordRanker(), others, whole)))
    return measured


def write_weights(weights: Mapping[str, float]) -> None:
    """Write the file that the package reads."""
    WEIGHTS.write_text(json.dumps(weights, indent=1) + "\n", encoding="utf-8")


def left_out_section(measured: Mapping[str, LeftOut]) -> str:
    """Return precision@10 and recall@10 on each set and on all pages."""
    names = ("tfidf", "others", "all")
    rows = []
    totals = [Found() for _ in names]
    for name, one in measured.items():
        found = [getattr(one, column) for column in names]
        rows.append([f"{name}: {found[0].pages} pages", *_cells(found)])
        for total, part in zip(totals, found, strict=True):
            total.add(part)
    rows.append([f"all: {totals[0].pages} pages", *_cells(totals)])
    kinds = ("tfidf", "fitted on the others", "fitted on all")
    return table(["", *(f"{kind}, {what}" for kind in kinds for what in ("P", "R"))], rows)


def _ranker(weights: Mapping[str, float]) -> FeatureRanker:
    return FeatureRanker(feature_weights=[weights[name] for name in FEATURES])


def _cells(found: Sequence[Found]) -> list[str]:
    return [share(figure) for one in found for figure in (one.precision, one.recall)]
