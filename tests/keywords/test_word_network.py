import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webclean_scrapy.cleaning.cleaner import CleanConfig, Cleaner
from webclean_scrapy.errors import ConfigError
from webclean_scrapy.keywords.ranker import METHODS, make_ranker
from webclean_scrapy.keywords.word_network import _centrality

RANKER = make_ranker("network")
ENGLISH = (
    "The ferry terminal of Westmere burned down. Divers searched the terminal for the bell. "
    "The council wants a terminal of brick. Fishermen want the terminal back where it stood. "
    "Engineers measured the terminal before winter. Goats live near the lighthouse."
)
CHINESE = "市长希望重新修建大桥。工程师测量大桥。渔民非常喜欢大桥，大桥连接城市。山羊住在灯塔旁边。"


def words(text: str, limit: int = 10) -> list[str]:
    return [keyword.word for keyword in RANKER.rank([(text, 1.0)], limit)]


def test_the_word_in_the_middle_of_the_network_comes_first() -> None:
    assert words(ENGLISH)[0] == "terminal"
    assert words(CHINESE)[0] == "大桥"
    assert words(ENGLISH) == words(ENGLISH)


def test_only_nouns_verbs_and_names_of_chinese_are_nodes() -> None:
    found = set(words(CHINESE, 100))
    assert {"市长", "工程师", "修建", "测量"} <= found
    assert not found & {"非常", "重新", "旁边"}


def test_an_edge_has_a_direction() -> None:
    chain = "Amber bridge. Bridge council. Council ferry."
    assert words(chain, 1)[0].lower() == "bridge"
    # Most edges lead to the bridge and none away, and the ferry is on no shortest path.
    sink = "Amber bridge. Lamp bridge. Boats bridge. Council bridge. Ferry bridge."
    found = words(f"{sink} Goats council. Council ferry.", 2)
    assert found[0].lower() == "council"


def test_words_of_the_title_are_raised() -> None:
    plain = RANKER.rank([(ENGLISH, 1.0)], 3)
    raised = RANKER.rank([("Divers measured goats", 5.0), (ENGLISH, 1.0)], 3)
    assert [k.word for k in plain] != [k.word for k in raised]
    assert {k.word.lower() for k in raised} & {"divers", "measured", "goats"}


def test_degree_and_clustering_worked_by_hand() -> None:
    """Features 4: a leads to b twice and to c, b to c, and c to d; each measure by its maximum."""
    counts = np.array([[0, 2, 1, 0], [0, 0, 1, 0], [0, 0, 0, 1], [0, 0, 0, 0]], float)
    # Degrees 3, 3, 3, 1. Of the two pairs of a's neighbours one is joined, of the six of c's one.
    assert _centrality(counts).tolist() == pytest.approx([2, 2, 1 + 1 / 3, 1 / 3])


@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=40))
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


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "text", ["", "...", "1 2 3", "the of a", "\ud800", "\0", "的了", "the 2024 of 15 and 我们 的 a"]
)
def test_a_text_without_words_has_no_keywords(method: str, text: str) -> None:
    assert make_ranker(method).rank([(text, 1.0)], 10) == []


@pytest.mark.parametrize("method", METHODS)
def test_a_cleaner_uses_the_method_of_its_config(method: str) -> None:
    body = "".join(f"<p>{sentence}.</p>" for sentence in ENGLISH.split(". ") * 3)
    html = f"<html><title>Terminal</title><body><h1>Terminal</h1>{body}</body></html>"
    page = Cleaner(CleanConfig(keyword_method=method, keywords=3)).clean(html)
    ranked = make_ranker(method).rank(page.weighted_blocks, 3)
    assert page.keywords == [keyword.word for keyword in ranked]
    with pytest.raises(ConfigError, match="keyword_method"):
        CleanConfig(keyword_method="guess")
