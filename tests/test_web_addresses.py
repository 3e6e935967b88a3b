"""Functions on addresses also hold for broken ones, found on pages and in robots.txt."""

from urllib.parse import urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webclean_scrapy.cleaning.kind.page_signs import address_signs
from webclean_scrapy.cleaning.templates.url_shapes import url_shape
from webclean_scrapy.web_addresses import (
    has_host,
    host_name,
    host_of,
    is_askable,
    join,
    origin_of,
)

BROKEN = "http://[a.example/b"


@pytest.mark.parametrize("url", [BROKEN, "", "mailto:a@a.example", "http:///b"])
def test_a_broken_address_has_neither_host_nor_origin(url: str) -> None:
    assert (host_of(url), host_name(url), origin_of(url)) == ("", "", "")
    assert not has_host(url)
    assert not is_askable(url)


def test_joining_a_broken_address_gives_none() -> None:
    assert join("http://a.example/c", BROKEN) == ""
    assert join("http://a.example/c", " b ") == "http://a.example/b"


BASES = (
    "", "//a.example/b", "ftp://a.example/b", "HTTP://a.example/b", "http://a.example?x=1",
    "https://A-b.example:80/x/y?z#w", "http://u:p@a.example/x", "http://a.example;x/y",
)  # fmt: skip


@given(st.sampled_from(BASES), st.text("/ab.%:;?#@~&=-_A é中\n", max_size=8))
def test_a_path_is_joined_as_the_standard_library_joins_it(base: str, path: str) -> None:
    assert join(base, f"/{path}") == urljoin(base, f"/{path}".strip())


@pytest.mark.parametrize("port", ["0", "70000", "x"])
def test_a_port_that_cannot_be_gives_no_origin(port: str) -> None:
    assert origin_of(f"http://a.example:{port}/") == ""


def test_an_origin_is_scheme_host_and_port() -> None:
    same = ("http://a.example/b", "http://a.example:80", "HTTP://me@A.example/?c#d")
    others = ("https://a.example/b", "http://a.example:443/", "http://b.a.example/")
    assert {*map(origin_of, same)} == {"http://a.example"}
    assert len({*map(origin_of, (same[0], *others))}) == 4
    assert origin_of("http://[::1]:8080/") == "http://[::1]:8080"


@pytest.mark.parametrize(
    "tracked",
    ["utm_source=x", "srsltid=A1b", "msclkid=9", "mc_cid=4f", "_ga=2.1", "yclid=7", "ref=home"],
)
def test_what_tracks_readers_makes_no_template_and_no_query_of_its_own(tracked: str) -> None:
    plain, seen = "http://a.example/b/late-goal-wins.html", address_signs("http://a.example/b/")
    assert url_shape(f"{plain}?{tracked}") == url_shape(plain)
    assert address_signs(f"http://a.example/b/?{tracked}") == seen


def test_what_selects_a_page_stays_in_its_shape() -> None:
    assert url_shape("http://a.example/show?id=12") != url_shape("http://a.example/show")
    assert address_signs("http://a.example/show?id=12")["query in the address"]
