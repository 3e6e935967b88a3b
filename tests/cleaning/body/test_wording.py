from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webclean_scrapy.cleaning.body import wording
from webclean_scrapy.cleaning.body.wording import (
    ends_sentence,
    is_credit,
    is_editorial,
    is_prompt,
    match,
    match_dates,
)
from webclean_scrapy.cleaning.page.lines import Lines

ASCII = st.characters(max_codepoint=127)


def lines_of(*texts: str) -> Lines:
    rows = list(range(len(texts)))
    return Lines(first=rows, last=rows, text=list(texts))


@pytest.mark.parametrize(
    "text", ["accept cookies", "please scan: 扫码", "« back", "more >> ", "→", " << first\n"]
)
def test_requests_and_arrows_are_prompts(text: str) -> None:
    lines = lines_of("a ferry", text)

    assert match(is_prompt, lines, np.ones(2, bool)).tolist() == [False, True]


@pytest.mark.parametrize("text", ["", "cookiesheet", "a << b", "a → b", "a paragraph of text."])
def test_other_texts_are_no_prompts(text: str) -> None:
    assert not is_prompt(text)


@given(st.from_regex(wording.CREDIT) | st.from_regex(wording.ASCII_CREDIT) | st.text(ASCII))
def test_credits_in_ascii_are_found_by_their_own_pattern(text: str) -> None:
    assert is_credit(text) == bool(wording.CREDIT.match(text))


@given(st.from_regex(wording.EDITORIAL) | st.text(ASCII))
def test_no_editorial_line_is_lost_to_the_test_before_it(text: str) -> None:
    assert is_editorial(text) == bool(wording.EDITORIAL.match(text))


@given(st.lists(st.from_regex(wording.DATE) | st.text(), max_size=4))
def test_no_date_is_lost_to_the_test_before_it(texts: list[str]) -> None:
    lines = lines_of(*texts)
    dated = [bool(wording.DATE.search(text)) for text in lines.lower_starts]

    assert match_dates(lines, np.ones(len(texts), bool)).tolist() == dated


@pytest.mark.parametrize(
    ("text", "ends"),
    [("it rained.", True), ("it rained.”)", True), ("", False), ("”", False), ("rain,", False)],
)
def test_a_sentence_may_end_inside_quotes_and_brackets(text: str, ends: bool) -> None:
    assert ends_sentence(text) == ends
