"""The method "codes": a weighted sample of a page's feature codes, its terms and its numbers.

Features 2 and 7 (papers.md): the characters around an occurrence of a keyword are a feature
code (2); keywords are weighted by the blocks they are in (7).

Deviation: neighbours are words, not characters. A code is a stable 64-bit hash of three words:
order matters within a code, not between codes, as paragraphs may move.

Every code has a rank, -ln(u) / weight with u in 0..1 from its hash; the codes of the lowest ranks
are kept (bottom-k sampling with exponential ranks: Cohen, "Size-estimation framework", JCSS 1997).
The upper 32 bits of a hash decide the rank, the lower 32 are the code. That halves an entry, and a
random collision does no harm: a candidate needs two shared codes, a match several.

A term is a word (no stop word), a number, four kana or Thai letters, or two Chinese characters: an
entry of the dictionary, or a pair of which a character belongs to no entry. A term is a name if it
is a number, if it begins with a capital letter somewhere inside a sentence, or if neither of its
two characters belongs to an entry. Our choice (reconstructed: the papers do not compare where a
page differs).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from webclean_scrapy.dedup.text_words import BREAK_HASH, join_hashes, mix

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webclean_scrapy.dedup.config import DedupConfig
    from webclean_scrapy.dedup.normalize import Flags
    from webclean_scrapy.dedup.text_words import Hashes, Indexes, Numbers, Words

VALUE_BITS = 16  # of a term in a fingerprint
_MOST_OF_TITLE = 16  # terms
_MIDDLE = np.uint64(0x9E3779B97F4A7C15)
_LEFT = np.uint64(0xC2B2AE3D27D4EB4F)
_RIGHT = np.uint64(0x165667B19E3779F9)
_SECOND = np.uint64(0x27D4EB2F165667C5)
_SALT = np.uint64(0x2545F4914F6CDD1D)  # so that terms are drawn independently of the codes
_A_NUMBER = np.uint64(1)
_PADDING = np.zeros(6, np.bool_)
_STEPS = np.array([[-1], [-1], [-1], [1]])  # to the other characters of three words and of one
_LOW32, _LOW16 = np.uint64(0xFFFFFFFF), np.uint64(0xFFFF)
_S16, _S32 = np.uint64(16), np.uint64(32)


def sample_codes(words: Words, factors: Numbers, config: DedupConfig) -> dict[str, Any]:
    """Sample the codes of *words*; *factors*: weight of each keyword's block."""
    hashes = feature_codes(words)
    chance = ((hashes >> _S32).astype(np.float64) + 0.5) * 2.0**-32  # never 0 nor 1
    ranks = (np.log(chance) / -(words.weights * factors)).astype(np.float32)
    # Rank above code in one number: a code under several weights has its lowest rank first. The
    # bits of floats above 0 are in the order of the floats.
    ranked = ranks.view(np.uint32).astype(np.uint64) << _S32 | hashes & _LOW32
    ranked.sort()
    for count in (2 * config.sample, len(ranked)):  # the first usually suffices
        sample = (*dict.fromkeys((ranked[:count] & _LOW32).tolist()),)[: config.sample]
        if len(sample) == config.sample:
            break
    places, values = sample_numbers(words, config.numbers)
    return {"codes": sample, "places": places, "values": values}


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


def sample_numbers(words: Words, count: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return contexts and values of *count* numbers: the pairs of lowest hash, as in copies.

    Of numbers that follow each other, such as those of a date and time, the first two: a stamp of
    the time alone makes no other report.

    The context of a number is the three words before it. Numbers among them count as one word, "a
    number": "high of 21 to 25" and "high of 9 to 14" have equal contexts and other values.
    If the number begins a line (a cell of a table, a counter), the context is the two words before
    and the one after it, as the line may have moved to another paragraph.
    """
    is_kept = words.numeric.copy()
    is_kept[2:] &= ~(words.numeric[1:-1] & words.numeric[:-2])
    numbers = is_kept.nonzero()[0]
    values = words.hashes.take(numbers)
    if not len(numbers):
        return (), ()
    tokens = np.concatenate([_PADDING, words.hashes, _PADDING])
    single = np.concatenate([_PADDING, words.single, _PADDING])
    numbers += len(_PADDING)
    tokens[numbers] = _A_NUMBER
    first = numbers - 1  # the last token of the word before, of the one before that ...
    second = first - 1 - single.take(first)
    third = second - 1 - single.take(second)
    after = numbers + 1
    after += tokens.take(after) == BREAK_HASH
    near = _words_at(tokens, single, np.array([first, second, third, after]), _STEPS)
    begins_line = (tokens.take(first) == BREAK_HASH).nonzero()[0]
    contexts = near[:3].copy()
    contexts[:, begins_line] = near[1:, begins_line]
    pairs = (_combine(*contexts) & _LOW32) << _S16 | values & _LOW16
    kept = sorted({*pairs.tolist()})[:count]
    return tuple(pair >> 16 for pair in kept), tuple(pair & 0xFFFF for pair in kept)


def _words_at(
    tokens: Hashes, single: NDArray[np.bool_], at: Indexes, step: int | Indexes
) -> Hashes:
    """Return a hash of the word beginning (*step* 1) or ending (-1) at each of *at*."""
    is_single = single.take(at)
    return tokens.take(at) + tokens.take(at + step * is_single) * (is_single * _SECOND)


def _combine(middle: Hashes, left: Hashes, right: Hashes) -> Hashes:
    return mix(middle * _MIDDLE + left * _LEFT + right * _RIGHT)


def sample_terms(words: Words, end: int, most: int) -> dict[str, Any]:
    """Return the fields of a `Fingerprint` with at most *most* terms of *words*, in text order.

    The tokens up to *end* are the text, the others the title. Of a long page those are kept whose
    hash ends in a number of zero bits, the level. As that is a property of the term, two pages keep
    the same terms of what they share.
    """
    hashes, firsts, is_name = _find_terms(words)
    count = int(firsts.searchsorted(end))
    title = np.unique(hashes[count:].astype("<u2"))[:_MOST_OF_TITLE]
    hashes, firsts, is_name = hashes[:count], firsts[:count], is_name[:count]
    level = 0
    while len(hashes) > most and level < VALUE_BITS:
        kept = (hashes & np.uint64(1 << level) == 0).nonzero()[0]
        hashes, firsts, is_name = hashes.take(kept), firsts.take(kept), is_name.take(kept)
        level += 1
    values = (hashes[:most] >> np.uint64(level)).astype("<u2")
    names = words.hashes[:end][words.is_name[:end]]
    names.sort()
    bits = np.packbits(is_name[:most] | are_among(words.hashes.take(firsts[:most]), names))
    return {
        "level": level, "terms": values.tobytes(), "names": bits.tobytes(), "title": title.tobytes()
    }  # fmt: skip


def _find_terms(words: Words) -> tuple[Hashes, Indexes, Flags]:
    """Return the hash of each term, its first token, and whether it is a name.

    Words that are written like names are not marked yet.
    """
    hashes, single, numeric = words.hashes, words.single, words.numeric
    terms, is_term, is_name = hashes, numeric.copy(), numeric
    is_term[words.firsts] = True
    if np.count_nonzero(single):
        terms, is_name = hashes.copy(), numeric.copy()
        terms[words.firsts] = words.keywords
        is_free = single.copy()  # in no keyword of several tokens
        firsts, lasts = words.firsts, words.lasts
        is_long = lasts > firsts
        is_free[lasts[is_long]] = False
        while len(firsts := firsts[is_long]):
            is_free[firsts] = False
            lasts = lasts[is_long]
            firsts += 1
            is_long = firsts < lasts
        is_pair = single[:-1] & single[1:] & (is_free[:-1] | is_free[1:]) & ~is_term[:-1]
        firsts = is_pair.nonzero()[0]
        terms[firsts] = join_hashes(hashes.take(firsts), hashes.take(firsts + 1))
        is_term[firsts] = True
        is_name[firsts] = is_free.take(firsts) & is_free.take(firsts + 1)
    kept = is_term.nonzero()[0]
    return mix(terms.take(kept) + _SALT), kept, is_name.take(kept)


def are_among(values: NDArray[Any], known: NDArray[Any]) -> Flags:
    """Mark the *values* in the sorted *known*, five times faster than `np.isin`."""
    if not len(known):
        return np.zeros(len(values), np.bool_)
    found: Flags = known.take(known.searchsorted(values), mode="clip") == values
    return found
