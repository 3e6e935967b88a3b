import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webclean_scrapy.keywords.feature_ranker import FEATURES, WINDOW, FeatureRanker

Blocks = list[tuple[str, float]]
texts = st.text(alphabet="harbou goats 大桥城市.\n\0\ud800", max_size=80)


def feature(name: str, blocks: Blocks) -> dict[str, float]:
    """Return one feature of each candidate."""
    found = FeatureRanker().candidates(blocks)
    return dict(zip(found.words, found.features[:, FEATURES.index(name)], strict=True))


def test_the_heaviest_word_has_the_highest_tfidf_and_the_others_are_measured_by_it() -> None:
    found = feature("tfidf", [("harbour council harbour fisherman", 1.0)])
    assert found == pytest.approx({"harbour": 0.0, "council": math.log(0.5), "fisherman": math.log(
        11.9547675029 / (2 * 10.0)
    )})  # fmt: skip


def test_the_first_occurrence_is_a_share_of_all_words() -> None:
    found = feature("first", [("The harbour", 5.0), ("of the council. A harbour", 1.0)])
    assert found == pytest.approx({"harbour": 1 / 7, "council": 4 / 7})


def test_words_of_one_window_are_related_and_words_far_apart_are_not() -> None:
    far = " the" * WINDOW
    found = feature("coherence", [(f"harbour council{far} lighthouse", 1.0)])
    assert found == pytest.approx({"harbour": 0.5, "council": 0.5, "lighthouse": 0.0})
    twice = feature("coherence", [(f"harbour council{far} harbour{far} lighthouse", 1.0)])
    assert twice["council"] == pytest.approx(1 / math.sqrt(2) / 2)


@given(st.lists(st.tuples(texts, st.sampled_from([1.0, 5.0])), max_size=4), st.integers(1, 5))
def test_any_text_gives_few_distinct_words_best_first(blocks: Blocks, limit: int) -> None:
    found = FeatureRanker().rank(blocks, limit)
    assert len(found) <= limit
    assert len({keyword.word.casefold() for keyword in found}) == len(found)
    weights = [keyword.weight for keyword in found]
    assert weights == sorted(weights, reverse=True)
    assert np.isfinite(weights).all()
