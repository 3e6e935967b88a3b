"""Boxes of a page's rows: where a browser would put them, estimated or rendered.

Geometry of Song et al. 2011: Song, Zhi, Zhou, Luo, An: "LCS-based feature tree maximum similarity
matching for web page denoising", Video Engineering 2011(13), and of the entropy path: "Pre-pruned
trees and information entropy for news text extraction" (authors and year not known to us).

Deviation: the papers read boxes from a browser. ``estimate_layout`` has none: widths come from
nesting and from columns (cells of a table row, a text beside a list of links, ``aside``), heights
from the text that has to fit into them. Style sheets, images and class names are not read: an
estimate shows which box is large, not where a pixel is. ``source`` is the kind of a layout.

``read_layout`` gives the boxes of a page that a browser has rendered. They are in the page itself,
one attribute an element: so they survive caches, job directories, other processes and saved files.
It is ``left top width height`` in px of the document, or ``hidden`` where no reader sees anything
of the element. A page can write such attributes itself, so values are read strictly and within
limits, and a page with only a few is taken for one without.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Literal, NamedTuple

from webclean_scrapy.cleaning.page.tags import BLOCK_TAGS
from webclean_scrapy.cleaning.page.walk import HIDDEN_BOX, TEXT

if TYPE_CHECKING:
    from webclean_scrapy.cleaning.page.rows import PageRows

PAGE_WIDTH = 1280.0  # px, the window that pages are rendered in too
UNIT_WIDTH = 6.0  # px a text unit; between a Latin letter (7) and a third of a CJK one (5.3)
LINE_HEIGHT = 24.0  # px

# All numbers are finite and below ten millions.
_BOX = re.compile(r"(-?[0-9]{1,7}) (-?[0-9]{1,7}) ([0-9]{1,7}) ([0-9]{1,7})")


class Box(NamedTuple):
    """The box of an element, in px of the document."""

    left: float
    top: float
    width: float
    height: float


_NOWHERE = Box(0.0, 0.0, 0.0, 0.0)
_MIN_BOXES = 0.5  # share of a page's elements with a proper box, or it was not rendered
_SIDE_SHARE = 0.25  # of the parent's width: the usual 300 px of a side column
_MIN_SIDE_LINES = 6  # fewer lines are a bar of links above or below the text
_MAX_CELL_UNITS = 120  # a longer line is broken in every table
_SPANNING = frozenset({"footer", "header", "nav"})


@dataclass(frozen=True, slots=True)
class Layout:
    """Boxes in px of the page, one entry per row of its table; text rows have boxes too."""

    width: list[float]
    height: list[float]
    top: list[float]
    left: list[float]
    source: Literal["estimated", "rendered"] = "estimated"

    def area(self, row: int) -> float:
        """Return the area of the row's box, in square px."""
        return self.width[row] * self.height[row]


def read_box(value: str) -> Box | None:
    """Return the box that the attribute *value* describes, None for any other text.

    >>> read_box("8 120 640 48")
    Box(left=8.0, top=120.0, width=640.0, height=48.0)
    >>> read_box("8 120 640 -1") is None
    True
    """
    match = _BOX.fullmatch(value)
    return Box(*map(float, match.groups())) if match else None


def read_layout(table: PageRows) -> Layout | None:
    """Return the boxes that a browser wrote into the page; None for a page that has none.

    A text has the box of its element, and so has an element without a proper one of its own (the
    parser put it in, or it takes no place by itself). What no reader sees has an empty box. Cost:
    O(rows); none on a page that was not rendered.
    """
    if not table.boxes:
        return None
    written = dict(table.boxes)
    boxes: list[Box] = []
    elements = proper = 0
    for row, above in enumerate(table.parent):
        outer = boxes[above] if above >= 0 else _NOWHERE
        value = written.get(row)
        box = None
        if value is not None:
            box = outer._replace(width=0.0, height=0.0) if value == HIDDEN_BOX else read_box(value)
        boxes.append(outer if box is None else box)
        elements += table.tag[row] is not TEXT
        proper += box is not None
    if proper < _MIN_BOXES * elements:
        return None
    left, top, width, height = map(list, zip(*boxes, strict=True))
    return Layout(width, height, top, left, source="rendered")


def estimate_layout(table: PageRows) -> Layout:
    """Return boxes estimated from the table alone; the same table gives the same boxes.

    Rows without text in their subtree have no height. Cost: O(rows).
    """
    block_of = [-1]  # the nearest block element above each row
    for up in table.parent[1:]:
        block_of.append(up if up == 0 or table.tag[up] in BLOCK_TAGS else block_of[up])
    width, beside = _estimate_widths(table, block_of)
    height = _estimate_heights(table, block_of, width, beside)
    top, left = _estimate_places(table, block_of, width=width, height=height, beside=beside)
    return Layout(width, height, top, left)


def _estimate_widths(table: PageRows, block_of: list[int]) -> tuple[list[float], list[bool]]:
    """Return widths, and whether a row is to the right of the block before it."""
    longest = _longest_lines(table)
    width = [PAGE_WIDTH] * len(table)
    beside = [False] * len(table)
    blocks: dict[int, list[int]] = {}
    for row in range(1, len(table)):
        if table.tag[row] in BLOCK_TAGS:
            blocks.setdefault(block_of[row], []).append(row)
    shares: dict[int, float] = {}
    for parent, children in blocks.items():
        columns = _split_row if table.tag[parent] == "tr" else _split_columns
        for row, share, is_beside in columns(table, children, longest):
            shares[row], beside[row] = share, is_beside
    for row in range(1, len(table)):
        outer = width[block_of[row]]
        if table.tag[row] in BLOCK_TAGS:
            width[row] = outer * shares[row]
        else:
            width[row] = min(table.text_length(row) * UNIT_WIDTH, outer)
    return width, beside


def _longest_lines(table: PageRows) -> list[int]:
    """Return the units of the longest line in each subtree."""
    longest = [0] * len(table)
    for container, units in zip(table.lines.container, table.lines.units, strict=True):
        at = max(container, 0)
        longest[at] = max(longest[at], units)
    for row in range(len(table) - 1, 0, -1):
        parent = table.parent[row]
        longest[parent] = max(longest[parent], longest[row])
    return longest


def _split_row(
    table: PageRows, children: list[int], longest: list[int]
) -> list[tuple[int, float, bool]]:
    """Share the width among the cells of a table row as browsers do, by their longest lines."""
    wanted = [min(max(longest[row], 1), _MAX_CELL_UNITS) for row in children]
    total = sum(wanted)
    return [
        (row, units / total, number > 0)
        for number, (row, units) in enumerate(zip(children, wanted, strict=True))
    ]


def _split_columns(
    table: PageRows, children: list[int], longest: list[int]
) -> list[tuple[int, float, bool]]:
    """Put a side column beside the text that is next to it; all others span the parent."""
    shares: list[tuple[int, float, bool]] = []
    was_main = was_side = False
    for row in children:
        is_side = _is_side_column(table, row)
        is_prose = 0 < table.text_length(row) >= 2 * table.link_length(row)
        is_main = not is_side and table.tag[row] not in _SPANNING and is_prose
        if (is_side and was_main) or (is_main and was_side):
            before, _, also = shares[-1]
            shares[-1] = (before, _SIDE_SHARE if was_side else 1 - _SIDE_SHARE, also)
            shares.append((row, _SIDE_SHARE if is_side else 1 - _SIDE_SHARE, True))
            was_main = was_side = False  # a third block begins a new row
        else:
            shares.append((row, 1.0, False))
            was_main, was_side = is_main, is_side
    return shares


def _is_side_column(table: PageRows, row: int) -> bool:
    if table.tag[row] == "aside":
        return True
    if table.tag[row] in _SPANNING:
        return False
    links = table.link_length(row)
    return links > table.text_length(row) / 2 and len(table.lines_in(row)) >= _MIN_SIDE_LINES


def _text_height(units: int, width: float) -> float:
    return ceil(units * UNIT_WIDTH / max(width, UNIT_WIDTH)) * LINE_HEIGHT


def _estimate_heights(
    table: PageRows, block_of: list[int], width: list[float], beside: list[bool]
) -> list[float]:
    """Stack lines and blocks; of blocks beside each other the highest counts."""
    height = [0.0] * len(table)
    lines = table.lines
    for container, units in zip(lines.container, lines.units, strict=True):
        at = max(container, 0)
        height[at] += _text_height(units, width[at])
    highest: dict[int, float] = {}  # of the blocks that share a row, per parent
    for row in range(len(table) - 1, 0, -1):
        outer = block_of[row]
        if table.tag[row] not in BLOCK_TAGS:
            height[row] = _text_height(table.text_length(row), width[outer])
            continue
        high = max(highest.pop(outer, 0.0), height[row])
        if beside[row]:
            highest[outer] = high
        else:
            height[outer] += high
    return height


def _estimate_places(
    table: PageRows,
    block_of: list[int],
    *,
    width: list[float],
    height: list[float],
    beside: list[bool],
) -> tuple[list[float], list[float]]:
    """Accumulate tops and lefts in document order, a parent's before its children's."""
    size = len(table)
    top, left = [0.0] * size, [0.0] * size
    below, right = [0.0] * size, [0.0] * size  # where the next block or line of a block goes
    row_top = [0.0] * size  # top of the blocks that are beside each other
    lines = table.lines
    for row in range(1, size):
        outer = block_of[row]
        if table.tag[row] in BLOCK_TAGS:
            if beside[row]:
                top[row], left[row] = row_top[outer], right[outer]
            else:
                top[row], left[row] = below[outer], left[outer]
                row_top[outer] = below[outer]
            below[outer] = max(below[outer], top[row] + height[row])
            right[outer] = left[row] + width[row]
            below[row] = top[row]
            continue
        line = table.line_of[row + 1] - 1
        if line >= 0 and lines.first[line] == row:  # its text begins a line
            top[row], left[row] = below[outer], left[outer]
            below[outer] += _text_height(lines.units[line], width[outer])
        elif line >= 0 and lines.last[line] >= row:  # it goes on in a line
            first = lines.first[line]
            before = (table.text_before[row] - table.text_before[first]) * UNIT_WIDTH
            top[row] = top[first]
            left[row] = left[outer] + before % max(width[outer], UNIT_WIDTH)
        else:
            top[row], left[row] = below[outer], left[outer]
    return top, left
