from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.toml_files import read_toml
from webclean_scrapy.dedup.normalize import normalize

SPELLINGS = read_toml(Path(__file__).with_name("spellings.toml"))["pairs"]
any_text = st.text(st.characters(codec=None, categories=None))


@given(any_text)
def test_normalizing_twice_changes_nothing(text: str) -> None:
    once = normalize(text)
    assert normalize(once) == once


@pytest.mark.parametrize(("one", "other"), SPELLINGS)
def test_spellings_of_one_text_become_equal(one: str, other: str) -> None:
    assert normalize(one) == normalize(other)


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("one—two/three", "one;two;three"),
        ("in 2024. 5 of", "in 2024. 5 of"),  # no decimal point
        ("a\ud800b\0c", "a b c"),
    ],
)
def test_words_stay_apart(text: str, normal: str) -> None:
    assert normalize(text) == normal
