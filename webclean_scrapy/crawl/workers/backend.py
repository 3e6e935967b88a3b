"""Clean pages in worker processes, so that the event loop stays free.

A worker holds the templates of the pages that it cleans, so the pages of a host go to one worker as
long as that keeps up with them. If it does not, pages whose template is settled go to the worker
that has least to do, after a copy of the template; and where its work is mostly of one host,
addresses of another family do: a site uses all workers, and a small crawl starts one.

A worker that dies, or needs longer for a page than the time limit, is replaced: the new one reads
that page from its source alone, which costs little whatever the page is. A page on which it fails
too is passed through unchanged.

One site does not hold up the others: while a page takes long, those of other hosts go to a spare
worker, and after `MOST_FAILURES` such pages of a host its others are read from their source at
once.
"""

from __future__ import annotations

import time
from collections import Counter
from contextlib import suppress
from operator import methodcaller
from typing import TYPE_CHECKING, Any, TypeVar

from scrapy.utils.datatypes import LocalCache

from webclean_scrapy.cleaning.part_links import PartLinks
from webclean_scrapy.cleaning.templates.url_shapes import shape_host, url_family, url_shape
from webclean_scrapy.crawl.log_lines import safe_logger
from webclean_scrapy.crawl.waiting import is_done_within, wait_for_result
from webclean_scrapy.crawl.workers import tasks
from webclean_scrapy.crawl.workers.process import (
    FAILING_HOST,
    STOPPED,
    WorkerFailedError,
    WorkerLostError,
    WorkerProcess,
    close_all,
)
from webclean_scrapy.errors import PageError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from webclean_scrapy.cleaning.cleaner import Cleaner
    from webclean_scrapy.cleaning.config import CleanConfig
    from webclean_scrapy.cleaning.page.raw_page import RawPage
    from webclean_scrapy.dedup.config import DedupConfig

logger = safe_logger(__name__)

CLOSE_S = 10.0  # seconds that the workers have to write their templates when the crawl ends
MAX_HOSTS = 10_000  # whose worker is known; the one met first may get another one
MAX_FAMILIES = 50_000  # of addresses, in the same way
LONG = 8  # tasks that wait for a worker, a quarter of a second: from then on others get some
SETTLED = 8  # tasks of a template, after which a copy of it reads pages as its own worker does
MOST_FAILURES = 3  # of a host's pages; one more for each `PAGES_A_FAILURE` that were cleaned
PAGES_A_FAILURE = 1_000
SLOW_S = 3.0  # that a page is cleaned, a hundred times as long as usual: others need not wait
START = 16  # tasks that a worker does while another one starts

_T = TypeVar("_T")


class CleaningBackend:
    """The crawl's Cleaner, running in worker processes.

    Pages are spread over *count* processes. With none, or where none can be started, which costs
    one warning, this process does the work and the event loop waits.
    *directory*: of the templates of an earlier run and of this one; None: they are not kept.
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
        setup = tasks.start, config, directory, dedup
        self._workers = [WorkerProcess(*setup, timeout_s=timeout_s) for _ in range(count)]
        self._spare = WorkerProcess(*setup, timeout_s=timeout_s)  # while a page holds up another
        self._of_host: LocalCache[str, WorkerProcess] = LocalCache(MAX_HOSTS)
        self._of_family: LocalCache[str, WorkerProcess] = LocalCache(MAX_FAMILIES)  # of addresses
        #: By URL shape: the processes, by id, that know its template, and their tasks since then.
        self._known: LocalCache[str, Counter[int]]
        self._known = LocalCache(config.max_templates * count)
        self._cleaning = Counter[str]()  # pages, by host
        self._failures = Counter[str]()  # calls on which a worker died or took too long, by host
        self._answers: LocalCache[str, int] = LocalCache(MAX_HOSTS)  # calls that were answered
        self._copying: set[str] = set()  # URL shapes whose template another worker is given
        #: In this process; with workers only once one was lost.
        self._cleaner = None if count else tasks.make_cleaner(config, directory)

    def knows_template(self, url: str) -> bool:
        """True if *url* has a known template and no sibling needs to be fetched."""
        if self._cleaner is not None and self._cleaner.templates.knows_template(url):
            return True
        shape = url_shape(url)
        return shape in self._known and self._worker_of(url).pid in self._known[shape]

    async def wait_until_ready(self, url: str) -> None:
        """Wait until the worker for *url* can start at once: a process takes seconds to start."""
        if self._workers and (worker := self._worker_of(url)).pid is None:
            with suppress(WorkerFailedError, WorkerLostError):
                await wait_for_result(worker.submit(int, urgent=True))

    async def recognises_template(self, page: RawPage) -> bool:
        """True if *page* has a template known from other URLs of its host. Cost: a parse."""
        with suppress(WorkerFailedError, PageError):
            return await self._call(page.url, methodcaller("recognises_template", page))
        return False

    async def sibling_links(self, page: RawPage) -> list[str]:
        """Return the links of *page* that may lead to siblings, the likeliest first."""
        with suppress(WorkerFailedError, PageError):
            return await self._call(page.url, methodcaller("sibling_links", page))
        return []

    async def clean_page(
        self, page: RawPage, *, articles_only: bool, fields: frozenset[str] = tasks.ALL_FIELDS
    ) -> dict[str, Any]:
        """Return *fields* of the clean page, see `tasks.clean`."""
        arguments, host = (page, articles_only, fields), shape_host(page.url)
        self._cleaning[host] += 1
        try:
            try:
                other = await self._other_worker(page.url) if len(self._workers) > 1 else None
                clean = tasks.clean
                return await self._call(page.url, clean, *arguments, urgent=False, worker=other)
            except WorkerFailedError as error:
                source = tasks.clean_source
                return await self._call(page.url, source, *arguments, error.reason, urgent=False)
        except WorkerFailedError as error:
            return {"error": error.reason, "message": f"the worker process {error} on this page"}
        finally:
            self._cleaning[host] -= 1
            if not self._cleaning[host]:
                del self._cleaning[host]

    async def relate(self, first: RawPage, other: RawPage) -> tuple[str, PartLinks]:
        """Return the relation of *other* to the article of *first*, see `tasks.relate`."""
        with suppress(WorkerFailedError, PageError):
            return await self._call(first.url, tasks.relate, first, other)
        return "", PartLinks({})

    async def learn_sibling(self, page: RawPage, sibling: RawPage) -> str | None:
        """Learn the template of *page* from *sibling*, or return why it was refused."""
        try:
            return await self._call(page.url, methodcaller("learn_sibling", page, sibling))
        except WorkerFailedError as error:
            return error.reason

    def stop(self) -> None:
        """End the workers at once; the pages that they were given fail."""
        close_all([(worker, None) for worker in (*self._workers, self._spare)], 0.0)

    def close(self) -> None:
        """Save the learned templates and end the processes; they are killed after `CLOSE_S`."""
        name, directory = tasks.TEMPLATE_FILES, self._directory
        if directory and self._cleaner is not None and not self._workers:
            self._cleaner.save(directory / name.format(0))
        workers = [
            (worker, (tasks.save, (directory / name.format(number),)) if directory else None)
            for number, worker in enumerate([*self._workers, self._spare])
        ]
        if killed := close_all(workers, CLOSE_S):
            logger.warning("%d worker processes were killed, and what they had learned", killed)

    def _worker_of(self, url: str) -> WorkerProcess:
        """Return the worker for addresses like *url*: their host's, if it keeps up."""
        family, host = url_family(url) or url_shape(url), shape_host(url)
        if family not in self._of_family:
            own = self._of_host.get(host)
            stays = own is not None and 2 * self._cleaning[host] < own.waiting
            worker = own if own is not None and stays else self._less_busy(own)
            self._of_family[family] = worker
            self._of_host.setdefault(host, worker)
        return self._of_family[family]

    def _less_busy(self, own: WorkerProcess | None) -> WorkerProcess:
        """Return *own*, or the least busy worker if *own* has more than twice as much to do."""

        def load(worker: WorkerProcess) -> int:
            return worker.waiting + (0 if worker.is_started else START)

        least = min(self._workers, key=load)
        if own is not None and (own.waiting < LONG or own.waiting <= 2 * load(least)):
            return own
        return least

    async def _other_worker(self, url: str) -> WorkerProcess | None:
        """Return a less busy worker for the page at *url*, given its template; None for its own."""
        own, shape = self._worker_of(url), url_shape(url)
        other = self._less_busy(own)
        if other is own or not self._config.learns:
            return other
        known = self._known.get(shape, Counter())
        if known[own.pid or 0] < SETTLED or shape in self._copying:
            return None
        if other.pid not in known:
            self._copying.add(shape)
            try:
                templates = await self._call(url, tasks.copy_templates, shape)
                await self._call(url, tasks.add_templates, templates, worker=other)
            except WorkerFailedError:
                return None
            finally:
                self._copying.discard(shape)
        return other

    async def _call(
        self,
        url: str,
        function: Callable[..., _T],
        *arguments: Any,
        urgent: bool = True,
        worker: WorkerProcess | None = None,
    ) -> _T:
        """Return ``function(cleaner, *arguments)``, run by *worker*, or by the worker for *url*.

        What pages wait for before they are cleaned is *urgent*. Raises WorkerFailedError.
        """
        if not self._workers:
            return function(self._own_cleaner(), *arguments)
        host = shape_host(url)
        if function is not tasks.clean_source and self._is_failing(host):
            raise WorkerFailedError(FAILING_HOST)
        worker = worker or self._worker_of(url)
        result: _T
        try:
            while True:
                if _is_held_up(worker, host):
                    worker = self._spare if worker is not self._spare else self._worker_of(url)
                task = worker.submit(tasks.work, url, function, *arguments, urgent=urgent)
                while not await is_done_within(task, SLOW_S):
                    if _is_held_up(worker, host) and task.cancel():
                        break
                else:
                    break
            result, is_known = task.result()
        except WorkerLostError:
            return function(self._own_cleaner(), *arguments)
        except WorkerFailedError as error:
            self._note_failure(host, error.reason)
            raise
        self._answers[host] = self._answers.get(host, 0) + 1
        if is_known and (pid := worker.pid):
            self._known.setdefault(url_shape(url), Counter())[pid] += 1
        return result

    def _note_failure(self, host: str, reason: str) -> None:
        """Count a failure on a page of *host*; its queued pages fail with one too many."""

        def is_of_host(call: Any) -> bool:
            return _host_of(call) == host and call[1][1] is not tasks.clean_source

        if reason not in {FAILING_HOST, STOPPED}:
            self._failures[host] += 1
            for worker in (*self._workers, self._spare) if self._is_failing(host) else ():
                worker.fail_queued(FAILING_HOST, is_of_host)

    def _is_failing(self, host: str) -> bool:
        more = self._answers.get(host, 0) // PAGES_A_FAILURE
        return self._failures[host] >= MOST_FAILURES + more

    def _own_cleaner(self) -> Cleaner:
        """The Cleaner of this process, which also replaces a lost worker."""
        if self._cleaner is None:
            logger.warning("A worker process cannot be started; the main process cleans its pages")
            self._cleaner = tasks.make_cleaner(self._config, self._directory)
        return self._cleaner


def _host_of(call: Any) -> str:
    """Return the host of the page that a worker is given; "" without one."""
    work, arguments = call
    return shape_host(arguments[0]) if work is tasks.work else ""


def _is_held_up(worker: WorkerProcess, host: str) -> bool:
    """True if a page of another host than *host* has kept *worker* busy for long."""
    if (runs := worker.runs) is None:
        return False
    call, since = runs
    return time.monotonic() - since > SLOW_S and _host_of(call) not in {"", host}
