"""The similarity of two nodes of feature trees by the printed rules, one pair at a time.

Song et al. 2011; ``alignment`` computes it for whole levels.
"""

from webclean_scrapy.cleaning.templates.alignment import FeatureTree, SimilarityConfig


def node(tree: FeatureTree, place: int) -> tuple[int, ...]:
    """Return the node's tag, id, class and content, and its box where it has one."""
    label = tree.labels[tree.label[place]].tolist()
    box = [] if tree.boxes is None else tree.boxes[place].tolist()
    return (*label, int(tree.inner[place]), *box)


def similarity(
    left: FeatureTree, one: int, right: FeatureTree, other: int, config: SimilarityConfig
) -> float:
    """Return the similarity of two nodes, given by their places in the trees, in 0..1.

    All pairs of ancestors must be similar, so nodes of different depth never are.
    """
    above, beyond = int(left.parent[one]), int(right.parent[other])
    while above >= 0 and beyond >= 0:
        if _compare(node(left, above), node(right, beyond)) <= config.similar_above:
            return 0.0
        above, beyond = int(left.parent[above]), int(right.parent[beyond])
    if above != beyond:  # one of them is the root, or below its own root by another depth
        return 0.0
    return _compare(node(left, one), node(right, other))


def _compare(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    """Return the similarity of two nodes of the same depth whose parents are similar."""
    tag, ident, classes, inner, *box = one
    tag_2, ident_2, classes_2, inner_2, *box_2 = other
    if tag != tag_2:
        return 0.0
    if inner or inner_2:
        return 1.0 if inner == inner_2 else 0.0
    features = zip((ident, classes, *box), (ident_2, classes_2, *box_2), strict=True)
    equal = sum(x == y for x, y in features)
    return (1 + equal) / (3 + len(box))  # the depth is the feature that is equal here
