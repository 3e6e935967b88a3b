"""Logs the outcome of a crawl at its end: counts of pages and items, places of the results."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from scrapy import signals

from webclean_scrapy import stats
from webclean_scrapy.crawl.log_lines import safe_logger
from webclean_scrapy.crawl.scrapy_private import has_feeds
from webclean_scrapy.errors import hide_login

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy.crawler import Crawler

logger = safe_logger(__name__)


class ClosingSummary:
    """Logs counts at INFO when everything is stored; without pages and items it is silent."""

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
        for line in closing_lines(self._crawler.stats.get_stats(), self.feeds):
            logger.info(line)


def closing_lines(crawl_stats: Mapping[str, Any], feeds: Mapping[str, int]) -> list[str]:
    """Return the lines that end the log of a crawl; [] when no page and no item was met.

    *feeds* are the places of the results, with the number of items in each.
    """
    total = partial(stats.total_of, crawl_stats)
    failed, left_alone = total(stats.CLEAN_FAILED), total(stats.ATTACH_LEFT_ALONE)
    pages = total(stats.CLEAN_PAGES)
    if not pages and not left_alone and not total(stats.DEDUP_SEEN):
        return []
    dropped = stats.DEDUP_DROPPED
    rare = {
        "updates of earlier pages kept": total(f"{stats.DEDUP_KEPT}/update", stats.DEDUP_REPLACED),
        "near-duplicates dropped": total(f"{dropped}/duplicate", f"{dropped}/update"),
        "short texts dropped": total(f"{dropped}/short"),
        "pages that are not articles dropped": total(stats.CLEAN_DROPPED),
        "bodies of low confidence dropped": total(f"{stats.CLEAN_LOW_CONFIDENCE}/dropped"),
        "pages passed through uncleaned": failed,
        "other items, left alone": left_alone,
        "sibling requests": total(stats.SIBLING_REQUESTED),
        "of these refused or failed": total(stats.SIBLING_REFUSED, stats.SIBLING_FAILED),
    }
    counts = {
        "pages cleaned": pages - failed,
        "items exported": crawl_stats.get("item_scraped_count", 0),
        **{label: count for label, count in rare.items() if count},
        **{f"items in {place}": count for place, count in feeds.items()},
    }
    lines = ["Articles of this crawl:"]
    lines += [f"  {count:>7,}  {label}" for label, count in counts.items()]
    if any(label.endswith("dropped") for label in counts):
        lines.append('LOG_LEVEL = "DEBUG" logs each dropped item with its reason.')
    return lines
