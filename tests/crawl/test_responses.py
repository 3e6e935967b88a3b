"""Responses whose header or base address would stop Scrapy from reading them."""

import pytest
from scrapy.http import HtmlResponse

from webclean_scrapy.cleaning.page.guard import GuardConfig
from webclean_scrapy.crawl.responses import page_links, page_text, readable

URL = "http://a.example/news/"
#: Codecs that Python knows and that decode no text.
NO_TEXT = ("uu", "rot13", "idna", "undefined")
NO_BASE = ("http://a.example:port/", "http://a.example:99999/", "http://[a", "//[1.2.3.4]/")


def response(charset: str = "utf-8", base: str = "/") -> HtmlResponse:
    html = f'<head><base href="{base}"></head><body><p>Größe</p><a href="/news/1.html">x</a>'
    kind = f"text/html; charset={charset}"
    return HtmlResponse(URL, body=html.encode(), headers={"Content-Type": kind})


@pytest.mark.parametrize("page", [*map(response, NO_TEXT), *(response(base=b) for b in NO_BASE)])
def test_links_and_text_are_read_whatever_codec_and_base_are_named(page: HtmlResponse) -> None:
    assert page_links(page, GuardConfig()) == ["http://a.example/news/1.html"]
    assert "Größe" in page_text(readable(page))


def test_a_response_that_can_be_read_is_left_as_it_is() -> None:
    page = response()
    assert readable(page) is page
