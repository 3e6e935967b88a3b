"""Feature codes of a text: each keyword with one neighbour on each side, hashed and weighted.

"Web page feature extraction" collection, papers 2 (the characters around a keyword occurrence are
a feature code) and 7 (keywords weighted by the blocks they stand in).

Deviation: neighbours are words, not characters; a code is a stable 64-bit hash of three words, so
order matters within a code and not between codes (paragraphs may move).
"""

from __future__ import annotations

import hashlib
import threading
from operator import itemgetter
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from webclean_scrapy.keywords.idf import WordWeights

    Hashes = NDArray[np.uint64]

_MIDDLE, _LEFT, _RIGHT = (
    np.uint64(0x9E3779B97F4A7C15),
    np.uint64(0xC2B2AE3D27D4EB4F),
    np.uint64(0x165667B19E3779F9),
)
_MIX1, _MIX2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31 = np.uint64(30), np.uint64(27), np.uint64(31)
BREAK = "\0"  # the piece between two lines; no text has it once normalized
LABEL_WORDS = 4  # a line this short may be the label of a number on the next (tables)
_NOT_A_WORD, _BREAK_ROW = 0, 1
_NO_WORD = np.zeros(1, np.uint64)
_A_NUMBER = np.uint64(1)
_PADDING = LABEL_WORDS + 3


def mix(hashes: Hashes) -> Hashes:
    """Return *hashes* with all bits stirred (the finaliser of splitmix64); a bijection."""
    hashes = (hashes ^ (hashes >> _S30)) * _MIX1
    hashes = (hashes ^ (hashes >> _S27)) * _MIX2
    return hashes ^ (hashes >> _S31)


class WordTable(dict[str, int]):
    """Row number of each word met; `hashes`, `weights` and `numeric` hold a value per row.

    A word is hashed and weighed once and then looked up. 250 bytes a word.
    """

    def __init__(self, weights: WordWeights) -> None:
        super().__init__()
        self._word_weights = weights
        self._lock = threading.Lock()
        self._used = 2
        self[BREAK] = _BREAK_ROW
        self.hashes = np.zeros(4096, np.uint64)
        self.weights = np.zeros(4096, np.float64)
        self.numeric = np.zeros(4096, np.bool_)

    def __missing__(self, word: str) -> int:
        if not word[:1].isalnum():
            self[word] = _NOT_A_WORD
            return _NOT_A_WORD
        value = hashlib.blake2b(word.encode(), digest_size=8).digest()
        with self._lock:
            row = self._used
            if row == len(self.hashes):
                self._grow()
            self.hashes[row] = int.from_bytes(value, "little")
            self.weights[row] = self._word_weights.weight(word)
            self.numeric[row] = word.isdigit()
            self._used = row + 1
        self[word] = row
        return row

    def _grow(self) -> None:
        room = len(self.hashes)
        self.hashes = np.concatenate([self.hashes, np.zeros(room, np.uint64)])
        self.weights = np.concatenate([self.weights, np.zeros(room, np.float64)])
        self.numeric = np.concatenate([self.numeric, np.zeros(room, np.bool_)])

    def rows(self, pieces: Sequence[str]) -> NDArray[np.intp]:
        """Return the row of each word of *pieces*, in order, and of a break at their end.

        Punctuation and spaces are left out.
        """
        # itemgetter looks up all of them in half the time of a loop; it gives a tuple from two on.
        found: Sequence[int] = itemgetter(*pieces, BREAK)(self) if pieces else ()
        rows: NDArray[np.intp] = np.fromiter(found, np.intp, len(found))
        return rows[rows != _NOT_A_WORD]


def feature_codes(words: Hashes) -> Hashes:
    """Return the code of each of *words*: itself, one before and one after. A break's hash is 0."""
    padded = np.concatenate([_NO_WORD, words, _NO_WORD])
    return mix(words * _MIDDLE + padded[:-2] * _LEFT + padded[2:] * _RIGHT)


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
    starts_line = padded[last] == 0
    if starts_line.any():
        last = last - (starts_line & _is_below_label(padded, at))
    context = padded[last] * _MIDDLE + padded[last - 1] * _LEFT + padded[last - 2] * _RIGHT
    has_context = padded[last] != 0
    return mix(context)[has_context], values[has_context]


def _is_below_label(words: Hashes, at: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Whether the line that ended before each of *at* has at most `LABEL_WORDS` words."""
    found = np.zeros(len(at), np.bool_)
    for distance in range(3, LABEL_WORDS + 3):
        found |= words[at - distance] == 0
    return found
