"""The result of a run: a draft of JSON lines, which is resumed, then the feed in its format.

A JSON array, a CSV file whose columns are known only at the end, a Parquet file and whatever is
compressed cannot be continued after a kill. So every run writes JSON lines first; the rest is one
pass over them, and the feed takes its name when it is whole.
"""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from webclean_scrapy.commands.feeds.feed_files import base_name, is_remote, replaced_file
from webclean_scrapy.commands.feeds.feed_format import (
    CSV,
    JSON_ARRAY,
    JSON_LINES,
    PARQUET,
    delimiter_of_name,
    format_of_name,
)
from webclean_scrapy.commands.feeds.feed_line import to_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webclean_scrapy.commands.feeds.feed_format import FeedFormat


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedTarget:
    """Where the result goes, and how it is written."""

    name: str  # a path or URL; "": standard output
    kind: str  # a format
    compression: str = ""
    delimiter: str = ","  # of CSV
    line_end: str = "\r\n"
    columns: tuple[str, ...] = ()  # of CSV: those that come first, with or without a value
    inputs: tuple[str, ...] = ()  # of Parquet: the files whose rows are copied as they are

    @property
    def is_plain(self) -> bool:
        """Whether the draft is the result."""
        return self.kind == JSON_LINES and not self.compression

    def draft(self, *, resumes: bool) -> Path:
        """Return where the draft is. A run that *resumes* writes plain JSON lines in place."""
        if self.is_plain and resumes and not is_remote(self.name):
            return Path(self.name)
        if is_remote(self.name):
            return Path(f"{base_name(self.name)}.part")
        return Path(f"{self.name}.part")


def target_of(
    name: str, forms: Sequence[FeedFormat], inputs: Sequence[str], *, marks: bool
) -> FeedTarget:
    """Return how *name* is written: by its suffix, else as the inputs are.

    *name*: "" for standard output. *inputs*, of *forms*: paths or URLs. *marks*: whether items may
    carry a record of their match.
    """
    wanted, compression = format_of_name(name)
    kinds = {form.name for form in forms}
    same = kinds.pop() if len(kinds) == 1 else JSON_LINES
    form = wanted or same
    tables = [one for one in forms if one.name == CSV]
    columns = tuple(dict.fromkeys(column for one in tables for column in one.columns))
    delimiter = tables[0].delimiter if tables and not wanted else delimiter_of_name(name)
    return FeedTarget(
        name=name,
        kind=form,
        compression=compression,
        delimiter=delimiter,
        line_end=tables[0].line_end if tables else "\r\n",
        columns=columns if form == CSV else (),
        inputs=tuple(inputs) if form == same == PARQUET and not marks else (),
    )


def write_feed(draft: Path, target: FeedTarget, output: IO[bytes] | None = None) -> None:
    """Write the feed of the lines of *draft*, to *output* or under the name of *target*.

    Raises: FeedError, OSError; then nothing has the name of the target.
    """
    if output is not None:
        _write(draft, target, output)
        output.flush()
        return
    if target.is_plain and not is_remote(target.name):
        draft.replace(target.name)
        return
    with replaced_file(target.name, target.compression) as file:
        _write(draft, target, file)


def _write(draft: Path, target: FeedTarget, file: IO[bytes]) -> None:
    if target.kind == CSV:
        _write_csv(draft, target, file)
    elif target.kind == PARQUET:
        from webclean_scrapy.commands.feeds.parquet_output import write_parquet

        write_parquet(draft, target, file)
    elif target.kind == JSON_ARRAY:
        _write_array(draft, file)
    else:
        with draft.open("rb") as lines:
            file.writelines(lines)


def _write_array(draft: Path, file: IO[bytes]) -> None:
    between = b"[\n"
    with draft.open("rb") as lines:
        for line in lines:
            file.write(between + line.rstrip(b"\r\n"))
            between = b",\n"
    file.write(b"[]\n" if between.startswith(b"[") else b"\n]\n")


def _write_csv(draft: Path, target: FeedTarget, file: IO[bytes]) -> None:
    """Write every column that any line has; those of the inputs come first."""
    columns = dict.fromkeys(target.columns)
    for record in read_draft(draft):
        columns.update(dict.fromkeys(record))
    text = TextIOWrapper(file, "utf-8", "backslashreplace", newline="")
    rows = csv.writer(text, delimiter=target.delimiter, lineterminator=target.line_end)
    rows.writerow(columns)
    rows.writerows([cell_of(record.get(one)) for one in columns] for record in read_draft(draft))
    text.flush()
    text.detach()  # the file is closed where it was opened


def read_draft(draft: Path) -> Iterator[dict[str, Any]]:
    """Yield the record of each line."""
    with draft.open("rb") as lines:
        for line in lines:
            yield json.loads(line)


def cell_of(value: object) -> str:
    """Return *value* as the text of a cell: what is no string as JSON, None as nothing.

    >>> cell_of("as it is"), cell_of(None), cell_of([{"name": "Ada"}])
    ('as it is', '', '[{"name": "Ada"}]')
    """
    if isinstance(value, str):
        return value
    return "" if value is None else to_json(value).decode()
