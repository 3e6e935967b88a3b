"""CPU time that the workers of a crawl take for a page, by its place among the pages of its site.

The first pages of a site are cleaned before their template is known, and pay for the search of it.
What a worker loads once, for its first Chinese page half a second, is loaded before its first page.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from operator import methodcaller
from typing import TYPE_CHECKING, Any
from unittest.mock import patch
from urllib.parse import urlsplit

import numpy as np

from benchmarks.process_state import cpu_seconds

if TYPE_CHECKING:
    from collections.abc import Iterable

    from webclean_scrapy.crawl.workers.process import Call, WorkerProcess

FIRST = (1, 2, 4, 9)  # places that begin a group
PLACES = ("1", "2-3", "4-8", "9-")
LOAD_ALL = "", methodcaller("warm_up")  # the arguments of a worker's task


def group_by_place(urls: Iterable[str]) -> list[list[str]]:
    """Return *urls* by the group of their place in their site, the first folder of the path.

    >>> group_by_place(["/a/1", "/a/2", "/b/1"])
    [['/a/1', '/b/1'], ['/a/2'], [], []]
    """
    groups: list[list[str]] = [[] for _ in FIRST]
    met: Counter[str] = Counter()
    for url in urls:
        site = urlsplit(url).path.split("/")[1]
        met[site] += 1
        groups[np.searchsorted(FIRST, met[site], side="right") - 1].append(url)
    return groups


class PageTimes:
    """CPU seconds of workers by the URL of the page that they were for."""

    def __init__(self) -> None:
        self._cleaned: list[str] = []  # in their order
        self._seconds: defaultdict[str, float] = defaultdict(float)

    def watch_workers(self) -> None:
        """Read the CPU clock of each worker before and after its tasks, from now on. Of Linux."""
        from webclean_scrapy.crawl.workers import tasks
        from webclean_scrapy.crawl.workers.process import WorkerProcess

        answer_of = WorkerProcess._ask
        ready: set[int | None] = {None}

        def ask(worker: WorkerProcess, call: Call) -> Any:
            worker._start()  # which is no cost of a page
            pid = worker.pid if sys.platform == "linux" else None
            if pid not in ready:
                ready.add(pid)
                answer_of(worker, (tasks.work, LOAD_ALL))
            before = cpu_seconds(pid) if pid else 0.0
            answer = answer_of(worker, call)
            function, arguments = call
            if pid and function is tasks.work:  # cleans, learns a sibling or recognises
                url, work = arguments[:2]
                self._seconds[url] += cpu_seconds(pid) - before
                if work is tasks.clean:
                    self._cleaned.append(url)
            return answer

        patch.object(WorkerProcess, "_ask", ask).start()

    def ms_by_place(self) -> list[float]:
        """Return milliseconds a page for each of `PLACES`; NaN where no worker cleaned a page."""
        return [
            sum(self._seconds[url] for url in urls) / len(urls) * 1000 if urls else float("nan")
            for urls in group_by_place(self._cleaned)
        ]
