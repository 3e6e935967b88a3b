import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from tests.growth import assert_linear
from webclean_scrapy.cleaning.output.urls import absolute_url, image_url

BASE = "http://example.com/a/b.html"


@given(st.text("javscript:\n\t\x00 \u200b/#?[]http", max_size=20))
def test_no_url_runs_a_script(url: str) -> None:
    for base in (None, BASE):
        assert not absolute_url(url, base).lower().startswith(("javascript:", "data:"))


def image(attributes: str) -> str:
    return image_url(etree.fromstring(f"<img {attributes}/>"), BASE)


@pytest.mark.parametrize("unit", ["lazy", ".gif?", "/x.gif?", "blank.gif", "blank/"])
def test_a_long_address_takes_time_in_proportion(unit: str) -> None:
    assert_linear(image, lambda size: f'src="{unit * size}.gif" data-src="q.jpg"', 2_000)


@pytest.mark.parametrize(
    ("begin", "unit"), [("srcset='", "a"), ("data-all='[", "//"), ("data-all='[", "//a")]
)
def test_a_long_list_of_no_addresses_takes_time_in_proportion(begin: str, unit: str) -> None:
    assert_linear(
        image, lambda size: f"src='data:,' {begin}{unit * (size // len(unit))} b!'", 1_200
    )
