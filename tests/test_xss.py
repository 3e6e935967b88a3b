# ruff: noqa: E501, an example reads best on one line
"""No script of a page runs where its article is shown; all vectors, in a real browser."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from itemadapter import ItemAdapter
from lxml import etree
from markdown_it import MarkdownIt

from tests.browser import open_frames
from tests.xss import AWAY, VECTORS, hostile_page
from webclean_scrapy.cleaning.cleaner import Cleaner
from webclean_scrapy.cleaning.config import CleanConfig
from webclean_scrapy.cleaning.output.markdown_output import render_markdown
from webclean_scrapy.cleaning.output.tei_output import NAMESPACE
from webclean_scrapy.commands.page_formats import as_html, as_markdown, as_tei
from webclean_scrapy.items import ArticleItem, fill_item

if TYPE_CHECKING:
    from playwright.sync_api import Browser

BUNDLE = 30  # vectors in a document
FIRING = ("script", "image that fails", "SVG", "mutation: noscript")


def outputs_of(page: str) -> dict[str, str]:
    """Return the documents that are made of *page*, by kind."""
    url = "http://site.test/news/1.html"
    item = ArticleItem(url=url)
    fill_item(ItemAdapter(item), Cleaner(CleanConfig()).clean(page, url).to_dict(), None)
    html = item.articleBodyHtml or ""
    inner = json.dumps(html).replace("</", "<\\/").replace("<!--", "<\\u0021--")
    again = "document.body.innerHTML = document.body.innerHTML"
    renderer = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    return {
        "body": (
            f"<!DOCTYPE html><meta charset=utf-8><body>{html}"
            f"<script>document.body.innerHTML += {inner}; {again}</script>"
        ),
        "html": as_html(item),
        "markdown": f"<meta charset=utf-8>{renderer.render(as_markdown(item))}",
        "tei": as_tei(item),
    }


@pytest.fixture(scope="module")
def outputs() -> list[dict[str, str]]:
    return [outputs_of(hostile_page(number, name)) for number, name in enumerate(VECTORS)]


def test_the_articles_of_all_vectors_survive(outputs: list[dict[str, str]]) -> None:
    assert len(outputs) >= 114
    for made, name in zip(outputs, VECTORS, strict=True):
        assert all(len(document) > 1_000 for document in made.values()), name


def test_no_vector_fires_in_a_browser(browser: Browser, outputs: list[dict[str, str]]) -> None:
    documents = {
        f"/{kind}/{at}": "<hr>".join(made[kind] for made in outputs[at : at + BUNDLE])
        for kind in ("body", "html", "markdown")
        for at in range(0, len(outputs), BUNDLE)
    }
    opened = open_frames(browser, documents)
    assert opened.fired == []
    assert {request.partition(" ")[0] for request in opened.requests} <= {"image"}


def test_the_raw_pages_fire(browser: Browser) -> None:
    numbers = {name: number for number, name in enumerate(VECTORS)}
    names = (*FIRING, "script from elsewhere")
    opened = open_frames(browser, {f"/{numbers[n]}": hostile_page(numbers[n], n) for n in names})
    assert {line.split()[-1] for line in opened.fired} == {str(numbers[name]) for name in FIRING}
    assert f"script {AWAY}s.js" in opened.requests


def test_tei_is_well_formed_and_has_elements_of_tei_alone(outputs: list[dict[str, str]]) -> None:
    for made, name in zip(outputs, VECTORS, strict=True):
        root = etree.fromstring(made["tei"].encode())
        elements = [element for element in root.iter() if isinstance(element.tag, str)]
        assert {etree.QName(element).namespace for element in elements} == {NAMESPACE}, name
        for element in elements:
            for key in ("target", "url"):
                assert not (element.get(key) or "").lower().startswith("javascript:"), name


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<table><tr><td><code>|&lt;b&gt;|</code></td></tr></table>", "|  |\n| --- |\n| `\\|<b>\\|` |\n"),
        ("<p><code>a<br>&lt;script&gt;</code></p>", "`a <script>`\n"),
        ("<p><a href='javascript&amp;colon;x'>a</a></p>", "[a](javascript\\&colon;x)\n"),
        ("<p><a href='javascript\\:x'>a</a></p>", "[a](javascript%5C:x)\n"),
        ("<p><a href='http://a.example/?b=1&amp;c=2'>a</a></p>", "[a](http://a.example/?b=1&c=2)\n"),
    ],
)  # fmt: skip
def test_code_and_addresses_of_markdown_stay_as_they_are(html: str, markdown: str) -> None:
    assert render_markdown(html) == markdown
