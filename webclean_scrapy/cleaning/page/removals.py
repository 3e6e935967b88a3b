"""The rows kept of a page, and those that each step removed, with the reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from webclean_scrapy.cleaning.page.table import PageTable


@dataclass(frozen=True, slots=True)
class Removal:
    """The rows removed by one step: ranges ``(first, stop)`` with one reason."""

    what: str  # the step: "template", "link_block", "line", ...
    why: str  # the rule of the step, from a closed set
    spans: tuple[tuple[int, int], ...]

    def units(self, table: PageTable) -> int:
        """Return how much text the removed rows hold, in units."""
        before = table.text_before
        return sum(before[stop] - before[start] for start, stop in self.spans)


class KeptRows:
    """The rows of a table that are kept; `remove` and `undo` change it."""

    __slots__ = ("_captions", "mask", "table")

    def __init__(self, table: PageTable, removals: Iterable[Removal] = ()) -> None:
        self.table = table
        self.mask = bytearray(b"\1") * len(table)
        self._captions: list[tuple[int, int]] = []
        self.remove(removals)

    def remove(self, removals: Iterable[Removal]) -> None:
        """Drop the rows of *removals*."""
        for removal in removals:
            self._captions += removal.spans if removal.why == "caption" else ()
            for start, stop in removal.spans:
                self.mask[start:stop] = bytes(stop - start)

    @property
    def captions(self) -> list[int]:
        """The text rows that were removed as captions of pictures, rising."""
        text = self.table.text
        return sorted(at for span in self._captions for at in range(*span) if text[at])

    def line_text(self, line: int) -> str:
        """Return the kept text of a line, white space collapsed; empty when nothing is kept."""
        lines = self.table.lines
        first, stop = lines.first[line], lines.last[line] + 1
        if self.mask.find(0, first, stop) < 0:
            return lines.text[line]
        text = self.table.text
        return "".join(text[row] for row in range(first, stop) if self.mask[row])

    def has_line(self, line: int) -> bool:
        """True if any text row of the line is kept."""
        lines = self.table.lines
        first, stop = lines.first[line], lines.last[line] + 1
        text, mask = self.table.text, self.mask
        if mask.find(0, first, stop) < 0:
            return True
        return any(mask[row] and text[row] for row in range(first, stop))


def line_spans(table: PageTable, lines: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Return the row ranges of the texts of *lines*."""
    first, last = table.lines.first, table.lines.last
    return tuple((first[line], last[line] + 1) for line in lines)
