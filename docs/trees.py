"""Draw the trees of two pages of one template and how they are aligned, as SVG.

Both are pages of the demo portal; the alignment is the published one. To be readable a
subtree is one row where all of it, or nothing of it, is in both pages, where it is deep, and where
three of its kind were shown before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from docs.picture import PAGE, SIBLING, cut, width_of
from spiders.demo import build_portal
from webclean_scrapy.cleaning.page.charset import decode
from webclean_scrapy.cleaning.page.parse import parse
from webclean_scrapy.cleaning.page.table import build_table
from webclean_scrapy.cleaning.page.walk import TEXT
from webclean_scrapy.cleaning.templates.alignment import align

if TYPE_CHECKING:
    from collections.abc import Mapping

    from webclean_scrapy.cleaning.page.table import PageTable

WIDTH, MARGIN, LINE, INDENT = 980, 20, 14, 10  # pixels
COLUMN = 430  # pixels of each tree
MAX_DEPTH = 7  # elements above; deeper ones are part of their row
ALIKE = 3  # of one parent and one name that are shown
BOTH, ONLY, HEAD = "#9c9c9c", "#0b6b50", "#555555"


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a drawn tree."""

    node: int  # row of the table
    depth: int  # below body
    text: str
    both: bool  # the node is in the other page too


def draw_trees() -> str:
    """Return the picture. Cost: building the portal, aligning two pages."""
    pages = build_portal().pages
    page, sibling = (build_table(parse(decode(pages[path].body)[0])) for path in (PAGE, SIBLING))
    pairs = align(page, sibling).pairs
    left = list_rows(page, dict(pairs))
    right = list_rows(sibling, {other: row for row, other in pairs})
    height = MARGIN * 2 + LINE * (max(len(left), len(right)) + 2)
    size = f'width="{WIDTH}" height="{height}"'
    edge = WIDTH - MARGIN - COLUMN
    rows = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="monospace" font-size="10">',
        f'<rect {size} fill="#ffffff"/>',
        _text(MARGIN, 0, "The page: what its sibling lacks may be its content", HEAD),
        _text(edge, 0, "The sibling: another page of the template", HEAD),
        *_links(left, right, dict(pairs), edge),
        *_column(left, MARGIN),
        *_column(right, edge),
        "</svg>",
    ]
    return "\n".join(rows) + "\n"


def list_rows(table: PageTable, partner: Mapping[int, int]) -> list[Row]:
    """Return the rows to draw of a page; *partner* has the nodes that are in the other page."""
    body = table.tag.index("body")
    shown: dict[tuple[int, str, str], int] = {}
    rows = []
    at, stop = body, table.end[body]
    while at < stop:
        if table.tag[at] == TEXT:
            at += 1
            continue
        inside = [row for row in range(at, table.end[at]) if table.tag[row] != TEXT]
        common = sum(row in partner for row in inside)
        depth = table.depth[at] - table.depth[body]
        kind = (table.parent[at], table.tag[at], table.classes[at])
        shown[kind] = shown.get(kind, 0) + 1
        folded = common in (0, len(inside)) or depth >= MAX_DEPTH or shown[kind] > ALIKE
        if shown[kind] <= ALIKE:
            text = _describe(table, at, len(inside), common, folded=folded)
            rows.append(Row(at, depth, text, at in partner))
        elif shown[kind] == ALIKE + 1:
            rows.append(Row(-1, depth, "… and more like it", both=True))
        at = table.end[at] if folded else at + 1
    return rows


def _describe(table: PageTable, row: int, size: int, common: int, *, folded: bool) -> str:
    name = table.tag[row]
    if table.ident[row]:
        name += f"#{table.ident[row]}"
    elif table.classes[row]:
        name += "." + table.classes[row].split()[0]
    if not folded:
        return name
    if size > 1:
        name += f" ({size} nodes, {common} in both)" if 0 < common < size else f" ({size} nodes)"
    text = " ".join(" ".join(table.text[row : table.end[row]]).split())
    return f"{name}: {text}" if text else name


def _links(left: list[Row], right: list[Row], partner: Mapping[int, int], edge: int) -> list[str]:
    """Return a line for each pair of nodes that are both drawn."""
    places = {row.node: place for place, row in enumerate(right)}
    return [
        f'<line x1="{MARGIN + COLUMN}" y1="{_middle(place)}" x2="{edge - 6}" '
        f'y2="{_middle(places[partner[row.node]])}" stroke="#cfcfcf"/>'
        for place, row in enumerate(left)
        if row.node in partner and partner[row.node] in places
    ]


def _column(rows: list[Row], x: int) -> list[str]:
    found = []
    for place, row in enumerate(rows):
        indent = row.depth * INDENT
        text = cut(row.text, (COLUMN - indent) // 6)
        if not row.both:
            found.append(
                f'<rect x="{x + indent - 3}" y="{_middle(place) - LINE // 2}" height="{LINE}" '
                f'width="{width_of(text) + 6}" fill="#e3f4ee"/>'
            )
        found.append(_text(x + indent, place + 2, text, BOTH if row.both else ONLY))
    return found


def _text(x: int, place: int, text: str, colour: str) -> str:
    return (
        f'<text x="{x}" y="{MARGIN + LINE * place + 10}" fill="{colour}" '
        f'textLength="{width_of(text)}" lengthAdjust="spacingAndGlyphs">{escape(text)}</text>'
    )


def _middle(place: int) -> int:
    return MARGIN + LINE * (place + 2) + LINE // 2
