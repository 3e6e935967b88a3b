"""Lines of feeds: files of JSON lines, plain or gzip, read in order from any position."""

from __future__ import annotations

import gzip
import json
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple, cast

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

GZIP_MARK = b"\x1f\x8b"
MAX_LINE = 64 << 20  # bytes; a longer line cannot be an article


class Place(NamedTuple):
    """Where reading continues: number of the file, offset in its content, lines before it."""

    file: int = 0
    offset: int = 0  # bytes of the content; of a gzip file, after decompression
    lines: int = 0  # of this file


@dataclass(frozen=True, slots=True)
class Line:
    """One line, or the damaged end of a file. Without an *error*, *record* holds its object."""

    file: str
    number_of_file: int  # from 0
    number: int  # from 1
    raw: bytes
    after: Place
    on_disk: int  # bytes of this file that were read for it so far
    record: dict[str, Any]
    error: str = ""

    @property
    def at(self) -> str:
        """File and line as compilers name them."""
        return f"{self.file}:{self.number}"


def read_lines(names: Sequence[str], start: Place) -> Iterator[Line]:
    """Yield each non-blank line from *start*; invalid ones have an *error*. Raises: OSError."""
    for number, name in enumerate(names[start.file :], start.file):
        place = start if number == start.file else Place(number)
        with Path(name).open("rb") as file:
            is_packed = file.read(len(GZIP_MARK)) == GZIP_MARK
            file.seek(0)
            content = gzip.GzipFile(fileobj=file) if is_packed else file
            yield from _lines_of(name, cast("IO[bytes]", content), file, place)


def _lines_of(name: str, content: IO[bytes], file: IO[bytes], place: Place) -> Iterator[Line]:
    """Yield the lines of one file; *content* is *file* after decompression."""
    try:
        content.seek(place.offset)
        while raw := _read_line(content):
            place = Place(place.file, content.tell(), place.lines + 1)
            if not raw.isspace():
                record, problem = _parse(raw)
                yield Line(name, place.file, place.lines, raw, place, file.tell(), record, problem)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        problem = f"cannot decompress the rest of the file: {error}"
        after = Place(place.file + 1)
        yield Line(name, place.file, place.lines + 1, b"", after, file.tell(), {}, problem)


def _read_line(content: IO[bytes]) -> bytes:
    """Return the next line, cut to the limit; no bytes at the end of the file."""
    raw = content.readline(MAX_LINE)
    more = raw
    while len(more) == MAX_LINE and not more.endswith(b"\n"):
        more = content.readline(MAX_LINE)
    return raw


def _parse(raw: bytes) -> tuple[dict[str, Any], str]:
    """Return the object of a line, and its error, "" for none."""
    if len(raw) == MAX_LINE and not raw.endswith(b"\n"):
        return {}, f"line exceeds the size limit of {MAX_LINE >> 20} MiB"
    try:
        record = json.loads(raw)
    except json.JSONDecodeError as error:
        return {}, f"invalid JSON: {error.msg} at character {error.pos}"
    except (UnicodeDecodeError, RecursionError) as error:
        return {}, f"invalid JSON: {error}"
    return (record, "") if isinstance(record, dict) else ({}, "not a JSON object")
