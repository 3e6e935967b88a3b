from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webclean_scrapy.cleaning.templates.sibling_links import rank_siblings
from webclean_scrapy.cleaning.templates.url_shapes import is_list_url, leaf_pattern, url_shape

ARTICLE = "http://news.example/china/2024/05/06/t20240506_8812345.html"


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("http://a.cn/n/2024/05/06/c_1.html", "http://a.cn/n/2023/12/31/c_998.html", True),
        ("http://a.cn/x/late-goal-wins", "http://a.cn/x/minister-resigns-over-a-letter", True),
        ("http://a.cn/a.php?id=12&cat=3", "http://a.cn/a.php?cat=9&id=1&utm_source=mail", True),
        ("http://a.cn/x/A57C48DA0.html", "http://a.cn/x/A60709674.html", True),
        ("http://a.cn/sport/1.html", "http://a.cn/culture/1.html", False),
        ("http://a.cn/n/1.html", "http://a.cn:8080/n/1.html", False),
        ("http://a.cn/a.php?id=1", "http://a.cn/a.php?tag=1", False),
    ],
)
def test_only_pages_of_one_template_have_one_shape(left: str, right: str, *, same: bool) -> None:
    assert (url_shape(left) == url_shape(right)) is same


@pytest.mark.parametrize(
    ("url", "is_list"),
    [
        ("http://a.cn/", True),
        ("http://a.cn/news/", True),
        ("http://a.cn/news/index.html", True),
        ("http://a.cn/2026/02/page2.html", True),
        ("http://a.cn/2024/05/06/", True),
        ("http://[bad/", True),
        (ARTICLE, False),
        ("http://a.cn/news/8812/", False),
        ("http://a.cn/news/late-goal-wins-cup/", False),
        ("http://a.cn/index.php?id=17", False),
        ("http://a.cn/?p=123", False),
    ],
)
def test_lists_are_known_by_their_address_and_articles_are_none(url: str, *, is_list: bool) -> None:
    assert is_list_url(url) is is_list


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


@pytest.mark.parametrize(
    ("page", "other"),
    [
        ("/news/ferry-4687", "/news/bridge-4690"),
        ("/2024/05/06/tram/", "/2024/05/02/late-goal-wins/"),
        ("/2024/05/06/tram", "/2024/07/19/bus-lanes"),
        ("/story/x7Kq9d", "/story/Bq81Za"),
        ("/watch/dQw4w9WgXcQ", "/watch/9bZkp7q19f0"),
        ("/p/aK93xq/a-harbour-opens", "/p/Zw1m7b/tram-strike-goes-on"),
        ("/city/harbour-8812.html", "/city/late-goal-wins-4410.html"),
        ("/posts/2024-05-06-ferry.html", "/posts/2024-05-09-tram.html"),
        ("/tips/best-phones-2025", "/tips/best-lamps-2025"),
        ("/2024/05/06/city/late-goal-wins/index.html", "/2024/05/07/city/tram-strike/index.html"),
    ],
)
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
