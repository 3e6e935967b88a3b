"""Figures in words: sizes, durations, counts; texts that are shortened."""

from __future__ import annotations

import textwrap
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

MIN_WIDTH = 60  # columns of a terminal; narrower lines cannot be read
CUT = "…"  # ends a text that was shortened
_TIED = "\N{NO-BREAK SPACE}"


def shorten(text: str, limit: int) -> str:
    """Return *text* in at most *limit* characters.

    >>> shorten("a long line", 6)
    'a lon…'
    """
    return text if len(text) <= limit else text[: limit - 1] + CUT


def size_of(nbytes: float) -> str:
    """Return a number of bytes for people: "12 kB"."""
    for unit in ("B", "kB", "MB"):
        if nbytes < 1000:
            return f"{nbytes:.0f} {unit}" if nbytes >= 10 or unit == "B" else f"{nbytes:.1f} {unit}"
        nbytes /= 1000
    return f"{nbytes:.1f} GB"


def time_of(seconds: float) -> str:
    """Return a duration for people: "1 h 5 min"."""
    if seconds < 60:
        return f"{seconds:.0f} s" if seconds >= 10 else f"{seconds:.1f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def count_of(number: int, what: str) -> str:
    """Return a count with its noun: "1 item", "2 items"."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def wrap(items: Iterable[str], width: int, indent: int) -> str:
    """Return *items*, none of them broken, in lines of at most *width* columns."""
    text = ", ".join(item.replace(" ", _TIED) for item in items)
    left = " " * indent
    filled = textwrap.fill(text, width, initial_indent=left, subsequent_indent=left)
    return filled.replace(_TIED, " ")


def columns_of(text: str) -> int:
    """Return how many columns a terminal needs; Chinese characters take two.

    >>> columns_of("ab"), columns_of("中文")
    (2, 4)
    """
    return sum(_columns(character) for character in text)


def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def cut(text: str, width: int) -> str:
    """Return *text* in at most *width* columns, on one line without blanks at its end.

    >>> cut("a long line", 6), cut("中文的", 5)
    ('a lon…', '中文…')
    """
    text = "".join(c if c.isprintable() else " " for c in text).rstrip()
    if columns_of(text) <= width:
        return text
    left = width - 1
    for at, character in enumerate(text):
        left -= _columns(character)
        if left < 0:
            return text[:at] + CUT
    return text  # pragma: no cover, the loop always returns
