"""Cleans pages in worker processes, so that the event loop is free to crawl.

Processes are new ones, never forked (a fork would copy a running reactor), begin with the first
page and live as long as the crawl. A worker holds the templates of the hosts whose pages it cleans,
so all pages of a host go to one worker (`HostWorkers`), until pages of it wait while another worker
is free. That one gets the templates of the host first; from then on each is told what the others
learn before its next page, so that they have the same templates but for the pages at hand.

A worker that dies, or needs longer for a page than the time limit, is replaced: the new one reads
that page from its source alone, which costs little whatever the page is, and the other pages wait.
It gets the templates of a shared host from another worker; what nobody else has is learned again. A
page on which the second process fails too is passed through unchanged.
"""

from __future__ import annotations

import zlib
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from scrapy.utils.datatypes import LocalCache
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred

from webclean_scrapy.cleaning.method_names import EXTRACTORS
from webclean_scrapy.cleaning.templates.url_shapes import shape_host, url_shape
from webclean_scrapy.crawl import cleaner_work
from webclean_scrapy.crawl.log_lines import safe_logger
from webclean_scrapy.crawl.pending import PendingTasks, wait_for_result
from webclean_scrapy.crawl.worker_process import (
    WorkerFailedError,
    WorkerLostError,
    WorkerProcess,
    close_all,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from pathlib import Path

    from webclean_scrapy.cleaning.cleaner import Cleaner
    from webclean_scrapy.cleaning.config import CleanConfig
    from webclean_scrapy.cleaning.page.raw_page import RawPage
    from webclean_scrapy.dedup.config import DedupConfig

logger = safe_logger(__name__)

CLOSE_S = 10.0  # seconds that the workers have to write their templates when the crawl ends
BUSY = 2  # pages in a worker: it cleans one, and another waits
LOOKED_AT = 100  # pages that wait, when a worker has time; one that does nothing takes any page
MAX_SHARED = 1_000  # hosts with several workers; the one shared first has one again

_T = TypeVar("_T")


class Worker:
    """A process, the URL shapes of which it knows the template, and how much it has to do."""

    def __init__(self, setup: tuple[Any, ...], timeout_s: float, max_templates: int) -> None:
        self._max_templates = max_templates
        self.process_number = 0  # of the processes that there were
        self.pages = 0  # that it is to clean, with the one that it cleans
        self.forget()
        self.process = WorkerProcess(
            cleaner_work.start, *setup, timeout_s=timeout_s, forget=self.forget
        )

    def forget(self) -> None:
        """Know no template: another process begins."""
        self.process_number += 1
        self.known: LocalCache[str, None] = LocalCache(limit=self._max_templates)


@dataclass(eq=False, slots=True)
class _Waiting:
    """A page that waits for a worker."""

    host: str
    turn: Deferred[None] = field(default_factory=Deferred)
    worker: Worker | None = None


class HostWorkers:
    """Assigns pages to workers by host, and to idle ones when that worker is busy.

    ``pack(host, worker)`` returns the templates of *host* that *worker* has, None when it fails.
    """

    def __init__(
        self,
        workers: Sequence[Worker],
        pack: Callable[[str, Worker], Awaitable[bytes | None]],
        *,
        shares: bool,
    ) -> None:
        """Without *shares* each host has one worker, whatever that has to do."""
        self._workers, self._pack = workers, pack
        self._shares = shares and len(workers) > 1
        # By host; with each worker the number of the process that has the templates.
        self._sharing: LocalCache[str, dict[Worker, int]] = LocalCache(limit=MAX_SHARED)
        self._joining = PendingTasks()  # by host and worker
        self._waiting: deque[_Waiting] = deque()

    def first_of(self, host: str) -> Worker:
        """Return the worker of *host*, which does all but the pages that it has no time for."""
        return self._workers[zlib.crc32(host.encode()) % len(self._workers)]

    def all_of(self, host: str) -> list[Worker]:
        """Return the workers that have the templates of *host*, its first one in any case."""
        if not self._workers:
            return []
        first = self.first_of(host)
        return [first, *self.others_of(host, first)]

    def others_of(self, host: str, worker: Worker) -> list[Worker]:
        """Return the workers that are to be told what *worker* has learned of *host*."""
        sharing = self._sharing.get(host, {})
        return [each for each in sharing if each is not worker and _has(sharing, each)]

    def least_busy(self, host: str) -> Worker:
        """Return the worker for a page of *host*. It may lack templates that `join` gives it.

        Another than the first only where pages wait: one that has the templates, or does nothing.
        """
        first = self.first_of(host)
        if not self._shares or first.pages < BUSY:
            return first
        sharing = self._sharing.get(host, {})
        ready = (each for each in self._workers if each.process.is_ready)
        able = [each for each in ready if not each.pages or _has(sharing, each)]
        best = min([first, *able], key=lambda each: each.pages)
        if best.pages:  # a process that was not needed until now: it takes seconds to start
            idle = (each for each in self._workers if not each.process.is_started)
            if (another := next(idle, None)) is not None:
                another.process.start()
        return best

    async def reserve(self, host: str) -> Worker:
        """Return a worker for a page of *host*, which has it to clean from now on, until `release`.

        Pages wait here while workers have enough to do, so that one that starts late gets its part.
        """
        worker = self.least_busy(host)
        if not self._shares or worker.pages < BUSY:
            worker.pages += 1
            return worker
        waiting = _Waiting(host)
        self._waiting.append(waiting)
        try:
            await maybe_deferred_to_future(waiting.turn)
        except BaseException:  # cancelled
            if waiting.worker is None:
                self._waiting.remove(waiting)
            else:
                self.release(waiting.worker)
            raise
        return waiting.worker or worker

    def release(self, worker: Worker) -> None:
        """Take a page from *worker*, and let pages that wait have those that have time."""
        worker.pages -= 1
        kept: list[_Waiting] = []
        while (
            self._waiting
            and len(kept) < LOOKED_AT
            and any(each.pages < BUSY for each in self._workers)
        ):
            waiting = self._waiting.popleft()
            best = self.least_busy(waiting.host)
            if best.pages < BUSY:
                best.pages += 1
                waiting.worker = best
                waiting.turn.callback(None)
            else:
                kept.append(waiting)
        self._waiting.extendleft(reversed(kept))

    async def join(self, host: str, worker: Worker) -> None:
        """Let *worker* have the templates of *host* that other workers have, if there are any."""
        sharing = self._sharing.get(host)
        if sharing is None:
            first = self.first_of(host)
            if worker is first:
                return
            sharing = self._sharing[host] = {first: first.process_number}
        key = f"{host} {id(worker)}"
        await self._joining.wait_until_ended(key)
        if _has(sharing, worker):
            return
        with self._joining.running(key):
            process = worker.process_number
            source = next((each for each in sharing if _has(sharing, each)), None)
            packed = await self._pack(host, source) if source else None
            if packed is not None:
                worker.process.tell(cleaner_work.add_templates, packed)
            sharing[worker] = process


def _has(sharing: dict[Worker, int], worker: Worker) -> bool:
    """True if the process of *worker* is one that was given the templates."""
    return sharing.get(worker) == worker.process_number


class CleaningBackend:
    """The Cleaner of a crawl, run in worker processes.

    Hosts, and the pages of busy ones, are spread over *count* processes. With none, or where none
    can be started, which costs one warning, this process does the work and the event loop waits.
    *dedup*: of the fingerprints that workers make of the pages that they clean; None: none are.
    """

    def __init__(
        self,
        config: CleanConfig,
        directory: Path | None,
        *,
        count: int,
        timeout_s: float = 0.0,
        dedup: DedupConfig | None = None,
    ) -> None:
        self._config, self._directory = config, directory
        setup = config, directory, dedup
        self._workers = [Worker(setup, timeout_s, config.max_templates) for _ in range(count)]
        # What the methods of papers learn beside templates stays where it was learned.
        self._shares = count > 1 and config.extractor == EXTRACTORS[0]
        self._hosts = HostWorkers(self._workers, self._pack, shares=self._shares)
        #: In this process; with workers only once one was lost.
        self._cleaner = None if count else cleaner_work.make_cleaner(config, directory)

    def knows_template(self, url: str) -> bool:
        """True if the template of *url* is known, so that no sibling need be fetched."""
        if self._cleaner is not None and self._cleaner.knows_template(url):
            return True
        shape = url_shape(url)
        return any(shape in worker.known for worker in self._hosts.all_of(shape_host(url)))

    async def wait_until_ready(self, url: str) -> None:
        """Return when work for *url* begins at once: a process takes seconds to start."""
        if self._workers and not self._hosts.first_of(shape_host(url)).process.is_ready:
            with suppress(WorkerFailedError):
                await self._call(url, cleaner_work.do_nothing)

    async def recognises_template(self, page: RawPage) -> bool:
        """True if *page* has a template known from other URLs of its host. Cost: a parse."""
        with suppress(WorkerFailedError):
            return await self._call(page.url, cleaner_work.is_recognised, page)
        return False

    async def clean_page(
        self,
        page: RawPage,
        *,
        articles_only: bool,
        fields: frozenset[str] = cleaner_work.ALL_FIELDS,
    ) -> dict[str, Any]:
        """Return *fields* of the clean page, see `cleaner_work.clean`."""
        arguments = page, articles_only, fields
        if not self._workers:
            return await self._call(page.url, cleaner_work.clean, *arguments)
        worker = await self._hosts.reserve(shape_host(page.url))
        try:
            try:
                return await self._call(page.url, cleaner_work.clean, *arguments, worker=worker)
            except WorkerFailedError as error:
                source = cleaner_work.clean_source
                return await self._call(page.url, source, *arguments, error.reason, worker=worker)
        except WorkerFailedError as error:
            return {"error": error.reason, "message": f"the worker process {error} on this page"}
        finally:
            self._hosts.release(worker)

    async def learn_sibling(self, page: RawPage, sibling: RawPage) -> str | None:
        """Learn the template of *page* from *sibling*, or return the reason of the refusal."""
        try:
            return await self._call(page.url, cleaner_work.learn_or_refuse, page, sibling)
        except WorkerFailedError as error:
            return error.reason

    async def export_templates(self, url: str) -> list[dict[str, Any]]:
        """Return the learned templates of the shape of *url*."""
        with suppress(WorkerFailedError):
            return await self._call(url, cleaner_work.templates_as_data, url)
        return []

    async def import_templates(self, url: str, templates: list[dict[str, Any]]) -> int:
        """Add what `export_templates` returned elsewhere; return how many were valid."""
        for other in self._hosts.all_of(shape_host(url))[1:]:
            other.process.tell(cleaner_work.import_data, url, templates)
        with suppress(WorkerFailedError):
            return await self._call(url, cleaner_work.add_template_data, url, templates)
        return 0

    def close(self, directory: Path | None) -> None:
        """Write the learned templates into *directory*, if there is one, and end the processes.

        They are killed after `CLOSE_S`.
        """
        if not self._workers and self._cleaner is not None and directory is not None:
            self._cleaner.save(directory / cleaner_work.TEMPLATE_FILES.format(0))
        lasts = [
            (cleaner_work.save, (directory / cleaner_work.TEMPLATE_FILES.format(number),))
            if directory
            else None
            for number in range(len(self._workers))
        ]
        processes = [worker.process for worker in self._workers]
        killed = close_all(list(zip(processes, lasts, strict=True)), CLOSE_S)
        if killed:
            logger.warning("%d worker processes did not end in %g s and were killed; templates "
                           "that they had learned may be lost", killed, CLOSE_S)  # fmt: skip

    async def _call(
        self, url: str, function: Callable[..., _T], *arguments: Any, worker: Worker | None = None
    ) -> _T:
        """Return ``function(cleaner, *arguments)``, computed by *worker* for the page *url*.

        Without *worker*, by that of the host and before the pages that wait there: what pages wait
        for before they are cleaned is urgent. Raises WorkerFailedError.
        """
        if not self._workers:
            return function(self._own_cleaner(), *arguments)
        host = shape_host(url)
        is_urgent = worker is None
        worker = worker or self._hosts.first_of(host)
        await self._hosts.join(host, worker)
        try:
            result, is_known, learned = await self._ask(
                worker, url, function, *arguments, urgent=is_urgent
            )
        except WorkerLostError:
            return function(self._own_cleaner(), *arguments)
        if is_known:
            worker.known[url_shape(url)] = None
        for other in self._hosts.others_of(host, worker) if learned else ():
            other.process.tell(cleaner_work.add_learned, learned)
        answer: _T = result
        return answer

    async def _ask(
        self,
        worker: Worker,
        url: str,
        function: Callable[..., Any],
        *arguments: Any,
        urgent: bool = True,
    ) -> cleaner_work.Answer:
        task = worker.process.submit(
            cleaner_work.work, url, self._shares, function, *arguments, urgent=urgent
        )
        return await wait_for_result(task)

    async def _pack(self, host: str, worker: Worker) -> bytes | None:
        """Return the templates of *host* that *worker* has; None when it fails."""
        with suppress(WorkerFailedError, WorkerLostError):
            packed: bytes = (await self._ask(worker, "", cleaner_work.pack_templates, host))[0]
            return packed
        return None

    def _own_cleaner(self) -> Cleaner:
        """Return the cleaner of this process, which does the work of a worker that is lost too."""
        if self._cleaner is None:
            logger.warning("A worker process cannot be started; the main process cleans its pages")
            self._cleaner = cleaner_work.make_cleaner(self._config, self._directory)
        return self._cleaner
