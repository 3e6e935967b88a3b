"""Rows of a Parquet file, read by row groups. The one module that imports PyArrow to read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from webclean_scrapy.commands.feeds.feed_line import Line, Place
from webclean_scrapy.errors import FeedError, install_hint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webclean_scrapy.commands.feeds.open_feed import OpenFeed

BATCH = 200  # rows that are objects of Python at a time


def import_parquet(name: str) -> Any:
    """Return pyarrow.parquet. Raises FeedError when it is not installed; *name*: for what."""
    try:
        from pyarrow import parquet
    except ImportError as error:
        raise FeedError(f"{name} needs PyArrow: {install_hint('pyarrow')}") from error
    return parquet


def open_parquet(name: str, file: Any) -> Any:
    """Return the Parquet file. Raises FeedError when it is damaged."""
    from pyarrow import ArrowException

    try:
        return import_parquet(name).ParquetFile(file)
    except (ArrowException, OSError) as error:
        raise FeedError(f"{name} is a damaged Parquet file: {_first_line(error)}") from error


def read_parquet(feed: OpenFeed, start: Place) -> Iterator[Line]:
    """Yield each row; row groups before *start* are skipped. Raises FeedError."""
    import_parquet(feed.name)
    from pyarrow import ArrowException

    number = start.lines
    try:
        with open_parquet(feed.name, feed.raw) as file:
            for row in _rows_from(file, feed, start.lines):
                number += 1
                yield feed.line(Place(start.file, 0, number), number, row)
    except (ArrowException, OSError, UnicodeDecodeError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise  # reading failed; the file need not be damaged
        problem = f"damaged, the rest is not read: {_first_line(error)}"
        yield feed.broken_line(number + 1, problem)


def _rows_from(file: Any, feed: OpenFeed, skipped: int) -> Iterator[dict[str, Any]]:
    wanted = feed.columns
    columns = None if wanted is None else [one for one in file.schema_arrow.names if one in wanted]
    for group in range(file.num_row_groups):
        size = file.metadata.row_group(group).num_rows
        if skipped >= size:
            skipped -= size
            continue
        for batch in file.iter_batches(BATCH, row_groups=[group], columns=columns):
            kept = batch.slice(skipped)
            skipped = max(0, skipped - batch.num_rows)
            yield from _microseconds(kept).to_pylist()


def _microseconds(batch: Any) -> Any:
    """Return *batch* with times that Python can hold: it has no nanoseconds."""
    import pyarrow as pa

    for number, field in enumerate(batch.schema):
        if pa.types.is_timestamp(field.type) and field.type.unit == "ns":
            kind = pa.timestamp("us", field.type.tz)
            column = batch.column(number).cast(kind, safe=False)
            batch = batch.set_column(number, field.with_type(kind), column)
    return batch


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
