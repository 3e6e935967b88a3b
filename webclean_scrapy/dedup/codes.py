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
NOT_A_WORD, BREAK = 0, 1  # rows of: punctuation and spaces; the end of a block
END_OF_BLOCK = "\0"  # the piece that stands for it; no text has it once normalized


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
        self[END_OF_BLOCK] = BREAK
        self.hashes = np.zeros(4096, np.uint64)
        self.weights = np.zeros(4096, np.float64)
        self.numeric = np.zeros(4096, np.bool_)

    def __missing__(self, word: str) -> int:
        if not word[:1].isalnum():
            self[word] = NOT_A_WORD
            return NOT_A_WORD
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
        """Return the row of each word of *pieces*, in order, without punctuation and spaces."""
        # itemgetter looks up all of them in half the time of a loop; it gives a tuple from two on.
        found = itemgetter(*pieces)(self) if len(pieces) > 1 else [self[p] for p in pieces]
        rows: NDArray[np.intp] = np.fromiter(found, np.intp, len(pieces))
        return rows[rows != NOT_A_WORD]


def feature_codes(
    words: Hashes, weights: NDArray[np.float64]
) -> tuple[Hashes, NDArray[np.float64]]:
    """Return (code, weight) of each keyword among *words*; repeated codes are repeated.

    A keyword is a word of weight above 0; its code has its weight. The hash of a block's end is 0.
    """
    left, right = np.zeros_like(words), np.zeros_like(words)
    left[1:] = words[:-1]
    right[:-1] = words[1:]
    codes = mix(words * _MIDDLE + left * _LEFT + right * _RIGHT)
    is_keyword = weights > 0.0
    return codes[is_keyword], weights[is_keyword]


def number_places(words: Hashes, numeric: NDArray[np.bool_]) -> tuple[Hashes, Hashes]:
    """Return (context, value) hashes of each number among *words*, in text order.

    The context of a number is the two words before it and its place in a run of numbers, so
    "high of 21 to 25" and "high of 9 to 14" have equal contexts and other values.
    """
    at = np.flatnonzero(numeric)
    if not len(at):
        return words[:0], words[:0]
    word_at = np.flatnonzero(~numeric)
    nearest = np.searchsorted(word_at, at)  # number of words before each number
    padded = np.concatenate([np.zeros(2, np.uint64), words[word_at]])
    before = np.concatenate([np.full(1, -1), word_at])[nearest]
    offset = (at - before).astype(np.uint64)
    contexts = mix(padded[nearest + 1] * _MIDDLE + padded[nearest] * _LEFT + offset * _RIGHT)
    return contexts, words[at]
