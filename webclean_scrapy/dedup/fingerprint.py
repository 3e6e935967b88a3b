"""The fingerprint of a page: a weighted sample of its feature codes, the same one in copies.

Every code has a rank, -ln(u) / weight with u in 0..1 from its hash; the codes of the lowest ranks
are kept (bottom-k sampling with exponential ranks: Cohen, "Size-estimation framework", JCSS 1997).
As the rank is a property of the code, two pages keep the same codes of what they share, also when
one page is a part of the other. The Top-10 keywords of Features 7 (papers.md) lack that.

The upper 32 bits of a hash decide the rank, the lower 32 are the code. That halves an entry, and a
random collision does no harm: a candidate needs two shared codes, a match several.
"""

from __future__ import annotations

import hashlib
import itertools
import struct
import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.dedup.feature_codes import feature_codes, number_places
from webclean_scrapy.dedup.text_words import BREAK_HASH, WordReader
from webclean_scrapy.errors import StoreSchemeError
from webclean_scrapy.keywords.tag_weights import EMPHASISED, MOST_IN_FINGERPRINT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from webclean_scrapy.dedup.config import DedupConfig
    from webclean_scrapy.dedup.text_words import Words
    from webclean_scrapy.dedup.word_hashes import Hashes

    Block = tuple[str, float]

_HEAD = struct.Struct("<QBBBx")  # exact hash, flags, codes, numbers
_WHOLE_PAGE, _COMPLETE = 1, 2
_LOW32, _LOW16 = np.uint64(0xFFFFFFFF), np.uint64(0xFFFF)
_S16 = np.uint64(16)
_LOWER, _UPPER = (0, 1) if sys.byteorder == "little" else (1, 0)
# Ranks are kept as logarithms in 65,536 steps of 0.05 %: from that of the rarest title word to that
# of the most frequent word with the unluckiest hash.
_LOWEST_RANK = -29.0
_RANK_STEPS = 65535 / 33.0
_LIST = 0x5BD1E995  # any number: what is made with it meets nothing that is made without
NO_LIMIT = 0x10000  # above every rank: the sample is all the page has


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprint:
    """What is kept of a page. Two of the same `DedupConfig.scheme` can be compared."""

    exact: int  # 64-bit hash of the words; 0: there are none
    codes: tuple[int, ...]  # 32 bits each, rising rank
    ranks: tuple[int, ...]  # 16 bits each, on a logarithmic scale
    complete: bool = True  # *codes* are all codes of the page, not a sample
    places: tuple[int, ...] = ()  # contexts of numbers, 32 bits each, sorted; may repeat
    values: tuple[int, ...] = ()  # the number in each place, 16 bits of its hash
    whole_page: bool = False  # made from a whole page, as no body was extracted

    @property
    def limit(self) -> int:
        """The rank up to which every code of the page is in the sample."""
        return NO_LIMIT if self.complete else self.ranks[-1]

    def of_list(self) -> Fingerprint:
        """Return the fingerprint of a page that lists others: only such pages are its copies.

        A list repeats the texts of its articles. Were it compared with them, the article that comes
        after its list would be taken for a copy and be lost.
        """
        exact = self.exact ^ _LIST if self.exact else 0
        return replace(self, exact=exact, codes=tuple(code ^ _LIST for code in self.codes))

    def pack(self) -> bytes:
        """Return the fingerprint as little-endian bytes, at most 12 + 6 * (codes + numbers)."""
        codes, numbers = len(self.codes), len(self.places)
        flags = self.whole_page * _WHOLE_PAGE | self.complete * _COMPLETE
        return _HEAD.pack(self.exact, flags, codes, numbers) + struct.pack(
            f"<{codes}I{codes}H{numbers}I{numbers}H",
            *self.codes, *self.ranks, *self.places, *self.values,
        )  # fmt: skip

    @classmethod
    def unpack(cls, data: bytes) -> Fingerprint:
        """Return the fingerprint that `pack` wrote into *data*. Raises: StoreSchemeError."""
        try:
            exact, flags, codes, numbers = _HEAD.unpack_from(data)
            parts = struct.unpack(f"<{codes}I{codes}H{numbers}I{numbers}H", data[_HEAD.size :])
        except (struct.error, TypeError) as error:  # TypeError: the file holds another type
            raise StoreSchemeError(f"damaged fingerprint in the store: {error}") from error
        if not codes and not flags & _COMPLETE:
            raise StoreSchemeError("damaged fingerprint in the store: a sample without codes")
        a, b, c = 2 * codes, 2 * codes + numbers, 2 * (codes + numbers)
        return cls(
            exact=exact, codes=parts[:codes], ranks=parts[codes:a], places=parts[a:b],
            values=parts[b:c], complete=bool(flags & _COMPLETE),
            whole_page=bool(flags & _WHOLE_PAGE),
        )  # fmt: skip


class PageReader:
    """Reads the words of pages. Holds the dictionary, so one serves many pages and threads."""

    def __init__(self, config: DedupConfig) -> None:
        self._reader = WordReader(config.stop_words, config.user_words, config.idf_table)
        self._max_chars = config.max_chars

    def read(
        self, blocks: Sequence[Block], title: Block | None, phrases: Sequence[str] = ()
    ) -> tuple[Words, NDArray[np.float64]]:
        """Return the words of *blocks* and then *title*, and the block's weight of each keyword.

        Keywords of *phrases* weigh at least `EMPHASISED` wherever they occur.
        """
        blocks = [*blocks, title] if title else blocks
        texts = [text for text, _ in blocks]
        if phrases:
            texts.append("\n".join(phrases))
        words = self._reader.read([text[: self._max_chars] for text in texts])
        words, emphasised = _cut_last(words) if phrases else (words, None)
        factors = np.full(len(words.firsts), float(blocks[0][1]))
        if len(blocks) > 1:
            starts = words.firsts.searchsorted(list(itertools.accumulate(words.blocks)))
            for (_, weight), start in zip(blocks[1:], starts.tolist(), strict=False):
                factors[start:] = weight
        if emphasised is not None:
            raised = np.isin(words.keywords, emphasised) & (factors < EMPHASISED)
            factors[raised] = EMPHASISED
        return words, factors


class Fingerprinter:
    """Makes fingerprints. One serves many pages and threads."""

    def __init__(self, config: DedupConfig) -> None:
        self._config = config
        self._reader = PageReader(config)

    def make(
        self,
        blocks: Sequence[Block],
        *,
        title: Block | None = None,
        whole_page: bool = False,
        phrases: Sequence[str] = (),
    ) -> Fingerprint:
        """Return the fingerprint of a page given as (text, weight) *blocks* and its *title*.

        The words of *phrases* are emphasised.
        The exact hash leaves the title out, as copies often have another one; not so for short
        texts: "Loading ..." under two titles is two pages.
        Cost: linear in the first `max_chars` characters of each block.
        """
        words, factors = self._reader.read(blocks, title, phrases)
        body_end = sum(words.blocks[: len(blocks)])
        codes, ranks = self._sample(feature_codes(words), words.weights * factors)
        places, values = self._number_sample(*number_places(words))
        is_short = int(words.firsts.searchsorted(body_end)) < self._config.min_codes
        kept = min(self._config.sample, len(codes))
        return Fingerprint(
            exact=exact_hash(words.hashes if is_short else words.hashes[:body_end]),
            codes=tuple(codes[:kept]),
            ranks=tuple(ranks[:kept]),
            complete=kept == len(codes),
            places=tuple(places),
            values=tuple(values),
            whole_page=whole_page,
        )

    def _sample(self, hashes: Hashes, weights: NDArray[np.float64]) -> tuple[list[int], list[int]]:
        """Return (codes, ranks), lowest rank first: up to one more than are kept."""
        # Rank above code in one number: sorting is several times as fast without an index.
        ranked = np.empty(len(hashes), np.uint64)
        _halves(ranked, _LOWER)[:] = _halves(hashes, _LOWER)
        _halves(ranked, _UPPER)[:] = _rank_steps(hashes, weights)
        ranked.sort()
        wanted = self._config.sample + 1
        codes = _halves(ranked[:wanted], _LOWER).tolist()
        if len({*codes}) < len(codes):
            # Equal codes of blocks of one weight have equal ranks, so they stand together.
            ranked = ranked[_is_new(ranked)]
            codes = _halves(ranked[:wanted], _LOWER).tolist()
        if len({*codes}) == len(codes):
            return codes, _halves(ranked[:wanted], _UPPER).tolist()
        sample: dict[int, int] = {}
        for at in range(0, min(len(ranked), 4 * wanted), wanted):
            for pair in ranked[at : at + wanted].tolist():
                sample.setdefault(pair & 0xFFFFFFFF, pair >> 32)
            if len(sample) >= wanted:
                break
        return list(sample)[:wanted], list(sample.values())[:wanted]

    def _number_sample(self, places: Hashes, values: Hashes) -> tuple[list[int], list[int]]:
        """Return the (place, value) pairs of lowest hash, so that copies keep the same ones."""
        pairs = (places & _LOW32) << _S16 | values & _LOW16
        kept = sorted({*pairs.tolist()})[: self._config.numbers]
        return [pair >> 16 for pair in kept], [pair & 0xFFFF for pair in kept]


def weighted_blocks(text: str, line_weights: Mapping[str, float]) -> list[Block]:
    r"""Return *text* as blocks of lines of equal weight: that in *line_weights*, else 1.

    >>> weighted_blocks("A head\none\ntwo", {"A head": 3.0})
    [('A head', 2.0), ('one\ntwo', 1.0)]
    """
    weights = [min(line_weights.get(line, 1.0), MOST_IN_FINGERPRINT) for line in text.split("\n")]
    pairs = zip(weights, text.split("\n"), strict=True)
    return [
        ("\n".join(line for _, line in group), weight)
        for weight, group in itertools.groupby(pairs, key=lambda pair: pair[0])
    ]


def find_phrases(text: str, marked: Mapping[str, float]) -> list[str]:
    r"""Return the texts of *marked* that are no lines of *text*.

    >>> find_phrases("A head\none two", {"A head": 3.0, "two": 1.5})
    ['two']
    """
    lines = set(text.split("\n"))
    return [phrase for phrase in marked if phrase not in lines]


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
    return ranks


def _is_new(hashes: Hashes) -> NDArray[np.bool_]:
    """Whether each of *hashes* differs from the one before it."""
    is_new = np.empty(len(hashes), np.bool_)
    is_new[:1] = True
    np.not_equal(hashes[1:], hashes[:-1], out=is_new[1:])
    return is_new


def exact_hash(words: Hashes) -> int:
    """Return 64 bits, equal for equal words in equal order; 0 for no words."""
    words = words.compress(words != BREAK_HASH)  # copies may wrap lines elsewhere
    if not len(words):
        return 0
    digest = hashlib.blake2b(words.astype("<u8", copy=False).data, digest_size=8).digest()
    return int.from_bytes(digest, "little") or 1
