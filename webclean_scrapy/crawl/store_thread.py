"""Work on a Redis server that never holds up the crawl: one thread, and a circuit breaker.

A server that is gone or hangs costs one timeout. Then the circuit is open: whoever asks is told so
at once, while the thread looks now and then, at growing intervals, whether the server is back.
"""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from webclean_scrapy.errors import StoreError, StoreUnavailableError

if TYPE_CHECKING:
    from collections.abc import Callable

FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 30.0  # between two looks, twice as long each time

_T = TypeVar("_T")


class Breaker:
    """Whether the circuit is open, and when the next look is due. Threads may share one."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._pause = 0.0  # seconds; 0: closed
        self._next_look = 0.0

    @property
    def is_open(self) -> bool:
        """Whether the server has failed and has not been seen to be back."""
        return self._pause > 0

    def fail(self) -> None:
        """Open, or wait longer before the next look."""
        with self._lock:
            self._pause = min(2 * self._pause or FIRST_PAUSE_S, LONGEST_PAUSE_S)
            self._next_look = self._clock() + self._pause

    def recover(self) -> None:
        """Close."""
        with self._lock:
            self._pause = 0.0

    def take_look(self) -> bool:
        """Whether a look is due now, and nobody else was told so."""
        with self._lock:
            is_due = self._pause > 0 and self._clock() >= self._next_look
            if is_due:
                self._next_look = float("inf")  # until this look has ended
            return is_due


class RedisLink:
    """Runs calls one after the other in a thread of its own.

    *renew* connects anew and raises StoreError while that is no use.
    """

    def __init__(self, renew: Callable[[], None]) -> None:
        self._renew = renew
        self._breaker = Breaker()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="webclean-redis")

    def check(self) -> None:
        """Raise StoreUnavailableError while the circuit is open; the thread looks when it is due.

        To be called in the event loop: it never waits.
        """
        if self._breaker.is_open:
            if self._breaker.take_look():
                self._thread.submit(self._look)
            raise StoreUnavailableError(
                "the Redis server failed; requests are paused until a retry"
            )

    def submit(self, work: Callable[[], _T]) -> Future[_T]:
        """Let the thread do *work*, after all it has been given before."""
        return self._thread.submit(work)

    def call(self, work: Callable[[], _T]) -> _T:
        """Return ``work()``; for use in the thread, so that a failure opens the circuit.

        Raises: StoreError; StoreUnavailableError without a try while the circuit is open.
        """
        if self._breaker.is_open:
            raise StoreUnavailableError("request skipped: the Redis server failed just before")
        try:
            return work()
        except StoreUnavailableError:
            self._breaker.fail()
            raise

    def look_now(self) -> None:
        """Look whether the server is back, due or not; for use in the thread."""
        if self._breaker.is_open:
            self._look()

    def close(self) -> None:
        """End the thread when it has done what it was given."""
        self._thread.shutdown(wait=False)

    def _look(self) -> None:
        try:
            self._renew()
        except StoreError:
            self._breaker.fail()
        else:
            self._breaker.recover()
