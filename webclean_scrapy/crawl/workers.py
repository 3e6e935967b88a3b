"""Cleaning in worker processes, so that the event loop is free to crawl.

Processes are spawned, never forked (a fork would copy a running reactor), and live as long as the
crawl. All pages of a host go to one worker, which learns and keeps their templates.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import threading
import zlib
from collections import deque
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import suppress
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from scrapy.utils.datatypes import LocalCache

from webclean_scrapy.cleaning.page.raw_page import RawPage
from webclean_scrapy.cleaning.templates.url_shapes import url_shape
from webclean_scrapy.crawl.cleaning_backend import (
    TEMPLATE_FILES,
    add_template_data,
    clean_to_fields,
    is_recognised,
    learn_or_refuse,
    make_cleaner,
    templates_as_data,
)
from webclean_scrapy.crawl.pending import wait_for_result

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future
    from pathlib import Path

    from webclean_scrapy.cleaning.cleaner import Cleaner
    from webclean_scrapy.cleaning.config import CleanConfig

logger = logging.getLogger(__name__)

SAVE_S = 10.0  # seconds that a worker has to write its templates when the crawl ends
DIED = "worker_died"  # the reason given for the page on which a worker died

_T = TypeVar("_T")
_CLEANER: ContextVar[Cleaner] = ContextVar("webclean_cleaner")  # set once, in a worker


class _Worker:
    """One process, and the queue of its tasks, oldest first."""

    def __init__(self, config: CleanConfig, directory: Path | None) -> None:
        self.pool = ProcessPoolExecutor(
            1,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_start,
            initargs=(config, directory),
        )
        self._start = object()  # the first task: in the queue until the process has started
        self.queue: deque[object] = deque([self._start])
        self.fatal_task: object | None = None  # the task on which the process died
        self.pool.submit(int).add_done_callback(self._started)

    def _started(self, future: Future[int]) -> None:
        if not future.cancelled() and future.exception() is None:
            self.queue.remove(self._start)

    def died_of(self, task: object) -> bool:
        """Whether the process died on *task*: the oldest one when this is first called."""
        if self.fatal_task is None:
            self.fatal_task = self.queue[0]
        return self.fatal_task is task


class WorkerBackend:
    """Spreads hosts over worker processes.

    When one dies, the page on which it died is passed through unchanged, and pages are cleaned in
    this process from then on, with one warning.
    """

    def __init__(
        self, config: CleanConfig, directory: Path | None, *, count: int, max_templates: int
    ) -> None:
        self._config, self._directory = config, directory
        self._workers = [_Worker(config, directory) for _ in range(count)]
        self._known: LocalCache[str, None] = LocalCache(limit=max_templates)  # URL shapes
        self._cleaner: Cleaner | None = None  # in this process, once a worker has died

    def knows_template(self, url: str) -> bool:
        if self._cleaner is not None:
            return self._cleaner.knows_template(url)
        return url_shape(url) in self._known

    async def recognises_template(self, page: RawPage) -> bool:
        return await self._call(False, is_recognised, page)

    async def clean_page(self, page: RawPage, *, articles_only: bool) -> dict[str, Any]:
        died = {"error": DIED, "message": "a worker process died while it cleaned this page"}
        return await self._call(died, clean_to_fields, page, articles_only)

    async def learn_sibling(self, page: RawPage, sibling: RawPage) -> str | None:
        return await self._call(DIED, learn_or_refuse, page, sibling)

    async def export_templates(self, url: str) -> list[dict[str, Any]]:
        return await self._call([], templates_as_data, RawPage(b"", url, None))

    async def import_templates(self, url: str, templates: list[dict[str, Any]]) -> int:
        return await self._call(0, add_template_data, RawPage(b"", url, None), templates)

    def close(self, directory: Path | None) -> None:
        for number, worker in enumerate(self._workers):
            if directory is not None:
                path = directory / TEMPLATE_FILES.format(number)
                with suppress(BrokenExecutor, RuntimeError, TimeoutError):
                    worker.pool.submit(_save, path).result(SAVE_S)
            worker.pool.shutdown(wait=True)

    async def _call(
        self, died: _T, function: Callable[..., _T], page: RawPage, *arguments: Any
    ) -> _T:
        """Return ``function(cleaner, page, *arguments)``, computed by the worker of the host.

        *died* is returned when the worker died on this page.
        """
        if self._cleaner is not None:
            return function(self._cleaner, page, *arguments)
        worker = self._worker_of(page.url)
        task = object()
        worker.queue.append(task)
        try:
            result, known = await wait_for_result(
                worker.pool.submit(_work, function, page, *arguments)
            )
        except BrokenExecutor:
            cleaner = self._fall_back()
            return died if worker.died_of(task) else function(cleaner, page, *arguments)
        finally:
            worker.queue.remove(task)
        if known:
            self._known[url_shape(page.url)] = None
        return result

    def _worker_of(self, url: str) -> _Worker:
        host = urlsplit(url).netloc.encode()
        return self._workers[zlib.crc32(host) % len(self._workers)]

    def _fall_back(self) -> Cleaner:
        """Return the cleaner of this process, which does all the work from now on."""
        if self._cleaner is None:
            logger.warning("A worker process died; pages are now cleaned in the main process")
            self._cleaner = make_cleaner(self._config, self._directory)
            for worker in self._workers:
                worker.pool.shutdown(wait=False)  # tasks that it has started are finished
        return self._cleaner


def _start(config: CleanConfig, directory: Path | None) -> None:
    """Set up a worker: it ignores Ctrl-C, and ends when the process of the crawl ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _CLEANER.set(make_cleaner(config, directory))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _work(function: Callable[..., _T], page: RawPage, *arguments: Any) -> tuple[_T, bool]:
    """Return the result of *function*, and whether the template of *page* is known now."""
    cleaner = _CLEANER.get()
    return function(cleaner, page, *arguments), cleaner.knows_template(page.url)


def _save(path: Path) -> None:
    _CLEANER.get().save(path)
