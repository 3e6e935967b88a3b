"""Feature codes of a text: each keyword with one neighbour on each side, hashed and weighted.

Features 2 and 7 (papers.md): the characters around an occurrence of a keyword are a feature
code (2); keywords are weighted by the blocks they are in (7).

Deviation: neighbours are words, not characters. A code is a stable 64-bit hash of three words:
order matters within a code, not between codes, as paragraphs may move.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.dedup.text_words import BREAK_HASH
from webclean_scrapy.dedup.word_hashes import mix

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webclean_scrapy.dedup.text_words import Words
    from webclean_scrapy.dedup.word_hashes import Hashes, Indexes

    Singles = NDArray[np.bool_] | None

_MIDDLE = np.uint64(0x9E3779B97F4A7C15)
_LEFT = np.uint64(0xC2B2AE3D27D4EB4F)
_RIGHT = np.uint64(0x165667B19E3779F9)
_SECOND = np.uint64(0x27D4EB2F165667C5)
_A_NUMBER = np.uint64(1)
_PAD = 6


def feature_codes(words: Words) -> Hashes:
    """Return the code of each keyword: a hash of the keyword and of both neighbours.

    A neighbour is a word, or two characters of a script without spaces (mostly one word).
    """
    if not len(words.keywords):
        return words.keywords
    # Before the first token stands the last one, which is a break.
    single = words.single if words.single.any() else None
    before = _words_before(words.hashes, single, words.firsts)
    return _combine(words.keywords, before, _words_from(words.hashes, single, words.lasts + 1))


def number_places(words: Words) -> tuple[Hashes, Hashes]:
    """Return (context, value) hashes of each number among *words*, in text order.

    The context of a number is the three words before it. Numbers among them count as one word, "a
    number": "high of 21 to 25" and "high of 9 to 14" have equal contexts and other values.
    If the number begins a line (a cell of a table, a counter), the context is the two words before
    and the one after it, as the line may have moved to another paragraph.
    """
    at = words.numeric.nonzero()[0]
    values = words.hashes.take(at)
    if not len(at):
        return values, values
    at += _PAD
    tokens = np.zeros(len(words.hashes) + 2 * _PAD, np.uint64)
    tokens[_PAD:-_PAD] = words.hashes
    tokens[at] = _A_NUMBER
    single = None
    if words.single.any():
        single = np.zeros(len(tokens), np.bool_)
        single[_PAD:-_PAD] = words.single
    starts = np.empty((3, len(at)), np.intp)  # at which this word and the two before it begin
    starts[0] = at
    for word in (1, 2):
        before = starts[word - 1] - 1
        starts[word] = before if single is None else before - single.take(before)
    before = _words_before(tokens, single, starts)
    contexts = _combine(before[0], before[1], before[2])
    begins_line = tokens.take(at - 1) == BREAK_HASH
    if begins_line.any():
        follows = at.compress(begins_line) + 1
        follows += tokens.take(follows) == BREAK_HASH
        first, second = before[1:].compress(begins_line, axis=1)
        contexts[begins_line] = _combine(first, second, _words_from(tokens, single, follows))
    return contexts, values


def _words_before(tokens: Hashes, single: Singles, at: Indexes) -> Hashes:
    """Return a hash of the word that ends before each of *at*. *single* is None: none is."""
    last = at - 1
    words = tokens.take(last)
    if single is not None:
        is_single = single.take(last)
        last -= is_single
        words += tokens.take(last) * (is_single * _SECOND)
    return words


def _words_from(tokens: Hashes, single: Singles, at: Indexes) -> Hashes:
    """Return a hash of the word that begins at each of *at*."""
    words = tokens.take(at)
    if single is not None:
        is_single = single.take(at)
        words += tokens.take(at + is_single) * (is_single * _SECOND)
    return words


def _combine(middle: Hashes, left: Hashes, right: Hashes) -> Hashes:
    combined = middle * _MIDDLE
    combined += left * _LEFT
    combined += right * _RIGHT
    return mix(combined)
