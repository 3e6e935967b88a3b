from __future__ import annotations

import numpy as np
import pytest
from hypothesis import strategies as st

from webclean_scrapy.cleaning.body.wording import ends_sentence, is_prompt, match
from webclean_scrapy.cleaning.page.lines import Lines

ASCII = st.characters(max_codepoint=127)


def lines_of(*texts: str) -> Lines:
    rows = list(range(len(texts)))
    return Lines(first=rows, last=rows, text=list(texts))


@pytest.mark.parametrize(
    "text", ["accept cookies", "please scan: 扫码", "« back", "more >> ", "→", " << first\n"]
)
def test_requests_and_arrows_are_prompts(text: str) -> None:
    lines = lines_of("a << b → cookiesheet", text)

    assert match(is_prompt, lines, np.ones(2, bool)).tolist() == [False, True]


@pytest.mark.parametrize(
    ("text", "ends"),
    [("it rained.", True), ("it rained.”)", True), ("", False), ("”", False), ("rain,", False)],
)
def test_a_sentence_may_end_inside_quotes_and_brackets(text: str, ends: bool) -> None:
    assert ends_sentence(text) == ends
