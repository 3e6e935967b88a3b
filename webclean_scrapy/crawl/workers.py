"""Cleaning in worker processes, so that the event loop is free to crawl.

Processes are new ones, never forked (a fork would copy a running reactor), begin with the first
page and live as long as the crawl. The pages of a host go to one worker, which learns and keeps
their templates, and those of a busy host to all that are free (`host_workers`). A worker that dies,
or that needs longer for a page than the time limit, is replaced: the new one reads that page from
its source alone, which costs little whatever the page is, and the other pages wait. What only the
old process had learned is learned again. A page on which the second process fails too is passed
through unchanged.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from webclean_scrapy.cleaning.method_names import EXTRACTORS
from webclean_scrapy.cleaning.page.raw_page import RawPage
from webclean_scrapy.cleaning.templates.url_shapes import shape_host, url_shape
from webclean_scrapy.crawl import worker_tasks
from webclean_scrapy.crawl.cleaning_backend import (
    ALL_FIELDS,
    TEMPLATE_FILES,
    add_template_data,
    is_recognised,
    learn_or_refuse,
    make_cleaner,
    templates_as_data,
)
from webclean_scrapy.crawl.host_workers import HostWorkers, Worker
from webclean_scrapy.crawl.log_lines import safe_logger
from webclean_scrapy.crawl.pending import wait_for_result
from webclean_scrapy.crawl.worker_process import (
    DIED,
    TIMEOUT,
    WorkerFailedError,
    WorkerLostError,
    close_all,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from webclean_scrapy.cleaning.cleaner import Cleaner
    from webclean_scrapy.cleaning.config import CleanConfig
    from webclean_scrapy.dedup.config import DedupConfig
    from webclean_scrapy.report.template_report import TemplateView

logger = safe_logger(__name__)

CLOSE_S = 10.0  # seconds that the workers have to write their templates when the crawl ends
MESSAGES = {
    DIED: "a worker process died while it cleaned this page",
    TIMEOUT: "a worker process needed longer than WEBCLEAN_WORKER_TIMEOUT_S for this page",
}

_T = TypeVar("_T")


class WorkerBackend:
    """Spreads hosts, and the pages of busy ones, over worker processes.

    Where none can be started, pages are cleaned in this process, with one warning.
    *dedup*: of the fingerprints that are made where the page is cleaned; None: none are.
    """

    def __init__(
        self,
        config: CleanConfig,
        directory: Path | None,
        *,
        count: int,
        max_templates: int,
        timeout_s: float,
        dedup: DedupConfig | None = None,
    ) -> None:
        self._config, self._directory = config, directory
        setup = config, directory, dedup
        self._workers = [Worker(setup, timeout_s, max_templates) for _ in range(count)]
        # What the methods of papers learn beside templates stays where it was learned.
        shares = count > 1 and config.extractor == EXTRACTORS[0]
        self._hosts = HostWorkers(self._workers, self._pack, shares=shares)
        self._work = worker_tasks.work_and_share if shares else worker_tasks.work
        self._cleaner: Cleaner | None = None  # in this process, once a worker was lost

    def knows_template(self, url: str) -> bool:
        if self._cleaner is not None and self._cleaner.knows_template(url):
            return True
        shape = url_shape(url)
        return any(shape in worker.known for worker in self._hosts.all_of(shape_host(url)))

    async def wait_until_ready(self, url: str) -> None:
        if not self._hosts.first_of(shape_host(url)).process.is_ready:
            await self._call(
                lambda _: None, worker_tasks.do_nothing, RawPage(b"", url, None), urgent=True
            )

    async def recognises_template(self, page: RawPage) -> bool:
        return await self._call(lambda _: False, is_recognised, page, urgent=True)

    async def clean_page(
        self, page: RawPage, *, articles_only: bool, fields: frozenset[str] = ALL_FIELDS
    ) -> dict[str, Any]:
        def pass_through(reason: str) -> dict[str, Any]:
            return {"error": reason, "message": MESSAGES[reason]}

        worker = await self._hosts.reserve(shape_host(page.url))
        try:
            clean = worker_tasks.clean
            found = await self._call(
                pass_through, clean, page, articles_only, fields, worker=worker
            )
            reason = found.get("error")
            if reason in MESSAGES:
                source = partial(worker_tasks.clean_source, fields=fields)
                return await self._call(
                    pass_through, source, page, articles_only, reason, worker=worker
                )
            return found
        finally:
            self._hosts.release(worker)

    async def learn_sibling(self, page: RawPage, sibling: RawPage) -> str | None:
        return await self._call(str, learn_or_refuse, page, sibling, urgent=True)

    async def export_templates(self, url: str) -> list[dict[str, Any]]:
        about = RawPage(b"", url, None)
        return await self._call(lambda _: [], templates_as_data, about, urgent=True)

    async def import_templates(self, url: str, templates: list[dict[str, Any]]) -> int:
        about, host = RawPage(b"", url, None), shape_host(url)
        for other in self._hosts.others_of(host, self._hosts.first_of(host)):
            other.process.tell(worker_tasks.import_data, about, templates)
        return await self._call(lambda _: 0, add_template_data, about, templates, urgent=True)

    async def list_templates(self) -> list[TemplateView]:
        about = RawPage(b"", "", None)
        views = []
        for worker in self._workers:
            if worker.process.is_ready:
                with suppress(WorkerFailedError, WorkerLostError):
                    own, *_ = await self._ask(worker, worker_tasks.views_of, about, urgent=True)
                    views += own
        return views

    def close(self, directory: Path | None) -> None:
        """Write the templates and end the processes, which are killed after `CLOSE_S`."""
        lasts = [
            (worker_tasks.save, (directory / TEMPLATE_FILES.format(number),)) if directory else None
            for number in range(len(self._workers))
        ]
        processes = [worker.process for worker in self._workers]
        killed = close_all(list(zip(processes, lasts, strict=True)), CLOSE_S)
        if killed:
            logger.warning("%d worker processes did not end in %g s and were killed; templates "
                           "that they had learned may be lost", killed, CLOSE_S)  # fmt: skip

    async def _call(
        self,
        failed: Callable[[str], _T],
        function: Callable[..., _T],
        page: RawPage,
        *arguments: Any,
        worker: Worker | None = None,
        urgent: bool = False,
    ) -> _T:
        """Return ``function(cleaner, page, *arguments)``, computed by *worker*, else the host's.

        What pages wait for before they are cleaned is *urgent*.
        ``failed(reason)`` is returned when the worker died, or took too long, on this page.
        """
        host = shape_host(page.url)
        worker = worker or self._hosts.first_of(host)
        await self._hosts.join(host, worker)
        try:
            result, is_known, learned = await self._ask(
                worker, function, page, *arguments, urgent=urgent
            )
        except WorkerFailedError as error:
            return failed(error.reason)
        except WorkerLostError:
            return function(self._fall_back(), page, *arguments)
        if is_known:
            worker.known[url_shape(page.url)] = None
        for other in self._hosts.others_of(host, worker) if learned else ():
            other.process.tell(worker_tasks.add_learned, learned)
        return result

    async def _ask(
        self,
        worker: Worker,
        function: Callable[..., _T],
        *arguments: Any,
        urgent: bool,
    ) -> tuple[_T, bool, bytes | None]:
        task = worker.process.submit(self._work, function, *arguments, urgent=urgent)
        return await wait_for_result(task)

    async def _pack(self, host: str, worker: Worker) -> bytes | None:
        """Return the templates of *host* that *worker* has; None when it fails."""
        about = RawPage(b"", f"http://{host}/", None)
        with suppress(WorkerFailedError, WorkerLostError):
            packed, *_ = await self._ask(worker, worker_tasks.pack_templates, about, urgent=True)
            return packed
        return None

    def _fall_back(self) -> Cleaner:
        """Return the cleaner of this process, which does the work of a worker that is lost."""
        if self._cleaner is None:
            logger.warning("A worker process cannot be started; the main process cleans its pages")
            self._cleaner = make_cleaner(self._config, self._directory)
        return self._cleaner
