from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webclean_scrapy.cleaning.body import line_patterns
from webclean_scrapy.cleaning.page.line_parts import PARTS, bits_of, find_parts

if TYPE_CHECKING:
    from collections.abc import Sequence

PATTERNS = sorted(PARTS.keys() - {"DIGIT"})
ANYWHERE = {"CAPTION", "PLACEHOLDER", "PROMPT", "RIGHTS"}  # the others match from the start


def held(name: str, texts: Sequence[str]) -> list[bool]:
    found: list[bool] = (find_parts(texts) & bits_of(name) > 0).tolist()
    return found


@pytest.mark.parametrize("name", PATTERNS)
@settings(max_examples=40)
@given(data=st.data())
def test_every_match_of_a_pattern_holds_one_of_its_parts(name: str, data: st.DataObject) -> None:
    pattern = getattr(line_patterns, name)
    text = data.draw(st.from_regex(pattern)).lower()
    if pattern.search(text) if name in ANYWHERE else pattern.match(text):
        assert any(part in text for part in PARTS[name])


@pytest.mark.parametrize("name", sorted(PARTS))
def test_a_part_is_found_wherever_it_stands(name: str) -> None:
    for part in PARTS[name]:
        for before in ("", "x", "雨", "xé"):
            assert held(name, ["fog", before + part, part + "y", ""]) == [False, True, True, False]


def test_a_part_is_not_found_across_two_texts() -> None:
    assert held("PROMPT", ["accept coo", "kies", "cookie"]) == [False, False, True]
    assert held("DIGIT", []) == []


def test_a_text_may_have_a_nul_in_it() -> None:
    assert held("DIGIT", ["a\0b", "\0", "7"]) == [False, False, True]


def test_parts_are_found_at_the_edges_of_what_is_read_at_a_time() -> None:
    size = 1 << 16
    for place in range(size - 6, size + 6):
        assert held("PROMPT", ["x" * place + "cookie"]) == [True]
    words = random.Random(15).choices(["ferry ", "fog ", "雨 ", "cookie "], k=40_000)
    texts = ["".join(words[at : at + 20]) for at in range(0, len(words), 20)]
    assert held("PROMPT", texts) == ["cookie" in text for text in texts]
