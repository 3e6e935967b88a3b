"""``dedup`` on feeds of each format, and messages for other files."""

import gzip
import json
from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import smart_open
from pyarrow import parquet

from tests.commands.running import Shell
from tests.marks import nightly
from tests.pages import article_text
from tests.server import Reply, SiteServer
from webclean_scrapy.commands.row_files import open_rows, read_rows
from webclean_scrapy.dedup.index import DuplicateIndex

TEXTS = ["\n".join(article_text(n)) for n in range(4)]
ROWS: list[dict[str, Any]] = [
    {"url": "a", "headline": 'One, "two"', "articleBody": TEXTS[0]},
    {"url": "b", "headline": "三", "articleBody": TEXTS[1]},
    {"url": "copy", "headline": "", "articleBody": TEXTS[0] + "\nMore tomorrow."},
    {"url": "d", "headline": "", "articleBody": TEXTS[2]},
]
KEPT = [ROWS[n] for n in (0, 1, 3)]
LINES = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS).encode()


@pytest.fixture
def run(shell: Shell) -> Shell:
    """Return a function that runs ``dedup`` in an empty folder."""
    return partial(shell, "dedup")


def write_parquet(path: Path) -> None:
    columns = {name: [row[name] for row in ROWS] for name in ROWS[0]}
    times = [datetime(2026, 11, day, tzinfo=timezone.utc) for day in range(1, len(ROWS) + 1)]
    at = pa.array(times, pa.timestamp("ns", "UTC"))
    parquet.write_table(pa.table({**columns, "at": at}), path, row_group_size=2)


@pytest.mark.parametrize("suffix", [".gz", ".zst", *nightly(".bz2", ".xz")])
def test_feeds_are_packed_by_the_suffix_and_read_up_to_where_they_are_cut(
    run: Shell, tmp_path: Path, suffix: str
) -> None:
    with open_rows(f"feed.jsonl{suffix}", "wb") as file:
        file.write(LINES)
    done = run(f"feed.jsonl{suffix}", "-o", f"out.jsonl{suffix}")
    assert done.code == 0, done.err
    assert [row.record for row in read_rows(f"out.jsonl{suffix}")] == KEPT
    path = tmp_path / f"cut.jsonl{suffix}"
    with open_rows(str(path), "wb") as file:
        for n in range(8_000):
            file.write(json.dumps({"n": n, "t": TEXTS[n % 4][:n]}).encode() + b"\n")
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 4 // 5])
    *rows, last = read_rows(str(path))
    assert [row.record["n"] for row in rows] == list(range(len(rows)))
    assert len(rows) > 100
    assert "the rest is not read" in last.error


def test_parquet_keeps_its_types_and_gets_the_columns_of_all(run: Shell, tmp_path: Path) -> None:
    write_parquet(tmp_path / "one.parquet")
    more = pa.table({"articleBody": [TEXTS[3], TEXTS[1]], "url": ["e", "f"], "extra": [1, 2]})
    parquet.write_table(more, tmp_path / "two.parquet")
    done = run("one.parquet", "two.parquet", "-o", "out.parquet")
    assert done.code == 0, done.err
    found = parquet.read_table(tmp_path / "out.parquet")
    assert found["url"].to_pylist() == ["a", "b", "d", "e"]
    assert found["extra"].to_pylist() == [None, None, None, 1]
    assert found.schema.field("at").type == pa.timestamp("ns", "UTC")


def test_parquet_that_is_damaged_or_not_utf_8_is_said_in_a_line(run: Shell, tmp_path: Path) -> None:
    write_parquet(tmp_path / "page.parquet")
    raw = bytearray((tmp_path / "page.parquet").read_bytes())
    raw[4:12] = b"\xff" * 8  # the head of the first page, behind the mark of the format
    (tmp_path / "page.parquet").write_bytes(raw)
    text = pa.array([b"a text", b"\xa0"]).cast(pa.string(), safe=False)
    parquet.write_table(pa.table({"articleBody": text}), tmp_path / "text.parquet")
    for name in ("page.parquet", "text.parquet"):
        done = run(name, "-o", "out.parquet")
        assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
        assert f"{name}:1: damaged, the rest is not read: " in done.err
        assert not (tmp_path / "out.parquet").exists()


def test_a_feed_is_read_from_a_url_and_written_to_one(run: Shell, tmp_path: Path) -> None:
    packed = Reply(gzip.compress(LINES), content_type="application/jsonl")
    with SiteServer({"/feed.jsonl.gz": packed}) as site:
        done = run(site.url("/feed.jsonl.gz"), "-o", f"file://{tmp_path}/out.jsonl")
        lost = run(site.url("/lost.jsonl"))
    assert done.code == 0, done.err
    assert [row.record for row in read_rows("out.jsonl")] == KEPT
    assert [path.name for path in tmp_path.iterdir()] == ["out.jsonl"]
    assert (lost.code, lost.err.count("\n")) == (1, 1)
    assert "404" in lost.err


def test_only_json_lines_are_marked_where_copies_are_kept(run: Shell, tmp_path: Path) -> None:
    (tmp_path / "feed.jsonl").write_bytes(LINES)
    write_parquet(tmp_path / "feed.parquet")
    keep = ("-s", "WEBCLEAN_DEDUP_DUPLICATE=keep")
    lines = [json.loads(line) for line in run("feed.jsonl", *keep).out.splitlines()]
    assert lines[2].pop("webclean")["duplicate_of"] == "a"
    assert lines == ROWS
    assert run("feed.parquet", *keep, "-o", "out.parquet").code == 0
    found = parquet.read_table(tmp_path / "out.parquet")
    assert found == parquet.read_table(tmp_path / "feed.parquet")


def test_a_run_that_cannot_be_resumed_leaves_nothing_and_hides_nothing_from_the_next(
    run: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_parquet(tmp_path / "feed.parquet")
    words = ("feed.parquet", "-o", "out.parquet", "--uri", "sqlite:///i.db")

    def stop(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(DuplicateIndex, "confirm", stop)  # all rows are in the index by then
        assert run(*words).code == 130
    (tmp_path / "out.parquet").unlink(missing_ok=True)
    assert {path.name for path in tmp_path.iterdir()} <= {
        "feed.parquet", "i.db", "i.db-shm", "i.db-wal",
    }  # fmt: skip
    assert run(*words).code == 0
    found = parquet.read_table(tmp_path / "out.parquet")
    assert found["url"].to_pylist() == [row["url"] for row in KEPT]


WRONG = {
    "wrong.jsonl": (b'{"link": "a", "body": "A text"}\n', ["link, body", "--text"]),
    "bad.jsonl": (b"nope\n", ["bad.jsonl:1: invalid JSON"]),
    "array.json": (b'[{"url": "a"}]', ["a JSON array", "jq"]),
    "empty.jsonl": (b"", ["there are no rows"]),
    "odd.jsonl": (b'{"url": "a", "a\\u2028b": "text"}\n', ["url, a\\u2028b"]),
    "table.csv": (b"url,articleBody\na,text\n", ["mlr --icsv --ojsonl"]),
    "cut.parquet": (b"PAR1" + b"x" * 99, ["damaged"]),
    "half.jsonl.gz": (gzip.compress(LINES)[:12], ["damaged"]),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_feed_is_said_and_leaves_nothing(run: Shell, tmp_path: Path, name: str) -> None:
    content, said = WRONG[name]
    (tmp_path / name).write_bytes(content)
    done = run(name, "--uri", "sqlite:///i.db", "-o", f"out.{name.split('.', 1)[1]}")
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert [part for part in (name, *said) if part not in done.err] == []
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((), 2, "dedup needs a feed"),
        (("fed.jsonl",), 1, "fed.jsonl"),
        ((".",), 1, "Is a directory"),
        (("feed.jsonl", "feed.parquet"), 1, "differ in format"),
        (("feed.jsonl", "-o", "out.parquet"), 1, "format of the feeds"),
        (("feed.jsonl", "-o", "no/out.jsonl"), 1, "no/out.jsonl.part"),
        (("feed.jsonl", "-o", "."), 1, "already exists"),
        (("feed.jsonl", "-o", "feed.jsonl"), 1, "already exists"),
        (("feed.jsonl", "--clusters", "-"), 2, "standard output"),
        (("feed.jsonl", "--uri", "mysql://x"), 1, "mysql://x"),
        (("moon://x.jsonl",), 1, "moon"),
        (("http://127.0.0.1:9/feed.jsonl",), 1, "127.0.0.1"),
    ],
)
def test_what_cannot_be_done_is_told(
    run: Shell, tmp_path: Path, words: tuple[str, ...], code: int, said: str
) -> None:
    (tmp_path / "feed.jsonl").write_bytes(LINES)
    done = run(*words)
    assert (done.code, done.out, done.err.count("\n")) == (code, "", 1)
    assert said in done.err
    assert (tmp_path / "feed.jsonl").read_bytes() == LINES


@pytest.mark.parametrize("uri", [(), ("--uri", "sqlite:///i.db")])
def test_a_result_is_replaced_when_that_is_asked_for(
    run: Shell, tmp_path: Path, uri: tuple[str, ...]
) -> None:
    (tmp_path / "feed.jsonl").write_bytes(LINES + LINES)
    assert run("feed.jsonl", *uri, "-o", "feed.jsonl", "--force").code == 0
    left = (tmp_path / "feed.jsonl").read_bytes().splitlines()
    assert [json.loads(line)["url"] for line in left] == [row["url"] for row in KEPT]


def test_a_library_that_is_missing_is_named(run: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: Any, **__: Any) -> None:
        raise ImportError("boto3")

    monkeypatch.setattr(smart_open, "open", missing)
    done = run("s3://news/feed.jsonl")
    assert "pip install 'smart_open[s3]'" in done.err
    assert done.err.count("\n") == 1


def test_the_first_of_many_bad_lines_are_shown(run: Shell, tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").touch()
    (tmp_path / "feed.jsonl").write_bytes(LINES + b"nope\n" * 25)
    done = run("empty.jsonl", "feed.jsonl")
    assert len(done.out.splitlines()) == 3
    assert done.err.count("invalid JSON") == 20
    assert "not shown: 5" in done.err
