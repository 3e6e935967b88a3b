"""Finds text that stands on the page a second time."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.page.row_flags import NOT_SHOWN, PARAGRAPH
from webclean_scrapy.cleaning.page.rows import rows_named

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.body.reasons.page_lines import PageLines
    from webclean_scrapy.cleaning.page.table import PageTable


_LONG_LINE = 400  # units; a line that may be a whole text run together
_PART = 40  # units; a line that may be a part of one
_MIN_PARTS = 3
_MIN_COPIED = 0.6  # share of the long line that other lines make up, 0..1
_MAX_LOOKED_AT = 20  # long lines; more are the page's way of writing
_MAX_SEARCHED = 200_000_000  # characters in which parts are looked for, 0.1 s; the first parts are


def find_run_together(lines: PageLines) -> NDArray[np.bool_]:
    """Mark long lines that join the texts of several other lines.

    Data that scripts or machines read, beside the text that people read, which is in paragraphs.
    """
    columns, texts = lines.table.columns, lines.table.lines.text
    paragraph = lines.own & PARAGRAPH > 0
    long = ((columns.units >= _LONG_LINE) & ~paragraph).nonzero()[0]
    copies = np.zeros(len(texts), bool)
    if not 0 < len(long) <= _MAX_LOOKED_AT:
        return copies
    parts = (columns.units >= _PART).nonzero()[0].tolist()
    parts = parts[: _MAX_SEARCHED // sum(len(texts[line]) for line in long.tolist())]
    for line in long.tolist():
        text, size = texts[line], len(texts[line])
        shorter = [texts[n] for n in parts if len(texts[n]) < size]
        if len(shorter) < _MIN_PARTS or sum(map(len, shorter)) < _MIN_COPIED * size:
            continue
        held = [len(part) for part in shorter if part in text]
        if len(held) >= _MIN_PARTS and sum(held) >= _MIN_COPIED * size:
            copies[line] = True
    return copies


_QUOTES = " \"'”“„«»‹›‘’「」『』.…"
_MOST_PULLED = 40  # elements that are looked at
_PULLED_UNITS = 25  # a shorter quotation may be of other words
_PULLED_LINES = 3  # of an element that repeats a sentence, and names who said it


def find_pulled(page_lines: PageLines) -> NDArray[np.bool_]:
    """Mark pull quotes: elements named so that repeat words of a line elsewhere."""
    table = page_lines.table
    rows = rows_named(table, ["pull"], lambda names: "pull" in names, ids=True)
    texts = [text.lower() for text in table.lines.text] if rows else []
    pulled = np.zeros(len(table.lines), bool)
    for lines in map(table.lines_in, rows[:_MOST_PULLED]):
        if 0 < len(lines) <= _PULLED_LINES:
            words = max((texts[at] for at in lines), key=len).strip(_QUOTES)
            others = chain(texts[: lines.start], texts[lines.stop :])
            if len(words) >= _PULLED_UNITS and any(words in text for text in others):
                pulled[lines.start : lines.stop] = True
    return pulled


MIN_COPIED_UNITS = 40  # shorter lines may well be written twice
MIN_COPY_LINES = 4  # one paragraph written again is the author's way, four are a second copy
MIN_COPY_UNITS = 400  # and so are two with so much text


def find_second_copy(table: PageTable, excluded: NDArray[np.uint8], inside: range) -> list[int]:
    """Mark the lines of a second copy of the body, counted from the start of the subtree.

    A copy is a run of lines that follow each other as they do further up. What is repeated line by
    line is none: cells of a table, refrains, questions that are put to several people. A line that
    small screens show in place of the same one is.
    """
    texts, columns = table.lines.text, table.columns
    copies: list[int] = []
    if len(set(texts[inside.start : inside.stop])) == len(inside):
        return copies
    unseen = table.around_flags & NOT_SHOWN > 0
    shown = {texts[line] for line in inside if not unseen[line]}
    instead = {texts[line] for line in inside if unseen[line]} & shown
    for run in repeated_runs(table, excluded, inside):
        long = {texts[n]: int(size) for n in run if (size := columns.units[n]) >= MIN_COPIED_UNITS}
        much = len(long) > 1 and sum(long.values()) >= MIN_COPY_UNITS
        is_copy = much or len(long) >= MIN_COPY_LINES or _is_variant(table, excluded, run)
        gone = run if is_copy else [n for n in run if texts[n] in long and texts[n] in instead]
        copies += (line - inside.start for line in gone)
    return copies


def _is_variant(table: PageTable, excluded: NDArray[np.uint8], run: Sequence[int]) -> bool:
    """True if a run is a paragraph again, in another element of the same shape, for screens."""
    line, texts, shapes = run[0], table.lines.text, table.signatures
    around = table.columns.second
    is_paragraph = table.is_paragraph[line] and not excluded[line]
    is_again = len(run) == 1 and is_paragraph and texts[line - 1] == texts[line]
    is_like = shapes[line - 1] == shapes[line] and around[line - 1] != around[line]
    return bool(is_again and is_like)


def repeated_runs(
    table: PageTable, excluded: NDArray[np.uint8], lines: Sequence[int]
) -> Iterator[list[int]]:
    """Yield runs of *lines* that repeat earlier ones in the same order.

    Lines that are excluded are no source: then what repeats them is the only copy. Cost: O(lines).
    """
    texts = table.lines.text
    first: dict[str, int] = {}
    run: list[int] = []
    start = source = 0  # places among the lines: of the run, and of what its next line would repeat
    for at, line in enumerate(lines):
        text, again = texts[line], lines[source]
        goes_on = run and source < start and not excluded[again] and texts[again] == text
        if not goes_on:
            if run:
                yield run
            start, source, run = at, first.get(text, at), []
        if goes_on or source < at:
            run.append(line)
            source += 1
        if not excluded[line]:
            first.setdefault(text, at)
    if run:
        yield run
