import unicodedata
from collections.abc import Callable
from html import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from tests.growth import assert_linear
from tests.reading import table_of
from webclean_scrapy.cleaning.page.parse import parse
from webclean_scrapy.cleaning.page.table import build_table
from webclean_scrapy.cleaning.page.tags import BLOCK_TAGS, DROPPED_TAGS
from webclean_scrapy.cleaning.page.units import text_units
from webclean_scrapy.cleaning.page.walk import TEXT
from webclean_scrapy.errors import PageTooLargeError

SENTENCE = "A sentence that is long enough to be told from a label, with its full stop at the end."
CHARACTERS = "ab.正字é \t\n\xa0\u3000\u200b\u202e\u00ad\u200d\x07\ue001"
TEXTS = st.text(CHARACTERS, max_size=6)
TREES = st.recursive(
    TEXTS.map(escape) | st.sampled_from(["<br>", "<img src=x>", "<script>hidden</script>"]),
    lambda inner: st.builds(
        lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag}>",
        st.sampled_from(["div", "p", "span", "a href=x", "b", "ul", "li", "td", "pre", "other"]),
        st.lists(inner, max_size=4),
    ),
    max_leaves=25,
)


def texts(html: str) -> list[str]:
    return table_of(html).lines.text


def linked(html: str) -> str:
    """The text inside links."""
    table = table_of(html)
    return "".join(text for text, inside in zip(table.text, table.link, strict=True) if inside)


def test_rows_are_elements_and_texts_in_document_order() -> None:
    table = table_of("<div class='Main Text' id=Top>one<b>two</b> three</div>")
    assert table.tag == ["html", "body", "div", TEXT, "b", TEXT, TEXT]
    assert table.parent == [-1, 0, 1, 2, 2, 4, 2]
    assert table.end == [7, 7, 7, 4, 6, 6, 7]
    assert table.arrays.depth.tolist() == [0, 1, 2, 3, 3, 4, 3]
    assert table.text == ["", "", "", "one", "", "two", " three"]
    assert [node.tag for node in table.node] == ["html", "body", "div", "div", "b", "b", "b"]
    assert (table.classes[2], table.ident[2]) == ("main text", "top")
    assert (table.classes[3], table.ident[3]) == ("", "")
    assert len(table) == 7
    assert table.lines.text == ["onetwo three"]
    assert (table.lines.first, table.lines.last) == ([3], [6])
    assert table.lines.container == [2]


def test_meta_and_link_elements_are_no_rows_but_the_text_behind_them_is() -> None:
    table = table_of("<meta name=a><link rel=b><div>one<link>two<meta><b>three</b></div>")

    assert table.tag == ["html", "head", "body", "div", TEXT, TEXT, "b", TEXT]
    assert table.lines.text == ["onetwothree"]


@pytest.mark.parametrize("hidden", ["\u200b", "\u202e", "\ufeff", "\u00ad", "\x07", "\u200d"])
def test_characters_that_show_nothing_make_no_line_and_do_not_measure(hidden: str) -> None:
    assert texts(f"<p>{hidden}</p><p> {hidden} </p>") == []
    if hidden != "\u200d":  # shapes the word it is in
        table = table_of(f"<p>on{hidden}e{hidden}</p>")
        assert (table.lines.text, table.lines.units) == (["one"], [3])


def test_pre_keeps_its_line_breaks_and_indents_as_one_line() -> None:
    html = "<pre>\n\n  def f():\n\t<b>return</b> <i>1</i>\n\n</pre>"
    assert texts(html) == ["  def f():\n\treturn 1"]
    assert table_of(html).lines.units == [len("def f():") + len("return") + len("1")]


def test_the_text_of_head_is_no_line_and_the_second_html_survives() -> None:
    assert texts("<head><title>Title</title></head><body>one") == ["one"]
    second = "<html><head><title>again</title></head><body><p>two</p></body></html>"
    assert texts(f"<html><body><p>one</p>{second}</body></html>") == ["one", "two"]
    assert texts("<head><my-app><p>in an unknown element</p></my-app></head>") == [
        "in an unknown element"
    ]


@pytest.mark.parametrize("tag", DROPPED_TAGS)
def test_what_is_never_page_is_dropped_and_the_text_behind_it_stays(tag: str) -> None:
    root = etree.fromstring(f"<html><body>a<{tag}>hidden<b>x</b></{tag}>b<p>c</p></body></html>")
    table = build_table(root)
    assert table.lines.text == ["ab", "c"]
    assert tag not in table.tag


def test_links_measure_and_the_a_itself_is_not_inside() -> None:
    table = table_of("<p>one <a href=x>two <b>three</b></a> four</p>")
    row = table.tag.index("a")
    assert not table.link[row]
    assert all(table.link[row + 1 : table.end[row]])
    assert not any(table.link[table.end[row] :])
    assert (table.lines.units, table.lines.link_units) == ([3 + 3 + 5 + 4], [8])
    assert (table.text_length(0), table.link_length(0), table.plain_length(0)) == (15, 8, 7)


def test_an_a_left_open_is_no_link() -> None:
    page = f"<div><p>{SENTENCE}</p><p>{SENTENCE}</p><p>{SENTENCE}</p></div>"
    assert linked(f"<a name=top>{page}") == ""
    two = f"<p>label</p><p>{SENTENCE}</p><p>label</p><p>{SENTENCE}</p><p>{'label ' * 10}</p>"
    assert linked(f"<a name=top>{two}") == ""
    assert linked(f"<div><a href=x>{page} <a href=y>More</a></div>") == "More"
    assert linked(f"<a href=x>{'word ' * 30}{SENTENCE}</a>") == ""  # one line, all of it


def test_a_card_is_a_link() -> None:
    card = f"<h3>Headline</h3><p>{SENTENCE * 3}</p><p>3 March</p>"
    assert linked(f"<a href=x>{card}</a>") == f"Headline{SENTENCE * 3}3 March"
    assert linked(f"<a href=x>{'label, ' * 40}</a>") == ("label, " * 40).strip()
    assert linked(f"<a href=x>{SENTENCE}</a>") == SENTENCE


def visible(root: etree._Element) -> str:
    """The characters of the page that show something, in order, by another way."""
    strings = root.xpath("//text()[not(ancestor::script) and not(ancestor::title)]")
    assert isinstance(strings, list)
    return "".join(map(shown, map(str, strings)))


def shown(text: str) -> str:
    hidden = {"Cc", "Cf"}
    text = "".join("" if unicodedata.category(c) in hidden and not c.isspace() else c for c in text)
    return "".join(text.split())


@given(TREES)
def test_every_visible_character_stands_in_exactly_one_line(html: str) -> None:
    table = table_of(html)
    assert shown("".join(table.lines.text)) == visible(parse(html))
    assert shown("".join(table.text)) == visible(parse(html))
    rows = [row for row, tag in enumerate(table.tag) if tag == TEXT]
    inside = [
        row
        for first, last in zip(table.lines.first, table.lines.last, strict=True)
        for row in range(first, last + 1)
        if table.tag[row] == TEXT
    ]
    assert inside == rows
    assert all(table.text[row].strip() for row in rows)


@given(TREES)
def test_sums_agree_with_counting(html: str) -> None:
    table = table_of(html)
    lines = table.lines
    for row in range(len(table)):
        inside = range(row, table.end[row])
        units = [text_units(" ".join(table.text[at].split())) for at in inside]
        assert table.text_length(row) == sum(units)
        assert table.link_length(row) == sum(
            size for at, size in zip(inside, units, strict=True) if table.link[at]
        )
        assert list(table.lines_in(row)) == [
            line for line, first in enumerate(lines.first) if first in inside
        ]
    assert sum(lines.units) == table.text_length(0)
    assert sum(lines.link_units) == table.link_length(0)


@given(TREES)
def test_children_ancestors_ends_and_depths_agree(html: str) -> None:
    table = table_of(html)
    for row in range(len(table)):
        above = table.ancestors(row)
        assert len(above) == table.arrays.depth[row]
        assert all(at < row < table.end[at] for at in above)
        assert all(table.parent[child] == row for child in table.children(row))
        assert sum(up == row for up in table.parent) == len(table.children(row))
        if table.tag[row] == TEXT:
            assert table.end[row] == row + 1
    for line, box in enumerate(table.lines.container):
        first = table.lines.first[line]
        blocks = [at for at in table.ancestors(first) if table.tag[at] in BLOCK_TAGS]
        assert box == (blocks[0] if blocks else 0)


def test_a_tree_of_two_thousand_levels() -> None:
    table = table_of("<div>" * 1_990 + "end")
    assert table.lines.text == ["end"]
    assert max(table.arrays.depth) > 1_990
    nested = "<a href=x><div>" * 900 + "<p>label</p>" * 2_000
    assert table_of(nested).link_length(0) == 5 * 2_000


def test_many_links_in_one_line_and_around_paragraphs() -> None:
    table = table_of("<a href=x>word</a> " * 10_000)
    assert len(table.lines) == 1
    assert table.link_length(0) == 40_000
    unclosed = table_of(f"<a href=x><p>{SENTENCE}</p>" * 1_000)
    assert unclosed.text_length(0) == 1_000 * text_units(SENTENCE)


def test_white_space_does_not_add_up() -> None:
    blanks = "<b>\n</b>" * 10_000
    assert texts(f"<p>a{blanks}b") == ["a b"]
    assert texts(f"<pre>a{blanks}b</pre>") == ["a" + "\n" * 10_000 + "b"]


LARGE_PAGES: dict[str, Callable[[int], str]] = {
    "links around levels": lambda n: "<a href=x><div>" * (n // 10) + "<p>label</p>" * n,
    "links in a line": lambda n: "<a href=x>word</a> " * n,
    "links around paragraphs": lambda n: f"<a href=x><p>{SENTENCE}</p>" * n,
    "blanks": lambda n: "<p>a" + "<b>\n</b>" * n,
    "blanks that stay": lambda n: "<pre>a" + "<b>\n</b>" * n,
    "buttons in each other": lambda n: "<p>x" + "<button>" * (n // 10) + "<i>a</i>" * n,
    "open drawings": lambda n: "<svg><p>x<p>y" * (n // 10) + "<i>a</i>" * n + "<p>z",
}


@pytest.mark.parametrize("page", LARGE_PAGES.values(), ids=LARGE_PAGES)
def test_a_table_is_built_in_proportion_to_the_page(page: Callable[[int], str]) -> None:
    assert_linear(build_table, lambda size: parse(page(size)), 1_000)


def test_lines_that_a_style_keeps_count_among_those_of_a_page() -> None:
    kept = parse("<p style='white-space: pre-line'>" + "a line\n" * 50)
    with pytest.raises(PageTooLargeError):
        build_table(kept, most_lines=20)
