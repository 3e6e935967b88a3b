"""The words of a text as numbers: tokens, and which of them are keywords of what weight.

A token is a word of a script with spaces, or one character of a script without. A keyword is such
a word, a pair of kana or Thai letters, or an entry of the Chinese dictionary. A page costs a few
passes over an array, and no Python object for each word (see `word_hashes`).

Deviation from the segmentation of Features 2 and 7 (papers.md): Chinese keywords may
overlap. Which of two overlapping words a sentence means does not matter to a comparison, and
looking up both takes half the time of segmenting the sentence.
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
    normal_form,
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
from webclean_scrapy.keywords.stop_words import stop_words as built_in_stop_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from webclean_scrapy.dedup.normalize import Points
    from webclean_scrapy.dedup.word_hashes import Hashes, Indexes, Numbers


_LONG = len(BY_LENGTH)  # words of at least this length have the weight UNKNOWN
# Of jieba's dictionary only words of two characters are looked up, as most longer words consist of
# them: words of three and four changed no verdict when measured. User words may be longer.
LONGEST_CHINESE_WORD = 8
# Weight by kind of the first character and length.
_WEIGHTS = np.zeros((KINDS, _LONG + 1))
_WEIGHTS[DIGIT, 2:] = NUMBER
_WEIGHTS[LETTER] = (*BY_LENGTH, UNKNOWN)
_WEIGHTS[HANGUL_LETTER, 2:] = UNKNOWN  # a syllable is two to four letters
_FLAT_WEIGHTS = _WEIGHTS.ravel()
_FIRST_WEIGHTS = np.arange(KINDS) * (_LONG + 1)  # index of the first weight of each kind
BREAK_HASH = 0  # between lines
# Neighbours of group 1 belong to one word; one of group 2 is a token by itself.
_GROUPS = bytearray(256)
_GROUPS[DIGIT] = _GROUPS[LETTER] = 1
_GROUPS[BREAK] = _GROUPS[HAN_LETTER] = _GROUPS[UNSPACED_LETTER] = 2


class Words(NamedTuple):
    """The tokens of some blocks in order, with line ends, and the keywords that they form."""

    hashes: Hashes  # of each token; BREAK_HASH for a line end
    numeric: NDArray[np.bool_]  # token begins with a digit: 5, 5pm, 21st
    single: NDArray[np.bool_]  # token is a character of a script without spaces
    blocks: list[int]  # number of tokens, breaks included, of each block
    keywords: Hashes
    weights: Numbers  # IDF of each keyword, above 0
    firsts: Indexes  # index of the first token of each keyword
    lasts: Indexes  # index of its last token


class Spans(NamedTuple):
    """Positions of tokens in an array of code points."""

    starts: Indexes
    ends: Indexes
    kinds: NDArray[np.uint8]  # kind of the first character of each


class WordReader:
    """Reads texts into `Words`.

    *stop_words* are added to the built-in ones; *user_words*: lines of jieba's user dictionary;
    *idf* replaces or adds values. The tables are loaded on first use: 0.2 s with Chinese, 4 MB.
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
        # In a fixed order: it decides which of two words has a slot of a table.
        self._own = dict(sorted(own.items()))
        built_in = set(_normalize_all(sorted(built_in_stop_words())))
        self._stop_words = sorted(filter(str.isprintable, built_in - own.keys() - {""}))
        self._longest = max((len(word) for word in own if is_chinese(word)), default=2)
        self._longest = min(max(self._longest, 2), LONGEST_CHINESE_WORD)

    def _own_hashes(self, bits: int) -> tuple[Hashes, Numbers]:
        """Return the words with a value of their own, and the stop words for which a slot is left.

        For a table of *bits*. Nearly all are: the table has room for ten times as many.
        """
        own = hash_words(list(self._own))
        stop_words = hash_words(self._stop_words)
        mask = np.uint64((1 << bits) - 1)
        stop_words = stop_words[~np.isin(stop_words & mask, own & mask)]
        values = np.array(list(self._own.values()), np.float64)
        return np.concatenate([own, stop_words]), np.append(values, np.zeros(len(stop_words)))

    @functools.cached_property
    def _words(self) -> WeightTable:
        """The table of words with a value of their own: 256 kB, more with an IDF table."""
        bits = 3 + (len(self._own) + len(self._stop_words)).bit_length()
        return WeightTable(*self._own_hashes(bits), bits)

    @functools.cached_property
    def _chinese(self) -> WeightTable:
        """The table of jieba's words of two characters, and of those with a value of their own."""
        points, values = read_chinese_pairs()
        hashes = hash_chars(points)
        hashes = join_hashes(hashes[:, 0], hashes[:, 1])
        bits = max(18, 2 + len(self._own).bit_length())
        own, own_values = self._own_hashes(bits)
        others = ~np.isin(hashes, own)
        return WeightTable(
            np.concatenate([hashes[others], own]),
            np.concatenate([np.minimum(values[others], UNKNOWN), own_values]),
            bits,
        )

    def read(self, texts: Sequence[str]) -> Words:
        """Return the words of *texts*, with a break for each end of a line and of a text.

        All are read at once, as a short text costs little more than the calls of numpy.
        """
        parts = [text.replace(BLOCK_END, " ") for text in texts]
        # A space at both ends, so that each character has two neighbours.
        points, kinds = normal_form(" " + BLOCK_END.join([*parts, " "]))
        starts, ends, kinds = _cut(kinds)
        points = points[1:-1]
        breaks = (kinds == BREAK).nonzero()[0]
        blocks = _count_blocks(points.take(starts.take(breaks)), breaks)
        if kinds.max() <= LETTER:
            single = np.zeros(len(kinds), np.bool_)
            hashes = hash_spans(points, starts, ends)
        else:
            single = (kinds == HAN_LETTER) | (kinds == UNSPACED_LETTER)
            hashes = _hash_tokens(points, starts, ends)
        hashes[breaks] = BREAK_HASH
        spans = Spans(starts, ends, kinds)
        keywords = self._find_keywords(hashes, spans, single)
        return Words(hashes, kinds == DIGIT, single, blocks, *keywords)

    def _find_keywords(
        self, hashes: Hashes, spans: Spans, single: NDArray[np.bool_]
    ) -> tuple[Hashes, Numbers, Indexes, Indexes]:
        """Return hash, weight, first and last token of each keyword among the tokens."""
        starts, ends, kinds = spans
        lengths = ends - starts
        np.minimum(lengths, _LONG, out=lengths)
        lengths += _FIRST_WEIGHTS.take(kinds)
        weights = _FLAT_WEIGHTS.take(lengths)
        if LETTER in kinds.tobytes():
            at, values = self._words.find(hashes)
            weights[at] = values
        if not single.any():
            at = weights.nonzero()[0]
            return hashes.take(at), weights.take(at), at, at
        keywords, lasts = hashes.copy(), np.arange(len(hashes))
        joined = hashes
        follows = single[:-1] & single[1:]
        follows &= starts[1:] - starts[:-1] == 1
        is_run = follows
        for length in range(2, self._longest + 1):  # the longest that begins at a token stays
            joined = join_hashes(joined[:-1], hashes[length - 1 :])
            if length > 2:
                is_run = is_run[:-1] & follows[length - 2 :]
            at, values = self._chinese.find(joined)
            if length == 2 and UNSPACED_LETTER in kinds.tobytes():
                at, values = _with_pairs(kinds == UNSPACED_LETTER, at, values)
            is_run_at = is_run.take(at)
            at = at[is_run_at]
            keywords[at], weights[at] = joined.take(at), values[is_run_at]
            lasts[at] = at + (length - 1)
        at = weights.nonzero()[0]
        return keywords.take(at), weights.take(at), at, lasts.take(at)


def _with_pairs(
    is_unspaced: NDArray[np.bool_], known: Indexes, values: Numbers
) -> tuple[Indexes, Numbers]:
    """Return the indexes and weights of *known* pairs and of those of an unspaced script."""
    weights = np.full(len(is_unspaced), PAIR)
    weights[known] = values
    is_pair = is_unspaced[:-1] & is_unspaced[1:]
    is_pair[known] = True
    at = is_pair.nonzero()[0]
    return at, weights.take(at)


def _count_blocks(chars: Points, breaks: Indexes) -> list[int]:
    """Return the number of tokens of each block, given the character and index of each break."""
    at = breaks[chars == ord(BLOCK_END)].tolist()
    return [end - start for start, end in itertools.pairwise([-1, *at])]


def _hash_tokens(points: Points, starts: Indexes, ends: Indexes) -> Hashes:
    """Return what `hash_spans` returns, of tokens that mostly are one character."""
    hashes = hash_chars(points.take(starts))
    lengths = ends - starts
    at = (lengths > 1).nonzero()[0]
    if len(at):
        lengths = lengths.take(at)
        lasts = lengths.cumsum()
        firsts = lasts - lengths
        places = np.arange(lasts[-1]) + (starts.take(at) - firsts).repeat(lengths)
        hashes[at] = hash_spans(points.take(places), firsts, lasts)
    return hashes


def _normalize_all(words: list[str]) -> list[str]:
    """Return `normalize` of each word; in one call, as a table has hundreds of thousands."""
    normal = normalize("\n".join(words)).split("\n")
    return normal if len(normal) == len(words) else [normalize(word) for word in words]


def _cut(kinds: NDArray[np.uint8]) -> Spans:
    """Return the tokens and breaks among characters of *kinds*, the first and last left out."""
    plain = kinds.tobytes()
    if HANGUL_LETTER in plain:
        return _cut_korean(kinds[1:-1])
    groups = np.frombuffer(plain.translate(_GROUPS), np.uint8)
    in_word = groups & 1
    starts = (groups[1:-1] > in_word[:-2]).nonzero()[0]
    ends = (groups[1:-1] > in_word[2:]).nonzero()[0]
    ends += 1
    return Spans(starts, ends, kinds[1:-1].take(starts))


def _cut_korean(kinds: NDArray[np.uint8]) -> Spans:
    """Return what `_cut` returns, of a text with Korean words, none of which has other letters."""
    kinds = _split_long_korean(kinds, kinds == HANGUL_LETTER)
    groups = kinds.copy()
    groups[kinds == DIGIT] = LETTER
    inside = (groups[:-1] == groups[1:]) & ((groups[1:] == LETTER) | (groups[1:] == HANGUL_LETTER))
    begins = kinds >= BREAK
    finishes = begins.copy()
    begins[1:] &= ~inside
    finishes[:-1] &= ~inside
    starts = begins.nonzero()[0]
    return Spans(starts, finishes.nonzero()[0] + 1, kinds.take(starts))


def _split_long_korean(
    kinds: NDArray[np.uint8], is_korean: NDArray[np.bool_]
) -> NDArray[np.uint8]:
    """Return *kinds* with long Korean runs, written without spaces, as an unspaced script."""
    edges = np.diff(np.concatenate([[0], is_korean, [0]])).nonzero()[0]
    kinds = kinds.copy()
    for start, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        if end - start > LONGEST_KOREAN_WORD:
            kinds[start:end] = UNSPACED_LETTER
    return kinds
