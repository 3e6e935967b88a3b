from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from webclean_scrapy.keywords.spelling import fold_all, fold_simplified, fold_word

WORDS = st.text(st.characters(categories=["L", "M", "N"]), min_size=1, max_size=4)


def test_case_accents_and_script_do_not_count() -> None:
    assert fold_all(["Café", "CAFE", "Straße", "Ёлка", "台湾", "한국"]) == [
        "cafe", "cafe", "strasse", "елка", "台湾", "한국",
    ]  # fmt: skip
    assert fold_word("臺灣") == "台湾"


@given(st.lists(WORDS))
def test_words_are_folded_together_as_each_alone(words: list[str]) -> None:
    assert fold_all(words) == [fold_simplified(word) for word in words]
