import re
from collections.abc import Callable, Iterable
from html import escape
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.growth import assert_linear
from tests.reading import squeeze, table_of
from tests.toml_files import read_toml
from webclean_scrapy.cleaning.output.html_output import KEPT_BLOCKS, KEPT_INLINES, render_html
from webclean_scrapy.cleaning.output.text_output import text_lines
from webclean_scrapy.cleaning.page.removals import KeptRows, Removal, line_spans

URL = "http://example.com/a/b.html"
NO_BLOCKS = {"p", "pre", "h1", "h2", "h3", "h4", "h5", "h6"} | KEPT_INLINES
INSIDE = {
    "li": {"ul", "ol"}, "dt": {"dl"}, "dd": {"dl"}, "td": {"tr"}, "th": {"tr"},
    "tr": {"table", "thead", "tbody", "tfoot"}, "tbody": {"table"}, "thead": {"table"},
    "tfoot": {"table"}, "caption": {"table"}, "figcaption": {"figure"},
}  # fmt: skip
NO_TEXT = {"", "ul", "ol", "dl", "table", "thead", "tbody", "tfoot", "tr", "blockquote", "figure"}
TAGS = (
    "div p span b i ul ol li dl dt dd table tr td th thead caption pre h2 blockquote figure "
    "figcaption section code unknown hr"
).split()
TREES = st.recursive(
    st.text('ab<&"正 \n\u200b', max_size=5).map(escape)
    | st.sampled_from(["<br>", "<img src=x>", "<img>"]),
    lambda inner: st.builds(
        lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag.split(' ')[0]}>",
        st.sampled_from([*TAGS, "a href=x", "a href=javascript:x", "a"]),
        st.lists(inner, max_size=4),
    ),
    max_leaves=30,
)


def html_of(html: str, url: str | None = URL) -> str:
    kept_rows = KeptRows(table_of(html))
    return render_html(kept_rows, 0, len(kept_rows.table), url)


def render_text(kept_rows: KeptRows, lines: Iterable[int]) -> str:
    return "\n".join(text for _, text in text_lines(kept_rows, lines))


def text_of(html: str) -> str:
    kept_rows = KeptRows(table_of(html))
    return render_text(kept_rows, range(len(kept_rows.table.lines)))


class Checker(HTMLParser):
    """Reads HTML as it is written: every element closed, in the order of opening."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = [""]
        self.faults: list[str] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        above = self.open[-1]
        if above not in INSIDE.get(tag, {above}):
            self.faults.append(f"<{tag}> in <{above}>")
        if tag in KEPT_BLOCKS and above in NO_BLOCKS:
            self.faults.append(f"block <{tag}> in <{above}>")
        if tag in self.open and tag == "a":
            self.faults.append("a in a")
        if tag not in KEPT_BLOCKS | KEPT_INLINES | {"br", "img"}:
            self.faults.append(f"<{tag}>")
        if tag not in {"br", "img"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.open.pop() != tag:
            self.faults.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        self.texts.append(data)
        if data.strip() and self.open[-1] in NO_TEXT:
            self.faults.append(f"text in <{self.open[-1]}>")


def check(html: str) -> str:
    """Return the text of *html*, which must be properly nested."""
    checker = Checker()
    checker.feed(html)
    checker.close()
    assert checker.faults == [], html
    assert checker.open == [""], html
    assert re.search(r"<(?!td|th)(\w+)(?: [^>]*)?></\1>", html) is None, html
    return squeeze("".join(checker.texts))


@pytest.mark.parametrize("case", read_toml(Path(__file__).with_name("written.toml"))["html"])
def test_blocks_are_nested_properly(case: dict[str, str]) -> None:
    assert html_of(case["markup"].replace("{NINES}", "9" * 5_000)) == case["html"]
    check(case["html"])


def test_dead_rows_are_not_rendered() -> None:
    kept_rows = KeptRows(table_of("<ul><li>one <b>two</b> three<li>four</ul>"))
    bold = kept_rows.table.tag.index("b")
    kept_rows.remove([Removal("line", "test", ((bold, kept_rows.table.end[bold]),))])
    span = (0, len(kept_rows.table))
    assert render_html(kept_rows, *span, URL) == "<ul><li>one three</li><li>four</li></ul>"
    assert render_text(kept_rows, [0, 1]) == "one three\nfour"
    first = kept_rows.table.text.index("one")
    kept_rows.remove([Removal("line", "test", ((first, first + 1),))])
    assert render_html(kept_rows, *span, URL) == "<ul><li>three</li><li>four</li></ul>"
    kept_rows.remove([Removal("line", "test", (span,))])
    assert render_html(kept_rows, *span, URL) == ""
    assert render_text(kept_rows, [0, 1]) == ""


def test_a_link_to_a_footnote_that_is_not_kept_leads_to_that_of_the_page() -> None:
    kept_rows = KeptRows(table_of("a<a id=r href=#n>1</a><p id=n>b <a href=#r>^</a></p>"))
    kept_rows.remove([Removal("line", "test", line_spans(kept_rows.table, [1]))])
    shown = render_html(kept_rows, 0, len(kept_rows.table), URL)
    assert shown == f'<p>a<a href="{URL}#n">1</a></p>'


def test_pictures_go_with_the_text_about_them_and_stay_beside_their_caption() -> None:
    kept_rows = KeptRows(
        table_of(
            "<p>one</p><figure><img src=a.jpg><figcaption>A pier</figcaption></figure>"
            "<div><img src=b.jpg><p>Another story</p></div>"
        )
    )
    texts = [kept_rows.table.text.index(text) for text in ("A pier", "Another story")]
    for at, why in zip(texts, ("caption", "teasers"), strict=True):
        kept_rows.remove([Removal("line", why, ((at, at + 1),))])
    assert render_html(kept_rows, 0, len(kept_rows.table), URL) == (
        '<p>one</p><figure><img src="http://example.com/a/a.jpg" title="A pier"></figure>'
    )


@pytest.mark.parametrize(
    ("beside", "caption"),
    [
        (
            "<figure><p><img src=/blank.png><img src=a.jpg><b>A</b></p><figcaption>B</figure>",
            "A B",
        ),
        ("<figure><p><img src=a.jpg><i>Ada</i></p><img src=b.jpg><i>Bo</i></figure>", "Ada"),
        ("<aside><img src=a.jpg><p>A pier was built.</p></aside>", None),
        ("<div class=related-stories><a href=/b><img src=a.jpg></a><p>A pier.</p></div>", None),
        ("<div><img src=a.jpg><p>A pier was built.</p></div>", ""),
    ],
)
def test_a_picture_beside_removed_text_stays_with_its_caption_but_not_of_another_part(
    beside: str, caption: str | None
) -> None:
    kept_rows = KeptRows(table_of(f"<p>one</p>{beside}<p>two</p>"))
    lines = range(1, len(kept_rows.table.lines) - 1)
    kept_rows.remove([Removal("line", "credit", line_spans(kept_rows.table, lines))])

    html = render_html(kept_rows, 0, len(kept_rows.table), URL)
    assert ("<img" in html) is (caption is not None)
    assert not caption or f'title="{caption}"' in html


@pytest.mark.parametrize(
    ("before", "picture", "removed", "behind", "stays"),
    [
        ("one", "<img src=a.jpg>", "Zoom in", "<p>two</p>", True),
        ("one", "<img src=a.jpg>", "Our sponsor", "", False),
        ("", "<img src=a.jpg alt='The pier'>", "The pier.", "<p>two</p>", True),
    ],
)
def test_a_picture_at_the_head_of_kept_text_or_amid_it_stays_without_the_text_beside_it(
    before: str, picture: str, removed: str, behind: str, *, stays: bool
) -> None:
    html = f"<p>{before}</p><div>{picture}<p>{removed}</p></div>{behind}"
    kept_rows = KeptRows(table_of(html))
    texts = kept_rows.table.lines.text
    lines = [line for line, text in enumerate(texts) if text not in {before, "Ada", "two"}]
    kept_rows.remove([Removal("line", "unlike the body", line_spans(kept_rows.table, lines))])
    captions = [line for line, text in enumerate(texts) if text == "Ada"]
    kept_rows.remove([Removal("line", "caption", line_spans(kept_rows.table, captions))])

    assert ("a.jpg" in render_html(kept_rows, 0, len(kept_rows.table), URL)) == stays


def beside_removed_text(count: int) -> KeptRows:
    kept_rows = KeptRows(table_of(f"<div>a<p>{'<img src=a alt=b>' * count}</p></div><p>c</p>"))
    kept_rows.remove([Removal("line", "credit", line_spans(kept_rows.table, [0]))])
    return kept_rows


def test_pictures_beside_removed_text_take_time_in_proportion() -> None:
    assert_linear(lambda kept: render_html(kept, 0, len(kept.table), URL), beside_removed_text, 900)


@given(TREES, st.lists(st.tuples(st.integers(0, 40), st.integers(0, 9)), max_size=4))
def test_clean_html_is_properly_nested_and_holds_the_text_that_is_left(
    html: str, cuts: list[tuple[int, int]]
) -> None:
    kept_rows = KeptRows(table_of(html))
    size = len(kept_rows.table)
    spans = tuple((min(at, size), min(at + length, size)) for at, length in cuts)
    kept_rows.remove([Removal("test", "cut", spans)])
    text = render_text(kept_rows, range(len(kept_rows.table.lines)))
    assert check(render_html(kept_rows, 0, size, URL)) == squeeze(text)


@given(TREES)
@example("<pre><p>&lt;<br><img src=x>&lt;</p></pre>")
def test_clean_html_is_clean_already(html: str) -> None:
    once = html_of(html)
    again = html_of(once)
    assert check(again) == check(once)
    assert html_of(again) == again


def test_hostile_nesting_does_not_blow_up() -> None:
    deep = "<blockquote><b><a href=x><ul>" * 480 + "text"
    assert check(html_of(deep)) == "text"
    many = "<b><i>" * 400 + "<p>x" * 2_000
    assert len(html_of(many)) < 100 * 2_000
    row = "<table><tr>" + "<td>x" * 5_000
    assert text_of(row).count(" ") == 4_999
    assert html_of(row).count("<td>") == 5_000


LONG_PAGES: dict[str, Callable[[int], str]] = {
    "links of a heading": lambda n: "<h2>a" + "<a href=#>#</a>" * n,
    "buttons": lambda n: "a" + "<button>" * (n // 10) + "<i>a</i>" * n,
    "numbers of lines": lambda n: "<pre>" + "<i class=ln>" * (n // 10) + "<u>1</u>" * n,
    "formulas": lambda n: "<script type=math/tex class=math></script>" * n,
    "pictures": lambda n: "a<div>" + "".join(f"<img src={number}.png>" for number in range(n)),
    "sources": lambda n: "a<picture>" + "<source srcset=a></source>" * n + "<img src=b>" * n,
    "captions": lambda n: "<figure><img src=a><figcaption>a</figcaption></figure>" * n,
    "open inlines": lambda n: "<b><i>" * (n // 20) + "<p>x" * n,
    "cells": lambda n: "<table><tr>" + "<td>x" * n,
}


@pytest.mark.parametrize("page", LONG_PAGES.values(), ids=LONG_PAGES)
def test_a_long_page_takes_time_in_proportion(page: Callable[[int], str]) -> None:
    assert_linear(html_of, page, 2_000)
