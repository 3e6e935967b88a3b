"""Clean pages where they lie, with siblings from the same folder or archive.

A page whose address is known is cleaned as in a crawl: its template is learned from likely
siblings first, and every page teaches the next ones. A file without an address is compared with
files of its folder.
"""

from __future__ import annotations

import zlib
from collections import Counter, deque
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from webclean_scrapy.cleaning.cleaner import Cleaner
from webclean_scrapy.cleaning.page.raw_page import RawPage
from webclean_scrapy.cleaning.templates.url_shapes import url_shape
from webclean_scrapy.commands.page_files import read_file
from webclean_scrapy.commands.warc_pages import WarcError, read_warc_page
from webclean_scrapy.crawl.worker_process import (
    EXIT_S,
    WorkerFailedError,
    WorkerLostError,
    WorkerProcess,
    close_all,
)
from webclean_scrapy.errors import PageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from concurrent.futures import Future

    from webclean_scrapy.cleaning.config import CleanConfig
    from webclean_scrapy.commands.page_tasks import Place, Task

LEARNED = 2  # siblings of the first page of a template; one may lack what the others share
TRIED = 6  # likely siblings of one URL shape that are looked at
_SHAPES = 20_000  # whose tries are counted
_IN_FLIGHT = 8  # pages for each process that wait for their turn

_READ_ERRORS = (OSError, EOFError, zlib.error, WarcError, PageError)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a page: its fields, or why there are none."""

    task: Task
    url: str  # the address or the file
    fields: dict[str, Any] | None = None  # see CleanedPage.to_dict
    problem: str = ""  # with neither: not an article, and only articles are asked for


class PageCleaner:
    """Cleans tasks one after the other and keeps what it learns."""

    def __init__(
        self, config: CleanConfig, *, articles_only: bool, fields: frozenset[str] | None = None
    ) -> None:
        """*fields* are those that an outcome has, by default all."""
        self._fields = fields
        self._cleaner = Cleaner(config)
        self._max_bytes = max(config.max_body_bytes, config.max_scan_bytes)
        self._articles_only = articles_only
        self._tries: Counter[str] = Counter()  # by URL shape
        self._hosts: set[str] = set()  # of which a template was learned

    def clean(self, task: Task) -> Outcome:
        """Clean one page; whatever goes wrong with it is in the outcome."""
        url = task.place.url or task.name
        try:
            raw = read_place(task.place, self._max_bytes)
            url = raw.url or task.name
            if not raw.html.strip():
                return Outcome(task, url, problem="the page is empty")
            if raw.url:
                self._learn(raw, task.siblings)
                page = self._cleaner.clean(raw.html, raw.url, charset=raw.charset)
            else:
                page = self._cleaner.clean(raw.html, None, self._others(task))
        except _READ_ERRORS as error:
            said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            return Outcome(task, url, problem=said or type(error).__name__)
        if self._articles_only and not page.is_article:
            return Outcome(task, url)
        return Outcome(task, url, page.to_dict(self._fields))

    def _others(self, task: Task) -> Iterator[tuple[bytes | str, str | None]]:
        """Yield the siblings of a file that can be read."""
        for place in task.siblings:
            with suppress(*_READ_ERRORS):
                yield read_place(place, self._max_bytes).html, None

    def _learn(self, page: RawPage, siblings: Iterable[Place]) -> None:
        """Learn the template of *page* from likely siblings, unless it is known."""
        if self._cleaner.knows_template(page.url):
            return
        host, shape = _host_of(page.url), url_shape(page.url)
        if host in self._hosts and self._cleaner.recognises_template(page):
            return
        learned = 0
        for place in siblings:
            if learned == LEARNED or self._tries[shape] >= TRIED:
                break
            if len(self._tries) >= _SHAPES:
                self._tries.clear()
            self._tries[shape] += 1
            with suppress(*_READ_ERRORS):
                sibling = read_place(place, self._max_bytes)
                learned += self._cleaner.learn_sibling(page, sibling) is None
        if learned:
            self._hosts.add(host)


def read_place(place: Place, max_bytes: int) -> RawPage:
    """Return a page of a file, plain or gzip, or of a WARC; one byte over *max_bytes* at most.

    Raises OSError, EOFError or zlib.error of a damaged .gz file, WarcError.
    """
    if place.offset >= 0:
        page = read_warc_page(place.path, place.offset, max_bytes)
        return RawPage(page.html, page.url, page.charset)
    return RawPage(read_file(place.path, max_bytes), place.url)


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
            host = _host_of(task.place.url).encode() if task.place.url else b""
            worker = workers[(zlib.crc32(host) if host else number) % processes]
            waiting.append((task, worker.submit(_clean_here, task)))
            if len(waiting) >= _IN_FLIGHT * processes:
                yield _outcome(*waiting.popleft())
        while waiting:
            yield _outcome(*waiting.popleft())
    finally:
        close_all([(worker, None) for worker in workers], EXIT_S)


def _host_of(url: str) -> str:
    return urlsplit(url).netloc


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


_CLEANER: ContextVar[PageCleaner] = ContextVar("webclean_page_cleaner")  # set once, in a worker


def _start_worker(config: CleanConfig, articles_only: bool, fields: frozenset[str] | None) -> None:
    _CLEANER.set(PageCleaner(config, articles_only=articles_only, fields=fields))


def _clean_here(task: Task) -> Outcome:
    return _CLEANER.get().clean(task)
