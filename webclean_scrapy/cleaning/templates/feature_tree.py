"""The feature tree of a page: its nodes level by level, with what is compared of each.

Song et al. 2011: Song, Zhi, Zhou, Luo, An: "LCS-based feature tree maximum similarity matching for
web page denoising", Video Engineering 2011(13): CNode, content and structure nodes, the similarity
of two nodes (computed in ``alignment``).

The rules, first that holds: tags differ 0; both roots 1; one root 0; parents not similar 0; both
content nodes: 1 if their inner HTML is equal, else 0; one content, one structure node 0; else the
share of equal features among id, class, depth, width, height, left, top.

Deviation: inner HTML is compared as tags, ids, classes and text of the subtree with white space
collapsed and digits as one (other attributes hold session ids, and counters change between two
requests). Without a layout the four measures of the box are left out, not counted as equal. The
root is the first ``body``, or the document's root in a page without one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from webclean_scrapy.cleaning.page.walk import TEXT
from webclean_scrapy.errors import ConfigError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.page.layout import Layout
    from webclean_scrapy.cleaning.page.table import PageTable

    Ints = NDArray[np.int64]

_OVERHEAD = 1_000  # bytes of the objects around the arrays

#: Song et al.: nodes that carry text by their tag alone.
CONTENT_TAGS = frozenset({"p", "span", "b", "strong", "h1", "h2", "h3", "h4", "h5", "h6"})

_DIGITS = re.compile(r"\d+")
_COMPARED = 100_000  # characters of a text: two that begin so alike are equal


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarityConfig:
    """The rules for similar nodes and for content nodes."""

    similar_above: float = 0.6  # Ts, share of equal features, 0..1; our choice, not printed
    content_rate: float = 0.75  # Song et al.: own text / text above which a node is content, 0..1

    def __post_init__(self) -> None:
        for name in ("similar_above", "content_rate"):
            value = getattr(self, name)
            if not 0.0 <= value < 1.0:
                raise ConfigError(f"{name} must be at least 0 and below 1, got {value!r}")


@dataclass(frozen=True, slots=True, eq=False)
class FeatureTree:
    """The element rows of a page, level by level, with what is compared of each.

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
        """Memory that the tree takes, in bytes."""
        arrays = (self.rows, self.parent, self.label, self.labels, self.inner, self.boxes)
        sizes = sum(array.nbytes for array in arrays if array is not None)
        return sizes + 40 * len(self.levels) + _OVERHEAD


def root_row(table: PageTable) -> int:
    """Return the row of the first ``body``, or 0 in a page without one (a frameset)."""
    return table.tag.index("body") if "body" in table.tag else 0


def find_content_nodes(table: PageTable, config: SimilarityConfig) -> NDArray[np.bool_]:
    """Return for each row whether it is a content node: by its tag, or by its textRate.

    textRate is the text directly in the node by the text of its subtree. Cost: O(rows).
    """
    arrays, size = table.arrays, len(table)
    by_tag = np.fromiter((tag in CONTENT_TAGS for tag in table.tag), bool, size)
    texts = np.flatnonzero(_is_text(table))
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
    depth = np.array(table.depth[root : table.end[root]])
    rows = np.flatnonzero(~_is_text(table)[root : table.end[root]])
    # Document order within each depth is the order of a walk level by level.
    rows = rows[np.argsort(depth[rows], kind="stable")]
    depth = depth[rows] - depth[0]
    rows += root
    places = np.full(len(table), -1)
    places[rows] = np.arange(len(rows))
    parent = places[table.arrays.parent[rows]]
    parent[0] = -1
    numbers, labels = _number_labels(table, rows.tolist())
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
    return np.fromiter((tag == TEXT for tag in table.tag), bool, len(table))


def _number_labels(
    table: PageTable, rows: list[int]
) -> tuple[NDArray[np.unsignedinteger], NDArray[np.uint32]]:
    """Return the number of each row's label, and the hashed labels.

    Both roots are similar, whatever their class: that of the first row has its tag alone.
    """
    numbers = {(table.tag[rows[0]], "", ""): 0}
    names = list(zip(table.tag, table.ident, table.classes, strict=True))
    label_of = [0, *(numbers.setdefault(names[row], len(numbers)) for row in rows[1:])]
    labels = [[crc32(part.encode("utf-8", "replace")) for part in name] for name in numbers]
    return (
        np.array(label_of, np.min_scalar_type(len(numbers))),
        np.array(labels, np.uint32),
    )


def _round_boxes(layout: Layout, rows: Ints) -> NDArray[np.int32]:
    """Return the boxes in whole px: a part of one is no difference. All roots have the same."""
    sides = (layout.width, layout.height, layout.left, layout.top)
    boxes = np.rint(np.array(sides, np.float64).T[rows]).clip(-(2**31), 2**31 - 1).astype(np.int32)
    boxes[0] = 0
    return boxes


def _hash_contents(table: PageTable, content: NDArray[np.bool_]) -> NDArray[np.uint32]:
    """Return a number of the inner HTML of each content node, equal for equal ones; else 0.

    Built from the leaves up out of the numbers of the children, so that nested content nodes cost
    O(rows) together and not their depth times their length.
    """
    needed = content.tolist()  # content nodes and all inside them
    is_content = content.tolist()
    for row, parent in enumerate(table.parent):
        if parent >= 0 and needed[parent]:
            needed[row] = True
    inner = [1] * len(table)  # of each node: its children so far, the last child first
    hashes = [0] * len(table)
    tags, texts, idents, classes = table.tag, table.text, table.ident, table.classes
    for row in (row for row in range(len(table) - 1, 0, -1) if needed[row]):
        if tags[row] is TEXT:
            whole = _DIGITS.sub("0", texts[row][:_COMPARED].strip())
        else:
            if is_content[row]:
                hashes[row] = inner[row] or 1
            whole = f"<{tags[row]} {idents[row]} {classes[row]}>{inner[row]}"
        parent = table.parent[row]
        inner[parent] = crc32(whole.encode("utf-8", "replace"), inner[parent])
    return np.array(hashes, np.uint32)
