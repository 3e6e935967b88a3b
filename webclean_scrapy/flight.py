"""One piece of work per key at a time; who comes while it runs waits for its end."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred

if TYPE_CHECKING:
    from collections.abc import Iterator


class Flights:
    """Keys whose work is under way, and who waits for each.

    Every waiter has a Deferred of its own, so it works with the asyncio loop and with any
    reactor, and one cancelled waiter takes nothing from the others.
    """

    def __init__(self) -> None:
        self._waiting: dict[str, list[Deferred[None]]] = {}

    def __contains__(self, key: str) -> bool:
        return key in self._waiting

    @contextmanager
    def begin(self, key: str) -> Iterator[None]:
        """Mark the work on *key* as under way inside the block; its end wakes all who wait."""
        self._waiting[key] = []
        try:
            yield
        finally:
            for waiter in self._waiting.pop(key):
                if not waiter.called:  # else it was cancelled
                    waiter.callback(None)

    async def wait(self, key: str) -> None:
        """Return when the work on *key* has ended, at once when there is none."""
        if key in self._waiting:
            waiter: Deferred[None] = Deferred()
            self._waiting[key].append(waiter)
            await maybe_deferred_to_future(waiter)
