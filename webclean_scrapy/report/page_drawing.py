"""The page as people see it, drawn from its table: boxes, lines, and what became of each line.

Nothing of the page's own markup is used but the names of a few structural tags, so nothing of it
can run or be fetched.
"""

from __future__ import annotations

from itertools import accumulate, groupby
from typing import TYPE_CHECKING, NamedTuple

from webclean_scrapy.cleaning.body import exclusions
from webclean_scrapy.cleaning.page.tags import CONTAINER_TAGS
from webclean_scrapy.report.explain_text import reason_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webclean_scrapy.cleaning.page.table import PageTable
    from webclean_scrapy.report.explain_lines import LineView

MAX_LINES = 4_000  # that are drawn of a page
MAX_CHARACTERS = 1_500  # of a line
MAX_DEPTH = 12  # boxes inside each other

KEPT, OTHER = "kept", "other"
LINK_BLOCK = exclusions.REASONS[exclusions.LINK_BLOCK]
#: The style of each step; a step of another method than the default one has OTHER.
STYLES = {
    "": KEPT, "outside": "outside", "template": "template", "link_block": "links",
    "excluded": "excluded", "line": "unlike",
}  # fmt: skip
_TEXT_STYLES = {
    "h1": "h1", "h2": "h2", "h3": "h3", "h4": "h4", "h5": "h4", "h6": "h4", "li": "item",
    "dt": "h4", "pre": "pre", "figcaption": "small", "caption": "small",
}  # fmt: skip
_CELLS = frozenset({"td", "th"})


class Piece(NamedTuple):
    """A part of a line's text."""

    text: str
    is_link: bool


class Part(NamedTuple):
    """What is drawn next: a box opens or closes, a line, or a gap where lines are left out."""

    kind: str  # "open", "close", "line", "gap"
    style: str = ""  # of a box: its tag; of a line: what became of it
    text_style: str = ""
    number: int = 0  # of the line; row of the box; lines left out in a gap
    label: str = ""  # of the first line of a run with the same fate, of the body's box
    pieces: tuple[Piece, ...] = ()
    more: int = 0  # characters of the line that are left out


def style_of(line: LineView) -> str:
    """Return the style of what became of a line."""
    return "links" if line.reason == LINK_BLOCK else STYLES.get(line.step, OTHER)


def choose_lines(fates: Sequence[str], most: int) -> list[bool]:
    """Return which lines to draw, *most* or fewer: long runs of equal fates lose their middles.

    >>> choose_lines("aaaaab", 4)
    [True, False, False, False, True, True]
    """
    runs = [sum(1 for _ in run) for _, run in groupby(fates)]
    limit = max(runs, default=0)
    while limit > 2 and sum(min(length, limit) for length in runs) > most:
        limit //= 2
    drawn: list[bool] = []
    for length in runs:
        head = min(length, limit + 1) // 2 if length > limit else length
        tail = min(length, limit) - head
        drawn += [True] * head + [False] * (length - head - tail) + [True] * tail
    left = most
    for at, is_drawn in enumerate(drawn):
        left -= is_drawn
        drawn[at] = is_drawn and left >= 0
    return drawn


def draw_page(
    table: PageTable, lines: Sequence[LineView], body_row: int | None, most: int = MAX_LINES
) -> Iterator[Part]:
    """Yield the parts of the drawing in document order; each box that opens closes.

    A box is drawn when it holds other lines than the one around it. Cost: O(rows).
    """
    drawn = choose_lines([reason_of(line) for line in lines], most)
    boxes = _boxes(table, drawn, body_row)
    first, end = table.lines.first, table.end
    open_boxes: list[int] = []
    gap, fate = 0, None
    for number, line in enumerate(lines):
        row = first[number]
        if not drawn[number]:
            gap += 1
            continue
        if gap:
            yield Part("gap", number=gap)
        gap = 0
        while open_boxes and end[open_boxes[-1]] <= row:
            open_boxes.pop()
            yield Part("close")
        while boxes and boxes[-1] < row:
            box = boxes.pop()
            if end[box] <= row:
                continue
            if len(open_boxes) < MAX_DEPTH or box == body_row:
                open_boxes.append(box)
                label = "the body" if box == body_row else ""
                yield Part("open", table.tag[box], number=box, label=label)
        yield _line_part(table, line, fate)
        fate = reason_of(line)
    if gap:
        yield Part("gap", number=gap)
    yield from (Part("close") for _ in open_boxes)


def _boxes(table: PageTable, drawn: list[bool], body_row: int | None) -> list[int]:
    """Return the rows of the boxes that hold what is drawn, the last first."""
    before = [0, *accumulate(drawn)]
    line_of, end, parent, tags = table.line_of, table.end, table.parent, table.tag
    boxes: list[int] = []
    lines_of: dict[int, tuple[int, int]] = {}  # of the innermost box at each element
    for row, tag in enumerate(tags):
        around = lines_of.get(parent[row], (-1, -1))
        inside = (line_of[row], line_of[end[row]])
        count = before[inside[1]] - before[inside[0]]
        least = 1 if tag in _CELLS else 2
        is_box = tag in CONTAINER_TAGS and count >= least and inside != around
        if count and (is_box or row == body_row):
            boxes.append(row)
            around = inside
        if count and end[row] > row + 1:
            lines_of[row] = around
    boxes.reverse()
    return boxes


def _line_part(table: PageTable, line: LineView, fate: str | None) -> Part:
    at = line.number - 1
    reason = reason_of(line)
    label = reason or "kept"
    pieces = tuple(_pieces(table, at))
    return Part(
        "line",
        style_of(line),
        _TEXT_STYLES.get(table.tag[table.lines.container[at]], ""),
        line.number,
        label if reason != fate else "",
        pieces,
        max(0, len(line.text) - MAX_CHARACTERS),
    )


def _pieces(table: PageTable, line: int) -> Iterator[Piece]:
    """Yield the beginning of a line, a piece for each text inside a link and each run outside."""
    left, lines = MAX_CHARACTERS, table.lines
    plain = ""
    for row in range(lines.first[line], lines.last[line] + 1):
        text = table.text[row][:left]
        left -= len(text)
        if not table.link[row]:
            plain += text
        elif text:
            begin = text[: len(text) - len(text.lstrip())]
            if plain + begin:
                yield Piece(plain + begin, is_link=False)
            plain = ""
            yield Piece(text[len(begin) :], is_link=True)
        if left <= 0:
            break
    if plain:
        yield Piece(plain, is_link=False)
