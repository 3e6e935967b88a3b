import pytest
from hypothesis import given
from hypothesis import strategies as st

from webclean_scrapy.keywords.segment import cut_words, fold_word, fold_words, simplify


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Don't stop: 2 of 3", ["Don", "t", "stop", "2", "of", "3"]),
        ("“The pier” — it’s open_now", ["The", "pier", "it", "s", "open", "now"]),
        ("Привет, мир!", ["Привет", "мир"]),
        ("हिन्दी में समाचार", ["हिन्दी", "में", "समाचार"]),
        ("한국어 뉴스 기사", ["한국어", "뉴스", "기사"]),
        ("カタカナ", ["カタカナ"]),
        ("ひらがな", ["ひら", "らが", "がな"]),
        ("図書館のベンチに座った。", ["図書館", "の", "ベンチ", "に", "座", "った"]),
        ("ก", ["ก"]),
        ("띄어쓰기없이쓴아주긴글", "띄어 어쓰 쓰기 기없 없이 이쓴 쓴아 아주 주긴 긴글".split()),
        ("new港口ニュース", ["new", "港口", "ニュース"]),
        ("", []),
        ("…—!", []),
    ],
)  # fmt: skip
def test_every_script_is_cut(text: str, words: list[str]) -> None:
    assert cut_words(text) == words


@given(st.text())
def test_words_stand_in_the_text_and_are_no_space(text: str) -> None:
    for word in cut_words(text):
        assert word in text
        assert not word.isspace()


@given(st.text())
def test_simplifying_keeps_the_length_and_is_done_once(text: str) -> None:
    once = simplify(text)
    assert len(once) == len(text)
    assert simplify(once) == once


def test_case_accents_and_script_do_not_count() -> None:
    spelt = ["Café", "CAFE\u0301", "Straße", "Ёлка", "臺灣", "한국"]
    assert (
        fold_words(map(simplify, spelt))
        == [fold_word(word) for word in spelt]
        == ["cafe", "cafe", "strasse", "елка", "台湾", "한국"]
    )
