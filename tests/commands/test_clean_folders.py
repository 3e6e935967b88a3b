import gzip
import json
import re
from collections import Counter
from concurrent.futures import Future
from pathlib import Path
from typing import Any, ClassVar

import pytest
from backports import zstd

from spiders.demo.model import DemoPage
from tests.commands.running import Shell, read_records
from tests.pages import article
from tests.warcs import write_warc
from webclean_scrapy import Cleaner
from webclean_scrapy.cleaning.config import CleanConfig
from webclean_scrapy.cleaning.page.raw_page import RawPage
from webclean_scrapy.commands import page_workers, terminal
from webclean_scrapy.commands.stored_pages import StoredPages
from webclean_scrapy.engines.page_cleaner import PageCleaner
from webclean_scrapy.settings import WebcleanConfig

HOME = "https://www.news.example"


def save(folder: Path, name: str, number: int, head: str = "") -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(article(number).replace("<head>", f"<head>{head}", 1), encoding="utf-8")


def canonical(url: str) -> str:
    return f'<link rel="canonical" href="{url}">'


@pytest.mark.parametrize(
    ("head", "url"),
    [
        (canonical(f"{HOME}/a/1.html?page=3#top"), f"{HOME}/a/1.html?page=3"),
        (f'<meta property="og:url" content="{HOME}/a/1.html">', f"{HOME}/a/1.html"),
        (canonical("/a/1.html") + f"<meta property=og:url content={HOME}/b>", f"{HOME}/b"),
        (canonical(f"{HOME}/"), None),
        (canonical("/a/1.html"), None),
        (canonical("mailto:a@b.example"), None),
        (f"<!-- {canonical(f'{HOME}/a/1.html')} -->", None),
        ("", None),
    ],
)
def test_a_file_has_the_address_that_its_page_names_and_its_name_in_the_record(
    tmp_path: Path, shell: Shell, head: str, url: str | None
) -> None:
    save(tmp_path, "saved/x.html", 1, head)
    (record,) = map(json.loads, shell("clean", "saved", "--json").out.splitlines())
    assert record["url"] == (url or "saved/x.html")
    assert record["webclean"]["file"] == "saved/x.html"
    assert shell("clean", "saved", "--format", "markdown", "-o", "out/").code == 0
    assert (tmp_path / "out" / "x.md").exists()  # the name of its file, not of its address


@pytest.mark.parametrize("names_address", [False, True])
def test_a_template_is_learned_once_for_all_files_of_it(
    tmp_path: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch, names_address: bool
) -> None:
    for number in range(9):
        head = canonical(f"{HOME}/a/{number + 100}.html") if names_address else ""
        save(tmp_path, f"saved/x{number}y.html", number, head)
    compared = []
    learn = Cleaner.learn_sibling

    def count(cleaner: Cleaner, *pages: RawPage) -> str | None:
        compared.append(pages)
        return learn(cleaner, *pages)

    monkeypatch.setattr(Cleaner, "learn_sibling", count)
    monkeypatch.setattr("webclean_scrapy.crawl.workers.process.START_TRIES", 0)  # this one cleans
    called = shell("clean", "saved", "--json")
    assert len(called.out.splitlines()) == 9
    assert 1 <= len(compared) <= 2


def test_files_of_hosts_with_one_page_teach_nothing(
    tmp_path: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(4):
        save(tmp_path, f"saved/{number}.html", number, canonical(f"https://{number}.example/a"))
    kept = []
    monkeypatch.setattr(Cleaner, "_remember", lambda *words: kept.append(words))
    assert len(shell("clean", "saved", "--json").out.splitlines()) == 4
    assert not kept


def test_keywords_are_found_when_they_are_asked_for(tmp_path: Path, shell: Shell) -> None:
    save(tmp_path, "x.html", 1)
    assert "keywords" not in json.loads(shell("clean", "x.html", "--json").out)
    for asked in ("all", "headline,keywords"):
        called = shell("clean", "x.html", "--json", "-s", f"WEBCLEAN_FIELDS={asked}")
        assert json.loads(called.out)["keywords"]


def test_the_suffix_of_a_file_says_how_it_is_packed(tmp_path: Path, shell: Shell) -> None:
    for number in range(3):
        save(tmp_path, f"saved/{number}.html", number)
    for name in ("o.jsonl", "o.jsonl.gz", "o.jsonl.zst"):
        assert shell("clean", "saved", "-o", name).code == 0
    plain = (tmp_path / "o.jsonl").read_bytes()
    assert plain.count(b"\n") == 3
    assert gzip.decompress((tmp_path / "o.jsonl.gz").read_bytes()) == plain
    assert zstd.decompress((tmp_path / "o.jsonl.zst").read_bytes()) == plain
    assert shell("clean", "saved", "--format", "parquet", "-o", "o.parquet.gz").code == 2


def test_shards_take_each_page_once_and_leave_articles_whole(tmp_path: Path, shell: Shell) -> None:
    for number in range(20):
        save(tmp_path, f"saved/a{number}b.html", number)
    for number in range(3):
        save(tmp_path, f"saved/story_{number + 1}.html", 50 + number)
    pages = {f"/news/{n}.html": DemoPage(body=article(n).encode()) for n in range(3)}
    for host in "abcdef":
        write_warc(tmp_path / f"saved/{host}.warc", f"http://{host}.example", pages)
    shards: list[set[str]] = []
    for number in (1, 2, 3):
        name = f"{number}.jsonl"
        assert shell("clean", "saved", "-o", name, "--shard", f"{number}/3").code == 0
        shards.append({one["url"] for one in read_records(tmp_path / name)})
    assert all(shards)
    assert sum(map(len, shards)) == len(set().union(*shards)) == 23 + 18
    for part in ("/story_", *(f"http://{host}." for host in "abcdef")):
        assert sum(any(part in url for url in shard) for shard in shards) == 1, part
    assert "--shard" in shell("clean", "saved", "--shard", "4/3").err


def test_a_log_is_told_how_far_it_is_and_how_fast(
    tmp_path: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        save(tmp_path, f"{number}.html", number)
    quiet = shell("clean", ".", "--json").err
    monkeypatch.setattr(terminal, "LINE_S", 0.0)
    *lines, last = shell("clean", ".", "--json").err.splitlines()
    assert quiet.splitlines() == [last]
    assert [line.split()[1] for line in lines] == ["0/3", "1/3", "2/3", "3/3"]
    assert re.search("pages/s|s/ pages", lines[-1])  # on a busy machine


class Recorded:
    """Stands in for a process: does the task at once and counts it."""

    given: ClassVar[Counter[int]] = Counter()

    def __init__(self, *_: object, **__: object) -> None:
        self.given[id(self)] = 0
        self._cleaner = PageCleaner(CleanConfig(), ("headline",), articles_only=False)

    def fork(self) -> "Recorded":
        return self

    def submit(self, _: object, task: Any, *__: object, **___: object) -> "Future[Any]":
        self.given[id(self)] += 1
        future: Future[Any] = Future()
        future.set_result(self._cleaner.clean(task))
        return future


@pytest.mark.parametrize("hosts", [1, 40])
def test_processes_share_the_pages_of_one_host_and_of_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hosts: int
) -> None:
    for number in range(40):
        url = f"https://{number % hosts}.example/a/{number}.html"
        save(tmp_path, f"{number}.html", number, canonical(url))
    monkeypatch.setattr(page_workers, "WorkerProcess", Recorded)
    monkeypatch.setattr(page_workers, "close_all", lambda *_: 0)
    monkeypatch.setattr(Recorded, "given", Counter[int]())
    pages = StoredPages(print)
    pages.find([str(tmp_path)], str(tmp_path), None)
    tasks, _ = pages.tasks()
    found = list(page_workers.clean_all(tasks, WebcleanConfig(), ("headline",), 2))
    assert len(found) == 40
    assert min(Recorded.given.values()) >= 16


def test_a_chunk_carries_what_a_retriever_filters_by(tmp_path: Path, shell: Shell) -> None:
    head = canonical(f"{HOME}/a/1.html") + '<meta name="author" content="Ann Bell">'
    head += '<meta property="article:published_time" content="2026-03-04">'
    save(tmp_path, "x.html", 1, head)
    lines = shell("clean", "x.html", "--chunks", "60").out.splitlines()
    chunks = [json.loads(line) for line in lines]
    assert len(chunks) > 2
    assert len({one["id"] for one in chunks}) == len(chunks)
    for one in chunks:
        assert one["url"] == f"{HOME}/a/1.html"
        assert (one["date"], one["authors"], one["language"]) == ("2026-03-04", ["Ann Bell"], "en")
        assert one["site"] == "news.example"
        assert 0 < one["confidence"] <= 1
    again = shell("clean", "x.html", "--chunks", "60").out.splitlines()
    assert again == lines
    for name in ("p.jsonl", "p.json", "p.txt", "p.jsonl.gz"):
        assert shell("clean", "x.html", "--chunks", "60", "-o", name).code == 0
    assert (tmp_path / "p.txt").read_text(encoding="utf-8").splitlines() == lines
    for name in ("p.parquet", "p.md", "p.csv", "p.xml"):  # they would hold lines of JSON
        assert shell("clean", "x.html", "--chunks", "60", "-o", name).code == 2
        assert not (tmp_path / name).exists()
