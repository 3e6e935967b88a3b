"""The upper levels of a page as a small tree, and which pages are of one template by it.

"Pre-pruned trees and information entropy for news text extraction": body and its container
children down to three levels, labelled by tag, id and class; simple tree matching after Yang:
"Identifying syntactic differences between two programs", Software: Practice and Experience 21,
1991: 0 if the labels of the roots differ, else 1 + the best matching of the children in order.
Similarity is 2 STM / (|A| + |B|) [R]; pages from .80 on are one cluster, by its first page.

Deviation: digits in ids and classes are normalised (a post's number is no other template), and the
id and class of the body are left out (sites write page number, browser and section there); a tree
keeps its first ``max_nodes`` containers, level by level, so that a pair costs max_nodes squared.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.page.tags import CONTAINER_TAGS
from webclean_scrapy.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from webclean_scrapy.cleaning.page.table import PageTable

_DIGITS = re.compile(r"\d+")

Label = tuple[str, str, str]  # tag, id, class


@dataclass(frozen=True, slots=True, kw_only=True)
class SimpleTreeConfig:
    """How much of a page is compared, and how alike pages of one template are."""

    depth: int = 3  # levels below the body
    max_nodes: int = 300  # containers of a page
    same_from: float = 0.8  # similarity from which two pages are of one template, 0..1

    def __post_init__(self) -> None:
        if self.depth < 1 or self.max_nodes < 1:
            raise ConfigError("depth and max_nodes must be at least 1")
        if not 0.0 < self.same_from <= 1.0:
            raise ConfigError(f"same_from must be above 0 and at most 1, got {self.same_from!r}")


@dataclass(frozen=True, slots=True)
class SimpleTree:
    """Labels and children of the nodes, level by level; node 0 is the body."""

    labels: tuple[Label, ...]
    children: tuple[tuple[int, ...], ...]

    def __len__(self) -> int:
        return len(self.labels)


def build_simple_tree(table: PageTable, config: SimpleTreeConfig | None = None) -> SimpleTree:
    """Return the simple tree of a page. Cost: O(children of its nodes)."""
    config = config or SimpleTreeConfig()
    rows = [table.tag.index("body") if "body" in table.tag else 0]
    children: list[tuple[int, ...]] = []
    deepest = table.depth[rows[0]] + config.depth
    while len(children) < len(rows):  # rows grow while they are walked
        row = rows[len(children)]
        found: list[int] = []
        if table.depth[row] < deepest and len(rows) < config.max_nodes:
            found = [at for at in table.children(row) if table.tag[at] in CONTAINER_TAGS]
            found = found[: config.max_nodes - len(rows)]
        children.append(tuple(range(len(rows), len(rows) + len(found))))
        rows += found
    root = (table.tag[rows[0]], "", "")
    return SimpleTree((root, *(_label(table, row) for row in rows[1:])), tuple(children))


def _label(table: PageTable, row: int) -> Label:
    ident, classes = (_DIGITS.sub("0", name[row]) for name in (table.ident, table.classes))
    return table.tag[row], ident, classes


def match_trees(one: SimpleTree, other: SimpleTree) -> int:
    """Return STM, the number of nodes that match with their parents, in order.

    Cost: at most len(one) * len(other).
    """
    if one.labels[0] != other.labels[0]:
        return 0
    pairs = [(0, 0)]  # every pair that can match, parents before children
    for left, right in pairs:
        pairs += [
            (a, b)
            for a in one.children[left]
            for b in other.children[right]
            if one.labels[a] == other.labels[b]
        ]
    matched: dict[tuple[int, int], int] = {}
    for left, right in reversed(pairs):
        above = [0] * (len(other.children[right]) + 1)
        for a in one.children[left]:
            here = [0]
            for at, b in enumerate(other.children[right]):
                pair = above[at] + matched.get((a, b), 0)
                here.append(max(pair, above[at + 1], here[at]))
            above = here
        matched[left, right] = 1 + above[-1]
    return matched[0, 0]


def tree_similarity(one: SimpleTree, other: SimpleTree) -> float:
    """Return 2 STM / (|A| + |B|), 0..1; 1 for equal trees alone."""
    return 2 * match_trees(one, other) / (len(one) + len(other))


def find_cluster(
    tree: SimpleTree, firsts: Iterable[SimpleTree], config: SimpleTreeConfig | None = None
) -> int | None:
    """Return the number of the first cluster whose first page is of the tree's template, or None.

    *firsts* are the first pages of the clusters.
    """
    config = config or SimpleTreeConfig()
    for number, first in enumerate(firsts):
        short, long = sorted((len(tree), len(first)))
        if 2 * short < config.same_from * (short + long):
            continue  # too few nodes, however well they match
        if tree_similarity(tree, first) >= config.same_from:
            return number
    return None


def cluster_trees(trees: Sequence[SimpleTree], config: SimpleTreeConfig | None = None) -> list[int]:
    """Return the number of each page's cluster, clusters numbered by their first pages."""
    firsts: list[SimpleTree] = []
    numbers = []
    for tree in trees:
        number = find_cluster(tree, firsts, config)
        if number is None:
            number = len(firsts)
            firsts.append(tree)
        numbers.append(number)
    return numbers
