from __future__ import annotations

import pytest

from webclean_scrapy.cleaning.cleaner import CleanConfig, Cleaner
from webclean_scrapy.errors import ConfigError
from webclean_scrapy.keywords.ranker import Ranker, make_ranker
from webclean_scrapy.keywords.ranker_names import METHODS

RANKER = make_ranker("network")
ENGLISH = (
    "The ferry terminal of Westmere burned down. Divers searched the terminal for the bell. "
    "The council wants a terminal of brick. Fishermen want the terminal back where it stood. "
    "Engineers measured the terminal before winter. Goats live near the lighthouse."
)
CHINESE = (
    "候船大厅在冬季烧毁。市长希望重建候船大厅。渔民要求候船大厅留在老城区。"
    "工程师测量了候船大厅。历史学家在候船大厅地下发掘。山羊住在灯塔旁边。"
)


def words(text: str, limit: int = 10) -> list[str]:
    return [keyword.word for keyword in RANKER.rank([(text, 1.0)], limit)]


def test_the_word_in_the_middle_of_the_network_comes_first() -> None:
    assert words(ENGLISH)[0] == "terminal"
    assert set(words(CHINESE)[:3]) & {"大厅", "候船", "候船大厅"}


def test_words_of_the_title_are_raised() -> None:
    plain = RANKER.rank([(ENGLISH, 1.0)], 3)
    raised = RANKER.rank([("Divers measured goats", 5.0), (ENGLISH, 1.0)], 3)
    assert [k.word for k in plain] != [k.word for k in raised]
    assert {k.word.lower() for k in raised} & {"divers", "measured", "goats"}


@pytest.mark.parametrize("text", ["", "...", "1 2 3", "the of a", "\ud800", "\0"])
def test_a_text_without_words_has_no_keywords(text: str) -> None:
    assert words(text) == []


def test_one_word_and_no_edge_is_no_trouble() -> None:
    assert words("harbour") == ["harbour"]
    assert len(words("harbour harbour harbour")) == 1


def test_keywords_are_the_same_each_time() -> None:
    assert words(ENGLISH) == words(ENGLISH)


@pytest.mark.cpu_seconds(30)
def test_a_long_text_ends() -> None:
    text = " ".join(f"harbour{n % 3000} council{n % 1700}" for n in range(60_000))
    assert len(words(text)) == 10


@pytest.mark.parametrize("method", METHODS)
def test_a_cleaner_uses_the_method_of_its_config(method: str) -> None:
    body = "".join(f"<p>{sentence}.</p>" for sentence in ENGLISH.split(". ") * 3)
    html = f"<html><title>Terminal</title><body><h1>Terminal</h1>{body}</body></html>"
    page = Cleaner(CleanConfig(keyword_method=method, keywords=3)).clean(html)
    ranker: Ranker = make_ranker(method)
    assert page.keywords == [k.word for k in ranker.rank(page.weighted_blocks, 3)]
    with pytest.raises(ConfigError, match="keyword_method"):
        CleanConfig(keyword_method="guess")
