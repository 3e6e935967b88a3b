from __future__ import annotations

import itertools
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webclean_scrapy.errors import ConfigError
from webclean_scrapy.keywords.directed_network import (
    MAX_NODES,
    DirectedNetworkRanker,
    _centrality,
    _matrix,
)

RANKER = DirectedNetworkRanker()
ENGLISH = (
    "The ferry terminal of Westmere burned down. Divers searched the terminal for the bell. "
    "The council wants a terminal of brick. Fishermen want the terminal back where it stood. "
    "Engineers measured the terminal before winter. Goats live near the lighthouse."
)
CHINESE = "市长希望重新修建大桥。工程师测量大桥。渔民非常喜欢大桥，大桥连接城市。山羊住在灯塔旁边。"
edges = st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=40)


def words(text: str, limit: int = 10) -> list[str]:
    return [keyword.word for keyword in RANKER.rank([(text, 1.0)], limit)]


def test_the_word_in_the_middle_of_the_network_comes_first() -> None:
    assert words(ENGLISH)[0] == "terminal"
    assert words(CHINESE)[0] == "大桥"


def test_only_nouns_verbs_and_names_of_chinese_are_nodes() -> None:
    found = set(words(CHINESE, 100))
    assert {"市长", "工程师", "修建", "测量"} <= found
    assert not found & {"非常", "重新", "旁边"}


def test_an_edge_has_a_direction() -> None:
    chain = "Amber bridge. Bridge council. Council ferry."
    assert words(chain, 1)[0].lower() == "bridge"
    # Most edges lead to the bridge and none away, and the ferry is on no shortest path.
    sink = "Amber bridge. Lamp bridge. Boats bridge. Council bridge. Ferry bridge."
    assert words(f"{sink} Goats council. Council ferry.", 2)[0].lower() == "council"


def test_words_of_the_title_are_raised() -> None:
    for divers, council, first in ((5.0, 1.0, "measured"), (1.0, 5.0, "painted")):
        blocks = [("Divers measured goats", divers), ("Council painted lamps", council)]
        assert RANKER.rank(blocks, 1)[0].word == first


@given(edges)
def test_the_clustering_coefficient_is_that_of_its_definition(pairs: list[tuple[int, int]]) -> None:
    counts = np.zeros((9, 9))
    for left, right in pairs:
        counts[left, right] += left != right
    degree = counts.sum(0) + counts.sum(1)
    expected = np.zeros(9)
    for node in range(9):
        near = [n for n in range(9) if counts[node, n] or counts[n, node]]
        inside = sum(counts[a, b] > 0 for a, b in itertools.permutations(near, 2))
        expected[node] = inside / max(1, len(near) * (len(near) - 1))
    shares = [values / (values.max() or 1.0) for values in (degree, expected)]
    assert np.allclose(_centrality(counts), sum(shares))


def test_a_page_of_very_many_words_keeps_those_with_most_neighbours() -> None:
    from collections import Counter

    pairs = Counter({(f"rare{n}", "hub"): 1 for n in range(2 * MAX_NODES)})
    raised = dict.fromkeys({word for pair in pairs for word in pair}, 1.0)
    nodes, counts = _matrix(pairs, raised)
    assert nodes[0] == "hub"
    assert len(nodes) == MAX_NODES == len(counts)


@pytest.mark.parametrize("text", ["", "...", "1 2 3", "the of a", "\ud800", "\0", "的了"])
def test_a_text_without_words_has_no_keywords(text: str) -> None:
    assert words(text) == []


def test_one_word_and_no_edge_is_no_trouble() -> None:
    assert words("harbour") == ["harbour"]
    assert words("harbour harbour harbour") == ["harbour"]


@pytest.mark.cpu_seconds(30)
def test_a_long_text_ends() -> None:
    hub = " ".join(f"harbour council{n}" for n in range(60_000))
    dense = " ".join(f"harbour{n % 700} council{n % 701}" for n in range(60_000))
    assert len(words(hub)) == len(words(dense)) == 10


def test_the_graph_library_is_asked_for_by_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "igraph", None)
    with pytest.raises(ConfigError, match="install it: pip install igraph"):
        DirectedNetworkRanker()
