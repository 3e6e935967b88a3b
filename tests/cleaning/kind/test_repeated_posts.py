from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.growth import assert_linear
from tests.reading import OTHER_SENTENCE, PARAGRAPH, SENTENCE, line_of, table_of, trees
from webclean_scrapy.cleaning.kind.text_signs import Repeats, find_repeats
from webclean_scrapy.cleaning.page.table import PageTable

LONG = f"{SENTENCE} {OTHER_SENTENCE} " * 4


def post(author: str, date: str = "2026-03-02 10:20", text: str = SENTENCE, head: str = "") -> str:
    link = f"<a href=/u>{author}</a>" if author else ""
    return f"<div class=post>{head}<i>{link} {date}</i><p>{text}</p></div>"


def repeats_of(html: str, kept: Sequence[int] | None = None) -> Repeats:
    table = table_of(html)
    lines = range(len(table.lines)) if kept is None else kept
    return find_repeats(table, lines, table.paragraph_weights)


def share_of(html: str, kept: Sequence[int] | None = None) -> float:
    return repeats_of(html, kept).posts


def test_posts_are_like_elements_with_a_date_and_an_author_each() -> None:
    posts = post("ann") + post("lee")

    assert share_of(posts) == 1.0
    assert 0.6 < share_of(posts + PARAGRAPH) < 0.8


def with_heads(one: str, other: str) -> str:
    return post("ann", head=f"<h3>{one}</h3>") + post("lee", head=f"<h3>{other}</h3>")


FOOT = "<a href=#q>Quote</a> <a href=#r>Report</a>"  # links that all have are no authors


@pytest.mark.parametrize(
    ("html", "share"),
    [
        (post("ann"), 0.0),
        (post("ann") + post("lee", "no date"), 0.0),
        (post("", "14:20") + post("", "14:55"), 0.0),  # a live ticker
        (post("ann") + post("ann"), 0.0),  # one writer's notes
        (post("", text=f"{FOOT}<p>{SENTENCE}") * 3, 0.0),
        # a time that is told from now is a date
        (post("ann", "3 hours ago") + post("lee", "3 hours ago"), 1.0),
        (post("ann", "昨天 13:25") + post("lee", "昨天 13:25"), 1.0),
        # with headings of their own they are teasers or articles
        (with_heads("A winter on the rock", "Paint for the railing"), 0.0),
        (with_heads("Soft planks", "Re: Soft planks"), 1.0),
    ],
)
def test_posts_have_a_date_and_an_author_each_and_no_headings(html: str, share: float) -> None:
    assert share_of(html) == share


def entry(number: int, href: str = "/p") -> str:
    title = f"<a href={href}>Note {number}</a>" if href else f"Note {number}"
    return post("", f"2026-03-0{number}", head=f"<h2>{title}</h2>")


def test_entries_stand_under_a_heading_each_that_leads_on() -> None:
    assert repeats_of(entry(1) + entry(2) + entry(3)) == (0.0, 1.0)
    assert repeats_of(entry(1) + entry(2)).entries == 0.0  # an article and another behind it
    assert repeats_of(entry(1, "") + entry(2, "") + entry(3, "")).entries == 0.0  # a diary
    assert repeats_of(entry(1) * 3).entries == 0.0
    assert repeats_of(f"<div>{PARAGRAPH * 9}</div>" + "".join(map(entry, range(1, 4)))).posts == 0


def test_a_body_inside_one_long_post_is_a_post() -> None:
    html = post("ann", text="What?") + post("lee", text=LONG) + post("mia", text="Thanks")

    assert share_of(html, [line_of(table_of(html), SENTENCE)]) == 1.0


def test_posts_behind_an_article_are_its_comments() -> None:
    comments = post("ann") + post("lee")

    assert share_of(f"<div>{PARAGRAPH * 2}</div>{comments}") > 0.4
    assert share_of(f"<div>{PARAGRAPH * 5}</div>{comments}") == 0.0
    assert share_of(f"{comments}<div>{PARAGRAPH * 5}</div>") > 0.2


@given(trees(), st.integers(1, 3))
def test_it_is_a_share_on_any_tree(html: str, step: int) -> None:
    table = table_of(html)

    assert all(0.0 <= x <= 1.0 for x in repeats_of(html, range(0, len(table.lines), step)))


def find(table: PageTable) -> float:
    return find_repeats(table, range(len(table.lines)), table.paragraph_weights).posts


def test_deep_and_wide_pages() -> None:
    many = "".join(post(f"w{n}") for n in range(200))
    assert share_of(many) == 1.0
    deep = "<div class=a>" * 250 + (post("ann") + post("lee")) * 20
    assert share_of(deep) > 0.9


@pytest.mark.parametrize(
    "page",
    [
        lambda size: "".join(post(f"w{n}") for n in range(size)),
        lambda size: "<div class=a>" * 250 + (post("ann") + post("lee")) * size,
        lambda size: "<div class=a>" * size + (post("ann") + post("lee")) * size,
    ],
    ids=["wide", "under levels", "deep"],
)
def test_posts_are_found_in_proportion_to_the_page(page: Callable[[int], str]) -> None:
    assert_linear(find, lambda size: table_of(page(size)), 230)
