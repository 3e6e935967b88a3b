"""The lines of a page that is written anew: an element for each, short ones put together.

A page may have millions of lines. So they are found and put together as arrays, and only what is
written is an object of its own: at most some thousands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

# Marks in the source while it is cut; these characters are taken out of it before.
EDGE, H1, HEADING, PRE = b"\x01", b"\x02", b"\x03", b"\x04"
MARKS = H1 + HEADING + PRE
NAMES = {H1: b"h1", HEADING: b"h2", PRE: b"pre"}

_MAX_HEADINGS = 100  # that are never put together with other lines
_IS_TEXT = np.ones(256, bool)
_IS_TEXT[list(EDGE + b" \t\n\r\x0b\x0c")] = False


def write_lines(body: bytes, limit: int) -> Iterator[bytes]:
    r"""Yield an element for each line of *body*, at most some *limit* of them.

    Lines end at `EDGE`; one that begins with a mark of `NAMES` is of that element. Where there are
    more, short lines are put together, the first headings left as they are. Cost: linear, 20 ns a
    byte.

    >>> list(write_lines(b"\x02One\x01 \x01two\x01three", 100))
    [b'<h1>One</h1>\n', b'<p>two</p>\n', b'<p>three</p>\n']
    """
    starts, stops = _spans(body)
    sizes = stops - starts
    least = 2 * int(sizes.sum()) // limit if len(sizes) > limit else 0
    first = np.frombuffer(body, np.uint8)[starts]
    short = sizes < least
    short[np.flatnonzero(first == H1[0])[:_MAX_HEADINGS]] = False
    for one, last in _groups(sizes, short, least):
        line = body[starts[one] : stops[last]]
        is_single = one == last and not short[one]
        tag = NAMES.get(line[:1], b"p") if is_single else b"p"
        text = line.translate(None, MARKS) if line[:1] in NAMES or not is_single else line
        yield b"<%s>%s</%s>\n" % (tag, text.replace(EDGE, b" "), tag)


def _spans(body: bytes) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return where the lines of *body* that are not blank start and stop."""
    data = np.frombuffer(body, np.uint8)
    edges = np.flatnonzero(data == EDGE[0])
    starts, stops = np.concatenate(([0], edges + 1)), np.concatenate((edges, [len(body)]))
    filled = stops > starts
    starts, stops = starts[filled], stops[filled]
    if not len(starts):
        return starts, stops
    holds = np.logical_or.reduceat(_IS_TEXT[data], starts)
    return starts[holds], stops[holds]


def _groups(
    sizes: NDArray[np.int64], short: NDArray[np.bool_], least: int
) -> Iterator[tuple[int, int]]:
    """Yield the first and last line of what is written together: less than *least* bytes."""
    before = np.concatenate(([0], sizes.cumsum()))
    long = np.concatenate((np.flatnonzero(~short), [len(sizes)]))
    at = 0
    while at < len(sizes):
        if not short[at]:
            yield at, at
            at += 1
            continue
        full = int(before.searchsorted(before[at] + least)) - 1
        stop = min(full, int(long[long.searchsorted(at)]))
        yield at, stop - 1
        at = stop
