"""Main counts of a crawl, from its stats, as a table or a line."""

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


def _formatted(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.2f}"
