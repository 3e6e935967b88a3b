"""The steps in pipelines of datatrove, run by its local executor over WARC files."""

import contextlib
import gzip
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import dill  # type: ignore[import-untyped]
import pytest
from datatrove.data import Document
from datatrove.executor import LocalPipelineExecutor
from datatrove.executor.base import ExecutorJSONEncoder
from datatrove.pipeline.writers import JsonlWriter

from tests.commands.running import ROOT
from tests.engines.conftest import Archives
from tests.engines.made_archives import COPY, FAILED, LIST, ORIGINAL, made_pages
from tests.pages import unmarked
from webclean_scrapy import CleanConfig
from webclean_scrapy.engines.datatrove_steps import (
    ArticleExtractor,
    DuplicateFilter,
    HostPartitionReader,
    HostPartitionWriter,
    WarcPlaces,
)
from webclean_scrapy.errors import ConfigError

PARTITIONS = 4
_OURS = ("url", "file_path", "warc_offset")  # metadata of the reader


def run(steps: list[Any], logs: Path, tasks: int = 1) -> dict[str, dict[str, int]]:
    """Run a pipeline, one task after the other; return the totals of each step's stats."""
    found = LocalPipelineExecutor(steps, tasks=tasks, workers=1, logging_dir=str(logs)).run()
    return {one.name: {name: s.total for name, s in one.stats.items()} for one in found.stats}


def pages_by_host(steps: Iterable[Any], folder: Path, tasks: int = 1) -> Path:
    """Write documents by host."""
    run([*steps, HostPartitionWriter(str(folder / "hosts"), PARTITIONS)], folder / "log1", tasks)
    return folder / "hosts"


def read(folder: Path) -> dict[str, dict[str, Any]]:
    """Return the documents of all tasks as items, by address; each is there once."""
    found: dict[str, dict[str, Any]] = {}
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text().splitlines():
            document = json.loads(line)
            metadata = document["metadata"]
            assert metadata["url"] not in found
            article = {name: v for name, v in metadata.items() if name not in _OURS}
            found[metadata["url"]] = {
                "url": metadata["url"], **article, "articleBody": document.get("text", ""),
            }  # fmt: skip
    return found


@pytest.fixture(scope="module")
def extracted(archives: Archives, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The output of the two pipelines over archives, and the stats of the second."""
    folder = tmp_path_factory.mktemp("datatrove")
    hosts = pages_by_host([WarcPlaces(str(archives.folder))], folder, tasks=2)
    steps = [
        HostPartitionReader(str(hosts)),
        ArticleExtractor(),
        JsonlWriter(str(folder / "out"), "${rank}.jsonl", compression=None),
    ]
    stats = run(steps, folder / "log2", PARTITIONS)
    return folder / "out", stats


def test_articles_equal_those_of_clean_field_by_field(archives: Archives, extracted: Any) -> None:
    found = read(extracted[0])
    for url, reason in FAILED.items():
        failed = found.pop(url)
        assert failed["webclean"]["error"] == reason
        assert failed["webclean"]["message"]
        assert failed["articleBody"] == ""
    assert found.pop(LIST)["articleBody"] == ""
    assert found == archives.articles
    assert not any("Our readers keep" in one["articleBody"] for one in found.values())
    assert "渡轮" in found["http://east.example/cn/1.html"]["articleBody"]


def test_each_outcome_is_counted(extracted: Any, archives: Archives) -> None:
    stats = extracted[1]["🛢 - EXTRAC: webclean: articles"]
    counts = {name: stats[name] for name in stats if not name.startswith("doc_len")}
    pages = len(archives.articles) + 1
    assert counts == {
        "total": pages + 2, "forwarded": pages + 2, "cleaned": pages,
        "failed_not_html": 1, "failed_empty": 1,
    }  # fmt: skip


def test_pages_of_a_host_are_in_one_task_in_their_order(archives: Archives, tmp_path: Path) -> None:
    order = [url for pages in made_pages() for url in pages]
    folder = pages_by_host([WarcPlaces(str(archives.folder))], tmp_path, tasks=2)
    tasks = [
        [document.metadata["url"] for document in HostPartitionReader(str(folder))(None, rank, 2)]
        for rank in range(2)
    ]
    hosts = [{url.split("/")[2].split(":")[0] for url in urls} for urls in tasks]
    assert all(tasks)
    assert not hosts[0] & hosts[1]
    assert len(hosts[0] | hosts[1]) == 4
    for urls in tasks:
        for host in {url.split("/")[2] for url in urls}:
            mine = [url for url in urls if url.split("/")[2] == host]
            assert mine == sorted(mine, key=order.index)


def test_documents_that_hold_their_pages_give_the_same(archives: Archives, tmp_path: Path) -> None:
    documents = [
        Document(page.body.decode(), id=url, metadata={"url": url, "date": "2026-03-01"})
        for pages in made_pages()
        for url, page in pages.items()
        if url in archives.articles and "/cn/" not in url
    ]
    hosts = pages_by_host([documents], tmp_path)
    found = {
        document.metadata["url"]: document
        for rank in range(2)
        for document in ArticleExtractor()(HostPartitionReader(str(hosts))(None, rank, 2))
    }
    assert sorted(found) == sorted(document.metadata["url"] for document in documents)
    for url, document in found.items():
        expected = dict(archives.articles[url])
        assert document.text == expected.pop("articleBody")
        assert {name: document.metadata[name] for name in expected} == expected
        assert document.metadata["date"] == "2026-03-01"


def test_a_host_is_cleaned_as_if_it_were_alone_in_its_task(archives: Archives) -> None:
    documents = [
        Document(page.body.decode(), url, metadata={"url": url})
        for pages in made_pages()
        for url, page in pages.items()
        if "/news/10" in url
    ]
    documents.sort(key=lambda document: document.id.rpartition("/")[2])  # a host in turn
    step = ArticleExtractor(CleanConfig(max_templates=1), fields=["url"])
    found = {document.id: document.text for document in step(documents)}
    assert len(found) == 24
    assert all(text == archives.articles[url]["articleBody"] for url, text in found.items())


def test_fields_and_articles_only_are_heard() -> None:
    pages = {url: page for pages in made_pages() for url, page in pages.items()}
    lists = pages[LIST].body.decode()
    documents = [
        Document(pages[ORIGINAL].body.decode(), "1", metadata={"url": ORIGINAL}),
        Document(lists, "2", metadata={"url": LIST}),
        Document("<p>A page without an address.", "3"),
    ]
    step = ArticleExtractor(CleanConfig(keywords=3), fields=["keywords"], articles_only=True)
    (found,) = step(documents)
    assert list(found.metadata) == ["url", "keywords", "webclean"]
    assert len(found.metadata["keywords"]) == 3
    assert step.stats["dropped_no_article"].total == 2


def killed_once(marker: Path) -> Callable[..., Any]:
    """Return a step that kills its process behind the first document of task 1, one time."""

    def step(data: Any, rank: int = 0, world_size: int = 1) -> Any:
        for document in data:
            yield document
            if rank == 1 and not marker.exists():
                marker.touch()
                os.kill(os.getpid(), signal.SIGKILL)

    return step


def deduplicated(hosts: Path, folder: Path, *, killed: bool) -> Any:
    """Clean and de-duplicate three tasks; with *killed* the process dies in the second."""
    steps: list[Any] = [
        HostPartitionReader(str(hosts)),
        ArticleExtractor(),
        DuplicateFilter(f"sqlite:///{folder}/index.db", batch_size=4),
        JsonlWriter(str(folder / "out"), "${rank}.jsonl", compression=None),
    ]
    if killed:
        steps.append(killed_once(folder / "killed"))
    return run(steps, folder / "log", PARTITIONS)


KILLED = """
import sys
from pathlib import Path
from tests.engines.test_datatrove_steps import deduplicated
deduplicated(Path(sys.argv[1]), Path(sys.argv[2]), killed=True)
"""


def run_in_a_group(code: str, *arguments: str) -> int:
    """Run a program and end the processes it leaves: datatrove's manager outlives its executor."""
    path = os.pathsep.join([str(ROOT), *filter(None, sys.path)])
    program = subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        env={**os.environ, "PYTHONPATH": path}, start_new_session=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        return program.wait(timeout=120)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(program.pid, signal.SIGKILL)


def test_after_a_kill_a_run_loses_and_doubles_nothing(archives: Archives, tmp_path: Path) -> None:
    hosts = pages_by_host([WarcPlaces(str(archives.folder))], tmp_path)
    assert run_in_a_group(KILLED, str(hosts), str(tmp_path)) == -signal.SIGKILL
    assert {path.name for path in (tmp_path / "log" / "completions").iterdir()} == {"00000"}

    stats = deduplicated(hosts, tmp_path, killed=False)
    assert stats["🔻 - FILTER: webclean: near-duplicates"].get("dropped_duplicate", 0) <= 1
    found = read(tmp_path / "out")
    (lost,) = (archives.articles.keys() | FAILED | {LIST}) - found.keys()
    assert lost in {COPY, ORIGINAL}  # whichever came second
    written = found.keys() & archives.articles.keys()
    assert all(unmarked(found[url]) == archives.articles[url] for url in written)


def test_a_copy_can_be_kept_with_the_address_of_the_other() -> None:
    text = "\n".join(f"The council opened bridge {n} over the river Amber." for n in range(9))
    documents = [Document(text, str(n), metadata={"url": f"http://{n}.example/"}) for n in range(2)]
    first, copy = DuplicateFilter(duplicate="keep")([*documents])
    assert "webclean" not in first.metadata
    found = {"duplicate_of": "http://0.example/", "similarity": 1.0, "own": 0.0}
    assert copy.metadata["webclean"] == found
    dropping = DuplicateFilter()
    assert [one.id for one in dropping([*documents, Document("", "3")])] == ["0", "3"]
    assert dropping.stats["dropped_duplicate"].total == 1


def test_a_damaged_archive_is_counted_and_read_so_far(archives: Archives, tmp_path: Path) -> None:
    raw = Path(archives.paths[0]).read_bytes()
    (tmp_path / "cut.warc.gz").write_bytes(raw[: len(raw) // 2])
    (tmp_path / "none.warc").write_bytes(b"<p>A page.")
    step = WarcPlaces(str(tmp_path))
    urls = [document.metadata["url"] for document in step()]
    assert 1 < len(urls) < 12
    assert step.stats["damaged_archives"].total == 2


def test_an_archive_that_is_gone_is_said_of_its_pages(archives: Archives, tmp_path: Path) -> None:
    (document, *_) = WarcPlaces(str(archives.folder))()
    document.metadata["file_path"] = str(tmp_path / "gone.warc")
    (found,) = ArticleExtractor()([document])
    assert found.metadata["webclean"] == {
        "error": "unreadable", "message": "No such file or directory",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: ArticleExtractor(fields=["title"]), "fields must be some of url, headline, "),
        (lambda: HostPartitionWriter("x", 0), "partitions must be a number from 1 to 100,000"),
        (lambda: HostPartitionReader("x", limit=3), "limit: no option of HostPartitionReader"),
        (lambda: DuplicateFilter("mysql://x"), "unknown store 'mysql://x'"),
        (lambda: DuplicateFilter(vote=3), "unknown option 'vote'"),
        (lambda: DuplicateFilter(update="replace"), "update must be one of"),
    ],
)
def test_what_is_wrong_is_said_when_the_step_is_made(make: Callable[[], object], said: str) -> None:
    with pytest.raises(ConfigError) as error:
        make()
    assert str(error.value).startswith(said)
    assert len(str(error.value).splitlines()) == 1


def run_block(name: str) -> dict[str, Any]:
    """Run the code block in docs/engines.md that defines *name*; return that object."""
    text = (ROOT / "docs" / "engines.md").read_text("utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    (source,) = [block for block in blocks if name in block]
    scope: dict[str, Any] = {"__name__": "guide"}
    exec(source, scope)  # noqa: S102, that is the test
    return scope


def test_the_pipelines_of_the_guide_run_as_written(archives: Archives, tmp_path: Path) -> None:
    scope = run_block("clean_archives")
    scope["clean_archives"](str(archives.folder), str(tmp_path), tasks=2, workers=1)
    (path,) = (tmp_path / "unique").iterdir()
    lines = gzip.decompress(path.read_bytes()).splitlines()
    found = {json.loads(line)["metadata"]["url"] for line in lines}
    (lost,) = archives.articles.keys() - found
    assert lost in {COPY, ORIGINAL}
    assert found < archives.articles.keys()


def test_what_datatrove_writes_about_a_pipeline_has_no_password(tmp_path: Path) -> None:
    step = DuplicateFilter(f"sqlite:///{tmp_path}/secret.db")
    shown = json.dumps([step, ArticleExtractor()], cls=ExecutorJSONEncoder)
    assert "secret" not in shown
    assert "secret" not in f"{step}"
    sent = dill.loads(dill.dumps(step))  # noqa: S301, as datatrove does with workers
    assert [one.id for one in sent([Document("A text.", "1")])] == ["1"]
