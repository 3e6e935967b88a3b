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
    ],
)
def test_the_function_words_of_a_language_count_in_it(language: str, words: str) -> None:
    assert set(words.split()) <= stop_words(language)


def test_the_words_of_one_latin_alphabet_do_not_count_in_another() -> None:
    for word in ("die", "war", "car", "sin"):
        assert word not in stop_words("en")
    assert {"die", "war"} <= stop_words("de")


def test_an_unknown_language_has_the_words_of_other_scripts() -> None:
    assert {"the", "und", "что", "我们", "من"} <= stop_words(None)
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
