"""Figures in words: sizes, durations, counts; texts that are shortened."""

from __future__ import annotations

CUT = "…"  # ends a text that was shortened


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
