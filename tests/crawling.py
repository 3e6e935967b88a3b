"""Run whole crawls inside the test process, several in a row, on any Scrapy from 2.14."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import scrapy
from itemadapter import ItemAdapter
from scrapy import signals
from scrapy.crawler import AsyncCrawlerRunner
from scrapy.http import Response
from scrapy.utils.reactor import install_reactor
from typing_extensions import Self

from tests.server import Route, SiteServer
from webclean_scrapy.spiders import SiteSpider
from webclean_scrapy.stats import DEDUP_WAITED

WAIT_S = 60.0  # a crawl on a busy machine has so long until what a test waits for happens

REACTOR = "twisted.internet.asyncioreactor.AsyncioSelectorReactor"


@dataclass
class Crawled:
    """The results of a crawl."""

    stats: dict[str, Any]
    items: list[Any] = field(default_factory=list)
    dropped: list[tuple[Any, BaseException]] = field(default_factory=list)
    errors: list[Any] = field(default_factory=list)

    def paths(self) -> list[str]:
        """The paths of the pages of the items, in their order."""
        urls = (ItemAdapter(item)["url"] for item in self.items)
        return ["/" + url.split("/", 3)[3] for url in urls]

    def ours(self) -> dict[str, Any]:
        """All our stats, to be compared whole; without one that depends on the time."""
        found = {k: v for k, v in self.stats.items() if k.startswith("webclean/")}
        found.pop(DEDUP_WAITED, None)  # items of pages that arrive together pass side by side
        return found

    def counts(self, family: str) -> dict[str, Any]:
        """Our stats of a family such as "dedup", without their common prefix."""
        start = f"webclean/{family}/"
        return {k.removeprefix(start): v for k, v in self.ours().items() if k.startswith(start)}

    def sibling(self) -> dict[str, Any]:
        """All stats of the sibling middleware."""
        return self.counts("sibling")


class PageSpider(scrapy.Spider):
    """Asks for the URLs it is given, in order, and yields a dict for each page."""

    name = "pages"
    webclean_items: Any = True

    def __init__(self, urls: list[str], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.start_urls = urls

    def parse(self, response: Response) -> Iterator[Any]:
        yield {"url": response.url}


def spider_of(make: Callable[[str], Iterable[Any]], *, asks: Any = True) -> type[PageSpider]:
    """Return a spider that yields what *make* returns for the address of a page.

    *asks*: which of its items are articles, see ``webclean_items``.
    """

    class MadeSpider(PageSpider):
        webclean_items = asks

        def parse(self, response: Response) -> Iterator[Any]:
            yield from make(response.url)

    return MadeSpider


class CrawlPipeline:
    """A pipeline that knows its crawl, and passes items on."""

    def __init__(self, crawler: Any) -> None:
        self.stats, self.settings = crawler.stats, crawler.settings

    @classmethod
    def from_crawler(cls, crawler: Any) -> Self:
        return cls(crawler)


class CopyPipeline:
    """Replaces each item by another one of the same fields."""

    def process_item(self, item: Any) -> Any:
        return dict(item)


class SitePages(SiteSpider):
    """Follows the links of a site."""

    name = "site"


class Crawls:
    """Runs crawls on an asyncio reactor that is started once and never blocks in ``run``."""

    def __init__(self) -> None:
        install_reactor(REACTOR)
        from twisted.internet import reactor

        self._reactor: Any = reactor
        self._loop: asyncio.AbstractEventLoop = self._reactor._asyncioEventloop
        self._reactor.startRunning(installSignalHandlers=False)
        self.crawler: Any = None  # of the crawl that runs, or ran last

    def run(
        self, spider: type[scrapy.Spider], settings: dict[str, Any] | None = None, **kwargs: Any
    ) -> Crawled:
        """Crawl to the end and return the results. Errors at the start are raised."""
        crawled = Crawled({})
        runner = AsyncCrawlerRunner({**SETTINGS, **(settings or {})})
        crawler = self.crawler = runner.create_crawler(spider)

        def scraped(item: Any) -> None:
            crawled.items.append(item)

        def dropped(item: Any, exception: BaseException) -> None:
            crawled.dropped.append((item, exception))

        def failed(item: Any, failure: Any) -> None:
            crawled.errors.append(failure.value)

        crawler.signals.connect(scraped, signals.item_scraped)
        crawler.signals.connect(dropped, signals.item_dropped)
        crawler.signals.connect(failed, signals.item_error)
        self.wait_for(_crawl(runner, crawler, kwargs))
        crawled.stats = dict(crawler.stats.get_stats())
        return crawled

    def visit(
        self,
        routes: Mapping[str, Route],
        paths: Iterable[str] | None = None,
        settings: dict[str, Any] | None = None,
        *,
        spider: type[scrapy.Spider] = PageSpider,
        **kwargs: Any,
    ) -> tuple[Crawled, SiteServer]:
        """Crawl *paths* of a server of *routes*, by default all; return crawl and server."""
        with SiteServer(routes) as site:
            urls = [site.url(path) for path in (routes if paths is None else paths)]
            return self.run(spider, settings, urls=urls, **kwargs), site

    def follow(
        self, routes: Mapping[str, Route], settings: dict[str, Any] | None = None, **kwargs: Any
    ) -> tuple[Crawled, SiteServer]:
        """Crawl the site of *routes* from its home page on; return crawl and server."""
        with SiteServer(routes) as site:
            return self.run(SitePages, settings, url=site.url("/"), **kwargs), site

    def count(self, name: str) -> int:
        """Return a stat of the crawl that runs; for use in a thread, such as a route."""
        return int(self.crawler.stats.get_value(name, 0))

    def wait_for(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Run the loop until *work* is done."""
        return self._loop.run_until_complete(work)

    def create_task(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Return *work* as a task of the loop, to be waited for."""
        return self._loop.create_task(work)

    def close(self) -> None:
        """Stop the reactor's threads."""
        self._reactor.fireSystemEvent("shutdown")
        self._loop.close()


async def _crawl(runner: AsyncCrawlerRunner, crawler: Any, kwargs: dict[str, Any]) -> None:
    await runner.crawl(crawler, **kwargs)


SETTINGS: dict[str, Any] = {
    "ADDONS": {"webclean_scrapy.addon.Addon": 500},
    "LOG_ENABLED": False,
    "TELNETCONSOLE_ENABLED": False,
    "TWISTED_REACTOR": REACTOR,
    "CONCURRENT_REQUESTS": 1,
    "ROBOTSTXT_OBEY": False,
    "WEBCLEAN_WORKERS": 0,  # a process takes seconds to start; tests of workers set their own
    "RETRY_ENABLED": False,
}
