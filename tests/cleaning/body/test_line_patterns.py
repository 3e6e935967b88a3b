from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webclean_scrapy.cleaning.body import line_patterns as patterns
from webclean_scrapy.cleaning.body.line_patterns import (
    find_caption,
    find_code,
    find_date,
    find_holding,
    find_prompt,
    is_unfilled,
)

ASCII = st.characters(max_codepoint=127)


@pytest.mark.parametrize(
    "text", ["accept cookies", "please scan: 扫码", "« back", "more >> ", "→", " << first\n"]
)
def test_requests_and_arrows_are_prompts(text: str) -> None:
    assert find_prompt(text)


@pytest.mark.parametrize("text", ["", "cookiesheet", "a << b", "a → b", "a paragraph of text."])
def test_other_texts_are_no_prompts(text: str) -> None:
    assert find_prompt(text) is None


@given(st.from_regex(patterns.CODE) | st.text(ASCII))
def test_no_code_is_lost_to_the_test_before_it(text: str) -> None:
    assert bool(find_code(text)) == bool(patterns.CODE.match(text))


@given(st.from_regex(patterns.DATE) | st.text())
def test_no_date_is_lost_to_the_test_before_it(text: str) -> None:
    assert bool(find_date(text)) == bool(patterns.DATE.search(text))


@given(st.from_regex(patterns.CAPTION, fullmatch=True) | st.text(ASCII))
def test_no_caption_is_lost_to_the_test_before_it(text: str) -> None:
    assert bool(find_caption(text)) == bool(patterns.CAPTION.search(text))


@given(st.from_regex(patterns.PLACEHOLDER, fullmatch=True))
def test_every_placeholder_alone_is_unfilled(text: str) -> None:
    assert is_unfilled(text)


@pytest.mark.parametrize("text", ["", "[1]", "{a}", "a {{ b }} in a sentence of its own", "50%"])
def test_other_texts_are_filled(text: str) -> None:
    assert not is_unfilled(text)


def test_texts_that_hold_a_word_are_found_at_once() -> None:
    texts = ["a ferry", "", "the fog", "ferry, ferry"]

    assert find_holding(texts, ("ferry", "g")) == {0, 2, 3}
    assert find_holding(texts, ("yt", "fogferry")) == set()  # not across two texts
    assert find_holding([], ("ferry",)) == set()
