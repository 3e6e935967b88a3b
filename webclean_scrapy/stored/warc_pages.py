"""The HTML pages of WARC files (ISO 28500), which warcio reads.

A file is read once for the place of each page and of a few others of its URL shape, and then page
by page: never more than one page is in memory.
"""

from __future__ import annotations

from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from w3lib.encoding import http_content_type_encoding
from warcio import archiveiterator

from webclean_scrapy.errors import WebcleanError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    OpenFile = Callable[[str], IO[bytes]]

ArchiveIterator: Any = archiveiterator.ArchiveIterator  # has no types
WARC_MARK = b"WARC/"
_KINDS = frozenset({"", "text/html", "application/xhtml+xml"})


class WarcError(WebcleanError):
    """A WARC file cannot be read."""


class WarcPage(NamedTuple):
    """A page as it is in a WARC file."""

    url: str
    offset: int  # of its record in the file
    html: bytes
    charset: str | None  # of its HTTP header


def is_warc_name(name: str) -> bool:
    """True if a file is a WARC by its name."""
    return name.lower().removesuffix(".gz").endswith(".warc")


def open_local(path: str) -> IO[bytes]:
    """Return a file of this machine, to be read. Raises OSError."""
    return Path(path).open("rb")


def read_warc(
    path: str, max_bytes: int = 0, *, open_file: OpenFile = open_local
) -> Iterator[WarcPage]:
    """Yield each HTML page that was answered with 200, in the order of the file.

    Of a page, one byte more than *max_bytes* is read at most; with 0 its ``html`` is empty.
    *open_file* returns what can be read, and told where it is, of a path.

    Raises:
        WarcError: the file is none, or damaged.
        OSError: it cannot be opened.
    """
    with open_file(path) as file:
        records = ArchiveIterator(file)
        record = None
        try:
            for record in records:
                page = _page_of(record, max_bytes)
                if page is not None:
                    yield page._replace(offset=records.get_record_offset())
        except OSError:
            raise
        except Exception as error:  # warcio trips over damaged records in many ways
            raise WarcError(f"cannot be read as a WARC file: {_first_line(error)}") from error
        if record is not None and getattr(record.raw_stream, "limit", 0) > 0:
            raise WarcError(f"cut off: {record.raw_stream.limit:,} bytes are missing at its end")


def read_warc_page(
    path: str, offset: int, max_bytes: int, *, open_file: OpenFile = open_local
) -> WarcPage:
    """Return the page at an offset that `read_warc` gave. Raises WarcError, OSError."""
    with open_file(path) as file:
        file.seek(offset)
        try:
            page = _page_of(next(iter(ArchiveIterator(file))), max_bytes)
        except OSError:
            raise
        except Exception as error:  # see above; StopIteration: there is no record
            raise WarcError(f"no record at {offset}: {_first_line(error)}") from error
    if page is None:
        raise WarcError(f"the record at {offset} is not a page")
    return page._replace(offset=offset)


def _page_of(record: Any, max_bytes: int) -> WarcPage | None:
    """Return the page of a record, None of one that is not a page; its offset is not set."""
    url = record.rec_headers.get_header("WARC-Target-URI") or ""
    headers = record.http_headers
    content_type = ""
    if record.rec_type == "response" and headers is not None:
        if headers.get_statuscode() != "200":
            return None
        content_type = headers.get_header("Content-Type") or ""
    elif record.rec_type == "resource":
        content_type = record.rec_headers.get_header("Content-Type") or "none"
    else:
        return None
    if content_type.partition(";")[0].strip().lower() not in _KINDS:
        return None
    if not url.startswith(("http://", "https://")):
        return None
    html = _read(record.content_stream(), max_bytes + 1) if max_bytes else b""
    return WarcPage(url, -1, html, http_content_type_encoding(content_type))


def _read(stream: IO[bytes], most: int) -> bytes:
    """Return at most *most* bytes; a stream may give less than is asked for."""
    parts = []
    while most > 0 and (part := stream.read(most)):
        parts.append(part)
        most -= len(part)
    return b"".join(parts)


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
