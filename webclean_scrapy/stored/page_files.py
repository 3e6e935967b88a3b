"""Read pages from files, plain or gzip, up to a limit."""

from __future__ import annotations

import gzip
from pathlib import Path

GZIP_MARK = b"\x1f\x8b"


def read_file(path: str, max_bytes: int) -> bytes:
    """Return what a file holds, unpacked if it is gzip, up to one byte over *max_bytes*.

    Raises OSError; EOFError or zlib.error of a damaged .gz file.
    """
    with Path(path).open("rb") as file:
        is_packed = file.read(len(GZIP_MARK)) == GZIP_MARK
        file.seek(0)
        if not is_packed:
            return file.read(max_bytes + 1)
        with gzip.GzipFile(fileobj=file) as content:
            return content.read(max_bytes + 1)
