"""What a crawl did, from its stats: a table, and the lines that end its log."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from webclean_scrapy import stats

if TYPE_CHECKING:
    from collections.abc import Mapping

LABELS = {
    "pages": "pages fetched",
    "requests": "requests in total",
    "requests_per_page": "requests per page",
    "siblings": "siblings fetched",
    "siblings_reused": "of these, also used by the crawl",
    "articles": "articles",
    "lists": "list pages detected",
    "reposts": "reposts dropped",
    "updates": "updates of earlier pages kept",
    "link_blocks": "link blocks removed",
    "failed": "pages passed through uncleaned",
    "seconds": "time (s)",
}
UPDATES_KEPT = (f"{stats.DEDUP_KEPT}/update", stats.DEDUP_REPLACED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Counts of a crawl; *requests* are all requests sent, robots.txt included."""

    pages: int  # HTML pages that reached the spider
    requests: int
    siblings: int
    siblings_reused: int
    articles: int  # items exported
    lists: int
    reposts: int
    updates: int  # kept beside an earlier, shorter page, or in its place
    link_blocks: int
    failed: int
    seconds: float

    @property
    def requests_per_page(self) -> float:
        """Requests per page; 0.0 without pages."""
        return self.requests / self.pages if self.pages else 0.0

    def table(self) -> str:
        """Return one line per count, labels left and numbers right."""
        rows = [(label, _formatted(getattr(self, name))) for name, label in LABELS.items()]
        left = max(len(label) for label, _ in rows)
        right = max(len(value) for _, value in rows)
        return "\n".join(f"{label:<{left}}  {value:>{right}}" for label, value in rows)

    def line(self) -> str:
        """Return the counts that a user asks for first, as one line."""
        return (
            f"pages: {self.pages:,}, articles: {self.articles:,}, duplicates: {self.reposts:,},"
            f" updates: {self.updates:,}, sibling requests: {self.siblings:,},"
            f" refused: {self.failed:,}"
        )


def summarize(crawl_stats: Mapping[str, Any]) -> Summary:
    """Return the counts of a finished crawl from all its stats."""
    total = partial(stats.total_of, crawl_stats)
    return Summary(
        pages=crawl_stats.get(stats.CLEAN_PAGES, 0),
        requests=crawl_stats.get("downloader/request_count", 0),
        siblings=crawl_stats.get(stats.SIBLING_REQUESTED, 0),
        siblings_reused=crawl_stats.get(stats.SIBLING_HANDED_OVER, 0),
        articles=crawl_stats.get("item_scraped_count", 0),
        lists=crawl_stats.get(f"{stats.CLEAN_KIND}/listing", 0),
        reposts=total(stats.DEDUP_DROPPED),
        updates=total(*UPDATES_KEPT),
        link_blocks=crawl_stats.get(f"{stats.CLEAN_REMOVED}/link_block", 0),
        failed=total(stats.CLEAN_FAILED),
        seconds=crawl_stats.get("elapsed_time_seconds", 0.0),
    )


def closing_lines(crawl_stats: Mapping[str, Any], feeds: Mapping[str, int]) -> list[str]:
    """Return the lines that end the log of a crawl; [] when no page and no item was met.

    *feeds* are the places of the results, with the number of items in each.
    """
    total = partial(stats.total_of, crawl_stats)
    failed, left_alone = total(stats.CLEAN_FAILED), total(stats.ATTACH_LEFT_ALONE)
    pages = total(stats.CLEAN_PAGES)
    if not pages and not left_alone and not total(stats.DEDUP_SEEN):
        return []
    dedup = stats.DEDUP_DROPPED
    drops = {
        "near-duplicates dropped": total(f"{dedup}/duplicate", f"{dedup}/update"),
        "short texts dropped": total(f"{dedup}/short"),
        "pages that are not articles dropped": total(stats.CLEAN_DROPPED),
        "bodies of low confidence dropped": total(f"{stats.CLEAN_LOW_CONFIDENCE}/dropped"),
    }
    rare = (
        {"updates of earlier pages kept": total(*UPDATES_KEPT)}
        | drops
        | {
            "pages passed through uncleaned": failed,
            "other items, left alone": left_alone,
            "sibling requests": total(stats.SIBLING_REQUESTED),
            "of these refused or failed": total(stats.SIBLING_REFUSED, stats.SIBLING_FAILED),
        }
    )
    counts = {
        "pages cleaned": pages - failed,
        "items exported": crawl_stats.get("item_scraped_count", 0),
        **{label: count for label, count in rare.items() if count},
        **{f"items in {place}": count for place, count in feeds.items()},
    }
    lines = ["Articles of this crawl:"]
    lines += [f"  {count:>7,}  {label}" for label, count in counts.items()]
    if any(drops.values()):
        lines.append('LOG_LEVEL = "DEBUG" logs each dropped item with its reason.')
    return lines


def _formatted(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.2f}"
