"""What the add-on costs a crawl: CPU by process, how long the event loop is held, memory.

    python -m benchmarks.crawl_cost CASE URL PAGES LARGE

crawls the pages that are served at URL as the case CASE says, and prints its `CrawlCost` as JSON.

Every case gets the same pages in the same order: articles of 10 to 100 kB and, where asked for,
some of 300 kB to 5 MB. The server is a process of its own, and so is each crawl.
"""

from __future__ import annotations

import asyncio
import json
import random
import resource
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.made_pages import make_page
from webclean_scrapy.demo.model import DemoPage
from webclean_scrapy.demo.server import PageServer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scrapy import Spider
    from scrapy.crawler import Crawler

CASES: dict[str, dict[str, Any]] = {
    "bare Scrapy": {},
    "all parts, defaults": {},
    "all parts, in the crawl's process": {"WEBCLEAN_WORKERS": 0},
    "all parts, two workers": {"WEBCLEAN_WORKERS": 2},
    "without siblings": {"WEBCLEAN_SIBLING_ENABLED": False},
    "without de-duplication": {"WEBCLEAN_DEDUP_ENABLED": False},
}
BARE = "bare Scrapy"
SMALL = (10_000, 20_000, 30_000, 50_000, 100_000)  # bytes
LARGE = (300_000, 1_000_000, 2_000_000, 5_000_000)  # bytes; a page of each is one of the large
LARGE_EVERY = 25  # pages
TICK_S = 0.005  # how often the event loop is asked to come back
TIME_LIMIT_S = 900  # of a crawl


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlCost:
    """What one crawl took."""

    case: str
    items: int
    wall_s: float  # from the first request to the end
    crawl_cpu_s: float  # of the crawl's own process, without its start
    worker_cpu_s: float  # of all workers, with their start
    lag_ms: tuple[float, float, float]  # how late the loop came back: p50, p99, max
    held_ms: tuple[float, float]  # CPU of the loop's thread between two turns: p99, max
    start_mb: float  # memory of the crawl's process when its first request is sent
    peak_mb: float


def measure_crawls(names: Sequence[str], pages: int, large: bool) -> Iterator[CrawlCost]:
    """Crawl the same pages in each named case, one process after the other."""
    command = [sys.executable, "-m", "benchmarks.crawl_cost"]
    sizes = [str(pages), str(int(large))]
    with subprocess.Popen([*command, "serve", *sizes], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        try:
            for name in names:
                done = subprocess.run(
                    [*command, name, url, *sizes],
                    check=True,
                    stdout=subprocess.PIPE,
                    text=True,
                    timeout=TIME_LIMIT_S,
                )
                yield CrawlCost(**json.loads(done.stdout))
        finally:
            server.kill()


def crawls_section(costs: Sequence[CrawlCost]) -> str:
    """Return a Markdown table, a line for each crawl."""
    heads = (
        "case, items, items a CPU second, of bare Scrapy, worker ms a page, items a second, "
        "loop lag p50, p99, max, loop held p99, max, MB at start, MB peak"
    ).split(", ")
    lines = [f"| {' | '.join(heads)} |", "|---|" + "---:|" * (len(heads) - 1)]
    bare = next((cost for cost in costs if cost.case == BARE), None)
    for cost in costs:
        rate = cost.items / cost.crawl_cpu_s
        share = rate * bare.crawl_cpu_s / bare.items if bare else float("nan")
        cells = [
            cost.case, f"{cost.items}", f"{rate:.0f}", f"{share:.2f}",
            f"{cost.worker_cpu_s / cost.items * 1000:.1f}", f"{cost.items / cost.wall_s:.0f}",
            *(f"{lag:.0f}" for lag in (*cost.lag_ms, *cost.held_ms)),
            f"{cost.start_mb:.0f}", f"{cost.peak_mb:.0f}",
        ]  # fmt: skip
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def page_sizes(pages: int, large: bool) -> list[int]:
    """Return the size of each page in bytes."""
    draw = random.Random(pages)
    sizes = [draw.choice(SMALL) for _ in range(pages)]
    if large:
        for place, number in enumerate(range(LARGE_EVERY // 2, pages, LARGE_EVERY)):
            sizes[number] = LARGE[place % len(LARGE)]
    return sizes


def serve(pages: int, large: bool) -> None:
    """Serve the pages until the process is killed; print the URL."""
    bodies = {
        f"/news/{number}.html": DemoPage(body=make_page(size, number + 1).encode())
        for number, size in enumerate(page_sizes(pages, large))
    }
    with PageServer(bodies.get) as server:
        print(server.url(""), flush=True)
        time.sleep(2 * TIME_LIMIT_S * len(CASES))


def crawl(case: str, url: str, pages: int) -> CrawlCost:
    """Crawl the pages at *url* in this process, which can do so once."""
    import scrapy
    from scrapy.crawler import AsyncCrawlerProcess

    class Pages(scrapy.Spider):
        """Makes an item of each page."""

        name = "pages"
        start_urls = [f"{url}/news/{number}.html" for number in range(pages)]  # noqa: RUF012
        webclean_items = True

        def parse(self, response: Any) -> Iterator[Any]:
            yield {"url": response.url, "title": response.css("title::text").get()}

    clock = _Clock()
    settings = {
        "LOG_LEVEL": "ERROR",
        "TELNETCONSOLE_ENABLED": False,
        **CASES[case],
    }
    if case != BARE:
        settings["ADDONS"] = {"webclean_scrapy.Addon": 500}
    process = AsyncCrawlerProcess(settings)
    crawler = process.create_crawler(Pages)
    clock.watch(crawler)
    process.crawl(crawler)
    process.start()
    return clock.cost(case, crawler.stats.get_value("item_scraped_count", 0))


class _Clock:
    """Measures a crawl in its own event loop."""

    def watch(self, crawler: Crawler) -> None:
        from scrapy import signals

        self._lags: list[float] = []
        self._held: list[float] = []
        crawler.signals.connect(self._begin, signal=signals.spider_opened)
        crawler.signals.connect(self._end, signal=signals.spider_closed)

    def _begin(self, spider: Spider) -> None:
        self._start_mb = _peak_mb()
        self._wall, self._cpu = time.perf_counter(), time.process_time()
        self._task = asyncio.get_running_loop().create_task(self._tick())

    async def _tick(self) -> None:
        while True:
            before, cpu = time.perf_counter(), time.thread_time()
            await asyncio.sleep(TICK_S)
            self._lags.append(time.perf_counter() - before - TICK_S)
            self._held.append(time.thread_time() - cpu)

    def _end(self, spider: Spider) -> None:
        self._task.cancel()
        self._wall = time.perf_counter() - self._wall
        self._cpu = time.process_time() - self._cpu

    def cost(self, case: str, items: int) -> CrawlCost:
        workers = resource.getrusage(resource.RUSAGE_CHILDREN)
        p50, p99, longest = (float(ms) for ms in np.percentile(self._lags, (50, 99, 100)) * 1000)
        held = [float(ms) for ms in np.percentile(self._held, (99, 100)) * 1000]
        return CrawlCost(
            case=case,
            items=items,
            wall_s=self._wall,
            crawl_cpu_s=self._cpu,
            worker_cpu_s=workers.ru_utime + workers.ru_stime,
            lag_ms=(p50, p99, longest),
            held_ms=(held[0], held[1]),
            start_mb=self._start_mb,
            peak_mb=_peak_mb(),
        )


def _peak_mb() -> float:
    unit = 1e6 if sys.platform == "darwin" else 1e3
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def _main(case: str, *words: str) -> None:
    *address, pages, large = words
    if case == "serve":
        serve(int(pages), bool(int(large)))
    else:
        print(json.dumps(asdict(crawl(case, address[0], int(pages)))))


if __name__ == "__main__":
    _main(*sys.argv[1:])
