"""Pages of archives that are on this machine or at a URL."""

from __future__ import annotations

from pathlib import Path
from typing import IO, TYPE_CHECKING

from webclean_scrapy.errors import ConfigError, missing_library
from webclean_scrapy.stored.page_cleaner import READ_ERRORS, read_place

if TYPE_CHECKING:
    from webclean_scrapy.cleaning.page.raw_page import RawPage
    from webclean_scrapy.stored.places import Place

_BLOCK = 2**18  # bytes of one request: most pages, packed, are smaller


def open_archive(path: str) -> IO[bytes]:
    """Return an archive, to be read: a local file, or what fsspec opens, such as ``s3://``.

    Raises OSError; ConfigError for an address that nothing installed can open.
    """
    if "://" not in path:
        return Path(path).open("rb")
    from fsspec.core import url_to_fs

    try:
        files, name = url_to_fs(path)
    except ImportError as error:
        scheme = path.partition(":")[0]
        raise missing_library(f"{scheme}://", f"fsspec[{scheme}]") from error
    opened: IO[bytes] = files.open(name, "rb", block_size=_BLOCK)
    return opened


def read_archived(place: Place, max_bytes: int) -> RawPage:
    """Return a page of an archive.

    Raises what `stored.page_cleaner.READ_ERRORS` names; ConfigError as `open_archive`.
    """
    try:
        return read_place(place, max_bytes, open_file=open_archive)
    except (*READ_ERRORS, ConfigError):
        raise
    except Exception as error:  # what reads an address has errors of its own
        raise OSError(f"{place.path}: {type(error).__name__}: {error}") from error
