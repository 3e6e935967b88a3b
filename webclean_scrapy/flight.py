"""Waiting in the event loop for work done elsewhere, with the Twisted reactor or without.

For what another page has begun (`Flights`), and for what threads and processes do (`in_loop`).
"""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from scrapy.utils.asyncio import is_asyncio_available
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Future

_T = TypeVar("_T")


class Flights:
    """Keys whose work is under way, one at a time each, and who waits for its end.

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


async def in_loop(future: Future[_T]) -> _T:
    """Return the result of *future* without blocking the loop or reactor that runs."""
    if is_asyncio_available():
        return await asyncio.wrap_future(future)
    from twisted.internet import reactor  # may only be imported where one runs

    waiter: Deferred[None] = Deferred()
    future.add_done_callback(lambda _: reactor.callFromThread(waiter.callback, None))
    await waiter
    return future.result()
