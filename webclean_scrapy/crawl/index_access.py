"""The index of fingerprints as the dedup pipeline uses it: in this process, or on a server.

An index in this process or on its disk answers at once. One on a server is called in a thread
(`store_thread`), and all items that arrive during a round trip go into the next one together, so
that a page costs one round trip or less. Writes (items that are exported or lost) are queued
until the server has taken them.
"""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from typing import TYPE_CHECKING, NamedTuple, Protocol

from webclean_scrapy.crawl.pending import wait_for_result
from webclean_scrapy.crawl.store_thread import StoreThread
from webclean_scrapy.errors import StoreError, StoreUnavailableError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from webclean_scrapy.dedup.index import DuplicateIndex, IndexPage, Match

    Marked = Mapping[str, float] | None  # lines and the weight of their words
    Check = tuple[IndexPage, Future["Match | None"]]

MAX_QUEUED = 10_000  # writes that wait for the server
CLOSE_S = 5.0  # seconds that a server has to take the last of them


class WriteOutcome(NamedTuple):
    """What became of a write."""

    confirmed: int = 0
    error: StoreError | None = None


class IndexAccess(Protocol):
    """What the pipeline calls. It empties *outcomes*, in the event loop."""

    outcomes: deque[WriteOutcome]

    async def check_and_add(
        self, key: str, text: str, title: str, marked: Marked = None
    ) -> Match | None:
        """Return the page that this one duplicates, and add it as pending. Raises: StoreError."""

    def confirm(self, keys: list[str]) -> None:
        """Mark the items of *keys* as exported."""

    def forget(self, key: str) -> None:
        """Remove the page of a lost item: other pages with its text must not be dropped."""

    def close(self) -> None:
        """Wait for queued writes, at most `CLOSE_S`, and close the store."""


class LocalIndex:
    """An index that answers at once."""

    def __init__(self, index: DuplicateIndex, run: str) -> None:
        self.outcomes: deque[WriteOutcome] = deque()
        self._index, self._run = index, run

    async def check_and_add(
        self, key: str, text: str, title: str, marked: Marked = None
    ) -> Match | None:
        return self._index.check_and_add(key, text, title=title, run=self._run, marked=marked)

    def confirm(self, keys: list[str]) -> None:
        self._write(lambda: self._index.confirm(keys), WriteOutcome(confirmed=len(keys)))

    def forget(self, key: str) -> None:
        self._write(lambda: self._index.remove(key), WriteOutcome())

    def _write(self, write: Callable[[], object], outcome: WriteOutcome) -> None:
        try:
            write()
        except StoreError as error:
            outcome = WriteOutcome(error=error)
        self.outcomes.append(outcome)

    def close(self) -> None:
        self._index.close()


class RemoteIndex:
    """An index on a server, which may be slow or fail and come back."""

    def __init__(self, index: DuplicateIndex, run: str) -> None:
        self.outcomes: deque[WriteOutcome] = deque()
        self._index, self._run = index, run
        self._thread = StoreThread(index.reconnect)
        self._checks: deque[Check] = deque()
        self._writes: deque[tuple[Callable[[], object], WriteOutcome]] = deque(maxlen=MAX_QUEUED)

    async def check_and_add(
        self, key: str, text: str, title: str, marked: Marked = None
    ) -> Match | None:
        self._thread.raise_if_open()
        answer: Future[Match | None] = Future()
        self._checks.append(((key, text, title, marked), answer))
        self._thread.submit(self._send_checks)
        return await wait_for_result(answer)

    def confirm(self, keys: list[str]) -> None:
        outcome = WriteOutcome(confirmed=len(keys))
        self._writes.append((lambda: self._index.confirm(keys), outcome))
        self._thread.submit(self._send_writes)

    def forget(self, key: str) -> None:
        self._writes.append((lambda: self._index.remove(key), WriteOutcome()))
        self._thread.submit(self._send_writes)

    def close(self) -> None:
        try:
            self._thread.submit(self._finish).result(CLOSE_S)
        except FutureTimeoutError:
            error = StoreUnavailableError("no answer when the crawl ended")
            self.outcomes.append(WriteOutcome(error=error))
        self._thread.close()

    # In the thread.
    def _send_checks(self) -> None:
        """Check all pages that wait by now in one round trip."""
        waiting = [self._checks.popleft() for _ in range(len(self._checks))]
        waiting = [check for check in waiting if check[1].set_running_or_notify_cancel()]
        if not waiting:
            return
        pages = [page for page, _ in waiting]
        try:
            self._send_writes()
            matches = self._thread.call(
                lambda: self._index.check_and_add_many(pages, run=self._run)
            )
        except Exception as error:  # noqa: BLE001, all who wait must get an answer
            for _, answer in waiting:
                answer.set_exception(error)
        else:
            for (_, answer), match in zip(waiting, matches, strict=True):
                answer.set_result(match)

    def _send_writes(self) -> None:
        """Send the queued writes; those that the server cannot take now stay queued."""
        while self._writes:
            write, outcome = self._writes[0]
            try:
                self._thread.call(write)
            except StoreUnavailableError as error:
                self.outcomes.append(WriteOutcome(error=error))
                return
            except StoreError as error:  # it would fail again
                outcome = WriteOutcome(error=error)
            self._writes.popleft()
            self.outcomes.append(outcome)

    def _finish(self) -> None:
        self._thread.probe_if_open()
        self._send_writes()
        self._index.close()
