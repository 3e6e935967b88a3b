"""Which worker cleans a page: that of its host, or another one where that has more than it can do.

A worker holds the templates of the hosts whose pages it cleans. So all pages of a host go to one
worker, until pages of it wait while another worker is free (each has one page ahead, the others
wait for the first that has time). That one gets the templates of the host first. From then on each
of the two is told what the other learns before its next page, so that both have the same templates
but for the pages that they clean at that moment.

A worker whose process was replaced knows nothing. It gets the templates of a shared host again from
another worker that has them; what nobody else has is learned again.
"""

from __future__ import annotations

import zlib
from collections import deque
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

from scrapy.utils.datatypes import LocalCache

from webclean_scrapy.crawl import worker_tasks
from webclean_scrapy.crawl.pending import PendingTasks, Wakeup
from webclean_scrapy.crawl.worker_process import WorkerProcess

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from typing import Any

BUSY = 2  # pages in a worker: it cleans one, and another waits
LOOKED_AT = 100  # pages that wait, when a worker has time; one that does nothing takes any page
MAX_SHARED = 1_000  # hosts with several workers; the one shared first has one again


class Worker:
    """A process, the URL shapes of which it knows the template, and how much it has to do."""

    def __init__(self, setup: tuple[Any, ...], timeout_s: float, max_templates: int) -> None:
        self._max_templates = max_templates
        self.process_number = 0  # of the processes that there were
        self.pages = 0  # that it is to clean, with the one that it cleans
        self.forget()
        self.process = WorkerProcess(
            worker_tasks.start, *setup, timeout_s=timeout_s, forget=self.forget
        )

    def forget(self) -> None:
        """Know no template: another process begins."""
        self.process_number += 1
        self.known: LocalCache[str, None] = LocalCache(limit=self._max_templates)


@dataclass(eq=False, slots=True)
class _Waiting:
    """A page that waits for a worker."""

    host: str
    key: str
    worker: Worker | None = None


class HostWorkers:
    """The workers of a crawl, and which of them have the templates of a host.

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
        self._numbers = count()  # of pages that wait
        self._assigned = Wakeup()

    def first_of(self, host: str) -> Worker:
        """Return the worker of *host*, which does all but the pages that it has no time for."""
        return self._workers[zlib.crc32(host.encode()) % len(self._workers)]

    def all_of(self, host: str) -> list[Worker]:
        """Return the workers that have the templates of *host*, its first one in any case."""
        first = self.first_of(host)
        sharing = self._sharing.get(host, {})
        return [first, *(each for each in sharing if each is not first and _has(sharing, each))]

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
        if best.pages:
            self._start_another()
        return best

    async def reserve(self, host: str) -> Worker:
        """Return a worker for a page of *host*, which has it to clean from now on, until `release`.

        Pages wait here while workers have enough to do, so that one that starts late gets its part.
        """
        worker = self.least_busy(host)
        if not self._shares or worker.pages < BUSY:
            worker.pages += 1
            return worker
        waiting = _Waiting(host, str(next(self._numbers)))
        self._waiting.append(waiting)
        is_through = False
        try:
            await self._assigned.wait_for_notify(waiting.key)
            is_through = True
        finally:
            if not is_through:  # cancelled
                self._give_up(waiting)
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
                self._assigned.notify(waiting.key)
            else:
                kept.append(waiting)
        self._waiting.extendleft(reversed(kept))

    def _give_up(self, waiting: _Waiting) -> None:
        if waiting.worker is None:
            self._waiting.remove(waiting)
        else:
            self.release(waiting.worker)

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
                worker.process.tell(worker_tasks.add_templates, packed)
            sharing[worker] = process

    def _start_another(self) -> None:
        """Start a process that is not needed until now: it takes seconds."""
        for worker in self._workers:
            if not worker.process.is_started:
                worker.process.start()
                return


def _has(sharing: dict[Worker, int], worker: Worker) -> bool:
    """Whether the process of *worker* is one that was given the templates."""
    return sharing.get(worker) == worker.process_number
