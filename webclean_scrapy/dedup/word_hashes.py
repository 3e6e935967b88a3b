"""Hashes of words, and tables of their weights by hash.

Words are hashed many at a time: the polynomial hash of a run of characters is the difference of two
running sums. Hashes depend on the characters alone, so they are equal in every process.
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.dedup.normalize import points_of
from webclean_scrapy.keywords.segment import HAN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from webclean_scrapy.dedup.normalize import Points

    Hashes = NDArray[np.uint64]
    Numbers = NDArray[np.float64]
    Indexes = NDArray[np.intp]

_BASE = 0x9E3779B97F4A7C15 | 1
_MODULUS = 1 << 64
_BASE_INVERSE = pow(_BASE, -1, _MODULUS)
_CHAR = np.uint64(0xD6E8FEB86659FD93)
_MIX1, _MIX2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31 = np.uint64(30), np.uint64(27), np.uint64(31)
_NEXT = np.uint64(0xFF51AFD7ED558CCD)
_S16, _S48 = np.uint32(16), np.uint64(48)
_WEIGHT_UNIT = 4096.0
MAX_IDF = 15.0
is_chinese = re.compile(f"[{HAN}]+").fullmatch


def mix(hashes: Hashes) -> Hashes:
    """Return *hashes* with all bits mixed (the finaliser of splitmix64); 0 stays 0."""
    hashes = (hashes ^ hashes >> _S30) * _MIX1
    hashes = (hashes ^ hashes >> _S27) * _MIX2
    mixed: Hashes = hashes ^ hashes >> _S31
    return mixed


@functools.lru_cache(maxsize=8)
def _powers(length: int) -> tuple[Hashes, Hashes]:
    """Return _BASE to the power of 0 ... length - 1, and the inverse of each."""
    factors = np.ones((2, length), np.uint64)
    factors[:, 1:] = np.array([[_BASE], [_BASE_INVERSE]], np.uint64)
    powers, inverses = np.multiply.accumulate(factors, axis=1)
    return powers, inverses


def hash_spans(points: Points, starts: Indexes, ends: Indexes) -> Hashes:
    """Return a 64-bit hash of each run of *points*, which depends on its characters alone."""
    powers, inverses = _powers(max(4096, 1 << len(points).bit_length()))
    sums = np.zeros(len(points) + 1, np.uint64)
    np.add.accumulate(_char_values(points) * powers[: len(points)], out=sums[1:])
    return mix((sums.take(ends) - sums.take(starts)) * inverses.take(starts))


def hash_chars(points: Points) -> Hashes:
    """Return what `hash_spans` returns for each of *points* alone."""
    return mix(_char_values(points))


def _char_values(points: Points) -> Hashes:
    """Return a number for each character; not linear, so that sums of them do not collide."""
    chars = points.astype(np.uint64)
    return chars * (chars + _CHAR)


def join_hashes(first: Hashes, second: Hashes) -> Hashes:
    """Return hashes of words from those of all their characters but the last, and of the last."""
    return mix(first * _NEXT + second)


class WeightTable:
    """Weights by hash in one array: 16 bits of the hash, 16 bits of weight.

    Every word of a page is looked up in it, so it is small and mostly in the processor's cache.
    A slot holds the word of the lowest weight. A word that lost its slot (one in five of the
    rarest) counts as unknown. A word with the bits of another (one in 100,000) gets the weight of
    that one, the same in every page.
    """

    def __init__(self, hashes: Hashes, weights: Numbers, bits: int) -> None:
        self._mask = np.uint64((1 << bits) - 1)
        self.slots = np.zeros(1 << bits, np.uint32)
        weights = np.minimum(weights, MAX_IDF)
        order = np.argsort(-weights, kind="stable")  # of two for one slot the later one stays
        packed = (hashes >> _S48 << _S16) + (weights * _WEIGHT_UNIT).astype(np.uint64)
        self.slots[(hashes & self._mask)[order]] = packed[order]

    def has(self, hashes: Hashes) -> NDArray[np.bool_]:
        """Return whether each word is in the table."""
        is_known: NDArray[np.bool_] = self._slots_of(hashes) >> _S16 == hashes >> _S48
        return is_known

    def weights(self, hashes: Hashes) -> Numbers:
        """Return the weight of each word, all of which are in the table."""
        return (self._slots_of(hashes) & np.uint32(0xFFFF)) / _WEIGHT_UNIT

    def _slots_of(self, hashes: Hashes) -> NDArray[np.uint32]:
        return self.slots.take((hashes & self._mask).view(np.int64))


def hash_words(words: Sequence[str]) -> Hashes:
    """Return the hash of each of *words*, normalised and none of them empty."""
    points = points_of("".join(words))
    lengths = np.fromiter(map(len, words), np.intp, len(words))
    ends = np.cumsum(lengths)
    starts = ends - lengths
    hashes = hash_spans(points, starts, ends)
    chars = hash_chars(points)
    chinese = np.array([is_chinese(word) is not None for word in words], np.bool_)
    for length in np.unique(lengths[chinese]).tolist():
        at = (chinese & (lengths == length)).nonzero()[0]
        hashes[at] = functools.reduce(join_hashes, (chars[starts[at] + n] for n in range(length)))
    return hashes
