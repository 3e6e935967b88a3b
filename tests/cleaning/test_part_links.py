"""The links of a page to other pages of its article, by the form of their addresses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.growth import assert_linear
from webclean_scrapy.cleaning.page.raw_page import RawPage
from webclean_scrapy.cleaning.part_links import PartLinks, later_keys, part_links

SITE = "https://a.example"


def read(url: str, *links: str, head: str = "") -> PartLinks:
    body = "".join(link if "<" in link else f'<a href="{link}">go on</a>' for link in links)
    return part_links(RawPage(f"<head>{head}</head><body><p>Text.</p>{body}", SITE + url))


@pytest.mark.parametrize(
    ("url", "link"),
    [
        ("/story/1", "?page=2"),
        ("/story/1?id=5", "/story/1?p=2&id=5"),
        ("/story.html", "story_2.html"),
        ("/story.html", "/story-2.html"),
        ("/2026/05/c_81.htm", "c_81_2.htm"),
        ("/story", "/story/2"),
        ("/story/", "/story/page/2/"),
        ("/story", "https://www.a.example/story/seite-2"),
        ("/story_1.html", "story_2.html"),
        ("/story?page=1", "/story?page=2&utm_source=x"),
        ("/story.html", "/story,2.html"),
        ("/story.html", "/story/p2.html"),
    ],
)
def test_the_second_page_has_the_address_of_the_first_and_a_number(url: str, link: str) -> None:
    assert list(read(url, link).numbered) == [2]


@pytest.mark.parametrize(
    ("url", "link"),
    [
        ("/story/1", "/story/2"),  # the number is all that an article has of its own
        ("/story-a", "/story-b-2"),
        ("/story", "/other?page=2"),
        ("/story", "https://b.example/story?page=2"),
        ("/story", "?page=2026"),
        ("/story", "#page=2"),
        ("/story", "mailto:a@b.example?page=2"),
    ],
)
def test_other_addresses_are_no_parts(url: str, link: str) -> None:
    found = read(url, link)
    assert not found.numbered or url == "/story/1"  # that one is left to its text


def test_where_pages_are_counted_from_0_the_second_has_the_number_1() -> None:
    assert read("/story", '<a href="?page=1">2</a>').numbered == {1: f"{SITE}/story?page=1"}
    assert read("/story", '<a rel=next href="?page=1">on</a>').numbered
    assert not read("/story", '<a href="?page=1">1</a>').numbered
    assert read("/story", head='<link rel=next href="?page=1">').numbered


def test_a_later_page_names_the_first_and_those_behind_it() -> None:
    found = read("/story?page=2", "/story", "?page=1", "?page=3", "?page=2")
    assert found.first == f"{SITE}/story"
    assert found.numbered == {3: f"{SITE}/story?page=3"}


@pytest.mark.parametrize(
    "link",
    ["?page=all", "/story/all", "?view=full", '<a href="?mode=x">阅读全文</a>', "?showall=1"],
)
def test_the_whole_in_one_page(link: str) -> None:
    assert read("/story", "?page=2", link).whole


@pytest.mark.parametrize(
    ("href", "is_found"),
    [("?view=full", True), ("/story?page=all", True), ("/story/all/", True),
     ("story_full.html", True), ("?show_all=1", True), ("/story?full", True),
     ("?view=fuller", False), ("/story/allies", False), ("/story?fullname=x", False),
     ("/story?print=1", False), ("/storyall", False)],
)  # fmt: skip
def test_the_whole_is_found_where_no_numbers_are(href: str, is_found: bool) -> None:
    page = RawPage(f'<p>Text.</p><a href="{href}">On</a>', f"{SITE}/story")
    assert bool(part_links(page, [href])) is is_found


def test_links_are_relative_to_the_base_of_the_page() -> None:
    found = read("/story", "story?page=2", head='<base href="https://a.example/">')
    assert found.numbered == {2: f"{SITE}/story?page=2"}


@given(st.text(), st.text())
def test_any_page_and_address_can_be_read(html: str, link: str) -> None:
    part_links(RawPage(f'{html}<a href="{link}">2</a><a href="?page=2">2</a>', SITE + "/a"))
    part_links(RawPage(f'<base href="{link}"><a href="?page=2">2</a>', SITE + "/" + link))


def test_a_long_query_takes_time_in_proportion() -> None:
    assert_linear(later_keys, lambda size: f"{SITE}/story?{'a=1&' * size}", 300)


def test_links_with_another_scheme_or_www_are_asked_for_where_the_page_is() -> None:
    found = read("/story", "http://www.a.example/story?page=2", "//a.example/story?page=3")
    assert found.numbered == {2: f"{SITE}/story?page=2", 3: f"{SITE}/story?page=3"}


def test_rows_of_numbers_are_told_apart_by_their_form() -> None:
    found = read("/story", "?cpage=2", "?cpage=3", "?page=2", "/story/2")
    assert [sorted(one) for one in found.series.values()] == [[2, 3], [2], [2]]


@pytest.mark.parametrize(
    ("url", "link", "first"),
    [
        ("/story?page=2", "?page=3", "/story"),
        ("/story?id=5&p=2", "?id=5&p=3", "/story?id=5"),
        ("/story_2.html", "story_3.html", "/story.html"),
        ("/story/page/3/", "/story/page/2/", "/story/"),
        ("/story_2.html", "other_3.html", ""),
    ],
)
def test_the_address_of_the_first_page_follows_from_a_later_one(
    url: str, link: str, first: str
) -> None:
    assert read(url, link).first == (SITE + first if first else "")
