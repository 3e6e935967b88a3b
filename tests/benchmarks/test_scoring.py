from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.scoring import (
    auc,
    brier,
    harmonic,
    precision_recall,
    reliability,
    set_score,
    shingles,
)

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


def test_a_score_that_tells_all_has_an_auc_of_one_and_one_that_tells_nothing_a_half() -> None:
    bad = np.array([True, True, False, False])

    assert auc(np.array([0.9, 0.8, 0.2, 0.1]), bad) == 1.0
    assert auc(np.array([0.1, 0.2, 0.8, 0.9]), bad) == 0.0
    assert auc(np.full(4, 0.3), bad) == 0.5
    assert auc(np.array([0.1, 0.2]), np.array([True, True])) is None


def test_brier_is_least_for_probabilities_that_are_true() -> None:
    happened = np.array([True, False, False, False])

    assert brier(happened.astype(float), happened) == 0.0
    assert brier(np.full(4, 0.25), happened) == pytest.approx(0.1875)
    assert brier(np.full(4, 0.5), happened) == 0.25


@given(st.lists(st.tuples(st.floats(0.0, 1.0), st.booleans()), max_size=40))
def test_every_probability_is_in_one_bin(pairs: list[tuple[float, bool]]) -> None:
    probability = np.array([p for p, _ in pairs])
    happened = np.array([h for _, h in pairs], bool)

    bins = reliability(probability, happened)

    assert sum(one.count for one in bins) == len(pairs)
    assert sum(one.count * one.happened for one in bins) == pytest.approx(happened.sum())
    assert all(one.low - 1e-6 <= one.mean <= one.low + 0.1 + 1e-6 for one in bins)
