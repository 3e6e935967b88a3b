"""Lets a copy wait until the item that it repeats is exported or lost.

A copy that is dropped while its original is still in the pipelines is lost with it, when a later
pipeline drops the original or fails. So it waits for the signal of the original: ``item_scraped``,
``item_dropped`` or ``item_error``. A page that others wait for never waits itself, so no circle of
pages can wait. A pipeline that keeps items back until more of them arrive could: that is what the
limits are for. Pages of other processes are not waited for.
"""

from __future__ import annotations

import time
from collections import Counter

from scrapy.utils.datatypes import LocalCache

from webclean_scrapy.crawl.pending import Waiters

WAIT_S = 20.0  # a copy waits, whatever it waits for
MAX_WAITING = 1_000  # copies at once
MAX_UNSETTLED = 5  # pages in a row that copies waited for in vain: then none waits for any more
REMEMBERED = 10_000  # latest pages whose fate is known, and those that copies gave up on


class PendingPages:
    """The keys of pages that passed the dedup pipeline and whose fate is not known yet."""

    def __init__(self) -> None:
        self._items: Counter[str] = Counter()  # in the pipelines, by key
        self._is_lost: LocalCache[str, bool] = LocalCache(limit=REMEMBERED)
        self._copies: LocalCache[str, int] = LocalCache(limit=REMEMBERED)  # dropped undecided
        self._settled = Waiters()
        self._waiting = 0
        self._unsettled = 0  # in a row; a later pipeline may replace items, which hides their fate

    def __contains__(self, key: str) -> bool:
        return key in self._items

    def add(self, key: str) -> None:
        """Note an item of *key* that goes on to the next pipeline."""
        self._items[key] += 1

    def settle(self, key: str, *, is_lost: bool = False) -> int:
        """Tell the copies that wait what became of an item; return how many are lost with it."""
        self._unsettled = 0
        self.discard(key)
        self._is_lost[key] = is_lost
        self._settled.notify(key)
        copies: int = self._copies.pop(key, 0)
        return copies if is_lost else 0

    def discard(self, key: str) -> None:
        """Follow an item of *key* no longer: its fate will not become known."""
        self._items[key] -= 1
        if self._items[key] <= 0:
            del self._items[key]

    async def is_lost(self, key: str, end: float) -> bool | None:
        """Return whether *key*, which is pending, was lost; None when it is not known in time.

        *end*: of ``time.monotonic()``.
        """
        left = end - time.monotonic()
        if left > 0 and self._waiting < MAX_WAITING and self._unsettled < MAX_UNSETTLED:
            self._waiting += 1
            try:
                if await self._settled.wait_for_notify(key, left):
                    return bool(self._is_lost.get(key, False))
            finally:
                self._waiting -= 1
            if self._items.pop(key, 0):  # the next copies need not wait
                self._unsettled += 1
        self._copies[key] = self._copies.get(key, 0) + 1
        return None
