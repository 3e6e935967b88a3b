"""Says at the end of a crawl what became of its pages, and where the result is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy import signals

from webclean_scrapy.crawl.log_lines import safe_logger
from webclean_scrapy.crawl.scrapy_private import has_feeds
from webclean_scrapy.messages import hide_login
from webclean_scrapy.report.summary import closing_lines

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = safe_logger(__name__)


class ClosingSummary:
    """Logs one message at INFO when everything is stored; without pages and items it is silent."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self.feeds: dict[str, int] = {}  # URI: items; one for each file of a batch
        crawler.signals.connect(self._slot_closed, signal=signals.feed_slot_closed)
        crawler.signals.connect(self._log, signal=signals.feed_exporter_closed)
        crawler.signals.connect(self._spider_closed, signal=signals.spider_closed)

    def _slot_closed(self, slot: Any) -> None:
        self.feeds[hide_login(slot.uri)] = slot.itemcount

    def _spider_closed(self) -> None:
        if not has_feeds(self._crawler):
            self._log()

    def _log(self) -> None:
        lines = closing_lines(self._crawler.stats.get_stats(), self.feeds)
        if lines:
            logger.info("\n".join(lines), extra={"spider": self._crawler.spider})
