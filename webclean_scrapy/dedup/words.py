"""The words of a text as numbers: a hash, a weight, whether it is a number.

Words are hashed many at a time: the polynomial hash of a stretch of characters is the difference
of two running sums, so a page costs a few passes over an array, no Python object per word and no
table of words met. Hashes depend on the characters alone and never change.
"""

from __future__ import annotations

import functools
import itertools
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from webclean_scrapy.dedup.normalize import (
    BLOCK_END,
    BREAK,
    DIGIT,
    GAP,
    HAN_LETTER,
    HANGUL_LETTER,
    KINDS,
    LETTER,
    UNSPACED_LETTER,
    kinds_of,
    normalize,
    points_of,
)
from webclean_scrapy.keywords.idf import BY_LENGTH, NUMBER, PAIR, UNKNOWN, read_chinese_idf
from webclean_scrapy.keywords.segment import Segmenter
from webclean_scrapy.keywords.stop_words import STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from webclean_scrapy.dedup.normalize import Points

    Hashes = NDArray[np.uint64]
    Numbers = NDArray[np.float64]

_BASE = 0x9E3779B97F4A7C15 | 1
_MODULUS = 1 << 64
_BASE_INVERSE = pow(_BASE, -1, _MODULUS)
_CHAR = np.uint64(0xD6E8FEB86659FD93)
_MIX1, _MIX2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31 = np.uint64(30), np.uint64(27), np.uint64(31)
_S16, _S48 = np.uint64(16), np.uint64(48)
_WEIGHT_UNIT = 4096.0
RARE = 10.5  # IDF from which a Chinese word is as good as unknown
_LONG = len(BY_LENGTH)  # from this length on, a word has UNKNOWN
# Weight by kind of the first character and length.
_WEIGHTS = np.zeros((KINDS, _LONG + 1))
_WEIGHTS[DIGIT, 2:] = NUMBER
_WEIGHTS[LETTER] = (*BY_LENGTH, UNKNOWN)
_WEIGHTS[HANGUL_LETTER, 2:] = UNKNOWN  # a syllable is two to four letters
_WEIGHTS[HAN_LETTER, 2:] = UNKNOWN
_WEIGHTS[UNSPACED_LETTER, 2:] = PAIR
_FLAT_WEIGHTS = _WEIGHTS.ravel()
BREAK_HASH = 0  # between lines


def mix(hashes: Hashes) -> Hashes:
    """Return *hashes* with all bits stirred (the finaliser of splitmix64); 0 stays 0."""
    hashes = (hashes ^ (hashes >> _S30)) * _MIX1
    hashes = (hashes ^ (hashes >> _S27)) * _MIX2
    return hashes ^ (hashes >> _S31)


class Words(NamedTuple):
    """The words of some blocks in order; a line end is one of hash `BREAK_HASH` and weight 0."""

    hashes: Hashes
    weights: Numbers  # IDF; 0 for what is no keyword
    numeric: NDArray[np.bool_]  # begins with a digit: 5, 5pm, 21st
    blocks: list[int]  # number of words, breaks included, of each block


class Spans(NamedTuple):
    """Where words stand in an array of code points."""

    points: Points
    starts: NDArray[np.intp]
    ends: NDArray[np.intp]
    kinds: NDArray[np.uint8]  # kind of the first character of each


@functools.lru_cache(maxsize=8)
def _powers(length: int) -> tuple[Hashes, Hashes]:
    """Return _BASE to the power of 0 ... length - 1, and the inverse of each."""
    found = []
    for base in (_BASE, _BASE_INVERSE):
        factors = np.full(length, base, np.uint64)
        factors[0] = 1
        found.append(np.multiply.accumulate(factors))
    return found[0], found[1]


def hash_spans(spans: Spans) -> Hashes:
    """Return 64 bits for each word that depend on its characters alone."""
    points, starts, ends, _ = spans
    powers, inverses = _powers(max(4096, 1 << len(points).bit_length()))
    chars = points.astype(np.uint64)
    chars = chars * (chars + _CHAR)  # not linear, so that sums of characters do not collide
    sums = np.zeros(len(points) + 1, np.uint64)
    np.cumsum(chars * powers[: len(points)], out=sums[1:])
    return mix((sums[ends] - sums[starts]) * inverses[starts])


class _WeightTable:
    """Weights by hash in one array: 16 bits to tell a word from others, 16 bits of weight.

    Small, as every word of a page is looked up in it, most of them out of the processor's cache.
    A slot holds the word of the lowest weight. A word that lost its slot, one in ten of the rarest,
    has the value of an unknown word, which is near its own; one that is taken for another, one in
    100,000, has a wrong weight, and the same in every page.
    """

    def __init__(self, words: Sequence[str], weights: Numbers, bits: int) -> None:
        self._mask = np.uint64((1 << bits) - 1)
        self._slots = np.full(1 << bits, np.uint32(UNKNOWN * _WEIGHT_UNIT))
        points = points_of("".join(words))
        ends = np.cumsum(np.fromiter(map(len, words), np.intp, len(words)))
        starts = np.concatenate([np.zeros(1, np.intp), ends])[:-1]
        hashes = hash_spans(Spans(points, starts, ends, np.zeros(len(ends), np.uint8)))
        order = np.argsort(-weights, kind="stable")  # of two for one slot the later stays
        packed = (hashes >> _S48 << _S16) + (weights * _WEIGHT_UNIT).astype(np.uint64)
        self._slots[(hashes & self._mask)[order]] = packed[order]

    def replace(self, hashes: Hashes, weights: Numbers) -> Numbers:
        """Return *weights* with those of the words in the table put in."""
        slots = self._slots[hashes & self._mask]
        is_known = slots >> 16 == hashes >> _S48
        return np.where(is_known, (slots & 0xFFFF) * (1.0 / _WEIGHT_UNIT), weights)


@functools.cache
def _stop_table(more: frozenset[str]) -> _WeightTable:
    """Return a table that takes the weight from stop words: 64 kB."""
    known = sorted({normalize(word) for word in STOP_WORDS | more})
    return _WeightTable(known, np.zeros(len(known)), 14)


@functools.cache
def _chinese_table(more: frozenset[str]) -> _WeightTable:
    """Return a table of the lower half of jieba's IDF values, and of stop words: 1 MB, 0.2 s."""
    pairs = [(w, v) for w, v in zip(*read_chinese_idf(RARE), strict=True) if len(w) > 1]
    words, values = [word for word, _ in pairs], [value for _, value in pairs]
    known = sorted({normalize(word) for word in STOP_WORDS | more})
    return _WeightTable([*words, *known], np.array(values + [0.0] * len(known)), 18)


class WordReader:
    """Reads texts into `Words`. *stop_words* are added to the built-in ones."""

    def __init__(self, stop_words: Iterable[str] = (), user_words: Iterable[str] = ()) -> None:
        self._segmenter = Segmenter(user_words)
        self._stop_words = frozenset(stop_words)

    def read(self, texts: Sequence[str]) -> Words:
        """Return the words of *texts*, one break for each line end and each end of a text.

        All are read at once, as most of the cost of a short text is the number of steps.
        """
        parts = [text.replace(BLOCK_END, " ") for text in texts]
        text = normalize(BLOCK_END.join([*parts, ""]))
        if text.isascii():
            spans = _cut_at_gaps(points_of(text))
        else:
            spans = _join(self._segmenter.pieces(text))
        hashes = hash_spans(spans)
        lengths = np.minimum(spans.ends - spans.starts, _LONG)
        weights = _FLAT_WEIGHTS.take(spans.kinds * np.intp(_LONG + 1) + lengths)
        is_chinese = HAN_LETTER in spans.kinds.tobytes()
        table = (_chinese_table if is_chinese else _stop_table)(self._stop_words)
        weights = table.replace(hashes, weights)
        ends = [-1, *np.flatnonzero(spans.points[spans.starts] == ord(BLOCK_END)).tolist()]
        hashes[spans.kinds == BREAK] = BREAK_HASH
        numeric = spans.kinds == DIGIT
        blocks = [end - start for start, end in itertools.pairwise(ends)]
        return Words(hashes, weights, numeric, blocks)


def _cut_at_gaps(points: Points) -> Spans:
    """Return the words of a script with spaces, and the breaks. The last of *points* is one."""
    kinds = kinds_of(points)
    in_word = kinds >= DIGIT
    is_break = kinds == BREAK
    begins, finishes = in_word | is_break, in_word | is_break
    begins[1:] &= ~(in_word[:-1] & in_word[1:])
    finishes[:-1] &= ~(in_word[:-1] & in_word[1:])
    starts = np.flatnonzero(begins)
    return Spans(points, starts, np.flatnonzero(finishes) + 1, kinds[starts])


def _join(pieces: Sequence[str]) -> Spans:
    """Return the words and breaks among *pieces*, written one after the other."""
    points = points_of("".join(pieces))
    ends = np.cumsum(np.fromiter(map(len, pieces), np.intp, len(pieces)))
    starts = np.concatenate([np.zeros(1, np.intp), ends[:-1]])
    kinds = kinds_of(points[starts])
    is_word = kinds != GAP
    return Spans(points, starts[is_word], ends[is_word], kinds[is_word])
