"""Waits in the event loop for work done elsewhere, with the Twisted reactor or without.

For what another page has started (`PendingTasks`), and for what threads and processes do
(`wait_for_result`).
"""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from scrapy.utils.asyncio import call_later, is_asyncio_available
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator
    from concurrent.futures import Future

_T = TypeVar("_T")


class Waiters:
    """Coroutines that wait for a key, woken together.

    Every waiter has a Deferred of its own, so it works with the asyncio loop and with any
    reactor, and one cancelled waiter does not disturb the others.
    """

    def __init__(self) -> None:
        self._waiters: dict[Hashable, list[Deferred[bool]]] = {}

    def notify(self, key: Hashable) -> None:
        """Wake all who wait for *key* now."""
        for waiter in self._waiters.pop(key, ()):
            _wake(waiter, True)

    async def wait_for_notify(self, key: Hashable, seconds: float | None = None) -> bool:
        """Return True at the next `notify` for *key*, False after *seconds* without one."""
        waiter: Deferred[bool] = Deferred()
        self._waiters.setdefault(key, []).append(waiter)
        timeout = None if seconds is None else call_later(seconds, _wake, waiter, False)
        try:
            return await maybe_deferred_to_future(waiter)
        finally:
            if timeout is not None:
                timeout.cancel()
            if waiter in (others := self._waiters.get(key, [])):
                others.remove(waiter)
                if not others:  # else each key that was waited for in vain would stay
                    del self._waiters[key]


class PendingTasks:
    """The keys of tasks that run now; others may wait until one has ended."""

    def __init__(self) -> None:
        self._running: set[Hashable] = set()
        self._ended = Waiters()

    @contextmanager
    def running(self, key: Hashable) -> Iterator[None]:
        """Mark the task *key* as running inside the block; its end wakes all who wait for it."""
        self._running.add(key)
        try:
            yield
        finally:
            self._running.discard(key)
            self._ended.notify(key)

    async def wait_until_ended(self, key: Hashable) -> None:
        """Return when no task *key* runs, at once when none does now."""
        while key in self._running:
            await self._ended.wait_for_notify(key)

    async def wait_until_all_ended(self) -> None:
        """Return when no task runs."""
        while self._running:
            await self.wait_until_ended(next(iter(self._running)))


async def wait_for_result(future: Future[_T]) -> _T:
    """Return the result of *future* without blocking the loop or reactor that runs."""
    if is_asyncio_available():
        return await asyncio.wrap_future(future)
    from twisted.internet import reactor  # may only be imported where one runs

    waiter: Deferred[None] = Deferred()
    future.add_done_callback(lambda _: reactor.callFromThread(waiter.callback, None))
    await waiter
    return future.result()


def _wake(waiter: Deferred[bool], notified: bool) -> None:
    if not waiter.called:  # else it was cancelled, or has been woken
        waiter.callback(notified)
