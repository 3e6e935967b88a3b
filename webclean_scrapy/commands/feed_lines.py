"""Lines of feeds of any format, read in order from any position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webclean_scrapy.commands.feeds.csv_rows import read_csv
from webclean_scrapy.commands.feeds.feed_files import DAMAGE, is_failure, open_content
from webclean_scrapy.commands.feeds.feed_format import (
    CSV,
    JSON_ARRAY,
    JSON_LINES,
    PARQUET,
    inspect_feed,
)
from webclean_scrapy.commands.feeds.feed_line import Line, Place
from webclean_scrapy.commands.feeds.json_rows import read_json_array, read_json_lines
from webclean_scrapy.commands.feeds.open_feed import OpenFeed
from webclean_scrapy.commands.feeds.parquet_rows import read_parquet

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

__all__ = ["Line", "Place", "read_lines"]

_READERS: dict[str, Callable[[OpenFeed, Place], Iterator[Line]]] = {
    JSON_LINES: read_json_lines,
    JSON_ARRAY: read_json_array,
    CSV: read_csv,
    PARQUET: read_parquet,
}


def read_lines(
    names: Sequence[str], start: Place, *, columns: Collection[str] | None = None
) -> Iterator[Line]:
    """Yield each line from *start* that is not blank; invalid ones have an *error*.

    *names*: files or URLs of JSON lines, JSON arrays, CSV or Parquet, plain or compressed.
    An empty file has no lines. *columns*: of a Parquet file, what is read; by default all.
    Raises: FeedError for what is not a feed; OSError.
    """
    for number, name in enumerate(names[start.file :], start.file):
        place = start if number == start.file else Place(number)
        form = inspect_feed(name)
        if form is None:
            continue
        with open_content(name) as (content, raw, _):
            feed = OpenFeed(
                name=name, number=number, content=content, raw=raw, form=form, columns=columns
            )
            yield from _lines_of(feed, place)


def _lines_of(feed: OpenFeed, place: Place) -> Iterator[Line]:
    """Yield the lines of one file; the last one says where it is damaged."""
    line = None
    try:
        for line in _READERS[feed.form.name](feed, place):
            yield line
    except DAMAGE as error:
        if is_failure(error):
            raise
        number = (line.after.lines if line else place.lines) + 1
        yield feed.broken_line(number, f"cannot decompress the rest of the file: {error}")
