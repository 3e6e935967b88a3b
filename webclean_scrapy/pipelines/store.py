"""Write articles into a database, and pass items on once they are stored.

So the signal ``item_scraped`` means that the item is in the database, and a fingerprint is
confirmed after it, in a crawl without feeds too: see `webclean_scrapy.crawl.export_watch`. An item
that cannot be stored is dropped, which makes the index forget it; the next crawl stores it.
"""

from __future__ import annotations

import time
import uuid
from collections import Counter
from typing import TYPE_CHECKING, Any

from itemadapter import ItemAdapter
from scrapy import signals
from scrapy.exceptions import DropItem, NotConfigured

from webclean_scrapy import stats
from webclean_scrapy.crawl.disk_guard import STORE_FAILED, end_crawl
from webclean_scrapy.crawl.log_lines import safe_logger
from webclean_scrapy.crawl.service import Component
from webclean_scrapy.crawl.settings_files import open_database
from webclean_scrapy.crawl.waiting import BatchThread
from webclean_scrapy.errors import StoreUnavailableError
from webclean_scrapy.export.database import ArticleRows, article_rows, copy_rows, now
from webclean_scrapy.items import RECORD
from webclean_scrapy.pipelines.dedup import NearDuplicate

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from webclean_scrapy.export.database import ArticleStore

logger = safe_logger(__name__)

FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.1, 2.0  # between two tries, twice as long each time


class NotStored(DropItem):
    """The database rejected the item."""


class StoreThread(BatchThread[ArticleRows, Counter[str]]):
    """Writes entries of *crawl*, waiting ones in one transaction.

    Each is answered with what has changed since the one before it. A database that is gone is tried
    again for *wait_s* seconds; then all fails.
    """

    undoes = True  # a transaction that fails

    def __init__(self, store: ArticleStore, crawl: dict[str, Any], wait_s: float) -> None:
        super().__init__("webclean-articles", self._write)
        self._store, self._crawl, self._wait_s = store, crawl, wait_s
        self._failed: StoreUnavailableError | None = None

    def _write(self, entries: list[ArticleRows]) -> list[Counter[str]]:
        end, pause = time.monotonic() + self._wait_s, 0.0
        while self._failed is None:
            time.sleep(pause)
            try:
                changed = self._store.write(entries, self._crawl)
            except StoreUnavailableError as error:
                if not pause:
                    logger.warning("WEBCLEAN_STORE: articles wait for the database: %s", error)
                pause = min(2 * pause or FIRST_PAUSE_S, LONGEST_PAUSE_S)
                if time.monotonic() + pause > end:
                    self._failed = error
            else:
                if pause:
                    logger.info("WEBCLEAN_STORE: the database answers again")
                return [changed, *(Counter[str]() for _ in entries[1:])]
        raise self._failed


class StorePipeline(Component):
    """Stores articles, their versions, copies and removals. Active with ``WEBCLEAN_STORE``."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        store = open_database(self._config)
        if store is None:
            raise NotConfigured
        name = getattr(crawler.spider, "name", "")
        self._crawl = {"crawl": uuid.uuid4().hex[:12], "spider": name, "started": now()}
        self._crawl |= {"ended": None, "reason": None}
        self._store = store
        self._thread = StoreThread(store, self._crawl, self._config.store_wait_s)
        self._closing: Any = None  # once the crawl ends because nothing can be stored
        self._has_lost = False  # an item that is not stored
        crawler.signals.connect(self._item_dropped, signal=signals.item_dropped)
        crawler.signals.connect(self._finish, signal=signals.spider_closed)
        crawler.signals.connect(self._end_job, signal=signals.engine_stopped)

    async def process_item(self, item: Any) -> Any:
        """Return *item* once it is stored. Raises: DropItem."""
        pages = self._pages
        if not pages.takes(item):
            return item
        adapter, page = ItemAdapter(item), pages.find_page(item)
        url = pages.url_of(item) or (page.url if page else "")
        if not url:
            self._stats.inc_value(f"{stats.STORE_SKIPPED}/no_url")
            return item
        values = {**pages.articles.places(item).as_article(adapter), RECORD: pages.record_of(item)}
        entry = article_rows(url, values, pages.text_of(item, page).text)
        if self._config.versions == "last":
            entry = entry._replace(rows={**entry.rows, "versions": []})
        if not await self._put(entry):
            raise NotStored(f"{url} is not stored", "DEBUG")
        return item

    async def _item_dropped(self, exception: BaseException) -> None:
        if isinstance(exception, NearDuplicate):
            match = exception.match
            await self._put(copy_rows(exception.key, match.key, match.similarity))

    async def _put(self, entry: ArticleRows) -> bool:
        """Store *entry*; return False, and log an error, on failure."""
        try:
            changed = await self._thread.ask(entry)
        except Exception as error:  # noqa: BLE001, whatever it is, the item is not stored
            self._has_lost = True
            self._stats.inc_value(f"{stats.STORE_FAILED}/{type(error).__name__}")
            if not isinstance(error, StoreUnavailableError):
                logger.error("WEBCLEAN_STORE: %s is not stored: %r", entry.url, error)  # noqa: TRY400
            elif self._closing is None and self._crawler.engine is not None:
                logger.error(  # noqa: TRY400, a traceback says no more
                    "WEBCLEAN_STORE: %s; the crawl ends. What is not stored is not exported "
                    "either: start it again when the database works",
                    error,
                )
                self._closing = end_crawl(self._crawler, STORE_FAILED)
            return False
        for name in ("articles", "versions", "copies"):
            if count := changed[name]:
                self._stats.inc_value(f"{stats.STORE_ROWS}/{name}", count)
        return True

    async def _finish(self, reason: str) -> None:
        self._crawl |= {"ended": now(), "reason": reason}
        await self._put(ArticleRows())
        self._thread.shutdown(wait=False)
        self._store.close()

    def _end_job(self) -> None:
        if self._has_lost:
            self._fail_job()
