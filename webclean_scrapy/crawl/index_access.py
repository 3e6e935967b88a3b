"""The index of fingerprints as the dedup pipeline asks it: at once, or on a server.

An index in this process or on its disk answers at once. One on a server is asked in a thread
(`store_thread`), and all items that arrive while an answer is under way go into the
next question together, so that a page costs one round trip or less. What is told to the server,
that items are exported or lost, waits in line until the server has heard it.
"""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from typing import TYPE_CHECKING, NamedTuple, Protocol

from webclean_scrapy.crawl.pending import in_loop
from webclean_scrapy.crawl.store_thread import RedisLink
from webclean_scrapy.errors import StoreError, StoreUnavailableError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from webclean_scrapy.dedup.index import DuplicateIndex, IndexPage, Match

    Marked = Mapping[str, float] | None  # lines and what their words count for
    Question = tuple[IndexPage, Future["Match | None"]]

MOST_IN_LINE = 10_000  # batches of exported items, or lost items, that wait for the server
CLOSE_S = 5.0  # seconds that a server has to hear the last of it


class News(NamedTuple):
    """What became of something told to the index."""

    confirmed: int = 0
    error: StoreError | None = None


class Fingerprints(Protocol):
    """What the pipeline asks. *news* is to be emptied by who reads it, in the event loop."""

    news: deque[News]

    async def check_and_add(
        self, key: str, text: str, title: str, marked: Marked = None
    ) -> Match | None:
        """Return what the page is a copy of, and remember it as pending. Raises: StoreError."""

    def confirm(self, keys: list[str]) -> None:
        """The items of *keys* are exported."""

    def forget(self, key: str) -> None:
        """The item of *key* was lost: another page that says the same must not be dropped."""

    def close(self) -> None:
        """Wait until all that was told is heard, or a limit; give the store back."""


class LocalFingerprints:
    """An index that answers at once."""

    def __init__(self, index: DuplicateIndex, run: str) -> None:
        self.news: deque[News] = deque()
        self._index, self._run = index, run

    async def check_and_add(
        self, key: str, text: str, title: str, marked: Marked = None
    ) -> Match | None:
        return self._index.check_and_add(key, text, title=title, run=self._run, marked=marked)

    def confirm(self, keys: list[str]) -> None:
        self._tell(lambda: self._index.confirm(keys), News(confirmed=len(keys)))

    def forget(self, key: str) -> None:
        self._tell(lambda: self._index.remove(key), News())

    def _tell(self, say: Callable[[], object], news: News) -> None:
        try:
            say()
        except StoreError as error:
            news = News(error=error)
        self.news.append(news)

    def close(self) -> None:
        self._index.close()


class RemoteFingerprints:
    """An index on a server, which may be slow, gone and back again."""

    def __init__(self, index: DuplicateIndex, run: str) -> None:
        self.news: deque[News] = deque()
        self._index, self._run = index, run
        self._link = RedisLink(index.reconnect)
        self._asked: deque[Question] = deque()
        self._told: deque[tuple[Callable[[], object], News]] = deque(maxlen=MOST_IN_LINE)

    async def check_and_add(
        self, key: str, text: str, title: str, marked: Marked = None
    ) -> Match | None:
        self._link.check()
        answer: Future[Match | None] = Future()
        self._asked.append(((key, text, title, marked), answer))
        self._link.submit(self._answer)
        return await in_loop(answer)

    def confirm(self, keys: list[str]) -> None:
        self._told.append((lambda: self._index.confirm(keys), News(confirmed=len(keys))))
        self._link.submit(self._pass_on)

    def forget(self, key: str) -> None:
        self._told.append((lambda: self._index.remove(key), News()))
        self._link.submit(self._pass_on)

    def close(self) -> None:
        try:
            self._link.submit(self._finish).result(CLOSE_S)
        except FutureTimeoutError:
            self.news.append(News(error=StoreUnavailableError("no answer when the crawl ended")))
        self._link.close()

    # In the thread.
    def _answer(self) -> None:
        """Ask for all pages that are waiting by now."""
        waiting = [self._asked.popleft() for _ in range(len(self._asked))]
        waiting = [one for one in waiting if one[1].set_running_or_notify_cancel()]
        if not waiting:
            return
        self._pass_on()
        pages = [page for page, _ in waiting]
        try:
            found = self._link.call(lambda: self._index.check_and_add_many(pages, run=self._run))
        except Exception as error:  # noqa: BLE001, those who wait are told whatever it was
            for _, answer in waiting:
                answer.set_exception(error)
        else:
            for (_, answer), match in zip(waiting, found, strict=True):
                answer.set_result(match)

    def _pass_on(self) -> None:
        """Tell the server what it has not heard; what it cannot hear now stays in line."""
        while self._told:
            say, news = self._told[0]
            try:
                self._link.call(say)
            except StoreUnavailableError as error:
                self.news.append(News(error=error))
                return
            except StoreError as error:  # it would be the same another time
                news = News(error=error)
            self._told.popleft()
            self.news.append(news)

    def _finish(self) -> None:
        self._link.look_now()
        self._pass_on()
        self._index.close()
