"""Stop a crawl gracefully before the disk of its job, index or feeds is full.

Where Scrapy cannot write its queue in JOBDIR, requests are lost and the crawl never ends. One that
is stopped before can be resumed.
"""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.utils.asyncio import create_looping_call
from scrapy.utils.defer import deferred_from_coro

from webclean_scrapy.crawl.log_lines import safe_logger
from webclean_scrapy.crawl.scrapy_private import end_closing, feed_folders, is_closing

if TYPE_CHECKING:
    from pathlib import Path

    from scrapy.crawler import Crawler

logger = safe_logger(__name__)

EVERY_S = 1.0  # seconds from one look to the next
FULL_MB = 0.5  # with less, something may not have been written already
INDEX = "WEBCLEAN_DEDUP_URI"  # without room there, items pass
STORE = "WEBCLEAN_STORE"
DISK_FULL, FEED_FAILED = "disk_full", "feed_failed"  # finish reasons, see `export_watch`
STORE_FAILED, STATE_FAILED = "store_failed", "state_failed"
#: With these a crawl can go on.
UNFINISHED = frozenset({"shutdown", DISK_FULL, FEED_FAILED, STORE_FAILED, STATE_FAILED})


def end_crawl(crawler: Crawler, reason: str) -> Any:
    """End a crawl in good order; return what the caller has to keep until then."""
    engine: Any = crawler.engine
    return deferred_from_coro(engine.close_spider_async(reason=reason))


class DiskGuard:
    """Checks the disks of *folders*, by setting, and of local feeds during a crawl."""

    def __init__(self, crawler: Crawler, folders: dict[str, Path], min_free_mb: float) -> None:
        self._crawler, self._folders = crawler, folders
        self._min_free = min_free_mb
        self.was_full = False  # so that Scrapy's queue may be incomplete
        self._loop: Any = None
        self._closing: Any = None
        crawler.signals.connect(self._start, signal=signals.spider_opened)
        crawler.signals.connect(self._stop, signal=signals.spider_closed)

    def _start(self) -> None:
        self._loop = create_looping_call(self._look)
        self._loop.start(EVERY_S, now=False)  # at once it would close what is being opened

    def _stop(self) -> None:
        if self._loop is not None and self._loop.running:
            self._loop.stop()

    def _look(self) -> None:
        if is_closing(self._crawler):
            end_closing(self._crawler)
            return
        places = [("FEEDS", folder) for folder in feed_folders(self._crawler)]
        for setting, place in (*places, *self._folders.items()):
            free = free_mb(place)
            if free is not None and free < self._min_free:  # 0: never
                self.was_full = free < FULL_MB and setting != INDEX
                logger.error(
                    '%s: the disk of %s has %.1f MB left, less than WEBCLEAN_LIMITS["min_free_mb"] '
                    "(%g); the crawl ends. Make room and start it again",
                    setting,
                    place,
                    free,
                    self._min_free,
                )
                self._closing = end_crawl(self._crawler, DISK_FULL)
                return


def free_mb(folder: Path) -> float | None:
    """Return the free MB of this user on the disk of *folder*; None if unknown."""
    try:
        usage = shutil.disk_usage(folder)
    except OSError:
        return None
    return usage.free / 1e6 if usage.total else None
