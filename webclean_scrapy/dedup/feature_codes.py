"""The method "codes": a weighted sample of a page's feature codes and numbers.

A feature code is a keyword with one neighbour on each side, hashed and weighted.

Features 2 and 7 (papers.md): the characters around an occurrence of a keyword are a feature
code (2); keywords are weighted by the blocks they are in (7).

Deviation: neighbours are words, not characters. A code is a stable 64-bit hash of three words:
order matters within a code, not between codes, as paragraphs may move.

Every code has a rank, -ln(u) / weight with u in 0..1 from its hash; the codes of the lowest ranks
are kept (bottom-k sampling with exponential ranks: Cohen, "Size-estimation framework", JCSS 1997).
As the rank is a property of the code, two pages keep the same codes of what they share, also when
one page is a part of the other. The Top-10 keywords of Features 7 (papers.md) lack that.

The upper 32 bits of a hash decide the rank, the lower 32 are the code. That halves an entry, and a
random collision does no harm: a candidate needs two shared codes, a match several.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from webclean_scrapy.dedup.text_words import BREAK_HASH, mix

if TYPE_CHECKING:
    from typing import TypeVar

    from numpy.typing import NDArray

    from webclean_scrapy.dedup.config import DedupConfig
    from webclean_scrapy.dedup.text_words import Hashes, Indexes, Numbers, Words

    _Kind = TypeVar("_Kind", np.uint64, np.bool_)

_MIDDLE = np.uint64(0x9E3779B97F4A7C15)
_LEFT = np.uint64(0xC2B2AE3D27D4EB4F)
_RIGHT = np.uint64(0x165667B19E3779F9)
_SECOND = np.uint64(0x27D4EB2F165667C5)
_A_NUMBER = np.uint64(1)
_PAD = 6
_STEPS = np.array([[-1], [-1], [-1], [1]])  # to the other characters of three words and of one
_LOW32, _LOW16 = np.uint64(0xFFFFFFFF), np.uint64(0xFFFF)
_S16, _S32 = np.uint64(16), np.uint64(32)


def sample_codes(words: Words, factors: Numbers, config: DedupConfig) -> dict[str, Any]:
    """Sample the codes of *words*; *factors*: weight of each keyword's block."""
    hashes = feature_codes(words)
    # Rank above code in one number: a code under several weights has its lowest rank first.
    ranked = _ranks(hashes, words.weights * factors) << _S32 | hashes & _LOW32
    ranked.sort()
    for count in (2 * config.sample, len(ranked)):  # the first usually suffices
        sample = (*dict.fromkeys((ranked[:count] & _LOW32).tolist()),)[: config.sample]
        if len(sample) == config.sample:
            break
    places, values = _sample_numbers(words, config.numbers)
    return {"codes": sample, "places": places, "values": values}


def _ranks(hashes: Hashes, weights: Numbers) -> Hashes:
    """Return the rank of each code as 32 bits: a float above 0, whose bits are in its order."""
    chance = ((hashes >> _S32).astype(np.float64) + 0.5) * 2.0**-32  # never 0 nor 1
    return (np.log(chance) / -weights).astype(np.float32).view(np.uint32).astype(np.uint64)


def _sample_numbers(words: Words, count: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the (place, value) pairs of lowest hash, the same ones in copies."""
    places, values = number_places(words)
    pairs = (places & _LOW32) << _S16 | values & _LOW16
    kept = sorted({*pairs.tolist()})[:count]
    return tuple(pair >> 16 for pair in kept), tuple(pair & 0xFFFF for pair in kept)


def feature_codes(words: Words) -> Hashes:
    """Return the code of each keyword: a hash of it and its two neighbours.

    A neighbour is a word, or two characters of a script without spaces (mostly one word).
    """
    if not len(words.keywords):
        return words.keywords
    # Before the first token stands the last one, which is a break.
    before = _words_at(words.hashes, words.single, words.firsts - 1, -1)
    after = _words_at(words.hashes, words.single, words.lasts + 1, 1)
    return _combine(words.keywords, before, after)


def number_places(words: Words) -> tuple[Hashes, Hashes]:
    """Return (context, value) hashes of the numbers among *words*, in text order.

    Of numbers that follow each other, such as those of a date and time, the first two: a stamp of
    the time alone makes no other report.

    The context of a number is the three words before it. Numbers among them count as one word, "a
    number": "high of 21 to 25" and "high of 9 to 14" have equal contexts and other values.
    If the number begins a line (a cell of a table, a counter), the context is the two words before
    and the one after it, as the line may have moved to another paragraph.
    """
    is_kept = words.numeric.copy()
    is_kept[2:] &= ~(words.numeric[1:-1] & words.numeric[:-2])
    at = is_kept.nonzero()[0]
    values = words.hashes.take(at)
    if not len(at):
        return values, values
    tokens, single = _padded(words.hashes), _padded(words.single)
    at += _PAD
    tokens[at] = _A_NUMBER
    first = at - 1  # the last token of the word before, of the one before that ...
    second = first - 1 - single.take(first)
    third = second - 1 - single.take(second)
    after = at + 1
    after += tokens.take(after) == BREAK_HASH
    near = _words_at(tokens, single, np.array([first, second, third, after]), _STEPS)
    begins_line = (tokens.take(first) == BREAK_HASH).nonzero()[0]
    contexts = near[:3].copy()
    contexts[:, begins_line] = near[1:, begins_line]
    return _combine(*contexts), values


def _padded(tokens: NDArray[_Kind]) -> NDArray[_Kind]:
    """Return *tokens* with `_PAD` zeros on each side, ten times faster than numpy's pad."""
    padded = np.zeros(len(tokens) + 2 * _PAD, tokens.dtype)
    padded[_PAD:-_PAD] = tokens
    return padded


def _words_at(
    tokens: Hashes, single: NDArray[np.bool_], at: Indexes, step: int | Indexes
) -> Hashes:
    """Return a hash of the word beginning (*step* 1) or ending (-1) at each of *at*."""
    is_single = single.take(at)
    return tokens.take(at) + tokens.take(at + step * is_single) * (is_single * _SECOND)


def _combine(middle: Hashes, left: Hashes, right: Hashes) -> Hashes:
    return mix(middle * _MIDDLE + left * _LEFT + right * _RIGHT)
