from pathlib import Path

import pytest

from tests.toml_files import read_toml
from webclean_scrapy.keywords.stop_words import stop_words
from webclean_scrapy.keywords.tfidf import KeywordRanker

WORDS = read_toml(Path(__file__).with_name("words.toml"))


@pytest.mark.parametrize(("language", "words"), WORDS["stop_words"])
def test_the_function_words_of_a_language_count_in_it(language: str, words: str) -> None:
    assert set(words.split()) <= stop_words(language or None)
    assert not {"die", "war", "car", "sin"} & stop_words("en")  # of others of its alphabet
    assert stop_words("xx") == stop_words(None)


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("de", "Nachdem die Fähre nachdem die Fähre nachdem Leuchtturm", {"Fähre", "Leuchtturm"}),
        ("th", "เรือข้ามฟากกลับมาวิ่งอีกครั้ง", set()),  # pairs of letters are no words
        ("ja", "二年ぶりにモーターの船が出た。エンジンの音。", {"二年", "モーター", "エンジン"}),
    ],
)
def test_keywords_are_words_of_the_language(language: str, text: str, expected: set[str]) -> None:
    words = KeywordRanker().rank([(text, 1.0)], language=language)
    assert {keyword.word for keyword in words} == expected
