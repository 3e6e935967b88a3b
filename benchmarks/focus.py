"""How many relevant articles a focused crawl of the demo portal has found after n requests.

For each topic, crawls with profiles of three of its articles, drawn by several seeds; relevant are
the other articles of the topic. Beside them the same crawl without a profile, breadth first and in
Scrapy's own order. One request at a time, so that the order is that of the queue; no cleaning, no
siblings.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from benchmarks.markdown import share, table
from spiders.demo import DemoServer
from webclean_scrapy.keywords.interest_profile import make_profile
from webclean_scrapy.keywords.tfidf import KeywordRanker
from webclean_scrapy.spiders import SiteSpider

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scrapy.http import Request

    from benchmarks.topics import Topics

AFTER = (10, 20, 40, 60, 80)  # requests
SHOWN = 40  # of these, in the table by topic
FOCUSED, BREADTH, DEFAULT = "focused", "breadth first", "Scrapy's order"
SETTINGS = {
    "ADDONS": {"webclean_scrapy.Addon": 500},
    "CONCURRENT_REQUESTS": 1,
    "LOG_ENABLED": False,
    "TELNETCONSOLE_ENABLED": False,
    "ROBOTSTXT_OBEY": True,
    "WEBCLEAN_CLEAN_ENABLED": False,
    "WEBCLEAN_DEDUP_ENABLED": False,
    "WEBCLEAN_SIBLING_ENABLED": False,
}
BREADTH_FIRST = {
    "DEPTH_PRIORITY": 1,
    "SCHEDULER_DISK_QUEUE": "scrapy.squeues.PickleFifoDiskQueue",
    "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
}
Found = dict[str, dict[str, list[tuple[int, ...]]]]  # by order and topic: counts after AFTER, all


class RecordingSpider(SiteSpider):
    """Writes down the paths it requests, in order."""

    name = "recording"

    def __init__(self, paths: list[str], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._paths = paths

    def count_request(self, request: Request) -> None:
        """Note the path, the query included."""
        parts = urlsplit(request.url)
        if parts.path != "/robots.txt":
            self._paths.append(parts.path + (f"?{parts.query}" if parts.query else ""))
        super().count_request(request)


def measure_focus(collections: Mapping[str, Topics], seeds: int) -> dict[str, Found]:
    """Return what was found, by collection of topics. Crawls once in a process: a reactor."""
    from scrapy.utils.defer import deferred_from_coro
    from scrapy.utils.reactor import install_reactor

    install_reactor("twisted.internet.asyncioreactor.AsyncioSelectorReactor")
    from twisted.internet import reactor as module

    reactor: Any = module
    found: dict[str, Found] = {}

    async def crawl_all(url: str, folder: Path) -> None:
        orders = {BREADTH: await _crawl(url, BREADTH_FIRST), DEFAULT: await _crawl(url, {})}
        for name, topics in collections.items():
            found[name] = await _measure_topics(topics, seeds, orders, (url, folder))

    with DemoServer() as server, tempfile.TemporaryDirectory() as folder:
        done: Any = deferred_from_coro(crawl_all(server.url(), Path(folder)))
        done.addErrback(lambda failure: failure.printTraceback())
        done.addBoth(lambda _: reactor.stop())
        reactor.run()
    assert found.keys() == collections.keys(), "a crawl failed"
    return found


async def _measure_topics(
    topics: Topics, seeds: int, orders: Mapping[str, list[str]], place: tuple[str, Path]
) -> Found:
    ranker = KeywordRanker()
    found: Found = {FOCUSED: {}, **{order: {} for order in orders}}
    url, folder = place
    for topic in topics.members:
        for kept, wanted in topics.draws(topic, seeds):
            file = folder / "profile.json"
            make_profile(ranker.vector(topics.blocks[key]) for key in kept).save(file)
            focused = await _crawl(url, {"WEBCLEAN_INTEREST_PROFILE": str(file)})
            for order, paths in {FOCUSED: focused, **orders}.items():
                assert wanted <= set(paths), "a crawl without limit finds all"
                counts = tuple(len(wanted.intersection(paths[:n])) for n in AFTER)
                found[order].setdefault(topic, []).append((*counts, len(wanted)))
    return found


async def _crawl(url: str, settings: Mapping[str, Any]) -> list[str]:
    """Return the paths in the order in which a crawl requested them."""
    from scrapy.crawler import AsyncCrawlerRunner

    paths: list[str] = []
    runner = AsyncCrawlerRunner({**SETTINGS, **settings})
    await runner.crawl(runner.create_crawler(RecordingSpider), url=url, paths=paths)
    return paths


def focus_section(name: str, found: Found) -> str:
    """Return the share found after n requests, and the share of each topic after `SHOWN`."""
    rows = []
    for order, by_topic in found.items():
        totals = _sums([counts for draws in by_topic.values() for counts in draws])
        rows.append([order, *(share(count / totals[-1]) for count in totals[:-1])])
    crawls = sum(map(len, found[FOCUSED].values()))
    whole = table([f"{name}, {crawls} profiles", *map(str, AFTER)], rows)
    place = AFTER.index(SHOWN)
    rows = []
    for topic in found[FOCUSED]:
        sums = {order: _sums(by_topic[topic]) for order, by_topic in found.items()}
        draws = len(found[FOCUSED][topic])
        rows.append(
            [topic, f"{sums[FOCUSED][-1] / draws:.1f}"]
            + [f"{counts[place] / draws:.1f}" for counts in sums.values()]
        )
    head = [f"after {SHOWN} requests", "relevant", *found]
    return f"{whole}\n\n{table(head, rows)}"


def _sums(counts: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(map(sum, zip(*counts, strict=True)))
