"""Read the HTML pages of WARC files (ISO 28500) by warcio.

A file is read once for the place of each page, and then page by page: never more than one page is
in memory.
"""

from __future__ import annotations

from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple, cast

from w3lib.encoding import http_content_type_encoding

from webclean_scrapy.cleaning.page.raw_page import RawPage
from webclean_scrapy.errors import WebcleanError, missing_library
from webclean_scrapy.safe_text import first_line
from webclean_scrapy.web_addresses import is_web

if TYPE_CHECKING:
    from collections.abc import Iterator

WARC_MARK = b"WARC/"
_KINDS = frozenset({"", "text/html", "application/xhtml+xml"})
_BLOCK = 2**18  # bytes of one request: most pages, packed, are smaller


class WarcError(WebcleanError):
    """A WARC file cannot be read."""


class Place(NamedTuple):
    """The place of a stored page."""

    path: str
    offset: int = -1  # of its record in a WARC; -1: the file is the page
    url: str = ""  # "" when it is not known


def is_warc_name(name: str) -> bool:
    """True if a file is a WARC by its name."""
    return name.lower().removesuffix(".gz").endswith(".warc")


def open_archive(path: str) -> IO[bytes]:
    """Open an archive: a local file, or a URL of fsspec such as ``s3://``.

    Raises OSError; WarcError for an address that nothing installed can open.
    """
    if "://" not in path:
        return Path(path).open("rb")
    scheme = path.partition(":")[0]
    try:
        from fsspec.core import url_to_fs

        files, name = url_to_fs(path)
        return cast("IO[bytes]", files.open(name, "rb", block_size=_BLOCK))
    except ImportError as error:
        raise missing_library(f"{scheme}://", f"fsspec[{scheme}]") from error
    except OSError:
        raise
    except Exception as error:  # each service has errors of its own
        raise OSError(f"{path}: {type(error).__name__}: {error}") from error


def read_warc(path: str) -> Iterator[Place]:
    """Yield the place of each HTML page with status 200, in file order.

    Raises OSError; WarcError for a file that is none, or damaged.
    """
    with open_archive(path) as file:
        records = _records(file)
        record, is_archive = None, False
        try:
            for record in records:
                is_archive |= bool(record.rec_type)
                if url := _url_of_page(record):
                    yield Place(path, records.get_record_offset(), url)
        except OSError:
            raise
        except Exception as error:  # warcio trips over damaged records in many ways
            raise WarcError(f"cannot be read as a WARC file: {first_line(error)}") from error
        if not is_archive:
            raise WarcError("cannot be read as a WARC file: it has no record of a known type")
        if record is not None and getattr(record.raw_stream, "limit", 0) > 0:
            raise WarcError(f"cut off: {record.raw_stream.limit:,} bytes are missing at its end")


def read_warc_page(place: Place, max_bytes: int) -> RawPage:
    """Read a page found by `read_warc`, up to *max_bytes* + 1 bytes.

    Raises WarcError, OSError.
    """
    with open_archive(place.path) as file:
        try:
            file.seek(place.offset)
            record = next(iter(_records(file)))
            url = _url_of_page(record)
            html, is_cut = _body(record, max_bytes + 1)
        except OSError:
            raise
        except Exception as error:  # see above; StopIteration: there is no record
            raise WarcError(f"no record at {place.offset}: {first_line(error)}") from error
    if not url:
        raise WarcError(f"the record at {place.offset} is not a page")
    charset = http_content_type_encoding(_content_type(record))
    return RawPage(html, url, charset, is_cut=is_cut)


def _records(file: IO[bytes]) -> Any:
    from warcio import archiveiterator  # 13 MB: only where there is an archive

    reader: Any = archiveiterator.ArchiveIterator  # has no types
    return reader(file)


def _content_type(record: Any) -> str:
    headers = record.http_headers if record.rec_type == "response" else record.rec_headers
    return str((headers and headers.get_header("Content-Type")) or "")


def _url_of_page(record: Any) -> str:
    """Return the URL of a record with a page, or ""."""
    url = str(record.rec_headers.get_header("WARC-Target-URI") or "")
    kind = _content_type(record).partition(";")[0].strip().lower()
    if record.rec_type == "response":
        headers = record.http_headers
        is_page = headers is None or headers.get_statuscode() == "200"
    else:
        is_page = record.rec_type == "resource" and bool(kind)
    return url if is_page and kind in _KINDS and is_web(url) else ""


def _body(record: Any, most: int) -> tuple[bytes, bool]:
    """Return at most *most* bytes of a page, unpacked, and whether it is cut off.

    warcio does not know ``x-gzip`` and fails on ``br``.
    """
    headers = record.http_headers
    encoding = str((headers and headers.get_header("Content-Encoding")) or "").strip().lower()
    if encoding in {"gzip", "x-gzip"}:
        headers.replace_header("Content-Encoding", "gzip")
    elif encoding == "br":
        headers.remove_header("Content-Encoding")
    stream = record.content_stream()
    html = _read(stream, most)
    unpacker = getattr(stream, "decompressor", None)
    is_whole = unpacker is None or unpacker.eof
    if encoding == "br":
        html, is_whole = _unpack_brotli(html, most)
    is_cut = record.rec_headers.get_header("WARC-Truncated") is not None
    return html, is_cut or not (is_whole or len(html) == most)


def _unpack_brotli(packed: bytes, most: int) -> tuple[bytes, bool]:
    """Return at most *most* bytes of what was packed, and whether that is all.

    What is not packed in truth is returned unchanged, as warcio does with other packings.
    """
    import brotli

    unpacker = brotli.Decompressor()
    try:
        html = unpacker.process(packed, output_buffer_limit=most)[:most]
    except brotli.error:
        return packed, True
    return html, unpacker.is_finished()


def _read(stream: IO[bytes], most: int) -> bytes:
    """Read at most *most* bytes, also from streams with short reads."""
    parts = []
    while most > 0 and (part := stream.read(most)):
        parts.append(part)
        most -= len(part)
    return b"".join(parts)
