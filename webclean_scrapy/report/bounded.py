"""What a report keeps of a crawl of any length: the largest groups, the lowest pages."""

from __future__ import annotations

import heapq
from itertools import count
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable


class Sized(Protocol):
    """A group that grows."""

    @property
    def size(self) -> int:
        """What makes one group larger than another."""


_Group = TypeVar("_Group", bound=Sized)
_T = TypeVar("_T")


class Groups(Generic[_Group]):
    """Groups by name: mostly the largest ones, twice *limit* at most.

    When there would be more, the smaller half goes; one of these that comes again begins anew. A
    group that grows while *limit* others come and go is kept. One that is large in the end may be
    missing, or have lost its beginning, when it grew slowly among very many others: what went is
    counted. Cost of a call: O(log limit) in the mean.
    """

    def __init__(self, limit: int, make: Callable[[], _Group]) -> None:
        self._limit, self._make = limit, make
        self._groups: dict[str, _Group] = {}
        self.left_out = 0  # groups that went
        self.left_out_size = 0  # of all of them

    def __len__(self) -> int:
        return len(self._groups)

    def of(self, name: str) -> _Group:
        """Return the group *name*, a new one when there is none."""
        found = self._groups.get(name)
        if found is None:
            if len(self._groups) >= 2 * self._limit:
                self._halve()
            found = self._groups[name] = self._make()
        return found

    def largest(self) -> list[tuple[str, _Group]]:
        """Return the groups, the largest first, at most *limit*; the others are left out."""
        if len(self._groups) > self._limit:
            self._halve()
        return sorted(self._groups.items(), key=lambda one: -one[1].size)

    def _halve(self) -> None:
        ranked = sorted(self._groups.items(), key=lambda one: -one[1].size)
        self.left_out += len(ranked) - self._limit
        self.left_out_size += sum(group.size for _, group in ranked[self._limit :])
        self._groups = dict(ranked[: self._limit])


class Lowest(Generic[_T]):
    """The *limit* entries of the lowest score; of equal ones those that came first."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._numbers = count()
        self._heap: list[tuple[float, int, _T]] = []  # the highest score on top, negated

    def add(self, score: float, make: Callable[[], _T]) -> None:
        """Keep what *make* returns, if its score is low enough. Cost: O(log limit)."""
        if len(self._heap) < self._limit:
            heapq.heappush(self._heap, (-score, -next(self._numbers), make()))
        elif score < -self._heap[0][0]:
            heapq.heapreplace(self._heap, (-score, -next(self._numbers), make()))

    def ranked(self) -> list[_T]:
        """Return the entries, the lowest first."""
        return [entry for *_, entry in sorted(self._heap, key=lambda one: (-one[0], -one[1]))]
