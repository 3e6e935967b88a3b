"""The fingerprint of a page: a weighted sample of its feature codes, the same one in copies.

How the sample is drawn: see `page_sample`.
"""

from __future__ import annotations

import itertools
import struct
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from webclean_scrapy.dedup.page_sample import PageSampler
from webclean_scrapy.errors import StoreSchemeError
from webclean_scrapy.keywords.tag_weights import MOST_IN_FINGERPRINT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from webclean_scrapy.dedup.config import DedupConfig
    from webclean_scrapy.dedup.page_sample import Block

_HEAD = struct.Struct("<QBBBx")  # exact hash, flags, codes, numbers
_WHOLE_PAGE, _COMPLETE = 1, 2
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


class Fingerprinter:
    """Makes fingerprints. One serves many pages and threads."""

    def __init__(self, config: DedupConfig) -> None:
        self._config = config
        self._sampler = PageSampler(config)

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
        sample = self._sampler.draw(blocks, title, phrases)
        kept = min(self._config.sample, len(sample.codes))
        return Fingerprint(
            exact=sample.exact,
            codes=tuple(sample.codes[:kept]),
            ranks=tuple(sample.ranks[:kept]),
            complete=kept == len(sample.codes),
            places=tuple(sample.places),
            values=tuple(sample.values),
            whole_page=whole_page,
        )


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
