"""Simple trees of pages, and how alike two are (entropy path: papers.md).

The simple tree of a page is its body and the containers down to three levels, labelled by tag, id
and class. Simple tree matching is that of Yang: "Identifying syntactic differences between two
programs", Software: Practice and Experience 21, 1991: 0 if the labels of the roots differ, else 1 +
the best matching of the children in order. Similarity is 2 STM / (|A| + |B|) (reconstructed: the
paper does not print it).

Deviation: a tree keeps its first `_MAX_NODES` containers, level by level, so that a pair costs
`_MAX_NODES` squared. Digits in ids and classes are normalised (a post's number is no other
template), and the id and class of the body are left out (sites write page number, browser and
section there).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.page.tags import CONTAINER_TAGS

if TYPE_CHECKING:
    from webclean_scrapy.cleaning.page.table import PageTable

_MAX_NODES = 300  # containers of a page that are compared
_DIGITS = re.compile(r"\d+")

Label = tuple[str, str, str]  # tag, id, class


@dataclass(frozen=True, slots=True)
class SimpleTree:
    """Labels and children of the nodes, level by level; node 0 is the body."""

    labels: tuple[Label, ...]
    children: tuple[tuple[int, ...], ...]

    def __len__(self) -> int:
        return len(self.labels)


def build_simple_tree(table: PageTable, depth: int) -> SimpleTree:
    """Return the simple tree of a page, *depth* levels below its body. Cost: O(its children)."""
    rows = [table.tag.index("body") if "body" in table.tag else 0]
    children: list[tuple[int, ...]] = []
    deepest = table.arrays.depth[rows[0]] + depth
    while len(children) < len(rows):  # rows grow while they are walked
        row = rows[len(children)]
        below: list[int] = []
        if table.arrays.depth[row] < deepest and len(rows) < _MAX_NODES:
            below = [at for at in table.children(row) if table.tag[at] in CONTAINER_TAGS]
            below = below[: _MAX_NODES - len(rows)]
        children.append(tuple(range(len(rows), len(rows) + len(below))))
        rows += below
    root = (table.tag[rows[0]], "", "")
    return SimpleTree((root, *(_label(table, row) for row in rows[1:])), tuple(children))


def _label(table: PageTable, row: int) -> Label:
    return table.tag[row], zero_digits(table.ident[row]), zero_digits(table.classes[row])


def match_trees(one: SimpleTree, other: SimpleTree) -> int:
    """Return STM, the number of nodes that match together with their parents, in order.

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
    """Return 2 STM / (|A| + |B|), 0..1; 1 only for equal trees."""
    return 2 * match_trees(one, other) / (len(one) + len(other))


def are_alike(tree: SimpleTree, other: SimpleTree, least: float) -> bool:
    """True if the similarity of two trees is *least* or more; most need no matching."""
    short, long = sorted((len(tree), len(other)))
    if 2 * short < least * (short + long):
        return False  # too few nodes, however well they match
    return tree_similarity(tree, other) >= least


def zero_digits(name: str) -> str:
    """Return an id or a class with every run of digits as one 0."""
    return _DIGITS.sub("0", name)
