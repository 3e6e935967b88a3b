"""``dedup`` on feeds of each format, and what it says of files that are none."""

from __future__ import annotations

import bz2
import csv
import gzip
import json
import lzma
import sys
from datetime import datetime, timezone
from io import StringIO
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from tests.commands.running import call
from tests.pages import article_text
from tests.server import Reply, SiteServer
from webclean_scrapy.commands import feed_job
from webclean_scrapy.commands.feed_lines import Place, read_lines
from webclean_scrapy.commands.feeds import feed_files
from webclean_scrapy.commands.feeds.feed_format import inspect_feed
from webclean_scrapy.dedup.index import DuplicateIndex

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.commands.running import Called

    Run = Callable[..., Called]

TEXTS = ["\n".join(article_text(n)) for n in range(4)]
ROWS: list[dict[str, Any]] = [
    {"url": "a", "headline": 'One, "two"', "articleBody": TEXTS[0], "tags": ["x", "y"]},
    {"url": "b", "headline": "三", "articleBody": TEXTS[1]},
    {"url": "copy", "headline": "", "articleBody": TEXTS[0] + "\nMore tomorrow."},
    {"url": "d", "headline": "", "articleBody": TEXTS[2], "views": 12345678901234567890},
]
LINES = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS).encode()
PACKERS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress, ".zst": zstd.compress,
}  # fmt: skip


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs ``dedup`` in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return lambda *words: call(capsys, "dedup", *words)


def table(rows: list[dict[str, Any]] = ROWS, delimiter: str = ",", end: str = "\r\n") -> bytes:
    text = StringIO(newline="")
    columns = ["url", "headline", "articleBody"]
    writer = csv.DictWriter(
        text, columns, delimiter=delimiter, lineterminator=end, extrasaction="ignore"
    )
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def rows_of(content: str, delimiter: str = ",") -> list[dict[str, Any]]:
    return list(csv.DictReader(StringIO(content, newline=""), delimiter=delimiter))


def write_parquet(path: Path, rows: list[dict[str, Any]] = ROWS, group: int = 2) -> None:
    columns = {name: [row[name] for row in rows] for name in ("url", "headline", "articleBody")}
    times = [datetime(2026, 11, day, tzinfo=timezone.utc) for day in range(1, len(rows) + 1)]
    at = pa.array(times, pa.timestamp("ns", "UTC"))
    parquet.write_table(pa.table({**columns, "at": at}), path, row_group_size=group)


@pytest.mark.parametrize("suffix", PACKERS)
def test_packed_feeds_are_known_by_their_content_and_packed_again(
    run: Run, tmp_path: Path, suffix: str
) -> None:
    (tmp_path / "feed").write_bytes(PACKERS[suffix](LINES))
    done = run("feed", "-o", f"out.jsonl{suffix}")
    assert done.code == 0, done.err
    form = inspect_feed(f"out.jsonl{suffix}")
    assert form is not None
    assert (form.name, form.compression) == ("JSON lines", suffix)
    kept = [line.raw for line in read_lines([f"out.jsonl{suffix}"], Place())]
    assert b"".join(kept) == b"".join(LINES.splitlines(keepends=True)[n] for n in (0, 1, 3))


@pytest.mark.parametrize("suffix", PACKERS)
def test_of_a_packed_feed_that_is_cut_the_lines_before_are_read(
    tmp_path: Path, suffix: str
) -> None:
    content = b"".join(
        json.dumps({"n": n, "t": TEXTS[n % 4][:n]}).encode() + b"\n" for n in range(9000)
    )
    packed = PACKERS[suffix](content)
    (tmp_path / "cut").write_bytes(packed[: len(packed) * 4 // 5])
    *lines, last = read_lines([str(tmp_path / "cut")], Place())
    assert [line.record["n"] for line in lines] == list(range(len(lines)))
    assert len(lines) > 100
    assert "cannot decompress the rest" in last.error


def test_an_array_stays_an_array(run: Run, tmp_path: Path) -> None:
    (tmp_path / "feed.json").write_bytes(
        b"\xef\xbb\xbf [\n" + b",\n".join(LINES.splitlines()) + b"]"
    )
    done = run("feed.json")
    assert json.loads(done.out) == [ROWS[n] for n in (0, 1, 3)]
    assert done.err.endswith("result: standard output (JSON array)\n")


def test_an_array_is_read_without_being_held(tmp_path: Path) -> None:
    path = tmp_path / "feed.json"
    with path.open("wb") as file:
        file.write(b"[" + b",".join(LINES.splitlines()) + b'], {"url": "cut"')
    *lines, last = read_lines([str(path)], Place())
    assert [line.record["url"] for line in lines] == ["a", "b", "copy", "d"]
    assert [line.at for line in lines] == [f"{path}:{n}" for n in (1, 2, 3, 4)]
    assert "the rest is not read" in last.error
    again = list(read_lines([str(path)], lines[1].after))
    assert [line.number for line in again] == [3, 4, 5]


@pytest.mark.parametrize(("delimiter", "end"), [(",", "\r\n"), (";", "\n"), ("\t", "\n")])
def test_a_table_stays_a_table(run: Run, tmp_path: Path, delimiter: str, end: str) -> None:
    (tmp_path / "feed").write_bytes(b"\xef\xbb\xbf" + table(delimiter=delimiter, end=end))
    assert run("feed", "-o", "out").code == 0
    expected = table([ROWS[n] for n in (0, 1, 3)], delimiter, end)
    assert (tmp_path / "out").read_bytes() == expected


def test_rows_of_a_table_that_are_wrong_are_named_by_their_line(tmp_path: Path) -> None:
    path = tmp_path / "feed.csv"
    path.write_bytes(b'url,text\na,"two\nlines"\n\nb\nc,d,e\n\xff,x\nlast,one')
    lines = list(read_lines([str(path)], Place()))
    assert [(line.number, line.error) for line in lines] == [
        (2, ""), (5, "1 fields, the header has 2"), (6, "3 fields, the header has 2"),
        (7, "not UTF-8"), (8, ""),
    ]  # fmt: skip
    assert lines[0].record == {"url": "a", "text": "two\nlines"}
    for number, line in enumerate(lines):
        assert list(read_lines([str(path)], line.after)) == lines[number + 1 :]


def test_every_column_of_any_line_is_written(run: Run, tmp_path: Path) -> None:
    (tmp_path / "feed.jsonl").write_bytes(LINES)
    assert run("feed.jsonl", "-o", "out.csv", "-s", "WEBCLEAN_DEDUP_DUPLICATE=keep").code == 0
    rows = rows_of((tmp_path / "out.csv").read_bytes().decode())
    assert list(rows[0]) == ["url", "headline", "articleBody", "tags", "webclean", "views"]
    assert [json.loads(rows[0]["tags"]), rows[1]["tags"]] == [["x", "y"], ""]
    assert json.loads(rows[2]["webclean"])["duplicate_of"] == "a"

    assert run("out.csv", "-o", "again.csv", "-s", "WEBCLEAN_DEDUP_DUPLICATE=keep").code == 0
    again = rows_of((tmp_path / "again.csv").read_bytes().decode())
    assert again == rows  # its mark was read, and written anew


def test_parquet_keeps_its_types_and_is_read_by_row_groups(run: Run, tmp_path: Path) -> None:
    write_parquet(tmp_path / "one.parquet")
    more = pa.table({"articleBody": [TEXTS[3], TEXTS[1]], "url": ["e", "f"], "extra": [1, 2]})
    parquet.write_table(more, tmp_path / "two")
    done = run("one.parquet", "two", "-o", "out.parquet")
    assert done.code == 0, done.err
    found = parquet.read_table(tmp_path / "out.parquet")
    assert found["url"].to_pylist() == ["a", "b", "d", "e"]
    assert found["extra"].to_pylist() == [None, None, None, 1]
    assert found.schema.field("at").type == pa.timestamp("ns", "UTC")
    assert [line.number for line in read_lines(["one.parquet"], Place(lines=3))] == [4]


def test_formats_become_each_other(run: Run, tmp_path: Path) -> None:
    write_parquet(tmp_path / "feed.parquet")
    for before, after in [
        ("feed.parquet", "1.jsonl"), ("1.jsonl", "2.parquet"), ("2.parquet", "3.csv"),
        ("3.csv", "4.json"), ("4.json", "5.parquet"), ("5.parquet", "6.json"),
    ]:  # fmt: skip
        assert run(before, "-o", after).code == 0
    expected = [{**ROWS[n], "at": f"2026-11-0{n + 1}T00:00:00+00:00"} for n in (0, 1, 3)]
    names = ("url", "headline", "articleBody", "at")
    found = json.loads((tmp_path / "6.json").read_bytes())
    assert found == [{name: row[name] for name in names} for row in expected]


def test_names_that_utf_8_cannot_write_become_columns_of_their_own(
    run: Run, tmp_path: Path
) -> None:
    row = {**ROWS[0], "\ud800": "half", "\\ud800": "whole"}
    (tmp_path / "feed.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    done = run("feed.jsonl", "-o", "out.parquet")
    assert done.code == 0, done.err
    found = parquet.read_table(tmp_path / "out.parquet").to_pylist()
    assert [(row["\\ud800"], row["\\ud800_"]) for row in found] == [("half", "whole")]


def test_parquet_whose_pages_are_damaged_is_said_in_one_line(run: Run, tmp_path: Path) -> None:
    write_parquet(tmp_path / "feed.parquet")
    raw = bytearray((tmp_path / "feed.parquet").read_bytes())
    raw[4:12] = b"\xff" * 8  # the head of the first page, behind the mark of the format
    (tmp_path / "feed.parquet").write_bytes(raw)
    done = run("feed.parquet", "-o", "out.jsonl")
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert "feed.parquet:1: damaged, the rest is not read: " in done.err
    assert "decompress" not in done.err


def test_parquet_with_text_that_is_not_utf_8_is_said_in_one_line(run: Run, tmp_path: Path) -> None:
    text = pa.array([b"a text", b"\xa0"]).cast(pa.string(), safe=False)
    parquet.write_table(pa.table({"articleBody": text}), tmp_path / "feed.parquet")
    done = run("feed.parquet", "-o", "out.jsonl")
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert "damaged, the rest is not read: 'utf-8' codec" in done.err


def test_a_damaged_column_that_is_only_copied_is_named_with_its_file(
    run: Run, tmp_path: Path
) -> None:
    write_parquet(tmp_path / "feed.parquet")
    group = parquet.read_metadata(tmp_path / "feed.parquet").row_group(1)
    columns = [group.column(number) for number in range(group.num_columns)]
    start = next(one.data_page_offset for one in columns if one.path_in_schema == "at")
    raw = bytearray((tmp_path / "feed.parquet").read_bytes())
    raw[start : start + 8] = b"\xff" * 8
    (tmp_path / "feed.parquet").write_bytes(raw)
    done = run("feed.parquet", "-o", "out.parquet")
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert "feed.parquet is a damaged Parquet file: " in done.err
    assert not (tmp_path / "out.parquet").exists()


def test_columns_of_parquet_have_one_type(run: Run, tmp_path: Path) -> None:
    rows = [
        {"url": "a", "articleBody": TEXTS[0], "n": 1, "x": 1, "flag": True, "mixed": 1, "big": 1},
        {"url": "b", "articleBody": TEXTS[1], "n": 2, "x": 0.5, "mixed": [1], "big": 2**70},
        {"url": "c", "articleBody": TEXTS[2], "n": None, "mixed": {}, "nothing": None},
    ]
    (tmp_path / "f.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert run("f.jsonl", "-o", "f.parquet").code == 0
    found = parquet.read_table(tmp_path / "f.parquet").to_pydict()
    assert (found["n"], found["x"]) == ([1, 2, None], [1.0, 0.5, None])
    assert (found["flag"], found["mixed"]) == ([True, None, None], ["1", "[1]", "{}"])
    assert (found["big"], found["nothing"]) == (["1", str(2**70), None], [None] * 3)


def test_feeds_of_different_formats_become_json_lines(run: Run, tmp_path: Path) -> None:
    (tmp_path / "feed.csv").write_bytes(table())
    (tmp_path / "feed.jsonl").write_bytes(LINES)
    done = run("feed.csv", "feed.jsonl")
    assert [json.loads(line)["url"] for line in done.out.splitlines()] == ["a", "b", "d"]
    assert ["duplicates", "5"] in [row.split() for row in done.err.splitlines()]


def test_a_feed_is_read_from_a_url_and_written_to_one(run: Run, tmp_path: Path) -> None:
    packed = gzip.compress(table())
    with SiteServer({"/feed.csv.gz": Reply(packed, content_type="text/csv")}) as site:
        done = run(site.url("/feed.csv.gz"), "-o", f"file://{tmp_path}/out.csv")
        lost = run(site.url("/lost.csv"))
    assert done.code == 0, done.err
    assert [row["url"] for row in rows_of((tmp_path / "out.csv").read_text())] == ["a", "b", "d"]
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]
    assert (lost.code, lost.err.count("\n")) == (1, 1)
    assert "/lost.csv: 404" in lost.err


@pytest.mark.parametrize("out", ["out.csv", "out.parquet", "out.json.gz", "out.jsonl"])
def test_a_run_in_any_format_is_resumed(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, out: str
) -> None:
    monkeypatch.setattr(feed_job, "BATCH", 2)
    write_parquet(tmp_path / "one.parquet", ROWS * 2, group=3)
    (tmp_path / "two.csv").write_bytes(table(ROWS * 2))
    files = ("one.parquet", "two.csv") if out != "out.parquet" else ("one.parquet",)
    assert run(*files, "-o", f"whole-{out}").code == 0
    words = (*files, "-o", out, "--uri", "sqlite:///i.db")
    real = DuplicateIndex.check_and_add_many
    calls = 0

    def stop(*args: Any, **kwargs: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls % 3 == 0:
            raise KeyboardInterrupt
        return real(*args, **kwargs)

    monkeypatch.setattr(DuplicateIndex, "check_and_add_many", stop)
    stopped = run(*words)
    assert (stopped.code, stopped.err) == (130, "stopped; the same command resumes\n")
    assert out == "out.jsonl" or not (tmp_path / out).exists()
    while run(*words).code == 130:
        pass
    found, wanted = (
        [line.record for line in read_lines([name], Place())] for name in (out, f"whole-{out}")
    )
    assert found == wanted
    left = {path.name for path in tmp_path.iterdir()} - {out, f"whole-{out}", "two.csv", *files}
    assert left <= {"i.db", "i.db-shm", "i.db-wal"}


def test_a_run_that_cannot_be_resumed_leaves_nothing(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "feed.jsonl").write_bytes(LINES)

    def stop(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(DuplicateIndex, "check_and_add_many", stop)
    for words in (("-o", "out.jsonl"), ("-o", "o.csv", "--uri", "sqlite:///../i.db")):
        assert run("feed.jsonl", *words).code == 130
        assert [path.name for path in tmp_path.iterdir()] == ["feed.jsonl"]


WRONG = {
    "wrong.jsonl": (b'{"link": "a", "body": "A text"}\n', ["link, body", "--text body"]),
    "bare.jsonl": (b'{"articleBody": ""}\n', ["no text in the field 'articleBody'"]),
    "bad.jsonl": (b"nope\n", ["no line can be read; bad.jsonl:1: invalid JSON"]),
    "page.jsonl": (b"<!doctype html><p>x", ["is HTML", "`webclean clean`"]),
    "map.json": (b"<?xml version='1.0'?><urlset/>", ["is XML"]),
    "empty.jsonl": (b"", ["empty.jsonl is empty"]),
    "blank.csv": (b"\n\n", ["blank.csv is empty"]),
    "none.json": (b"[]", ["none.json: there are no lines"]),
    "head.csv": (b"url,articleBody\n", ["there are no lines"]),
    "bare.csv": (b"http://a/,Some text\nhttp://b/,Other\n", ["has no header", "'http://a/'"]),
    "twice.csv": (b"url,url\n1,2\n", ["has no header", "twice"]),
    "other.csv": (b"url,text\na,b\n", ["there are: url, text", "--text"]),
    "odd.csv": ("url,a\u2028b\na,text\n".encode(), ["there are: url, a\\u2028b;", "--text 'a\\u"]),
    "mac.csv": (b"url,text\ra,b\n", ["has no header", "the first line is no CSV"]),
    "gbk.csv": ("url,标题\nx,天安门\n".encode("gbk"), ["is not UTF-8", "save it as UTF-8"]),
    "utf16.csv": ("url,text\n".encode("utf-16"), ["UTF-16", "save it as UTF-8"]),
    "a.xlsx": (b"PK\x03\x04rest", ["ZIP archive"]),
    "a.bin": (bytes(range(256)), ["is binary"]),
    "notes.txt": (b"hello\nthis is text\n", ["is not a feed", "JSON lines"]),
    "one.json": (b'{\n "url": "a",\n "articleBody": "b"\n}', ["one JSON object over several"]),
    "cut.parquet": (b"PAR1" + b"x" * 99, ["damaged Parquet file"]),
    "p.parquet.gz": (gzip.compress(b"PAR1" + b"x" * 99), ["unpack it first"]),
    "half.gz": (gzip.compress(LINES)[:12], ["is damaged"]),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_feed_is_said_in_one_line_and_nothing_is_left(
    run: Run, tmp_path: Path, name: str
) -> None:
    content, said = WRONG[name]
    (tmp_path / name).write_bytes(content)
    done = run(name, "-o", "out.jsonl", "--uri", "sqlite:///i.db")
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert [part for part in (name, *said) if part not in done.err] == []
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("fed.jsonl",), "fed.jsonl: no such file; did you mean feed.jsonl?"),
        (("no/feed.jsonl",), "there is no folder no"),
        ((".",), "is a folder; name the feeds in it"),
        (("feed.jsonl", "-o", "no/out.jsonl"), "there is no folder no"),
        (("feed.jsonl", "-o", "."), "-o names a file"),
        (("moon://x.jsonl",), "moon:// is not known; s3, gs and https are"),
        (("feed.jsonl", "-o", "https://h/x.jsonl"), "https:// cannot be written to"),
        (("http://127.0.0.1:9/feed.jsonl",), "cannot open http://127.0.0.1:9/feed.jsonl"),
    ],
)
def test_what_is_not_there_is_said_in_one_line(
    run: Run, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    (tmp_path / "feed.jsonl").write_bytes(LINES)
    done = run(*words)
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert said in done.err


def test_a_result_that_cannot_be_sent_is_kept(run: Run, tmp_path: Path) -> None:
    (tmp_path / "feed.jsonl").write_bytes(LINES)
    done = run("feed.jsonl", "-o", f"file://{tmp_path}/no/out.csv")
    assert (done.code, done.err.count("\n")) == (1, 1)
    assert "its lines are in out.csv.kept" in done.err
    assert len((tmp_path / "out.csv.kept").read_bytes().splitlines()) == 3

    lasting = ("feed.jsonl", "-o", f"file://{tmp_path}/no/out.csv", "--uri", "sqlite:///i.db")
    assert "the same command tries again" in run(*lasting).err
    (tmp_path / "no").mkdir()
    assert run(*lasting).code == 0
    assert len(rows_of((tmp_path / "no/out.csv").read_text())) == 3


def test_what_opens_a_store_and_is_not_installed_is_named(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    import smart_open

    def missing(*_: Any, **__: Any) -> None:
        raise ImportError("boto3")

    monkeypatch.setattr(smart_open, "open", missing)
    done = run("s3://news/feed.jsonl")
    assert "pip install 'smart_open[s3]'" in done.err
    assert done.err.count("\n") == 1


def test_an_empty_feed_beside_others_is_passed_over(run: Run, tmp_path: Path) -> None:
    (tmp_path / "feed.jsonl").write_bytes(LINES)
    (tmp_path / "empty.jsonl").touch()
    done = run("empty.jsonl", "feed.jsonl")
    assert done.err.startswith("empty.jsonl is empty\nlines read")
    assert len(done.out.splitlines()) == 3


def test_of_many_bad_lines_the_first_are_shown(run: Run, tmp_path: Path) -> None:
    (tmp_path / "feed.jsonl").write_bytes(LINES + b"nope\n" * 25)
    done = run("feed.jsonl")
    assert done.err.count("invalid JSON") == 20
    assert "invalid lines that are not shown: 5" in done.err


def test_a_result_that_cannot_be_packed_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), feed_files.replaced_file(str(tmp_path / "out"), ".gz"):
        raise RuntimeError
    assert list(tmp_path.iterdir()) == []


def test_a_cell_that_a_spreadsheet_would_compute_is_text_and_stays_so(
    run: Run, tmp_path: Path
) -> None:
    line = {
        "url": "a",
        "articleBody": article_text(1)[0],
        "headline": '=HYPERLINK("//x")',
        "n": "-5",
    }
    (tmp_path / "feed.jsonl").write_text(json.dumps(line) + "\n")
    for given, out in (("feed.jsonl", "out.csv"), ("out.csv", "again.csv")):
        assert run(given, "-o", out).code == 0
    found = [rows_of((tmp_path / f"{name}.csv").read_text())[0] for name in ("out", "again")]
    assert {row["headline"] for row in found} == {'\'=HYPERLINK("//x")'}
    assert {row["n"] for row in found} == {"-5"}


def test_a_formula_is_disarmed_in_a_table_made_of_other_feeds_and_a_copied_one_stays(
    tmp_path: Path, run: Callable[..., Called]
) -> None:
    lines = [json.dumps({"url": "a", "articleBody": TEXTS[0], "note": "=1+1"})]
    (tmp_path / "feed.jsonl").write_text("\n".join(lines))
    (tmp_path / "feed.csv").write_text(f'url,articleBody,note\na,"{TEXTS[0]}",=1+1\n')
    assert run("feed.jsonl", "-o", "made.csv").code == 0
    assert run("feed.csv", "-o", "copied.csv").code == 0
    notes = [
        rows_of((tmp_path / name).read_text())[0]["note"] for name in ("made.csv", "copied.csv")
    ]
    assert notes == ["'=1+1", "=1+1"]


@pytest.mark.parametrize("name", ["feed.json", "feed.json.gz"])
def test_an_array_is_read_up_to_what_is_not_utf_8(tmp_path: Path, run: Run, name: str) -> None:
    good = json.dumps({"url": "a", "articleBody": TEXTS[0]}).encode()
    data = b"[" + good + b', {"url": "\xc0"}]'
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith("gz") else data)
    called = run(name, "-o", "out.jsonl")
    assert "invalid JSON, the rest is not read" in called.err
    assert len((tmp_path / "out.jsonl").read_text().splitlines()) == 1
