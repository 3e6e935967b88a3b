"""Ready-made spiders, and the settings they are meant to run with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webclean_scrapy.spiders.site_spider import CRAWL_SETTINGS, SiteSpider
from webclean_scrapy.spiders.watch_spider import WatchSpider

if TYPE_CHECKING:
    from webclean_scrapy.spiders.queued_pages import QueuedPagesSpider

__all__ = ["CRAWL_SETTINGS", "QueuedPagesSpider", "SiteSpider", "WatchSpider"]


def __getattr__(name: str) -> type[QueuedPagesSpider]:
    """Return the spider that needs scrapy-redis, when it is first used."""
    if name != "QueuedPagesSpider":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from webclean_scrapy.spiders.queued_pages import QueuedPagesSpider

    return QueuedPagesSpider
