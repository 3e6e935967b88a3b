from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.scoring import harmonic, precision_recall, set_score, shingles

GOLD = "The ferry left the old harbour at nine and came back at noon."  # 13 tokens, 10 shingles
words = st.lists(st.sampled_from("ferry tide lamp 潮 水 7".split()), max_size=30)


def test_the_same_text_is_whole_whatever_case_and_punctuation() -> None:
    assert precision_recall(GOLD, GOLD.upper().replace(" ", "  ,")) == (1.0, 1.0)


def test_a_chinese_character_is_a_token() -> None:
    assert shingles("今晚大潮") == {("今", "晚", "大", "潮"): 1}
    assert precision_recall("今晚有大潮", "今晚有大") == (1.0, 0.5)


def test_what_is_too_much_costs_precision_and_what_lacks_recall() -> None:
    precision, recall = precision_recall(GOLD, GOLD + " Read also this")
    assert (precision, recall) == (10 / 13, 1.0)
    assert precision_recall(GOLD, "The ferry left the old harbour") == (1.0, 0.3)


def test_a_text_twice_counts_once() -> None:
    precision, recall = precision_recall(GOLD, GOLD + "\n" + GOLD)
    assert recall == 1.0
    assert precision == 10 / 23


@pytest.mark.parametrize(
    ("gold", "text", "expected"),
    [("", "", (1.0, 1.0)), (GOLD, "", (0.0, 0.0)), ("", GOLD, (0.0, 0.0)), ("潮", "潮", (1, 1))],
)
def test_texts_without_a_whole_shingle(gold: str, text: str, expected: tuple[float, float]) -> None:
    assert precision_recall(gold, text) == expected


def test_an_optional_paragraph_is_gold_for_who_has_it_only() -> None:
    optional = ["The editors thank the crew of the ferry."]
    assert precision_recall(GOLD, GOLD, optional) == (1.0, 1.0)
    assert precision_recall(GOLD, GOLD + "\n" + optional[0], optional) == (1.0, 1.0)
    assert precision_recall(GOLD, GOLD + "\n" + optional[0])[0] < 1.0


def test_a_set_has_the_f1_of_its_means() -> None:
    found = set_score([(1.0, 0.5), (0.5, 1.0), (1.0, 1.0), (0.0, 0.0)])
    assert (found.precision, found.recall) == (0.625, 0.625)
    assert found.f1 == 0.625
    assert found.page_f1 == pytest.approx((2 / 3 + 2 / 3 + 1) / 4)
    assert (found.good, found.bad) == (0.25, 0.75)


@given(words, words)
def test_precision_one_way_is_recall_the_other_way(left: list[str], right: list[str]) -> None:
    there = precision_recall(" ".join(left), " ".join(right))
    back = precision_recall(" ".join(right), " ".join(left))
    assert there == back[::-1]
    assert min(there) - 1e-9 <= harmonic(*there) <= max(there) + 1e-9
