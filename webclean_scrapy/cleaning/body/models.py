"""The body of a page, and the weights of the three linear models that find it.

How likely each line is body (logistic), whether a step down the page tree is right (logistic, see
`decay_walk`), and which lines of the subtree at the end of the walk are body (logistic): a few
dozen readable features each. The weights for articles are in ``weights.json``, those for pages of
other kinds in ``page_weights.json``.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from functools import cache, partial
from importlib import resources
from typing import TYPE_CHECKING, Any

import numpy as np

from webclean_scrapy.cleaning.body.decay_walk import STEP_FEATURES
from webclean_scrapy.cleaning.body.features import INNER_FEATURES, LINE_FEATURES
from webclean_scrapy.cleaning.body.link_blocks import LinkBlockConfig
from webclean_scrapy.cleaning.body.reasons.names import EXCLUSIONS
from webclean_scrapy.cleaning.body.reasons.table import REASONS
from webclean_scrapy.cleaning.page.removals import Removal, line_spans, removals_of
from webclean_scrapy.options import CheckedOptions, option

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.body.evidence import Evidence
    from webclean_scrapy.cleaning.body.reasons.table import Reason
    from webclean_scrapy.cleaning.metadata.comments import Post

#: What each of FAVORS adds to the log-odds that a line must have, and to those of each step down:
#: of articles, and of other pages. Tuned on the development sets in November 2026.
_SHIFTS = {"balanced": (0.0, 0.0), "precision": (1.5, 1.5), "recall": (-0.75, -1.5)}
_PAGE_SHIFTS = {"balanced": (0.0, 0.0), "precision": (0.5, 0.0), "recall": (0.0, -1.5)}


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of the three models, each in the order of its features."""

    line: NDArray[np.float64]
    step: NDArray[np.float64]
    inner: NDArray[np.float64]
    threshold: float  # log-odds above which a line inside the subtree is body

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Weights:
        """Read weights from a mapping of features to numbers; missing features weigh 0."""
        return cls(
            line=_column(data["line"], LINE_FEATURES),
            step=_column(data["step"], STEP_FEATURES),
            inner=_column(data["inner"], LINE_FEATURES + INNER_FEATURES),
            threshold=float(data["threshold"]),
        )


def _column(weights: Mapping[str, float], features: tuple[str, ...]) -> NDArray[np.float64]:
    if unknown := set(weights) - set(features):
        raise ValueError(f"weights for unknown features: {sorted(unknown)}")
    return np.array([weights.get(feature, 0.0) for feature in features], float)


@cache
def default_weights(name: str = "weights.json") -> Weights:
    """Load the weights of the package: for articles by default, or for another kind of page."""
    file = resources.files("webclean_scrapy.cleaning.body").joinpath(name)
    return Weights.from_dict(json.loads(file.read_text("utf-8")))


def favoring(weights: Weights, favor: str, of_pages: bool) -> Weights:
    """Return the models at the thresholds of *favor*, one of ``method_names.FAVORS``.

    With "precision" the walk goes further down and lines must be surer, with "recall" the reverse.
    Other pages than articles (*of_pages*) are moved less: their lines are less sure as it is.
    """
    threshold, step = (_PAGE_SHIFTS if of_pages else _SHIFTS)[favor]
    return replace(
        weights,
        threshold=weights.threshold + threshold,
        step=weights.step + _column({"one": step}, STEP_FEATURES),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyConfig(CheckedOptions):
    link_blocks: LinkBlockConfig | None = field(default_factory=LinkBlockConfig)
    reasons: tuple[Reason, ...] = REASONS  # why lines are never body
    weights: Weights = field(default_factory=default_weights)  # for articles
    page_weights: Weights = field(  # for forums, products, lists and all other pages
        default_factory=partial(default_weights, "page_weights.json")
    )
    # of the weight: a step that leaves less is undone
    min_kept_share: float = option(0.3, low=0, high=1)


@dataclass(frozen=True, slots=True)
class Body:
    """A body: its subtree, the lines kept in it, and how it was found."""

    row: int | None  # of the subtree; None when the page has no text
    lines: tuple[int, ...]  # rising
    paragraphs: int  # among the lines
    title_line: int | None  # line that repeats the title
    removals: tuple[Removal, ...]
    extractor: str = "webclean"  # the method that found it
    deck: int | None = None  # the row of its lead, if that is marked up as a heading
    posts: tuple[Post, ...] = ()  # of a thread; together they have all lines


def empty_body(evidence: Evidence) -> Body:
    """Return the body of a page without text."""
    return Body(None, (), 0, evidence.signs.title_line, ())


def with_lines(evidence: Evidence, body: Body, taken: list[int]) -> Body:
    """Return the *body* with the lines *taken*, which it has not, from any place of the page."""
    table, row = evidence.table, body.row
    if row is None:
        return body
    inside, again = table.lines_in(row), {*line_spans(table, taken)}
    left = [(one, tuple(at for at in one.spans if at not in again)) for one in body.removals]
    first, last = (table.lines.container[line] for line in (taken[0], taken[-1]))
    top = row
    while top > first or table.end[top] <= last:
        top = table.parent[top]
    others = sorted({*table.lines_in(top)} - {*taken, *inside})
    whys = (("line", EXCLUSIONS[why] or "unlike the body") for why in evidence.excluded[others])
    removals = removals_of(table, zip(others, whys, strict=True))
    return replace(
        body,
        row=top,
        lines=tuple(sorted({*taken, *body.lines})),
        paragraphs=body.paragraphs + len(taken),
        removals=(*(replace(one, spans=spans) for one, spans in left if spans), *removals),
    )


def without_lines(evidence: Evidence, body: Body, lines: list[int], why: str) -> Body:
    """Return the *body* without *lines*, if it has others."""
    kept = set(body.lines).difference(lines)
    if not lines or not kept:
        return body
    removal = Removal("line", why, line_spans(evidence.table, lines))
    paragraphs = body.paragraphs - sum(evidence.weights[line] > 0 for line in lines)
    removals = (*body.removals, removal)
    return replace(body, lines=tuple(sorted(kept)), paragraphs=paragraphs, removals=removals)
