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
)
from webclean_scrapy.dedup.word_hashes import (
    WeightTable,
    hash_chars,
    hash_spans,
    hash_words,
    is_chinese,
    join_hashes,
)
from webclean_scrapy.keywords.idf import BY_LENGTH, NUMBER, PAIR, UNKNOWN, read_chinese_pairs
from webclean_scrapy.keywords.segment import LONGEST_KOREAN_WORD, parse_user_word
from webclean_scrapy.keywords.stop_words import STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from webclean_scrapy.dedup.normalize import Points
    from webclean_scrapy.dedup.word_hashes import Hashes, Indexes, Numbers


_LONG = len(BY_LENGTH)  # from this length on, a word has UNKNOWN
# Of jieba's dictionary only words of two characters are looked up, of which longer ones are made
# as a rule: those of three and four changed no verdict when measured. Own words may be longer.
LONGEST_CHINESE_WORD = 8
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
        own = dict(zip(_normalize_all(list(own)), own.values(), strict=True))
        own.pop("", None)
        # Sorted, as of two words for one slot of a table the later stays.
        self._own = dict(sorted((dict.fromkeys(STOP_WORDS, 0.0) | own).items()))
        self._longest = max((len(word) for word in own if is_chinese(word)), default=2)
        self._longest = min(max(self._longest, 2), LONGEST_CHINESE_WORD)

    @functools.cached_property
    def _own_hashes(self) -> tuple[Hashes, Numbers]:
        return hash_words(list(self._own)), np.array(list(self._own.values()))

    @functools.cached_property
    def _words(self) -> WeightTable:
        """The table of words with a value of their own: 64 kB, more with an IDF table."""
        return WeightTable(*self._own_hashes, max(14, 2 + len(self._own).bit_length()))

    @functools.cached_property
    def _chinese(self) -> WeightTable:
        """The table of jieba's words of two characters, and of those with a value of their own."""
        points, values = read_chinese_pairs()
        hashes = hash_chars(points)
        hashes = join_hashes(hashes[:, 0], hashes[:, 1])
        own, own_values = self._own_hashes
        others = ~np.isin(hashes, own)
        return WeightTable(
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
            joined = join_hashes(joined[:-1], hashes[length - 1 :])
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


def _normalize_all(words: list[str]) -> list[str]:
    """Return `normalize` of each word; at once, as a table has hundreds of thousands."""
    found = normalize("\n".join(words)).split("\n")
    return found if len(found) == len(words) else [normalize(word) for word in words]


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
