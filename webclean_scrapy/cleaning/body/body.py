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
from webclean_scrapy.cleaning.page.removals import KeptRows, Removal
from webclean_scrapy.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.body.decay_walk import DecayWalk
    from webclean_scrapy.cleaning.body.evidence import Evidence


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
    table, inside = evidence.table, evidence.table.lines_in(walk.row)
    cut = slice(inside.start, inside.stop)
    weights = walk.line_weights[cut]
    removals: list[Removal] = []
    kept = KeptRows(table)
    stays = kept.has_lines()[cut]
    for step in filter(None, steps):
        before, enough = kept.mask[:], min_kept_share * _sum(weights[stays])
        kept.remove(step)
        left = kept.has_lines()[cut]
        if _sum(weights[left]) >= enough and left.any():
            removals += step
            stays = left
        else:
            kept.mask = before
    lines = tuple((np.flatnonzero(stays) + inside.start).tolist())
    return Body(
        row=walk.row,
        lines=lines,
        paragraphs=sum(1 for line in lines if evidence.weights[line]),
        title_line=evidence.title_line,
        removals=tuple(removals),
    )


def _sum(weights: NDArray[np.float64]) -> float:
    """Return the sum in document order: one that is rounded in another may be another."""
    return float(weights.cumsum()[-1]) if len(weights) else 0.0
