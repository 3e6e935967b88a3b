import re
from collections.abc import Callable
from html import escape, unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.growth import assert_linear
from webclean_scrapy.cleaning.output.markdown_output import render_markdown
from webclean_scrapy.cleaning.page.footnotes import NOTE

# The constants of the package, by value: a change of one fails here.
MAX_DEPTH = 20

NOTES = (
    f'<p>a<sup><a href="#{NOTE}1">[a]</a></sup> b</p><ul><li id="{NOTE}1"><p>c</p><p>d</p></li>'
    f'<li>e</li></ul><p id="{NOTE}2">f</p>'
)
COMMONMARK = MarkdownIt("commonmark").enable(["table", "strikethrough"])


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<table><caption>c</caption><tr><td><p>1</p><p>2</p></td></tr></table>",
         "c\n\n|  |\n| --- |\n| 1<br>2 |"),
        ('<p><img src="p.jpg" alt="a|b" title="A &quot;pier&quot;"><img title="x"></p>',
         '![a|b](p.jpg "A \\"pier\\"")![]()'),
        # cells of a table in a cell are parted
        (("<table><tr><td>a<br>b</td><td><table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr>"
         "</table></td></tr></table>"),
         "|  |  |\n| --- | --- |\n| a<br>b | 1, 2<br>3 |"),
        (f'<p><a href="#{NOTE}1]: &lt;b>">a</a></p>', f"[a](#{NOTE}1]:%20%3Cb%3E)"),
        # what stands behind the rows is no part of a cell
        ("<table><tr><td>1</td></tr><caption>c</caption></table>", "c\n\n|  |\n| --- |\n| 1 |"),
        (f'<ul><li>a</li><li id="{NOTE}1">b</li></ul>', "- a\n\n[^1]: b"),
        (NOTES,
         "a[^1] b\n\n[^1]: c\n\n    d\n\n- e\n\n[^2]: f"),
    ],
)  # fmt: skip
def test_clean_html_becomes_markdown(html: str, markdown: str) -> None:
    assert render_markdown(html) == (f"{markdown}\n" if markdown else "")


@pytest.mark.parametrize("block", ["<p>{}</p>", "<table><tr><td>{}</td><td></td></tr></table>"])
@given(text=st.text("ab1 \\`*_[]()<>&;#~|!-+=.:é正\n", min_size=1, max_size=16))
def test_every_text_comes_back_as_it_was(block: str, text: str) -> None:
    shown = render_markdown(block.format(escape(text).replace("\n", "<br>")))
    html = COMMONMARK.render(shown)
    found = re.sub(r"\s", "", unescape(re.sub(r"<[^>]*>", "", html)))
    assert found == re.sub(r"\s", "", text)
    assert not re.search("<(?!/?(?:p|br|table|t[rdh]|thead|tbody)\\b)", html)


@given(
    html=st.recursive(
        st.just("é"),
        lambda inner: st.builds(
            "<{0}>{1}</{0}>".format,
            st.sampled_from("a b code dd dl dt em h2 kbd li ol p pre sup table td tr ul".split()),
            st.lists(inner, min_size=1, max_size=3).map("".join),
        ),
    )
)
def test_elements_in_any_order_lose_no_text(html: str) -> None:
    assert render_markdown(f"<p>a</p>{html}").count("é") == html.count("é")


def test_the_title_is_the_first_heading() -> None:
    assert render_markdown("<p>a</p>", "One *two*") == "# One \\*two\\*\n\na\n"


def test_the_title_stands_there_once_and_headings_leave_out_no_level() -> None:
    html = "".join(f"<h{level}>{text}</h{level}>" for level, text in ((1, "One: TWO"), (3, "a"),
                   (6, "b"), (3, "c"), (2, "d"), (4, "e"), (1, "f")))  # fmt: skip
    assert re.findall("#+ .*", render_markdown(html, "One two")) == [
        "# One two", "## a", "### b", "## c", "## d", "### e", "## f",
    ]  # fmt: skip
    assert re.findall("#+ .*", render_markdown(html[html.index("<h3>") :])) == [
        "### a", "#### b", "### c", "## d", "### e", "# f",
    ]  # fmt: skip


def test_any_depth_is_written_and_lines_do_not_grow_with_it() -> None:
    shown = render_markdown("<blockquote>" * 1500 + "<p>x</p>" + "</blockquote>" * 1500)
    assert shown == "> " * MAX_DEPTH + "x\n"


@pytest.mark.parametrize("cell", ["<td>", '<td colspan="50" rowspan="50">'])
def test_a_table_is_not_much_longer_than_its_cells(cell: str) -> None:
    wide = f"<tr>{f'{cell}a</td>' * 1_000}</tr>" + "<tr><td>b</td></tr>" * 1_000
    assert len(render_markdown(f"<table>{wide}</table>")) < 500_000


@pytest.mark.parametrize(
    "page",
    [
        lambda size: "<ul>" + "<li>a <b>b</b> `" * size + "</ul>",
        lambda size: "".join(f'<p>a <img src="{n}.png"></p>' for n in range(size)),
        lambda size: "<blockquote>" * (size // 5) + "<p>a</p>" * size,
        lambda size: "<table>" + "<tr><td>a</td><td>b</td></tr>" * size + "</table>",
    ],
    ids=["list", "pictures", "quotes", "table"],
)
def test_a_long_page_takes_time_in_proportion(page: Callable[[int], str]) -> None:
    assert_linear(render_markdown, page, 1_000)
