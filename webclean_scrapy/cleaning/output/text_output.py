"""Render the kept rows of a page as text, one line per line of the page.

The cells of a data table's row share a line. A power or an index that would be read as part of the
number before it has a sign in front of it: ``10^6``, not ``106``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.page.units import without_controls

if TYPE_CHECKING:
    from collections.abc import Iterable

    from webclean_scrapy.cleaning.page.removals import KeptRows
    from webclean_scrapy.cleaning.page.table import PageTable

CELL_TAGS = frozenset({"td", "th"})
#: A raised text that is a power, and not the end of an ordinal, a mark or a note.
_POWER = re.compile(r"[-−–+±]?(?:\d[\d.,]*(?!\d)|[a-z])(?:[-−–+±·/*]?[\da-z])*")
_IS_POWER = re.compile(r"\d|[-−–+±·/*]|\A[nxyzkij]\Z")
_INDEX = re.compile(r"\d\w{0,8}")
_ROWS = 6  # before a raised text in which the one before is looked for
_CELL_LEVELS = 4  # elements looked through between a line and its cell


def clean_line(text: str) -> str:
    r"""Return *text* without control characters and outer white space.

    >>> clean_line("\u200bbody\u202e text ")
    'body text'
    """
    return without_controls(text).strip()


def text_lines(kept: KeptRows, lines: Iterable[int]) -> list[tuple[int, str]]:
    """Return the kept text of *lines* (rising) with their numbers; a data row is one line.

    That of a data row is the line of its first cell.
    """
    table, signs = kept.table, _signs(kept.table)
    texts: list[tuple[int, str]] = []
    last_row, joined = -1, False
    for line in lines:
        text = (_with_signs(kept, line, signs) if signs else kept.line_text(line)).strip()
        if not text:
            continue
        row = _row_of(table, table.lines.container[line])
        if row == last_row and joined:
            first, before = texts[-1]
            texts[-1] = first, f"{before} {text}"
            continue
        texts.append((line, text))
        if row != last_row:
            last_row, joined = row, row >= 0 and is_data_row(table, row)
    return texts


def _signs(table: PageTable) -> dict[int, str]:
    """Return the texts that need a sign in front, by row: powers and indices."""
    tag, signs = table.tag, dict[int, str]()
    if "sup" not in tag and "sub" not in tag:
        return signs
    starts = set(table.lines.first)
    for row, name in enumerate(tag):
        if name not in {"sup", "sub"} or table.end[row] != row + 2 or row + 1 in starts:
            continue
        near = range(row - 1, max(-1, row - 1 - _ROWS), -1)
        text, base = table.text[row + 1], next(filter(None, map(table.text.__getitem__, near)), "")
        if not (base[-1:].isalnum() or base.endswith(")")):
            continue
        if name == "sub":
            if base[-1:].isdigit() and _INDEX.fullmatch(text):
                signs[row + 1] = "_"
        elif _POWER.fullmatch(text) and _IS_POWER.search(text):
            is_letter = text.isalpha() and base[-2:-1].isalnum()  # of an ordinal or a title
            signs[row + 1] = "" if is_letter else "^"
    return signs


def _with_signs(kept: KeptRows, line: int, signs: dict[int, str]) -> str:
    table, mask = kept.table, kept.mask
    rows = range(table.lines.first[line], table.lines.last[line] + 1)
    if not any(row in signs for row in rows):
        return kept.line_text(line)
    return "".join(signs.get(row, "") + kept.row_text(row) for row in rows if mask[row])


def _row_of(table: PageTable, block: int) -> int:
    """Return the table row of which *block* is a cell or the only content; else -1."""
    for _ in range(_CELL_LEVELS):
        if block < 0 or table.tag[block] in CELL_TAGS:
            return table.parent[block] if block >= 0 else -1
        block = table.parent[block]
    return -1


def is_data_row(table: PageTable, row: int) -> bool:
    """True if the table row at *row* holds data: several cells, each of at most one line."""
    cells = [child for child in table.children(row) if table.tag[child] in CELL_TAGS]
    return len(cells) > 1 and all(len(table.lines_in(cell)) <= 1 for cell in cells)
