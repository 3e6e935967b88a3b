import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.growth import assert_linear
from webclean_scrapy.cleaning.metadata.json_ld import read_json_ld, strings

ARTICLE = {"@type": "NewsArticle", "headline": "Ferry late"}
PLAIN = json.dumps(ARTICLE)


@pytest.mark.parametrize(
    "block",
    ["", "null", "12", '"text"', "{", "[" * 20_000, '{"a":' * 20_000, "x" * 40_000, "1" * 9_999],
    ids=len,
)
def test_blocks_that_cannot_be_mended_are_left_out(block: str) -> None:
    assert read_json_ld([block, PLAIN]) == [ARTICLE]


@pytest.mark.parametrize("unit", ["[", '{"a":', "x", "1", '[{"a":1},', f"{PLAIN} ", "\\"])
def test_long_blocks_take_time_in_proportion(unit: str) -> None:
    assert_linear(read_json_ld, lambda size: [unit * size, PLAIN], 2_000)


def test_the_number_of_objects_is_limited() -> None:
    assert len(read_json_ld([json.dumps([ARTICLE] * 5_000)] * 3)) <= 500


def test_texts_of_a_property_are_valid_and_not_too_many() -> None:
    assert strings("a\ud800b\0") == ["a?b"]
    assert strings(["x"] * 1_000) == ["x"] * 49


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.sampled_from(["@type", "@graph", "a"]), inner)
    ),
)


@given(st.lists(JSON.map(json.dumps) | st.text()))
def test_nothing_is_ever_raised(blocks: list[str]) -> None:
    assert all("@type" in node for node in read_json_ld(blocks))


@pytest.mark.parametrize(
    "unit", ['"author": "', '"headline": "a" b ', "'@type': 'Article' ", '"name"']
)
def test_a_broken_block_takes_time_in_proportion(unit: str) -> None:
    assert_linear(
        lambda block: read_json_ld([block]), lambda size: '{"@type": "Article", ' + unit * size, 500
    )


@pytest.mark.parametrize("begin", ['{"@type": "Article", ', '{"@type": '])
def test_blanks_in_a_broken_block_take_time_in_proportion(begin: str) -> None:
    assert_linear(lambda block: read_json_ld([block]), lambda n: f"{begin}{' ' * n}x", 2_000)
