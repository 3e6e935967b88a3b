"""The lines of a page that are read where there are too many: the longest.

Each line costs every step of the method some microseconds, a hundred times what its bytes cost the
parser. A page of 200,000 lines of a word would take ten seconds, and hardly a page has so many: the
largest of 960 labelled pages had 2,600. Of such a page the longest lines are kept, in their order:
what is an article on it is among them, since words, cells and names are shorter than sentences.

Where the other lines hold much of the text, as in a book, a law or a large table, none may be left
out: such a page is read from its source, which puts short lines together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.page.walk import WalkedRows, rows_of
from webclean_scrapy.errors import PageTooLargeError

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_LINES = 8_000
MAX_LEFT_OUT = 0.1  # of the characters of a page
#: Elements without a text that a later step reads: addresses are relative to ``base``.
_READ_EMPTY = ("base", "body", "html", "img")


def limit_lines(rows: WalkedRows, most: int = MAX_LINES) -> tuple[WalkedRows, int]:
    """Return the rows with the *most* longest lines, and how many lines were left out.

    Of lines as long as each other the first are kept, and so is the first heading. With the lines
    their elements go, but those around other lines. Cost: O(rows), none for a page of fewer lines.

    Raises:
        PageTooLargeError: the other lines hold more than `MAX_LEFT_OUT` of the text.
    """
    if len(rows.texts) <= most:
        return rows, 0
    begins = np.array([breaks for _, _, breaks, _ in rows.texts]) > 0
    line_of = begins.cumsum() - 1
    lines = int(line_of[-1]) + 1
    if lines <= most:
        return rows, 0
    sizes = np.fromiter((len(text[1]) for text in rows.texts), np.int64, len(rows.texts))
    longest = np.bincount(line_of, sizes).astype(np.int64)
    if np.sort(longest)[: lines - most].sum() > MAX_LEFT_OUT * longest.sum():
        raise PageTooLargeError("lines of text", lines, most)
    longest[_first_heading(rows, line_of)] = np.iinfo(np.int64).max
    kept = np.zeros(lines, bool)
    kept[np.argsort(-longest, kind="stable")[:most]] = True
    return _only(rows, kept[line_of]), lines - most


def _first_heading(rows: WalkedRows, line_of: NDArray[np.int64]) -> list[int]:
    """Return the line of the first ``h1``, a list of one, or of none on a page without it."""
    if "h1" not in rows.tag:
        return []
    row = rows.tag.index("h1")
    inside = (at for at, text in enumerate(rows.texts) if row < text[0] < rows.end[row])
    return [int(line_of[at]) for at in inside][:1]


def _only(rows: WalkedRows, kept: NDArray[np.bool_]) -> WalkedRows:
    """Return the rows with those of the texts that are *kept* and all elements around them."""
    keep = _rows_around(rows, kept)
    before = np.concatenate(([0], keep.cumsum()))  # rows that are kept, before each
    numbers = np.flatnonzero(keep)
    new = before.tolist()
    parent, end = np.array(rows.parent)[numbers], np.array(rows.end)[numbers]
    texts = [text for text, stays in zip(rows.texts, kept.tolist(), strict=True) if stays]
    return WalkedRows(
        tag=[rows.tag[row] for row in numbers.tolist()],
        node=[rows.node[row] for row in numbers.tolist()],
        parent=np.where(parent < 0, -1, before[parent]).tolist(),
        end=before[end].tolist(),
        texts=[(new[row], text, breaks, new[block]) for row, text, breaks, block in texts],
    )


def _rows_around(rows: WalkedRows, kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which rows stay: of the texts that are *kept*, around these, and before them a br."""
    size = len(rows.tag)
    texts = np.fromiter((text[0] for text in rows.texts), np.int64, len(rows.texts))
    leaf = np.zeros(size, bool)
    leaf[texts[kept]] = True
    for name in _READ_EMPTY:
        leaf[list(rows_of(name, rows.tag))] = True
    breaks = np.fromiter(rows_of("br", rows.tag), np.int64)
    following = np.searchsorted(texts, breaks)
    breaks, following = breaks[following < len(texts)], following[following < len(texts)]
    leaf[breaks[kept[following]]] = True
    before = np.concatenate(([0], leaf.cumsum()))
    holds: NDArray[np.bool_] = before[np.array(rows.end)] > before[:-1]
    return holds
