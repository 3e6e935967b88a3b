"""Fingerprints in the memory of this process: about 1 kB a page kept, lost when it ends."""

from __future__ import annotations

from array import array
from collections import OrderedDict
from contextlib import AbstractContextManager, nullcontext
from itertools import islice
from typing import TYPE_CHECKING

from webclean_scrapy.dedup.stores.entry import Entry
from webclean_scrapy.dedup.stores.local_store import LocalStore
from webclean_scrapy.dedup.stores.postings import FIRST_ROW, PostingTable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webclean_scrapy.dedup.config import DedupConfig
    from webclean_scrapy.dedup.stores.local_store import Clock


class MemoryStore(LocalStore):
    """A `Store`. A page is a row of parallel lists; a removed row's number is not used again."""

    def __init__(self, config: DedupConfig, clock: Clock | None = None) -> None:
        super().__init__(config, clock)
        self._rows: dict[str, int] = {}
        self._keys: list[str] = [""] * FIRST_ROW
        self._data: list[bytes | None] = [None] * FIRST_ROW
        self._cluster_of = array("L", [0] * FIRST_ROW)
        self._members: dict[int, list[int]] = {}  # rows of each cluster of two or more
        self._runs: dict[int, str] = {}  # of pending rows
        self._added: OrderedDict[int, int] = OrderedDict()  # by row; empty if pages never expire
        self._codes = PostingTable()

    def _writing(self) -> AbstractContextManager[object]:
        return nullcontext()  # the lock of check_and_add is enough

    def _postings(self, codes: Sequence[int]) -> dict[int, list[int]]:
        return self._codes.get_all(codes)

    def _entry(self, row: int) -> Entry | None:
        return Entry(
            row, self._keys[row], self._cluster_of[row], self._runs.get(row), self._data[row],
            self._added.get(row),
        )  # fmt: skip

    def _entry_of(self, key: str) -> Entry | None:
        row = self._rows.get(key)
        return None if row is None else self._entry(row)

    def _insert(self, entry: Entry, codes: Sequence[int]) -> None:
        row = entry.row
        if not row:
            row = len(self._keys)
            self._keys.append(entry.key)
            self._data.append(None)
            self._cluster_of.append(0)
        self._rows[entry.key] = row
        self._keys[row] = entry.key
        self._data[row] = entry.data
        if entry.run is not None:
            self._runs[row] = entry.run
        if entry.added is not None and self._config.expire_s:
            self._added[row] = entry.added
        self._join(row, entry.cluster or row)
        self._codes.add(codes, row)

    def _delete(self, entry: Entry) -> None:
        del self._rows[entry.key]
        self._keys[entry.row] = ""
        self._runs.pop(entry.row, None)
        self._added.pop(entry.row, None)
        if entry.data is not None:
            self._codes.discard(self._possible_codes(entry.data), entry.row)
            self._data[entry.row] = None
        self._leave_cluster(entry.row)

    def _join(self, row: int, cluster: int) -> None:
        self._cluster_of[row] = cluster
        if cluster in self._members:
            self._members[cluster].append(row)
        elif cluster != row:
            # The founder may have left; then the cluster has one member so far.
            founder = [cluster] if self._is_in(cluster, cluster) else []
            self._members[cluster] = [*founder, row]

    def _leave_cluster(self, row: int) -> None:
        members = self._members.get(self._cluster_of[row])
        if members is not None:
            members.remove(row)
            if not members:
                del self._members[self._cluster_of[row]]
        self._cluster_of[row] = 0

    def _is_in(self, row: int, cluster: int) -> bool:
        return bool(self._keys[row]) and self._cluster_of[row] == cluster

    def _cluster(self, cluster: int) -> list[Entry]:
        rows = self._members.get(cluster)
        if rows is None:
            rows = [cluster] if self._is_in(cluster, cluster) else []
        return [entry for row in rows if (entry := self._entry(row)) is not None]

    def _move_cluster(self, old: int, new: int) -> None:
        for row in list(self._members.get(old, ())):
            self._leave_cluster(row)
            self._join(row, new)

    def _confirm(self, entry: Entry) -> None:
        del self._runs[entry.row]

    def _added_until(self, time: int, count: int) -> list[Entry]:
        first = islice(self._added.items(), count)
        return [e for row, added in first if added <= time and (e := self._entry(row))]

    def clusters(self) -> Iterator[tuple[str, ...]]:
        with self._lock:
            groups = [
                tuple(self._keys[row] for row in sorted(rows))
                for _, rows in sorted(self._members.items())
                if len(rows) > 1
            ]
        yield from groups

    def __len__(self) -> int:
        return len(self._rows)

    def close(self) -> None:
        """Do nothing: there is nothing to release."""
