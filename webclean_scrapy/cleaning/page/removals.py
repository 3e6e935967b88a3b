"""The kept rows of a page, and the rows removed by each step with the reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from webclean_scrapy.cleaning.page.table import PageTable

LINK_RUN = "link run"  # why links in a paragraph were removed
LABEL = "label"  # why words that the entries of a list share were removed
POST_DATA = "post data"  # why all that is beside the posts of a thread was removed


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

    __slots__ = ("_captions", "deck", "is_thread", "mask", "parted", "table")

    def __init__(
        self, table: PageTable, removals: Iterable[Removal] = (), deck: int | None = None
    ) -> None:
        self.table = table
        self.deck = deck  # row of a heading that is a paragraph
        self.mask = bytearray(b"\1") * len(table)
        self._captions: list[tuple[int, int]] = []
        self.parted: set[int] = set()  # texts behind a blank that was removed with one before
        self.is_thread = False  # then what is beside its posts was removed with all that it holds
        self.remove(removals)

    def remove(self, removals: Iterable[Removal]) -> None:
        """Drop the rows of *removals*."""
        removals = tuple(removals)
        self.is_thread = self.is_thread or any(each.why == POST_DATA for each in removals)
        for removal in removals:
            self._captions += removal.spans if removal.why == "caption" else ()
            for start, stop in removal.spans:
                self.mask[start:stop] = bytes(stop - start)
        for removal in removals:
            if removal.why in {"hidden", LABEL, LINK_RUN}:
                self._part(removal)

    def _part(self, removal: Removal) -> None:
        """Keep the blanks that stood before removed parts of lines."""
        text, last = self.table.text, self.table.lines.last
        for start, stop in removal.spans:
            end = last[self.table.line_of[start + 1] - 1] + 1
            after = next((at for at in range(stop, end) if text[at]), end)
            blanks = [text[at][:1].isspace() for at in range(start, stop) if text[at]]
            # Those between the links of a run go with it.
            if after < end and any(blanks[:1] if removal.why == LINK_RUN else blanks):
                self.parted.add(after)

    def row_text(self, row: int) -> str:
        """Return the text of a row, preceded by the white space of removed text before it."""
        text = self.table.text[row]
        return f" {text}" if row in self.parted and not text[0].isspace() else text

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
        return "".join(self.row_text(row) for row in range(first, stop) if self.mask[row])

    def has_line(self, line: int) -> bool:
        """True if any text row of the line is kept."""
        return self.line_text(line) != ""


def line_spans(table: PageTable, lines: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Return the row ranges of the texts of *lines*."""
    first, last = table.lines.first, table.lines.last
    return tuple((first[line], last[line] + 1) for line in lines)


def removals_of(table: PageTable, reasons: Iterable[tuple[int, tuple[str, str]]]) -> list[Removal]:
    """Return the removals of lines, each given with its step and reason: one of each of these."""
    found: dict[tuple[str, str], list[int]] = {}
    for line, why in reasons:
        found.setdefault(why, []).append(line)
    return [Removal(*why, line_spans(table, lines)) for why, lines in found.items()]
