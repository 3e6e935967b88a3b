"""What a sibling needs of Scrapy's engine and no public method gives (Scrapy 2.14 to 2.19)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.utils.defer import maybe_deferred_to_future

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response


async def fetch(crawler: Crawler, request: Request) -> Response | Request:
    """Return the answer to *request*, by way of all downloader middlewares and download slots.

    Not ``engine.download_async``: what that fetches counts as a page of the crawl, for its log
    and for CLOSESPIDER_PAGECOUNT. A Request is what a middleware would rather ask for.
    """
    engine = crawler.engine
    assert engine is not None  # noqa: S101, there is one while pages arrive
    try:
        return await maybe_deferred_to_future(engine.downloader.fetch(request))
    finally:
        slot = _slot_of(crawler)
        if slot is not None:
            slot.nextcall.schedule()  # a place is free now: else it is seen 5 s later


def is_closing(crawler: Crawler) -> bool:
    """Whether the crawl is being stopped, so that nothing new should be begun."""
    slot = _slot_of(crawler)
    return slot is None or slot.closing is not None


def _slot_of(crawler: Crawler) -> Any:
    return getattr(crawler.engine, "_slot", None)
