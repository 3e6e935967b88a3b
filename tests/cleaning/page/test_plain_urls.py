from __future__ import annotations

from urllib.parse import urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webclean_scrapy.cleaning.page.plain_urls import join_plain

BASES = ("http://a.cn", "https://a.cn:8080/x/y.html?q=1", "HTTP://A.cn/x", "http://u:p@a.cn/")
PARTS = st.sampled_from(
    [*"/.?#;:@=&%[]\\ ~é", "..", "//", "a", "b.html", "7", "http://", "https:", "b.cn", "q=1"]
)


@given(st.sampled_from(BASES), st.lists(PARTS, max_size=9).map("".join))
def test_what_is_joined_at_once_is_what_the_standard_library_joins(base: str, url: str) -> None:
    assert join_plain(base, url) in {"", urljoin(base, url)} if _joins(base, url) else True


def _joins(base: str, url: str) -> bool:
    try:
        return bool(urljoin(base, url))
    except ValueError:
        return False


@pytest.mark.parametrize(
    "url",
    ["/", "b.html", "?q", "#a", "//b.cn/", "/a/./b", "/a/..", "/a;b", "http://B.cn/", "/a\tb"],
)
def test_what_needs_parsing_is_left_to_it(url: str) -> None:
    assert join_plain("http://a.cn/x", url) == ""


@pytest.mark.parametrize("base", ["http://[a", "ftp://a.cn/x", "data:,x", "x/y"])
def test_nothing_is_joined_to_what_is_no_web_address(base: str) -> None:
    assert join_plain(base, "/a") == join_plain(base, "http://b.cn/a") == ""


def test_without_a_base_an_address_stays_as_it_is() -> None:
    assert join_plain(None, "/a?b=1#c") == "/a?b=1#c"
    assert join_plain(None, "http://b.cn/a") == "http://b.cn/a"
