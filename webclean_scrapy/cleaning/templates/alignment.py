"""Align a page with a similar page of its site: what only the page has may be its content.

Song et al. 2011: Song, Zhi, Zhou, Luo, An: "LCS-based feature tree maximum similarity matching for
web page denoising", Video Engineering 2011(13), as printed: both trees level by level,

    S(i,j) = max(S(i-1,j-1) + sim(i,j), S(i-1,j), S(i,j-1))

with i over the similar page and j over the target; going back, ties prefer diagonal, up, left; a
left step, or a diagonal of nodes that are not similar, makes the target's node a candidate.

Only nodes of the same depth are ever similar (a chain of similar parents leads both to the root),
and in level order each depth is one run: S is the sum of one S per depth, at a tenth of the
cells. Within a depth, rows and columns without any similarity, and equal first and last nodes, add
nothing to the search and are taken out before.

Deviation: because of that, of several best alignments another one may be found than by one walk
over the whole table. ``template`` compares by one key for each line, at a fraction of the cost.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import islice, pairwise
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.templates.feature_tree import SimilarityConfig
from webclean_scrapy.errors import ConfigError, PageTooLargeError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.templates.feature_tree import FeatureTree

    Ints = NDArray[np.int32]
    Weights = NDArray[np.int8]
    Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignConfig:
    """The comparison of nodes, and the size limit of one pair of pages."""

    similarity: SimilarityConfig = field(default_factory=SimilarityConfig)
    max_cells: int = 4_000_000  # about 40 ms and at most 30 MB

    def __post_init__(self) -> None:
        if self.max_cells < 1:
            raise ConfigError(f"max_cells must be at least 1, got {self.max_cells!r}")


@dataclass(frozen=True, slots=True)
class Alignment:
    """The best alignment of a target with a similar page."""

    score: float  # S of both roots' trees: the sum of all similarities on the way
    pairs: list[tuple[int, int]]  # similar rows (target, sibling), by depth, there both rising
    candidates: list[int]  # element rows of the target that are not in a pair, rising


def align(columns: FeatureTree, rows: FeatureTree, config: AlignConfig) -> Alignment:
    """Return the best alignment of a target, *columns*, with a similar page, *rows*.

    Boxes are compared where the feature trees of both have them. Cost: O(rows + cells), cells being
    the sum over the depths of both pages' nodes.

    Raises:
        PageTooLargeError: more than ``max_cells`` cells. It is raised before the work and not
            answered with None: a caller has to choose what to do instead (the key form), and an
            empty alignment would read as "nothing of this page is template".
    """
    if columns.boxes is None or rows.boxes is None:
        columns, rows = replace(columns, boxes=None), replace(rows, boxes=None)
    depths = list(zip(pairwise(rows.levels), pairwise(columns.levels), strict=False))
    cells = sum((low[1] - low[0]) * (high[1] - high[0]) for low, high in depths)
    if cells > config.max_cells:
        raise PageTooLargeError("alignment cells", cells, config.max_cells)
    score, pairs = _pair_levels(rows, columns, len(depths), config.similarity.similar_above)
    matched = {row for row, _ in pairs}
    candidates = sorted(row for row in columns.rows.tolist() if row not in matched)
    return Alignment(score, pairs, candidates)


def _pair_levels(
    rows: FeatureTree, columns: FeatureTree, depths: int, similar_above: float
) -> tuple[float, list[tuple[int, int]]]:
    """Return the score and the pairs of similar rows (target, sibling), from the roots down."""
    pairs: list[tuple[int, int]] = []
    total = 0
    full = 3 if rows.boxes is None else 7  # weight of similarity 1: the number of features
    similar = np.ones((1, 1), dtype=np.bool_)  # of the groups of the depth above
    for lower, upper in zip(_levels(rows, depths), _levels(columns, depths), strict=True):
        weights = _weigh(lower, upper, similar, full)
        similar = weights > similar_above * full
        cost = weights[lower.groups][:, upper.groups]
        for i, j in reversed(_find_path(cost, full)):
            total += int(cost[i, j])
            if similar[lower.groups[i], upper.groups[j]]:
                pairs.append((int(upper.rows[j]), int(lower.rows[i])))
        if not similar.any():
            break  # and so nothing is below
    return total / full, pairs


@dataclass(frozen=True, slots=True)
class _Level:
    """The nodes of one depth, in groups of nodes that are equal in all that is compared."""

    rows: Ints
    groups: Ints  # of each node
    parent: Ints  # of each group: the group of the parents
    content: NDArray[np.uint32]  # of each group; 0 for structure
    features: Ints  # (groups, features): tag, id, class and, with a layout, the box


def _levels(tree: FeatureTree, depths: int) -> Iterator[_Level]:
    """Yield the first *depths* levels of the tree, from the root down."""
    label, inner = tree.label.tolist(), tree.inner.tolist()
    boxes = tree.boxes.tolist() if tree.boxes is not None else [()] * len(tree)
    parents = tree.parent.tolist()
    group_of = [0] * len(tree)
    for first, stop in islice(pairwise(tree.levels), depths):
        numbers: dict[tuple[int, ...], int] = {}
        members: list[int] = []  # one node of each group
        for place in range(first, stop):
            above = group_of[parents[place]] if parents[place] >= 0 else 0
            key = (above, label[place], inner[place], *boxes[place])
            group_of[place] = number = numbers.setdefault(key, len(numbers))
            if number == len(members):
                members.append(place)
        features = tree.labels[tree.label[members]].astype(np.int64)
        if tree.boxes is not None:
            features = np.hstack([features, tree.boxes[members]])
        yield _Level(
            rows=tree.rows[first:stop],
            groups=np.array(group_of[first:stop], np.int32),
            parent=np.array([key[0] for key in numbers], np.int32),
            content=tree.inner[members],
            features=features,
        )


def _weigh(rows: _Level, columns: _Level, similar: Bools, full: int) -> Weights:
    """Return the weights (similarity * full) of all groups of *rows* with all of *columns*."""
    possible = similar[rows.parent][:, columns.parent]
    possible &= rows.features[:, :1] == columns.features[:, 0]
    weights = np.ones(possible.shape, dtype=np.int8)  # the depth is equal
    for feature in range(1, rows.features.shape[1]):
        weights += rows.features[:, feature, None] == columns.features[:, feature]
    inner, other = rows.content[:, None], columns.content
    weights[(inner > 0) | (other > 0)] = 0
    weights[(inner > 0) & (inner == other)] = full
    weights[~possible] = 0
    return weights


def _find_path(weights: Weights, full: int) -> list[tuple[int, int]]:
    """Return the diagonal steps of the best path that weigh something, from the last to the first.

    Equal first and last nodes are on a best path, whatever lies between: paired elsewhere, each
    of both could gain no more than the two gain together.
    """
    rows, columns = np.flatnonzero(weights.any(1)), np.flatnonzero(weights.any(0))
    weights = weights[rows][:, columns]
    ends = np.diagonal(weights[::-1, ::-1]) == full
    last = ends.size if ends.all() else int(ends.argmin())
    ends = np.diagonal(weights[: len(rows) - last, : len(columns) - last]) == full
    first = ends.size if ends.all() else int(ends.argmin())
    steps = [(len(rows) - 1 - at, len(columns) - 1 - at) for at in range(last)]
    inner = weights[first : len(rows) - last, first : len(columns) - last]
    steps += [(first + i, first + j) for i, j in _go_back(inner)]
    steps += [(at, at) for at in range(first - 1, -1, -1)]
    return [(int(rows[i]), int(columns[j])) for i, j in steps]


def _go_back(weights: Weights) -> list[tuple[int, int]]:
    """Return the diagonal steps that weigh something on the printed way back through S."""
    sums = _sum_up(weights) if weights.shape[0] <= weights.shape[1] else _sum_up(weights.T).T
    steps = []
    i, j = weights.shape
    while i and j:
        here, weight = sums[i, j], weights[i - 1, j - 1]
        if sums[i - 1, j - 1] + weight == here:
            i, j = i - 1, j - 1
            if weight:
                steps.append((i, j))
        elif sums[i - 1, j] == here:
            i -= 1
        else:
            j -= 1
    return steps


def _sum_up(weights: Weights) -> Ints:
    """Return S, one row and column larger than *weights*, row by row.

    S itself is kept and not the directions in bits: they cost more time to make than the 4 bytes a
    cell are worth, and ``max_cells`` bounds those.
    """
    sums = np.zeros((weights.shape[0] + 1, weights.shape[1] + 1), dtype=np.int32)
    for number, row in enumerate(weights):
        before = sums[number]
        best = np.maximum(before[1:], before[:-1] + row)
        np.maximum.accumulate(best, out=sums[number + 1, 1:])
    return sums
