"""Articles in Parquet: from a crawl, from saved pages, and without PyArrow."""

import importlib.util
import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet
from zyte_common_items import Article, Author

from tests.crawling import Crawls, PageSpider
from tests.pages import article
from webclean_scrapy.errors import ConfigError
from webclean_scrapy.export.parquet import GROUP
from webclean_scrapy.export.tables import ArticleParquetExporter
from webclean_scrapy.items import ARTICLE_FIELDS, ArticleItem
from webclean_scrapy.spiders import CRAWL_SETTINGS

EXPORTERS = {"FEED_EXPORTERS": CRAWL_SETTINGS["FEED_EXPORTERS"]}
NESTED = ("webclean", "authors", "images", "mainImage")


def export(*items: Any, **options: Any) -> Any:
    file = BytesIO()
    exporter = ArticleParquetExporter(file, **options)
    exporter.start_exporting()
    for item in items:
        exporter.export_item(item)
    exporter.finish_exporting()
    file.seek(0)
    return parquet.ParquetFile(file)


def test_a_feed_holds_what_a_feed_of_json_lines_holds(crawls: Crawls, tmp_path: Path) -> None:
    files = {"parquet": tmp_path / "a.parquet", "jsonlines": tmp_path / "a.jsonl"}
    index = tmp_path / "index.db"
    settings = {
        **EXPORTERS, "WEBCLEAN_DEDUP_URI": f"sqlite:///{index}",
        "FEEDS": {str(file): {"format": form} for form, file in files.items()},
    }  # fmt: skip
    crawls.visit({f"/{number}.html": article(number) for number in (1, 2)}, settings=settings)
    found = parquet.read_table(files["parquet"]).to_pylist()
    for row in found:
        row |= {name: json.loads(row[name]) for name in NESTED if row[name]}
    assert found == list(map(json.loads, files["jsonlines"].read_text().splitlines()))
    assert list(found[0]) == list(ARTICLE_FIELDS)
    assert len(found) == 2


def test_what_a_killed_crawl_has_in_tables_is_not_confirmed(crawls: Crawls, tmp_path: Path) -> None:
    confirmed = []

    class Pages(PageSpider):
        def parse(self, response: Any) -> Any:
            confirmed.append(self.crawler.stats.get_value("webclean/dedup/confirmed", 0))
            return super().parse(response)

    routes = {f"/{number}.html": article(number) for number in range(80)}
    settings = {**EXPORTERS, "FEEDS": {str(tmp_path / "a.parquet"): {"format": "parquet"}}}
    crawled, _ = crawls.visit(routes, settings=settings, spider=Pages)
    assert set(confirmed) == {0}  # the file is none before its end is written
    assert crawled.stats["webclean/dedup/confirmed"] == 80


def test_rows_are_in_groups_and_other_items_keep_what_they_have() -> None:
    offer = {"name": "lamp\ud800", "sizes": [{"cm": 3}], "price": None, "left": 2}
    table = export(*[offer] * (GROUP + 1))
    assert table.metadata.num_row_groups == 2
    assert table.read().to_pylist()[GROUP] == {
        "name": "lamp?", "sizes": '[{"cm": 3}]', "price": None, "left": "2",
    }  # fmt: skip
    (row,) = export(Article(url="http://a/", authors=[Author(name="Ada")])).read().to_pylist()
    assert json.loads(row["authors"])[0]["name"] == "Ada"
    assert export({"url": "http://a/"}).schema_arrow.names == list(ARTICLE_FIELDS)
    item = ArticleItem(url="http://a/", keywords=["ice"])
    chosen = export(item, fields_to_export={"url": "at", "keywords": "words", "no": "no"})
    assert chosen.read().to_pylist() == [{"at": "http://a/", "words": '["ice"]', "no": None}]
    assert export().metadata.num_rows == 0


def test_without_pyarrow_the_crawl_does_not_start(
    crawls: Crawls, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    found = importlib.util.find_spec
    name = "webclean_scrapy.export.parquet.find_spec"
    monkeypatch.setattr(name, lambda one: None if one == "pyarrow" else found(one))
    settings = {**EXPORTERS, "FEEDS": {str(tmp_path / "a.parquet"): {"format": "parquet"}}}
    with pytest.raises(ConfigError, match="pip install pyarrow"):
        crawls.run(PageSpider, settings, urls=[])
