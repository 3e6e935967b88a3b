"""Rows of JSON lines and of JSON arrays. Neither is ever whole in memory."""

from __future__ import annotations

import json
from typing import IO, TYPE_CHECKING, Any

from webclean_scrapy.commands.feeds.feed_files import skip_bytes
from webclean_scrapy.commands.feeds.feed_line import (
    Line,
    Place,
    is_too_long,
    read_line,
    to_json,
    too_long,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webclean_scrapy.commands.feeds.open_feed import OpenFeed


def read_json_lines(feed: OpenFeed, start: Place) -> Iterator[Line]:
    """Yield each line that is not blank."""
    content, place = feed.content, start
    if place.offset:
        skip_bytes(content, place.offset)
    else:
        feed.skip_mark()
    while raw := read_line(content):
        place = Place(place.file, content.tell(), place.lines + 1)
        if not raw.isspace():
            record, problem = _parse(raw)
            yield feed.line(place, place.lines, record, raw=raw, error=problem)


def _parse(raw: bytes) -> tuple[dict[str, Any], str]:
    """Return the object of a line, and its error, "" for none."""
    if is_too_long(raw):
        return {}, too_long()
    try:
        record = json.loads(raw)
    except json.JSONDecodeError as error:
        return {}, f"invalid JSON: {error.msg} at character {error.pos}"
    except (UnicodeDecodeError, RecursionError) as error:
        return {}, f"invalid JSON: {error}"
    return (record, "") if isinstance(record, dict) else ({}, "not a JSON object")


def read_json_array(feed: OpenFeed, start: Place) -> Iterator[Line]:
    """Yield each element; what cannot be parsed ends the file."""
    import ijson

    feed.skip_mark()
    number = 0
    try:
        for number, element in enumerate(_elements(feed.content), 1):
            if number > start.lines:
                yield _element_line(feed, Place(start.file, 0, number), element)
    except (ijson.JSONError, UnicodeDecodeError) as error:
        problem = str(error).strip().splitlines()[0]
        yield feed.broken_line(number + 1, f"invalid JSON, the rest is not read: {problem}")


def _elements(content: IO[bytes]) -> Iterator[Any]:
    import ijson

    yield from ijson.items(content, "item")


def _element_line(feed: OpenFeed, place: Place, element: object) -> Line:
    if not isinstance(element, dict):
        return feed.line(place, place.lines, {}, error="not a JSON object")
    try:
        raw = to_json(element)
    except RecursionError as error:
        return feed.line(place, place.lines, {}, error=f"invalid JSON: {error}")
    return feed.line(place, place.lines, element, raw=raw)
