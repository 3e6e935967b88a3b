"""The wiring of our steps to Ray's names, over a stand-in for Ray.

With a real one, which takes a minute of CPU to start and stop: ``python -m benchmarks engines``.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.engines.guide import run_block
from tests.engines.made_archives import COPY, FAILED, ORIGINAL
from webclean_scrapy.engines import ray_data
from webclean_scrapy.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.engines.conftest import Archives


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


def test_the_library_is_named_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray.data", None)
    with pytest.raises(ConfigError, match=r"needs ray\[data\]; install it: pip install 'ray"):
        ray_data.warc_places(["pages.warc"])
