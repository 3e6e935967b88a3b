from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reading import table_of
from webclean_scrapy.cleaning.papers.clusters import find_clusters, find_outermost

if TYPE_CHECKING:
    import random

PAGE = """<div id=a><p id=b></p><div id=c><p id=d></p><div id=e><p id=f></p></div></div></div>
<div id=g><div id=h><p id=i></p></div><div id=j><p id=k></p></div></div>"""


def clusters_of(*names: str) -> list[str]:
    table = table_of(PAGE)
    found = find_clusters(table, [table.ident.index(name) for name in names])
    return ["".join(table.ident[row] for row in rows) for rows in found]


def test_candidates_inside_a_candidate_are_dropped() -> None:
    assert clusters_of("b", "c", "d", "f") == ["bc"]


def test_candidates_with_one_parent_are_one_cluster() -> None:
    assert clusters_of("a", "g") == ["ag"]
    assert clusters_of("b", "i") == ["b", "i"]


def test_a_candidate_joins_those_whose_parent_is_its_grandparent() -> None:
    assert clusters_of("b", "d") == ["bd"]
    assert clusters_of("b", "f") == ["b", "f"]  # one level too deep


def test_two_candidates_with_one_grandparent_alone_stay_apart() -> None:
    assert clusters_of("i", "k") == ["i", "k"]


def test_clusters_grow_over_several_levels() -> None:
    assert clusters_of("b", "d", "f") == ["bdf"]


def test_the_root_may_be_a_candidate() -> None:
    table = table_of(PAGE)
    assert find_clusters(table, range(len(table))) == [[0]]
    assert find_clusters(table, [table.tag.index("body")]) == [[table.tag.index("body")]]
    assert find_clusters(table, []) == []


@given(st.sets(st.sampled_from("abcdefghijk")), st.randoms(use_true_random=False))
def test_clusters_part_the_outermost_candidates_in_any_order(
    names: set[str], chance: random.Random
) -> None:
    table = table_of(PAGE)
    rows = sorted(table.ident.index(name) for name in names)
    clusters = find_clusters(table, rows)
    assert sorted(row for cluster in clusters for row in cluster) == find_outermost(table, rows)
    assert clusters == sorted(sorted(cluster) for cluster in clusters)
    chance.shuffle(rows)
    assert find_clusters(table, rows) == clusters


@pytest.mark.cpu_seconds(20)
def test_a_hundred_thousand_candidates_are_no_matter() -> None:
    table = table_of("<ul>" + "<li><p>x</p>" * 50_000 + "</ul>")
    items = [row for row, tag in enumerate(table.tag) if tag == "p"]
    assert len(find_clusters(table, items)) == 50_000
    items.append(table.tag.index("li"))
    assert len(find_clusters(table, items)) == 1
