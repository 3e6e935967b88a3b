"""Cost of the add-on in a crawl: CPU by process, delay of the event loop, memory.

    python -m benchmarks.crawl_cost CASE URL WATCH

crawls the pages that are served at URL as the case CASE says, and prints its `CrawlCost` as JSON.

Every case gets the same pages in the same order: labelled ones, or those of the demo portal, some
of which are made ones of 300 kB to 5 MB if asked for. The server is a process of its own, and
so is each crawl. Each case is crawled twice: with WATCH the event loop is asked all the time
whether it is free, which costs CPU itself, the more the longer a crawl takes; so CPU and memory are
those of a crawl without.

What is one cost a crawl, and not one a page, is said apart: the start of a worker. The workers'
time for a page is also given by the place of the page among those of its site.
"""

from __future__ import annotations

import asyncio
import json
import math
import resource
import subprocess
import sys
import time
import urllib.request
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.crawl_pages import PATHS
from benchmarks.place_cost import LOAD_ALL, PLACES, PageTimes
from benchmarks.process_state import ChildProcess, child_processes, memory_mb

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scrapy import Spider
    from scrapy.crawler import Crawler

    from benchmarks.crawl_pages import PageChoice

CASES: dict[str, dict[str, Any]] = {
    "bare Scrapy": {},
    # A process that waits for each page finds its caches cold: as much as one with workers does.
    "bare Scrapy, 12 pages a second": {"DOWNLOAD_DELAY": 1 / 12},
    "all parts, defaults": {},
    "all parts, in the crawl's process": {"WEBCLEAN_WORKERS": 0},
    "all parts, two workers": {"WEBCLEAN_WORKERS": 2},
    "without siblings": {"WEBCLEAN_SIBLING_ENABLED": False},
    "without de-duplication": {"WEBCLEAN_DEDUP_ENABLED": False},
}
BARE = "bare Scrapy"
TICK_S = 0.005  # how often the event loop is asked to come back
TIME_LIMIT_S = 900  # of a crawl


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlCost:
    """Cost of one crawl."""

    case: str
    items: int
    wall_s: float  # from the first request to the end
    crawl_cpu_s: float  # of the crawl's own process, without its start
    worker_cpu_s: float  # of all workers, without their start
    worker_start_cpu_s: float  # until one worker has loaded all
    busiest: float  # share of the worker that has used most of it: with two, 0.5 at best
    place_ms: Sequence[float]  # CPU of workers a page, by its place in its site, see `PLACES`
    lag_ms: tuple[float, float, float]  # how late the loop came back: p50, p99, max
    start_mb: float  # memory of the crawl's process when its first request is sent
    peak_mb: float
    worker_mb: float  # of the largest worker at the end


def measure_crawls(
    names: Sequence[str], choice: PageChoice, times: int
) -> tuple[str, list[CrawlCost]]:
    """Crawl the same pages in each named case, one process after the other, and all *times* times.

    Returns what pages these are, in a sentence, and the medians of the costs: the speed of a
    machine that others use changes by a third within minutes.
    """
    costs: dict[str, list[CrawlCost]] = {name: [] for name in names}
    serve = [sys.executable, "-m", "benchmarks.crawl_pages", json.dumps(asdict(choice))]
    with subprocess.Popen(serve, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        pages = server.stdout.readline().strip()
        command = [sys.executable, "-m", "benchmarks.crawl_cost"]
        try:
            for name in [*names] * times:
                cost, watched = (_run([*command, name, url, watch]) for watch in "01")
                costs[name].append(replace(cost, lag_ms=watched.lag_ms))
        finally:
            server.kill()
    return pages, [_median(of_case) for of_case in costs.values()]


def _median(costs: Sequence[CrawlCost]) -> CrawlCost:
    """Return the median of each figure; of crawls that exported different numbers, the smallest."""
    rows = [asdict(cost) for cost in costs]
    numbers = [name for name in rows[0] if name not in {"case", "items"}]
    middle: dict[str, Any] = {
        name: np.median([row[name] for row in rows], axis=0).tolist() for name in numbers
    }
    items = min(cost.items for cost in costs)
    return CrawlCost(case=costs[0].case, items=items, **middle)


def _run(command: list[str]) -> CrawlCost:
    done = subprocess.run(
        command, check=True, stdout=subprocess.PIPE, text=True, timeout=TIME_LIMIT_S
    )
    return CrawlCost(**json.loads(done.stdout))


def crawls_section(costs: Sequence[CrawlCost]) -> str:
    """Return a Markdown table, a line for each crawl."""
    heads = (
        "case, items, items a CPU second, of bare Scrapy, workers ms a page, "
        f"{', '.join(f'of place {place}' for place in PLACES)}, "
        "busiest worker, start of a worker ms, items a second, loop lag p50, p99, max, "
        "MB at start, MB peak, MB a worker"
    ).split(", ")
    lines = [f"| {' | '.join(heads)} |", "|---|" + "---:|" * (len(heads) - 1)]
    bare = next((cost for cost in costs if cost.case == BARE), None)
    for cost in costs:
        rate = cost.items / cost.crawl_cpu_s
        share = rate * bare.crawl_cpu_s / bare.items if bare else float("nan")
        cells = [
            cost.case, f"{cost.items}", f"{rate:.0f}", f"{share:.2f}",
            f"{cost.worker_cpu_s / cost.items * 1000:.1f}",
            *("-" if math.isnan(ms) else f"{ms:.1f}" for ms in cost.place_ms),
            f"{cost.busiest:.2f}", f"{cost.worker_start_cpu_s * 1000:.0f}",
            f"{cost.items / cost.wall_s:.0f}",
            *(f"{lag:.0f}" for lag in cost.lag_ms),
            f"{cost.start_mb:.0f}", f"{cost.peak_mb:.0f}", f"{cost.worker_mb:.0f}",
        ]  # fmt: skip
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def crawl(case: str, url: str, *, watch: bool) -> CrawlCost:
    """Crawl the pages at *url* in this process, which is possible once."""
    import scrapy
    from scrapy.crawler import AsyncCrawlerProcess

    with urllib.request.urlopen(url + PATHS) as answer:  # noqa: S310, our own server
        paths = answer.read().decode().split()

    class Pages(scrapy.Spider):
        """Makes an item of each page."""

        name = "pages"
        start_urls = [url + path for path in paths]  # noqa: RUF012
        webclean_items = True

        def parse(self, response: Any) -> Iterator[Any]:
            yield {"url": response.url, "title": response.css("title::text").get()}

    clock = _Clock(is_watching=watch)
    settings = {"LOG_LEVEL": "ERROR", "TELNETCONSOLE_ENABLED": False, **CASES[case]}
    times = PageTimes()
    if not case.startswith(BARE):
        times.watch_workers()
        settings["ADDONS"] = {"webclean_scrapy.Addon": 500}
    process = AsyncCrawlerProcess(settings)
    crawler = process.create_crawler(Pages)
    clock.connect(crawler)
    process.crawl(crawler)
    process.start()
    return clock.cost(case, crawler.stats.get_value("item_scraped_count", 0), times.ms_by_place())


class _Clock:
    def __init__(self, *, is_watching: bool) -> None:
        self._is_watching = is_watching
        self._lags: list[float] = []
        self._workers: list[ChildProcess] = []

    def connect(self, crawler: Crawler) -> None:
        from scrapy import signals

        crawler.signals.connect(self._begin, signal=signals.spider_opened)
        crawler.signals.connect(self._look_at_workers, signal=signals.spider_idle)
        crawler.signals.connect(self._end, signal=signals.spider_closed)

    def _begin(self, spider: Spider) -> None:
        self._start_mb = memory_mb("VmRSS")
        self._wall, self._cpu = time.perf_counter(), time.process_time()
        if self._is_watching:
            self._task = asyncio.get_running_loop().create_task(self._tick())

    async def _tick(self) -> None:
        while True:
            before = time.perf_counter()
            await asyncio.sleep(TICK_S)
            self._lags.append(time.perf_counter() - before - TICK_S)

    def _look_at_workers(self, spider: Spider) -> None:
        self._workers = child_processes()

    def _end(self, spider: Spider) -> None:
        if self._is_watching:
            self._task.cancel()
        self._wall = time.perf_counter() - self._wall
        self._cpu = time.process_time() - self._cpu

    def cost(self, case: str, items: int, place_ms: Sequence[float]) -> CrawlCost:
        workers = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = _start_of_worker() if self._workers else 0.0
        spent = workers.ru_utime + workers.ru_stime - len(self._workers) * start
        each = [worker.cpu_s - start for worker in self._workers]
        p50, p99, longest = np.percentile(self._lags or [0.0], (50, 99, 100)).tolist()
        return CrawlCost(
            case=case,
            items=items,
            wall_s=self._wall,
            crawl_cpu_s=self._cpu,
            worker_cpu_s=spent if self._workers else 0.0,
            worker_start_cpu_s=start,
            busiest=max(each) / sum(each) if each else 0.0,
            place_ms=place_ms,
            lag_ms=(1000 * p50, 1000 * p99, 1000 * longest),
            start_mb=self._start_mb,
            peak_mb=memory_mb("VmHWM"),
            worker_mb=max((each.mb for each in self._workers), default=0.0),
        )


def _start_of_worker() -> float:
    from scrapy.settings import Settings

    from webclean_scrapy.crawl.settings_files import dedup_config
    from webclean_scrapy.crawl.workers import tasks
    from webclean_scrapy.crawl.workers.process import WorkerProcess
    from webclean_scrapy.settings import WebcleanConfig

    config = WebcleanConfig.from_settings(Settings())
    setup = config.clean_config(), None, dedup_config(config)
    worker = WorkerProcess(tasks.start, *setup, timeout_s=TIME_LIMIT_S)
    worker.submit(tasks.work, *LOAD_ALL).result()
    spent = max(process.cpu_s for process in child_processes())
    worker.begin_close(None)
    worker.finish_close(TIME_LIMIT_S)
    return spent


def _main(case: str, url: str, watch: str) -> None:
    print(json.dumps(asdict(crawl(case, url, watch=bool(int(watch))))))


if __name__ == "__main__":
    _main(*sys.argv[1:])
