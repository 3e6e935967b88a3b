"""No script of a page runs where its article is shown; all vectors, in a real browser."""

import json

import pytest
from itemadapter import ItemAdapter
from lxml import etree
from markdown_it import MarkdownIt
from playwright.sync_api import Browser

from tests.browser import open_frames
from tests.xss import VECTORS, hostile_page
from webclean_scrapy.cleaning.cleaner import Cleaner
from webclean_scrapy.cleaning.config import CleanConfig
from webclean_scrapy.cleaning.output.tei_output import NAMESPACE
from webclean_scrapy.export.formats import as_html, as_markdown, as_tei
from webclean_scrapy.items import ArticleItem, fill_item

BUNDLE = 30  # vectors in a document


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
    for made, name in zip(outputs, VECTORS, strict=True):
        assert all(len(document) > 1_000 for document in made.values()), name


def test_no_vector_fires_in_a_browser(browser: Browser, outputs: list[dict[str, str]]) -> None:
    documents = {
        f"/{kind}/{at}": "<hr>".join(made[kind] for made in outputs[at : at + BUNDLE])
        for kind in ("body", "html", "markdown")
        for at in range(0, len(outputs), BUNDLE)
    }
    documents["/raw"] = hostile_page(0, "script")  # that what fires is seen
    opened = open_frames(browser, documents)
    assert opened.fired == ["/raw 0"]
    assert {request.partition(" ")[0] for request in opened.requests} <= {"image"}


def test_tei_is_well_formed_and_has_elements_of_tei_alone(outputs: list[dict[str, str]]) -> None:
    for made, name in zip(outputs, VECTORS, strict=True):
        root = etree.fromstring(made["tei"].encode())
        elements = [element for element in root.iter() if isinstance(element.tag, str)]
        assert {etree.QName(element).namespace for element in elements} == {NAMESPACE}, name
        for element in elements:
            for key in ("target", "url"):
                assert not (element.get(key) or "").lower().startswith("javascript:"), name
