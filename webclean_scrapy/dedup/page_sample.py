"""The weighted sample of a page's feature codes, and of its numbers: what a fingerprint holds.

Every code has a rank, -ln(u) / weight with u in 0..1 from its hash; the codes of the lowest ranks
are kept (bottom-k sampling with exponential ranks: Cohen, "Size-estimation framework", JCSS 1997).
As the rank is a property of the code, two pages keep the same codes of what they share, also when
one page is a part of the other. The Top-10 keywords of Features 7 (papers.md) lack that.

The upper 32 bits of a hash decide the rank, the lower 32 are the code. That halves an entry, and a
random collision does no harm: a candidate needs two shared codes, a match several.

Where `compiled_page` was built, one pass in C gives the same (docs/method/architecture.md). numpy's
logarithm may have another last bit there; then one rank of 10^11 is another, by one step.
"""

from __future__ import annotations

import functools
import hashlib
import itertools
import sys
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from webclean_scrapy.dedup.feature_codes import RANK_SCALE, feature_codes, number_places
from webclean_scrapy.dedup.text_words import BREAK_HASH, WordReader
from webclean_scrapy.keywords.tag_weights import EMPHASISED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from webclean_scrapy.dedup.config import DedupConfig
    from webclean_scrapy.dedup.text_words import Words
    from webclean_scrapy.dedup.word_hashes import Hashes, Numbers

    Block = tuple[str, float]

try:
    from webclean_scrapy.dedup import compiled_page
except ImportError:  # not built
    IS_COMPILED = False
else:
    IS_COMPILED = True

_LOW32, _LOW16 = np.uint64(0xFFFFFFFF), np.uint64(0xFFFF)
_S16 = np.uint64(16)
_LOWER, _UPPER = (0, 1) if sys.byteorder == "little" else (1, 0)
_LOWEST_RANK, _RANK_STEPS, _HIGHEST_RANK = RANK_SCALE


class Sample(NamedTuple):
    """What is kept of a page."""

    exact: int  # 64-bit hash of the words; 0: there are none
    codes: Sequence[int]  # 32 bits each, rising rank; one more than wanted if there are more
    ranks: Sequence[int]  # 16 bits each
    places: Sequence[int]  # contexts of numbers, 32 bits each, sorted; may repeat
    values: Sequence[int]  # the number in each place, 16 bits of its hash


class PageReader:
    """Reads the words of pages. Holds the dictionary, so one serves many pages and threads."""

    def __init__(self, config: DedupConfig) -> None:
        self.words = WordReader(config.stop_words, config.user_words, config.idf_table)
        self._max_chars = config.max_chars

    def texts(
        self, blocks: Sequence[Block], title: Block | None, phrases: Sequence[str]
    ) -> tuple[list[str], list[float]]:
        """Return what is read of a page, phrases last, and the weights of all but these."""
        texts = [text[: self._max_chars] for text, _ in blocks]
        weights = [weight for _, weight in blocks]
        if title:
            texts.append(title[0][: self._max_chars])
            weights.append(title[1])
        if phrases:
            texts.append("\n".join(phrases)[: self._max_chars])
        return texts, weights

    def read(
        self, blocks: Sequence[Block], title: Block | None, phrases: Sequence[str] = ()
    ) -> tuple[Words, NDArray[np.float64]]:
        """Return the words of *blocks* and then *title*, and the block's weight of each keyword.

        Keywords of *phrases* weigh at least `EMPHASISED` wherever they occur.
        """
        texts, weights = self.texts(blocks, title, phrases)
        words = self.words.read(texts)
        words, emphasised = _cut_last(words) if phrases else (words, None)
        factors = np.full(len(words.firsts), float(weights[0]))
        if len(weights) > 1:
            starts = words.firsts.searchsorted(list(itertools.accumulate(words.blocks)))
            for weight, start in zip(weights[1:], starts.tolist(), strict=False):
                factors[start:] = weight
        if emphasised is not None:
            raised = np.isin(words.keywords, emphasised) & (factors < EMPHASISED)
            factors[raised] = EMPHASISED
        return words, factors


class PageSampler:
    """Makes the samples of pages. One serves many pages and threads."""

    def __init__(self, config: DedupConfig) -> None:
        self._config = config
        self._reader = PageReader(config)

    def draw(self, blocks: Sequence[Block], title: Block | None, phrases: Sequence[str]) -> Sample:
        """Return the sample of *blocks* and then *title*; words of *phrases* are emphasised.

        The exact hash leaves the title out, but of a page with fewer codes than `min_codes`.
        Cost: linear in the first `max_chars` characters of each text.
        """
        draw = self.draw_compiled if IS_COMPILED else self.draw_pure
        return draw(blocks, title, phrases)

    def draw_compiled(
        self, blocks: Sequence[Block], title: Block | None, phrases: Sequence[str]
    ) -> Sample:
        """Return what `draw` does, in C. Raises NameError where that was not built."""
        texts, weights = self._reader.texts(blocks, title, phrases)
        words, *sample = self._compiled.draw(texts, weights, len(blocks))
        return Sample(_exact_digest(words), *sample)

    @functools.cached_property
    def _compiled(self) -> compiled_page.Sampler:
        options = self._config
        return compiled_page.Sampler(
            self._reader.words, options.sample + 1, options.numbers, options.min_codes
        )

    def draw_pure(
        self, blocks: Sequence[Block], title: Block | None, phrases: Sequence[str]
    ) -> Sample:
        """Return what `draw` does, by numpy."""
        words, factors = self._reader.read(blocks, title, phrases)
        body_end = sum(words.blocks[: len(blocks)])
        codes, ranks = self._sample(words, words.weights * factors)
        places, values = self._number_sample(words)
        is_short = int(words.firsts.searchsorted(body_end)) < self._config.min_codes
        exact = exact_hash(words.hashes if is_short else words.hashes[:body_end])
        return Sample(exact, codes, ranks, places, values)

    def _sample(self, words: Words, weights: Numbers) -> tuple[list[int], list[int]]:
        """Return (codes, ranks), lowest rank first: up to one more than are kept."""
        wanted = self._config.sample + 1
        hashes = feature_codes(words)
        # Rank above code in one number: sorting is several times as fast without an index.
        ranked = np.empty(len(hashes), np.uint64)
        _halves(ranked, _LOWER)[:] = _halves(hashes, _LOWER)
        _halves(ranked, _UPPER)[:] = _rank_steps(hashes, weights)
        ranked.sort()
        codes = _halves(ranked[:wanted], _LOWER).tolist()
        if len({*codes}) < len(codes):
            # Equal codes of blocks of one weight have equal ranks, so they stand together.
            ranked = ranked[_is_new(ranked)]
            codes = _halves(ranked[:wanted], _LOWER).tolist()
        if len({*codes}) == len(codes):
            return codes, _halves(ranked[:wanted], _UPPER).tolist()
        sample: dict[int, int] = {}
        for at in range(0, len(ranked), wanted):
            for pair in ranked[at : at + wanted].tolist():
                sample.setdefault(pair & 0xFFFFFFFF, pair >> 32)
            if len(sample) >= wanted:
                break
        return list(sample)[:wanted], list(sample.values())[:wanted]

    def _number_sample(self, words: Words) -> tuple[list[int], list[int]]:
        """Return the (place, value) pairs of lowest hash, so that copies keep the same ones."""
        places, values = number_places(words)
        pairs = (places & _LOW32) << _S16 | values & _LOW16
        kept = sorted({*pairs.tolist()})[: self._config.numbers]
        return [pair >> 16 for pair in kept], [pair & 0xFFFF for pair in kept]


def _cut_last(words: Words) -> tuple[Words, Hashes]:
    """Return *words* without their last block, and the keywords of that."""
    end = len(words.hashes) - words.blocks[-1]
    kept = np.searchsorted(words.firsts, end)
    before = words._replace(
        hashes=words.hashes[:end], numeric=words.numeric[:end], single=words.single[:end],
        blocks=words.blocks[:-1], keywords=words.keywords[:kept], weights=words.weights[:kept],
        firsts=words.firsts[:kept], lasts=words.lasts[:kept],
    )  # fmt: skip
    return before, words.keywords[kept:]


def _halves(hashes: Hashes, half: int) -> NDArray[np.uint32]:
    """Return the upper or lower 32 bits of each of *hashes*, not copied."""
    return hashes.view(np.uint32)[half::2]


def _rank_steps(hashes: Hashes, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the rank of each code, in steps of its logarithm; whole steps count."""
    ranks = _halves(hashes, _UPPER).astype(np.float64)
    ranks += 0.5  # so that it is never 0 nor 1
    ranks *= 2.0**-32
    np.log(ranks, out=ranks)
    ranks /= -weights
    np.log(ranks, out=ranks)
    ranks -= _LOWEST_RANK
    ranks *= _RANK_STEPS
    return np.minimum(ranks, _HIGHEST_RANK, out=ranks)


def _is_new(hashes: Hashes) -> NDArray[np.bool_]:
    """Whether each of *hashes* differs from the one before it."""
    is_new = np.empty(len(hashes), np.bool_)
    is_new[:1] = True
    np.not_equal(hashes[1:], hashes[:-1], out=is_new[1:])
    return is_new


def exact_hash(words: Hashes) -> int:
    """Return 64 bits, equal for equal words in equal order; 0 for no words."""
    words = words.compress(words != BREAK_HASH)  # copies may wrap lines elsewhere
    return _exact_digest(words.astype("<u8", copy=False).tobytes())


def _exact_digest(words: bytes) -> int:
    if not words:
        return 0
    return int.from_bytes(hashlib.blake2b(words, digest_size=8).digest(), "little") or 1
