"""Drop items whose page is a near-duplicate of one seen before.

A fingerprint is written as *pending* when its item passes, and *confirmed* when the item is in
the feed. Matches count against confirmed entries and those pending in this run, so what a killed
run never exported blocks nothing. The order is: item exported, feed flushed, then confirmed; at
worst an item is exported twice, never lost.
"""

from __future__ import annotations

import logging
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Any

from itemadapter import ItemAdapter
from scrapy.exceptions import DropItem, NotConfigured
from scrapy.utils.job import job_dir

from webclean_scrapy import stats
from webclean_scrapy.dedup.stores.redis_address import is_redis
from webclean_scrapy.errors import StoreError
from webclean_scrapy.items import update_record
from webclean_scrapy.pipelines.export import ExportWatch
from webclean_scrapy.pipelines.fingerprints import LocalFingerprints, RemoteFingerprints
from webclean_scrapy.service import WebcleanService

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from typing_extensions import Self

    from webclean_scrapy.config import WebcleanConfig
    from webclean_scrapy.dedup.index import DuplicateIndex, Match
    from webclean_scrapy.handover import Page
    from webclean_scrapy.pipelines.fingerprints import Fingerprints

logger = logging.getLogger(__name__)

STORE_FILE = "webclean-dedup.db"  # in JOBDIR


class NearDuplicate(DropItem):
    """The item says what another item has said; the message names that one's page."""


class DedupPipeline:
    """Lets the first item of each text pass, and what the settings say of updates.

    The text is the item's ``articleBody``, else the body that was cleaned for it; the key is the
    URL of its page, else its ``url``. Items without either pass.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._service = WebcleanService.of(crawler)
        config = self._service.config
        if not config.dedup_enabled:
            raise NotConfigured
        self._keep_updates = config.dedup_update == "keep"
        self._crawler = crawler
        self._stats = crawler.stats
        index = _open_index(config, crawler)
        asked = RemoteFingerprints if is_redis(config.dedup_uri) else LocalFingerprints
        self._index: Fingerprints = asked(index, config.dedup_run or uuid.uuid4().hex)
        self._store_works = True
        self._watch = ExportWatch(
            crawler, confirm=self._confirm, forget=self._forget, close=self._finish
        )

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    async def process_item(self, item: Any) -> Any:
        """Return *item*.

        Raises:
            NearDuplicate: another page of this run, or one exported before, says the same.
        """
        adapter = ItemAdapter(item)
        page = self._service.pages.get(item)
        text, title = _text_of(adapter, page)
        key = page.url if page else str(adapter.get("url") or "")
        if not text or not key:
            self._stats.inc_value(f"{stats.DEDUP_SKIPPED}/{'no_url' if text else 'no_text'}")
            return item
        self._stats.inc_value(stats.DEDUP_SEEN)
        match = await self._check_and_add(key, text, title)
        if match is not None:
            self._judge(adapter, key, match)
        self._watch.expect(item, key)
        return item

    def _judge(self, adapter: ItemAdapter, key: str, match: Match) -> None:
        """Write the match into the item's record; raise when the item is to be dropped."""
        similarity = round(match.similarity, 3)
        update_record(adapter, duplicate_of=match.key, similarity=similarity)
        if match.verdict == "update" and self._keep_updates:
            self._stats.inc_value(f"{stats.DEDUP_KEPT}/{match.verdict}")
            return
        self._stats.inc_value(f"{stats.DEDUP_DROPPED}/{match.verdict}")
        raise NearDuplicate(
            f"{key} is a near-duplicate of {match.key} (similarity {similarity})", "DEBUG"
        )

    async def _check_and_add(self, key: str, text: str, title: str) -> Match | None:
        try:
            match = await self._index.check_and_add(key, text, title)
        except StoreError as error:
            self._store_failed(error)
            return None
        self._store_answered()
        self._read_news()
        return match

    def _confirm(self, keys: list[str]) -> None:
        if keys:
            self._index.confirm(keys)
            self._read_news()

    def _forget(self, key: str) -> None:
        """An item was lost behind us: another page that says the same must not be dropped."""
        self._index.forget(key)
        self._read_news()

    def _finish(self) -> None:
        self._index.close()
        self._read_news()

    def _read_news(self) -> None:
        """Count what became of that which the index was told."""
        while self._index.news:
            news = self._index.news.popleft()
            if news.error is not None:
                self._store_failed(news.error)
                continue
            self._store_answered()
            if news.confirmed:
                self._stats.inc_value(stats.DEDUP_CONFIRMED, news.confirmed)

    def _store_answered(self) -> None:
        if not self._store_works:
            self._store_works = True
            self._stats.inc_value(stats.DEDUP_RECOVERED)
            logger.info(
                "The store answers again; items are de-duplicated",
                extra={"spider": self._crawler.spider},
            )

    def _store_failed(self, error: StoreError) -> None:
        """Count each failure; warn once for each time that the store goes away."""
        self._stats.inc_value(f"{stats.DEDUP_FAILED}/{type(error).__name__}")
        if self._store_works:
            self._store_works = False
            logger.warning(
                "Items pass without de-duplication until the store answers again: %(error)s",
                {"error": error},
                extra={"spider": self._crawler.spider},
            )


def _text_of(adapter: ItemAdapter, page: Page | None) -> tuple[str, str]:
    """Return text and title: the item's own, else those that were cleaned for it."""
    text, title = adapter.get("articleBody"), adapter.get("headline")
    cleaned = (page.cleaned if page else None) or {}
    text, title = text or cleaned.get("text"), title or cleaned.get("title")
    return str(text or ""), str(title or "")


def _open_index(config: WebcleanConfig, crawler: Crawler) -> DuplicateIndex:
    """Return the open index.

    Raises:
        StoreError: it cannot be opened, and ``WEBCLEAN_DEDUP_ON_ERROR`` is ``stop``.
        NotConfigured: the same, and it is ``continue``.
    """
    from webclean_scrapy.dedup.index import DuplicateIndex  # jieba: only where it is used

    uri = config.dedup_uri
    directory = job_dir(crawler.settings)
    if not uri and directory:
        uri = f"sqlite:///{Path(directory, STORE_FILE)}"
    try:
        index = DuplicateIndex(uri or None, updates=config.dedup_update)
        for sentence in index.advice():
            logger.warning("%(advice)s", {"advice": sentence}, extra={"spider": crawler.spider})
        return index
    except StoreError as error:
        if config.dedup_on_error == "stop":
            raise
        crawler.stats.inc_value(f"{stats.DEDUP_FAILED}/{type(error).__name__}")
        raise NotConfigured(f"the crawl goes on without de-duplication: {error}") from error
