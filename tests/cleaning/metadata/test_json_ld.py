import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.growth import assert_linear
from webclean_scrapy.cleaning.metadata.json_ld import read_authors, read_json_ld, strings

ARTICLE = {"@type": "NewsArticle", "headline": "Ferry late"}
PLAIN = json.dumps(ARTICLE)


@pytest.mark.parametrize(
    "block",
    [
        PLAIN,
        f"\ufeff\n {PLAIN};\n",
        f"<!-- {PLAIN} -->",
        f"//<![CDATA[\n{PLAIN}\n//]]>",
        f'{{"@context": "x", "@graph": [{PLAIN}]}}',
        PLAIN.replace('"}', '",}'),
        PLAIN.replace('"', "&quot;"),
    ],
)
def test_wrapped_and_broken_blocks_are_read(block: str) -> None:
    assert read_json_ld([block]) == [ARTICLE]


def test_control_characters_and_false_escapes_in_strings_are_read() -> None:
    block = '{"@type": "Article", "headline": "It\\\'s\n\ta \\u00zz"}'

    assert strings(read_json_ld([block])[0]["headline"]) == ["It's a \\u00zz"]


def test_articles_come_first_and_objects_in_a_row_all_count() -> None:
    block = f'{{"@type": "WebSite", "name": "Post"}}{PLAIN}'

    assert [node["@type"] for node in read_json_ld([block])] == ["NewsArticle", "WebSite"]


def test_what_stands_before_a_fault_is_kept() -> None:
    assert read_json_ld([f'{PLAIN} {{"@type": "Person", oops'])[0] == ARTICLE


def test_the_article_inside_a_page_is_found() -> None:
    page = {"@type": "WebPage", "mainEntity": ARTICLE, "author": {"@type": "Person"}}

    assert read_json_ld([json.dumps(page)]) == [ARTICLE, page]


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


@pytest.mark.parametrize(
    ("value", "texts"),
    [
        ("  Ann \n Lee ", ["Ann Lee"]),
        ([{"name": ["Ann", "Bo"]}, "Cy", 3, None], ["Ann", "Bo", "Cy"]),
        ("a\ud800b\0", ["a?b"]),
        ({"name": {"name": {"name": "deep"}}}, ["deep"]),
        ({"givenName": "Ann", "familyName": "Lee"}, ["Ann Lee"]),
        ([[{"name": {"@value": "Ann Lee"}}]], ["Ann Lee"]),
        (["x"] * 1_000, ["x"] * 49),
    ],
)
def test_texts_are_found_in_every_form_of_a_property(value: object, texts: list[str]) -> None:
    assert strings(value) == texts


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.sampled_from(["@type", "@graph", "a"]), inner)
    ),
)


@given(st.lists(JSON.map(json.dumps) | st.text()))
def test_nothing_is_ever_raised(blocks: list[str]) -> None:
    assert all("@type" in node for node in read_json_ld(blocks))


NAMED = '"author": {"@type": "Person", "name": "Ann Lee"}, "datePublished": "2026-02-03"'
BROKEN = (
    f'/* made by hand */ {{"@type": "NewsArticle", "headline": "Ferry late", {NAMED}}}',
    f'{{"@type": "NewsArticle", // theirs\n"headline": "Ferry late", {NAMED}}}',
    f'{{"@type": "NewsArticle", "headline": "Ferry late", "about": "the "Ann"", {NAMED}}}',
    f'{{"@type": "NewsArticle" "headline": "Ferry late" {NAMED}}}',
    f'{{"@type": "NewsArticle", "headline": "Ferry late", {NAMED}, "articleBody": "It was',
    f'[{{"@type": "NewsArticle", "headline": "Ferry late", "image": , {NAMED}}}]',
    f'{{"@type": ["NewsArticle"], "headline": "Ferry late", "image": [}}, {NAMED}}}'.replace(
        '"', "'"
    ),
    f'data = {{{NAMED}, "@type": "NewsArticle", "headline": "Ferry late"}};',
)


@pytest.mark.parametrize("block", BROKEN)
def test_of_an_article_that_is_no_json_title_date_and_author_are_read(block: str) -> None:
    nodes = read_json_ld([block])

    assert nodes[0]["headline"] == "Ferry late"
    assert nodes[0]["datePublished"] == "2026-02-03"
    assert read_authors(nodes)[1] == ["Ann Lee"]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ('"Ferry "Ann" late"', 'Ferry "Ann" late'),
        ('"The "Ann", a ferry, is late"', 'The "Ann", a ferry, is late'),
        ('"It\\u2019s late"', "It’s late"),
        ('"Ferry la', None),
    ],
)
def test_a_text_without_its_end_is_not_read(written: str, read: str | None) -> None:
    block = f'{{"image": , "@type": "Article", "headline": {written}'
    assert [node.get("headline") for node in read_json_ld([block])] == [read]


def test_escapes_of_javascript_are_those_of_json() -> None:
    assert read_json_ld([PLAIN.replace("late", r"l\x61te")]) == [ARTICLE]


def test_authors_of_a_broken_block_are_the_articles() -> None:
    review = '"review": {"author": {"name": "Guest"}}'

    assert read_authors(read_json_ld([f'{{"@type": "Product", , {review}}}'])) == ([], [], [])
    assert read_authors(read_json_ld([f'{{"@type": "Article", , {review}}}'])) == ([], [], [])


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


def test_a_list_of_json_ld_is_read() -> None:
    assert strings({"@list": [{"name": "Ann Lee"}, "Bo Ek"]}) == ["Ann Lee", "Bo Ek"]
