"""Main counts of a crawl, from its stats, and the lines that end its log."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from scrapy import signals

from webclean_scrapy import stats
from webclean_scrapy.crawl.log_lines import safe_logger
from webclean_scrapy.errors import hide_login

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy.crawler import Crawler

logger = safe_logger(__name__)


class Summary:
    """Counts of a crawl, from all its stats."""

    def __init__(self, crawl_stats: Mapping[str, Any]) -> None:
        total = partial(stats.total_of, crawl_stats)
        self.pages = total(stats.CLEAN_PAGES)  # HTML pages that reached the spider
        self.requests = total("downloader/request_count")  # robots.txt included
        self.siblings = total(stats.SIBLING_REQUESTED)
        self.siblings_reused = total(stats.SIBLING_HANDED_OVER)
        self.articles = total("item_scraped_count")  # items exported
        self.lists = total(f"{stats.CLEAN_KIND}/listing")
        self.reposts = total(stats.DEDUP_DROPPED)
        self.known = total(f"{stats.DEDUP_DROPPED}/duplicate", f"{stats.DEDUP_DROPPED}/update")
        self.updates = total(f"{stats.DEDUP_KEPT}/update", stats.DEDUP_REPLACED)
        self.link_blocks = total(f"{stats.CLEAN_REMOVED}/link_block")
        self.failed = total(stats.CLEAN_FAILED)

    def line(self) -> str:
        """Return the counts that a user asks for first, as one line."""
        return (
            f"pages: {self.pages:,}, articles: {self.articles:,}, duplicates: {self.reposts:,},"
            f" updates: {self.updates:,}, sibling requests: {self.siblings:,},"
            f" refused: {self.failed:,}"
        )


class ClosingSummary:
    """Logs counts at INFO when everything is stored; without pages and items it is silent."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self.feeds: dict[str, int] = {}  # URI: items; one for each file of a batch
        crawler.signals.connect(self._slot_closed, signal=signals.feed_slot_closed)
        crawler.signals.connect(self._log, signal=signals.engine_stopped)

    def _slot_closed(self, slot: Any) -> None:
        self.feeds[hide_login(slot.uri)] = slot.itemcount

    def _log(self) -> None:
        for line in closing_lines(self._crawler.stats.get_stats(), self.feeds):
            logger.info(line)


def closing_lines(crawl_stats: Mapping[str, Any], feeds: Mapping[str, int]) -> list[str]:
    """Return the lines that end the log of a crawl; [] when no page and no item was met.

    *feeds* are the places of the results, with the number of items in each.
    """
    total = partial(stats.total_of, crawl_stats)
    summary = Summary(crawl_stats)
    left_alone = total(stats.ATTACH_LEFT_ALONE)
    if not summary.pages and not left_alone and not total(stats.DEDUP_SEEN):
        return []
    dropped = stats.DEDUP_DROPPED
    rare = {
        "updates of earlier pages kept": summary.updates,
        "near-duplicates dropped": summary.known,
        "short texts dropped": total(f"{dropped}/short"),
        "pages that are not articles dropped": total(stats.CLEAN_DROPPED),
        "bodies of low confidence dropped": total(f"{stats.CLEAN_LOW_CONFIDENCE}/dropped"),
        "pages passed through uncleaned": summary.failed,
        "other items, left alone": left_alone,
        "sibling requests": summary.siblings,
        "of these refused or failed": total(stats.SIBLING_REFUSED, stats.SIBLING_FAILED),
    }
    counts = {
        "pages cleaned": summary.pages - summary.failed,
        "items exported": summary.articles,
        **{label: count for label, count in rare.items() if count},
        **{f"items in {place}": count for place, count in feeds.items()},
    }
    lines = ["Articles of this crawl:"]
    lines += [f"  {count:>7,}  {label}" for label, count in counts.items()]
    if any(label.endswith("dropped") for label in counts):
        lines.append('LOG_LEVEL = "DEBUG" logs each dropped item with its reason.')
    return lines
