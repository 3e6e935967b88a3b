"""Fit how likely a body is right, on bodies of pages that no model of theirs was fitted on.

The body of each article is found with models that were fitted without its set, that of each other
page with models that were fitted without its site; so is the kind of the page. Models are surer of
pages they know, and more often right, than of a page of the world.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.data import ARTICLE, ARTICLE_KINDS, load_demo
from benchmarks.fitting.fit import (
    FOLDS,
    PAGE_OPTIONS,
    SET_POWER,
    FitOptions,
    fit,
    fold_of,
    read_examples,
)
from benchmarks.fitting.kind_examples import KIND_OF_LABEL, read_kind_examples
from benchmarks.fitting.kind_weights import fit_kinds
from benchmarks.fitting.models import Lines, fit_logistic
from benchmarks.leave_out import fit_on_others
from webclean_scrapy.cleaning import confidence
from webclean_scrapy.cleaning.body.features import sigmoid
from webclean_scrapy.cleaning.body.models import BodyConfig, Weights
from webclean_scrapy.cleaning.cleaner import CleanConfig, Cleaner
from webclean_scrapy.cleaning.confidence.body_confidence import (
    BODY_SIGNS,
    KINDS,
    WEIGHTS_FILE,
    body_signs,
)
from webclean_scrapy.report.text_scores import GOOD, harmonic

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from benchmarks.data import Page, Sets
    from webclean_scrapy.cleaning.result import CleanedPage

    Floats = NDArray[np.float64]

WEIGHTS = Path(confidence.__file__).with_name(WEIGHTS_FILE)
PENALTY = 5e-2  # on the weights of articles
OTHER_PENALTY = 1e-2
#: Signs of other pages only. All others weigh as for articles, times one number: there are few of
#: these pages.
OWN_SIGNS = ("likely outside", "alike left")


@dataclass(frozen=True, slots=True)
class JudgedBody:
    """The body of a page by itself or beside a sibling, found by models that do not know it."""

    group: str  # name of an article's set, or what else the page is
    part: str  # that is left out with it: its set, or a fifth of the sites
    is_article: bool
    article: float  # probability that it is one, by the model of kinds
    signs: Floats  # as in BODY_SIGNS
    f1: float  # with the labelled body

    @property
    def is_right(self) -> bool:
        """Return whether F1 reaches `GOOD`: `confidence` is the probability of it."""
        return self.f1 >= GOOD


def judge_bodies(sets: Sets) -> list[JudgedBody]:
    """Return the bodies of all pages, without and with their first useful sibling.

    Costs a few minutes: the models of the body are fitted once for each set.
    """
    examples = read_examples({**sets, "demo": load_demo()})
    fitted = fit_on_others(examples, FitOptions())
    whole = fit(examples, FitOptions())
    others = read_examples(sets, articles=False)
    folds = [[one for one in others if fold_of(one.page) != fold] for fold in range(FOLDS)]
    of_pages = [Weights.from_dict(fit(some, PAGE_OPTIONS).to_dict()) for some in folds if some]
    kinds = iter(fit_kinds(read_kind_examples(sets)).by_site)
    judged = []
    for name, pages in sets.items():
        weights = Weights.from_dict(fitted.get(name, whole).to_dict())
        body = partial(replace, BodyConfig(), weights=weights)
        cleaners = [Cleaner(CleanConfig(body=body(page_weights=one))) for one in of_pages]
        for page in pages.values():
            if page.kind not in KIND_OF_LABEL:
                continue
            article = next(kinds).probabilities[ARTICLE]
            if page.gold and (page.kind == ARTICLE or page.kind not in ARTICLE_KINDS):
                near = [pages[key] for key in page.siblings[:1]]
                found = _clean(cleaners[fold_of(page)] if cleaners else Cleaner(), page, near)
                judged += [_judge(name, page, one, article) for one in found]
    return judged


def _clean(cleaner: Cleaner, page: Page, near: Sequence[Page]) -> Iterator[CleanedPage]:
    for siblings in ([], near) if near else ([],):
        found = cleaner.inspect(page.raw, [sibling.raw for sibling in siblings])
        trace = found.trace
        has_signs = trace.models is not None and trace.body.lines
        if has_signs and (trace.comparison.template or not siblings):
            yield found


def _judge(group: str, page: Page, found: CleanedPage, article: float) -> JudgedBody:
    trace, is_article = found.trace, page.kind == ARTICLE
    assert trace.models is not None
    return JudgedBody(
        group if is_article else page.kind,
        group if is_article else f"sites {fold_of(page)}",
        is_article,
        article,
        body_signs(trace.evidence, trace.body, trace.models),
        harmonic(*page.score(found.title, found.text)),
    )


def fit_weights(bodies: Sequence[JudgedBody]) -> dict[str, dict[str, float]]:
    """Return by kind the weight of each sign for the log-odds of a right body, three digits."""
    return {
        kind: {
            sign: round(float(weight), 3)
            for sign, weight in zip(BODY_SIGNS, weights, strict=True)
            if round(float(weight), 3)
        }
        for kind, weights in zip(KINDS, _fit(bodies), strict=True)
    }


def predict_left_out(bodies: Sequence[JudgedBody]) -> Floats:
    """Return how likely each body is right by weights that fit the other sets, or other sites."""
    predicted = np.zeros(len(bodies))
    for part in dict.fromkeys(body.part for body in bodies):
        weights = _fit([body for body in bodies if body.part != part])
        for at, body in enumerate(bodies):
            if body.part == part:
                right = sigmoid(weights @ body.signs)
                predicted[at] = body.article * right[0] + (1.0 - body.article) * right[1]
    return predicted


def _fit(bodies: Sequence[JudgedBody]) -> Floats:
    articles = [body for body in bodies if body.is_article]
    others = [body for body in bodies if not body.is_article]
    own = [BODY_SIGNS.index(sign) for sign in OWN_SIGNS]
    is_shared = ~np.isin(np.arange(len(BODY_SIGNS)), own)
    shared = _fit_logistic(articles, [body.signs * is_shared for body in articles], PENALTY)
    if not others:
        return np.array([shared, shared])
    signs = [np.array([1.0, one.signs @ shared, *one.signs[own]]) for one in others]
    constant, scale, *of_own = _fit_logistic(others, signs, OTHER_PENALTY)
    of_other = scale * shared
    of_other[0] += constant
    of_other[own] = of_own
    return np.array([shared, of_other])


def _fit_logistic(bodies: Sequence[JudgedBody], signs: Sequence[Floats], penalty: float) -> Floats:
    """Return the weights of the *signs* of the bodies; a page of a large set counts less."""
    count = Counter(body.group for body in bodies)
    pages: list[Any] = [
        Lines(
            of_body[None, :].astype(np.float32),
            np.array([body.is_right]),
            np.array([count[body.group] ** SET_POWER]),
        )
        for body, of_body in zip(bodies, signs, strict=True)
    ]
    return fit_logistic(pages, penalty)
