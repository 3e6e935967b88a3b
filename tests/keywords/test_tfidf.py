import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.growth import assert_linear
from webclean_scrapy.keywords import tag_weights
from webclean_scrapy.keywords.idf import UNKNOWN
from webclean_scrapy.keywords.tfidf import MAX_CHARS, KeywordRanker

RANKER = KeywordRanker()


def words(*blocks: tuple[str, float], limit: int = 10) -> list[str]:
    return [keyword.word for keyword in RANKER.rank(blocks, limit=limit)]


def test_a_word_in_a_heavy_block_outweighs_one_repeated_in_the_text() -> None:
    text = "lighthouse lighthouse lighthouse harbourmaster"
    assert words((text, 1.0), limit=1) == ["lighthouse"]
    assert words(("Harbourmaster", 4.0), (text, 1.0), limit=1) == ["Harbourmaster"]


def test_the_weight_is_idf_times_weighted_frequency() -> None:
    (keyword,) = RANKER.rank([("harbourmaster", 4.0), ("harbourmaster harbourmaster", 1.0)])
    assert keyword.word == "harbourmaster"
    assert keyword.weight == pytest.approx(6 * UNKNOWN)


def test_a_word_of_the_title_worked_by_hand() -> None:
    """Features 5: once in the title (1 + 4) and twice in the text is a frequency of 7."""
    blocks = [("lighthouse", tag_weights.TITLE), ("lighthouse, lighthouse", tag_weights.BODY)]
    (keyword,) = RANKER.rank(blocks)
    assert keyword.weight == pytest.approx(7 * RANKER.rank([("lighthouse", 1.0)])[0].weight)


def test_spellings_count_as_one_word_and_the_commonest_is_shown() -> None:
    assert words(("Émile EMILE Émile émile", 1.0)) == ["Émile"]


def test_traditional_text_gives_traditional_keywords() -> None:
    keywords = words(("渡輪停靠碼頭，渡輪離開碼頭。", 1.0))
    assert set(keywords) >= {"渡輪", "碼頭"}


WORDS = st.sampled_from(
    ["ferry", "Ferry", "ferries", "pier", "lamp", "the", "7", "渡轮", "码头", "hall"]
)
BLOCKS = st.tuples(st.lists(WORDS).map(" ".join), st.sampled_from([0.5, 1.0, 2.5, 5.0]))


@given(st.lists(BLOCKS, max_size=8))
def test_keywords_are_the_heaviest_words_and_first_ones(blocks: list[tuple[str, float]]) -> None:
    every = RANKER.vector(blocks)
    ranked = RANKER.rank(blocks, limit=3)
    heaviest = sorted(every, key=lambda word: -every[word])[:3]
    assert [keyword.word.lower() for keyword in ranked] == heaviest
    assert [keyword.weight for keyword in ranked] == [every[word] for word in heaviest]


def test_a_text_is_read_up_to_a_limit() -> None:
    text = "ferry " * (MAX_CHARS // 6)
    assert words((text, 1.0)) == words((f"{text}tower lighthouse", 1.0)) == ["ferry"]


def test_the_time_is_in_proportion_to_the_text() -> None:
    assert_linear(words, lambda size: (" ".join(f"w{n}" for n in range(size)), 1.0), 2_500)
