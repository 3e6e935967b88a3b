"""Tables in Markdown, readable on a terminal."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table with texts in the first column and figures in the others.

    >>> print(table(["page", "F1"], [["one", ".98"], ["three", "-"]]))
    | page  |  F1 |
    | ----- | --: |
    | one   | .98 |
    | three |   - |
    """
    lines = [list(head), *(list(row) for row in rows)]
    width = [max(map(_width, column)) for column in zip(*lines, strict=True)]
    rule = ["-" * width[0], *("-" * (w - 1) + ":" for w in width[1:])]
    lines.insert(1, rule)
    return "\n".join(f"| {' | '.join(_pad(line, width))} |" for line in lines)


def share(value: float) -> str:
    """Return a share of 0..1 with three digits: ".982", "1"."""
    return f"{value:.3f}".removeprefix("0") if value < 0.9995 else "1"


def signed(value: float) -> str:
    """Return a difference of shares: "+.012"."""
    return f"{value:+.3f}".replace("0.", ".", 1)


def times(value: float) -> str:
    """Return a ratio with about three digits: "0.21", "12.4"."""
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def _pad(line: Sequence[str], width: Sequence[int]) -> list[str]:
    first, *others = line
    left = first + " " * (width[0] - _width(first))
    return [left, *(" " * (w - _width(o)) + o for o, w in zip(others, width[1:], strict=True))]


def _width(text: str) -> int:
    return sum(1 + (unicodedata.east_asian_width(character) in "WF") for character in text)
