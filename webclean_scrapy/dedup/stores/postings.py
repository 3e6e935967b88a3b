"""A multimap from 32-bit codes to 32-bit row numbers that takes about 20 bytes an entry.

A dict of lists takes 150 bytes an entry and more; a million pages have 17 million entries.

Linear hashing (Litwin, "Linear hashing: a new tool for file and table addressing", VLDB 1980):
the table grows by a few buckets at a time, so no page waits for millions of entries to be moved,
only for the array to be copied when it is full (20 to 50 ms at a million pages; 0.9 s on memory
that the process never touched).
A bucket is one line of the processor's cache, and all codes of a page are looked up with a few
array operations, which wait for memory together: that keeps the time per page even as the table
outgrows the caches. An entry whose bucket is full waits in a dict until the bucket is split.
"""

from __future__ import annotations

from array import array
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Numbers = NDArray[np.uint64]

try:
    from webclean_scrapy.dedup.stores import compiled_postings
except ImportError:  # not built
    IS_COMPILED = False
else:
    IS_COMPILED = True

FIRST_ROW = 1  # a slot holds the code above the row, and 0 when it is free
_ROW_BITS = np.uint64(32)
_ROW_MASK = 0xFFFFFFFF
_WIDTH = 8  # slots of a bucket: 64 bytes
_STEP = 64  # buckets that are split at a time
_FULL = 0.55  # share of slots in use from which buckets are split
# 4 MB, from where on numpy asks for huge pages; what was never written takes no memory.
_FIRST_SIZE = 1 << 19  # slots


class PostingTable:
    """Rows under codes, both below 2**32, rows from `FIRST_ROW` on."""

    def __init__(self) -> None:
        self._half = 8 * _STEP  # buckets at the begin of this round; a power of two
        self._buckets = self._half
        self._slots: Numbers = np.zeros(_FIRST_SIZE, np.uint64)
        self._spilled: dict[int, array[int]] = {}  # entries by bucket
        self._count = 0

    def add(self, codes: Sequence[int], row: int) -> None:
        """Add *row* under each of *codes*, again where it is already."""
        if not IS_COMPILED:
            self._add(_entries(codes, row))
            return
        self._make_room(len(codes))
        for bucket, entry in self._compiled().put(codes, row):
            self._spilled.setdefault(bucket, array("Q")).append(entry)

    def add_all(self, codes: Numbers, rows: Numbers) -> None:
        """Add each of *rows* under the code in the same place of *codes*, as `add` does."""
        self._add(codes << _ROW_BITS | rows)

    def _add(self, entries: Numbers) -> None:
        self._make_room(len(entries))
        self._put(entries)

    def _make_room(self, entries: int) -> None:
        self._count += entries
        while self._count > _FULL * _WIDTH * self._buckets:
            self._split()

    def _compiled(self) -> compiled_postings.Buckets:
        return compiled_postings.Buckets(self._slots, self._half, self._buckets)

    def get_all(self, codes: Sequence[int]) -> dict[int, list[int]]:
        """Return the rows under each of *codes* that has any, in any order."""
        if IS_COMPILED:
            rows, full = self._compiled().find(codes, self._spilled)
        else:
            rows, full = self._find(codes)
        if full:
            wanted = set(codes)
            for bucket in full:
                for entry in self._spilled[bucket]:
                    if entry >> 32 in wanted:
                        rows.setdefault(entry >> 32, []).append(entry & _ROW_MASK)
        return rows

    def _find(self, codes: Sequence[int]) -> tuple[dict[int, list[int]], set[int]]:
        """Return the rows in the table under each of *codes*, and which buckets spilled."""
        wanted = np.array(codes, np.uint64) << _ROW_BITS
        buckets = self._bucket_of(wanted)
        slots = self._slots.reshape(-1, _WIDTH).take(buckets, axis=0)
        slots -= wanted[:, np.newaxis]
        # The difference of an entry and its code is its row; any other is larger, or wraps round.
        hits = (slots <= _ROW_MASK).nonzero()
        rows: dict[int, list[int]] = {}
        for which, row in zip(hits[0].tolist(), slots[hits].tolist(), strict=True):
            if row:  # a free slot looks like row 0 of code 0
                rows.setdefault(codes[which], []).append(row)
        return rows, self._spilled.keys() & buckets.tolist() if self._spilled else set()

    def discard(self, codes: Sequence[int], row: int) -> None:
        """Remove *row* from each of *codes* that holds it."""
        entries = _entries(codes, row)
        buckets = self._bucket_of(entries)
        which, place = np.nonzero(
            self._slots.reshape(-1, _WIDTH)[buckets] == entries[:, np.newaxis]
        )
        self._slots[buckets[which] * _WIDTH + place] = 0
        self._count -= len(which)
        for bucket in self._spilled.keys() & buckets.tolist():
            waiting = self._spilled.pop(bucket)
            kept = array("Q", [entry for entry in waiting if entry not in entries])
            self._count -= len(waiting) - len(kept)
            if kept:
                self._spilled[bucket] = kept

    def _put(self, entries: Numbers) -> None:
        while len(entries):
            buckets = self._bucket_of(entries)
            free = self._slots.reshape(-1, _WIDTH)[buckets] == 0
            has_room = free.any(axis=1)
            if not has_room.all():
                for bucket, entry in zip(
                    buckets[~has_room].tolist(), entries[~has_room].tolist(), strict=True
                ):
                    self._spilled.setdefault(bucket, array("Q")).append(entry)
                entries, buckets, free = entries[has_room], buckets[has_room], free[has_room]
            at = buckets * _WIDTH + free.argmax(axis=1)
            self._slots[at] = entries
            entries = entries[self._slots[at] != entries]  # of two for one slot one is there

    def _bucket_of(self, entries: Numbers) -> NDArray[np.intp]:
        buckets = (entries >> _ROW_BITS).view(np.int64)
        buckets &= 2 * self._half - 1
        # Of these some are not split yet in this round.
        buckets -= (buckets >= self._buckets) * np.int64(self._half)
        return buckets

    def _split(self) -> None:
        """Divide the entries of the next few buckets between these and new ones at the end."""
        begin = self._buckets - self._half
        first, end, size = begin * _WIDTH, self._buckets * _WIDTH, _STEP * _WIDTH
        if end + size > len(self._slots):
            larger = np.zeros(2 * len(self._slots), np.uint64)
            larger[:end] = self._slots
            self._slots = larger
        old = self._slots[first : first + size]
        moves = old >> _ROW_BITS & np.uint64(self._half) != 0
        self._slots[end : end + size] = np.where(moves, old, 0)
        old[moves] = 0
        self._buckets += _STEP
        if self._buckets == 2 * self._half:
            self._half = self._buckets
        waiting = [self._spilled.pop(n, ()) for n in range(begin, begin + _STEP)]
        self._put(np.fromiter(chain.from_iterable(waiting), np.uint64))


def _entries(codes: Sequence[int], row: int) -> Numbers:
    return np.array(codes, np.uint64) << _ROW_BITS | np.uint64(row)
