"""Features that the models see of a page; the one module of the fit that knows the package."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.data import ARTICLE
from webclean_scrapy.cleaning import body
from webclean_scrapy.cleaning.body.decay_walk import STEP_FEATURES, DecayWalk, walk_down
from webclean_scrapy.cleaning.body.evidence import evidence_of_any_page
from webclean_scrapy.cleaning.body.features import (
    INNER_FEATURES,
    LINE_FEATURES,
    inner_features,
    line_features,
    line_probabilities,
)
from webclean_scrapy.cleaning.body.models import Weights
from webclean_scrapy.cleaning.body.selection import apply_rules
from webclean_scrapy.cleaning.cleaner import CleanConfig, Cleaner

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from benchmarks.data import Page
    from webclean_scrapy.cleaning.body.evidence import Evidence

#: What lines weigh in the walk: as learned, or the text outside links (Chen 2012).
LEARNED, PLAIN = "learned", "plain"
WEIGHTS = Path(body.__file__).with_name("weights.json")
PAGE_WEIGHTS = Path(body.__file__).with_name("page_weights.json")  # of pages that are not articles
#: The features of each model, in the order of its weights.
FEATURES = {
    "line": LINE_FEATURES,
    "step": STEP_FEATURES,
    "inner": LINE_FEATURES + INNER_FEATURES,
}


@dataclass(frozen=True, slots=True)
class PageFeatures:
    """A page as input of the models, with and without a template."""

    evidence: Evidence
    line: NDArray[np.float32]  # lines of the page x FEATURES["line"]
    title: str

    @property
    def texts(self) -> list[str]:
        """The text of each line."""
        return self.evidence.table.lines.text

    @property
    def units(self) -> NDArray[np.float64]:
        """The length of each line, in units."""
        return np.array(self.evidence.table.lines.units, float)

    @property
    def excluded(self) -> NDArray[np.bool_]:
        """Mask of lines excluded independently of the models."""
        excluded: NDArray[np.bool_] = self.evidence.excluded > 0
        return excluded

    @property
    def has_template(self) -> bool:
        """Return whether a sibling is compared with the page."""
        return self.evidence.template is not None

    def probability(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return how likely each line of the page is body, 0..1."""
        return line_probabilities(self.evidence, self.line @ weights)

    def lines_in(self, row: int) -> range:
        """Return the lines of a subtree."""
        return self.evidence.table.lines_in(row)

    def walk(
        self,
        probability: NDArray[np.float64],
        weights: NDArray[np.float64] | None = None,
        weigh: str = LEARNED,
    ) -> DecayWalk:
        """Return the walk with these step weights; without weights, its end is irrelevant.

        *weigh* says what a line weighs in it, LEARNED or PLAIN.
        """
        none = np.zeros(len(STEP_FEATURES))
        if weigh == PLAIN:
            columns = self.evidence.table.columns
            plain = np.maximum(columns.units - columns.linked, 0)
            # A line weighs units times probability cubed: the probability that makes it *plain*.
            probability = np.cbrt(plain / np.maximum(columns.units, 1))
        return walk_down(self.evidence, probability, none if weights is None else weights)

    def inner(
        self, row: int, probability: NDArray[np.float64]
    ) -> tuple[range, NDArray[np.float32]]:
        """Return the lines of a subtree and their features: lines x "inner"."""
        inside = self.lines_in(row)
        extra = inner_features(self.evidence, row, inside, probability)
        return inside, np.hstack([self.line[inside.start : inside.stop], extra])

    def apply_rules(self, log_odds: NDArray[np.float64], lines: range) -> NDArray[np.float64]:
        """Return the log-odds of a subtree's lines after the rules that hold for any weights."""
        return apply_rules(log_odds, self.evidence, lines)[0]


def read_features(
    pages: Mapping[str, Page], config: CleanConfig, *, articles: bool = True
) -> Iterator[tuple[Page, PageFeatures]]:
    """Yield the articles of a set, without and with their first useful sibling.

    Without *articles* its other pages that have a labelled text, as the models for them see these.

    Raises:
        PageError: a page breaks a limit.
    """
    body = replace(config.body, weights=_known_weights())
    cleaner = Cleaner(replace(config, body=body))
    for page in pages.values():
        if not page.gold or (page.kind == ARTICLE) != articles:
            continue
        near = [pages[key] for key in page.siblings[:1]]
        for siblings in ([], near) if near else ([],):
            trace = cleaner.inspect(page.raw, [one.raw for one in siblings]).trace
            if trace.walk is not None and (trace.comparison.template or not siblings):
                trace = cleaner.extract(trace.page, trace.comparison)
                evidence = trace.evidence if articles else evidence_of_any_page(trace.evidence)
                title = (trace.page.titles or ("",))[0]
                yield page, PageFeatures(evidence, line_features(evidence), title)


def _known_weights() -> Weights:
    data = json.loads(WEIGHTS.read_text("utf-8"))
    for part, names in FEATURES.items():
        known = data.get(part, {})
        data[part] = {name: weight for name, weight in known.items() if name in names}
    return Weights.from_dict(data)
