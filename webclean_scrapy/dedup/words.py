"""The words of a text as numbers: tokens, and which of them are keywords of what weight.

A token is a word of a script with spaces, or one character of a script without. A keyword is such
a word, a pair of kana or Thai letters, or an entry of the Chinese dictionary. Both are hashed many
at a time: the polynomial hash of a stretch of characters is the difference of two running sums, so
a page costs a few passes over an array and no Python object for each word. Hashes depend on the
characters alone and never change.

Deviation from "segment" (papers 2 and 7, "Web page feature extraction" collection): Chinese
keywords may overlap. Which of two overlapping words a sentence means does not matter to a
comparison, and to look up both costs half of cutting the sentence.
"""

from __future__ import annotations

import functools
import itertools
import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from webclean_scrapy.dedup.normalize import (
    BLOCK_END,
    BREAK,
    DIGIT,
    HAN_LETTER,
    HANGUL_LETTER,
    KINDS,
    LETTER,
    UNSPACED_LETTER,
    kinds_of,
    normal_points,
    normalize,
    points_of,
)
from webclean_scrapy.keywords.idf import BY_LENGTH, NUMBER, PAIR, UNKNOWN, read_chinese_pairs
from webclean_scrapy.keywords.segment import HAN, LONGEST_KOREAN_WORD, parse_user_word
from webclean_scrapy.keywords.stop_words import STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

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
_S16, _S48 = np.uint64(16), np.uint64(48)
_WEIGHT_UNIT = 4096.0
_LONG = len(BY_LENGTH)  # from this length on, a word has UNKNOWN
# Of jieba's dictionary only words of two characters are looked up, of which longer ones are made
# as a rule: those of three and four changed no verdict when measured. Own words may be longer.
LONGEST_CHINESE_WORD = 8
MAX_IDF = 15.0
# Weight by kind of the first character and length.
_WEIGHTS = np.zeros((KINDS, _LONG + 1))
_WEIGHTS[DIGIT, 2:] = NUMBER
_WEIGHTS[LETTER] = (*BY_LENGTH, UNKNOWN)
_WEIGHTS[HANGUL_LETTER, 2:] = UNKNOWN  # a syllable is two to four letters
_FLAT_WEIGHTS = _WEIGHTS.ravel()
BREAK_HASH = 0  # between lines
# Kinds of which several in a row are one word.
_KOREAN = 2
_GROUPS = np.zeros(KINDS, np.uint8)
_GROUPS[[DIGIT, LETTER]] = 1
_GROUPS[HANGUL_LETTER] = _KOREAN
_IS_SINGLE = np.zeros(KINDS, np.bool_)
_IS_SINGLE[[HAN_LETTER, UNSPACED_LETTER]] = True


_is_chinese = re.compile(f"[{HAN}]+").fullmatch


def mix(hashes: Hashes) -> Hashes:
    """Return *hashes* with all bits stirred (the finaliser of splitmix64); 0 stays 0."""
    hashes = (hashes ^ (hashes >> _S30)) * _MIX1
    hashes = (hashes ^ (hashes >> _S27)) * _MIX2
    return hashes ^ (hashes >> _S31)


class Words(NamedTuple):
    """The tokens of some blocks in order, a line end among them, and the keywords they make."""

    hashes: Hashes  # of each token; BREAK_HASH for a line end
    numeric: NDArray[np.bool_]  # token begins with a digit: 5, 5pm, 21st
    single: NDArray[np.bool_]  # token is a character of a script without spaces
    blocks: list[int]  # number of tokens, breaks included, of each block
    keywords: Hashes
    weights: Numbers  # IDF of each keyword, above 0
    firsts: Indexes  # the token that each keyword begins with
    lasts: Indexes  # the token that it ends with


class Spans(NamedTuple):
    """Where tokens stand in an array of code points."""

    starts: Indexes
    ends: Indexes
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


def hash_spans(points: Points, starts: Indexes, ends: Indexes) -> Hashes:
    """Return 64 bits for each stretch of *points* that depend on its characters alone."""
    powers, inverses = _powers(max(4096, 1 << len(points).bit_length()))
    chars = points.astype(np.uint64)
    chars *= chars + _CHAR  # not linear, so that sums of characters do not collide
    chars *= powers[: len(points)]
    sums = np.zeros(len(points) + 1, np.uint64)
    np.cumsum(chars, out=sums[1:])
    return mix((sums.take(ends) - sums.take(starts)) * inverses.take(starts))


def hash_chars(points: Points) -> Hashes:
    """Return what `hash_spans` returns for each of *points* alone."""
    chars = points.astype(np.uint64)
    return mix(chars * (chars + _CHAR))


def _join(first: Hashes, second: Hashes) -> Hashes:
    """Return hashes of words from those of all their characters but the last, and of the last."""
    return mix(first * _NEXT + second)


class _WeightTable:
    """Weights by hash in one array: 16 bits to tell a word from others, 16 bits of weight.

    Small, as every word of a page is looked up in it, most of them out of the processor's cache.
    A slot holds the word of the lowest weight. A word that lost its slot, one in five of the
    rarest, is not known; one that is taken for another, one in 100,000, has a wrong weight, and
    the same in every page.
    """

    def __init__(self, hashes: Hashes, weights: Numbers, bits: int) -> None:
        self._mask = np.uint64((1 << bits) - 1)
        self._slots = np.zeros(1 << bits, np.uint32)
        weights = np.minimum(weights, MAX_IDF)
        order = np.argsort(-weights, kind="stable")  # of two for one slot the later stays
        packed = (hashes >> _S48 << _S16) + (weights * _WEIGHT_UNIT).astype(np.uint64)
        self._slots[(hashes & self._mask)[order]] = packed[order]

    def find(self, hashes: Hashes) -> tuple[NDArray[np.bool_], Numbers]:
        """Return whether each word is in the table, and its weight if it is."""
        slots = self._slots.take((hashes & self._mask).view(np.int64))
        is_known = slots >> _S16 == hashes >> _S48
        return is_known, (slots & np.uint32(0xFFFF)).astype(np.float64) / _WEIGHT_UNIT


def _hash_words(words: Sequence[str]) -> Hashes:
    """Return the hash of each of *words*, normalised and none of them empty."""
    found = np.zeros(len(words), np.uint64)
    for number, word in enumerate(words):
        points = points_of(word)
        if _is_chinese(word):
            found[number] = functools.reduce(_join, hash_chars(points).reshape(-1, 1))[0]
        else:
            found[number] = hash_spans(points, np.zeros(1, np.intp), np.full(1, len(points)))[0]
    return found


class WordReader:
    """Reads texts into `Words`.

    *stop_words* are added to the built-in ones; *user_words*: lines of jieba's user dictionary;
    *idf* replaces or adds values. Loads its tables when first used: 0.2 s with Chinese, 4 MB.
    """

    def __init__(
        self,
        stop_words: Iterable[str] = (),
        user_words: Iterable[str] = (),
        idf: Mapping[str, float] | None = None,
    ) -> None:
        own = {parse_user_word(line)[0]: UNKNOWN for line in user_words if line.strip()}
        own |= idf or {}
        own |= dict.fromkeys(stop_words, 0.0)
        own = {normalize(word): value for word, value in own.items()}
        own.pop("", None)
        # Sorted, as of two words for one slot of a table the later stays.
        self._own = dict(sorted((dict.fromkeys(STOP_WORDS, 0.0) | own).items()))
        self._longest = max((len(word) for word in own if _is_chinese(word)), default=2)
        self._longest = min(max(self._longest, 2), LONGEST_CHINESE_WORD)

    @functools.cached_property
    def _own_hashes(self) -> tuple[Hashes, Numbers]:
        return _hash_words(list(self._own)), np.array(list(self._own.values()))

    @functools.cached_property
    def _words(self) -> _WeightTable:
        """The table of words with a value of their own: 64 kB, more with an IDF table."""
        return _WeightTable(*self._own_hashes, max(14, 2 + len(self._own).bit_length()))

    @functools.cached_property
    def _chinese(self) -> _WeightTable:
        """The table of jieba's words of two characters, and of those with a value of their own."""
        points, values = read_chinese_pairs()
        hashes = hash_chars(points)
        hashes = _join(hashes[:, 0], hashes[:, 1])
        own, own_values = self._own_hashes
        others = ~np.isin(hashes, own)
        return _WeightTable(
            np.concatenate([hashes[others], own]),
            np.concatenate([np.minimum(values[others], UNKNOWN), own_values]),
            max(18, 2 + len(own).bit_length()),
        )

    def read(self, texts: Sequence[str]) -> Words:
        """Return the words of *texts*, one break for each line end and each end of a text.

        All are read at once, as most of the cost of a short text is the number of steps.
        """
        parts = [text.replace(BLOCK_END, " ") for text in texts]
        points = normal_points(BLOCK_END.join([*parts, ""]))
        kinds = kinds_of(points)
        spans = _cut(points, kinds)
        is_break = spans.kinds == BREAK
        at = (points.take(spans.starts[is_break]) == ord(BLOCK_END)).nonzero()[0]
        ends = [-1, *is_break.nonzero()[0][at].tolist()]
        blocks = [end - start for start, end in itertools.pairwise(ends)]
        single = _IS_SINGLE.take(spans.kinds)
        found = self._look_up(points, spans, single)
        hashes = found[0]
        hashes[is_break] = BREAK_HASH
        return Words(hashes, spans.kinds == DIGIT, single, blocks, *found[1:])

    def _look_up(
        self, points: Points, spans: Spans, single: NDArray[np.bool_]
    ) -> tuple[Hashes, Hashes, Numbers, Indexes, Indexes]:
        """Return the tokens' hashes, and hash, weight, first and last token of each keyword."""
        starts, ends, kinds = spans
        lengths = np.minimum(ends - starts, _LONG)
        weights = _FLAT_WEIGHTS.take(kinds * np.intp(_LONG + 1) + lengths)
        hashes = hash_spans(points, starts, ends)
        if LETTER in kinds.tobytes():
            is_known, values = self._words.find(hashes)
            weights = np.where(is_known, values, weights)
        if not single.any():
            at = weights.nonzero()[0]
            return hashes, hashes.take(at), weights.take(at), at, at
        names, lasts = hashes.copy(), np.arange(len(hashes))
        joined = hashes
        follows = single[:-1] & single[1:] & (starts[1:] - starts[:-1] == 1)
        is_run = follows
        for length in range(2, self._longest + 1):  # of those that begin at a token, the longest
            joined = _join(joined[:-1], hashes[length - 1 :])
            if length > 2:
                is_run = is_run[:-1] & follows[length - 2 :]
            is_known, values = self._chinese.find(joined)
            if length == 2:
                is_unspaced = kinds == UNSPACED_LETTER
                values[is_unspaced[:-1] & ~is_known] = PAIR
                is_known |= is_unspaced[:-1] & is_unspaced[1:]
            at = (is_known & is_run).nonzero()[0]
            names[at], weights[at], lasts[at] = joined[at], values[at], at + length - 1
        at = weights.nonzero()[0]
        return hashes, names[at], weights[at], at, lasts[at]


def _cut(points: Points, kinds: NDArray[np.uint8]) -> Spans:
    """Return the tokens and breaks. The last of *points* is a break."""
    if kinds.max() <= LETTER:
        in_word = kinds >= DIGIT
        inside = in_word[:-1] & in_word[1:]  # with what follows one word
    else:
        groups = _GROUPS.take(kinds)
        if (groups == _KOREAN).any():
            kinds = _part_long_korean(kinds, groups)
            groups = _GROUPS.take(kinds)
        inside = (groups[:-1] == groups[1:]) & (groups[1:] != 0)
    begins = kinds >= BREAK
    finishes = begins.copy()
    begins[1:] &= ~inside
    finishes[:-1] &= ~inside
    starts = begins.nonzero()[0]
    return Spans(starts, finishes.nonzero()[0] + 1, kinds.take(starts))


def _part_long_korean(kinds: NDArray[np.uint8], groups: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return *kinds* with runs that were written without spaces marked as such a script."""
    edges = np.diff(np.concatenate([[0], groups == _KOREAN, [0]])).nonzero()[0]
    kinds = kinds.copy()
    for start, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        if end - start > LONGEST_KOREAN_WORD:
            kinds[start:end] = UNSPACED_LETTER
    return kinds
