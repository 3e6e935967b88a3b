"""Clean pages where they lie, in this process or in several."""

from __future__ import annotations

import zlib
from collections import deque
from typing import TYPE_CHECKING

from webclean_scrapy.crawl.worker_process import (
    EXIT_S,
    WorkerFailedError,
    WorkerLostError,
    WorkerProcess,
    close_all,
)
from webclean_scrapy.stored.host import host_of
from webclean_scrapy.stored.page_cleaner import Outcome, PageCleaner

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from concurrent.futures import Future

    from webclean_scrapy.cleaning.config import CleanConfig
    from webclean_scrapy.stored.places import Task

_IN_FLIGHT = 8  # pages for each process that wait for their turn


def clean_all(
    tasks: Iterable[Task],
    config: CleanConfig,
    *,
    articles_only: bool,
    processes: int,
    timeout_s: float,
    fields: frozenset[str] | None = None,
) -> Iterator[Outcome]:
    """Yield what becomes of each page, in the order of *tasks*.

    *fields* are those that are computed, by default all, see ``CleanedPage.to_dict``. With several
    *processes*, all pages of a host go to one, which learns their templates. *timeout_s*: time
    limit of a page in these, in seconds.
    """
    if processes <= 1:
        cleaner = PageCleaner(config, articles_only=articles_only, fields=fields)
        yield from map(cleaner.clean, tasks)
        return
    setup = config, articles_only, fields
    workers = [
        WorkerProcess(_start_worker, *setup, timeout_s=timeout_s, forget=_nothing_to_forget)
        for _ in range(processes)
    ]
    waiting: deque[tuple[Task, Future[Outcome]]] = deque()
    try:
        for number, task in enumerate(tasks):
            host = host_of(task.place.url).encode() if task.place.url else b""
            worker = workers[(zlib.crc32(host) if host else number) % processes]
            waiting.append((task, worker.submit(_clean_here, task)))
            if len(waiting) >= _IN_FLIGHT * processes:
                yield _outcome(*waiting.popleft())
        while waiting:
            yield _outcome(*waiting.popleft())
    finally:
        close_all([(worker, None) for worker in workers], EXIT_S)


def _nothing_to_forget() -> None:
    """Templates live in the process itself."""


def _outcome(task: Task, future: Future[Outcome]) -> Outcome:
    try:
        return future.result()
    except WorkerFailedError as error:
        problem = f"its process {error}"
    except WorkerLostError:
        problem = "no process could be started for it"
    return Outcome(task, task.place.url or task.name, problem=problem)


_CLEANERS: list[PageCleaner] = []  # of a worker process: one


def _start_worker(config: CleanConfig, articles_only: bool, fields: frozenset[str] | None) -> None:
    _CLEANERS[:] = [PageCleaner(config, articles_only=articles_only, fields=fields)]


def _clean_here(task: Task) -> Outcome:
    return _CLEANERS[0].clean(task)
