"""Targets that read files of others: feeds in every format and compression, and WARC files."""

from __future__ import annotations

import argparse
import bz2
import csv
import gzip
import io
import json
import lzma
import sys
import tempfile
from contextlib import redirect_stderr
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from benchmarks.fuzzing.mutations import mutate_bytes, mutate_json
from benchmarks.fuzzing.page_maker import make_page
from benchmarks.fuzzing.target import Case, Target, draw_of, expect
from benchmarks.fuzzing.texts import DATES, LANGUAGES, odd_text, prose
from webclean_scrapy.commands import dedup
from webclean_scrapy.errors import FeedError
from webclean_scrapy.stored.warc_pages import WarcError, read_warc, read_warc_page

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

_PACKERS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress, ".zst": zstd.compress,
}  # fmt: skip
_KINDS = (".jsonl", ".json", ".csv", ".tsv", ".parquet")


def _rows(draw: Random) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for number in range(draw.randint(1, 6)):
        text = prose(draw_of(1, number % 4, "feed"), LANGUAGES[number % 5], 8)
        rows.append({"url": f"http://a.example/{number}", "headline": "Fog", "articleBody": text})
        rows[-1] |= {"datePublished": draw.choice(DATES), "webclean": {"confidence": 0.5}}
    return rows


def _write(draw: Random, kind: str, rows: list[dict[str, Any]]) -> bytes:
    if kind == ".parquet":
        return _as_parquet(len(rows))
    if kind in {".csv", ".tsv"}:
        out = io.StringIO()
        names = [*rows[0], *draw.choice(([], [], [odd_text(draw)], ["url"]))]
        table = csv.writer(out, delimiter="\t" if kind == ".tsv" else draw.choice(",;|"))
        table.writerow(names)
        table.writerows(list(map(str, row.values())) for row in rows)
        return out.getvalue().encode("utf-8", "surrogatepass")
    some = [mutate_json(draw, row) if draw.random() < 0.4 else row for row in rows]
    if kind == ".json":
        return json.dumps(some, indent=draw.choice((None, 1))).encode()
    ascii_only = draw.random() < 0.5
    lines = (json.dumps(row, ensure_ascii=ascii_only) for row in some)
    return "\n".join(lines).encode("utf-8", "surrogatepass")


@cache
def _as_parquet(count: int) -> bytes:
    import pyarrow as pa
    from pyarrow import parquet

    out = io.BytesIO()
    rows = [{**row, "n": [1, 2]} for row in _rows(draw_of(1, count, "parquet"))]
    parquet.write_table(pa.Table.from_pylist(rows), out, row_group_size=2)
    return out.getvalue()


def _feeds(draw: Random) -> Case:
    files = {}
    for number in range(draw.choice((1, 1, 2))):
        kind = draw.choice(_KINDS)
        data = _write(draw, kind, _rows(draw))
        pack = draw.choice(("", "", "", *_PACKERS)) if kind != ".parquet" else ""
        while draw.random() < 0.35:
            data = mutate_bytes(draw, data)
        if pack:
            data = _PACKERS[pack](data)
            while draw.random() < 0.3:
                data = mutate_bytes(draw, data)
        name = f"{number}{kind}{pack}" if draw.random() < 0.8 else f"{number}{draw.choice(_KINDS)}"
        files[name] = data
    values = {
        "output": draw.choice(("", "out.jsonl", "out.json", "out.csv.gz", "out.parquet", "out")),
        "uri": draw.choice((None, None, "sqlite")),
        "text": draw.choice(("articleBody", "articleBody", "headline", odd_text(draw))),
        "clusters": draw.random() < 0.3,
        "rule": draw.choice(("drop", "keep")),
    }
    return Case(files=files, values=values)


def _run_feeds(case: Case) -> None:
    """De-duplicate feeds: a result, or one line that says why there is none."""
    values = case.values
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, data in case.files.items():
            (folder / file).write_bytes(data)
        opts = argparse.Namespace(
            files=[str(folder / file) for file in case.files],
            output=str(folder / values["output"]) if values["output"] else None,
            uri=f"sqlite:///{folder / 'index.db'}" if values["uri"] else None,
            clusters=str(folder / "clusters") if values["clusters"] else None,
            text=values["text"], title="headline", key="url",
        )  # fmt: skip
        settings = Settings({"WEBCLEAN_DEDUP_DUPLICATE": values["rule"]})
        out = io.TextIOWrapper(io.BytesIO(), "utf-8")
        try:
            with redirect_stderr(io.StringIO()), patch.object(sys, "stdout", out):
                expect(dedup.run(opts, settings) == 0, "an exit code without an error")
        except (FeedError, UsageError) as error:
            expect(len(str(error).splitlines()) == 1, f"not one line: {error!r:.300}")
        left = {path.name for path in folder.iterdir()} - set(case.files)
        allowed = {values["output"], "clusters", "index.db", "index.db-wal", "index.db-shm"}
        expect(values["uri"] or left <= allowed, f"files are left: {left - allowed}")


@cache
def _valid_warc() -> bytes:
    return b"".join(
        _record(number, make_page(draw_of(1, number, "warc"), LANGUAGES[number]).encode()[:3_000])
        for number in range(3)
    )


def _record(number: int, page: bytes) -> bytes:
    """Return a page as the record of a WARC file."""
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page
    head = (
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2026-03-01T00:00:00Z\r\n"
        f"WARC-Record-ID: <urn:uuid:{number:032x}>\r\nWARC-Target-URI: http://a.example/{number}"
        "\r\nContent-Type: application/http; msgtype=response\r\n"
        f"Content-Length: {len(block)}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def _warcs(draw: Random) -> Case:
    data = _valid_warc()
    packed = draw.random() < 0.3
    for _ in range(draw.randint(1, 4)):
        start = draw.choice((0, draw.randrange(len(data) or 1)))
        head = data[start : start + 600]
        data = data[:start] + mutate_bytes(draw, head) + data[start + 600 :]
    if packed:
        data = gzip.compress(data, 1)
        if draw.random() < 0.6:
            data = mutate_bytes(draw, data)
    return Case(files={"pages.warc.gz" if packed else "pages.warc": data})


def _run_warcs(case: Case) -> None:
    """Read the pages of a WARC file: pages, or why there are no more."""
    with tempfile.TemporaryDirectory() as folder, redirect_stderr(io.StringIO()):
        for name, data in case.files.items():
            path = Path(folder, name)
            path.write_bytes(data)
            offsets = []
            try:
                offsets += [page.offset for page in read_warc(str(path))]
            except WarcError as error:
                expect(len(str(error).splitlines()) == 1, f"not one line: {error!r:.300}")
            for offset in offsets:
                try:
                    page = read_warc_page(str(path), offset, 2_000)
                except WarcError:
                    continue
                expect(len(page.html) <= 2_001, "more is read than asked for")


FEED_TARGETS = (
    Target(name="feeds", share=1.0, make=_feeds, run=_run_feeds, most_s=4.0),
    Target(name="warcs", share=1.5, make=_warcs, run=_run_warcs),
)
