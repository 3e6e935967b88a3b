from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

from tests.engines.made_archives import COPY, FAILED, LIST, ORIGINAL, made_pages
from webclean_scrapy.cleaning.config import CleanConfig
from webclean_scrapy.engines.arrow_rows import (
    HOST,
    clean_rows,
    list_places,
    with_host,
    without_duplicates,
)
from webclean_scrapy.engines.article_options import ArticleOptions
from webclean_scrapy.engines.duplicates import DuplicateRules
from webclean_scrapy.stored.warc_pages import WarcError

if TYPE_CHECKING:
    from pathlib import Path

    from tests.engines.conftest import Archives


def options(*fields: str, articles_only: bool = False) -> ArticleOptions:
    return ArticleOptions.from_arguments(None, fields or None, articles_only)


def place_rows(archives: Archives) -> list[dict[str, Any]]:
    tables = list_places(pa.table({"path": archives.paths}))
    return [row for table in tables for row in with_host(table).to_pylist()]


def clean_by_host(rows: list[dict[str, Any]], given: ArticleOptions) -> list[dict[str, Any]]:
    """Clean the rows of each host; their order is not that of the archives, as behind a shuffle."""
    hosts = defaultdict(list)
    for row in reversed(rows):
        hosts[row[HOST]].append(row)
    return [
        row
        for pages in hosts.values()
        for table in clean_rows(pa.Table.from_pylist(pages), given)
        for row in table.to_pylist()
    ]


def as_items(rows: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {row["url"]: {**row, "webclean": json.loads(row["webclean"])} for row in rows}


def test_articles_equal_those_of_webclean_clean_field_by_field(archives: Archives) -> None:
    rows = clean_by_host(place_rows(archives), options())
    found = as_items(rows)
    assert len(rows) == len(found)
    for url, reason in FAILED.items():
        assert found.pop(url)["webclean"]["error"] == reason
    assert found.pop(LIST)["articleBody"] is None
    assert found == archives.articles


def test_pages_in_rows_give_the_same(archives: Archives) -> None:
    pages = [
        {
            "url": url, "html": page.body, "number": number,
            "charset": "gb2312" if "gb2312" in page.content_type else None,
        }
        for number, made in enumerate(made_pages())
        for url, page in made.items()
        if url in archives.articles
    ]  # fmt: skip
    # in rows there is no order of archives; of a host with one template it decides nothing
    rows = with_host(pa.Table.from_pylist(pages)).to_pylist()
    found = as_items(clean_by_host(rows, options()))
    assert found.keys() == archives.articles.keys()
    for url, article in archives.articles.items():
        assert found[url]["articleBody"] == article["articleBody"]
        assert found[url]["headline"] == article["headline"]


def test_fields_and_articles_only_are_heard(archives: Archives) -> None:
    rows = clean_by_host(place_rows(archives), options("headline", articles_only=True))
    assert LIST not in {row["url"] for row in rows}
    assert {tuple(row) for row in rows} == {("url", "headline", "articleBody", "webclean")}


def test_copies_are_dropped_and_a_block_that_comes_again_is_not(
    archives: Archives, tmp_path: Path
) -> None:
    schema = pa.schema(
        {name: pa.string() for name in ("url", "headline", "articleBody", "webclean")}
    )
    rows = [
        {"url": url, "headline": None, "articleBody": text, "webclean": "{}"}
        for url, text in (
            (ORIGINAL, archives.articles[ORIGINAL]["articleBody"]),
            (COPY, archives.articles[COPY]["articleBody"]),
            (LIST, None),
        )
    ]
    blocks = [pa.Table.from_pylist(part, schema) for part in (rows[:1], rows[1:])]
    rules = DuplicateRules(f"sqlite:///{tmp_path}/index.db", "drop", "drop")
    for _ in range(2):  # again, as after the loss of a worker
        kept = [row["url"] for one in blocks for row in without_duplicates(one, rules).to_pylist()]
        assert kept == [ORIGINAL, LIST]
    keeping = DuplicateRules(f"sqlite:///{tmp_path}/index.db", "keep", "keep")
    marked = as_items(without_duplicates(blocks[1], keeping).to_pylist())
    assert marked[COPY]["webclean"]["duplicate_of"] == ORIGINAL


def test_a_damaged_archive_is_named(tmp_path: Path) -> None:
    path = tmp_path / "none.warc"
    path.write_bytes(b"<p>A page.")
    with pytest.raises(WarcError, match=r"none\.warc cannot be read as a WARC file"):
        list(list_places(pa.table({"path": [str(path)]})))


def test_a_configuration_reaches_the_cleaner() -> None:
    config = CleanConfig(keywords=3)
    given = ArticleOptions.from_arguments(config, None, False)
    rows = pa.Table.from_pylist([{"url": ORIGINAL, "html": made_pages()[0][ORIGINAL].body}])
    (table,) = clean_rows(rows, given)
    assert len(table.to_pylist()[0]["keywords"]) == 3
