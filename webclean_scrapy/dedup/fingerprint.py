"""The fingerprint of a page, what is kept of it, and the comparison of two.

Features 7 (papers.md): cosine of keyword vectors >= 0.8.
Deviation: Jaccard similarity or containment of the weighted samples, so that copies with removed
or added paragraphs match; and a check of numbers, so that reports of the same wording with other
numbers do not.
"""

from __future__ import annotations

import math
import struct
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from webclean_scrapy.errors import StoreSchemeError

if TYPE_CHECKING:
    from webclean_scrapy.dedup.config import DedupConfig

DUPLICATE, UPDATE, VERSION = "duplicate", "update", "version"

# Exact hash, size, flags, codes, numbers; version, two times, and two numbers of lines.
_HEAD = struct.Struct("<QIBBBxIIIHH")
_COMPLETE = 2  # flag
_LIST = 0x5BD1E995  # any number: what is made with it meets nothing that is made without
NO_LIMIT = 0x10000  # above every rank: the sample is all the page has


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprint:
    """The fingerprint of a page. Two of the same `scheme_of` can be compared."""

    exact: int = 0  # 64-bit hash of the words; 0: there are none
    codes: tuple[int, ...]  # 32 bits each, rising rank
    ranks: tuple[int, ...]  # 16 bits each, on a logarithmic scale
    size: int = 0  # keywords of the page
    complete: bool = True  # *codes* are all codes of the page, not a sample
    places: tuple[int, ...] = ()  # contexts of numbers, 32 bits each, sorted; may repeat
    values: tuple[int, ...] = ()  # the number in each place, 16 bits of its hash
    # With the option ``versions``:
    lines: tuple[int, ...] = ()  # 32 bits of the hash of each line of the text
    added: int = 0  # seconds of the clock of its store; 0: not known
    version: int = 1  # of the text of its key
    old_lines: tuple[int, ...] = ()  # of the version before, which was confirmed
    old_added: int = 0

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
        codes = tuple(code ^ _LIST for code in self.codes)
        return replace(self, exact=exact, codes=codes, lines=())

    def follow(
        self, old: Fingerprint, *, is_confirmed: bool, min_change: float = 0.0
    ) -> Fingerprint:
        """Return this fingerprint as that of the key that had *old*.

        It is a version more if *old* was confirmed and lacks one of its lines. Lines that are gone
        are none: more often than an author cuts an article, the reading of its page has learned to
        leave a line out. They stay known, so that a reading that has them again is none either.
        *min_change*: the least share of lines that a version changes.
        """
        is_new = self.exact != old.exact and not set(self.lines) <= set(old.lines)
        if is_new and is_confirmed:
            number = old.version + 1
            version = replace(self, version=number, old_lines=old.lines, old_added=old.added)
            if version.change.share >= min_change:
                return version
        same = replace(self, version=old.version, old_lines=old.old_lines, old_added=old.old_added)
        return same if is_new and not is_confirmed else replace(same, lines=old.lines)

    @property
    def change(self) -> Change:
        """The change that this version makes; all of it where the one before is not known."""
        ours, theirs = Counter(self.lines), Counter(self.old_lines)
        added, removed = (ours - theirs).total(), (theirs - ours).total()
        share = (added + removed) / max(1, len(self.lines) + len(self.old_lines))
        return Change(self.version, round(share, 3), added, removed, self.old_added)

    def pack(self) -> bytes:
        """Return little-endian bytes, at most 32 + 6 * (codes + numbers) + 4 * (all lines)."""
        codes, numbers, lines = len(self.codes), len(self.places), len(self.lines)
        flags, old_lines = self.complete * _COMPLETE, len(self.old_lines)
        return _HEAD.pack(
            self.exact, self.size, flags, codes, numbers,
            self.version, self.added, self.old_added, lines, old_lines,
        ) + struct.pack(
            f"<{codes}I{codes}H{numbers}I{numbers}H{lines + old_lines}I",
            *self.codes, *self.ranks, *self.places, *self.values, *self.lines, *self.old_lines,
        )  # fmt: skip

    @classmethod
    def unpack(cls, data: bytes) -> Fingerprint:
        """Return the fingerprint that `pack` wrote into *data*. Raises: StoreSchemeError."""
        try:
            exact, size, flags, codes, numbers, *times, lines, old = _HEAD.unpack_from(data)
            form = f"<{codes}I{codes}H{numbers}I{numbers}H{lines + old}I"
            parts = struct.unpack(form, data[_HEAD.size :])
        except (struct.error, TypeError) as error:  # TypeError: the file holds another type
            raise StoreSchemeError(f"damaged fingerprint in the store: {error}") from error
        if not codes and not flags & _COMPLETE:
            raise StoreSchemeError("damaged fingerprint in the store: a sample without codes")
        a, b, c = 2 * codes, 2 * codes + numbers, 2 * (codes + numbers)
        version, added, old_added = times
        return cls(
            exact=exact, size=size, codes=parts[:codes], ranks=parts[codes:a], places=parts[a:b],
            values=parts[b:c], complete=bool(flags & _COMPLETE), version=version, added=added,
            old_added=old_added, lines=parts[c : c + lines], old_lines=parts[c + lines :],
        )  # fmt: skip


class Change(NamedTuple):
    """The change of a new version of a page; the title and the order of lines do not count."""

    version: int  # 2, 3 ...
    share: float  # of the lines of both versions, those that one of them alone has, 0..1
    added: int  # lines
    removed: int
    before: int  # when the version before was added, seconds; 0: not known


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
    verdict: str  # `DUPLICATE`, `UPDATE`, or `VERSION`: the key itself had another text
    change: Change | None = field(default=None, repr=False)  # of a version


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


def compare_samples(old: Fingerprint, new: Fingerprint, config: DedupConfig) -> Comparison | None:
    overlap = measure_overlap(old, new)
    if min(overlap.old, overlap.new) < config.min_codes:
        return None
    is_part = (
        overlap.shared >= config.min_codes and overlap.sure_containment >= config.min_containment
    )
    is_alike = is_part or overlap.jaccard >= config.min_jaccard
    if not is_alike or numbers_contradict(old, new, config):
        return None
    similarity = round(max(overlap.jaccard, overlap.containment), 4)
    holds_old = overlap.shared >= config.update_contained * overlap.old
    is_longer = new.size - old.size >= config.update_longer * new.size
    return Comparison(similarity, UPDATE if holds_old and is_longer else DUPLICATE)
