"""Align a page with a similar page of its site: what only the page has may be its content.

Song, Zhi, Zhou, Luo, An: "LCS-based feature tree maximum similarity matching for web page
denoising", Video Engineering 2011(13), as printed: both trees level by level,

    S(i,j) = max(S(i-1,j-1) + sim(i,j), S(i-1,j), S(i,j-1))

with i over the similar page and j over the target; going back, ties prefer diagonal, up, left; a
left step, or a diagonal of nodes that are not similar, makes the target's node a candidate.

Only nodes of the same depth are ever similar (a chain of similar parents leads both to the root),
and in level order each depth is one run: S is the sum of one S per depth, at a tenth of the
cells. Within a depth, rows and columns without any similarity, and equal first and last nodes, add
nothing to the search and are taken out before.

Deviation: because of that, of several best alignments another one may be found than by one walk
over the whole table. ``key_align`` is the fast form, for one number per node.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.denoise.similarity import Names, SimilarityConfig, build_features
from webclean_scrapy.errors import ConfigError, PageTooLargeError

if TYPE_CHECKING:
    import numpy.typing as npt

    from webclean_scrapy.denoise.similarity import FeatureTree
    from webclean_scrapy.page.layout import Layout
    from webclean_scrapy.page.table import PageTable

    Ints = npt.NDArray[np.int32]
    Weights = npt.NDArray[np.int8]
    Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignConfig:
    """How nodes are compared, and how much work one pair of pages may be."""

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
    cells: int  # pairs of nodes that were in question


def align(
    target: PageTable,
    sibling: PageTable,
    config: AlignConfig | None = None,
    *,
    layouts: tuple[Layout, Layout] | None = None,
) -> Alignment:
    """Return the best alignment of *target* with *sibling*; *layouts* are of both, in this order.

    Cost: O(rows + cells), cells being the sum over the depths of both pages' nodes there.

    Raises:
        PageTooLargeError: more than ``max_cells`` cells. It is raised before the work and not
            answered with None: a caller has to choose what to do instead (the key form), and an
            empty alignment would read as "nothing of this page is template".
    """
    config = config or AlignConfig()
    names: Names = {}
    columns_layout, rows_layout = layouts or (None, None)
    columns = build_features(target, names, config.similarity, columns_layout)
    rows = build_features(sibling, names, config.similarity, rows_layout)
    depths = list(zip(pairwise(rows.levels), pairwise(columns.levels), strict=False))
    cells = sum((low[1] - low[0]) * (high[1] - high[0]) for low, high in depths)
    if cells > config.max_cells:
        raise PageTooLargeError("cells of an alignment", cells, config.max_cells)
    pairs: list[tuple[int, int]] = []
    total = 0
    full = len(rows.codes[0]) - 1  # weight of similarity 1: as many as there are features
    similar = np.ones((1, 1), dtype=np.bool_)  # of the groups of the depth above
    low_groups: dict[int, int] = {}
    high_groups: dict[int, int] = {}
    for row_span, column_span in depths:
        lower, upper = _Level(rows, row_span, low_groups), _Level(columns, column_span, high_groups)
        low_groups, high_groups = lower.group_of, upper.group_of
        weights = _weigh(lower, upper, similar, full)
        similar = weights > config.similarity.similar_above * full
        cost = weights[lower.groups][:, upper.groups]
        for i, j in reversed(_find_path(cost, full)):
            total += int(cost[i, j])
            if similar[lower.groups[i], upper.groups[j]]:
                pairs.append((upper.rows[j], lower.rows[i]))
        if not similar.any():
            break  # and so nothing is below
    matched = {row for row, _ in pairs}
    candidates = sorted(row for row in columns.rows if row not in matched)
    return Alignment(total / full, pairs, candidates, cells)


class _Level:
    """The nodes of one depth, in groups of nodes that are equal in all that is compared."""

    def __init__(self, tree: FeatureTree, span: tuple[int, int], above: dict[int, int]) -> None:
        first, stop = span
        numbers: dict[tuple[int, ...], int] = {}
        self.rows = tree.rows[first:stop]
        self.group_of: dict[int, int] = {}  # place in the tree -> group
        for place in range(first, stop):
            key = (above.get(tree.parent[place], 0), *tree.codes[place])
            self.group_of[place] = numbers.setdefault(key, len(numbers))
        self.groups = np.fromiter(self.group_of.values(), dtype=np.int32, count=stop - first)
        self.keys: Ints = np.array(list(numbers), dtype=np.int32)  # parent's group, codes


def _weigh(rows: _Level, columns: _Level, similar: Bools, full: int) -> Weights:
    """Return the weights (similarity * full) of all groups of *rows* with all of *columns*."""
    parent, tag, inner, *features = (
        (rows.keys[:, number][:, None], columns.keys[:, number][None, :])
        for number in range(rows.keys.shape[1])
    )
    possible = similar[parent] & (tag[0] == tag[1])
    weights = np.ones(possible.shape, dtype=np.int8)  # the depth is equal
    for one, other in features:
        weights += one == other
    is_content = (inner[0] >= 0) | (inner[1] >= 0)
    weights[is_content] = 0
    weights[is_content & (inner[0] == inner[1])] = full
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
