"""Printing of commands: progress bars, and escaped text that no terminal obeys.

Messages (standard error) always, as they end in logs. Results (standard output) only where that is
a terminal; in a file or a pipe they are data and stay as they are.
"""

from __future__ import annotations

import codecs
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from scrapy import signals

from webclean_scrapy.errors import hide_logins, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from scrapy.crawler import Crawler


class SafeStream:
    """A text stream that escapes; whatever else is asked of it, the stream itself answers."""

    def __init__(self, terminal: Any, *, hides_logins: bool) -> None:
        self.terminal = terminal  # as it was, for what draws on it: a progress bar
        self._hides_logins = hides_logins
        self._bytes: _SafeBytes | None = None

    def write(self, text: str) -> int:
        """Write *text*, escaped."""
        shown = visible(hide_logins(text) if self._hides_logins else text)
        self.terminal.write(shown)
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write each of *lines*, escaped."""
        for line in lines:
            self.write(line)

    @property
    def buffer(self) -> _SafeBytes:
        """The stream for bytes, which are taken for UTF-8."""
        if self._bytes is None:
            self._bytes = _SafeBytes(self)
        return self._bytes

    def __getattr__(self, name: str) -> Any:
        return getattr(self.terminal, name)


class _SafeBytes:
    """A stream of bytes to a terminal."""

    def __init__(self, stream: SafeStream) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-8")("backslashreplace")

    def write(self, data: bytes) -> int:
        """Write *data*, escaped."""
        self._stream.write(self._decoder.decode(data))
        return len(data)

    def writelines(self, lines: Iterable[bytes]) -> None:
        """Write each of *lines*, escaped."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream.terminal.buffer, name)


@contextmanager
def safe_streams() -> Iterator[None]:
    """Escape what is printed inside the block."""
    before = sys.stdout, sys.stderr
    if sys.stdout.isatty():
        sys.stdout = SafeStream(sys.stdout, hides_logins=False)
    sys.stderr = SafeStream(sys.stderr, hides_logins=True)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def _terminal() -> Any:
    """Return standard error as it is, for a bar that moves the cursor."""
    return getattr(sys.stderr, "terminal", sys.stderr)


@contextmanager
def progress(
    total: int | None, unit: str, *, prints: bool = False
) -> Iterator[Callable[[int], object]]:
    """Give a function that is told how many more are done. *total* None: not known.

    A command that *prints* its results on the same terminal needs no bar between them.
    """
    from tqdm import tqdm

    hidden = True if prints and sys.stdout.isatty() else None  # None: by standard error
    with tqdm(total=total, unit=unit, disable=hidden, file=_terminal(), leave=False) as bar:
        yield bar.update


def say(line: str) -> None:
    """Print a line on standard error, above a bar if one is drawn."""
    from tqdm import tqdm

    tqdm.write(hide_logins(visible(line)), file=_terminal())


@contextmanager
def crawl_progress(total: int | None, *, prints: bool) -> Iterator[Callable[[Crawler], None]]:
    """Give a function that counts the pages of a crawler; *total* None: not known."""
    with progress(total, " pages", prints=prints) as more:

        def count() -> None:
            more(1)

        def watch(crawler: Crawler) -> None:
            crawler.signals.connect(count, signal=signals.response_received, weak=False)

        yield watch
