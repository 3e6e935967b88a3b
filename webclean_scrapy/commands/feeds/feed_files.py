"""Files of feeds as streams of bytes: local or remote, plain or compressed.

The compression is told by the first bytes, so a name may say anything.
"""

from __future__ import annotations

import bz2
import difflib
import gzip
import lzma
import os
import sys
import zlib
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, Literal, cast

from webclean_scrapy.errors import FeedError, install_hint
from webclean_scrapy.file_modes import make_draft

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

if TYPE_CHECKING:
    from collections.abc import Iterator

#: The first bytes of a file: the suffix under which smart_open knows its compression.
MARKS = {
    b"\x1f\x8b": ".gz",
    b"BZh": ".bz2",
    b"\xfd7zXZ\x00": ".xz",
    b"\x28\xb5\x2f\xfd": ".zst",
}
COMPRESSIONS = frozenset(MARKS.values())
#: What reading damaged compressed content raises; see also `is_failure`.
DAMAGE = (EOFError, zlib.error, lzma.LZMAError, zstd.ZstdError, OSError)
_EXTRAS = {"s3": "s3", "s3a": "s3", "gs": "gcs", "azure": "azure", "ssh": "ssh", "sftp": "ssh"}
_CHUNK = 1 << 16  # bytes
_LISTED = 1_000  # names of a folder among which a missing one is looked for


def is_remote(name: str) -> bool:
    """Whether *name* is a URL and not a path."""
    return "://" in name


def base_name(name: str) -> str:
    """Return the last part of a path or URL."""
    return PurePosixPath(name.partition("?")[0]).name if is_remote(name) else Path(name).name


def size_of(name: str) -> int:
    """Return the bytes of a local file; 0 for a remote one. Raises FeedError."""
    if is_remote(name):
        return 0
    path = Path(name)
    if path.is_dir():
        raise FeedError(f"{name} is a folder; name the feeds in it, as {path / '*.jsonl'}")
    try:
        return path.stat().st_size
    except FileNotFoundError:
        raise FeedError(f"{name}: no such file{_near(path)}") from None
    except OSError as error:
        raise FeedError(f"{name}: {error.strerror or error}") from error


def _near(path: Path) -> str:
    """Return a question for the file that was meant; else where *path* was looked for."""
    if not path.parent.is_dir():
        return f"; there is no folder {path.parent}"
    names = [each.name for each in islice(path.parent.iterdir(), _LISTED)]
    near = difflib.get_close_matches(path.name, names, n=1)
    return f"; did you mean {path.parent / near[0]}?" if near else f" in {path.parent.resolve()}"


def open_raw(name: str) -> IO[bytes]:
    """Return the bytes of a file as they are stored. Raises FeedError."""
    if not is_remote(name):
        size_of(name)
        try:
            return Path(name).open("rb")
        except OSError as error:
            raise FeedError(f"{name}: {error.strerror or error}") from error
    return _open_remote(name, "rb")


def check_remote_output(name: str) -> None:
    """Refuse a URL that cannot be written to, before anything is done.

    Raises: FeedError: of https, or what opens it is not installed.
    """
    scheme = name.partition(":")[0]
    if scheme in ("http", "https"):
        raise FeedError(f"{name}: {scheme}:// cannot be written to; a path, s3:// and gs:// can")
    with _remote_errors(name):
        from smart_open import transport

        transport.get_transport(scheme)


def _open_remote(name: str, mode: str) -> IO[bytes]:
    with _remote_errors(name):
        import smart_open  # takes a third of a second

        return cast("IO[bytes]", smart_open.open(name, mode, compression="disable"))


@contextmanager
def _remote_errors(name: str) -> Iterator[None]:
    """Turn what libraries of remote places raise into a FeedError of one line."""
    scheme = name.partition(":")[0]
    try:
        yield
    except ImportError as error:
        hint = install_hint(f"smart_open[{_EXTRAS.get(scheme, scheme)}]")
        raise FeedError(f"{name}: what opens {scheme}:// is not installed; {hint}") from error
    except NotImplementedError as error:
        raise FeedError(f"{name}: {scheme}:// is not known; s3, gs and https are") from error
    except Exception as error:  # each service has errors of its own
        lines = str(error).splitlines() or [type(error).__name__]
        raise FeedError(f"cannot open {name}: {lines[0]}") from error


@contextmanager
def open_content(name: str) -> Iterator[tuple[IO[bytes], IO[bytes], str]]:
    """Give the content of a file, the file it is read from, and its compression, "" for none.

    Raises FeedError.
    """
    with ExitStack() as stack:
        raw = stack.enter_context(open_raw(name))
        head = raw.read(max(map(len, MARKS)))
        compression = next((MARKS[mark] for mark in MARKS if head.startswith(mark)), "")
        if is_remote(name):  # a server need not let one seek
            raw = stack.enter_context(open_raw(name))
        else:
            raw.seek(0)
        content = raw
        if compression:
            content = stack.enter_context(with_compression(raw, "rb", compression))
        yield content, raw, compression


def with_compression(file: IO[bytes], mode: Literal["rb", "wb"], compression: str) -> IO[bytes]:
    """Return *file* behind the compression that a suffix such as ".gz" names.

    Closing it leaves *file* open. Not by smart_open, which goes by the suffix alone.
    """
    if compression == ".gz":
        return cast("IO[bytes]", gzip.open(file, mode))
    if compression == ".bz2":
        return cast("IO[bytes]", bz2.open(file, mode))
    if compression == ".xz":
        return cast("IO[bytes]", lzma.open(file, mode))
    return cast("IO[bytes]", zstd.open(file, mode))


def skip_bytes(content: IO[bytes], count: int) -> None:
    """Move on to the byte *count* of a content from which nothing was read."""
    if content.seekable():
        content.seek(count)
        return
    while count > 0 and (chunk := content.read(min(count, _CHUNK))):
        count -= len(chunk)


def read_head(content: IO[bytes], size: int) -> bytes:
    """Return the first bytes of a content, fewer where it is damaged."""
    head = b""
    read_some = getattr(content, "read1", content.read)  # what is there before the damage
    try:
        while len(head) < size and (chunk := read_some(min(_CHUNK, size - len(head)))):
            head += chunk
    except DAMAGE as error:
        if is_failure(error):
            raise
    return head


def is_failure(error: Exception) -> bool:
    """Whether one of `DAMAGE` says that reading failed, not that the content is damaged.

    The module bz2 raises a bare OSError for damaged content, without a number.
    """
    if isinstance(error, gzip.BadGzipFile):
        return False
    return isinstance(error, OSError) and (type(error) is not OSError or error.errno is not None)


@contextmanager
def replaced_file(name: str, compression: str) -> Iterator[IO[bytes]]:
    """Give a file to write; it takes its name, or is sent, when all was written.

    Raises FeedError where a remote place refuses; OSError.
    """
    if is_remote(name):
        with _open_remote(name, "wb") as raw, _packed(raw, compression) as file:
            yield file
        return
    path = Path(name)
    draft = path.with_name(path.name + ".tmp")
    try:
        make_draft(draft, path)
        with draft.open("wb") as raw, _packed(raw, compression) as file:
            yield file
        with draft.open("rb+") as raw:
            os.fsync(raw.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def _packed(raw: IO[bytes], compression: str) -> IO[bytes]:
    return with_compression(raw, "wb", compression) if compression else raw
