"""A multimap from 32-bit codes to 32-bit row numbers that takes 8 bytes a slot.

A dict of lists takes 150 bytes an entry and more; a million pages have 17 million entries.
Open addressing with linear probing, in shards so that growing one never takes long.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

# A slot holds the code above the row. Row 1 of code 0 would be 1, so rows start at 2.
_EMPTY, _GONE = 0, 1
FIRST_ROW = 2
_ROW_BITS = 32
_ROW_MASK = (1 << _ROW_BITS) - 1
_SHARD_BITS = 10
_SHARD_MASK = (1 << _SHARD_BITS) - 1  # lower bits pick the shard, upper ones the slot
_FULL = 0.7  # share of used slots at which a shard doubles


class PostingTable:
    """Rows under codes, both below 2**32, rows from `FIRST_ROW` on."""

    def __init__(self) -> None:
        self._shards = [_Shard() for _ in range(1 << _SHARD_BITS)]

    def add(self, code: int, row: int) -> None:
        """Put *row* under *code*; once more if it is there already."""
        self._shards[code & _SHARD_MASK].add(code << _ROW_BITS | row)

    def get_all(self, codes: Iterable[int]) -> dict[int, list[int]]:
        """Return the rows under each of *codes* that has any, in no certain order."""
        found: dict[int, list[int]] = {}
        for code in codes:
            shard = self._shards[code & _SHARD_MASK]
            slots, mask = shard.slots, shard.mask
            at = code >> _SHARD_BITS & mask
            while entry := slots[at]:
                if entry >> _ROW_BITS == code and entry != _GONE:
                    found.setdefault(code, []).append(entry & _ROW_MASK)
                at = at + 1 & mask
        return found

    def discard(self, code: int, row: int) -> None:
        """Take *row* from under *code*, if it is there."""
        self._shards[code & _SHARD_MASK].discard(code << _ROW_BITS | row)


class _Shard:
    """One open-addressing table; a free slot always remains, so a search ends."""

    __slots__ = ("_used", "mask", "slots")

    def __init__(self) -> None:
        self.slots = array("Q", bytes(8 * 16))
        self.mask = 15
        self._used = 0  # slots that are not empty, those of removed entries too

    def add(self, entry: int) -> None:
        if self._used >= _FULL * len(self.slots):
            self._grow()
        slots, mask = self.slots, self.mask
        at = entry >> _ROW_BITS + _SHARD_BITS & mask
        while slots[at] > _GONE:
            at = at + 1 & mask
        self._used += slots[at] == _EMPTY
        slots[at] = entry

    def discard(self, entry: int) -> None:
        slots, mask = self.slots, self.mask
        at = entry >> _ROW_BITS + _SHARD_BITS & mask
        while slots[at]:
            if slots[at] == entry:
                slots[at] = _GONE
                return
            at = at + 1 & mask

    def _grow(self) -> None:
        entries = [entry for entry in self.slots if entry > _GONE]
        room = len(self.slots)
        if len(entries) >= _FULL * room / 2:  # else clearing out the removed ones is enough
            room *= 2
        self.slots = array("Q", bytes(8 * room))
        self.mask = room - 1
        self._used = 0
        for entry in entries:
            self.add(entry)
