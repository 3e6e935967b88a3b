"""WARC files of made pages."""

import gzip
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from spiders.demo import build_portal
from spiders.demo.model import DemoPage


def write_warc(path: Path, site: str, pages: Mapping[str, DemoPage] | None = None) -> None:
    """Write *pages*, by default the demo portal's, as responses of *site*."""
    with path.open("wb") as file:
        for number, (place, page) in enumerate((pages or build_portal().pages).items()):
            record = _record(number, site + place, page)
            file.write(gzip.compress(record) if path.suffix == ".gz" else record)


def write_record(
    path: Path, body: bytes, headers: Mapping[str, str], of_record: Mapping[str, str] | None = None
) -> None:
    """Write a page as the only record, with these headers of the answer and of the record."""
    page = DemoPage(body=body)
    path.write_bytes(_record(0, "https://news.example/a", page, headers, of_record or {}))


def _record(
    number: int,
    url: str,
    page: DemoPage,
    headers: Mapping[str, str] = MappingProxyType({}),
    of_record: Mapping[str, str] = MappingProxyType({}),
) -> bytes:
    answer = f"HTTP/1.1 {page.status} Whatever\r\nContent-Type: {page.content_type}\r\n"
    answer += "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    block = f"{answer}\r\n".encode() + page.body
    head = (
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2026-03-01T00:00:00Z\r\n"
        + "".join(f"{name}: {value}\r\n" for name, value in of_record.items())
        + f"WARC-Record-ID: <urn:uuid:{number:032x}>\r\nWARC-Target-URI: {url}\r\n"
        "Content-Type: application/http; msgtype=response\r\n"
        f"Content-Length: {len(block)}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"
