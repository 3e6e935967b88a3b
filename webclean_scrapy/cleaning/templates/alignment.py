"""Align a page with a similar page of its site: unpaired parts may be its content.

Song et al. 2011: Song, Zhi, Zhou, Luo, An: "LCS-based feature tree maximum similarity matching for
web page denoising", Video Engineering 2011(13). The feature tree of a page has its nodes level by
level, with what is compared of each (CNode). The rules of similarity, first that holds: tags differ
0; both roots 1; one root 0; parents not similar 0; both content nodes: 1 if their inner HTML is
equal, else 0; one content, one structure node 0; else the share of equal features among id, class,
depth, width, height, left, top. Both trees are aligned level by level, as printed,

    S(i,j) = max(S(i-1,j-1) + sim(i,j), S(i-1,j), S(i,j-1))

with i over the similar page and j over the target; going back, ties prefer diagonal, up, left; a
left step, or a diagonal of nodes that are not similar, makes the target's node a candidate.

Only nodes of the same depth are ever similar (a chain of similar parents leads both to the root),
and in level order each depth is one run: S is the sum of one S per depth, at a tenth of the
cells. Within a depth, rows and columns without any similarity add nothing to the search and are
taken out before.

Deviation: because of that, of several best alignments another one may be found than by one walk
over the whole table. ``template`` compares by one key for each line, at a fraction of the cost.
Deviation: inner HTML is compared as tags, ids, classes and text of the subtree with white space
collapsed and digits as one (other attributes hold session ids, and counters change between two
requests). Without a layout the four measures of the box are left out, not counted as equal. The
root is the first ``body``, or the document's root in a page without one.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np

from webclean_scrapy.cleaning.page.keys import text_keys
from webclean_scrapy.cleaning.page.walk import TEXT
from webclean_scrapy.errors import PageTooLargeError
from webclean_scrapy.options import CheckedOptions, constant, option

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.page.layout import Layout
    from webclean_scrapy.cleaning.page.table import PageTable

    Ints = NDArray[np.int64]
    Ints32 = NDArray[np.int32]
    Weights = NDArray[np.int8]
    Bools = NDArray[np.bool_]

_OVERHEAD = 1_000  # bytes of the objects around the arrays

#: Song et al.: nodes that carry text by their tag alone.
CONTENT_TAGS = frozenset({"p", "span", "b", "strong", "h1", "h2", "h3", "h4", "h5", "h6"})

#: Of the polynomial, and its inverse modulo 2 ** 64.
_BASE = 0x9E3779B97F4A7C15
_INVERSE = pow(_BASE, -1, 1 << 64)
_COMPARED = 100_000  # characters of a text: two that begin so alike are equal


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarityConfig(CheckedOptions):
    """The rules for similar nodes and for content nodes."""

    # fmt: off
    similar_above: float = constant(
        0.6, "share", "Alignment: Ts, the share of equal features above which two nodes are "
        "similar.", key="lcs_ts", high=0.99)
    content_rate: float = constant(
        0.75, "share", "Alignment: textRate, the share of its text directly in a node above which "
        "it is a content node.", key="lcs_content_rate", high=0.99, printed="0.75")
    # fmt: on


@dataclass(frozen=True, slots=True, eq=False)
class FeatureTree:
    """The element rows of a page, level by level, with the features for comparison.

    Numbers are stable, so that a tree can be kept and compared with one of another process. Small
    types: about ten bytes a node without boxes.
    """

    rows: NDArray[np.int32]  # of the page's table
    parent: NDArray[np.int32]  # place in ``rows``; -1 for the root
    levels: tuple[int, ...]  # first place of each level, then the end
    label: NDArray[np.unsignedinteger]  # of each node: its place in ``labels``
    labels: NDArray[np.uint32]  # (labels, 3): tag, id and class
    inner: NDArray[np.uint32]  # of each node: its content; 0 for a structure node
    boxes: NDArray[np.int32] | None  # (nodes, 4): width, height, left, top in px

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def nbytes(self) -> int:
        """Memory of the tree, in bytes."""
        arrays = (self.rows, self.parent, self.label, self.labels, self.inner, self.boxes)
        sizes = sum(array.nbytes for array in arrays if array is not None)
        return sizes + 40 * len(self.levels) + _OVERHEAD


def root_row(table: PageTable) -> int:
    """Return the row of the first ``body``, or 0 in a page without one (a frameset)."""
    return table.tag.index("body") if "body" in table.tag else 0


def find_content_nodes(table: PageTable, config: SimilarityConfig) -> NDArray[np.bool_]:
    """Mark the content nodes, by tag or textRate.

    textRate is the text directly in the node by the text of its subtree. Cost: O(rows).
    """
    arrays, size = table.arrays, len(table)
    numbers, names = table.label, table.labels
    by_tag = np.array([tag in CONTENT_TAGS for tag, *_ in names])[numbers]
    texts = _is_text(table).nonzero()[0]
    texts = texts[arrays.parent[texts] >= 0]
    units = arrays.text_before[texts + 1] - arrays.text_before[texts]
    own = np.bincount(arrays.parent[texts], units, size)
    whole = arrays.text_before[arrays.end] - arrays.text_before[:-1]
    content: NDArray[np.bool_] = by_tag | ((own > config.content_rate * whole) & (whole > 0))
    return content


def build_features(
    table: PageTable, config: SimilarityConfig, layout: Layout | None = None
) -> FeatureTree:
    """Return the feature tree of the page. Cost: O(rows).

    Trees are compared only if all were built with a layout, or all without.
    """
    root = root_row(table)
    depth = table.arrays.depth[root : table.end[root]]
    rows = (~_is_text(table)[root : table.end[root]]).nonzero()[0]
    # Document order within each depth is the order of a walk level by level.
    rows = rows[np.argsort(depth[rows], kind="stable")]
    depth = depth[rows] - depth[0]
    rows += root
    places = np.full(len(table), -1)
    places[rows] = np.arange(len(rows))
    parent = places[table.arrays.parent[rows]]
    parent[0] = -1
    numbers, labels = _number_labels(table, rows)
    inner = _hash_contents(table, find_content_nodes(table, config))[rows]
    inner[0] = 0
    levels = np.searchsorted(depth, np.arange(int(depth[-1]) + 2))
    return FeatureTree(
        rows=rows.astype(np.int32),
        parent=parent.astype(np.int32),
        levels=tuple(levels.tolist()),
        label=numbers,
        labels=labels,
        inner=inner,
        boxes=None if layout is None else _round_boxes(layout, rows),
    )


def _is_text(table: PageTable) -> NDArray[np.bool_]:
    numbers, names = table.label, table.labels
    return np.array([tag is TEXT for tag, *_ in names])[numbers]


def _number_labels(
    table: PageTable, rows: Ints
) -> tuple[NDArray[np.unsignedinteger], NDArray[np.uint32]]:
    """Number the labels of rows; return the numbers and the hashed labels.

    Both roots are similar, whatever their class: that of the first row has its tag alone.
    """
    numbers, names = table.label, table.labels
    used, label_of = np.unique(numbers[rows], return_inverse=True)
    labels = [(table.tag[rows[0]], "", ""), *(names[number] for number in used.tolist())]
    label_of += 1
    label_of[0] = 0
    hashed = [[crc32(part.encode("utf-8", "replace")) for part in label] for label in labels]
    return label_of.astype(np.min_scalar_type(len(labels))), np.array(hashed, np.uint32)


def _round_boxes(layout: Layout, rows: Ints) -> NDArray[np.int32]:
    """Return the boxes rounded to px, which ignores tiny differences; all roots are equal."""
    sides = (layout.width, layout.height, layout.left, layout.top)
    boxes = np.rint(np.array(sides, np.float64).T[rows]).clip(-(2**31), 2**31 - 1).astype(np.int32)
    boxes[0] = 0
    return boxes


def _hash_contents(table: PageTable, content: NDArray[np.bool_]) -> NDArray[np.uint32]:
    """Hash the inner HTML of each content node; 0 for other nodes.

    A polynomial over the rows of the subtree, each with its name or text and how much deeper it is
    than the row before: prefix sums give it for all nodes together in O(rows).
    """
    numbers, names = table.label, table.labels
    depth = table.arrays.depth
    nodes = content.nonzero()[0]
    first, stop = nodes + 1, table.arrays.end[nodes]
    inside = np.zeros(len(table) + 1, np.int64)  # of content nodes
    np.add.at(inside, first, 1)
    np.add.at(inside, stop, -1)
    tokens = np.array([crc32("\0".join(name).encode("utf-8", "replace")) for name in names])[
        numbers
    ]
    texts = (_is_text(table) & (inside.cumsum()[:-1] > 0)).nonzero()[0]
    tokens[texts] = text_keys([table.text[row][:_COMPARED].strip() for row in texts.tolist()])
    tokens[1:] += (depth[1:] - depth[:-1]) << 33
    powers = np.full((2, len(table) + 1), ((_BASE,), (_INVERSE,)), np.uint64)
    powers[:, 0] = 1
    powers = powers.cumprod(1)  # all modulo 2 ** 64
    sums = np.zeros(len(table) + 1, np.uint64)
    np.cumsum(tokens.astype(np.uint64) * powers[0, :-1], out=sums[1:])
    found = (sums[stop] - sums[first]) * powers[1, first] * np.uint64(_BASE)
    hashes = np.zeros(len(table), np.uint32)
    hashes[nodes] = np.maximum(
        (found ^ (found >> np.uint64(29))) * np.uint64(_BASE) >> np.uint64(32), 1
    )
    return hashes


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignConfig(CheckedOptions):
    """The configuration of node comparison, and the size limit of a pair of pages."""

    similarity: SimilarityConfig = field(default_factory=SimilarityConfig)
    max_cells: int = option(4_000_000, low=1)  # about 40 ms and at most 30 MB


@dataclass(frozen=True, slots=True)
class Alignment:
    """The best alignment of a target with a similar page."""

    score: float  # S of both roots' trees: the sum of all similarities on the way
    pairs: list[tuple[int, int]]  # similar rows (target, sibling), by depth, there both rising
    target: FeatureTree

    @property
    def candidates(self) -> list[int]:
        """The element rows of the target that are not in a pair, rising."""
        return sorted({*self.target.rows.tolist()} - {row for row, _ in self.pairs})


def align(columns: FeatureTree, rows: FeatureTree, config: AlignConfig) -> Alignment:
    """Return the best alignment of a target, *columns*, with a similar page, *rows*.

    Boxes are compared where the feature trees of both have them. Cost: O(rows + cells), cells being
    the sum over the depths of both pages' nodes.

    Raises PageTooLargeError for more than ``max_cells`` cells, before the work: an empty alignment
    would read as "nothing of this page is template".
    """
    if columns.boxes is None or rows.boxes is None:
        columns, rows = replace(columns, boxes=None), replace(rows, boxes=None)
    depths = list(zip(pairwise(rows.levels), pairwise(columns.levels), strict=False))
    cells = sum((low[1] - low[0]) * (high[1] - high[0]) for low, high in depths)
    if cells > config.max_cells:
        raise PageTooLargeError("alignment cells", cells, config.max_cells)
    score, pairs = _pair_levels(rows, columns, depths, config.similarity.similar_above)
    return Alignment(score, pairs, columns)


def _pair_levels(
    rows: FeatureTree,
    columns: FeatureTree,
    depths: list[tuple[tuple[int, int], tuple[int, int]]],
    similar_above: float,
) -> tuple[float, list[tuple[int, int]]]:
    """Return score and pairs of similar rows (target, sibling), from the roots down."""
    pairs: list[tuple[int, int]] = []
    total = 0
    full = 3 if rows.boxes is None else 7  # weight of similarity 1: the number of features
    similar, above = np.ones((1, 1), dtype=np.bool_), (-1, -1)  # parent of a root
    for lower, upper in depths:
        parents = [
            tree.parent[slice(*places)] - first
            for tree, places, first in zip((rows, columns), (lower, upper), above, strict=True)
        ]
        possible = similar.take(parents[0], 0).take(parents[1], 1)
        weights = _weigh(_compared(rows, *lower), _compared(columns, *upper), possible, full)
        similar, above = weights > similar_above * full, (lower[0], upper[0])
        i, j = _find_path(weights, full)
        total += int(weights[i, j].sum(dtype=np.int64))
        is_pair = similar[i, j]
        both = columns.rows[upper[0] + j[is_pair]], rows.rows[lower[0] + i[is_pair]]
        pairs += zip(*(one.tolist() for one in both), strict=True)
        if not similar.any():
            break  # and so nothing is below
    return total / full, pairs


def _compared(tree: FeatureTree, first: int, stop: int) -> list[NDArray[Any]]:
    """Return columns to compare the nodes of a level by: content, tag, features."""
    labels = tree.labels.T[:, tree.label[first:stop]]
    boxes = () if tree.boxes is None else tree.boxes[first:stop].T.copy()
    return [tree.inner[first:stop], *labels, *boxes]


def _weigh(
    rows: list[NDArray[Any]], columns: list[NDArray[Any]], possible: Bools, full: int
) -> Weights:
    """Return the weights (similarity * full) of all nodes of *rows* with all of *columns*.

    *possible*: whether their parents are similar.
    """
    (inner, tag, *features), (other, other_tag, *others) = rows, columns
    alike = possible & (tag[:, None] == other_tag)
    weights = np.ones(possible.shape, dtype=np.int8)  # the depth is equal
    for one, another in zip(features, others, strict=True):
        weights += (one[:, None] == another).view(np.int8)
    weights *= alike
    weights[:, other > 0] = 0
    content = inner > 0
    weights[content] = full * ((inner[content, None] == other) & alike[content])
    return weights


def _find_path(weights: Weights, full: int) -> tuple[Ints, Ints]:
    """Return the diagonal steps with weight on the best path: their rows and columns.

    Nodes of the *full* weight at both ends are on a best path: what two pages share is mostly
    there, and needs no search.
    """
    rows, columns = np.flatnonzero(weights.any(1)), np.flatnonzero(weights.any(0))
    weights = weights[rows][:, columns]
    first = _run_of(weights, full)
    last = _run_of(weights[first:, first:][::-1, ::-1], full)
    ends = [size - last for size in weights.shape]
    inner = reversed(_go_back(weights[first : ends[0], first : ends[1]]))
    inner_steps = np.array([*inner], np.int64).reshape(-1, 2).T + first
    steps = (
        np.concatenate((np.arange(first), between, np.arange(end, end + last)))
        for between, end in zip(inner_steps, ends, strict=True)
    )
    i, j = steps
    return rows[i], columns[j]


def _run_of(weights: Weights, full: int) -> int:
    """Count the leading pairs of nodes with *full* weight."""
    other = weights.diagonal() != full
    return int(other.argmax()) if other.any() else len(other)


def _go_back(weights: Weights) -> list[tuple[int, int]]:
    """Return the diagonal steps with weight on the printed way back through S."""
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


def _sum_up(weights: Weights) -> Ints32:
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
