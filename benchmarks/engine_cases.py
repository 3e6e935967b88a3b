"""The cases of `engines`, each run as a program: ``python -m benchmarks.engine_cases CASE FOLDER``.

FOLDER has the archives in ``warcs``; the articles are written as JSON lines beside them.
"""

from __future__ import annotations

import json
import os
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from webclean_scrapy.cleaning.cleaner import Cleaner
from webclean_scrapy.engines.article_options import ArticleOptions
from webclean_scrapy.stored.page_cleaner import clean_hosts, read_place
from webclean_scrapy.stored.places import Place
from webclean_scrapy.stored.warc_pages import read_warc

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

RESULT, PIDS = "articles", "pids"  # folders; a worker leaves its pid as the name of a file
PARTITIONS = 8
_MOST = 5_000_000  # bytes of a page


def run_loop(folder: Path, _: int) -> None:
    """Clean page after page with one `Cleaner`; no sibling is looked for."""
    cleaner = Cleaner()
    with (folder / RESULT / "0.jsonl").open("w", encoding="utf-8") as file:
        for path in _paths(folder):
            for page in read_warc(path, _MOST):
                article = cleaner.clean(page.html, page.url, charset=page.charset).to_dict()
                file.write(json.dumps(article, default=str) + "\n")


def run_siblings(folder: Path, _: int) -> None:
    """Clean page after page with siblings, as ``webclean clean`` does."""
    options = ArticleOptions.from_arguments(None, None, False)
    places = [
        Place(path, page.offset, page.url) for path in _paths(folder) for page in read_warc(path)
    ]
    cleaned = clean_hosts(places, lambda: options.cleaner(read_place))
    _write(folder / RESULT / "0.jsonl", (options.record(outcome) for _, outcome in cleaned))


def run_datatrove(folder: Path, tasks: int) -> None:
    """Run the two pipelines with so many tasks at once."""
    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.writers import JsonlWriter

    from webclean_scrapy.engines import datatrove_steps as steps

    hosts, out = str(folder / f"hosts{tasks}"), str(folder / RESULT)
    index = LocalPipelineExecutor(
        [steps.WarcPlaces(str(folder / "warcs")), steps.HostPartitionWriter(hosts, PARTITIONS)],
        tasks=4, workers=tasks, logging_dir=f"{out}/log1",
    )  # fmt: skip
    LocalPipelineExecutor(
        [
            steps.HostPartitionReader(hosts), steps.ArticleExtractor(),
            partial(_leave_pid, folder=folder),
            JsonlWriter(out, "${rank}.jsonl", compression=None, adapter=_as_item),
        ],
        tasks=PARTITIONS, workers=tasks, logging_dir=f"{out}/log2", depends=index,
    ).run()  # fmt: skip


def _leave_pid(documents: Any, rank: int = 0, world_size: int = 1, *, folder: Path) -> Any:
    for document in documents:
        (folder / PIDS / str(os.getpid())).touch()
        yield document


def _as_item(_: object, document: Any) -> dict[str, Any]:
    metadata = dict(document.metadata)
    del metadata["file_path"], metadata["warc_offset"]
    return {**metadata, "articleBody": document.text}


def run_ray(folder: Path, workers: int) -> None:
    """Run the dataset on so many workers of a Ray of its own."""
    import ray

    from webclean_scrapy.engines.ray_data import clean_pages, warc_places

    ray.init(num_cpus=workers, include_dashboard=False, object_store_memory=500_000_000)
    try:
        articles = clean_pages(warc_places(_paths(folder)), partitions=PARTITIONS)
        noted = articles.map_batches(partial(_leave_ray_pid, folder=folder), batch_format="pyarrow")
        _write(folder / RESULT / "0.jsonl", map(_parsed, noted.iter_rows()))
    finally:
        ray.shutdown()


def _leave_ray_pid(rows: Any, folder: Path) -> Any:
    if rows.num_rows:
        (folder / PIDS / str(os.getpid())).touch()
    return rows


def _parsed(row: dict[str, Any]) -> dict[str, Any]:
    return {**row, "webclean": json.loads(row["webclean"])}


def _write(path: Path, articles: Iterable[dict[str, Any] | None]) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(_lines(articles))


def _lines(articles: Iterable[dict[str, Any] | None]) -> Iterator[str]:
    for article in articles:
        if article is not None:
            yield json.dumps({**article, "articleBody": article["articleBody"] or ""}) + "\n"


def _paths(folder: Path) -> list[str]:
    return sorted(str(path) for path in (folder / "warcs").iterdir())


CASES: dict[str, tuple[Callable[[Path, int], None], int]] = {
    "loop": (run_loop, 1),
    "siblings": (run_siblings, 1),
    "datatrove-1": (run_datatrove, 1),
    "datatrove-2": (run_datatrove, 2),
    "ray-1": (run_ray, 1),
    "ray-2": (run_ray, 2),
}
NO_SIBLINGS = frozenset({"loop"})  # its articles are others

if __name__ == "__main__":
    _run, _count = CASES[sys.argv[1]]
    _run(Path(sys.argv[2]), _count)
