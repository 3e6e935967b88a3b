"""Ready-made spiders with their settings.

Names are loaded when first used, because a process that reads feeds imports this package.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from webclean_scrapy.spiders.site_spider import CRAWL_SETTINGS, SiteSpider
    from webclean_scrapy.spiders.watch.spider import WatchSpider

__all__ = ["CRAWL_SETTINGS", "SiteSpider", "WatchSpider"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = "watch.spider" if name == "WatchSpider" else "site_spider"
    return getattr(import_module(f"{__name__}.{home}"), name)
