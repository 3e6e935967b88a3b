"""What a feed is: its format, told by its content first and by the suffix of its name second."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import PurePath

from webclean_scrapy.commands.feeds.feed_files import (
    COMPRESSIONS,
    base_name,
    open_content,
    read_head,
)
from webclean_scrapy.errors import FeedError

JSON_LINES, JSON_ARRAY, CSV, PARQUET = "JSON lines", "JSON array", "CSV", "Parquet"
BOM = b"\xef\xbb\xbf"

_SUFFIXES = {
    ".jsonl": JSON_LINES, ".jl": JSON_LINES, ".ndjson": JSON_LINES, ".jsonlines": JSON_LINES,
    ".json": JSON_ARRAY, ".csv": CSV, ".tsv": CSV, ".parquet": PARQUET, ".pq": PARQUET,
}  # fmt: skip
_HEAD = 1 << 16  # bytes that are looked at
_LOOKED_AT = 20  # lines of them
_MOST_NAME = 100  # characters of a column's name
_TAKEN = "JSON lines, JSON arrays, CSV and Parquet are read, also .gz, .bz2, .xz and .zst"
_PACKED_PARQUET = "is Parquet inside another compression; unpack it first"
_MULTI_LINE = "is one JSON object over several lines; a feed is one object a line, or an array"

_NO_ROWS = ([b"[]"], [b"[", b"]"])  # an array without elements, without its spaces
_UTF_16 = "text in UTF-16; save it as UTF-8"
#: The first bytes of what is not a feed, and what it is.
_OTHERS = {
    b"%PDF": "a PDF", b"PK\x03\x04": "a ZIP archive (or .xlsx, .docx)", b"\x89PNG": "an image",
    b"\xff\xd8\xff": "an image", b"GIF8": "an image", b"SQLite format 3": "an SQLite database",
    b"\xff\xfe": _UTF_16, b"\xfe\xff": _UTF_16,
    b"WARC/": "a WARC file; `clean` reads pages",
}  # fmt: skip
_NOT_A_NAME = re.compile(r"https?://|[0-9.,:/ -]+\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedFormat:
    """How a feed is read; of CSV also its separator, its columns and the end of its lines."""

    name: str
    compression: str = ""
    starts_with_bom: bool = False
    delimiter: str = ","
    columns: tuple[str, ...] = ()
    line_end: str = "\r\n"


def inspect_feed(name: str) -> FeedFormat | None:
    """Return the format of a feed, None for an empty file.

    Raises: FeedError, in one line: there is no such file, or it is not a feed.
    """
    with open_content(name) as (content, _, compression):
        head = read_head(content, _HEAD)
    if not head and compression:
        raise FeedError(f"{name} is damaged: nothing can be unpacked")
    if not head.removeprefix(BOM).strip():
        return None
    if problem := _no_feed(head, bool(compression)):
        raise FeedError(f"{name} {problem}")
    text = head.removeprefix(BOM)
    found = _format_of(text, base_name(name))
    if not found:
        raise FeedError(f"{name} is not a feed; {_TAKEN}")
    form = FeedFormat(name=found, compression=compression, starts_with_bom=text != head)
    return _as_csv(name, text, form) if found == CSV else form


def format_of_name(name: str) -> tuple[str, str]:
    """Return the format and compression that a name asks for, "" for none.

    >>> format_of_name("s3://news/2026.csv.zst")
    ('CSV', '.zst')
    """
    path = PurePath(base_name(name).lower())
    compression = path.suffix if path.suffix in COMPRESSIONS else ""
    return _SUFFIXES.get(
        path.with_suffix("").suffix if compression else path.suffix, ""
    ), compression


def delimiter_of_name(name: str) -> str:
    """Return the separator of columns in a CSV file of that name."""
    return "\t" if ".tsv" in PurePath(base_name(name).lower()).suffixes else ","


def _no_feed(head: bytes, is_packed: bool) -> str:
    """Return what is wrong with a file that is not a feed, "" for one that may be."""
    if head.startswith(b"PAR1"):
        return _PACKED_PARQUET if is_packed else ""
    for mark, what in _OTHERS.items():
        if head.startswith(mark):
            return f"is {what}; {_TAKEN}" if ";" not in what else f"is {what}"
    start = head.removeprefix(BOM).lstrip()
    if start.startswith(b"<"):
        if start.startswith(b"<?xml") and b"<html" not in start[:1000].lower():
            return f"is XML; {_TAKEN}"
        return "is HTML, not a feed; `webclean clean` makes articles of pages"
    if b"\0" in head:
        return f"is binary; {_TAKEN}"
    return ""


def _format_of(head: bytes, name: str) -> str:
    """Return the format of what begins with *head*, "" for none."""
    if head.startswith(b"PAR1"):
        return PARQUET
    lines = head.split(b"\n")
    whole = lines[:-1] if len(head) >= _HEAD else lines  # the last one may be cut
    start = head.lstrip()
    if start.startswith(b"[") and (start[1:].lstrip()[:1] == b"{" or start.split() in _NO_ROWS):
        return JSON_ARRAY
    if any(_is_object(line) for line in whole[:_LOOKED_AT]):
        return JSON_LINES
    if start.startswith(b"{"):
        if start[1:2] in b"\r\n" and start[1:].lstrip()[:1] == b'"':
            raise FeedError(f"{name} {_MULTI_LINE}")
        return JSON_LINES
    named, _ = format_of_name(name)
    if named == CSV or _is_table(head):
        return CSV
    return JSON_LINES if named in (JSON_LINES, JSON_ARRAY) else ""


def _is_object(line: bytes) -> bool:
    line = line.strip()
    if not (line.startswith(b"{") and line.endswith(b"}")):
        return False
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _rows(head: bytes, delimiter: str) -> list[list[str]]:
    """Return the rows that are whole in *head*: the last one may be cut, unless it is alone."""
    lines = StringIO(head.decode("utf-8", "replace"), newline="\n")  # cut as `csv_rows` cuts them
    reader = csv.reader(lines, delimiter=delimiter)
    rows = []
    try:
        for row in reader:
            rows.append(row)
            if len(rows) > _LOOKED_AT:
                break
    except csv.Error:
        pass
    return rows[:-1] if len(rows) > 1 and len(head) >= _HEAD else rows


def _delimiter_of(head: bytes) -> str:
    """Return the separator that gives the first row most columns; a comma where none does."""
    return max(",;\t|", key=lambda one: len((_rows(head, one) or [[]])[0]))


def _is_table(head: bytes) -> bool:
    """Whether names of columns come first, and rows of as many fields behind them."""
    rows = [row for row in _rows(head, _delimiter_of(head)) if row]
    return len(rows) > 1 and len(rows[0]) > 1 and all(len(row) == len(rows[0]) for row in rows)


def _as_csv(name: str, head: bytes, form: FeedFormat) -> FeedFormat:
    """Return *form* with what only a CSV file has. Raises FeedError without a header."""
    lines = head.split(b"\n")
    wrong_lines = [line for line in lines[:-1] or lines if not _is_utf8(line)]
    if wrong_lines and (wrong_lines[0] is lines[0] or 2 * len(wrong_lines) > len(lines)):
        raise FeedError(f"{name} is not UTF-8; save it as UTF-8")
    delimiter = _delimiter_of(head)
    header = next((row for row in _rows(head, delimiter) if row), [])
    wrong = next((cell for cell in header if not _is_name(cell)), None)
    why = ""
    if not header:
        why = "the first line is no CSV"
    elif wrong is not None:
        why = f"{_short(wrong)!r} is no name of a column"
    elif len(set(header)) < len(header):
        why = "a name of a column is there twice"
    if why:
        raise FeedError(
            f"{name} has no header: {why}; put one line with the names before the"
            " rows, such as url,headline,articleBody"
        )
    line_end = "\r\n" if b"\r\n" in head[: head.find(b"\n") + 1] else "\n"
    return replace(form, delimiter=delimiter, columns=tuple(header), line_end=line_end)


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def _is_name(cell: str) -> bool:
    return bool(cell.strip()) and len(cell) <= _MOST_NAME and not _NOT_A_NAME.match(cell)


def _short(cell: str) -> str:
    return cell if len(cell) <= 40 else cell[:37] + "..."
