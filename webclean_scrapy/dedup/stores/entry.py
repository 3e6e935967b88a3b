"""A page in a local store, and the result of a search."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from webclean_scrapy.dedup.fingerprint import Fingerprint
from webclean_scrapy.dedup.match import Match

if TYPE_CHECKING:
    from webclean_scrapy.dedup.comparison import Comparison

_LOW32 = 0xFFFFFFFF


class Entry(NamedTuple):
    """A page in a store. *data* is its packed fingerprint; None for a copy of another page."""

    row: int
    key: str
    cluster: int  # equal for near-duplicates
    run: str | None  # None: confirmed
    data: bytes | None
    added: int | None = None  # seconds of the clock; None: not known

    @property
    def fingerprint(self) -> Fingerprint:
        """Its fingerprint. Raises: StoreSchemeError, also for a copy, which has none."""
        return Fingerprint.unpack(self.data or b"")


class MatchedEntry(NamedTuple):
    """A representative and what the new page is to it."""

    entry: Entry
    comparison: Comparison

    @property
    def closeness(self) -> tuple[float, int]:
        """What is more similar comes first, of equals the later one."""
        return self.comparison.similarity, self.entry.row

    def to_match(self) -> Match:
        """Return what callers of the index get."""
        similarity, verdict = self.comparison
        return Match(key=self.entry.key, similarity=similarity, verdict=verdict)


def code_of_text(exact: int) -> int:
    """Return the code that pages of the same text share."""
    return exact & _LOW32
