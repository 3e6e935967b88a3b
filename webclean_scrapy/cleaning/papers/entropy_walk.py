"""Walk down to the body by the importance of children.

Entropy path: "Pre-pruned trees and information entropy for news text extraction" (authors and year
not known to us). Each child c of a node has the measures x_d: height, width and text outside links;

    p_d(c) = x_d(c) / sum x_d      e_d = - sum p ln p / ln k
    w_d = (1 - e_d) / sum (1 - e)  importance(c) = sum w_d p_d(c)

for k children (reconstructed: the paper does not print it). The walk goes on with a single child;
if all e = 1, the weights are equal. A path names tag with id or class of each level; that of one
page of a template serves all its pages.

The printed example (ifeng) has the importances .040, .007, .612, .085, .008 and the variance .0539.
They do not follow from this formula, which gives .051, .012, .835, .094, .009 for its measures
(variance .1016), nor from any weights with the sum 1, because the printed ones sum to .752. The
three largest come in the same order, and the printed variance is that of the printed importances
(.0541 over k, as near as three digits allow). By the printed .612 the walk would stop at T = .34;
by the formula's .835 it goes on to main, as the paper does.

Measured: T .2/.34/.5 on text alone, F1 on 32 pages of Chinese portals .67/.75/.81, on 49 of English
news .81/.83/.87; with estimated boxes .05-.15 less, they follow from the text of links too.

Deviation: "stop when the variance exceeds 0.1" is backwards, one dominating child has the largest
variance. The walk stops where the largest importance is below 1 - T (our choice). It stops too
where the text directly in a node is more than T of its text, which would be lost one level below.
``stop_variance`` = .1 is the printed rule, in place of both.
Deviation: of the tags to prune, ``h2`` and ``ul`` are kept (sub-headings and lists are body), and
``a`` may hold text but is no child to walk into.
Deviation: without a layout the text alone decides; height and width are left out, not made up.
Deviation: a path copied from one page copies that page's error (F1 .831 alone, .819 shared), so
pages vote on it. A page on which it finds nothing or much less than usual votes against it, and it
is dropped when they disagree.
Deviation: digits in ids and classes are normalised (a post's number is no other template), and the
id and class of the body are left out (sites write page number, browser and section there).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from statistics import pvariance
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.page.walk import TEXT
from webclean_scrapy.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webclean_scrapy.cleaning.page.table import PageTable

#: Pruned while the children are gathered; scripts and the like are in no table.
PRUNED_TAGS = frozenset({"a", "head", "img", "link", "meta", "picture", "title"})


@dataclass(frozen=True, slots=True, kw_only=True)
class EntropyConfig:
    """The rules for the end of the walk, pages of one template and their agreement on a path."""

    max_loss: float = 0.34  # T: importance that a step down may leave behind, 0..1
    stop_variance: float = 0.0  # of the importances, above which the walk stops; 0: T is used
    depth: int = 3  # levels below the body that trees of pages are compared on
    same_from: float = 0.8  # similarity from which two pages are of one template, 0..1
    min_pages: int = 3  # pages that must have voted before a path is used

    def __post_init__(self) -> None:
        for name in ("max_loss", "same_from"):
            if not 0.0 < getattr(self, name) <= 1.0:
                raise ConfigError(
                    f"{name} must be above 0 and at most 1, got {getattr(self, name)!r}"
                )
        if not 0.0 <= self.stop_variance <= 1.0:
            raise ConfigError(f"stop_variance must be between 0 and 1, got {self.stop_variance!r}")
        for name in ("depth", "min_pages"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} must be at least 1, got {getattr(self, name)!r}")


def weigh_children(measures: Sequence[Sequence[float]]) -> list[float]:
    """Return the importance of each child; they sum to 1 if any measure is above 0.

    *measures* holds one sequence for each measure, with one value, at least 0, for each child. A
    measure that is 0 for all children is left out.

    >>> [round(share, 2) for share in weigh_children([[90, 5, 5], [1, 1, 1]])]
    [0.9, 0.05, 0.05]
    """
    sums = [(row, sum(row)) for row in measures]
    shares = [[value / whole for value in row] for row, whole in sums if whole > 0]
    if not shares:
        return [0.0] * (len(measures[0]) if measures else 0)
    gains = [max(0.0, 1 - _entropy(row)) for row in shares]
    if sum(gains) < 1e-12:  # rounding: no measure differs between the children
        gains = [1.0] * len(gains)
    weights = [gain / sum(gains) for gain in gains]
    return [
        sum(weight * share for weight, share in zip(weights, column, strict=True))
        for column in zip(*shares, strict=True)
    ]


def _entropy(shares: Sequence[float]) -> float:
    """Return e_d, the entropy by its largest value, 0..1; 0 for a single child."""
    if len(shares) < 2:
        return 0.0
    return -sum(share * log(share) for share in shares if share > 0) / log(len(shares))


def rank_children(table: PageTable, row: int) -> list[tuple[int, float]]:
    """Return the child rows that were not pruned with their importance, in document order."""
    layout, children = table.layout, []
    for child in table.children(row):
        if table.tag[child] == TEXT or table.tag[child] in PRUNED_TAGS:
            continue
        size = layout.width[child] + layout.height[child] if layout else 0.0
        if size or table.text_length(child):
            children.append(child)
    measures: list[list[float]] = [[float(table.plain_length(child)) for child in children]]
    if layout is not None:
        measures.append([layout.height[child] for child in children])
        measures.append([layout.width[child] for child in children])
    return list(zip(children, weigh_children(measures), strict=True))


def find_important(table: PageTable, config: EntropyConfig) -> int | None:
    """Return the row of the body subtree, or None on a page without text outside links.

    Cost: O(children along the way).
    """
    row = table.tag.index("body") if "body" in table.tag else 0
    if not table.plain_length(row):
        return None
    while True:
        ranked = rank_children(table, row)
        child = max(ranked, key=lambda pair: pair[1])[0] if ranked else row  # the first on ties
        if _stops(table, row, ranked, config) or not table.plain_length(child):
            return row
        row = child


def _stops(
    table: PageTable, row: int, ranked: Sequence[tuple[int, float]], config: EntropyConfig
) -> bool:
    """True if the walk ends at *row*, whose children and their importance are *ranked*."""
    if not ranked:
        return True
    shares = [share for _, share in ranked]
    if config.stop_variance:
        return pvariance(shares) > config.stop_variance
    own = sum(
        table.plain_length(child)
        for child in table.children(row)
        if table.tag[child] == TEXT or table.tag[child] in PRUNED_TAGS
    )
    if own > config.max_loss * table.plain_length(row):
        return True
    return max(shares) < 1 - config.max_loss
