"""Confidence: the probability of an F1 of .95 or more with a body marked by people.

A logistic model over `body_signs`, whose weights ``python -m benchmarks confidence`` fits to bodies
of pages that the body's own models have not seen.
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.body.decay_walk import walk_down
from webclean_scrapy.cleaning.body.features import estimate_lines, sigmoid
from webclean_scrapy.cleaning.body.models import default_weights
from webclean_scrapy.cleaning.body.selection import select_lines
from webclean_scrapy.cleaning.confidence.body_signs import BODY_SIGNS, ModelViews, body_signs
from webclean_scrapy.cleaning.method_names import SOURCE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.body.body import Body
    from webclean_scrapy.cleaning.body.evidence import Evidence
    from webclean_scrapy.cleaning.parsed_page import ParsedPage

WEIGHTS_FILE = "confidence_weights.json"
#: Of a page that was not parsed: in its body, and in its kind.
MAX_UNPARSED = 0.5


def body_confidence(
    page: ParsedPage, evidence: Evidence, body: Body, models: ModelViews | None
) -> float:
    """Return how likely *body* is right, 0..1; 0 for one without lines.

    Without *models*, after another method than the default one, they are asked now: what they say
    of its body counts the same. A page that was not parsed gets MAX_UNPARSED at most.
    """
    if not body.lines or body.row is None:
        return 0.0
    models = models or _ask_models(evidence, body.row)
    signs = body_signs(page, evidence, body, models)
    probability = float(sigmoid(signs @ _weights()))
    return min(probability, MAX_UNPARSED) if body.extractor == SOURCE else probability


def confidence_terms(
    page: ParsedPage, evidence: Evidence, body: Body, models: ModelViews | None
) -> dict[str, tuple[float, float]]:
    """Return of each sign its value and what it adds to the log-odds; nothing of an empty body.

    What they add together gives `body_confidence`, but for the limit of pages that are not parsed.
    """
    if not body.lines or body.row is None:
        return {}
    signs = body_signs(page, evidence, body, models or _ask_models(evidence, body.row))
    added = (signs * _weights()).tolist()
    return dict(zip(BODY_SIGNS, zip(signs.tolist(), added, strict=True), strict=True))


def _ask_models(evidence: Evidence, row: int) -> ModelViews:
    """Return what the models of the package say of the lines in the subtree of *row*."""
    weights = default_weights()
    lines = estimate_lines(evidence, weights.line)
    walk = walk_down(evidence, lines.probability, weights.step)
    return ModelViews(walk, select_lines(evidence, row, lines, weights))


@cache
def _weights() -> NDArray[np.float64]:
    """Return the weight of each sign, in the order of BODY_SIGNS; a missing sign weighs 0."""
    file = resources.files("webclean_scrapy.cleaning.confidence").joinpath(WEIGHTS_FILE)
    weights = json.loads(file.read_text("utf-8"))
    return np.array([weights.get(sign, 0.0) for sign in BODY_SIGNS], float)
