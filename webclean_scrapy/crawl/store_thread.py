"""Work on a store that never blocks the crawl: one thread, and a circuit breaker.

For a Redis server, and for a file that another process has locked. A server that is gone or hangs
costs one timeout. Then the circuit is open: all calls fail at once, while the thread probes the
server from time to time, at growing intervals, until it answers again.
"""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from webclean_scrapy.errors import StoreError, StoreUnavailableError

if TYPE_CHECKING:
    from collections.abc import Callable

FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 30.0  # between two probes, twice as long each time

_T = TypeVar("_T")


class CircuitBreaker:
    """Says whether the circuit is open and when the next probe is due. Safe between threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._pause = 0.0  # seconds; 0: closed
        self._next_probe = 0.0

    @property
    def is_open(self) -> bool:
        """True if the server has failed and has not answered since."""
        return self._pause > 0

    def record_failure(self) -> None:
        """Open the circuit, or double the pause before the next probe."""
        with self._lock:
            self._pause = min(2 * self._pause or FIRST_PAUSE_S, LONGEST_PAUSE_S)
            self._next_probe = self._clock() + self._pause

    def record_success(self) -> None:
        """Close the circuit."""
        with self._lock:
            self._pause = 0.0

    def claim_probe(self) -> bool:
        """True if a probe is due now; True for one caller only, who must do it."""
        with self._lock:
            is_due = self._pause > 0 and self._clock() >= self._next_probe
            if is_due:
                self._next_probe = float("inf")  # until this probe has ended
            return is_due


class StoreThread:
    """Runs calls to a server one after the other in a thread of its own.

    *renew* reconnects; it raises StoreError as long as the server does not answer.
    """

    def __init__(self, renew: Callable[[], None]) -> None:
        self._renew = renew
        self._breaker = CircuitBreaker()
        self._cause = ""  # why the circuit is open
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="webclean-store")

    @property
    def is_open(self) -> bool:
        """True if the server has failed and has not answered since."""
        return self._breaker.is_open

    def raise_if_open(self) -> None:
        """Raise StoreUnavailableError while the circuit is open; start a probe when one is due.

        For use in the event loop: it never waits.
        """
        if self._breaker.is_open:
            if self._breaker.claim_probe():
                self._thread.submit(self._probe)
            raise StoreUnavailableError(f"{self._cause}; requests are paused until a retry")

    def submit(self, work: Callable[[], _T]) -> Future[_T]:
        """Queue *work* for the thread."""
        return self._thread.submit(work)

    def call(self, work: Callable[[], _T]) -> _T:
        """Return ``work()``; for use in the thread, so that a failure opens the circuit.

        Raises: StoreError; StoreUnavailableError without a try while the circuit is open.
        """
        if self._breaker.is_open:
            raise StoreUnavailableError(f"request skipped: {self._cause}")
        try:
            return work()
        except StoreUnavailableError as error:
            self._cause = str(error)
            self._breaker.record_failure()
            raise

    def probe_if_open(self) -> None:
        """Probe the server while the circuit is open, due or not; for use in the thread."""
        if self._breaker.is_open:
            self._probe()

    def close(self) -> None:
        """End the thread after all queued work."""
        self._thread.shutdown(wait=False)

    def _probe(self) -> None:
        try:
            self._renew()
        except Exception as error:  # else no probe would ever be due again
            self._breaker.record_failure()
            if not isinstance(error, StoreError):
                raise
        else:
            self._breaker.record_success()
