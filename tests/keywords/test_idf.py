from __future__ import annotations

import pytest

from webclean_scrapy.keywords import idf
from webclean_scrapy.keywords.idf import (
    NUMBER,
    PAIR,
    UNKNOWN,
    WordWeights,
    chinese_idf,
    read_chinese_pairs,
)


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
        ("2024", NUMBER),
        ("parliament", UNKNOWN),
        ("渡口委员会", UNKNOWN),
        ("สว", PAIR),
    ],
)
def test_the_weight_of_a_word(word: str, weight: float) -> None:
    assert WordWeights().weight(word) == weight


def test_longer_words_weigh_more() -> None:
    weights = [WordWeights().weight("z" * length) for length in range(12)]
    assert weights == sorted(weights)


def test_frequent_chinese_words_weigh_less() -> None:
    weight = WordWeights().weight
    assert 0 < weight("中国") < weight("气象") < UNKNOWN


def test_without_the_table_every_chinese_word_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(idf, "jieba_file", lambda *_: None)
    assert chinese_idf.__wrapped__() == {}
    assert len(read_chinese_pairs()[1]) == 0
