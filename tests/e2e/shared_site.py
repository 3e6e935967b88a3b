"""The spider of README's "More than one machine", for test_scale_out.py; run by ``runspider``."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.core.engine import ExecutionEngine
from scrapy.exceptions import DontCloseSpider

from webclean_scrapy.spider import SiteSpider

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy.crawler import Crawler
    from scrapy.http import Response

ExecutionEngine._SLOT_HEARTBEAT_INTERVAL = 0.5  # seconds between two looks at an empty queue


class SharedSite(SiteSpider):
    name = "shared"
    patience = 4  # seconds without a page after which a process ends
    last_page = 0.0

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> SharedSite:
        spider = super().from_crawler(crawler, *args, **kwargs)
        spider.last_page = time.monotonic()
        crawler.signals.connect(spider.wait_for_others, signal=signals.spider_idle)
        return spider

    def parse(self, response: Response) -> Iterator[Any]:
        self.last_page = time.monotonic()
        yield from super().parse(response)

    def wait_for_others(self) -> None:
        if time.monotonic() - self.last_page < self.patience:
            raise DontCloseSpider
