"""Check-and-add for stores that answer at once: the memory of this process, a file on its disk.

The steps of paper 7 ("Web page feature extraction" collection): candidates by an inverted index,
comparison with the representative of each cluster only.
Deviation: an entry is found by its codes of lowest rank, needs two of them, and codes of too many
pages are passed over.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

from webclean_scrapy.dedup.comparison import UPDATE
from webclean_scrapy.dedup.fingerprint import Fingerprint
from webclean_scrapy.dedup.fingerprint_methods import method_of, search_config
from webclean_scrapy.dedup.stores.entry import Entry, Found, code_of_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from contextlib import AbstractContextManager

    from webclean_scrapy.dedup.config import DedupConfig
    from webclean_scrapy.dedup.stores import Match


class LocalStore(ABC):
    """The decisions; a subclass keeps entries and postings (code -> rows of representatives)."""

    def __init__(self, config: DedupConfig) -> None:
        self.comparisons = 0
        self._config = search_config(config)
        self._judge = method_of(config).judge
        self._lock = threading.RLock()

    # What a subclass keeps.
    @abstractmethod
    def _writing(self) -> AbstractContextManager[object]:
        """Nobody else writes until it ends; an exception undoes what was written."""

    @abstractmethod
    def _postings(self, codes: Sequence[int]) -> dict[int, list[int]]:
        """Return the rows of each of *codes* that has any, in any order."""

    @abstractmethod
    def _entry(self, row: int) -> Entry | None: ...

    @abstractmethod
    def _entry_of(self, key: str) -> Entry | None: ...

    @abstractmethod
    def _insert(self, entry: Entry, codes: Sequence[int]) -> None:
        """Write *entry*; its row 0 stands for a new one, its cluster 0 for one of its own."""

    @abstractmethod
    def _delete(self, entry: Entry) -> None:
        """Take *entry* and its postings out."""

    @abstractmethod
    def _confirm(self, entry: Entry) -> None:
        """Make *entry*, which is there, count for every run."""

    @abstractmethod
    def _cluster(self, cluster: int) -> list[Entry]: ...

    @abstractmethod
    def _move_cluster(self, old: int, new: int) -> None: ...

    # What every store does.
    def find(self, new: Fingerprint, *, key: str | None = None, run: str | None) -> Match | None:
        with self._lock:
            found = self._search(new, self._look_up(new), key, run)
            return found.match() if found else None

    def check_and_add(self, key: str, new: Fingerprint, *, run: str | None) -> Match | None:
        with self._lock, self._writing():
            postings = self._look_up(new)
            found = self._search(new, postings, key, run)
            if found and not self._is_kept(found):
                if found.entry.key != key:  # else it is there as it was confirmed
                    self._insert(self._place(Entry(0, key, 0, None, None), found, new), ())
            else:
                entry = self._place(Entry(0, key, 0, run, new.pack()), found, new)
                self._insert(entry, self._index_codes(new, postings))
                if found and entry.run is None:
                    self._replace_older(self._entry_of(key))
            return found.match() if found else None

    def check_and_add_many(
        self, pages: Sequence[tuple[str, Fingerprint]], *, run: str | None
    ) -> list[Match | None]:
        return [self.check_and_add(key, new, run=run) for key, new in pages]

    def confirm(self, keys: Iterable[str]) -> int:
        with self._lock, self._writing():
            done = 0
            for key in keys:
                entry = self._entry_of(key)
                if entry is not None and entry.run is not None:
                    self._confirm(entry)
                    self._replace_older(entry)
                    done += 1
            return done

    def advice(self) -> list[str]:
        return []

    def renew(self) -> None:
        return  # a local store that failed is tried again as it is

    def remove(self, key: str) -> bool:
        with self._lock, self._writing():
            entry = self._entry_of(key)
            if entry is None:
                return False
            self._delete(entry)
            rest = self._cluster(entry.cluster)
            if not any(other.data for other in rest):  # nothing is left to compare with
                for other in rest:
                    self._delete(other)
            return True

    def _look_up(self, new: Fingerprint) -> dict[int, list[int]]:
        codes = [*new.codes[: self._config.probes]]
        if new.exact:
            codes.append(code_of_text(new.exact))
        return self._postings(codes) if codes else {}

    def _search(
        self, new: Fingerprint, postings: dict[int, list[int]], key: str | None, run: str | None
    ) -> Found | None:
        """Return the first candidate that *new* is a copy or an update of."""
        compared = 0
        for row in self._candidates(new, postings):
            entry = self._entry(row)
            if entry is None or not self._counts(entry, key, run):
                continue
            if found := self._compare(entry, new):
                return self._latest(found, new, key, run)
            compared += 1
            if compared == self._config.max_candidates:
                break
        return None

    @staticmethod
    def _counts(entry: Entry, key: str | None, run: str | None) -> bool:
        """Whether a page that *run* brings under *key* is compared with *entry*."""
        if entry.data is None:
            return False
        if entry.run is not None:  # else no run has exported it, or one died before it could
            return entry.run == run and entry.key != key
        return run is not None or entry.key != key

    def _compare(self, entry: Entry, new: Fingerprint) -> Found | None:
        self.comparisons += 1
        judgement = self._judge(entry.fingerprint, new, self._config)
        return Found(entry, judgement) if judgement else None

    def _latest(self, found: Found, new: Fingerprint, key: str | None, run: str | None) -> Found:
        """Return the last version of the page found, which may wait for its confirmation."""
        if self._config.updates != "replace" or found.judgement.verdict != UPDATE:
            return found
        for entry in sorted(self._cluster(found.entry.cluster)):
            if entry.row > found.entry.row and self._counts(entry, key, run):
                found = self._compare(entry, new) or found
        return found

    def _replace_older(self, entry: Entry | None) -> None:
        """Make copies of the pages that *entry*, confirmed by now, is an update of."""
        if self._config.updates != "replace" or entry is None or entry.data is None:
            return
        new = entry.fingerprint
        for old in self._cluster(entry.cluster):
            if old.data is None or old.row == entry.row or old.run not in (None, entry.run):
                continue
            judgement = self._judge(old.fingerprint, new, self._config)
            if judgement is not None and judgement.verdict == UPDATE:
                self._delete(old)
                self._insert(old._replace(run=None, data=None), ())

    def _candidates(self, new: Fingerprint, postings: dict[int, list[int]]) -> list[int]:
        """Return rows: of equal texts, then of enough shared codes; most first, then oldest."""
        equal = sorted(postings.get(code_of_text(new.exact), ())) if new.exact else []
        most = self._config.max_pages_per_code
        rare = [r for code in new.codes if (r := postings.get(code)) and len(r) < most]
        votes = Counter(chain.from_iterable(rare))
        likely = [row for row, count in votes.items() if count >= self._config.votes]
        likely.sort(key=lambda row: (-votes[row], row))
        return [*equal, *(row for row in likely if row not in equal)]

    def _place(self, entry: Entry, found: Found | None, new: Fingerprint) -> Entry:
        """Return *entry* with its row and cluster, what was known of its key taken out."""
        own = self._entry_of(entry.key)
        cluster = found.entry.cluster if found else own.cluster if own else 0
        if own is None:
            return entry._replace(cluster=cluster)
        self._delete(own)
        if cluster != own.cluster:
            self._leave(own, cluster)
        if own.run is None and self._unchanged(own, new):
            entry = entry._replace(run=None)  # this text was exported before
        return entry._replace(row=own.row, cluster=cluster)

    def _is_kept(self, found: Found) -> bool:
        return found.judgement.verdict == UPDATE and self._config.updates != "drop"

    def _unchanged(self, own: Entry, new: Fingerprint) -> bool:
        return own.data is not None and own.fingerprint.exact == new.exact

    def _leave(self, own: Entry, cluster: int) -> None:
        """Take the copies of *own* along to *cluster*, unless another stands for them."""
        if own.data and not any(other.data for other in self._cluster(own.cluster)):
            self._move_cluster(own.cluster, cluster)

    def _index_codes(self, new: Fingerprint, postings: dict[int, list[int]]) -> list[int]:
        """Return the codes to find *new* by: the lowest that are not boilerplate already."""
        most = self._config.max_pages_per_code
        rare = [code for code in new.codes if len(postings.get(code, ())) < most]
        return [*([code_of_text(new.exact)] if new.exact else []), *rare[: self._config.indexed]]

    @staticmethod
    def _possible_codes(data: bytes) -> list[int]:
        """Return the codes that the page of fingerprint *data* may stand under."""
        old = Fingerprint.unpack(data)
        return [*([code_of_text(old.exact)] if old.exact else []), *old.codes]
