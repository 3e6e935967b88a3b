from __future__ import annotations

import functools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reading import table_of
from webclean_scrapy.cleaning.papers.simple_tree import (
    SimpleTree,
    SimpleTreeConfig,
    build_simple_tree,
    cluster_trees,
    find_cluster,
    match_trees,
    tree_similarity,
)
from webclean_scrapy.errors import ConfigError

NODES = st.recursive(
    st.sampled_from(["<div></div>", "<ul></ul>", "<div id=a></div>", "text", "<p>x</p>"]),
    lambda inner: st.lists(inner, min_size=1, max_size=4).map(
        lambda parts: f"<div>{''.join(parts)}</div>"
    ),
    max_leaves=14,
)
PAGES = st.lists(NODES, max_size=4).map("".join)


def tree_of(html: str, config: SimpleTreeConfig | None = None) -> SimpleTree:
    return build_simple_tree(table_of(html), config)


def plain_match(one: SimpleTree, other: SimpleTree, a: int = 0, b: int = 0) -> int:
    """Return STM by its definition."""
    if one.labels[a] != other.labels[b]:
        return 0
    left, right = one.children[a], other.children[b]

    @functools.cache
    def best(i: int, j: int) -> int:
        if not i or not j:
            return 0
        pair = best(i - 1, j - 1) + plain_match(one, other, left[i - 1], right[j - 1])
        return max(pair, best(i - 1, j), best(i, j - 1))

    return 1 + best(len(left), len(right))


def test_a_tree_has_the_containers_of_three_levels() -> None:
    tree = tree_of(
        "<body id=p1 class=w9><div id=A class='B c9'><p>x</p>"
        "<ul><li><div></div></li></ul><span><div></div></span></div>"
    )
    assert tree.labels == (
        ("body", "", ""),
        ("div", "a", "b c0"),
        ("ul", "", ""),
        ("li", "", ""),
    )
    assert tree.children == ((1,), (2,), (3,), ())


def test_a_page_without_body_has_a_tree_too() -> None:
    assert tree_of("<frameset><frame src=a></frameset>").labels == (("html", "", ""),)


def test_a_tree_is_no_larger_than_allowed() -> None:
    tree = tree_of("<div><ul></ul></div>" * 9, SimpleTreeConfig(max_nodes=12))
    assert len(tree) == 12
    assert tree.children[0] == tuple(range(1, 10))


def test_children_match_in_order_and_below_matching_parents_only() -> None:
    one = tree_of("<div id=a><ul></ul></div><div id=b></div><div id=c></div>")
    crossed = tree_of("<div id=c></div><div id=a><ul></ul></div>")
    assert match_trees(one, crossed) == 3  # body, a, ul
    assert tree_similarity(one, crossed) == pytest.approx(2 * 3 / (5 + 4))
    renamed = tree_of("<div id=z><ul></ul></div><div id=b></div>")
    assert match_trees(one, renamed) == 2  # body, b


def test_other_roots_do_not_match_at_all() -> None:
    assert tree_similarity(tree_of("<div>"), tree_of("<frameset><frame src=a></frameset>")) == 0


@given(PAGES, PAGES)
def test_the_match_is_simple_tree_matching(one: str, other: str) -> None:
    left, right = tree_of(one), tree_of(other)
    assert match_trees(left, right) == plain_match(left, right) == match_trees(right, left)
    assert 0 < tree_similarity(left, right) <= 1
    assert tree_similarity(left, left) == 1


def test_pages_are_gathered_by_the_first_page_of_a_cluster() -> None:
    divs = [f"<div id={name}></div>" for name in "abcdefghi"]
    news = tree_of("".join(divs))
    alike = tree_of("".join(divs[:7]))  # 2 * 8 / 18 = .89
    further = tree_of("".join(divs[:5]))  # .75 to the first page, .86 to the second
    other = tree_of("".join(divs).replace("<div id=", "<ul id="))
    assert cluster_trees([news, alike, further, other, news, further]) == [0, 0, 1, 2, 0, 1]


def test_the_threshold_itself_is_enough() -> None:
    one = tree_of("<div></div><ul></ul>")
    other = tree_of("<div></div>")
    assert tree_similarity(one, other) == 0.8
    assert find_cluster(other, [one]) == 0
    assert find_cluster(other, [one], SimpleTreeConfig(same_from=0.81)) is None
    assert find_cluster(tree_of(""), [one]) is None


@pytest.mark.parametrize(
    ("field", "value"), [("depth", 0), ("max_nodes", 0), ("same_from", 0.0), ("same_from", 1.5)]
)
def test_a_config_that_means_nothing_is_refused(field: str, value: float) -> None:
    with pytest.raises(ConfigError, match=field):
        SimpleTreeConfig(**{field: value})  # type: ignore[arg-type]


@pytest.mark.cpu_seconds(20)
def test_hostile_pages_cost_no_more_than_the_limit() -> None:
    wide = tree_of("<div><div></div></div>" * 30_000)
    deep = tree_of("<div>" * 1_900)
    assert len(wide) == 300
    assert len(deep) == 4
    for _ in range(3):
        assert tree_similarity(wide, wide) == 1
        assert match_trees(wide, deep) == 2
