"""Our steps for Ray: what they do to blocks of rows, and their wiring over a stand-in for Ray.

With a real one, which takes a minute of CPU to start and stop: ``python -m benchmarks engines``.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.engines.guide import run_block
from tests.engines.made_archives import COPY, FAILED, LIST, ORIGINAL, made_pages
from webclean_scrapy.engines import ray_data
from webclean_scrapy.engines.articles import ArticleOptions, DuplicateRules
from webclean_scrapy.engines.ray_data import (
    HOST,
    clean_rows,
    list_places,
    with_host,
    without_duplicates,
)
from webclean_scrapy.engines.warc_pages import Place, WarcError, read_warc, read_warc_page
from webclean_scrapy.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.engines.conftest import Archives


def options(*fields: str, articles_only: bool = False) -> ArticleOptions:
    return ArticleOptions(None, fields or None, articles_only)


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


def test_pages_of_an_archive_at_a_url_are_read_one_by_one(archives: Archives) -> None:
    files = fsspec.filesystem("memory")
    files.pipe("/bucket/0.warc.gz", Path(archives.paths[0]).read_bytes())
    url = "memory://bucket/0.warc.gz"
    here, there = list(read_warc(archives.paths[0])), list(read_warc(url))
    assert [place[1:] for place in there] == [place[1:] for place in here] != []
    page = read_warc_page(there[-1], 10_000)
    assert page == read_warc_page(here[-1], 10_000)
    assert page.url == here[-1].url
    assert page.html


def test_what_goes_wrong_at_a_url_is_an_error_of_the_page(archives: Archives) -> None:
    with pytest.raises(OSError, match="gone"):
        read_warc_page(Place("memory://bucket/gone.warc.gz", 0), 100)
    with pytest.raises(ConfigError, match=r"abfs:// needs fsspec\[abfs\]; install it"):
        read_warc_page(Place("abfs://bucket/0.warc.gz", 0), 100)


class Rows:
    """A dataset in this process, with what we use of Ray's; as strict about names as Ray."""

    def __init__(self, tables: list[Any]) -> None:
        self.tables = tables

    def map_batches(
        self, step: Callable[[Any], Any], *, batch_format: str, batch_size: int | None = None
    ) -> Rows:
        assert batch_format == "pyarrow"
        whole = pa.concat_tables(self.tables)
        return Rows(list(_results(step, whole.to_batches(max_chunksize=batch_size))))

    def groupby(self, key: str, num_partitions: int) -> Rows:
        assert num_partitions == 64
        whole = pa.concat_tables(self.tables)
        return Rows(
            [
                whole.filter(pa.compute.equal(whole[key], host))
                for host in set(whole[key].to_pylist())
            ]
        )

    def map_groups(self, step: Callable[[Any], Any], *, batch_format: str) -> Rows:
        assert batch_format == "pyarrow"
        return Rows([one for table in self.tables for one in step(table)])

    def write_parquet(self, path: str) -> None:
        pq.write_table(pa.concat_tables(self.tables), path)

    def rows(self) -> list[dict[str, Any]]:
        return [row for table in self.tables for row in table.to_pylist()]


def _results(step: Callable[[Any], Any], batches: list[Any]) -> Iterator[Any]:
    for batch in batches:
        found = step(pa.Table.from_batches([batch]))
        yield from [found] if isinstance(found, pa.Table) else found


class FakeData:
    """Stands for the module ``ray.data``."""

    @staticmethod
    def from_items(rows: list[dict[str, Any]], override_num_blocks: int) -> Rows:
        assert override_num_blocks == len(rows)
        return Rows([pa.Table.from_pylist(rows)])


@pytest.fixture
def fake_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the stand-in in the place of Ray."""
    monkeypatch.setitem(sys.modules, "ray", type(sys)("ray"))
    monkeypatch.setitem(sys.modules, "ray.data", FakeData)


@pytest.mark.usefixtures("fake_ray")
def test_the_calls_of_the_guide_lead_from_archives_to_articles_without_copies(
    archives: Archives, tmp_path: Path
) -> None:
    scope = run_block("clean_with_ray")
    out = str(tmp_path / "unique.parquet")
    scope["clean_with_ray"](archives.paths, f"sqlite:///{tmp_path}/index.db", out)
    found = set(pq.read_table(out)["url"].to_pylist())
    (lost,) = archives.articles.keys() - found
    assert lost in {COPY, ORIGINAL}
    assert found > FAILED.keys()


def test_what_is_wrong_is_said_before_anything_runs() -> None:
    rows: Any = Rows([])
    wrong: Any = {}
    cases: tuple[tuple[Callable[[], object], str], ...] = (
        (lambda: ray_data.warc_places([]), "paths must name at least one WARC file"),
        (lambda: ray_data.clean_pages(rows, partitions=0), "partitions must be a number from 1"),
        (
            lambda: ray_data.clean_pages(rows, config=wrong),
            "config must be a webclean_scrapy.CleanCo",
        ),
        (lambda: ray_data.drop_duplicates(rows, ""), "uri must name a store that all workers see"),
        (lambda: ray_data.drop_duplicates(rows, "mysql://x"), "unknown store 'mysql://x'"),
    )
    for make, said in cases:
        with pytest.raises(ConfigError) as error:
            make()
        assert str(error.value).startswith(said)
