"""Fit how likely a body is right, on bodies of pages that no model of theirs was fitted on.

The body of each page is found with models that were fitted without its set: those of a page they
know are surer of themselves, and more often right, than on a page of the world.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.data import ARTICLE, load_demo
from benchmarks.fitting.fit import SET_POWER, FitOptions, read_examples
from benchmarks.fitting.models import Lines, fit_logistic
from benchmarks.leave_out import fit_on_others
from benchmarks.scoring import GOOD, harmonic
from webclean_scrapy.cleaning import confidence
from webclean_scrapy.cleaning.body.features import sigmoid
from webclean_scrapy.cleaning.body.models import Weights
from webclean_scrapy.cleaning.cleaner import CleanConfig, Cleaner
from webclean_scrapy.cleaning.confidence.body_confidence import BODY_SIGNS, WEIGHTS_FILE, body_signs

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from benchmarks.data import Page, Sets
    from webclean_scrapy.cleaning.result import CleanedPage

WEIGHTS = Path(confidence.__file__).with_name(WEIGHTS_FILE)
PENALTY = 5e-2  # on the weights


@dataclass(frozen=True, slots=True)
class JudgedBody:
    """The body of an article by itself or beside a sibling, found by models that do not know it."""

    group: str  # name of the set
    signs: NDArray[np.float64]  # as in BODY_SIGNS
    f1: float  # with the labelled body

    @property
    def is_right(self) -> bool:
        """Return whether F1 reaches `GOOD`: `confidence` is the probability of it."""
        return self.f1 >= GOOD


def judge_bodies(sets: Sets) -> list[JudgedBody]:
    """Return the bodies of all articles, each once more with its first sibling if that is of use.

    Costs a few minutes: the models of the body are fitted once for each set.
    """
    fitted = fit_on_others(read_examples({**sets, "demo": load_demo()}), FitOptions())
    judged = []
    for name, pages in sets.items():
        config = CleanConfig()
        weights = Weights.from_dict(fitted[name].to_dict())
        cleaner = Cleaner(replace(config, body=replace(config.body, weights=weights)))
        judged += [_judge(name, page, found) for page, found in _clean_articles(cleaner, pages)]
    return judged


def _clean_articles(
    cleaner: Cleaner, pages: Mapping[str, Page]
) -> Iterator[tuple[Page, CleanedPage]]:
    for page in pages.values():
        if page.kind != ARTICLE:
            continue
        near = [pages[key].raw for key in page.siblings[:1]]
        for siblings in ([], near) if near else ([],):
            found = cleaner.inspect(page.raw, siblings)
            trace = found.trace
            if trace.models is not None and (trace.comparison.template or not siblings):
                yield page, found


def _judge(group: str, page: Page, found: CleanedPage) -> JudgedBody:
    trace = found.trace
    assert trace.models is not None
    signs = body_signs(trace.page, trace.evidence, trace.body, trace.models)
    return JudgedBody(group, signs, harmonic(*page.score(found.title, found.text)))


def fit_weights(bodies: Sequence[JudgedBody]) -> dict[str, float]:
    """Return the weight of each sign for the log-odds that a body is right, with three digits."""
    weights = _fit(bodies)
    return {sign: round(float(w), 3) for sign, w in zip(BODY_SIGNS, weights, strict=True)}


def predict_left_out(bodies: Sequence[JudgedBody]) -> NDArray[np.float64]:
    """Return how likely each body is right by weights that fit the other sets."""
    predicted = np.zeros(len(bodies))
    for group in dict.fromkeys(body.group for body in bodies):
        weights = _fit([body for body in bodies if body.group != group])
        for at, body in enumerate(bodies):
            if body.group == group:
                predicted[at] = body.signs @ weights
    return sigmoid(predicted)


def _fit(bodies: Sequence[JudgedBody]) -> NDArray[np.float64]:
    """Return the weights of BODY_SIGNS that fit the bodies; a large set counts less a page."""
    count = Counter(body.group for body in bodies)
    pages = [
        Lines(
            body.signs[None, :].astype(np.float32),
            np.array([body.is_right]),
            np.array([count[body.group] ** SET_POWER]),
        )
        for body in bodies
    ]
    return fit_logistic(pages, PENALTY)
