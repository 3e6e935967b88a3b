"""The words of a text as numbers: tokens, keywords and their weights.

A token is a word of a script with spaces, or one character of a script without. A keyword is such
a word, four kana or Thai letters (two at the end of a run), or an entry of the Chinese dictionary.
A page costs a few passes over an array: the polynomial hash of a run of characters is the
difference of two running sums. Hashes depend on the characters alone, so they are equal in every
process.

Deviation from the segmentation of Features 2 and 7 (papers.md): Chinese keywords may overlap, which
takes half the time of segmenting the sentence.
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from webclean_scrapy.dedup.normalize import (
    BLOCK_END,
    BREAK,
    DIGIT,
    END,
    HAN_LETTER,
    HANGUL_LETTER,
    KINDS,
    LETTER,
    POINT,
    RTL_LETTER,
    UNSPACED_LETTER,
    normal_form,
    normalize,
    points_of,
)
from webclean_scrapy.keywords.idf import BY_LENGTH, NUMBER, PAIR, UNKNOWN, read_chinese_pairs
from webclean_scrapy.keywords.segment import HAN, LONGEST_KOREAN_WORD
from webclean_scrapy.keywords.stop_words import stop_words as built_in_stop_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from webclean_scrapy.dedup.normalize import Points

    Hashes = NDArray[np.uint64]
    Numbers = NDArray[np.float64]
    Indexes = NDArray[np.intp]
    # Where tokens start and end in an array of code points, and the kind of their first character.
    Spans = tuple[Indexes, Indexes, NDArray[np.uint8]]

_LONG = len(BY_LENGTH)  # words of at least this length have the weight UNKNOWN
# Of jieba's dictionary only words of two characters are looked up, as most longer words consist of
# them: words of three and four changed no verdict when measured. User words may be longer.
LONGEST_CHINESE_WORD = 8
#: In scripts without spaces ten words are 17 syllables, as a Chinese character is one and what
#: stands between two marks in Tibetan; or 45 letters and marks, of Thai, Lao, Khmer and Burmese.
WORD = 17 * 45
_SYLLABLE, _LETTER = 10 * WORD // 17, 10 * WORD // 45
_TIBETAN = 0x0F00, 0x0FFF
# Weight by kind of the first character and length.
WEIGHTS = np.zeros((KINDS, _LONG + 1))
WEIGHTS[DIGIT, 2:] = NUMBER
WEIGHTS[[LETTER, RTL_LETTER]] = (*BY_LENGTH, UNKNOWN)
WEIGHTS[HANGUL_LETTER, 2:] = UNKNOWN  # a syllable is two to four letters
BREAK_HASH = 0  # between lines
_KANA = 0x3000  # where signs for syllables and words begin; below are the letters of South Asia


class Words(NamedTuple):
    """The tokens of several blocks in order, line ends, and keywords over the tokens."""

    hashes: Hashes  # of each token; BREAK_HASH for a line end
    numeric: NDArray[np.bool_]  # token begins with a digit: 5, 5pm, 21st
    single: NDArray[np.bool_]  # token is a character of a script without spaces
    parts: NDArray[np.int64]  # how much of a word each token is, of WORD
    is_name: NDArray[np.bool_]  # token has a capital inside a sentence
    ends: list[int]  # of each block: the number of tokens up to its end, breaks included
    keywords: Hashes
    weights: Numbers  # IDF of each keyword, above 0
    firsts: Indexes  # index of the first token of each keyword
    lasts: Indexes  # index of its last token

    def first(self, count: int) -> Words:
        """Return the words of the first *count* blocks."""
        end = self.ends[count - 1]
        keywords = int(self.firsts.searchsorted(end))
        return Words(
            self.hashes[:end], self.numeric[:end], self.single[:end], self.parts[:end],
            self.is_name[:end], self.ends[:count], self.keywords[:keywords],
            self.weights[:keywords], self.firsts[:keywords], self.lasts[:keywords],
        )  # fmt: skip


_BASE = 0x9E3779B97F4A7C15 | 1
_BASE_INVERSE = pow(_BASE, -1, 1 << 64)
_CHAR = np.uint64(0xD6E8FEB86659FD93)
_MIX1, _MIX2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31 = np.uint64(30), np.uint64(27), np.uint64(31)
_NEXT = np.uint64(0xFF51AFD7ED558CCD)
_S16, _S48 = np.uint32(16), np.uint64(48)
_WEIGHT_UNIT = 4096.0
MAX_IDF = 15.0
# A line of jieba's user dictionary: a word, its frequency, its tag.
_user_word = re.compile(r"(.+?)(?:(?<!\s)\s+\d+)?(?:(?<!\s)\s+[a-z]+)?", re.DOTALL).fullmatch
is_chinese = re.compile(f"[{HAN}]+").fullmatch


def mix(hashes: Hashes) -> Hashes:
    """Return *hashes* with all bits mixed (the finaliser of splitmix64); 0 stays 0."""
    hashes = hashes ^ hashes >> _S30
    hashes *= _MIX1
    hashes ^= hashes >> _S27
    hashes *= _MIX2
    hashes ^= hashes >> _S31
    return hashes


@functools.lru_cache(maxsize=8)
def _powers(length: int) -> tuple[Hashes, Hashes]:
    """Return the powers of _BASE up to length - 1, and their inverses."""
    factors = np.ones((2, length), np.uint64)
    factors[:, 1:] = np.array([[_BASE], [_BASE_INVERSE]], np.uint64)
    powers, inverses = np.multiply.accumulate(factors, axis=1)
    return powers, inverses


def hash_spans(points: Points, starts: Indexes, ends: Indexes) -> Hashes:
    """Return a 64-bit hash of each run of *points*, by its characters only."""
    powers, inverses = _powers(max(4096, 1 << len(points).bit_length()))
    sums = np.zeros(len(points) + 1, np.uint64)
    values = _char_values(points)
    values *= powers[: len(points)]
    np.add.accumulate(values, out=sums[1:])
    return mix((sums.take(ends) - sums.take(starts)) * inverses.take(starts))


def hash_chars(points: Points) -> Hashes:
    """Return the `hash_spans` of single *points*."""
    return mix(_char_values(points))


def _char_values(points: Points) -> Hashes:
    """Return a nonlinear value of each character, so that sums do not collide."""
    chars = points.astype(np.uint64)
    chars *= chars + _CHAR
    return chars


def join_hashes(first: Hashes, second: Hashes) -> Hashes:
    """Return hashes of words from the hashes of all but the last character, and of the last."""
    return mix(first * _NEXT + second)


class WeightTable:
    """Weights by hash in one array: 16 bits of hash, 16 bits of weight.

    Every word of a page is looked up in it, so it is small and mostly in the processor's cache.
    A slot holds the last of its words. A word that lost its slot (one in five of the rarest) counts
    as unknown. A word with the bits of another (one in 100,000) gets the weight of that one, the
    same in every page.
    """

    def __init__(self, hashes: Hashes, weights: Numbers, bits: int) -> None:
        self._mask = np.uint64((1 << bits) - 1)
        self.slots = np.zeros(1 << bits, np.uint32)
        values = (np.minimum(weights, MAX_IDF) * _WEIGHT_UNIT).astype(np.uint64)
        self.slots[hashes & self._mask] = (hashes >> _S48 << _S16) + values

    def find(self, hashes: Hashes) -> tuple[Indexes, Numbers]:
        """Mark the words in the table; return their weights as well."""
        slots = self.slots.take((hashes & self._mask).view(np.int64))
        at = (slots >> _S16 == hashes >> _S48).nonzero()[0]
        return at, (slots.take(at) & np.uint32(0xFFFF)) / _WEIGHT_UNIT


def hash_words(words: Sequence[str]) -> Hashes:
    """Return the hash of each of the normalised, non-empty *words*."""
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
        lines = filter(None, (_user_word(line.strip()) for line in user_words))
        own = {line[1]: UNKNOWN for line in lines}
        own |= idf or {}
        own |= dict.fromkeys(stop_words, 0.0)
        own = dict(zip(_normalize_all(list(own)), own.values(), strict=True))
        own.pop("", None)
        built_in = set(_normalize_all(sorted(built_in_stop_words())))
        stop_words = filter(str.isprintable, built_in - own.keys() - {""})
        # In a fixed order: it decides which of two words has a slot of a table.
        self._words = dict.fromkeys(sorted(stop_words), 0.0) | dict(sorted(own.items()))
        self.longest = max((len(word) for word in own if is_chinese(word)), default=2)
        self.longest = min(max(self.longest, 2), LONGEST_CHINESE_WORD)

    @functools.cached_property
    def _weights(self) -> tuple[Hashes, Numbers]:
        """Hashes and weights of stop words and of words with a configured value."""
        return hash_words(list(self._words)), np.array(list(self._words.values()))

    @functools.cached_property
    def spaced(self) -> WeightTable:
        """The table of words in spaced scripts: 256 kB, more with an IDF table."""
        return WeightTable(*self._weights, 3 + len(self._words).bit_length())

    @functools.cached_property
    def chinese(self) -> WeightTable:
        """The table of jieba's two-character words, the frequent ones last."""
        points, values = read_chinese_pairs()
        hashes = hash_chars(points[np.argsort(-values, kind="stable")])
        values = np.minimum(-np.sort(-values), UNKNOWN)
        own = [word for word in self._words if is_chinese(word)]  # others would take slots
        own_values = [self._words[word] for word in own]
        return WeightTable(
            np.append(join_hashes(hashes[:, 0], hashes[:, 1]), hash_words(own)),
            np.append(values, own_values),
            max(18, 2 + len(own).bit_length()),
        )

    def read(self, texts: Sequence[str]) -> Words:
        """Return the words of *texts*, with a break for each end of a line and of a text.

        All are read at once, as a short text costs little more than the calls of numpy.
        """
        # Each text has an end, and each character two neighbours.
        joined = BLOCK_END.join([*(text.replace(BLOCK_END, " ") for text in texts), " "])
        points, plain, begins = normal_form(f" {joined}")
        spans = starts, ends, kinds = _cut(plain)
        hashes = hash_spans(points[1:-1], starts, ends)
        hashes *= (kinds != BREAK) & (kinds != END)  # else a `BREAK_HASH`
        block_ends = ((kinds == END).nonzero()[0] + 1).tolist()
        single = (kinds == HAN_LETTER) | (kinds == UNSPACED_LETTER)
        first = points[1:-1].take(starts)
        is_syllable = (first >= _TIBETAN[0]) & (first <= _TIBETAN[1]) & ~single
        of_single = np.where(first < _KANA, _LETTER, _SYLLABLE)
        parts = np.where(single, of_single, np.where(is_syllable, _SYLLABLE, WORD))
        parts *= hashes != 0
        is_name = begins[1:-1].take(starts) & (ends - starts > 1)
        keywords = self._find_keywords(hashes, spans, single)
        return Words(
            hashes, kinds == DIGIT, single, parts, is_name, block_ends, *keywords
        )  # fmt: skip

    def _find_keywords(
        self, hashes: Hashes, spans: Spans, single: NDArray[np.bool_]
    ) -> tuple[Hashes, Numbers, Indexes, Indexes]:
        """Return hash, weight, first and last token of each keyword."""
        starts, ends, kinds = spans
        weights = WEIGHTS.take(kinds * (_LONG + 1) + np.minimum(ends - starts, _LONG))
        firsts, known = self.spaced.find(hashes)
        weights[firsts] = known
        keywords, more = hashes.copy(), np.zeros(len(hashes), np.intp)  # tokens after the first
        if np.count_nonzero(single):
            follows = single[:-1] & single[1:] & (starts[1:] - starts[:-1] == 1)
            is_run, joined = follows, join_hashes(hashes[:-1], hashes[1:])
            is_unspaced = kinds == UNSPACED_LETTER
            if len(firsts := (follows & is_unspaced[:-1] & is_unspaced[1:]).nonzero()[0]):
                keywords[firsts], weights[firsts], more[firsts] = joined.take(firsts), PAIR, 1
                # Runs of four: any two texts have many pairs in common.
                four = firsts[:-2][firsts[2:] - firsts[:-2] == 2]
                keywords[four] = join_hashes(joined.take(four), joined.take(four + 2))
                more[four] = 3
            for length in range(2, self.longest + 1):  # the longest that begins at a token stays
                if length > 2:
                    joined = join_hashes(joined[:-1], hashes[length - 1 :])
                    is_run = is_run[:-1] & follows[length - 2 :]
                firsts, known = self.chinese.find(joined)
                kept = is_run.take(firsts)
                firsts = firsts[kept]
                keywords[firsts], more[firsts] = joined.take(firsts), length - 1
                weights[firsts] = known[kept]
        firsts = (weights > 0.0).nonzero()[0]
        return keywords.take(firsts), weights.take(firsts), firsts, firsts + more.take(firsts)


def _normalize_all(words: list[str]) -> list[str]:
    """Return `normalize` of each word, in one call for hundreds of thousands."""
    normal = normalize("\n".join(words)).split("\n")
    return normal if len(normal) == len(words) else [normalize(word) for word in words]


def _cut(kinds: NDArray[np.uint8]) -> Spans:
    """Return tokens and breaks of characters by kind, without the first and last."""
    kinds = kinds[1:-1]
    if np.count_nonzero(kinds == HANGUL_LETTER):  # Korean words have no other letters
        kinds = _split_long_korean(kinds, kinds == HANGUL_LETTER)
    # Two letters of one script form words, and so do digits with them: by the bits of their kinds.
    apart = (kinds[:-1] ^ kinds[1:] > DIGIT ^ LETTER) | (kinds[1:] & 4 == 0)
    begins = kinds > POINT
    finishes = begins.copy()
    begins[1:] &= apart
    finishes[:-1] &= apart
    starts = begins.nonzero()[0]
    return starts, finishes.nonzero()[0] + 1, kinds.take(starts)


def _split_long_korean(kinds: NDArray[np.uint8], is_korean: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Return *kinds* with long unspaced Korean runs marked as an unspaced script."""
    edges = np.diff(np.concatenate([[0], is_korean, [0]])).nonzero()[0]
    kinds = kinds.copy()
    for start, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        if end - start > LONGEST_KOREAN_WORD:
            kinds[start:end] = UNSPACED_LETTER
    return kinds
