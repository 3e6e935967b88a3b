"""Main counts of a crawl from its stats, logged at its end."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from scrapy import signals

from webclean_scrapy import stats
from webclean_scrapy.crawl.log_lines import safe_logger
from webclean_scrapy.crawl.outcomes import OUTCOMES, count_pages, pages_line, reasons_of
from webclean_scrapy.safe_text import hide_login, visible_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scrapy.crawler import Crawler

    from webclean_scrapy.article_items import LeftItems

logger = safe_logger(__name__)

SHOWN_COPIES = 5
MAX_TITLE = 60  # characters


class Summary:
    """Counts of a crawl, from all its stats."""

    def __init__(self, crawl_stats: Mapping[str, Any]) -> None:
        self._stats = crawl_stats
        total = partial(stats.total_of, crawl_stats)
        # HTML pages that reached the spider, those too that were fetched before, as parts.
        self.pages = total(stats.CLEAN_PAGES, stats.PARTS_HANDED_OVER)
        self.requests = total("downloader/request_count")  # robots.txt included
        self.siblings = total(stats.SIBLING_REQUESTED)
        self.siblings_reused = total(stats.SIBLING_HANDED_OVER)
        self.articles = total("item_scraped_count")  # items exported
        self.lists = total(f"{stats.CLEAN_KIND}/listing")
        dropped = stats.DEDUP_DROPPED
        self.known = total(f"{dropped}/already_exported")
        self.reposts = total(dropped) - self.known
        self.copies = total(f"{dropped}/duplicate", f"{dropped}/update")
        self.updates = total(f"{stats.DEDUP_KEPT}/update", stats.DEDUP_REPLACED)
        self.link_blocks = total(f"{stats.CLEAN_REMOVED}/link_block")
        self.failed = total(stats.CLEAN_FAILED)

    def line(self) -> str:
        """Return all pages and their outcomes in one line that adds up."""
        siblings = f"; sibling requests: {self.siblings:,}" if self.siblings else ""
        return pages_line(self._stats) + siblings

    @property
    def most_failed(self) -> bool:
        """True if more than half of the pages failed."""
        counts = count_pages(self._stats)
        return 2 * counts["failed"] > sum(counts.values())


class DroppedCopy(NamedTuple):
    """A dropped page, and the page that it copies."""

    own: float  # share of its own text, 0..1: the larger, the less certain it is a copy
    similarity: float
    title: str
    url: str
    original_title: str  # "": not known, as of a page of an earlier run
    original: str

    def line(self) -> str:
        """Return both pages, and the copy's own share, in one line."""
        pages = ((self.title, self.url), (self.original_title, self.original))
        new, old = (
            f"{visible_line(title[:MAX_TITLE])!r} at {hide_login(url)}" for title, url in pages
        )
        return f"  {self.own:>7.0%}  {new} is a copy of {old}"


class ClosingSummary:
    """Logs the counts at INFO once everything is stored, unless nothing was crawled.

    A crawl whose items were all left alone ends with a warning that says what to change.
    """

    def __init__(self, crawler: Crawler, left: LeftItems) -> None:
        self._crawler = crawler
        self._left = left
        self._copies: list[DroppedCopy] = []  # the least certain
        self.feeds: dict[str, int] = {}  # URI: items; one for each file of a batch
        crawler.signals.connect(self._slot_closed, signal=signals.feed_slot_closed)
        crawler.signals.connect(self._log, signal=signals.engine_stopped)

    def _slot_closed(self, slot: Any) -> None:
        self.feeds[hide_login(slot.uri)] = slot.itemcount

    def add_copy(self, copy: DroppedCopy) -> None:
        """Keep *copy* if it is among the least certain ones."""
        self._copies = sorted([*self._copies, copy], reverse=True)[:SHOWN_COPIES]

    def _log(self) -> None:
        for line in closing_lines(self._crawler.stats.get_stats(), self.feeds, self._copies):
            logger.info(line)
        if line := self._left.line():
            logger.warning(line)


def closing_lines(
    crawl_stats: Mapping[str, Any],
    feeds: Mapping[str, int],
    copies: Sequence[DroppedCopy] = (),
) -> list[str]:
    """Return the closing lines of the log of a crawl; [] without pages and items.

    *feeds* are the places of the results, with the number of items in each; *copies*: pages that
    were dropped, the least certain first.
    """
    total = partial(stats.total_of, crawl_stats)
    summary = Summary(crawl_stats)
    left_alone = total(stats.ATTACH_LEFT_ALONE)
    if not summary.pages and not left_alone and not total(stats.DEDUP_SEEN):
        return []
    dropped = stats.DEDUP_DROPPED
    rare = {
        "updates of earlier pages kept": summary.updates,
        "near-duplicates dropped": summary.copies,
        "pages already exported": summary.known,
        "short texts dropped": total(f"{dropped}/short"),
        "pages that are not articles dropped": total(stats.CLEAN_DROPPED),
        "bodies of low confidence dropped": total(f"{stats.CLEAN_LOW_CONFIDENCE}/dropped"),
        "pages passed through uncleaned": summary.failed,
        "other items, left alone": left_alone,
        **{
            f"pages {OUTCOMES[name]}{reasons_of(crawl_stats, name)}": count
            for name, count in count_pages(crawl_stats).items()
            if name in {"lost", "not_html", "failed", "refused"}
        },
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
    if copies:
        lines.append("Copies dropped, the least certain first, with the share of their own text:")
        lines += [copy.line() for copy in copies]
    return lines
