"""Articles as CSV: every column from the first line on, nested values as JSON."""

import csv
import io
import json
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from scrapy.exporters import CsvItemExporter
from zyte_common_items import Article, Author

from tests.crawling import Crawls, PageSpider
from tests.pages import article
from tests.server import Reply, Route
from webclean_scrapy import ArticleItem
from webclean_scrapy.article_items import ArticleItems
from webclean_scrapy.export.tables import ArticleCsvExporter
from webclean_scrapy.items import ARTICLE_FIELDS
from webclean_scrapy.spiders.site_spider import CRAWL_SETTINGS

URL = "https://a.example/1"


def export(
    *items: Any, exporter: Any = ArticleCsvExporter, names: Any = ARTICLE_FIELDS, **options: Any
) -> list[dict[str, str]]:
    file = io.BytesIO()
    writer = exporter(file, **options)
    writer.articles = Mock(takes=ArticleItems().takes, fields=names)
    writer.start_exporting()
    for item in items:
        writer.export_item(item)
    writer.stream.flush()
    return list(csv.DictReader(io.StringIO(file.getvalue().decode())))


@pytest.mark.parametrize("first", [{"url": URL}, ArticleItem(url=URL)])
def test_columns_that_the_first_item_lacks_are_there(first: Any) -> None:
    later = {
        "url": URL, "headline": "A bridge", "authors": [{"name": "Ada Vos"}, {"name": "é"}],
        "keywords": ["amber", "bridge"], "mainImage": {"url": URL}, "webclean": {"a": [1]},
    }  # fmt: skip
    rows = export(first, later)
    assert sorted(rows[0]) == sorted(ARTICLE_FIELDS)
    assert rows[0]["headline"] == ""
    assert rows[1]["headline"] == "A bridge"
    assert rows[1]["authors"] == '[{"name": "Ada Vos"}, {"name": "é"}]'
    assert (rows[1]["keywords"], rows[1]["mainImage"]) == ("amber,bridge", f'{{"url": "{URL}"}}')
    assert json.loads(rows[1]["webclean"]) == {"a": [1]}


def test_the_columns_are_the_fields_that_items_are_filled_with() -> None:
    rows = export({"url": URL}, {"url": URL, "headline": "A"}, names=("url", "headline"))
    assert rows == [{"url": URL, "headline": ""}, {"url": URL, "headline": "A"}]


FORMULAS = ["=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "\uff1d1+1", "- a line"]
FORMULAS += [f"{unseen}=1" for unseen in " \xa0\ufeff\u200b\u200c\u200d\u2060\x0b\x00\u3000\u202e"]
FORMULAS += [" \ufeff\u200b @SUM(A1)", "\xa0-1+1", "\tplain"]


@pytest.mark.parametrize("text", FORMULAS)
def test_a_text_that_a_spreadsheet_would_compute_is_shown_as_text(text: str) -> None:
    item = ArticleItem(url=URL, headline=text, articleBody=text, keywords=[text, "b"])
    (row,) = export(item)
    assert (row["headline"], row["articleBody"]) == (f"'{text}", f"'{text}")
    assert row["keywords"] == f"'{text},b"


@pytest.mark.parametrize(
    "text", ["-5", "+1.5e3", "-1,000.00", "a=1", "", " -5", " a", "5-3", "\u2014 No"]
)
def test_numbers_and_other_texts_stay_as_they_are(text: str) -> None:
    (row,) = export(ArticleItem(url=URL, headline=text))
    assert row["headline"] == text


def test_objects_of_an_item_class_are_json_too() -> None:
    (row,) = export(Article(url=URL, authors=[Author(name="Ada Vos")]))
    assert json.loads(row["authors"])[0]["name"] == "Ada Vos"


def test_other_items_and_chosen_columns_are_as_scrapy_writes_them() -> None:
    offer = {"name": "lamp", "sizes": [{"cm": 3}], "price": None}
    assert export(offer) == export(offer, exporter=CsvItemExporter)
    assert list(export({"url": URL}, fields_to_export=["url", "x"])[0]) == ["url", "x"]


def test_a_feed_whose_first_page_is_no_html_has_all_columns(crawls: Crawls, tmp_path: Path) -> None:
    class Pages(PageSpider):
        webclean_items = None

    file = tmp_path / "all.csv"
    pdf = Reply(b"%PDF-1.7 ...", content_type="application/pdf")
    settings = {
        "FEEDS": {str(file): {"format": "csv"}},
        "FEED_EXPORTERS": CRAWL_SETTINGS["FEED_EXPORTERS"],
    }
    routes: dict[str, Route] = {"/a.pdf": pdf, "/news/1.html": article(1)}
    _, site = crawls.visit(routes, settings=settings, spider=Pages)
    with file.open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    assert [row["url"] for row in rows] == list(map(site.url, routes))
    assert json.loads(rows[1]["webclean"])["is_article"] is True
