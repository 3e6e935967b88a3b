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
    from webclean_scrapy.dedup.word_hashes import Hashes

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
    before, after = _neighbours(words.hashes, words.single)
    return _combine(words.keywords, before.take(words.firsts), after.take(words.lasts + 1))


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
    at = at + _PAD
    tokens = np.zeros(len(words.hashes) + 2 * _PAD, np.uint64)
    tokens[_PAD:-_PAD] = words.hashes
    tokens[at] = _A_NUMBER
    single = np.zeros(len(tokens), np.bool_)
    single[_PAD:-_PAD] = words.single
    before, after = _neighbours(tokens, single)
    second = at - 1 - single.take(at - 1)
    third = second - 1 - single.take(second - 1)
    contexts = _combine(before.take(at), before.take(second), before.take(third))
    begins_line = tokens.take(at - 1) == BREAK_HASH
    if begins_line.any():
        at, second, third = at[begins_line], second[begins_line], third[begins_line]
        follows = at + 1 + (tokens.take(at + 1) == BREAK_HASH)
        contexts[begins_line] = _combine(
            before.take(second), before.take(third), after.take(follows)
        )
    return contexts, values


def _neighbours(tokens: Hashes, single: NDArray[np.bool_]) -> tuple[Hashes, Hashes]:
    """Return hashes of the word before each token and of the word that begins with it."""
    before = np.zeros(len(tokens) + 1, np.uint64)
    before[1:] = tokens
    after = np.zeros(len(tokens) + 1, np.uint64)
    after[:-1] = tokens
    if single.any():
        second = tokens * _SECOND
        before[2:] += second[:-1] * single[1:]
        after[:-2] += second[1:] * single[:-1]
    return before, after


def _combine(middle: Hashes, left: Hashes, right: Hashes) -> Hashes:
    return mix(middle * _MIDDLE + left * _LEFT + right * _RIGHT)
