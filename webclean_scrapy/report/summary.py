"""Main counts of a crawl, from its stats, as a table or a line."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from webclean_scrapy import stats

if TYPE_CHECKING:
    from collections.abc import Mapping


def _count(label: str, *names: str) -> Any:
    """Return a field with the sum of the stats *names* and of their families."""
    return field(metadata={"label": label, "names": names})


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Counts of a crawl."""

    pages: int = _count("pages fetched", stats.CLEAN_PAGES)  # HTML pages that reached the spider
    requests: int = _count("requests in total", "downloader/request_count")  # robots.txt included
    siblings: int = _count("siblings fetched", stats.SIBLING_REQUESTED)
    siblings_reused: int = _count("of these, also used by the crawl", stats.SIBLING_HANDED_OVER)
    articles: int = _count("articles", "item_scraped_count")  # items exported
    lists: int = _count("list pages detected", f"{stats.CLEAN_KIND}/listing")
    reposts: int = _count("reposts dropped", stats.DEDUP_DROPPED)
    # Kept beside an earlier, shorter page, or in its place.
    updates: int = _count(
        "updates of earlier pages kept", f"{stats.DEDUP_KEPT}/update", stats.DEDUP_REPLACED
    )
    link_blocks: int = _count("link blocks removed", f"{stats.CLEAN_REMOVED}/link_block")
    failed: int = _count("pages passed through uncleaned", stats.CLEAN_FAILED)

    @property
    def requests_per_page(self) -> float:
        """Requests per page; 0.0 without pages."""
        return self.requests / self.pages if self.pages else 0.0

    def table(self) -> str:
        """Return one line per count, labels left and numbers right."""
        rows = [(each.metadata["label"], f"{getattr(self, each.name):,}") for each in fields(self)]
        rows.append(("requests per page", f"{self.requests_per_page:.2f}"))
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
    """Return the counts of a crawl from all its stats."""
    return Summary(
        **{
            each.name: stats.total_of(crawl_stats, *each.metadata["names"])
            for each in fields(Summary)
        }
    )
