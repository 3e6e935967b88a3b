"""Similarity of two nodes of the feature trees of two pages.

Song, Zhi, Zhou, Luo, An: "LCS-based feature tree maximum similarity matching for web page
denoising", Video Engineering 2011(13): CNode, content and structure nodes, the ordered rules.

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
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from webclean_scrapy.errors import ConfigError
from webclean_scrapy.page.table import TEXT

if TYPE_CHECKING:
    from webclean_scrapy.page.layout import Layout
    from webclean_scrapy.page.table import PageTable

#: Song et al.: nodes that carry text by their tag alone.
CONTENT_TAGS = frozenset({"p", "span", "b", "strong", "h1", "h2", "h3", "h4", "h5", "h6"})

_DIGITS = re.compile(r"\d+")
_TAG, _INNER, _FEATURES = 0, 1, 2  # places in a node's codes

#: Numbers given to names (tags, ids, contents) of the pages that are compared with each other.
Names = dict[Any, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarityConfig:
    """When two nodes are similar, and which nodes are content."""

    similar_above: float = 0.6  # Ts, share of equal features, 0..1; not printed
    content_rate: float = 0.75  # Song et al.: own text / text above which a node is content, 0..1
    ignore_digits: bool = True  # contents that differ in digits only are equal

    def __post_init__(self) -> None:
        for name in ("similar_above", "content_rate"):
            value = getattr(self, name)
            if not 0.0 <= value < 1.0:
                raise ConfigError(f"{name} must be at least 0 and below 1, got {value!r}")


@dataclass(slots=True)
class FeatureTree:
    """The element rows of a page, level by level, with what is compared of each.

    ``codes`` of a node: tag, content (-1 for a structure node), id, class and, with a layout,
    width, height, left, top; numbers that are equal for equal values within one ``Names``.
    """

    rows: list[int] = field(default_factory=list)
    parent: list[int] = field(default_factory=list)  # place in ``rows``; -1 for the root
    levels: list[int] = field(
        default_factory=lambda: [0]
    )  # first place of each level, then the end
    codes: list[tuple[int, ...]] = field(default_factory=list)


def root_row(table: PageTable) -> int:
    """Return the row of the first ``body``, or 0 in a page without one (a frameset)."""
    return table.tag.index("body") if "body" in table.tag else 0


def find_content_nodes(table: PageTable, config: SimilarityConfig) -> list[bool]:
    """Return for each row whether it is a content node: by its tag, or by its textRate.

    textRate is the text directly in the node by the text of its subtree. Cost: O(rows).
    """
    own = [0] * len(table)
    before = table.text_before
    for row in range(1, len(table)):
        if table.tag[row] == TEXT:
            own[table.parent[row]] += before[row + 1] - before[row]
    return [
        tag in CONTENT_TAGS or units > config.content_rate * table.text_length(row) > 0
        for row, (tag, units) in enumerate(zip(table.tag, own, strict=True))
    ]


def build_features(
    table: PageTable, names: Names, config: SimilarityConfig, layout: Layout | None = None
) -> FeatureTree:
    """Return the feature tree of the page; *names* gains the names that it did not hold.

    Trees are compared only if they were built with the same *names*, and all with a layout or all
    without. Cost: O(rows).
    """
    content = find_content_nodes(table, config)
    inner = _number_contents(table, content, names, config)
    tree = FeatureTree()
    level = [(root_row(table), -1)]
    while level:
        following = []
        for row, parent in level:
            place = len(tree.rows)
            tree.rows.append(row)
            tree.parent.append(parent)
            tree.codes.append(_encode(table, row, inner[row], names, layout))
            if parent < 0:  # both roots are similar, whatever their class
                tree.codes[0] = (tree.codes[0][_TAG], -1, *(0 for _ in tree.codes[0][_FEATURES:]))
            following += [(at, place) for at in table.children(row) if table.tag[at] != TEXT]
        tree.levels.append(len(tree.rows))
        level = following
    return tree


def _encode(
    table: PageTable, row: int, inner: int, names: Names, layout: Layout | None
) -> tuple[int, ...]:
    tag, ident, classes = (
        names.setdefault(name, len(names))
        for name in (table.tag[row], table.ident[row], table.classes[row])
    )
    if layout is None:
        return tag, inner, ident, classes
    box = (layout.width[row], layout.height[row], layout.left[row], layout.top[row])
    return tag, inner, ident, classes, *(round(side) for side in box)  # a part of a px is no px


def _number_contents(
    table: PageTable, content: list[bool], names: Names, config: SimilarityConfig
) -> list[int]:
    """Return a number of the inner HTML of each content node, equal for equal ones; else -1.

    Built from the leaves up by the numbers of the children, so that nested content nodes cost
    O(rows) together and not their depth times their length.
    """
    size = len(table)
    needed = content.copy()  # content nodes and all inside them
    for row in range(1, size):
        needed[row] = content[row] or needed[table.parent[row]]
    parts: dict[int, list[int]] = {}  # children's numbers, last child first
    found = [-1] * size
    for row in range(size - 1, -1, -1):
        if not needed[row]:
            continue
        inner = tuple(parts.pop(row, ()))
        if table.tag[row] == TEXT:
            text = table.text[row].strip()
            whole: object = _DIGITS.sub("0", text) if config.ignore_digits else text
        else:
            if content[row]:
                found[row] = names.setdefault(inner, len(names))
            whole = (table.tag[row], table.ident[row], table.classes[row], inner)
        number = names.setdefault(whole, len(names))
        parts.setdefault(table.parent[row], []).append(number)
    return found


def similarity(
    left: FeatureTree, one: int, right: FeatureTree, other: int, config: SimilarityConfig
) -> float:
    """Return the similarity of two nodes, given by their places in the trees, in 0..1.

    Cost: O(depth): all pairs of ancestors must be similar, so nodes of different depth never are.
    """
    above, beyond = left.parent[one], right.parent[other]
    while above >= 0 and beyond >= 0:
        if _compare(left, above, right, beyond) <= config.similar_above:
            return 0.0
        above, beyond = left.parent[above], right.parent[beyond]
    if above != beyond:  # one of them is the root, or below its own root by another depth
        return 0.0
    return _compare(left, one, right, other)


def _compare(left: FeatureTree, one: int, right: FeatureTree, other: int) -> float:
    """Return the similarity of two nodes of the same depth whose parents are similar."""
    a, b = left.codes[one], right.codes[other]
    if a[_TAG] != b[_TAG]:
        return 0.0
    if a[_INNER] >= 0 or b[_INNER] >= 0:
        return 1.0 if a[_INNER] == b[_INNER] else 0.0
    equal = sum(x == y for x, y in zip(a[_FEATURES:], b[_FEATURES:], strict=True))
    return (1 + equal) / (1 + len(a) - _FEATURES)  # the depth is the feature that is equal here
