"""Responses with headers or base addresses that Scrapy cannot read."""

import pytest
from scrapy.http import HtmlResponse

from tests.crawling import Crawls
from tests.growth import assert_linear
from tests.pages import article, listing
from tests.server import Reply
from webclean_scrapy.crawl.responses import (
    canonical_address,
    is_cut_off,
    named_titles,
    page_text,
    readable,
    title_words,
)

URL = "http://a.example/news/"
#: Codecs that Python knows and that decode no text, or other characters than those of the page.
NO_TEXT = (
    "uu", "rot13", "zlib", "hex", "base64", "bz2", "idna", "undefined", "punycode", "utf-7",
    "unicode_escape", "raw_unicode_escape", "cp037", "utf-16",
)  # fmt: skip
NO_BASE = ("http://a.example:port/", "http://a.example:99999/", "http://[a", "//[1.2.3.4]/")


def response(charset: str = "utf-8", base: str = "/") -> HtmlResponse:
    html = (
        f'<head><meta charset="{charset}"><base href="{base}"></head>'
        '<body><p>Größe \\x41 +ADw-</p><a href="/news/1.html">x</a>'
    )
    kind = f"text/html; charset={charset}"
    return HtmlResponse(URL, body=html.encode(), headers={"Content-Type": kind})


@pytest.mark.parametrize("page", [*map(response, NO_TEXT), *(response(base=b) for b in NO_BASE)])
def test_links_and_text_are_read_whatever_codec_and_base_are_named(page: HtmlResponse) -> None:
    text = readable(page)
    assert text.urljoin(text.css("a::attr(href)").get("")) == "http://a.example/news/1.html"
    assert "Größe \\x41 +ADw-" in page_text(text)
    assert readable(text) is text


def test_a_page_of_no_known_codec_is_read_as_its_bytes_say() -> None:
    kind = {"Content-Type": "text/html; charset=zlib"}
    body = '<html lang="ru"><p>Размер парома и расписание на среду'.encode("cp1251")
    assert "Размер парома" in page_text(readable(HtmlResponse(URL, body=body, headers=kind)))


def test_a_site_that_names_no_known_codec_is_crawled(crawls: Crawls) -> None:
    paths = ["/news/11.html", "/news/12.html"]
    kind = "text/html; charset=zlib"
    pages = {"/": listing(paths), **{path: article(n) for n, path in enumerate(paths)}}
    routes = {path: Reply(page.encode(), content_type=kind) for path, page in pages.items()}
    crawled, _ = crawls.follow(routes)
    assert crawled.errors == []
    assert {*paths} <= {*crawled.paths()}


def test_a_response_that_can_be_read_is_left_as_it_is() -> None:
    page = response()
    assert readable(page) is page


@pytest.mark.parametrize(
    "piece",
    ["<link ", "<meta ", "<!--", "<link" + " canonical" * 90, "<title>", "<h1>", "<h1><b "],
)
def test_tags_that_are_never_closed_cost_in_proportion(piece: str) -> None:
    def read(page: str) -> None:
        canonical_address(HtmlResponse(URL, body=page.encode()))
        assert list(named_titles(page)) == []

    assert_linear(read, lambda size: piece * (size // len(piece)), 16_000)


def test_a_page_has_the_titles_of_its_head_of_its_cards_and_of_its_first_headings() -> None:
    page = """<title>Salt &amp; sea | Post</title><meta content="Salt" property="og:title">
    <h1><a href="/">The <b>Post</b></a></h1><h1>Salt and sea</h1><h1>Another story</h1>"""
    assert list(named_titles(page)) == ["Salt & sea | Post", "The Post", "Salt and sea", "Salt"]


def test_a_title_has_words_and_where_no_spaces_are_pairs_of_characters() -> None:
    assert title_words("Große Wölfe: 3") == ["grosse", "wölfe", "3"]
    assert title_words("镇公所 B2楼") == ["镇公", "公所", "b2"]


ARTICLE = "<html lang=en><body><article><p>One.</p><p>Two"


@pytest.mark.parametrize(
    ("body", "is_cut"),
    [
        (ARTICLE, True), (ARTICLE[:-3], True), (f"{ARTICLE}<a hre", True), ("<HTML><p>One", True),
        (f"{ARTICLE}</p></article></body></html>\n<!-- made in 0.3 s -->", False),
        (f"{ARTICLE}</p></article></BODY> 0.3 s", False),
        (f"{ARTICLE}</article>\n", False),  # as HTML allows
        (ARTICLE.replace("<html lang=en><body>", ""), False),
    ],
)  # fmt: skip
def test_a_page_that_is_cut_off_is_told_from_one_without_its_last_end_tags(
    body: str, is_cut: bool
) -> None:
    assert is_cut_off(body.encode()) is is_cut
    assert is_cut_off(body.encode("utf-16-le")) in {is_cut, False}
