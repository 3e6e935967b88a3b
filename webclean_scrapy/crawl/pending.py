"""Waiting in the event loop for work done elsewhere, with the Twisted reactor or without.

For what another page has begun (`Flights`), and for what threads and processes do (`in_loop`).
"""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from scrapy.utils.asyncio import call_later, is_asyncio_available
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Future

_T = TypeVar("_T")


class Bell:
    """Wakes all who wait for a key.

    Every waiter has a Deferred of its own, so it works with the asyncio loop and with any
    reactor, and one cancelled waiter takes nothing from the others.
    """

    def __init__(self) -> None:
        self._waiting: dict[str, list[Deferred[bool]]] = {}

    def ring(self, key: str) -> None:
        """Wake all who wait for *key* now."""
        for waiter in self._waiting.pop(key, ()):
            _wake(waiter, True)

    async def wait(self, key: str, seconds: float | None = None) -> bool:
        """Return True at the next ring for *key*, False when *seconds* have passed before it."""
        waiter: Deferred[bool] = Deferred()
        self._waiting.setdefault(key, []).append(waiter)
        alarm = None if seconds is None else call_later(seconds, _wake, waiter, False)
        try:
            return await maybe_deferred_to_future(waiter)
        finally:
            if alarm is not None:
                alarm.cancel()
            if waiter in self._waiting.get(key, ()):
                self._waiting[key].remove(waiter)


class Flights:
    """Keys whose work is under way, and who waits for the end of each."""

    def __init__(self) -> None:
        self._under_way: set[str] = set()
        self._bell = Bell()

    def __contains__(self, key: str) -> bool:
        return key in self._under_way

    @contextmanager
    def begin(self, key: str) -> Iterator[None]:
        """Mark the work on *key* as under way inside the block; its end wakes all who wait."""
        self._under_way.add(key)
        try:
            yield
        finally:
            self._under_way.discard(key)
            self._bell.ring(key)

    async def wait(self, key: str) -> None:
        """Return when the work on *key* has ended, at once when there is none."""
        if key in self._under_way:
            await self._bell.wait(key)


async def in_loop(future: Future[_T]) -> _T:
    """Return the result of *future* without blocking the loop or reactor that runs."""
    if is_asyncio_available():
        return await asyncio.wrap_future(future)
    from twisted.internet import reactor  # may only be imported where one runs

    waiter: Deferred[None] = Deferred()
    future.add_done_callback(lambda _: reactor.callFromThread(waiter.callback, None))
    await waiter
    return future.result()


def _wake(waiter: Deferred[bool], rung: bool) -> None:
    if not waiter.called:  # else it was cancelled, or has been woken
        waiter.callback(rung)
