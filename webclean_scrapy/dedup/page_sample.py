"""The method "codes": a weighted sample of a page's feature codes, and of its numbers.

Every code has a rank, -ln(u) / weight with u in 0..1 from its hash; the codes of the lowest ranks
are kept (bottom-k sampling with exponential ranks: Cohen, "Size-estimation framework", JCSS 1997).
As the rank is a property of the code, two pages keep the same codes of what they share, also when
one page is a part of the other. The Top-10 keywords of Features 7 (papers.md) lack that.

The upper 32 bits of a hash decide the rank, the lower 32 are the code. That halves an entry, and a
random collision does no harm: a candidate needs two shared codes, a match several.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from webclean_scrapy.dedup.feature_codes import feature_codes, number_places

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webclean_scrapy.dedup.config import DedupConfig
    from webclean_scrapy.dedup.text_words import Words
    from webclean_scrapy.dedup.word_hashes import Hashes, Numbers

# Ranks are kept as logarithms in 65,536 steps of 0.05 %: from that of the rarest title word to that
# of the most frequent word with the unluckiest hash. Weights of users may be smaller.
_LOWEST_RANK, _RANK_STEPS, _HIGHEST_RANK = -29.0, 65535 / 33.0, 65535.0
_LOW32, _LOW16 = np.uint64(0xFFFFFFFF), np.uint64(0xFFFF)
_S16, _S32 = np.uint64(16), np.uint64(32)


class Codes(NamedTuple):
    """The parts of a page that a method keeps: fields of its `Fingerprint`."""

    codes: Sequence[int]
    ranks: Sequence[int]
    complete: bool = True
    places: Sequence[int] = ()
    values: Sequence[int] = ()


def sample_codes(words: Words, factors: Numbers, config: DedupConfig) -> Codes:
    """Return the sample of *words*; *factors*: weight of the block of each keyword."""
    hashes = feature_codes(words)
    # Rank above code in one number: a code under several weights has its lowest rank first.
    ranked = _rank_steps(hashes, words.weights * factors) << _S32 | hashes & _LOW32
    ranked.sort()
    sample: dict[int, int] = {}
    for pair in ranked.tolist():
        sample.setdefault(pair & 0xFFFFFFFF, pair >> 32)
        if len(sample) > config.sample:
            break
    complete = len(sample) <= config.sample
    places, values = _sample_numbers(words, config.numbers)
    codes, ranks = [*sample][: config.sample], [*sample.values()][: config.sample]
    return Codes(codes, ranks, complete, places, values)


def _rank_steps(hashes: Hashes, weights: Numbers) -> Hashes:
    """Return the rank of each code, in steps of its logarithm."""
    chance = ((hashes >> _S32).astype(np.float64) + 0.5) * 2.0**-32  # never 0 nor 1
    ranks = (np.log(np.log(chance) / -weights) - _LOWEST_RANK) * _RANK_STEPS
    return np.minimum(ranks, _HIGHEST_RANK).astype(np.uint32).astype(np.uint64)


def _sample_numbers(words: Words, count: int) -> tuple[list[int], list[int]]:
    """Return the (place, value) pairs of lowest hash, so that copies keep the same ones."""
    places, values = number_places(words)
    pairs = (places & _LOW32) << _S16 | values & _LOW16
    kept = sorted({*pairs.tolist()})[:count]
    return [pair >> 16 for pair in kept], [pair & 0xFFFF for pair in kept]
