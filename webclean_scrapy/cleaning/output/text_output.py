"""The kept rows of a page as text: one line per line of the page.

The cells of a data table's row share a line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.page.units import without_controls

if TYPE_CHECKING:
    from collections.abc import Iterable

    from webclean_scrapy.cleaning.page.removals import KeptRows
    from webclean_scrapy.cleaning.page.table import PageTable

CELL_TAGS = frozenset({"td", "th"})
_CELL_LEVELS = 4  # elements looked through between a line and its cell


def clean_line(text: str) -> str:
    r"""Return *text* without control characters and outer blanks.

    >>> clean_line("\u200bbody\u202e text ")
    'body text'
    """
    return without_controls(text).strip()


def text_lines(kept: KeptRows, lines: Iterable[int]) -> list[tuple[int, str]]:
    """Return the kept text of *lines* (rising), the cells of a data row in one, with their number.

    That of a data row is the line of its first cell.
    """
    table = kept.table
    texts: list[tuple[int, str]] = []
    last_row, joined = -1, False
    for line in lines:
        text = kept.line_text(line).strip()
        if not text:
            continue
        row = _row_of(table, table.lines.container[line])
        if row != last_row:
            last_row, joined = row, row >= 0 and is_data_row(table, row)
            texts.append((line, text))
        elif joined:
            first, before = texts[-1]
            texts[-1] = first, f"{before} {text}"
        else:
            texts.append((line, text))
    return texts


def _row_of(table: PageTable, block: int) -> int:
    """Return the table row that *block* is a cell of, or the only block in one; else -1."""
    for _ in range(_CELL_LEVELS):
        if table.tag[block] in CELL_TAGS:
            return table.parent[block]
        block = table.parent[block]
        if block < 0:
            break
    return -1


def is_data_row(table: PageTable, row: int) -> bool:
    """True if the table row at *row* holds data: several cells, none with more than a line."""
    cells = [child for child in table.children(row) if table.tag[child] in CELL_TAGS]
    return len(cells) > 1 and all(len(table.lines_in(cell)) <= 1 for cell in cells)
