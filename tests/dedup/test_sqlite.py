import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.dedup.articles import make_article
from tests.marks import nightly
from webclean_scrapy.dedup.index import DuplicateIndex
from webclean_scrapy.errors import StoreSchemeError, StoreUnavailableError

# A crawl in another process: adds pages and prints which were accepted, until it is killed.
CRAWL = """
import random, sys
from webclean_scrapy.dedup.index import DuplicateIndex

uri, method, name = sys.argv[1:4]
start, count = map(int, sys.argv[4:])
index = DuplicateIndex(uri, method=method)
print("ready", flush=True)
sys.stdin.readline()
for number in range(start, start + count):
    dice = random.Random(number)
    text = " ".join("".join(dice.choices("abcdefghij", k=7)) for _ in range(60))
    if index.check_and_add(f"{name}/{number}", text) is None:
        print(number, flush=True)
index.close()
"""


# Adds one page as pending and lives until it is killed. Arguments: URI, text.
HOLDER = """
import sys
from webclean_scrapy.dedup.index import DuplicateIndex

index = DuplicateIndex(sys.argv[1])
index.check_and_add("a", sys.argv[2], run="monday")
print("ready", flush=True)
sys.stdin.readline()
"""


def start_crawl(uri: str, method: str, name: str, pages: range) -> subprocess.Popen[str]:
    return start(CRAWL, uri, method, name, str(pages.start), str(len(pages)))


def start(program: str, *arguments: str) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", program, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def let_go(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


def change(path: Path, sql: str) -> None:
    """Write to the file as another program would."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute(sql)


def test_a_uri_may_be_relative_and_quoted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    DuplicateIndex("sqlite:///my%20pages.db").close()
    assert (tmp_path / "my pages.db").is_file()


@pytest.mark.parametrize("store", ["sqlite", "redis"])
def test_another_scheme_is_refused_and_another_search_is_not(
    request: pytest.FixtureRequest, tmp_path: Path, store: str
) -> None:
    uri = f"sqlite:///{tmp_path}/pages.db"
    if store == "redis":
        uri = request.getfixturevalue("redis_server").uri("site")
    DuplicateIndex(uri).close()
    with pytest.raises(StoreSchemeError, match=r"sample 48 \(now 32\)"):
        DuplicateIndex(uri, sample=32)
    DuplicateIndex(uri, max_candidates=3).close()


def test_a_file_of_something_else_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    change(path, "CREATE TABLE bookmarks (url TEXT)")
    with pytest.raises(StoreSchemeError, match="another program"):
        DuplicateIndex(f"sqlite:///{path}")
    with closing(sqlite3.connect(path)) as other:
        assert other.execute("SELECT count(*) FROM sqlite_master").fetchone() == (1,)


def test_what_cannot_be_opened_is_refused(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("This is not a database, " * 100)
    for path in (text, tmp_path, tmp_path / "missing" / "pages.db"):
        with pytest.raises(StoreUnavailableError, match="is not available"):
            DuplicateIndex(f"sqlite:///{path}")
    assert text.read_text().startswith("This is not")


@pytest.mark.parametrize(
    "sql", [b"CREATE TABLE entries (\x1b]0;\n", b"CREATE TABLE entries \xec\xec("]
)
def test_an_error_of_a_damaged_file_is_a_line_one_can_print(tmp_path: Path, sql: bytes) -> None:
    path = tmp_path / "pages.db"
    DuplicateIndex(f"sqlite:///{path}").close()
    data, begin = path.read_bytes(), b"CREATE TABLE entries ("
    assert begin in data
    path.write_bytes(data.replace(begin + data.partition(begin)[2][: len(sql) - len(begin)], sql))
    with pytest.raises(StoreUnavailableError, match="is not available") as found:
        DuplicateIndex(f"sqlite:///{path}")
    assert str(found.value).isprintable()


def test_a_closed_store_raises(tmp_path: Path) -> None:
    index = DuplicateIndex(f"sqlite:///{tmp_path}/pages.db")
    index.add("a", make_article(1))
    index.close()
    with pytest.raises(StoreUnavailableError):
        index.add("b", make_article(1))
    with pytest.raises(StoreUnavailableError):
        index.find(make_article(1))


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE entries SET data = 'text'",
        "UPDATE entries SET data = x'00'",
        "UPDATE entries SET key = x'00'",
        "UPDATE entries SET added = x'00'",
        "UPDATE webclean_header SET name = x'ff' WHERE name = 'sample'",
        "UPDATE webclean_header SET value = x'ff' WHERE name = 'sample'",
        "UPDATE webclean_header SET name = char(27) WHERE name = 'sample'",
    ],
)
def test_values_of_other_types_are_refused_in_printable_words(tmp_path: Path, sql: str) -> None:
    options: dict[str, Any] = {"expire_days": 1, "clock": lambda: 1e6}
    with DuplicateIndex(f"sqlite:///{tmp_path}/pages.db", **options) as index:
        index.add("a", make_article(1))
    change(tmp_path / "pages.db", sql)
    with pytest.raises(StoreSchemeError) as caught:  # noqa: SIM117, at either of the two
        with DuplicateIndex(f"sqlite:///{tmp_path}/pages.db", **options) as again:
            again.check_and_add("b", make_article(1))
    assert str(caught.value).isprintable()


def test_an_interrupted_write_is_undone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with DuplicateIndex(f"sqlite:///{tmp_path}/pages.db") as index:
        store = index._store

        def fail(*_: object) -> None:
            raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr(store, "_index_codes", fail)
            with pytest.raises(KeyboardInterrupt):
                index.add("a", make_article(1))
        assert len(index) == 0
        index.add("a", make_article(1))
        assert len(index) == 1


@pytest.mark.parametrize(
    ("method", "names"), [("codes", "abcd"), *nightly(("minhash", "ab"), ("redis", "abc"))]
)
def test_processes_at_once_take_each_page_once(
    request: pytest.FixtureRequest, tmp_path: Path, method: str, names: str
) -> None:
    uri = f"sqlite:///{tmp_path}/pages.db"
    if method == "redis":
        uri, method = request.getfixturevalue("redis_server").uri("site", timeout=20), "codes"
    crawls = [start_crawl(uri, method, name, range(150)) for name in names]
    for crawl in crawls:
        let_go(crawl)
    taken = [int(line) for crawl in crawls for line in crawl.communicate()[0].split()]
    assert [crawl.returncode for crawl in crawls] == [0] * len(names)
    assert sorted(taken) == list(range(150))


@pytest.mark.parametrize(("run", "again"), [("monday", "a"), ("another", "b")])
def test_pages_pending_elsewhere_count_while_it_lives(tmp_path: Path, run: str, again: str) -> None:
    uri, text = f"sqlite:///{tmp_path}/pages.db", make_article(1)
    holder = start(HOLDER, uri, text)
    with DuplicateIndex(uri) as index, DuplicateIndex(uri) as third:
        for key in ("a", "b"):  # it may crawl the same addresses
            matches = [index.check_and_add(key, text, run=run), third.find(text, run=run)]
            assert [match and match.key for match in matches] == ["a", "a"]
        assert index.find(text) is None
        holder.kill()
        holder.communicate()
        assert third.find(text, run=run) is None
        assert index.check_and_add(again, text, run=run) is None
        assert third.check_and_add(again, text, run=run) is not None  # in one process too
    DuplicateIndex(uri).close()
    assert [path.name for path in tmp_path.iterdir()] == ["pages.db"]


def test_a_new_file_that_another_process_creates_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "pages.db"
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        creation = threading.Timer(0.2, other.execute, ["ROLLBACK"])
        creation.start()
        DuplicateIndex(f"sqlite:///{path}").close()
        creation.join()


def test_lists_of_pages_stay_short_whatever_the_pages_have_in_common(tmp_path: Path) -> None:
    """Else each look-up takes longer, the more pages there are."""
    rules: Any = {"max_pages_per_code": 3, "own_share": 0.01}
    with DuplicateIndex(f"sqlite:///{tmp_path}/pages.db", probes=16, **rules) as index:
        for seed in range(1, 30):
            index.add(str(seed), make_article(seed)[:60] + make_article(0))
    with closing(sqlite3.connect(tmp_path / "pages.db")) as db:
        counts = db.execute("SELECT count(*) FROM codes GROUP BY code").fetchall()
    assert max(counts) == (3,)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs a signal that cannot be caught")
@pytest.mark.parametrize("method", ["codes", *nightly("minhash")])
def test_nothing_acknowledged_is_lost_when_the_process_is_killed(
    tmp_path: Path, method: str
) -> None:
    uri = f"sqlite:///{tmp_path}/pages.db"
    acknowledged: list[int] = []
    for life in range(4):
        crawl = start_crawl(uri, method, "crawl", range(1000 * life, 1000 * life + 1000))
        let_go(crawl)
        assert crawl.stdout is not None
        acknowledged += [int(crawl.stdout.readline()) for _ in range(10)]
        time.sleep(0.01 * life)
        os.kill(crawl.pid, signal.SIGKILL)
        rest = crawl.stdout.read().split("\n")[:-1]  # the last line may be cut
        acknowledged += map(int, rest)
        crawl.communicate()
    with DuplicateIndex(uri, method=method) as index:
        missing = [n for n in acknowledged if not index.remove(f"crawl/{n}")]
        assert missing == []
        assert len(index) <= 4  # written, and killed before it was printed
