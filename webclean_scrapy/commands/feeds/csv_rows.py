"""Rows of a CSV file, whose first row names the columns."""

from __future__ import annotations

import csv
from typing import IO, TYPE_CHECKING

from webclean_scrapy.commands.feeds.feed_files import skip_bytes
from webclean_scrapy.commands.feeds.feed_line import MAX_LINE, Line, Place, read_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from typing_extensions import Self

    from webclean_scrapy.commands.feeds.open_feed import OpenFeed


def read_csv(feed: OpenFeed, start: Place) -> Iterator[Line]:
    """Yield each row that is not blank; one with too few or too many fields is invalid.

    A row's number is that of its first line.
    """
    csv.field_size_limit(MAX_LINE)  # of the process; the module has no other way
    lines = _DecodedLines(feed.content, start.lines)
    rows = csv.reader(lines, delimiter=feed.form.delimiter)
    if start.offset:
        skip_bytes(feed.content, start.offset)
    else:
        feed.skip_mark()
        next(filter(None, rows), None)  # the header
    columns = feed.form.columns
    while True:
        first = lines.number + 1
        try:
            row = next(rows, None)
            problem = _problem_of(row, len(columns)) if row else ""
        except csv.Error as error:
            row, problem = [""], f"invalid CSV: {error}"
        if row is None:
            return
        if row:
            place = Place(start.file, feed.content.tell(), lines.number)
            record = {} if problem else dict(zip(columns, row, strict=True))
            yield feed.line(place, first, record, error=problem)


class _DecodedLines:
    """Physical lines as text; bytes that are no UTF-8 become lone surrogates."""

    def __init__(self, content: IO[bytes], number: int) -> None:
        self._content = content
        self.number = number  # of the last line

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> str:
        raw = read_line(self._content)
        if not raw:
            raise StopIteration
        self.number += 1
        return raw.decode("utf-8", "surrogateescape")


def _problem_of(row: list[str], width: int) -> str:
    if len(row) != width:
        return f"{len(row)} fields, the header has {width}"
    try:
        for cell in row:
            cell.encode()
    except UnicodeEncodeError:
        return "not UTF-8"
    return ""
