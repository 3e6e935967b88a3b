"""Check-and-add: decide whether a page is new, independent of the storage.

Features 7 (papers.md): candidates by an inverted index, comparison with the representative
of each cluster only.
Deviation: a candidate shares at least two of the codes of lowest rank; codes of too many pages are
skipped, and rare ones count more.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections import Counter
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from webclean_scrapy.dedup.fingerprint import (
    DUPLICATE,
    OVERLAP,
    UPDATE,
    VERSION,
    Fingerprint,
    Match,
    Verdict,
)
from webclean_scrapy.dedup.fingerprint_methods import METHODS, compare, search_config

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from webclean_scrapy.dedup.config import DedupConfig

    Pages = Sequence[tuple[str, Fingerprint]]
    Clock = Callable[[], float]

ADDED_AT_ONCE = 50  # in one transaction, so that other processes need not wait long
_LOW32 = 0xFFFFFFFF
_T = TypeVar("_T")


class IndexEntry(NamedTuple):
    """A page in a store. *data*: its packed fingerprint; None for a copy."""

    row: int
    key: str
    cluster: int  # equal for near-duplicates
    run: str | None  # None: confirmed
    data: bytes | None
    added: int | None = None  # in SQLite: seconds of the clock; None: not known
    writer: int = 0  # in Redis: of a pending page

    @property
    def fingerprint(self) -> Fingerprint:
        """The fingerprint. Raises: StoreSchemeError, also for a copy, which has none."""
        return Fingerprint.unpack(self.data or b"")


class MatchedEntry(NamedTuple):
    """A representative that matched, with the verdict on the new page."""

    entry: IndexEntry
    fingerprint: Fingerprint
    comparison: Verdict

    @property
    def verdict(self) -> str:
        return self.comparison.verdict

    @property
    def match(self) -> Match:
        """The public form of the match."""
        similarity, verdict, own, _ = self.comparison
        return Match(key=self.entry.key, similarity=similarity, own=own, verdict=verdict)


class Store(ABC):
    """Decides on pages; subclasses store entries, and rows of representatives by code.

    Entries are forgotten `expire_days` after they were added.
    """

    def __init__(self, config: DedupConfig, clock: Clock | None = None) -> None:
        self.comparisons = 0
        self._clock = clock
        self._config, self._method = search_config(config), METHODS[config.method]
        self._lock = threading.RLock()

    # What a subclass keeps.
    @abstractmethod
    def _atomically(self, work: Callable[[], _T]) -> _T:
        """Return ``work()`` without concurrent writers; an exception rolls it back.

        *work* may be called again, when somebody else wrote after all.
        """

    def _now(self) -> int | None:
        return None if self._clock is None else int(self._clock())

    @abstractmethod
    def _consistently(self, work: Callable[[], _T]) -> _T:
        """Return ``work()``, which only reads."""

    @abstractmethod
    def _prepare(self, pages: Pages) -> None:
        """Remove expired entries, or prefetch the data for adding *pages*."""

    @abstractmethod
    def _postings(self, codes: Sequence[int]) -> dict[int, list[int]]:
        """Return the rows of each of *codes*, in any order."""

    @abstractmethod
    def _entry(self, row: int) -> IndexEntry | None: ...

    @abstractmethod
    def _entry_of(self, key: str) -> IndexEntry | None: ...

    @abstractmethod
    def _put(self, entry: IndexEntry, codes: Sequence[int] = ()) -> None:
        """Store *entry* under *codes*. Row 0: a new row. Cluster 0: a new cluster."""

    @abstractmethod
    def _delete(self, entry: IndexEntry) -> None:
        """Remove *entry* and its codes (`_possible_codes`)."""

    @abstractmethod
    def _cluster(self, cluster: int) -> list[IndexEntry]:
        """Return the entries of *cluster*, the oldest first."""

    @abstractmethod
    def _clusters(self) -> list[int]:
        """Return the clusters of two entries or more, the oldest first."""

    # What callers of the index get, as `DuplicateIndex` describes it.
    def clusters(self) -> Iterator[tuple[str, ...]]:
        for cluster in self._clusters():
            members = self._consistently(partial(self._cluster, cluster))
            if len(members) > 1:  # still, as others may write between two groups
                yield tuple(entry.key for entry in members)

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def close(self) -> None: ...

    def advice(self) -> list[str]:
        return []

    def reconnect(self) -> None:
        self._atomically(lambda: None)

    def find(self, new: Fingerprint, *, run: str | None) -> Match | None:
        matched = self._consistently(
            lambda: self._search(new, self._postings(self._probes(new)), None, run)
        )
        return matched.match if matched and matched.verdict != OVERLAP else None

    def check_and_add_many(self, pages: Pages, *, run: str | None) -> list[Match | None]:
        matches: list[Match | None] = []
        for at in range(0, len(pages), ADDED_AT_ONCE):
            some = pages[at : at + ADDED_AT_ONCE]
            matches += self._atomically(partial(self._add_all, some, run))
        return matches

    def _add_all(self, pages: Pages, run: str | None) -> list[Match | None]:
        self._prepare(pages)
        return [self._check_and_add(key, new, run) for key, new in pages]

    def confirm(self, keys: Iterable[str]) -> int:
        def confirm(key: str) -> bool:
            entry = self._entry_of(key)
            if entry is None or entry.run is None:
                return False
            self._put(entry._replace(run=None))
            self._replace_older(entry)
            return True

        names = list(keys)
        return self._atomically(lambda: sum(map(confirm, names)))

    def remove(self, key: str) -> bool:
        def remove() -> bool:
            entry = self._entry_of(key)
            if entry is not None:
                self._delete(entry)
                for copy in self._copies_left(entry.cluster):  # nothing to compare with
                    self._delete(copy)
                if entry.run is not None and entry.data and entry.fingerprint.version > 1:
                    empty = Fingerprint(codes=())  # keeps what was exported before
                    rest = empty.follow(entry.fingerprint, is_confirmed=False)
                    self._put(IndexEntry(0, key, 0, entry.run, rest.pack()))
            return entry is not None

        return self._atomically(remove)

    def _copies_left(self, cluster: int) -> list[IndexEntry]:
        """Return the copies in *cluster*, unless it has another representative."""
        copies = self._cluster(cluster)
        return [] if any(other.data for other in copies) else copies

    def _check_and_add(self, key: str, new: Fingerprint, run: str | None) -> Match | None:
        stored, is_version, matched = self._entry_of(key), False, None
        if now := self._now():
            new = replace(new, added=now)
        if new.lines and stored and stored.data:
            old, is_confirmed = stored.fingerprint, stored.run is None
            least = self._config.min_change
            new = new.follow(old, is_confirmed=is_confirmed, min_change=least)
            is_version = run is not None and new.version > (old.version if is_confirmed else 1)
            if is_version and self._config.versions == "first":
                return Match(key=key, similarity=0.0, verdict=DUPLICATE)
            if is_version and is_confirmed:
                matched = self._compare_copy(stored, new)  # it comes before copies of others
        postings = self._postings(self._probes(new))
        matched = matched or self._search(new, postings, key, run)
        copied = matched if matched and matched.verdict != OVERLAP else None
        if is_version and (copied is None or (copied.entry == stored and copied.entry.run is None)):
            entry = self._place(IndexEntry(0, key, 0, run, new.pack()), stored, None, new)
            self._put(entry, self._index_codes(new, postings))
            similarity = copied.comparison.similarity if copied else 0.0
            return Match(key=key, similarity=similarity, verdict=VERSION, change=new.change)
        if copied and not (copied.verdict == UPDATE and self._config.updates != "drop"):
            if copied.entry.key != key and not is_version:  # else the exported version stays
                self._put(self._place(IndexEntry(0, key, 0, None, None), stored, copied, new))
        else:
            entry = self._place(IndexEntry(0, key, 0, run, new.pack()), stored, copied, new)
            self._put(entry, self._index_codes(new, postings))
            if copied and entry.run is None:
                self._replace_older(self._entry_of(key))
        return matched.match if matched else None

    def _probes(self, new: Fingerprint) -> list[int]:
        codes = self._method.index_codes(new, self._config)
        return [*codes[: self._config.probes], *_codes_of_text(new)]

    def _search(
        self, new: Fingerprint, postings: dict[int, list[int]], key: str | None, run: str | None
    ) -> MatchedEntry | None:
        """Return the page that *new* copies, else the closest that it updates or overlaps.

        A stub and the whole article may both be there; a copy of the article is no update.
        """
        compared: list[tuple[IndexEntry, Fingerprint]] = []
        matches: dict[str, list[MatchedEntry]] = {DUPLICATE: [], UPDATE: [], OVERLAP: []}
        for row in self._candidates(new, postings):
            entry = self._entry(row)
            if entry is None or not self._counts(entry, key, run):
                continue
            old = entry.fingerprint
            compared.append((entry, old))
            if matched := self._compare(entry, old, new):
                if matched.verdict == DUPLICATE and matched.comparison.is_sure:
                    return matched
                matches[matched.verdict].append(matched)
            if len(compared) == self._config.max_candidates:
                break
        if matches[DUPLICATE]:
            copied = _closest(matches[DUPLICATE])
            others = [print_ for entry, print_ in compared if entry.cluster != copied.entry.cluster]
            if not self._method.doubts(copied.fingerprint, new, others):
                return copied
            comparison = copied.comparison._replace(verdict=OVERLAP)
            matches[OVERLAP].append(copied._replace(comparison=comparison))
        if matches[UPDATE]:
            return self._latest(_closest(matches[UPDATE]), new, key, run)
        return _closest(matches[OVERLAP]) if matches[OVERLAP] else None

    def _counts(self, entry: IndexEntry, key: str | None, run: str | None) -> bool:
        """True if *entry* is compared with a page added by *run* under *key*."""
        if entry.data is None:
            return False
        if entry.run is not None:  # pending: its run has not exported it, and may never do so
            return entry.run == run and entry.key != key
        return run is not None or entry.key != key

    def _compare(
        self, entry: IndexEntry, old: Fingerprint, new: Fingerprint
    ) -> MatchedEntry | None:
        self.comparisons += 1
        comparison = compare(old, new, self._config)
        return MatchedEntry(entry, old, comparison) if comparison else None

    def _compare_copy(self, entry: IndexEntry, new: Fingerprint) -> MatchedEntry | None:
        """Compare *new* with *entry*; None unless it is a copy or an update."""
        matched = self._compare(entry, entry.fingerprint, new)
        return matched if matched and matched.verdict != OVERLAP else None

    def _latest(
        self, matched: MatchedEntry, new: Fingerprint, key: str | None, run: str | None
    ) -> MatchedEntry:
        """Return the last, possibly pending, version of the page that matched."""
        if self._config.updates != "replace":
            return matched
        for entry in self._cluster(matched.entry.cluster):
            if entry.row > matched.entry.row and self._counts(entry, key, run):
                matched = self._compare_copy(entry, new) or matched
        return matched

    def _replace_older(self, entry: IndexEntry | None) -> None:
        """Make pages that the confirmed *entry* updates its copies."""
        if self._config.updates != "replace" or entry is None or entry.data is None:
            return
        new = entry.fingerprint
        for old in self._cluster(entry.cluster):
            if old.data is None or old.row == entry.row or old.run not in (None, entry.run):
                continue
            comparison = compare(old.fingerprint, new, self._config)
            if comparison is not None and comparison.verdict == UPDATE:
                self._delete(old)
                self._put(old._replace(run=None, data=None))

    def _candidates(self, new: Fingerprint, postings: dict[int, list[int]]) -> list[int]:
        """Return candidate rows: equal texts, then by shared codes, rarest and oldest first.

        A code proves the less, the more pages have it: else the copy of one of sixty releases over
        one boilerplate would be compared with eight others.
        """
        equal = sorted(row for code in _codes_of_text(new) for row in postings.get(code, ()))
        most = self._config.max_pages_per_code
        weights: dict[int, float] = {}
        votes: Counter[int] = Counter()
        for code in self._method.index_codes(new, self._config)[: self._config.probes]:
            if (rows := postings.get(code)) and len(rows) < most:
                votes.update(rows)
                for row in rows:
                    weights[row] = weights.get(row, 0.0) + 1 / len(rows)
        likely = [row for row, count in votes.items() if count >= self._config.votes]
        likely.sort(key=lambda row: (-weights[row], row))
        return [*equal, *(row for row in likely if row not in equal)]

    def _place(
        self,
        entry: IndexEntry,
        stored: IndexEntry | None,
        matched: MatchedEntry | None,
        new: Fingerprint,
    ) -> IndexEntry:
        """Return *entry* with row and cluster; remove *stored*, the entry under its key."""
        cluster = matched.entry.cluster if matched else stored.cluster if stored else 0
        if stored is None:
            return entry._replace(cluster=cluster)
        self._delete(stored)
        if cluster != stored.cluster and stored.data:
            for copy in self._copies_left(stored.cluster):
                self._delete(copy)
                self._put(copy._replace(cluster=cluster))
        if stored.run is None and stored.data and stored.fingerprint.exact == new.exact:
            entry = entry._replace(run=None)  # this text was exported before
        return entry._replace(row=stored.row, cluster=cluster)

    def _index_codes(self, new: Fingerprint, postings: dict[int, list[int]]) -> list[int]:
        """Return the codes for indexing *new*: the lowest ranks except boilerplate."""
        codes = self._method.index_codes(new, self._config)
        most = self._config.max_pages_per_code
        at, wanted = self._config.probes, self._config.indexed
        rare = [code for code in codes[:at] if len(postings.get(code, ())) < most]
        if len(rare) < wanted and (others := codes[at:]):  # else their lists grow without limit
            postings = self._postings(others)
            rare += [code for code in others if len(postings.get(code, ())) < most]
        return [*_codes_of_text(new), *rare[:wanted]]

    def _possible_codes(self, data: bytes) -> list[int]:
        """Return the codes under which fingerprint *data* may be indexed."""
        old = Fingerprint.unpack(data)
        return [*_codes_of_text(old), *self._method.index_codes(old, self._config)]


def _closest(matches: Iterable[MatchedEntry]) -> MatchedEntry:
    """Return the match with the highest similarity, of equal ones the latest."""
    return max(matches, key=lambda each: (each.comparison.similarity, each.entry.row))


def utf8(text: str) -> bytes:
    """Return *text* in UTF-8; a lone surrogate, which a key may have, is kept."""
    return text.encode("utf-8", "surrogatepass")


def _codes_of_text(page: Fingerprint) -> list[int]:
    """Return the code shared by pages of equal text; [] for a page without words."""
    return [page.exact & _LOW32] if page.exact else []
