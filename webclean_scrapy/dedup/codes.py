"""Feature codes of a text: each keyword with one neighbour on each side, hashed and weighted.

"Web page feature extraction" collection, papers 2 (the characters around a keyword occurrence are
a feature code) and 7 (keywords weighted by the blocks they stand in).

Deviation: neighbours are words, not characters; a code is a stable 64-bit hash of three words, so
order matters within a code and not between codes (paragraphs may move).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.dedup.words import BREAK_HASH, mix

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webclean_scrapy.dedup.words import Hashes

LABEL_WORDS = 4  # a line this short may be the label of a number on the next (tables)
_MIDDLE = np.uint64(0x9E3779B97F4A7C15)
_LEFT = np.uint64(0xC2B2AE3D27D4EB4F)
_RIGHT = np.uint64(0x165667B19E3779F9)
_NO_WORD = np.zeros(1, np.uint64)
_A_NUMBER = np.uint64(1)
_PADDING = LABEL_WORDS + 3


def feature_codes(words: Hashes) -> Hashes:
    """Return the code of each of *words*: of itself, the one before and the one after."""
    padded = np.concatenate([_NO_WORD, words, _NO_WORD])
    return _combine(words, padded[:-2], padded[2:])


def number_places(words: Hashes, numeric: NDArray[np.bool_]) -> tuple[Hashes, Hashes]:
    """Return (context, value) hashes of each number among *words*, in text order.

    The context of a number is the three words before it, of which other numbers only count as
    "a number": "high of 21 to 25" and "high of 9 to 14" have equal contexts and other values.
    A number that begins a line has none, as its paragraph may have moved, unless a label stands
    above it.
    """
    at = np.flatnonzero(numeric)
    if not len(at):
        return words[:0], words[:0]
    values = words[at]
    padded = np.concatenate([np.zeros(_PADDING, np.uint64), words])
    at += _PADDING
    padded[at] = _A_NUMBER
    last = at - 1
    starts_line = padded[last] == BREAK_HASH
    if starts_line.any():
        last = last - (starts_line & _is_below_label(padded, at))
    contexts = _combine(padded[last], padded[last - 1], padded[last - 2])
    has_context = padded[last] != BREAK_HASH
    return contexts[has_context], values[has_context]


def _combine(middle: Hashes, left: Hashes, right: Hashes) -> Hashes:
    return mix(np.add(middle * _MIDDLE + left * _LEFT, right * _RIGHT, dtype=np.uint64))


def _is_below_label(words: Hashes, at: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Whether the line that ended before each of *at* has at most `LABEL_WORDS` words."""
    found = np.zeros(len(at), np.bool_)
    for distance in range(3, LABEL_WORDS + 3):
        found |= words[at - distance] == BREAK_HASH
    return found
