"""Access a store without blocking the crawl: one thread, and a circuit breaker.

A server that is gone or hangs, or a file that another process has locked, costs one timeout. Then
the circuit is open: all calls fail at once, while the thread probes the store from time to time, at
growing intervals, until it answers again.

Items that arrive meanwhile go into the next transaction together. Writes (items that are exported
or lost) are queued until the store has taken them.
"""

from __future__ import annotations

import math
import time
import uuid
from collections import deque
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from scrapy.exceptions import NotConfigured
from scrapy.utils.job import job_dir

from webclean_scrapy import stats
from webclean_scrapy.crawl.log_lines import safe_logger
from webclean_scrapy.crawl.settings_files import dedup_options
from webclean_scrapy.crawl.waiting import BatchThread
from webclean_scrapy.errors import ConfigError, StoreError, StoreUnavailableError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from scrapy.crawler import Crawler

    from webclean_scrapy.dedup.index import DuplicateIndex, IndexPage, Match, Text
    from webclean_scrapy.settings import WebcleanConfig

    Marked = Mapping[str, float] | None  # lines and the weight of their words

logger = safe_logger(__name__)

STORE_FILE = "webclean-dedup.db"  # in JOBDIR
MIN_CHANGE = 0.1  # share of the lines of two readings of a page; none where its site dates one
MAX_QUEUED = 10_000  # writes that wait for the store
WRITE_S = 0.05  # that the event loop waits for a write, so that a kill doubles few items
CLOSE_S = 5.0  # seconds that a store has to take the last of them
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 30.0  # between two probes, twice as long each time

_T = TypeVar("_T")


class IndexAccess(BatchThread["IndexPage", "Match | None"]):
    """Queries an index, which may be slow or fail, without blocking the event loop.

    *outcomes* of writes are the number of items confirmed, or an error. The pipeline empties them,
    in the event loop.
    """

    def __init__(self, index: DuplicateIndex, run: str, *, in_memory: bool = False) -> None:
        """*in_memory*: the index has nothing to wait for, so it is asked without the thread.

        Two changes of threads for each item cost more than its answer.
        """
        super().__init__("webclean-store", self._check)
        self._in_memory = in_memory
        self.outcomes: deque[int | StoreError] = deque()
        self._index, self._run = index, run
        self._writes: deque[tuple[Callable[[], object], int]] = deque(maxlen=MAX_QUEUED)
        self._pause = 0.0  # seconds between two probes; 0: the circuit is closed
        self._next_probe = 0.0
        self._cause = ""  # why the circuit is open

    def submit(self, work: Callable[..., _T], /, *arguments: Any, **named: Any) -> Future[_T]:
        """Run *work* in the thread, or here at once."""
        if not self._in_memory:
            return super().submit(work, *arguments, **named)
        done: Future[_T] = Future()
        try:
            done.set_result(work(*arguments, **named))
        except Exception as error:  # noqa: BLE001, as in a thread
            done.set_exception(error)
        return done

    async def check_and_add(
        self, key: str, text: Text, title: str, marked: Marked = None
    ) -> Match | None:
        """Return the page that this one duplicates; add it as pending. Raises: StoreError."""
        if self._pause:
            if time.monotonic() >= self._next_probe:
                self._next_probe = math.inf  # until this probe has ended
                self.submit(self._probe)
            raise StoreUnavailableError(f"{self._cause}; requests are paused until a retry")
        return await self.ask((key, text, title, marked))

    def confirm(self, keys: list[str]) -> None:
        self._write(lambda: self._index.confirm(keys), len(keys))

    def forget(self, key: str) -> None:
        """Remove the page of a lost item, so that later copies are not dropped."""
        self._write(lambda: self._index.remove(key), 0)

    def _write(self, write: Callable[[], object], confirmed: int) -> None:
        self._writes.append((write, confirmed))
        sent = self.submit(self._send_writes)
        with suppress(FutureTimeoutError):  # else a burst of items is exported long before it
            sent.result(WRITE_S)

    def close(self) -> None:
        """Wait for queued writes, at most `CLOSE_S`, and close the store."""
        try:
            self.submit(self._finish).result(CLOSE_S)
        except FutureTimeoutError:
            self.outcomes.append(StoreUnavailableError("no answer when the crawl ended"))
        self.shutdown(wait=False)

    # In the thread.
    def _call(self, work: Callable[[], _T]) -> _T:
        """Return ``work()``; failures open the circuit.

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

    def _probe(self) -> None:
        if not self._pause:
            return
        try:
            self._index.reconnect()
        except Exception as error:  # else no probe would ever be due again
            self._lengthen_pause()
            if not isinstance(error, StoreError):
                raise
        else:
            self._pause = 0.0

    def _lengthen_pause(self) -> None:
        self._pause = min(2 * self._pause or FIRST_PAUSE_S, LONGEST_PAUSE_S)
        self._next_probe = time.monotonic() + self._pause

    def _check(self, pages: list[IndexPage]) -> list[Match | None]:
        """Check all waiting pages in one round trip."""
        self._send_writes()
        return self._call(lambda: self._index.check_and_add_many(pages, run=self._run))

    def _send_writes(self) -> None:
        """Send the queued writes; failed ones stay queued."""
        while self._writes:
            write, confirmed = self._writes[0]
            outcome: int | StoreError = confirmed
            try:
                self._call(write)
            except StoreUnavailableError as error:
                self.outcomes.append(error)
                return
            except StoreError as error:  # it would fail again
                outcome = error
            except Exception as error:  # noqa: BLE001, the writes behind it must not wait for ever
                outcome = StoreError(repr(error))
            self._writes.popleft()
            self.outcomes.append(outcome)

    def _finish(self) -> None:
        self._probe()
        self._send_writes()
        self._index.close()


def open_index(config: WebcleanConfig, crawler: Crawler) -> tuple[DuplicateIndex, IndexAccess]:
    """Return the configured index, and the access to it.

    Raises:
        ConfigError: the URI or an option is wrong.
        StoreError: it cannot be opened, and ``WEBCLEAN_DEDUP_ON_ERROR`` is ``stop``.
        NotConfigured: the same, and it is ``continue``.
    """
    from webclean_scrapy.dedup.index import DuplicateIndex  # jieba: only where it is used

    uri = config.dedup_uri
    if not uri and (directory := job_dir(crawler.settings)):
        uri = f"sqlite:///{Path(directory, STORE_FILE)}"
    setting = "WEBCLEAN_DEDUP_URI" if config.dedup_uri else "JOBDIR"
    # A page that is merely crawled again is read a little differently as its site is learned.
    least = 0.0 if getattr(crawler.spider, "asks_for_changes", False) else MIN_CHANGE
    try:
        options = {**dedup_options(config), "min_change": least}
        index = DuplicateIndex(uri or None, clock=time.time, **options)
        for sentence in index.advice():
            logger.warning("%s", sentence)
    except ConfigError as error:
        raise ConfigError(f"WEBCLEAN_DEDUP_METHOD or WEBCLEAN_DEDUP_URI: {error}") from error
    except StoreError as error:
        if config.dedup_on_error == "stop":
            raise type(error)(f"{setting}: {error}") from error
        crawler.stats.inc_value(f"{stats.DEDUP_FAILED}/{type(error).__name__}")
        raise NotConfigured(f"the crawl continues without de-duplication: {error}") from error
    run = config.dedup_run or uuid.uuid4().hex
    return index, IndexAccess(index, run, in_memory=not uri)
