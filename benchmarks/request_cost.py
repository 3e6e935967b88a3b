"""What siblings cost a crawl: requests for each page, and how long a page waits for its sibling.

    python -m benchmarks.request_cost PLACE CONCURRENCY URL

crawls site number PLACE of `SITES`, served at URL, and prints its `Cost` as JSON.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import Counter, defaultdict
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.made_sites import MadeSite
from spiders.demo.server import PageServer
from webclean_scrapy import stats

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence

PAGES = 300
SITES = (
    MadeSite("1 template", PAGES, 1, 1),
    MadeSite("10 templates, 10 URL patterns", PAGES, 10, 10),
    MadeSite("10 templates, 1 URL pattern", PAGES, 10, 1),
    MadeSite("1 template, closed", PAGES, 1, 1, closed=True),
    MadeSite("10 templates, 10 URL patterns, closed", PAGES, 10, 10, closed=True),
    MadeSite("10 templates, 1 URL pattern, closed", PAGES, 10, 1, closed=True),
    MadeSite("300 templates, 300 URL patterns, closed", PAGES, PAGES, PAGES, closed=True),
)
CONCURRENCY = (16, 1)  # Scrapy's default, and what lets no page meet another
TIME_LIMIT_S = 120  # of a crawl


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What one crawl took."""

    site: str
    concurrency: int
    pages: int  # that the spider was given, lists included
    requests: int  # that left the machine: pages, siblings and robots.txt
    robots: int
    siblings: int
    handed_over: int
    refused: dict[str, int]  # by reason
    waits: list[float]  # seconds, of each page

    @property
    def share(self) -> float:
        """Requests for each page."""
        return self.requests / self.pages


def measure_requests(
    sites: Sequence[MadeSite] = SITES, concurrency: Sequence[int] = CONCURRENCY
) -> Iterator[Cost]:
    """Crawl each site with default settings, a process each: a reactor starts only once."""
    for site in sites:
        for at_once in concurrency:
            with PageServer(site.find) as server:
                place = SITES.index(site)
                command = ["benchmarks.request_cost", str(place), str(at_once), server.url("")]
                done = subprocess.run(
                    [sys.executable, "-m", *command],
                    check=True,
                    stdout=subprocess.PIPE,
                    text=True,
                    timeout=TIME_LIMIT_S,
                )
            yield Cost(**json.loads(done.stdout))


def crawl_site(site: MadeSite, concurrency: int, url: str) -> Cost:
    """Crawl *site* at *url* in this process, which can do so once."""
    import scrapy
    from scrapy.crawler import AsyncCrawlerProcess

    class Pages(scrapy.Spider):
        """Follows every link but those to articles that are not wanted."""

        name = "pages"

        async def start(self) -> AsyncIterator[scrapy.Request]:
            yield scrapy.Request(f"{url}/")

        def parse(self, response: Any) -> Iterator[Any]:
            yield {"url": response.url}
            for link in response.css("a::attr(href)").getall():
                if link.endswith(".html") and site.is_wanted(link):
                    yield response.follow(link)

    waits = _measure_waits()
    process = AsyncCrawlerProcess(
        {
            "ADDONS": {"webclean_scrapy.Addon": 500},
            "CONCURRENT_REQUESTS": concurrency,
            "LOG_LEVEL": "ERROR",
            "ROBOTSTXT_OBEY": True,
            "TELNETCONSOLE_ENABLED": False,
        }
    )
    crawler = process.create_crawler(Pages)
    process.crawl(crawler)
    process.start()
    found = crawler.stats.get_stats()
    pages = found["item_scraped_count"] + found.get("item_dropped_count", 0)
    assert pages == site.pages + site.lists + 1, f"{pages} pages of {site}"
    return Cost(
        site=site.name,
        concurrency=concurrency,
        pages=pages,
        requests=found["downloader/request_count"],
        robots=found["robotstxt/request_count"],
        siblings=found.get(stats.SIBLING_REQUESTED, 0),
        handed_over=found.get(stats.SIBLING_HANDED_OVER, 0),
        refused=_refused(found),
        waits=list(waits.values()),
    )


def requests_section(costs: Sequence[Cost]) -> str:
    """Return a Markdown table, a line for each crawl."""
    names = "articles, at once, pages, requests, robots.txt, siblings, handed over, refused"
    heads = [*names.split(", "), "requests a page", "p50", "p90", "max"]
    rules = ["---" if head in {"articles", "refused"} else "---:" for head in heads]
    lines = [f"| {' | '.join(cells)} |" for cells in (heads, rules)]
    for cost in costs:
        half, most, longest = np.percentile(cost.waits, (50, 90, 100)) * 1000
        refused = ", ".join(f"{count} {why}" for why, count in cost.refused.items()) or "none"
        lines.append(
            f"| {cost.site} | {cost.concurrency} | {cost.pages} | {cost.requests} | {cost.robots} |"
            f" {cost.siblings} | {cost.handed_over} | {refused} | {cost.share:.3f} |"
            f" {half:.0f} | {most:.0f} | {longest:.0f} |"
        )
    return "\n".join(lines)


def _measure_waits() -> dict[str, float]:
    """Return what becomes the seconds that the middleware held each page, by URL.

    Both before its download, when the same page is on its way as a sibling, and after, when its
    first item waits for one.
    """
    from webclean_scrapy.downloadermiddlewares.sibling import SiblingMiddleware
    from webclean_scrapy.meta import IS_SIBLING

    waits: dict[str, float] = defaultdict(float)
    before, after = SiblingMiddleware.process_request, SiblingMiddleware.search_for_page

    async def timed_before(self: SiblingMiddleware, request: Any) -> Any:
        start = time.perf_counter()
        found = await before(self, request)
        _count(request, start)
        return found

    async def timed_after(self: SiblingMiddleware, request: Any, response: Any) -> Any:
        start = time.perf_counter()
        found = await after(self, request, response)
        _count(request, start)
        return found

    def _count(request: Any, start: float) -> None:
        if IS_SIBLING not in request.meta and not request.url.endswith("/robots.txt"):
            waits[request.url] += time.perf_counter() - start

    SiblingMiddleware.process_request = timed_before  # type: ignore[method-assign]
    SiblingMiddleware.search_for_page = timed_after  # type: ignore[method-assign]
    return waits


def _refused(found: dict[str, Any]) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for family in (stats.SIBLING_REFUSED, stats.SIBLING_FAILED):
        for name, count in found.items():
            if name.startswith(f"{family}/"):
                counts[name.removeprefix(f"{family}/")] += count
    return dict(counts)


if __name__ == "__main__":
    number, at_once, address = sys.argv[1:]
    print(json.dumps(asdict(crawl_site(SITES[int(number)], int(at_once), address))))
