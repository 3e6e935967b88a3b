"""Work on a store that never blocks the crawl: one thread, and a circuit breaker.

A server that is gone or hangs, or a file that another process has locked, costs one timeout. Then
the circuit is open: all calls fail at once, while the thread probes the store from time to time, at
growing intervals, until it answers again.
"""

from __future__ import annotations

import math
import time
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from webclean_scrapy.errors import StoreError, StoreUnavailableError

if TYPE_CHECKING:
    from collections.abc import Callable

FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 30.0  # between two probes, twice as long each time

_T = TypeVar("_T")


class StoreThread:
    """Runs calls to a store one after the other in a thread of its own.

    *renew* reconnects; it raises StoreError as long as the store does not answer.
    """

    def __init__(self, renew: Callable[[], None]) -> None:
        self._renew = renew
        self._pause = 0.0  # seconds between two probes; 0: the circuit is closed
        self._next_probe = 0.0
        self._cause = ""  # why the circuit is open
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="webclean-store")

    def raise_if_open(self) -> None:
        """Raise StoreUnavailableError while the circuit is open; start a probe when one is due.

        For use in the event loop: it never waits.
        """
        if self._pause:
            if time.monotonic() >= self._next_probe:
                self._next_probe = math.inf  # until this probe has ended
                self._thread.submit(self._probe)
            raise StoreUnavailableError(f"{self._cause}; requests are paused until a retry")

    def submit(self, work: Callable[[], _T]) -> Future[_T]:
        return self._thread.submit(work)

    def call(self, work: Callable[[], _T]) -> _T:
        """Return ``work()``; for use in the thread, so that a failure opens the circuit.

        Raises: StoreError; StoreUnavailableError without a try while the circuit is open.
        """
        if self._pause:
            raise StoreUnavailableError(f"request skipped: {self._cause}")
        try:
            return work()
        except StoreUnavailableError as error:
            self._cause = str(error)
            self._lengthen_pause()
            raise

    def probe_if_open(self) -> None:
        """Probe the store while the circuit is open, due or not; for use in the thread."""
        if self._pause:
            self._probe()

    def close(self) -> None:
        self._thread.shutdown(wait=False)

    def _probe(self) -> None:
        try:
            self._renew()
        except Exception as error:  # else no probe would ever be due again
            self._lengthen_pause()
            if not isinstance(error, StoreError):
                raise
        else:
            self._pause = 0.0

    def _lengthen_pause(self) -> None:
        self._pause = min(2 * self._pause or FIRST_PAUSE_S, LONGEST_PAUSE_S)
        self._next_probe = time.monotonic() + self._pause
