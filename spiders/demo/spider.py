"""``scrapy crawl demo [-O FILE]``: serve the bundled demo portal and crawl it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy import signals

from spiders.demo import DemoServer
from webclean_scrapy.spiders import SiteSpider

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from typing_extensions import Self


class Demo(SiteSpider):
    """Crawls the demo portal, served on a free port during the crawl."""

    name = "demo"

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        server = DemoServer()
        server.__enter__()
        spider = super().from_crawler(crawler, *args, **{"url": server.url(), **kwargs})
        spider.server = server
        crawler.signals.connect(spider.stop_server, signal=signals.spider_closed)
        return spider

    server: DemoServer

    def stop_server(self) -> None:
        """Stop serving."""
        self.server.__exit__(None, None, None)
