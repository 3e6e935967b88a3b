"""Files of rows: JSON lines and Parquet, here or at a URL, plain or compressed.

The suffix of a name says which, as ``.jsonl.gz``; a name without one is JSON lines. smart_open
opens what is compressed or remote.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from gzip import BadGzipFile
from pathlib import PurePosixPath
from typing import IO, TYPE_CHECKING, Any

from webclean_scrapy.engines.feed_pages import JSON_LINES_SUFFIXES
from webclean_scrapy.errors import FeedError, install_hint
from webclean_scrapy.export.parquet import check_pyarrow, parquet_writer, read_parquet
from webclean_scrapy.safe_text import first_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Read = Callable[[str, IO[bytes]], Iterator["Row"]]
    Write = Callable[[Sequence["Row"]], None]

JSON_LINES, CSV, PARQUET = "JSON lines", "CSV", "Parquet"
_FORMATS = {
    **dict.fromkeys(JSON_LINES_SUFFIXES, JSON_LINES),
    ".csv": CSV, ".tsv": CSV, ".parquet": PARQUET, ".pq": PARQUET,
}  # fmt: skip
COMPRESSIONS = frozenset({".gz", ".bz2", ".xz", ".zst"})


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a feed. The record of a row with an *error* is empty."""

    file: str
    number: int  # of its line, or of the row of a Parquet file, from 1
    record: dict[str, Any]
    source: Any = None  # as it was read: the line in bytes, or a batch of Arrow with this row
    error: str = ""

    @property
    def position(self) -> str:
        """``file:line``, as compilers print it."""
        return f"{self.file}:{self.number}"


def is_remote(name: str) -> bool:
    return "://" in name


def rows_format(name: str) -> str:
    """Return the format implied by a file name, or "".

    >>> rows_format("s3://news/2026.csv.zst")
    'CSV'
    """
    path = PurePosixPath(name.partition("?")[0].lower() if is_remote(name) else name.lower())
    if path.suffix in COMPRESSIONS:
        path = path.with_suffix("")
    return _FORMATS.get(path.suffix, "")


def open_rows(name: str, mode: str = "rb", compression: str = "infer_from_extension") -> IO[bytes]:
    """Open a feed as a stream of decompressed bytes. Raises FeedError, OSError."""
    import smart_open

    try:
        return smart_open.open(name, mode, compression=compression)
    except OSError:
        raise
    except ImportError as error:
        hint = install_hint(f"smart_open[{name.partition(':')[0]}]")
        raise FeedError(f"{name}: what opens it is not installed; {hint}") from error
    except Exception as error:  # each service has errors of its own
        raise FeedError(f"cannot open {name}: {first_line(error)}") from error


def read_rows(name: str, fields: Sequence[str] = ()) -> Iterator[Row]:
    """Yield the non-blank rows of a feed; invalid ones have an *error*.

    Of a Parquet file a record has *fields* alone, by default all that hold text. What cannot be
    unpacked ends the feed with a row that says so. Raises FeedError, also for CSV; OSError.
    """
    form, number = rows_format(name), 0
    if form == CSV:
        raise FeedError(f"{name}: no feed; mlr --icsv --ojsonl cat FILE.csv makes JSON lines of it")
    with open_rows(name) as content:
        in_parquet = partial(_read_parquet, fields=fields)
        read: Read = in_parquet if form == PARQUET else _read_json_lines
        try:
            for row in read(name, content):
                number = row.number
                yield row
        except FeedError:
            raise
        except Exception as error:  # each compression has errors of its own
            if _is_failure(error):
                raise
            problem = f"damaged, the rest is not read: {first_line(error)}"
            yield Row(name, number + 1, {}, error=problem)


def _is_failure(error: Exception) -> bool:
    """True if reading failed for a reason outside of the content."""
    if not isinstance(error, OSError) or isinstance(error, BadGzipFile):
        return False
    return type(error) is not OSError or error.errno is not None  # bz2 raises it without


def _read_json_lines(name: str, content: IO[bytes]) -> Iterator[Row]:
    for number, raw in enumerate(content, 1):
        line = raw.removeprefix(b"\xef\xbb\xbf") if number == 1 else raw
        problem, record = "not a JSON object", None
        try:
            record = json.loads(line) if line.strip() else None
        except (ValueError, RecursionError) as error:
            problem = f"invalid JSON: {error}"
        if number == 1 and line.lstrip().startswith(b"["):
            problem = "a JSON array; make JSON lines of it, as with jq -c '.[]'"
        if isinstance(record, dict):
            yield Row(name, number, record, line.rstrip(b"\r\n") + b"\n")
        elif line.strip():
            yield Row(name, number, {}, error=problem)


def _read_parquet(name: str, content: IO[bytes], fields: Sequence[str]) -> Iterator[Row]:
    check_pyarrow(name)
    for number, (record, batch) in enumerate(read_parquet(content, fields), 1):
        yield Row(name, number, record, batch)


@contextmanager
def rows_writer(form: str, file: IO[bytes], names: Sequence[str]) -> Iterator[Write]:
    """Return a function that writes rows of the feeds *names* in their original format.

    Parquet has the columns of all feeds. Raises FeedError.
    """
    if form == PARQUET:
        with parquet_writer(file, _opened(names)) as write:
            yield lambda rows: write([row.source for row in rows])
    else:
        yield lambda rows: file.writelines(row.source for row in rows)


def _opened(names: Sequence[str]) -> Iterator[IO[bytes]]:
    for name in names:
        with open_rows(name) as content:
            yield content
