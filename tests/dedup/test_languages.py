"""Copies are detected in every script; the texts were written for these tests."""

import pytest

from tests.dedup import articles
from tests.dedup.articles import CHINESE, ENGLISH
from webclean_scrapy.dedup.fingerprint import DUPLICATE
from webclean_scrapy.dedup.index import DuplicateIndex

TEXTS = {
    "simplified": "\n".join(CHINESE[:5]),
    "english": "\n".join(ENGLISH[:5]),
    **articles.TEXTS["languages"],
}
TRADITIONAL = articles.TEXTS["TRADITIONAL"]


@pytest.fixture(scope="module")
def index() -> DuplicateIndex:
    index = DuplicateIndex(short_words=10)
    for name, text in TEXTS.items():
        index.add(name, text)
    return index


def key_of_match(index: DuplicateIndex, text: str) -> str | None:
    match = index.find(text)
    return match.key if match else None


@pytest.mark.parametrize("name", TEXTS)
def test_cut_moved_and_framed_copies_are_found(index: DuplicateIndex, name: str) -> None:
    lines = TEXTS[name].split("\n")
    assert key_of_match(index, "\n".join(lines[::-1])) == name
    assert key_of_match(index, "\n".join(lines[: len(lines) // 2 + 1])) == name
    assert key_of_match(index, "\n".join(["Press service / 通讯员", *lines, "© 2026"])) == name


def test_no_text_matches_that_of_another_language() -> None:
    index = DuplicateIndex()
    assert [index.check_and_add(name, text) for name, text in TEXTS.items()] == [None] * len(TEXTS)


def test_either_chinese_script_finds_the_other(index: DuplicateIndex) -> None:
    assert key_of_match(index, TRADITIONAL) == "simplified"
    other = DuplicateIndex(short_words=10)
    other.add("traditional", TRADITIONAL)
    assert key_of_match(other, "\n".join(TEXTS["simplified"].split("\n")[:3])) == "traditional"


def test_copies_may_lose_accents_vowel_points_and_width(index: DuplicateIndex) -> None:
    plain = TEXTS["german"].translate(str.maketrans("äöüÄÖÜ", "aouAOU"))
    assert key_of_match(index, plain.upper()) == "german"
    wide = TEXTS["english"].translate({c: c + 0xFEE0 for c in range(0x21, 0x7F)})
    assert key_of_match(index, wide) == "english"
    assert key_of_match(index, TEXTS["arabic"].replace("قرر", "قَرَّرَ")) == "arabic"


THAI = articles.TEXTS["THAI"]


def test_thai_texts_share_pairs_of_letters_but_no_passages() -> None:
    """The index keeps a page of which two fifths of the text stand in no other page."""
    index, lines = DuplicateIndex(), THAI.split("\n")
    index.add("orchards", "\n".join(lines[:3]))
    match = index.find("\n".join(lines[3:] + lines[:3]))
    assert match
    assert match.own
    assert 0.35 < match.own < 0.45
    match = index.find("\n".join(lines[:3]).replace("ราคา", "ค่า"))
    assert match
    assert match.verdict == DUPLICATE


def test_korean_without_spaces_is_found() -> None:
    index = DuplicateIndex()
    joined = TEXTS["korean"].replace(" ", "")
    index.add("joined", joined)
    assert key_of_match(index, joined.split("\n", 1)[1]) == "joined"
