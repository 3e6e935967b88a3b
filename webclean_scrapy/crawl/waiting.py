"""Wait in the event loop, with or without Twisted's reactor: for tasks, items, futures."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, deque
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from scrapy.utils.asyncio import call_later, is_asyncio_available
from scrapy.utils.datatypes import LocalCache
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred

from webclean_scrapy.errors import StoreUnavailableError

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

COPY_WAIT_S = 20.0  # a copy waits for the page that it copies
MAX_WAITING_COPIES = 1_000  # copies at once
MAX_UNSETTLED = 5  # pages in a row that copies waited for in vain: then none waits for any more
REMEMBERED = 10_000  # latest pages whose fate is known, and those that copies gave up on

_ANY = object()  # the key of those who wait until any task ends
MAX_BATCH = 200  # entries of one transaction
_T = TypeVar("_T")
_Work = TypeVar("_Work")


class KeyedEvents:
    """Coroutines waiting for keys; all that wait for one key are woken together.

    Every waiter has a Deferred of its own, so it works with the asyncio loop and with any
    reactor, and one cancelled waiter does not disturb the others.
    """

    def __init__(self) -> None:
        self._waiters: dict[Hashable, list[Deferred[bool]]] = {}

    def notify(self, key: Hashable) -> None:
        """Wake all coroutines waiting for *key*."""
        for waiter in self._waiters.pop(key, ()):
            _wake(waiter, True)

    async def wait_for_notify(self, key: Hashable, seconds: float | None = None) -> bool:
        """Wait for `notify` of *key*; False after *seconds* without one."""
        waiter: Deferred[bool] = Deferred()
        self._waiters.setdefault(key, []).append(waiter)
        try:
            return await _woken(waiter, seconds)
        finally:
            if waiter in (others := self._waiters.get(key, [])):
                others.remove(waiter)
                if not others:  # else each key that was waited for in vain would stay
                    del self._waiters[key]


class PendingTasks:
    """The keys of running tasks, whose end others can wait for."""

    def __init__(self) -> None:
        self._running: set[Hashable] = set()
        self._ended = KeyedEvents()

    @contextmanager
    def running(self, key: Hashable) -> Iterator[None]:
        """Mark the task *key* as running inside the block; wake its waiters at the end."""
        self._running.add(key)
        try:
            yield
        finally:
            self._running.discard(key)
            self._ended.notify(key)
            self._ended.notify(_ANY)

    async def wait_until_ended(self, key: Hashable) -> None:
        """Wait until no task *key* is running."""
        while key in self._running:
            await self._ended.wait_for_notify(key)

    async def wait_until_fewer(self, limit: int) -> None:
        """Wait until fewer than *limit* tasks are running."""
        while len(self._running) >= limit:
            await self._ended.wait_for_notify(_ANY)


class PendingPages:
    """The keys of pages that passed the dedup pipeline, with outcome still unknown.

    A copy that is dropped would be lost with its original, so it waits until that is exported,
    dropped or failed. A page that others wait for never waits itself, so no circle of pages can
    wait. A pipeline that keeps items back until more of them arrive could: hence the limits.
    """

    def __init__(self) -> None:
        self._items: Counter[str] = Counter()  # in the pipelines, by key
        self._is_lost: LocalCache[str, bool] = LocalCache(limit=REMEMBERED)
        self._copies: LocalCache[str, int] = LocalCache(limit=REMEMBERED)  # dropped undecided
        self._settled = KeyedEvents()
        self._waiting = 0
        self._unsettled = 0  # in a row; a later pipeline may replace items, which hides their fate

    def __contains__(self, key: str) -> bool:
        return key in self._items

    def add(self, key: str) -> None:
        """Count an item of *key* passed to the next pipeline."""
        self._items[key] += 1

    def settle(self, key: str, *, is_lost: bool = False) -> int:
        """Wake waiting copies with the item's outcome; return the number lost with it."""
        self._unsettled = 0
        self.discard(key)
        self._is_lost[key] = is_lost
        self._settled.notify(key)
        copies: int = self._copies.pop(key, 0)
        return copies if is_lost else 0

    def discard(self, key: str) -> None:
        """Stop following an item of *key* whose outcome will stay unknown."""
        self._items[key] -= 1
        if self._items[key] <= 0:
            del self._items[key]

    async def is_lost(self, key: str, end: float) -> bool | None:
        """Return whether the pending *key* was lost; None if unknown in time.

        *end*: of ``time.monotonic()``.
        """
        left = end - time.monotonic()
        if left > 0 and self._waiting < MAX_WAITING_COPIES and self._unsettled < MAX_UNSETTLED:
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


class BatchThread(ThreadPoolExecutor, Generic[_Work, _T]):
    """Runs a store in a thread; requests that arrive during a call form the next batch.

    *answer* returns the answers to a batch. Its error is that of all, unless it *undoes* what it
    has begun: then each is asked for alone, and only what is at fault gets it.
    """

    undoes = False

    def __init__(self, name: str, answer: Callable[[list[_Work]], Sequence[_T]]) -> None:
        super().__init__(1, thread_name_prefix=name)
        self._answer = answer
        self._waiting: deque[tuple[_Work, Future[_T]]] = deque()

    async def ask(self, work: _Work) -> _T:
        """Return the result of *work*, or raise its error."""
        answer: Future[_T] = Future()
        self._waiting.append((work, answer))
        self.submit(self._answer_waiting)
        return await wait_for_result(answer)

    # In the thread.
    def _answer_waiting(self) -> None:
        taken = [self._waiting.popleft() for _ in range(min(MAX_BATCH, len(self._waiting)))]
        self._answer_all([one for one in taken if one[1].set_running_or_notify_cancel()])

    def _answer_all(self, taken: list[tuple[_Work, Future[_T]]]) -> None:
        if not taken:
            return
        try:
            results = self._answer([work for work, _ in taken])
        except Exception as error:  # noqa: BLE001, all who wait must get an answer
            is_of_store = isinstance(error, StoreUnavailableError)
            if self.undoes and len(taken) > 1 and not is_of_store:
                for one in taken:
                    self._answer_all([one])
                return
            for _, answer in taken:
                answer.set_exception(error)
        else:
            for (_, answer), result in zip(taken, results, strict=True):
                answer.set_result(result)


async def is_done_within(future: Future[Any], seconds: float | None) -> bool:
    """Wait for *future* at most that long, None: for ever; return whether it is done."""
    if future.done():
        return True
    waiter: Deferred[bool] = Deferred()
    if is_asyncio_available():
        wake: Callable[..., object] = asyncio.get_running_loop().call_soon_threadsafe
    else:
        from twisted.internet import reactor  # may only be imported where one runs

        wake = reactor.callFromThread

    def tell(_: object) -> None:
        with suppress(RuntimeError):  # the event loop is closed
            wake(_wake, waiter, True)

    future.add_done_callback(tell)
    return await _woken(waiter, seconds)


async def wait_for_result(future: Future[_T]) -> _T:
    """Wait for *future* without blocking the event loop or reactor."""
    await is_done_within(future, None)
    return future.result()


async def _woken(waiter: Deferred[bool], seconds: float | None) -> bool:
    timeout = None if seconds is None else call_later(seconds, _wake, waiter, False)
    try:
        return await maybe_deferred_to_future(waiter)
    finally:
        if timeout is not None:
            timeout.cancel()


def _wake(waiter: Deferred[bool], notified: bool) -> None:
    if not waiter.called:  # else it was cancelled, or has been woken
        waiter.callback(notified)
