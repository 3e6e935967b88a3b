"""The body of a page: its subtree and its lines, after the removals of each step."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.body.linear_model import (
    Weights,
    default_page_weights,
    default_weights,
)
from webclean_scrapy.cleaning.body.link_blocks import LinkBlockConfig
from webclean_scrapy.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.body.decay_walk import DecayWalk
    from webclean_scrapy.cleaning.body.evidence import Evidence
    from webclean_scrapy.cleaning.page.removals import Removal
    from webclean_scrapy.cleaning.page.table import PageTable


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyConfig:
    link_blocks: LinkBlockConfig | None = field(default_factory=LinkBlockConfig)
    weights: Weights = field(default_factory=default_weights)  # for articles
    page_weights: Weights = field(default_factory=default_page_weights)  # for all other pages
    min_kept_share: float = 0.3  # a step that leaves less of the weight is undone, 0..1

    def __post_init__(self) -> None:
        if not 0.0 <= self.min_kept_share <= 1.0:
            raise ConfigError(
                f"min_kept_share must be between 0 and 1, got {self.min_kept_share!r}"
            )


@dataclass(frozen=True, slots=True)
class Body:
    """Where the body is and which of its lines are kept."""

    row: int | None  # of the subtree; None when the page has no text
    lines: tuple[int, ...]  # rising
    paragraphs: int  # among the lines
    title_line: int | None  # line that repeats the title
    removals: tuple[Removal, ...]
    extractor: str = "webclean"  # the method that found it


def empty_body(evidence: Evidence) -> Body:
    """Return the body of a page without text."""
    return Body(None, (), 0, evidence.title_line, ())


def trim_body(
    evidence: Evidence,
    walk: DecayWalk,
    steps: Iterable[list[Removal]],
    min_kept_share: float,
) -> Body:
    """Return the body that is left of the walk's subtree after *steps*, the removals of each.

    A step that leaves less than *min_kept_share* of the weight before it is undone.
    """
    inside = evidence.table.lines_in(walk.row)
    weights = walk.line_weights[inside.start : inside.stop]
    removals: list[Removal] = []
    stays = np.ones(len(inside), bool)
    for step in filter(None, steps):
        left = stays.copy()
        left[_removed_lines(evidence.table, step, inside)] = False
        if left.any() and _sum(weights[left]) >= min_kept_share * _sum(weights[stays]):
            removals += step
            stays = left
    lines = tuple((np.flatnonzero(stays) + inside.start).tolist())
    return Body(
        row=walk.row,
        lines=lines,
        paragraphs=sum(map(bool, map(evidence.weights.__getitem__, lines))),
        title_line=evidence.title_line,
        removals=tuple(removals),
    )


def _removed_lines(table: PageTable, step: Iterable[Removal], inside: range) -> list[int]:
    """Return which of the lines *inside*, counted from its start, *step* removes the whole of."""
    line_of, last, start = table.line_of, table.lines.last, inside.start
    removed: list[int] = []
    for removal in step:
        for row, stop in removal.spans:
            behind = line_of[stop]
            if behind and last[behind - 1] >= stop:
                behind -= 1
            removed += range(max(line_of[row] - start, 0), min(behind, inside.stop) - start)
    return removed


def _sum(weights: NDArray[np.float64]) -> float:
    """Return the sum in document order: one that is rounded in another may be another."""
    return float(weights.cumsum()[-1]) if len(weights) else 0.0
