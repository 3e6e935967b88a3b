"""Compare two fingerprints and decide: a duplicate, an update, or another page.

"Web page feature extraction" collection, paper 7: cosine of keyword vectors >= 0.8.
Deviation: Jaccard or containment of the weighted samples, which reposts that cut or add
paragraphs pass, and a guard against reports of one wording with other numbers, which they do not.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from webclean_scrapy.dedup.config import DedupConfig
    from webclean_scrapy.dedup.fingerprint import Fingerprint

DUPLICATE, UPDATE = "duplicate", "update"


class Overlap(NamedTuple):
    """Codes below the rank up to which both samples are complete."""

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
        """`containment` less twice its standard error at most: of few codes it says little.

        Without it, one sentence that a short notice shares with a digest makes it a copy.
        """
        return self.containment - 1.0 / math.sqrt(max(1, min(self.old, self.new)))


class Judgement(NamedTuple):
    """How alike two pages are (0..1) and what that makes the newer one."""

    similarity: float
    verdict: str


def measure_overlap(old: Fingerprint, new: Fingerprint) -> Overlap:
    """Return how many codes each page has, and shares, in the range both samples cover."""
    limit = min(old.limit, new.limit)
    ours = old.codes[: bisect_right(old.ranks, limit)]
    theirs = new.codes[: bisect_right(new.ranks, limit)]
    return Overlap(len(ours), len(theirs), len({*ours} & {*theirs}))


def numbers_contradict(old: Fingerprint, new: Fingerprint, config: DedupConfig) -> bool:
    """Whether the same words come with other numbers too often for a copy."""
    shared = set(old.places) & set(new.places)
    if len(shared) < config.number_places:
        return False
    ours = zip(old.places, old.values, strict=True)
    theirs = zip(new.places, new.values, strict=True)
    agreeing = {place for place, _ in set(ours) & set(theirs)}
    other = len(shared - agreeing)
    return other >= config.number_places and other >= config.number_share * len(shared)


def judge(old: Fingerprint, new: Fingerprint, config: DedupConfig) -> Judgement | None:
    """Return what *new* is to *old*, or None when it is another page."""
    if new.exact and old.exact == new.exact:
        return Judgement(1.0, DUPLICATE)
    overlap = measure_overlap(old, new)
    if min(overlap.old, overlap.new) < config.min_codes:
        return None
    jaccard, containment = config.min_jaccard, config.min_containment
    if old.whole_page or new.whole_page:
        jaccard, containment = config.whole_page_jaccard, config.whole_page_containment
    is_part = overlap.shared >= config.min_codes and overlap.sure_containment >= containment
    if overlap.jaccard < jaccard and not is_part:
        return None
    if numbers_contradict(old, new, config):
        return None
    similarity = round(max(overlap.jaccard, overlap.containment), 4)
    return Judgement(similarity, UPDATE if _is_update(overlap, config) else DUPLICATE)


def _is_update(overlap: Overlap, config: DedupConfig) -> bool:
    contained = overlap.shared >= config.update_contained * overlap.old
    return contained and overlap.new - overlap.shared >= config.update_new * overlap.new
