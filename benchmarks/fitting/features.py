"""What the models see of a page. The one module of the fit that knows the inside of the package."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.data import ARTICLE
from webclean_scrapy.cleaning import body
from webclean_scrapy.cleaning.body.body_finder import BodyConfig, decayed_row
from webclean_scrapy.cleaning.body.evidence import Evidence, gather
from webclean_scrapy.cleaning.body.inner_features import INNER_TERMS, inner_terms
from webclean_scrapy.cleaning.body.line_features import LINE_TERMS, line_terms
from webclean_scrapy.cleaning.body.linear_model import Weights, candidates, line_chance, settle
from webclean_scrapy.cleaning.body.subtree_features import (
    CANDIDATE_TERMS,
    KEEP_CHANCE,
    candidate_terms,
)
from webclean_scrapy.cleaning.cleaner import CleanConfig, Cleaner
from webclean_scrapy.cleaning.page.guard import GuardConfig
from webclean_scrapy.cleaning.page.parsed_page import parse_page
from webclean_scrapy.cleaning.templates.sketch import refuse
from webclean_scrapy.cleaning.templates.template import template_evidence

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from benchmarks.data import Page
    from webclean_scrapy.cleaning.page.parsed_page import ParsedPage
    from webclean_scrapy.cleaning.templates.sketch import PageSketch
    from webclean_scrapy.cleaning.templates.template import TemplateEvidence

WEIGHTS = Path(body.__file__).with_name("weights.json")
KEEP_PROBABILITY = KEEP_CHANCE  # a line below it does not count when candidates are compared
#: The features of each model, in the order of its weights.
FEATURES = {"line": LINE_TERMS, "candidate": CANDIDATE_TERMS, "inner": LINE_TERMS + INNER_TERMS}


@dataclass(frozen=True, slots=True)
class PageFeatures:
    """A page as the models see it, with what a template says of it or without."""

    evidence: Evidence
    line: NDArray[np.float32]  # lines of the page x FEATURES["line"]
    decayed: int  # row that the decay walk selects
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
        """Which lines are no body whatever the models say."""
        excluded: NDArray[np.bool_] = self.evidence.apart > 0
        return excluded

    @property
    def has_template(self) -> bool:
        """Whether a sibling is compared with the page."""
        return self.evidence.template is not None

    def probability(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return how likely each line of the page is body, 0..1."""
        return line_chance(self.evidence, self.line, weights)

    def lines_in(self, row: int) -> range:
        """Return the lines of a subtree."""
        return self.evidence.table.lines_in(row)

    def subtrees(self, probability: NDArray[np.float64]) -> tuple[list[int], NDArray[np.float64]]:
        """Return the rows that may hold the body, and their features: rows x "candidate"."""
        rows = candidates(self.evidence)
        return rows, candidate_terms(self.evidence, rows, probability, self.decayed)

    def inner(
        self, row: int, probability: NDArray[np.float64]
    ) -> tuple[range, NDArray[np.float32]]:
        """Return the lines of a subtree and their features: lines x "inner"."""
        inside = self.lines_in(row)
        extra = inner_terms(self.evidence, row, inside, probability)
        return inside, np.hstack([self.line[inside.start : inside.stop], extra])

    def settle(self, log_odds: NDArray[np.float64], lines: range) -> NDArray[np.float64]:
        """Return the log-odds of a subtree's lines after the rules that hold for any weights."""
        return settle(log_odds, self.evidence, lines)


def read_features(pages: Mapping[str, Page]) -> Iterator[tuple[Page, PageFeatures]]:
    """Yield the articles of a set: each by itself, then beside its first sibling if that is of use.

    Raises:
        PageError: an article or a sibling breaks a limit.
    """
    config = BodyConfig(weights=_known_weights())
    cleaner = Cleaner(CleanConfig(body=config))

    @cache
    def sketch(key: str) -> PageSketch:
        return cleaner.sketch(pages[key].html, pages[key].url)

    for key, page in pages.items():
        if page.kind != ARTICLE:
            continue
        parsed = parse_page(page.html, page.url, None, GuardConfig())
        near = [sketch(sibling) for sibling in page.siblings[:1]]
        templates: list[TemplateEvidence | None] = [None]
        templates += [
            template_evidence(parsed.table, [one])
            for one in near
            if refuse(sketch(key), one) is None
        ]
        for template in templates:
            yield page, _features_of(parsed, template, config)


def _features_of(
    parsed: ParsedPage, template: TemplateEvidence | None, config: BodyConfig
) -> PageFeatures:
    declared = parsed.head.article_bodies
    evidence = gather(parsed.table, parsed.titles, template, config.paragraphs, declared)
    title = (parsed.titles or ("",))[0]
    return PageFeatures(evidence, line_terms(evidence), decayed_row(evidence, config), title)


def write_weights(weights: Mapping[str, Any]) -> None:
    """Write the file that the package reads: the weights of each model by feature."""
    WEIGHTS.write_text(json.dumps(weights, indent=1) + "\n", "utf-8")


def _known_weights() -> Weights:
    """Return the weights of the file without those of features that are gone."""
    data = json.loads(WEIGHTS.read_text("utf-8"))
    for part, names in FEATURES.items():
        data[part] = {name: weight for name, weight in data[part].items() if name in names}
    return Weights.from_dict(data)
