"""Compare two fingerprints: the newer page is a duplicate, an update, or another page.

Features 7 (papers.md): cosine of keyword vectors >= 0.8.
Deviation: Jaccard similarity or containment of the weighted samples, so that copies with removed
or added paragraphs match; and a check of numbers, so that reports of the same wording with other
numbers do not.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from webclean_scrapy.dedup.config import DedupConfig
    from webclean_scrapy.dedup.fingerprint import Fingerprint

DUPLICATE, UPDATE = "duplicate", "update"


class Overlap(NamedTuple):
    """Numbers of codes, up to the rank to which both samples are complete."""

    old: int
    new: int
    shared: int

    @property
    def jaccard(self) -> float:
        """Shared codes as a share of all, 0..1."""
        return self.shared / max(1, self.old + self.new - self.shared)

    @property
    def containment(self) -> float:
        """Shared codes as a share of the smaller page, 0..1."""
        return self.shared / max(1, min(self.old, self.new))

    @property
    def sure_containment(self) -> float:
        """`containment` minus twice its largest standard error: few codes prove little.

        Without it, one sentence that a short notice shares with a digest makes it a copy.
        """
        return self.containment - 1.0 / math.sqrt(max(1, min(self.old, self.new)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A page of the index, and what the new page is to it."""

    key: str  # of the page of the index
    similarity: float  # 0..1; 1.0 for equal texts
    verdict: str  # `DUPLICATE` or `UPDATE`


class Comparison(NamedTuple):
    """The similarity of two pages (0..1), and what the newer one is to the older one."""

    similarity: float
    verdict: str  # `DUPLICATE` or `UPDATE`


def measure_overlap(old: Fingerprint, new: Fingerprint) -> Overlap:
    """Return how many codes each page has and both share, in the range both samples cover."""
    limit = min(old.limit, new.limit)
    ours = old.codes[: bisect_right(old.ranks, limit)]
    theirs = new.codes[: bisect_right(new.ranks, limit)]
    return Overlap(len(ours), len(theirs), len({*ours} & {*theirs}))


def numbers_contradict(old: Fingerprint, new: Fingerprint, config: DedupConfig) -> bool:
    """True if the same words come before other numbers too often for a copy."""
    shared = set(old.places) & set(new.places)
    if len(shared) < config.number_places:
        return False
    ours = zip(old.places, old.values, strict=True)
    theirs = zip(new.places, new.values, strict=True)
    agreeing = {place for place, _ in set(ours) & set(theirs)}
    other = len(shared - agreeing)
    return other >= config.number_places and other >= config.number_share * len(shared)


def compare(old: Fingerprint, new: Fingerprint, config: DedupConfig) -> Comparison | None:
    """Return what *new* is to *old*, or None when it is another page."""
    if new.exact and old.exact == new.exact:
        return Comparison(1.0, DUPLICATE)
    overlap = measure_overlap(old, new)
    if min(overlap.old, overlap.new) < config.min_codes:
        return None
    is_part = (
        overlap.shared >= config.min_codes and overlap.sure_containment >= config.min_containment
    )
    if overlap.jaccard < config.min_jaccard and not is_part:
        return None
    if numbers_contradict(old, new, config):
        return None
    similarity = round(max(overlap.jaccard, overlap.containment), 4)
    holds_old = overlap.shared >= config.update_contained * overlap.old
    is_longer = new.size - old.size >= config.update_longer * new.size
    return Comparison(similarity, UPDATE if holds_old and is_longer else DUPLICATE)
