import pytest

from webclean_scrapy.keywords.idf import PAIR, UNKNOWN, WordWeights


@pytest.mark.parametrize(
    ("word", "weight"),
    [
        ("", 0.0),
        ("x", 0.0),
        ("的", 0.0),
        ("the", 0.0),
        ("und", 0.0),
        ("чтобы", 0.0),
        ("我们", 0.0),
        ("2024", 0.0),
        ("parliament", UNKNOWN),
        ("渡口委员会", UNKNOWN),
        ("สว", PAIR),
    ],
)
def test_the_weight_of_a_word(word: str, weight: float) -> None:
    assert WordWeights(pair=PAIR).weight(word) == weight


def test_longer_words_weigh_more() -> None:
    weights = [WordWeights().weight("z" * length) for length in range(12)]
    assert weights == sorted(weights)


def test_frequent_chinese_words_weigh_less() -> None:
    weight = WordWeights().weight
    assert 0 < weight("中国") < weight("气象") < UNKNOWN
