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

_MIDDLE = np.uint64(0x9E3779B97F4A7C15)
_LEFT = np.uint64(0xC2B2AE3D27D4EB4F)
_RIGHT = np.uint64(0x165667B19E3779F9)
_NO_WORD = np.zeros(1, np.uint64)
_A_NUMBER = np.uint64(1)
_PADDING = np.zeros(3, np.uint64)


def feature_codes(words: Hashes) -> Hashes:
    """Return the code of each of *words*: of itself, the one before and the one after."""
    padded = np.concatenate([_NO_WORD, words, _NO_WORD])
    return _combine(words, padded[:-2], padded[2:])


def number_places(words: Hashes, numeric: NDArray[np.bool_]) -> tuple[Hashes, Hashes]:
    """Return (context, value) hashes of each number among *words*, in text order.

    The context of a number is the three words before it, of which other numbers only count as
    "a number": "high of 21 to 25" and "high of 9 to 14" have equal contexts and other values.
    For one that begins a line (a cell of a table, a counter) it is the two words before and the
    one after, as its line may have moved to another paragraph.
    """
    at = np.flatnonzero(numeric)
    if not len(at):
        return words[:0], words[:0]
    values = words[at]
    padded = np.concatenate([_PADDING, words, _PADDING])
    at += len(_PADDING)
    padded[at] = _A_NUMBER
    contexts = _combine(padded[at - 1], padded[at - 2], padded[at - 3])
    begins_line = padded[at - 1] == BREAK_HASH
    if begins_line.any():
        at = at[begins_line]
        after = np.where(padded[at + 1] == BREAK_HASH, padded[at + 2], padded[at + 1])
        contexts[begins_line] = _combine(padded[at - 2], padded[at - 3], after)
    return contexts, values


def _combine(middle: Hashes, left: Hashes, right: Hashes) -> Hashes:
    return mix(np.add(middle * _MIDDLE + left * _LEFT, right * _RIGHT, dtype=np.uint64))
