"""Check-and-add for stores of this machine: the memory of this process, a file on its disk.

Features 7 (papers.md): candidates by an inverted index, comparison with the representative
of each cluster only.
Deviation: a candidate shares at least two of the codes of lowest rank; codes of too many pages are
skipped.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from webclean_scrapy.dedup.comparison import UPDATE
from webclean_scrapy.dedup.fingerprint import Fingerprint
from webclean_scrapy.dedup.fingerprint_methods import method_of, search_config
from webclean_scrapy.dedup.stores.entry import Entry, MatchedEntry, code_of_text
from webclean_scrapy.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from contextlib import AbstractContextManager

    from webclean_scrapy.dedup.config import DedupConfig
    from webclean_scrapy.dedup.match import Match

    Clock = Callable[[], float]

ADDED_AT_ONCE = 50  # in one transaction, so that other processes need not wait long
EXPIRED_AT_ONCE = 4  # entries that are removed while one is added, so that none waits for many


class LocalStore(ABC):
    """Decides; a subclass keeps the entries and postings (code -> rows of representatives).

    *clock*: seconds since a fixed time, the same for all that open the store. Entries are forgotten
    `expire_days` after they were added. When the clock goes back, they stay for longer.
    Raises: ConfigError without a clock that `expire_days` needs.
    """

    def __init__(self, config: DedupConfig, clock: Clock | None = None) -> None:
        if config.expire_s and clock is None:
            raise ConfigError("expire_days needs a clock, such as clock=time.time")
        self.comparisons = 0
        self._clock = clock
        self._config = search_config(config)
        self._codes_of, self._compare_prints = method_of(config).search(config)
        self._lock = threading.RLock()

    # What a subclass keeps.
    @abstractmethod
    def _writing(self) -> AbstractContextManager[object]:
        """Return a transaction: nobody else writes in it; an exception undoes what it wrote."""

    @abstractmethod
    def _postings(self, codes: Sequence[int]) -> dict[int, list[int]]:
        """Return the rows of each of *codes* that has any, in any order."""

    @abstractmethod
    def _entry(self, row: int) -> Entry | None: ...

    @abstractmethod
    def _entry_of(self, key: str) -> Entry | None: ...

    @abstractmethod
    def _insert(self, entry: Entry, codes: Sequence[int]) -> None:
        """Write *entry*. Row 0: it gets a new row. Cluster 0: it gets a cluster of its own."""

    @abstractmethod
    def _delete(self, entry: Entry) -> None:
        """Remove *entry* and its postings."""

    @abstractmethod
    def _confirm(self, entry: Entry) -> None:
        """Make *entry*, which is in the store, count for every run."""

    @abstractmethod
    def _added_until(self, time: int, count: int) -> list[Entry]:
        """Return at most *count* of the entries added until *time*, about the oldest first."""

    @abstractmethod
    def _cluster(self, cluster: int) -> list[Entry]: ...

    @abstractmethod
    def _move_cluster(self, old: int, new: int) -> None: ...

    # What every store does.
    def find(self, new: Fingerprint, *, run: str | None) -> Match | None:
        with self._lock:
            matched = self._search(new, self._look_up(new), None, run)
            return matched.to_match() if matched else None

    def check_and_add(self, key: str, new: Fingerprint, *, run: str | None) -> Match | None:
        with self._lock, self._writing():
            return self._check_and_add(key, new, run)

    def check_and_add_many(
        self, pages: Sequence[tuple[str, Fingerprint]], *, run: str | None
    ) -> list[Match | None]:
        matches: list[Match | None] = []
        for at in range(0, len(pages), ADDED_AT_ONCE):
            with self._lock, self._writing():
                some = pages[at : at + ADDED_AT_ONCE]
                matches += [self._check_and_add(key, new, run) for key, new in some]
        return matches

    def _check_and_add(self, key: str, new: Fingerprint, run: str | None) -> Match | None:
        self._remove_expired(key)
        postings = self._look_up(new)
        matched = self._search(new, postings, key, run)
        if matched and not self._is_kept(matched):
            if matched.entry.key != key:  # else the confirmed entry of this key stays
                copy = Entry(0, key, 0, None, None, self._now())
                self._insert(self._place(copy, matched, new), ())
        else:
            entry = Entry(0, key, 0, run, new.pack(), self._now())
            entry = self._place(entry, matched, new)
            self._insert(entry, self._index_codes(new, postings))
            if matched and entry.run is None:
                self._replace_older(self._entry_of(key))
        return matched.to_match() if matched else None

    def confirm(self, keys: Iterable[str]) -> int:
        with self._lock, self._writing():
            confirmed = 0
            for key in keys:
                entry = self._entry_of(key)
                if entry is not None and entry.run is not None:
                    self._confirm(entry)
                    self._replace_older(entry)
                    confirmed += 1
            return confirmed

    def advice(self) -> list[str]:
        return []

    def wait_at_most(self, seconds: float) -> None:
        return  # nobody else can lock the memory of this process

    def reconnect(self) -> None:
        return  # a local store has no connection that could be lost

    def remove(self, key: str) -> bool:
        with self._lock, self._writing():
            entry = self._entry_of(key)
            if entry is None:
                return False
            self._delete(entry)
            copies = self._cluster(entry.cluster)
            if not any(other.data for other in copies):  # nothing is left to compare with
                for other in copies:
                    self._delete(other)
            return True

    def _now(self) -> int | None:
        return None if self._clock is None else int(self._clock())

    def _is_expired(self, entry: Entry) -> bool:
        now, most = self._now(), self._config.expire_s
        if not most or now is None or entry.added is None:
            return False
        return entry.added + most <= now

    def _remove_expired(self, key: str) -> None:
        """Remove the expired entry of *key*, and a few others: copies stay until they expire."""
        now = self._now()
        if not self._config.expire_s or now is None:
            return
        own = self._entry_of(key)
        if own is not None and self._is_expired(own):
            self._delete(own)
        for entry in self._added_until(now - self._config.expire_s, EXPIRED_AT_ONCE):
            self._delete(entry)

    def _look_up(self, new: Fingerprint) -> dict[int, list[int]]:
        codes = [*self._codes_of(new)[: self._config.probes]]
        if new.exact:
            codes.append(code_of_text(new.exact))
        return self._postings(codes) if codes else {}

    def _search(
        self, new: Fingerprint, postings: dict[int, list[int]], key: str | None, run: str | None
    ) -> MatchedEntry | None:
        """Return the first candidate that *new* is a copy of, else the closest it updates.

        A stub and the whole article may both be there; a copy of the article is no update.
        """
        updated = None
        compared = 0
        for row in self._candidates(new, postings):
            entry = self._entry(row)
            if entry is None or not self._counts(entry, key, run):
                continue
            matched = self._compare(entry, new)
            if matched and matched.comparison.verdict != UPDATE:
                return matched
            if matched and (updated is None or matched.closeness > updated.closeness):
                updated = matched
            compared += 1
            if compared == self._config.max_candidates:
                break
        return self._latest(updated, new, key, run) if updated else None

    def _counts(self, entry: Entry, key: str | None, run: str | None) -> bool:
        """Whether a page that *run* adds under *key* is compared with *entry*."""
        if entry.data is None or self._is_expired(entry):
            return False
        if entry.run is not None:  # pending: its run has not exported it, and may never do so
            return entry.run == run and entry.key != key
        return run is not None or entry.key != key

    def _compare(self, entry: Entry, new: Fingerprint) -> MatchedEntry | None:
        self.comparisons += 1
        comparison = self._compare_prints(entry.fingerprint, new, self._config)
        return MatchedEntry(entry, comparison) if comparison else None

    def _latest(
        self, matched: MatchedEntry, new: Fingerprint, key: str | None, run: str | None
    ) -> MatchedEntry:
        """Return the last version of the page that matched; it may be pending."""
        if self._config.updates != "replace" or matched.comparison.verdict != UPDATE:
            return matched
        for entry in sorted(self._cluster(matched.entry.cluster)):
            if entry.row > matched.entry.row and self._counts(entry, key, run):
                matched = self._compare(entry, new) or matched
        return matched

    def _replace_older(self, entry: Entry | None) -> None:
        """Make the pages that the confirmed *entry* is an update of its copies."""
        if self._config.updates != "replace" or entry is None or entry.data is None:
            return
        new = entry.fingerprint
        for old in self._cluster(entry.cluster):
            if old.data is None or old.row == entry.row or old.run not in (None, entry.run):
                continue
            comparison = self._compare_prints(old.fingerprint, new, self._config)
            if comparison is not None and comparison.verdict == UPDATE:
                self._delete(old)
                self._insert(old._replace(run=None, data=None), ())

    def _candidates(self, new: Fingerprint, postings: dict[int, list[int]]) -> list[int]:
        """Return rows: of equal texts, then by shared codes; most first, then the oldest."""
        equal = sorted(postings.get(code_of_text(new.exact), ())) if new.exact else []
        most = self._config.max_pages_per_code
        votes: dict[int, int] = {}
        for code in self._codes_of(new)[: self._config.probes]:
            if (rows := postings.get(code)) and len(rows) < most:
                for row in rows:
                    votes[row] = votes.get(row, 0) + 1
        likely = [row for row, count in votes.items() if count >= self._config.votes]
        likely.sort(key=lambda row: (-votes[row], row))
        return [*equal, *(row for row in likely if row not in equal)]

    def _place(self, entry: Entry, matched: MatchedEntry | None, new: Fingerprint) -> Entry:
        """Return *entry* with its row and cluster; remove the entry that its key had."""
        own = self._entry_of(entry.key)
        cluster = matched.entry.cluster if matched else own.cluster if own else 0
        if own is None:
            return entry._replace(cluster=cluster)
        self._delete(own)
        if cluster != own.cluster:
            self._leave(own, cluster)
        if own.run is None and self._unchanged(own, new):
            entry = entry._replace(run=None)  # this text was exported before
        return entry._replace(row=own.row, cluster=cluster)

    def _is_kept(self, matched: MatchedEntry) -> bool:
        return matched.comparison.verdict == UPDATE and self._config.updates != "drop"

    def _unchanged(self, own: Entry, new: Fingerprint) -> bool:
        return own.data is not None and own.fingerprint.exact == new.exact

    def _leave(self, own: Entry, cluster: int) -> None:
        """Move the copies of *own* to *cluster*, unless another page represents them."""
        if own.data and not any(other.data for other in self._cluster(own.cluster)):
            self._move_cluster(own.cluster, cluster)

    def _index_codes(self, new: Fingerprint, postings: dict[int, list[int]]) -> list[int]:
        """Return the codes to index *new* under: those of lowest rank that are not boilerplate."""
        most = self._config.max_pages_per_code
        rare = [code for code in self._codes_of(new) if len(postings.get(code, ())) < most]
        return [*([code_of_text(new.exact)] if new.exact else []), *rare[: self._config.indexed]]

    def _possible_codes(self, data: bytes) -> list[int]:
        """Return the codes that the page of fingerprint *data* may be indexed under."""
        old = Fingerprint.unpack(data)
        return [*([code_of_text(old.exact)] if old.exact else []), *self._codes_of(old)]
