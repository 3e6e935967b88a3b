"""The fingerprint of a page, and the result of a comparison."""

from __future__ import annotations

import struct
from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import accumulate, chain, islice, pairwise
from typing import Any, NamedTuple
from zlib import crc32

from webclean_scrapy.errors import StoreSchemeError

DUPLICATE, UPDATE, OVERLAP, VERSION = "duplicate", "update", "overlap", "version"

# Exact hash, length, level, codes, ranks, numbers, terms, terms of the title; version, two times,
# two numbers of lines.
_HEAD = struct.Struct("<QIBBBBHBIIIHH")
_LISTS = "<%dI%dH%dI%dH%dI%dI"  # codes, ranks, places, values, lines, old lines
_NAMES = (
    "codes", "ranks", "places", "values", "lines", "old_lines", "terms", "names", "title"
)  # fmt: skip
_MOST_LEVEL = 16  # the bits of a term
_LIST = 0x5BD1E995  # any number; separates the hashes of lists from others


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprint:
    """The fingerprint of a page. Only fingerprints with equal `scheme_of` are comparable."""

    exact: int = 0  # 64-bit hash of the words; 0 without words
    codes: tuple[int, ...]  # 32 bits each; of the method "codes" by rising rank
    ranks: tuple[int, ...] = ()  # 16 bits each, of the method "keywords": weight of each code
    length: int = 0  # words of the text; a character of a script without spaces counts .6
    level: int = 0  # one term in 2 ** level is kept
    terms: bytes = b""  # 16 bits each, in text order
    names: bytes = b""  # a bit for each term: it is a name or a number
    title: bytes = b""  # terms of the title, 16 bits each, sorted
    places: tuple[int, ...] = ()  # contexts of numbers, 32 bits each, sorted; may repeat
    values: tuple[int, ...] = ()  # the number in each place, 16 bits of its hash
    # With the option ``versions``:
    lines: tuple[int, ...] = ()  # 32 bits of the hash of each line of the text
    added: int = 0  # seconds of the clock of its store; 0: not known
    version: int = 1  # of the text of its key
    old_lines: tuple[int, ...] = ()  # of the version before, which was confirmed
    old_added: int = 0

    def of_list(self) -> Fingerprint:
        """Return the fingerprint of a list page, which is a copy of list pages only.

        A list repeats the texts of its articles. Were it compared with them, the article that comes
        after its list would be taken for a copy and be lost.
        """
        return replace(self._set_apart(_LIST), lines=())

    def of_record(self, title: str) -> Fingerprint:
        """Return a fingerprint that matches only pages with the same *title*.

        For products and other pages that are not articles: many share a description, and differ in
        the name alone.
        """
        return self._set_apart(crc32(" ".join(title.split()).casefold().encode(errors="replace")))

    def _set_apart(self, mask: int) -> Fingerprint:
        """Return a fingerprint that matches none with another *mask*, a number of 32 bits."""
        exact = self.exact ^ mask if self.exact else 0
        return replace(self, exact=exact, codes=tuple(code ^ mask for code in self.codes))

    def follow(
        self, old: Fingerprint, *, is_confirmed: bool, min_change: float = 0.0
    ) -> Fingerprint:
        """Return this fingerprint as successor of *old*, of the same key.

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
        """The change made by this version; all of it if the version before is unknown."""
        ours, theirs = Counter(self.lines), Counter(self.old_lines)
        added, removed = (ours - theirs).total(), (theirs - ours).total()
        share = (added + removed) / max(1, len(self.lines) + len(self.old_lines))
        return Change(self.version, round(share, 3), added, removed, self.old_added)

    def pack(self) -> bytes:
        """Pack into little-endian bytes: about 6 for a code or number, 2.1 a term, 4 a line."""
        lists = self.codes, self.ranks, self.places, self.values, self.lines, self.old_lines
        codes, ranks, numbers, _, *lines = counts = tuple(map(len, lists))
        head = _HEAD.pack(
            self.exact, self.length, self.level, codes, ranks, numbers, len(self.terms) // 2,
            len(self.title) // 2, self.version, self.added, self.old_added, *lines,
        )  # fmt: skip
        packed = struct.pack(_LISTS % counts, *chain.from_iterable(lists))
        return b"".join((head, packed, self.terms, self.names, self.title))

    @classmethod
    def unpack(cls, data: bytes) -> Fingerprint:
        """Read the fingerprint written by `pack`. Raises: StoreSchemeError."""
        try:
            head = _HEAD.unpack_from(data)
            exact, length, level, codes, ranks, numbers, terms, title, *more = head
            version, added, old_added, *lines = more
            counts = codes, ranks, numbers, numbers, *lines
            form = _LISTS % counts
            packed = iter(struct.unpack_from(form, data, _HEAD.size))
        except (struct.error, TypeError) as error:  # TypeError: the file holds another type
            raise StoreSchemeError(f"damaged fingerprint in the store: {error}") from error
        at = _HEAD.size + struct.calcsize(form)
        lengths = 2 * terms, -(-terms // 8), 2 * title
        ends = [*accumulate(lengths, initial=at)]
        if len(data) != ends[-1] or level > _MOST_LEVEL:
            raise StoreSchemeError("damaged fingerprint in the store: its terms are not whole")
        lists = (tuple(islice(packed, count)) for count in counts)
        texts = (data[start:end] for start, end in pairwise(ends))
        named: dict[str, Any] = dict(zip(_NAMES, chain(lists, texts), strict=True))
        return cls(
            exact=exact, length=length, level=level, version=version, added=added,
            old_added=old_added, **named,
        )  # fmt: skip


class Change(NamedTuple):
    """The change of a new version of a page; title and order of lines are ignored."""

    version: int  # 2, 3 ...
    share: float  # of the lines of both versions, those that one of them alone has, 0..1
    added: int  # lines
    removed: int
    before: int  # when the version before was added, seconds; 0: not known


class Verdict(NamedTuple):
    """The common share of two pages, and the verdict on the newer one."""

    similarity: float  # what both have, as a share of all that one of them has, 0..1
    verdict: str  # `DUPLICATE`, `UPDATE` or `OVERLAP`
    own: float | None = None  # share of the newer page that is its own, 0..1; None: not measured
    is_sure: bool = True  # independent of other pages


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A page of the index, with the verdict on the new page."""

    key: str  # of the page of the index
    similarity: float  # 0..1; 1.0 for equal texts
    own: float | None = None  # share of the new page that is its own; None: the method has none
    verdict: str  # `DUPLICATE`, `UPDATE`, `OVERLAP`, or `VERSION`: the key itself had another text
    change: Change | None = field(default=None, repr=False)  # of a version

    def to_record(self, key: str, *, replaces: bool = False) -> dict[str, Any]:
        """Return the entry in an item's record for its match, the page *key*."""
        role = "overlaps" if self.verdict == OVERLAP else "duplicate_of"
        own = {} if self.own is None else {"own": round(self.own, 3)}
        return {
            "replaces" if replaces else role: key, "similarity": round(self.similarity, 3), **own
        }  # fmt: skip
