"""One row of a feed, whatever its format, and the place behind it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from typing import IO, Any, NamedTuple

MAX_LINE = 64 << 20  # bytes; a longer line cannot be an article


class Place(NamedTuple):
    """Where reading continues: number of the file, offset in its content, lines before it.

    A JSON array and a Parquet file have no offset: their first *lines* rows are read again, or
    skipped by row groups.
    """

    file: int = 0
    offset: int = 0  # bytes of the content, after decompression
    lines: int = 0  # of this file; rows of a JSON array or a Parquet file


@dataclass(frozen=True, slots=True)
class Line:
    """One line or row, or the damaged end of a file. Without an *error*, *record* holds it."""

    file: str
    number_of_file: int  # from 0
    number: int  # from 1
    raw: bytes  # as JSON; empty where the format is another
    after: Place
    on_disk: int  # bytes of this file that were read for it so far
    record: dict[str, Any]
    error: str = ""

    @property
    def at(self) -> str:
        """File and line as compilers name them."""
        return f"{self.file}:{self.number}"

    def as_json(self) -> bytes:
        """Return the line as JSON: as it came where it was JSON."""
        return self.raw or to_json(self.record)


def to_json(value: object) -> bytes:
    """Return *value* as JSON in UTF-8, on one line; what JSON has no type for as a string.

    >>> to_json({"day": date(2026, 11, 3), "share": Decimal("0.50")})
    b'{"day": "2026-11-03", "share": 0.5}'
    """
    text = json.dumps(value, ensure_ascii=False, default=_plain)
    return text.encode("utf-8", "backslashreplace")


def read_line(content: IO[bytes]) -> bytes:
    """Return the next line, cut to the limit; no bytes at the end of the file."""
    raw = content.readline(MAX_LINE)
    more = raw
    while len(more) == MAX_LINE and not more.endswith(b"\n"):
        more = content.readline(MAX_LINE)
    return raw


def is_too_long(raw: bytes) -> bool:
    """Whether `read_line` has cut *raw*."""
    return len(raw) == MAX_LINE and not raw.endswith(b"\n")


def too_long() -> str:
    """Return the error of a line that was cut."""
    return f"line exceeds the size limit of {MAX_LINE >> 20} MiB"


def _plain(value: object) -> object:
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, (date, datetime, time)):
        return value.isoformat()
    if isinstance(value, (bytes, bytearray)):
        return value.decode("utf-8", "backslashreplace")
    return str(value)
