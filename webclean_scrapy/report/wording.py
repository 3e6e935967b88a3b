"""Counts in words, and texts that are shortened."""

from __future__ import annotations

import unicodedata

MIN_WIDTH = 60  # columns of a terminal; narrower lines cannot be read
CUT = "…"  # ends a text that was shortened


def shorten(text: str, limit: int) -> str:
    """Return *text* in at most *limit* characters.

    >>> shorten("a long line", 6)
    'a lon…'
    """
    return text if len(text) <= limit else text[: limit - 1] + CUT


def count_of(number: int, what: str) -> str:
    """Return a count with its noun: "1 item", "2 items"."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


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
