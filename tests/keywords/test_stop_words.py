import pytest

from webclean_scrapy.keywords.stop_words import stop_words
from webclean_scrapy.keywords.tfidf import KeywordRanker


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("de", "und nicht durch wurde"),
        ("pl", "oraz przez jest"),
        ("tr", "icin gibi"),
        ("id", "yang dengan untuk"),
        ("uk", "навколо завжди"),
        ("en", "the which"),
        ("zh", "我们 因为"),
        ("de", "die war"),
        # an unknown language has the words of all scripts
        (None, "the und что 我们 من"),
    ],
)
def test_the_function_words_of_a_language_count_in_it(language: str | None, words: str) -> None:
    assert set(words.split()) <= stop_words(language)
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
