"""The fingerprint of a page, and what comes of the comparison of two."""

from __future__ import annotations

import struct
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

from webclean_scrapy.errors import StoreSchemeError

DUPLICATE, UPDATE, OVERLAP, VERSION = "duplicate", "update", "overlap", "version"

# Exact hash, length, level, codes, ranks, numbers, terms; version, two times, two numbers of lines.
_HEAD = struct.Struct("<QIBBBBHIIIHH")
_MOST_LEVEL = 16  # the bits of a term
_LIST = 0x5BD1E995  # any number: what is made with it meets nothing that is made without


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprint:
    """The fingerprint of a page. Two of the same `scheme_of` can be compared."""

    exact: int = 0  # 64-bit hash of the words; 0: there are none
    codes: tuple[int, ...]  # 32 bits each; of the method "codes" by rising rank
    ranks: tuple[int, ...] = ()  # 16 bits each, of the method "keywords": weight of each code
    length: int = 0  # words of the text; a character of a script without spaces counts .6
    level: int = 0  # one term in 2 ** level is kept
    terms: bytes = b""  # 16 bits each, in text order
    names: bytes = b""  # a bit for each term: it is a name or a number
    places: tuple[int, ...] = ()  # contexts of numbers, 32 bits each, sorted; may repeat
    values: tuple[int, ...] = ()  # the number in each place, 16 bits of its hash
    # With the option ``versions``:
    lines: tuple[int, ...] = ()  # 32 bits of the hash of each line of the text
    added: int = 0  # seconds of the clock of its store; 0: not known
    version: int = 1  # of the text of its key
    old_lines: tuple[int, ...] = ()  # of the version before, which was confirmed
    old_added: int = 0

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
        """Return little-endian bytes: about 6 for a code or number, 2.1 a term, 4 a line."""
        codes, ranks, numbers = len(self.codes), len(self.ranks), len(self.places)
        lines, old_lines = len(self.lines), len(self.old_lines)
        return b"".join((
            _HEAD.pack(
                self.exact, self.length, self.level, codes, ranks, numbers, len(self.terms) // 2,
                self.version, self.added, self.old_added, lines, old_lines,
            ),
            struct.pack(
                f"<{codes}I{ranks}H{numbers}I{numbers}H{lines + old_lines}I",
                *self.codes, *self.ranks, *self.places, *self.values, *self.lines, *self.old_lines,
            ),
            self.terms,
            self.names,
        ))  # fmt: skip

    @classmethod
    def unpack(cls, data: bytes) -> Fingerprint:
        """Return the fingerprint that `pack` wrote into *data*. Raises: StoreSchemeError."""
        try:
            exact, length, level, *counts, lines, old = _HEAD.unpack_from(data)
            codes, ranks, numbers, terms, version, added, old_added = counts
            form = f"<{codes}I{ranks}H{numbers}I{numbers}H{lines + old}I"
            end = _HEAD.size + struct.calcsize(form)
            parts = iter(struct.unpack(form, data[_HEAD.size : end]))
        except (struct.error, TypeError) as error:  # TypeError: the file holds another type
            raise StoreSchemeError(f"damaged fingerprint in the store: {error}") from error
        if len(data) != end + 2 * terms + -(-terms // 8) or level > _MOST_LEVEL:
            raise StoreSchemeError("damaged fingerprint in the store: its terms are not whole")
        take = partial(islice, parts)
        return cls(
            exact=exact, length=length, level=level, version=version, added=added,
            old_added=old_added, codes=(*take(codes),), ranks=(*take(ranks),),
            places=(*take(numbers),), values=(*take(numbers),), lines=(*take(lines),),
            old_lines=(*take(old),), terms=data[end : end + 2 * terms],
            names=data[end + 2 * terms :],
        )  # fmt: skip


class Change(NamedTuple):
    """The change of a new version of a page; the title and the order of lines do not count."""

    version: int  # 2, 3 ...
    share: float  # of the lines of both versions, those that one of them alone has, 0..1
    added: int  # lines
    removed: int
    before: int  # when the version before was added, seconds; 0: not known


class Verdict(NamedTuple):
    """What two pages have in common, and what the newer one is to the older one."""

    similarity: float  # what both have, as a share of all that one of them has, 0..1
    verdict: str  # `DUPLICATE`, `UPDATE` or `OVERLAP`
    own: float | None = None  # share of the newer page that is its own, 0..1; None: not measured
    is_sure: bool = True  # whatever other pages are like


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A page of the index, and what the new page is to it."""

    key: str  # of the page of the index
    similarity: float  # 0..1; 1.0 for equal texts
    own: float | None = None  # share of the new page that is its own; None: the method has none
    verdict: str  # `DUPLICATE`, `UPDATE`, `OVERLAP`, or `VERSION`: the key itself had another text
    change: Change | None = field(default=None, repr=False)  # of a version

    def to_record(self, key: str, *, replaces: bool = False) -> dict[str, Any]:
        """Return what the record of an item says of its match, the page *key*."""
        role = "overlaps" if self.verdict == OVERLAP else "duplicate_of"
        own = {} if self.own is None else {"own": round(self.own, 3)}
        return {
            "replaces" if replaces else role: key, "similarity": round(self.similarity, 3), **own
        }  # fmt: skip
