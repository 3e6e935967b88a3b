"""What commands print: text of outside is escaped, so that no terminal obeys a page.

Messages (standard error) always, as they end in logs. Results (standard output) only where that is
a terminal; in a file or a pipe they are data and stay as they are.
"""

from __future__ import annotations

import codecs
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from webclean_scrapy.messages import hide_logins, visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


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


def plain_terminal() -> Any:
    """Return standard error as it is, for a bar that moves the cursor."""
    return getattr(sys.stderr, "terminal", sys.stderr)
