"""Inverse document frequency of words, estimated where there is no table.

Chinese: the table that comes with jieba. As in jieba, an unknown word has the median of the table.
Words above the median get the median too (they are rare as well), so half of the table need not be
kept: 130,000 words, 20 MB, 0.1 s.

Other languages: by length. The frequent words of a language are its short ones (Zipf, "The
Psycho-Biology of Language", 1935), so the value rises with the number of characters, up to that of
an unknown Chinese word. Stop words have 0.
"""

from __future__ import annotations

import functools
import io
import re
from array import array
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.keywords.segment import KATAKANA, UNSPACED, has_han, jieba_file
from webclean_scrapy.keywords.stop_words import stop_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

_FIRST_UNSPACED = "\u0800"  # letters of scripts with spaces come before it
_DIGITS = 8  # of a value in a fingerprint, the point included
UNKNOWN = 11.9547675029  # the median of the table of jieba 0.42.1
NUMBER = 6.0  # in fingerprints: the only difference of some reports, and yet no topic
PAIR = UNKNOWN / 2  # two characters of a script without spaces, not a whole word
# Value by length of a word of a script with spaces; longer ones have UNKNOWN.
BY_LENGTH = (0.0, 0.0, 2.0, 4.0, 6.5, 8.0, 9.0, 10.0, 11.0)

_is_katakana = re.compile(f"[{KATAKANA}]{{3,}}").fullmatch
_is_unspaced = re.compile(f"[{UNSPACED}]").match


def _chinese_table() -> Iterator[tuple[str, str]]:
    """Yield words and values (natural logarithm) of jieba's table as written."""
    # Line by line: skipped lines between kept ones would take 40 MB more.
    with jieba_file("analyse/idf.txt").open(encoding="utf8") as lines:
        for line in lines:
            word, _, value = line.rstrip().partition(" ")
            yield word, value


def read_chinese_pairs() -> tuple[NDArray[np.uint32], NDArray[np.float64]]:
    """Return (code points, values) of the two-character words in jieba's table."""
    characters, values = io.StringIO(), array("d")
    for word, value in _chinese_table():
        if len(word) == 2 and min(word) >= _FIRST_UNSPACED:
            characters.write(word)
            values.append(float(value[:_DIGITS]))
    points = np.frombuffer(characters.getvalue().encode("utf-32-le"), np.uint32)
    return points.reshape(-1, 2), np.array(values)


@functools.cache
def chinese_idf() -> dict[str, float]:
    """Return jieba's IDF of each word below the median."""
    return {word: idf for word, value in _chinese_table() if (idf := float(value)) < UNKNOWN}


class WordWeights:
    """IDF of the words of a text in *language* (ISO 639-1); stop words have 0.

    *pair*: the value of two characters of a script without spaces; 0 where a reader is shown words.
    Words are given in the form of `segment.fold_simplified`: lower case, no accents, simplified.

    >>> [WordWeights(code).weight("die") for code in ("de", "en")]
    [0.0, 4.0]
    """

    def __init__(self, language: str | None = None, *, pair: float = 0.0) -> None:
        self._stop_words = stop_words(language)
        self._pair = pair

    def weight(self, word: str) -> float:
        """Return the IDF of *word*; 0.0 for a stop word, a number, or less than two characters.

        >>> WordWeights().weight("the"), WordWeights().weight("parliament")
        (0.0, 11.9547675029)
        """
        if len(word) < 2 or word.isdigit() or word in self._stop_words:
            return 0.0
        if not word.isascii():  # most words are, and have neither
            if has_han(word):
                return chinese_idf().get(word, UNKNOWN)
            if _is_unspaced(word):
                return UNKNOWN if _is_katakana(word) else self._pair
        return BY_LENGTH[len(word)] if len(word) < len(BY_LENGTH) else UNKNOWN

    def tfidf(self, frequency: Mapping[str, float]) -> dict[str, float]:
        """Return the TF-IDF of the words with a weight."""
        return {w: n * idf for w, n in frequency.items() if (idf := self.weight(w)) > 0.0}
