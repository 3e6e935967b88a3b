from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.toml_files import read_toml
from webclean_scrapy.cleaning.templates.sibling_links import rank_siblings
from webclean_scrapy.cleaning.templates.url_shapes import is_list_url, leaf_pattern, url_shape

ARTICLE = "http://news.example/china/2024/05/06/t20240506_8812345.html"
ADDRESSES = read_toml(Path(__file__).with_name("addresses.toml"))


@pytest.mark.parametrize("kind", ["same", "other"])
def test_only_pages_of_one_template_have_one_shape(kind: str) -> None:
    for left, right in ADDRESSES["shapes"][kind]:
        assert (url_shape(left) == url_shape(right)) is (kind == "same"), left


@pytest.mark.parametrize("kind", ["lists", "articles"])
def test_lists_are_known_by_their_address_and_articles_are_none(kind: str) -> None:
    for url in ADDRESSES["lists"][kind]:
        assert is_list_url(url) is (kind == "lists"), url


def test_links_that_lead_to_no_other_page_of_the_template_are_left_out() -> None:
    links = [
        "../06/t20240506_8812399.html#comments",
        "../06/t20240506_8812399.html",
        "javascript:void(0)",
        "http://other.example/china/2024/05/06/t20240506_8812399.html",
        "http://news.example:8080/china/2024/05/06/t20240506_1.html",
        "/china/2024/05/06/t20240506_8812345.pdf",
        "/china/",
        "/china/2024/05/06/t20240506_8812345_2.html",
        "/world/2024/05/06/t20240506_8812001.html",
        "HTTP://News.Example:80/china/2024/05/06/t20240506_81.html",
    ]
    start = "http://news.example/china/2024/05/06/t20240506_"
    written = "http://News.Example:80/china/2024/05/06/t20240506_"
    assert rank_siblings(links, ARTICLE) == [f"{start}8812399.html", f"{written}81.html"]


def test_relative_links_are_joined_with_the_base_of_the_page() -> None:
    base, url = "http://a.cn/n/2024/06/", "http://a.cn/n/2024/05/11.html"
    assert rank_siblings(["12.html"], url, base) == [f"{base}12.html"]
    assert rank_siblings(["/n/2024/06/12.html"], url, "http://b.cn/") == []


def test_the_same_article_under_another_address_is_refused() -> None:
    links = ["/story/a-new-name-55512", "/story/old-name-here-55512", "/story/something-else-7781"]
    assert rank_siblings(links, "http://a.cn/story/old-words-55512") == [
        "http://a.cn/story/something-else-7781"
    ]


def test_a_page_of_endless_links_costs_no_more_than_its_first_three_thousand() -> None:
    def endless() -> Iterator[str]:
        number = 0
        while True:
            number += 1
            yield f"/x/{number}/{'a-' * 50}"

    assert rank_siblings(endless(), "http://a.cn/n/1.html") == []


@given(st.text(max_size=80), st.lists(st.text(max_size=80), max_size=8))
def test_no_text_breaks_the_choice(url: str, links: list[str]) -> None:
    for address in (url, f"http://a.cn/{url}"):
        url_shape(address)
        is_list_url(address)
        rank_siblings(links, address)
        leaf_pattern(address)


@pytest.mark.parametrize(("page", "other"), ADDRESSES["siblings"]["pairs"])
def test_articles_whose_addresses_have_other_shapes_are_siblings(page: str, other: str) -> None:
    start = "http://a.cn"
    for one, two in ((page, other), (other, page)):
        links = [
            "/",
            "/news/",
            "/about",
            "/news/contact",
            "/author/roe",
            two,
            "/2024/05/",
            "/login",
        ]
        assert rank_siblings(links, start + one) == [start + two]


@pytest.mark.parametrize(
    "link",
    ["/news/contact", "/sport/bridge-4690", "/news/bridge-4690.html", "/news/x/bridge-4690"],
)
def test_other_directories_extensions_and_names_of_sections_are_no_family(link: str) -> None:
    assert rank_siblings([link, "?a=1"], "http://a.cn/news/ferry-4687") == []


def test_links_of_the_same_shape_come_before_those_of_the_family() -> None:
    links = ["/news/bridge-4690", "/news/a-longer-slug-here", "/news/ferry-12345"]
    assert rank_siblings(links, "http://a.cn/news/ferry-4687") == [
        f"http://a.cn{link}" for link in (links[2], links[0], links[1])
    ]


def test_a_directory_that_names_an_article_is_a_leaf() -> None:
    one, other, section = (f"http://a.cn/{end}/" for end in ("x/late-goal", "x/tram-strike", "x"))
    assert url_shape(one) == url_shape(other) != url_shape(section)
    assert leaf_pattern(one) == leaf_pattern(other)
    assert rank_siblings([section, other], one) == [other]
