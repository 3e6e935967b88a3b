"""Lines of a page: the text between two visible breaks (a block's edge or ``br``).

White space is as a browser shows it: runs become one blank, white space alone is a blank between
two texts of a line and nothing elsewhere. ``pre`` keeps its line breaks and indents, and its lines
are one. Characters that show nothing neither measure nor make a line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.page.units import text_units, without_controls

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.page.walk import WalkedRows

#: Above this share of its units inside links a line is a link line.
LINK_LINE = 0.5
WHOLLY = 0.9  # share of a line inside links above which all of it is one
LINK_UNITS = 25  # a shorter link is a word or a name
LOWER_CHARACTERS = 400  # of a line that are kept in lower case
_DIGIT = re.compile(r"\d")  # of any script
_ODD_WHITE = re.compile(r"[^\S\n\t]")
_STOPS, _WIDE_STOPS = ".!?…", "。！？；．｡।॥؟۔։።။។"
#: The end of a sentence: a full stop before a blank or the end, or a CJK or Indic one anywhere.
SENTENCE_END = re.compile(rf"[{_STOPS}][\"'”’»)\]]*(?:\s|$)|[{_WIDE_STOPS}]")
#: Found in a text with a sentence, and fast: menus have many texts. Thai and Lao have no stops.
MAY_END_SENTENCE = re.compile(f"[{_STOPS}{_WIDE_STOPS}\u0e00-\u0eff]")


@dataclass
class Lines:
    """The lines of a page, as parallel lists in document order."""

    first: list[int] = field(default_factory=list)  # first text row
    last: list[int] = field(default_factory=list)  # last text row, inclusive
    container: list[int] = field(default_factory=list)  # row of the innermost block, or the root
    units: list[int] = field(default_factory=list)
    link_units: list[int] = field(default_factory=list)  # inside links
    text: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.first)

    @cached_property
    def lower_starts(self) -> list[str]:
        """The beginnings of the lines in lower case, the input of all patterns."""
        return [text[:LOWER_CHARACTERS].lower() for text in self.text]

    @cached_property
    def numbered(self) -> list[int]:
        """The lines with a digit in their ``lower_starts``, rising."""
        return [line for line, text in enumerate(self.lower_starts) if _DIGIT.search(text)]


def gather_lines(rows: WalkedRows) -> tuple[Lines, list[str], list[int]]:
    """Return the lines without their units, the text of all rows, the units of text rows.

    The text of a row that goes on in a line begins with a blank if one comes before it.
    """
    text = [""] * len(rows.tag)
    units: list[int] = []
    lines = Lines()
    add_first, add_last, add_container, add_units = (
        lines.first.append, lines.last.append, lines.container.append, units.append,
    )  # fmt: skip
    last = lines.last
    pre_rows = _pre_rows(rows)
    before = ""  # the text before, unchanged
    for row, whole, breaks, block in rows.texts:
        raw, shown = whole, whole.strip()
        if not shown.isprintable() or "  " in shown:
            raw = without_controls(whole)
            shown = " ".join(raw.split())
        add_units(len(shown) if shown.isascii() else text_units(shown))
        if row in pre_rows:
            shown = _preformatted(raw, before if not breaks else None)
        elif not breaks and (raw[0].isspace() or before[-1].isspace()):
            shown = " " + shown
        text[row] = shown
        before = raw
        if not breaks:
            last[-1] = row
            continue
        add_first(row)
        add_last(row)
        add_container(block)
    spans = zip(lines.first, last, strict=True)
    lines.text = [text[at] if at == to else "".join(text[at : to + 1]) for at, to in spans]
    return lines, text, units


def _pre_rows(rows: WalkedRows) -> set[int]:
    behind, inside = 0, set[int]()
    for row, tag in enumerate(rows.tag) if "pre" in rows.tag else ():
        if tag == "pre" and row >= behind:  # in no other
            behind = rows.end[row]
            inside.update(range(row, behind))
    return inside


def _preformatted(raw: str, before: str | None) -> str:
    """Return *raw* text of ``pre``, joined with the white space at the end of *before*.

    Without a text before it on its line, the empty lines above the first are left out.
    """
    text = raw.rstrip()
    if before is None:
        text = text[text.rfind("\n", 0, len(text) - len(text.lstrip())) + 1 :]
    else:
        text = before[len(before.rstrip()) :] + text
    return _ODD_WHITE.sub(" ", text.replace("\r\n", "\n").replace("\r", "\n"))


@dataclass(frozen=True, slots=True)
class LineColumns:
    """Arrays with one entry per line. At the top of the page a block stands for its parent."""

    units: NDArray[np.int64]
    linked: NDArray[np.int64]  # units inside links
    plain: NDArray[np.bool_]  # no link line
    block: NDArray[np.int64]  # row of the innermost block element
    inline: NDArray[np.int64]  # row of the element that holds the first text
    second: NDArray[np.int64]  # rows of the three elements above the block
    third: NDArray[np.int64]
    fourth: NDArray[np.int64]


def line_signatures(
    label: NDArray[np.int64], labels: Sequence[tuple[str, str, str]], columns: LineColumns
) -> NDArray[np.int64]:
    """Number each line by tag and class of its block and of the element above.

    *label* has the place of each row's tag, id and class in *labels*. Cost: O(rows).
    """
    names: dict[tuple[str, str], int] = {}
    numbers = [names.setdefault((tag, classes), len(names)) for tag, _, classes in labels]
    of_row = np.array(numbers, np.int64)[label]
    both = of_row[columns.block] * len(names) + of_row[columns.second]
    signatures: NDArray[np.int64] = np.unique(both, return_inverse=True)[1]
    return signatures


def line_columns(lines: Lines, parent: NDArray[np.int64]) -> LineColumns:
    """Return the columns of *lines*; *parent*: the parent of each row. Cost: O(lines)."""
    units, linked, block, first = (
        np.fromiter(of, np.int64, len(lines))
        for of in (lines.units, lines.link_units, lines.container, lines.first)
    )
    second = _above(parent, block)
    third = _above(parent, second)
    return LineColumns(
        units=units,
        linked=linked,
        plain=linked <= LINK_LINE * units,
        block=block,
        inline=_above(parent, first),
        second=second,
        third=third,
        fourth=_above(parent, third),
    )


def _above(parent: NDArray[np.int64], rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the parents of *rows*; the parent of the root is the root."""
    parents = parent[rows]
    return np.where(parents >= 0, parents, rows)
