"""How much a word says: inverse document frequency, or a stand-in where there is no table.

Chinese: the table that comes with jieba. As jieba does it, a word that is not in it has the
table's median; words above the median are given the median too (they are rare either way), so half
of the table need not be kept: 135,000 words, 20 MB, 0.1 s.

Every other language: length. A language's frequent words are its short ones (Zipf 1935), so the
value rises with the number of characters to that of a Chinese word nobody knows. Stop words have 0.
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.keywords.segment import HAN, UNSPACED, jieba_file
from webclean_scrapy.keywords.stop_words import STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from numpy.typing import NDArray

_NEW_LINE, _BLANK = np.uint8(10), np.uint8(32)
UNKNOWN = 11.9547675029  # the median of the table of jieba 0.42.1
NUMBER = 6.0  # a number tells reports of one template apart, yet says little
PAIR = UNKNOWN / 2  # two characters of a script without spaces, not a whole word
# Value by length of a word of a script with spaces; longer ones have UNKNOWN.
BY_LENGTH = (0.0, 0.0, 2.0, 4.0, 6.5, 8.0, 9.0, 10.0, 11.0)

_is_han = re.compile(f"[{HAN}]").search
_is_unspaced = re.compile(f"[{UNSPACED}]").match


def read_chinese_idf(limit: float = UNKNOWN) -> tuple[list[str], list[float]]:
    """Return (words, values) of jieba's table with values below *limit* (natural logarithm)."""
    path = jieba_file("analyse", "idf.txt")
    if path is None:
        return [], []
    parts = path.read_text(encoding="utf8").split()
    values = parts[1::2]
    # The values are few: each is the logarithm of the share of documents with the word.
    below = {value: idf for value in set(values) if (idf := float(value)) < limit}
    known = [(w, below[v]) for w, v in zip(parts[::2], values, strict=True) if v in below]
    return [word for word, _ in known], [idf for _, idf in known]


def read_chinese_pairs() -> tuple[NDArray[np.uint32], NDArray[np.float64]]:
    """Return (code points, values) of the words of two characters in jieba's table.

    Read as an array of bytes, in a tenth of the time that 120,000 strings take.
    """
    path = jieba_file("analyse", "idf.txt")
    data = np.fromfile(path, np.uint8) if path else np.zeros(0, np.uint8)
    data = np.concatenate([np.full(1, _NEW_LINE), data, np.full(32, _NEW_LINE)])
    at = (data[:-32] == _NEW_LINE).nonzero()[0] + 1
    at = at[(data[at] >> 4 == 0xE) & (data[at + 3] >> 4 == 0xE) & (data[at + 6] == _BLANK)]
    parts = data[at[:, None] + np.arange(6)].reshape(-1, 2, 3).astype(np.uint32)
    points = (parts[..., 0] & 0xF) << 12 | (parts[..., 1] & 0x3F) << 6 | parts[..., 2] & 0x3F
    # The values are few: each is the logarithm of the share of documents with the word.
    digits = data[at[:, None] + np.arange(7, 15)].view("S8").ravel().view(np.uint64)
    different, which = np.unique(digits, return_inverse=True)
    values = np.array([float(text.split()[0]) for text in different.view("S8")], np.float64)
    return points, values[which]


@functools.cache
def chinese_idf() -> dict[str, float]:
    """Return jieba's IDF of each word below the median."""
    return dict(zip(*read_chinese_idf(), strict=True))


class WordWeights:
    """Gives words their IDF. *table* replaces or adds values, *stop_words* adds words of value 0.

    Words are looked up as they are compared: lower case, without accents, simplified.
    """

    def __init__(
        self, table: Mapping[str, float] | None = None, stop_words: Collection[str] = ()
    ) -> None:
        self._own = dict(table or {})
        self._stop_words = STOP_WORDS | frozenset(stop_words)

    def weight(self, word: str) -> float:
        """Return the IDF of *word*, 0.0 for a stop word, a single character, or no word at all.

        >>> WordWeights().weight("the"), WordWeights().weight("parliament")
        (0.0, 11.9547675029)
        """
        if len(word) < 2 or word in self._stop_words:
            return 0.0
        if word in self._own:
            return self._own[word]
        if word.isdigit():
            return NUMBER
        if _is_han(word):
            return chinese_idf().get(word, UNKNOWN)
        if _is_unspaced(word):
            return PAIR
        return BY_LENGTH[len(word)] if len(word) < len(BY_LENGTH) else UNKNOWN
