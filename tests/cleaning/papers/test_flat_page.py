import itertools
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.growth import assert_linear
from tests.toml_files import read_toml
from webclean_scrapy.cleaning.papers.flat_page import best_stretch, flat_page
from webclean_scrapy.cleaning.parsed_page import ParsedPage

TABLES = read_toml(Path(__file__).with_name("tables.toml"))


def flat(html: str) -> ParsedPage:
    return flat_page(html.encode(), "http://a.example/")


def lines(html: str) -> list[str]:
    return flat(html).table.lines.text


def tags(html: str) -> list[str]:
    """Return the elements of the body."""
    table = flat(html).table
    return [tag for tag in table.tag[table.tag.index("body") + 1 :] if tag != "#text"]


def test_lines_are_cut_at_blocks_and_line_breaks() -> None:
    html = "<div>one <b>and</b> more<p>two<br>three</div>four<table><tr><td>five<td>six"

    assert lines(html) == ["one and more", "two", "three", "four", "five", "six"]
    assert tags(html) == ["p"] * 6


@pytest.mark.parametrize(("html", "elements", "found"), TABLES["flat_pages"])
def test_text_and_block_marks_are_kept(html: str, elements: list[str], found: list[str]) -> None:
    assert (tags(html), lines(html)) == (elements, found)


def test_links_are_kept_with_their_address_alone() -> None:
    table = flat("<p>see <a class=x href='/a?b=\"c\"&amp;d' onclick=y()>here</a> now").table
    link = table.node[table.tag.index("a")]

    assert dict(link.attrib) == {"href": '/a?b="c"&d'}


def test_a_link_that_was_left_open_ends_with_its_line() -> None:
    table = flat("<a href=/x>one<p>" + "A long story that goes on. " * 60 + "<p>the end").table

    assert table.link_length(0) == len("one")


def test_what_the_head_states_is_read_as_ever() -> None:
    head = flat(
        "<html lang=de><head><title>A &amp; B</title><meta name=author content='Ada \"A\" Marsh'>"
        "<meta property=og:type content=article><base href=/site/>"
        '<script type=\'application/ld+json\'>{"@type": "NewsArticle", '
        '"datePublished": "2026-02-03"}</script></head><body><p>x'
    ).head

    assert head.titles == ("A & B",)
    assert head.authors == ('Ada "A" Marsh',)
    assert (head.lang, head.og_type, head.types) == ("de", "article", ("NewsArticle",))
    assert head.published == ("2026-02-03",)


def test_too_many_lines_are_put_together_and_none_is_lost() -> None:
    story = "The pier was closed on Monday, and nobody knows for how long. " * 8
    html = "<h1>Head</h1>" + "".join(f"<p>{at}" for at in range(50_000)) + f"<p>{story}</p><p>z"
    found = lines(html)

    assert len(found) <= 20_001
    assert found[0] == "Head"
    assert story.strip() in found
    assert " ".join(found).split() == ["Head", *map(str, range(50_000)), *story.split(), "z"]


def test_a_menu_of_too_many_links_stays_a_block_and_loses_no_text() -> None:
    table = flat("".join(f"<a href=/{at}>{at}</a> " for at in range(30_000)) + "<p>text").table

    assert table.tag.count("a") == 20
    assert " ".join(table.lines.text).split() == [*map(str, range(30_000)), "text"]
    assert table.link_length(0) > 0.99 * table.text_length(0)


def test_too_many_links_in_prose_are_written_as_their_text() -> None:
    html = "".join(f"The keeper of the pier wrote <a href=/{at}>{at}</a>, " for at in range(4_000))
    table = flat(html).table

    assert table.link_length(0) == 0
    assert len(table.lines) == 1


WORDS = [f"word{at}" for at in range(6)]
# What may come between paragraphs: whole, or left open with nothing on the page that ends it.
_WHOLE = [
    "<!-- c <p> -->", "<script>a<b; '<p>'</script>", "<style>p>a{}</style>", "<svg><g></svg>",
    "<div>", "</div>", "</p></i>", "<b", "<a href=/x>", "</a>", "<ul><li>", "<td>", "&amp;&#0;",
    "<", "<3", "</", "<!doctype html>", "<?php ?>", "<![CDATA[x]]>", "<h1>", "<pre>",
    "\x00\x01\x04",
    "<select><option>a</select>", "<title>t</title>", "<base href=//[bad>",
    "<meta name=a content>",
    "<p a=1 b='2' c=\"3\">", "<br/>", "<a title='a > b'>", "\u202e", "<html lang=>", "text",
]  # fmt: skip
_OPEN = ["<!--", "<script>", "<style>", "<svg>", "<noscript>", "<textarea>", "<template>", "<map>"]


def soup(pieces: list[str]) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(pieces), max_size=4).map("".join)


@pytest.mark.parametrize("pieces", [_WHOLE, _OPEN], ids=["whole", "left open"])
def test_every_word_of_a_plain_paragraph_is_kept_whatever_is_around_it(pieces: list[str]) -> None:
    @given(st.lists(soup(pieces), min_size=len(WORDS), max_size=len(WORDS)))
    def check(between: list[str]) -> None:
        html = "".join(f"{a}<p>{b}</p>" for a, b in zip(between, WORDS, strict=True))
        assert [word for word in WORDS if not any(word in line for line in lines(html))] == []

    check()


@given(st.lists(st.sampled_from([*_WHOLE, *_OPEN, "-->", "'", '"', ">", "=", "</script>"])))
def test_any_soup_gives_a_bounded_page(pieces: list[str]) -> None:
    html = "".join(pieces)
    table = flat(html).table

    assert max(table.arrays.depth) <= 4
    assert sum(map(len, table.lines.text)) <= len(html) + len(table.lines)


SHAPES: dict[str, Callable[[int], str]] = {
    "deep": lambda n: "<div>" * n,
    "wide": lambda n: "<br>" * n,
    "attributes": lambda n: f"<i {' '.join(f'a{at}=1' for at in range(n))}>",
    "comments": lambda n: "<!--" * n,
    "quotes": lambda n: "<a b='" * n,
    "tags": lambda n: "<div " * n,
    "links": lambda n: "<a href=/x>link text</a> " * n,
    "scripts": lambda n: "<script>" * n,
}


@pytest.mark.parametrize("make", SHAPES.values(), ids=SHAPES)
def test_a_shape_made_to_hang_a_parser_keeps_the_text_after_it(make: Callable[[int], str]) -> None:
    def work(html: str) -> None:
        assert "The pier is closed." in lines(html)

    assert_linear(work, lambda size: make(size) + "<p>The pier is closed.</p>", 1_000)


gains = st.lists(st.integers(-9, 9), max_size=30)


@given(gains)
def test_the_best_stretch_has_the_greatest_sum_there_is(values: list[int]) -> None:
    every = [sum(values[i:j]) for i, j in itertools.combinations(range(len(values) + 1), 2)]
    found = best_stretch(values)

    if max(every, default=0) <= 0:
        assert found == range(len(values))
    else:
        assert sum(values[found.start : found.stop]) == max(every)
