"""The result of a run: a draft of JSON lines, which is resumed, then the feed in its format.

A JSON array, a CSV file whose columns are known only at the end, a Parquet file and whatever is
compressed cannot be continued after a kill. So every run writes JSON lines first; the rest is one
pass over them, and the feed takes its name when it is whole.
"""

from __future__ import annotations

import csv
from io import TextIOWrapper
from typing import IO, TYPE_CHECKING

from webclean_scrapy.commands.feeds.feed_draft import cell_of, read_draft
from webclean_scrapy.commands.feeds.feed_files import is_remote, replaced_file
from webclean_scrapy.commands.feeds.feed_format import CSV, JSON_ARRAY, PARQUET
from webclean_scrapy.commands.feeds.parquet_output import write_parquet
from webclean_scrapy.crawl.csv_exporter import text_cell

if TYPE_CHECKING:
    from pathlib import Path

    from webclean_scrapy.commands.feeds.feed_target import FeedTarget


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
    shown = str if target.formulas else text_cell
    rows.writerow(map(shown, columns))
    for record in read_draft(draft):
        rows.writerow([shown(cell_of(record.get(one))) for one in columns])
    text.flush()
    text.detach()  # the file is closed where it was opened
