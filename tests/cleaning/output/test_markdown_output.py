import re
from collections.abc import Callable
from html import escape, unescape
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.growth import assert_linear
from tests.toml_files import read_toml
from webclean_scrapy.cleaning.output.markdown_output import render_markdown

# The constants of the package, by value: a change of one fails here.
MAX_DEPTH = 20

WRITTEN = Path(__file__).with_name("written.toml")
COMMONMARK = MarkdownIt("commonmark").enable(["table", "strikethrough"])


@pytest.mark.parametrize("case", read_toml(WRITTEN)["markdown"])
def test_clean_html_becomes_markdown(case: dict[str, str]) -> None:
    assert render_markdown(case["html"]) == f"{case['markdown']}\n"


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
