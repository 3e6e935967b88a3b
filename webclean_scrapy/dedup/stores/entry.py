"""A page in a local store, and what a search for it finds."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from webclean_scrapy.dedup.fingerprint import Fingerprint
from webclean_scrapy.dedup.stores import Match

if TYPE_CHECKING:
    from webclean_scrapy.dedup.comparison import Judgement

_LOW32 = 0xFFFFFFFF


class Entry(NamedTuple):
    """A page in a store. *data* is its packed fingerprint, None when it only is a copy."""

    row: int
    key: str
    cluster: int  # equal for near-duplicates
    run: str | None  # None: confirmed
    data: bytes | None

    @property
    def fingerprint(self) -> Fingerprint:
        """Its fingerprint, which a copy has none of. Raises: StoreSchemeError."""
        return Fingerprint.unpack(self.data or b"")


class Found(NamedTuple):
    """A representative and what the new page is to it."""

    entry: Entry
    judgement: Judgement

    def match(self) -> Match:
        """Return what callers see."""
        return Match(
            key=self.entry.key,
            similarity=self.judgement.similarity,
            verdict=self.judgement.verdict,
        )


def code_of_text(exact: int) -> int:
    """Return the code by which a page of the same text is found."""
    return exact & _LOW32
