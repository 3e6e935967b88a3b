"""Print for commands: progress bars, and text with terminal escapes removed.

Messages (standard error) always, as they end in logs. Results (standard output) only where that is
a terminal; in a file or a pipe they are data and stay as they are.
"""

from __future__ import annotations

import codecs
import io
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from tqdm import tqdm

from webclean_scrapy.safe_text import hide_logins, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

LINE_S, FIRST_S = 60.0, 10.0  # between two lines about progress in a log; before the first


class SafeBytes(io.RawIOBase):
    """A UTF-8 stream that writes escaped text to a *terminal*."""

    def __init__(self, terminal: Any, *, hides_logins: bool) -> None:
        self.terminal = terminal  # as it was, for what draws on it: a progress bar
        self._hides_logins = hides_logins
        self._decoder = codecs.getincrementaldecoder("utf-8")("backslashreplace")

    def write(self, data: Any) -> int:
        text = self._decoder.decode(data)
        with suppress(OSError):  # the terminal is closed; the result is still to be kept
            self.terminal.write(visible(hide_logins(text) if self._hides_logins else text))
        return len(data)

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return bool(self.terminal.isatty())

    def flush(self) -> None:
        with suppress(OSError):
            self.terminal.flush()


def safe_stream(terminal: Any, *, hides_logins: bool) -> io.TextIOWrapper:
    """Return a stream that escapes all text written to *terminal*."""
    raw: Any = SafeBytes(terminal, hides_logins=hides_logins)
    return io.TextIOWrapper(raw, "utf-8", "backslashreplace", newline="", write_through=True)


@contextmanager
def safe_streams() -> Iterator[None]:
    before = sys.stdout, sys.stderr
    if sys.stdout.isatty():
        sys.stdout = safe_stream(sys.stdout, hides_logins=False)
    sys.stderr = safe_stream(sys.stderr, hides_logins=True)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def _terminal() -> Any:
    """Return standard error unescaped, for a bar that moves the cursor."""
    return getattr(sys.stderr.buffer, "terminal", sys.stderr)


class _LogLines(tqdm):
    """Progress in lines of a log, where standard error is no terminal."""

    def display(self, msg: str | None = None, pos: int | None = None) -> bool:
        """Print a line; none to clear the last one."""
        if msg is None:
            print(self, file=sys.stderr)
        return False


@contextmanager
def progress(
    total: int | None, unit: str, *, prints: bool = False, done: int = 0
) -> Iterator[Callable[[int], object]]:
    """Return a function that advances a bar, or prints a line now and then to a log.

    *total* None: unknown. A command that *prints* its results on the same terminal needs no bar
    between them. *done*: what an earlier run has done.
    """
    options: dict[str, Any] = {"total": total, "unit": unit, "initial": done, "leave": False}
    if sys.stderr.isatty():
        bar = tqdm(disable=prints and sys.stdout.isatty(), file=_terminal(), **options)
    else:
        first = min(FIRST_S, LINE_S)
        options |= {"mininterval": LINE_S, "miniters": 1, "delay": first}
        options |= {"smoothing": 0, "ncols": 0}  # the mean rate, and no bar
        bar = _LogLines(file=sys.stderr, **options)
        bar.last_print_t -= LINE_S - first
    with bar:
        yield bar.update


def say(line: str) -> None:
    """Print a line on standard error, above a progress bar."""
    write = tqdm.write if sys.stderr.isatty() else print
    with suppress(OSError):  # as in SafeBytes
        write(hide_logins(visible(line)), file=_terminal())


def columns(rows: Sequence[Sequence[str]]) -> str:
    """Return *rows* as aligned lines of text; all columns but the first are numbers."""
    first, *widths = (max(map(len, column)) for column in zip(*rows, strict=True))
    lines = (
        "  ".join([f"{name:<{first}}", *map(str.rjust, cells, widths)]) for name, *cells in rows
    )
    return "\n".join(lines)
