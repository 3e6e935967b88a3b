"""What a long crawl holds and how fast it is, as it goes on: nothing may grow with its pages.

    python -m benchmarks.load '{"pages": 1000, ...}'

crawls the web of `load_site` in this process, and prints a `Mark` as JSON at some numbers of pages,
then the stats. The add-on is that of any crawl, with JOBDIR, so with an index in a file.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.load_site import DOMAIN, LoadSite
from benchmarks.process_state import (
    LARGE,
    container_sizes,
    cpu_seconds,
    look_into,
    open_files,
    resident_bytes,
)
from benchmarks.sums import wrong_sums

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator


MARKS = (1_000, 10_000, 25_000, 50_000, 100_000)  # pages, then every further 50,000
HEADS = (
    "pages", "MB: crawl + workers", "pages/s", "CPU ms/page", "templates", "index entries",
    "open files", "Scrapy's filter", "largest containers",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """A crawl to be measured."""

    pages: int
    hosts: int
    workers: int = 1
    trouble: str = "none"
    open_hosts: int = 100  # crawled side by side
    settings: dict[str, Any] = field(default_factory=dict)
    port: int = 0
    folder: str = ""  # for JOBDIR and the feed

    @property
    def per_host(self) -> int:
        return max(1, self.pages // self.hosts)

    def marks(self) -> set[int]:
        total = self.per_host * self.hosts
        return {*(m for m in MARKS if m < total), *range(150_000, total, 50_000), total}


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """The crawl after so many pages."""

    pages: int
    seconds: float  # since the last mark
    cpu: float  # seconds since the last mark, of all processes of the crawl
    resident: list[int]  # bytes: of the crawl, and of each worker
    files: int  # open, sockets too
    templates: int
    entries: int  # of the index, in its file
    seen_by_scrapy: int  # requests that its filter of duplicates knows
    containers: dict[str, int]  # entries of those of the crawl that are not small
    in_workers: dict[str, int]  # the same


def measure_load(load: Load) -> Iterator[dict[str, Any]]:
    """Yield each mark as it comes, then ``{"stats": ..., "wrong": ...}``."""
    with tempfile.TemporaryDirectory() as folder, _server(load) as port:
        options = {**asdict(load), "port": port, "folder": folder}
        command = [sys.executable, "-m", "benchmarks.load", json.dumps(options)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as crawl:
            assert crawl.stdout is not None
            for line in crawl.stdout:
                yield json.loads(line)
        if crawl.returncode:
            raise SystemExit(crawl.returncode)


def load_line(mark: dict[str, Any], before: int) -> list[str]:
    """Return the cells of a mark, one for each of `HEADS`; *before*: pages at the last one."""
    pages = mark["pages"] - before
    sizes = {**mark["containers"], **mark["in_workers"]}
    largest = sorted(sizes.items(), key=lambda one: -one[1])[:3]
    return [
        f"{mark['pages']:,}",
        " + ".join(f"{size / 1e6:.0f}" for size in mark["resident"]),
        f"{pages / mark['seconds']:.1f}",
        f"{1_000 * mark['cpu'] / pages:.1f}",
        f"{mark['templates']:,}",
        f"{mark['entries']:,}",
        str(mark["files"]),
        f"{mark['seen_by_scrapy']:,}",
        ", ".join(f"{name} {size:,}" for name, size in largest),
    ]


@contextmanager
def _server(load: Load) -> Iterator[int]:
    """Serve the web in a process of its own; the value is its port."""
    numbers = [str(load.hosts), str(load.per_host), load.trouble]
    command = [sys.executable, "-m", "benchmarks.load_server", *numbers]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        assert server.stdin is not None
        try:
            yield int(server.stdout.readline())
        finally:
            server.stdin.close()


class Watch:
    """Prints what a crawl holds whenever it has come to one of *marks*."""

    def __init__(self, crawler: Any, marks: set[int]) -> None:
        self._crawler, self._marks = crawler, marks
        self._pages = 0
        self._last = (time.monotonic(), 0.0)
        self._cpu_gone = 0.0

    async def count(self) -> None:
        """Count a page that has come, or will not come any more."""
        self._pages += 1
        if self._pages in self._marks:
            print(json.dumps(asdict(await self._mark(self._pages))), flush=True)

    async def _mark(self, pages: int) -> Mark:
        from webclean_scrapy.crawl.service import WebcleanService

        service = WebcleanService.of(self._crawler)
        pids: list[int | str] = ["self", *worker_pids(service.backend)]
        now = (time.monotonic(), sum(map(cpu_seconds, pids)))
        before, self._last = self._last, now
        looked = await _look_into_workers(service.backend)
        parts = self._crawler.engine.downloader.middleware.middlewares
        parts += self._crawler.engine.scraper.itemproc.middlewares
        parts += self._crawler.engine.scraper.spidermw.middlewares
        roots = {type(part).__name__: part for part in (*parts, service)}
        ours = {name: part for name, part in roots.items() if "webclean" in type(part).__module__}
        return Mark(
            pages=pages,
            seconds=now[0] - before[0],
            cpu=now[1] - before[1],
            resident=[resident_bytes(pid) for pid in pids],
            files=open_files(),
            templates=sum(one["templates"] for one in looked),
            entries=_entries(self._crawler.settings["JOBDIR"]),
            seen_by_scrapy=len(
                getattr(self._crawler.engine._slot.scheduler.df, "fingerprints", ())
            ),
            containers=container_sizes(ours, LARGE),
            in_workers={k: v for one in looked for k, v in one["containers"].items()},
        )


def worker_pids(backend: Any) -> list[int]:
    """Return the processes that clean for the crawl."""
    pids = [worker.process.pid for worker in getattr(backend, "_workers", ())]
    return [pid for pid in pids if pid is not None]


async def _look_into_workers(backend: Any) -> list[dict[str, Any]]:
    """Call `look_into` in each worker, or here without workers."""
    from webclean_scrapy.cleaning.page.raw_page import RawPage
    from webclean_scrapy.crawl import worker_tasks

    page = RawPage(b"", "http://a.example/", None)
    if not hasattr(backend, "_workers"):
        return [look_into(backend._cleaner, page)]
    work = worker_tasks.work
    tasks = [worker.process.submit(work, look_into, page) for worker in backend._workers]
    return [(await asyncio.wrap_future(task))[0] for task in tasks]


def _entries(directory: str) -> int:
    import sqlite3
    from contextlib import closing

    from webclean_scrapy.crawl.index_access import STORE_FILE

    with closing(sqlite3.connect(Path(directory, STORE_FILE))) as database:
        return int(database.execute("SELECT count(*) FROM entries").fetchone()[0])


def crawl(load: Load) -> None:
    """Crawl in this process, which can do so once."""
    import scrapy
    from scrapy.crawler import AsyncCrawlerProcess

    from webclean_scrapy import ArticleItem

    site = LoadSite(load.hosts, load.per_host)

    class Pages(scrapy.Spider):
        """Asks for page after page, whatever the last one was."""

        name = "pages"
        webclean_items = True

        async def start(self) -> AsyncIterator[scrapy.Request]:
            self.watch = Watch(self.crawler, load.marks())
            self.pages = site.pages(load.open_hosts)
            for _ in range(2 * self.crawler.settings.getint("CONCURRENT_REQUESTS")):
                for request in self.next_page():
                    yield request

        def next_page(self) -> Iterator[scrapy.Request]:
            for host, number in self.pages:
                url = f"http://h{host}.{DOMAIN}:{load.port}{site.path(host, number)}"
                # Of a request that Scrapy's filter drops behind a redirect, nothing comes.
                through = load.trouble == "redirects"
                yield scrapy.Request(url, errback=self.lost, dont_filter=through)
                return

        async def parse(self, response: Any) -> AsyncIterator[Any]:
            yield ArticleItem(url=response.url)
            await self.watch.count()
            for request in self.next_page():
                yield request

        async def lost(self, failure: Any) -> AsyncIterator[Any]:
            self.crawler.stats.inc_value("load/lost")
            await self.watch.count()
            for request in self.next_page():
                yield request

    process = AsyncCrawlerProcess({**_settings(load), **load.settings})
    crawler = process.create_crawler(Pages)
    process.crawl(crawler)
    process.start()
    found = dict(crawler.stats.get_stats())
    print(json.dumps({"stats": found, "wrong": wrong_sums(found)}, default=str), flush=True)


def _settings(load: Load) -> dict[str, Any]:
    return {
        "ADDONS": {"webclean_scrapy.Addon": 500},
        "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
        "DNS_RESOLVER": "benchmarks.load_names.AllNamesHere",
        "FEEDS": {f"{load.folder}/articles.jsonl": {"format": "jsonlines", "fields": ["url"]}},
        "JOBDIR": f"{load.folder}/job",
        "LOG_LEVEL": "CRITICAL",  # each lost page is an error to Scrapy
        "ROBOTSTXT_OBEY": True,
        "TELNETCONSOLE_ENABLED": False,
        "WEBCLEAN_DROP_NON_ARTICLES": True,
        "WEBCLEAN_WORKERS": load.workers,
    }


if __name__ == "__main__":
    crawl(Load(**json.loads(sys.argv[1])))
