"""Main counts of a crawl, from its stats."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from webclean_scrapy import stats

if TYPE_CHECKING:
    from collections.abc import Mapping


def _count(*names: str) -> Any:
    """Return a field with the sum of the stats *names* and of their families."""
    return field(metadata={"names": names})


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Counts of a crawl."""

    pages: int = _count(stats.CLEAN_PAGES)  # HTML pages that reached the spider
    requests: int = _count("downloader/request_count")  # robots.txt included
    siblings: int = _count(stats.SIBLING_REQUESTED)
    siblings_reused: int = _count(stats.SIBLING_HANDED_OVER)
    articles: int = _count("item_scraped_count")  # items exported
    lists: int = _count(f"{stats.CLEAN_KIND}/listing")
    reposts: int = _count(stats.DEDUP_DROPPED)
    updates: int = _count(f"{stats.DEDUP_KEPT}/update", stats.DEDUP_REPLACED)
    link_blocks: int = _count(f"{stats.CLEAN_REMOVED}/link_block")
    failed: int = _count(stats.CLEAN_FAILED)

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
