"""Read the pages of a feed: JSON lines with ``url`` and ``html``, as many crawls keep them."""

from __future__ import annotations

import json
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.page.raw_page import RawPage
from webclean_scrapy.engines.warc_pages import Place
from webclean_scrapy.errors import FeedError
from webclean_scrapy.web_addresses import is_askable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

JSON_LINES_SUFFIXES = frozenset({".jl", ".jsonl", ".jsonlines", ".ndjson"})


def is_feed_name(name: str) -> bool:
    """True if a file is a feed by its name, which ends with no compression."""
    return PurePath(name.lower()).suffix in JSON_LINES_SUFFIXES


def read_feed(path: str, report: Callable[[int, str], None]) -> Iterator[Place]:
    """Yield the place of each page, in file order; *report* the number of other lines and why.

    Raises OSError.
    """
    offset = 0
    with Path(path).open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                try:
                    yield Place(path, offset, _page(line).url or "")
                except FeedError as error:
                    report(number, str(error))
            offset += len(line)
    if not offset:
        report(1, "the feed is empty")


def read_feed_page(place: Place, max_bytes: int) -> RawPage:
    """Read a page found by `read_feed`, up to *max_bytes* + 1 characters.

    Raises FeedError, OSError.
    """
    with Path(place.path).open("rb") as lines:
        lines.seek(place.offset)
        page = _page(lines.readline())
    return page._replace(html=page.html[: max_bytes + 1])


def _page(line: bytes) -> RawPage:
    """Return the page of a line. Raises FeedError."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise FeedError(f"invalid JSON: {error}") from error
    fields = record if isinstance(record, dict) else {}
    url, html = fields.get("url"), fields.get("html")
    if not (isinstance(url, str) and isinstance(html, str) and is_askable(url)):
        raise FeedError('no page: it needs "url", an address, and "html", the source')
    return RawPage(html, url)
