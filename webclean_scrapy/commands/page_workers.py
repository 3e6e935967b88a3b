"""Clean stored pages in worker processes, and give their articles in the order of the pages."""

from __future__ import annotations

from collections import Counter, deque
from concurrent.futures import Future
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from webclean_scrapy.commands.terminal import say
from webclean_scrapy.crawl.settings_files import read_profile
from webclean_scrapy.crawl.workers.backend import MOST_FAILURES
from webclean_scrapy.crawl.workers.process import (
    DIED,
    ERROR,
    EXIT_S,
    FAILING_HOST,
    REASON_TEXT,
    TIMEOUT,
    WorkerFailedError,
    WorkerLostError,
    WorkerProcess,
    close_all,
)
from webclean_scrapy.engines.page_cleaner import (
    clean_in_worker,
    clean_source_in_worker,
    host_partition,
    place_address,
    start_worker,
    without_page,
)
from webclean_scrapy.web_addresses import host_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from webclean_scrapy.engines.page_cleaner import Task
    from webclean_scrapy.engines.warc_pages import Place
    from webclean_scrapy.items import ArticleItem
    from webclean_scrapy.settings import WebcleanConfig

_IN_FLIGHT = 16  # pages for each process that wait for their turn
_AHEAD = 8  # pages that the process of a host may be given more than another one
_COSTLY = frozenset({DIED, TIMEOUT})  # reasons of failures that cost a process
_CLEANED_A_FAILURE = 10  # pages of a host that are cleaned for each failure beyond the first ones


def clean_all(
    tasks: Iterable[Task], config: WebcleanConfig, names: tuple[str, ...], processes: int
) -> Iterator[ArticleItem | None]:
    """Yield the result of `PageCleaner.clean` for each page, in the order of *tasks*.

    The processes are made at once, before this one has another thread.
    """
    return _clean_in(_PagesInWorkers(config, names, processes), tasks)


def _clean_in(pages: _PagesInWorkers, tasks: Iterable[Task]) -> Iterator[ArticleItem | None]:
    try:
        for task in tasks:
            pages.give(task)
            if len(pages.waiting) >= _IN_FLIGHT * len(pages.workers):
                yield pages.take()
        while pages.waiting:
            yield pages.take()
    finally:
        close_all([(worker, None) for worker in pages.workers], EXIT_S)


class _Given(NamedTuple):
    task: Task
    worker: WorkerProcess
    future: Future[ArticleItem | None]


class _PagesInWorkers:
    """Gives pages to worker processes and takes the articles in the same order.

    The pages of a host go to one process, which learns their templates, and to others when it has
    been given more than they have. That depends on no clock, so the same pages are cleaned alike
    each time, unless a process fails. It may have failed on a sibling of the page in hand, so that
    is cleaned once more alone. A page that fails alone is read from its source, and later ones are
    not compared with it. All pages of a host are read from their source once MOST_FAILURES of them
    cost their process, and one more for each ten that are cleaned.
    """

    def __init__(self, config: WebcleanConfig, names: tuple[str, ...], processes: int) -> None:
        cleaning = config.clean_config(read_profile(config))
        options = cleaning, names, config.drop_non_articles
        seconds = config.worker_timeout_s
        self.workers = [
            WorkerProcess(start_worker, *options, timeout_s=seconds).fork()
            for _ in range(processes)
        ]
        self.waiting: deque[_Given] = deque()
        self._given = [0] * processes
        #: Pages on which a process failed; sent with each task, as it is then.
        self._failed: list[Place] = []
        #: By host; of files without an address none is known.
        self._failures, self._cleaned = Counter[str](), Counter[str]()
        self._start_here = cache(partial(start_worker, *options))  # if no process can be started

    def give(self, task: Task) -> None:
        least = self._given.index(min(self._given))
        many = len(self._given)
        chosen = least if task.is_alone else host_partition(place_address(task.place), many)
        if self._given[chosen] >= self._given[least] + _AHEAD:
            chosen = least
        self._given[chosen] += 1
        self.waiting.append(self._ask(task, self.workers[chosen]))

    def _ask(self, task: Task, worker: WorkerProcess) -> _Given:
        if self._is_failing(host_name(task.place.url)):
            return _Given(task, worker, worker.submit(clean_source_in_worker, task, FAILING_HOST))
        given = _Given(task, worker, Future())
        self._try(given, task)
        return given

    def _try(self, given: _Given, task: Task, *, urgent: bool = False) -> None:
        future = given.worker.submit(clean_in_worker, task, self._failed, urgent=urgent)
        future.add_done_callback(partial(self._judge, given, task))

    def _judge(self, given: _Given, tried: Task, future: Future[ArticleItem | None]) -> None:
        """Pass the article on, or try its page once more alone, before the worker's next task."""
        error, host = future.exception(), host_name(tried.place.url)
        alone = replace(tried, siblings=(), parts=(), article=())
        if error is None:
            self._cleaned[host] += 1
            given.future.set_result(future.result())
        elif _is_blamed(error) and alone != tried:
            self._try(given, alone, urgent=True)
        else:
            given.future.set_exception(error)
            if _is_blamed(error):
                self._failed.append(tried.place)
            if host and isinstance(error, WorkerFailedError) and error.reason in _COSTLY:
                self._count_failure(host)

    def _count_failure(self, host: str) -> None:
        """Read the queued pages of *host* from their source, after several failures."""

        def is_of_host(call: Any) -> bool:
            function, (task, *_) = call
            return function is clean_in_worker and host_name(task.place.url) == host

        was_failing = self._is_failing(host)
        self._failures[host] += 1
        if self._is_failing(host) and not was_failing:
            for one in self.workers:
                one.fail_queued(FAILING_HOST, is_of_host)
            say(f"{host}: its process {REASON_TEXT[FAILING_HOST]}; their source is read")

    def _is_failing(self, host: str) -> bool:
        return self._failures[host] >= MOST_FAILURES + self._cleaned[host] // _CLEANED_A_FAILURE

    def take(self) -> ArticleItem | None:
        """Wait for the article of the page that was given first."""
        task, worker, future = self.waiting.popleft()
        try:
            return self._answer(future, clean_in_worker, task, self._failed)
        except WorkerFailedError as error:
            reason = error.reason
        except Exception as error:  # noqa: BLE001, the other pages go on
            say(f"{task.name or task.place.url}: {error!r:.200}; its source is read")
            reason = ERROR
        try:
            again = worker.submit(clean_source_in_worker, task, reason, urgent=True)
            return self._answer(again, clean_source_in_worker, task, reason)
        except Exception:  # noqa: BLE001, the same again
            problem = f"its process {REASON_TEXT[reason]}"
            return without_page(task.name or task.place.url, "worker", problem)

    def _answer(
        self,
        future: Future[ArticleItem | None],
        function: Callable[..., ArticleItem | None],
        *arguments: Any,
    ) -> ArticleItem | None:
        """Wait for the result of *function*; call it here if there is no process any more."""
        try:
            return future.result()
        except WorkerLostError:
            self._start_here()
            return function(*arguments)


def _is_blamed(error: BaseException) -> bool:
    """True for an error that a page, or one that it was compared with, has caused."""
    if isinstance(error, WorkerFailedError):
        return error.reason in _COSTLY
    return not isinstance(error, WorkerLostError)
