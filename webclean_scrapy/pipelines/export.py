"""When is an item safe? Tells which fingerprints may be confirmed, after their items are written.

``item_scraped`` is too early: a feed may still hold the item in a buffer, and feeds other than
local files are stored when the crawl ends. So keys of scraped items are confirmed

- a batch late, after the local feed files were flushed, when all feeds are local files;
- a batch late, when there are no feeds: then the pipelines have had the item;
- at the end, after all feeds were stored without a failure, in any other case.

"A batch late": the handlers of one signal run in no certain order, so the newest batch may not
have reached the feed yet. Flushed means handed to the operating system: safe when the process is
killed, not when the machine loses power.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from itemadapter import ItemAdapter
from scrapy import signals
from scrapy.extensions.feedexport import FeedExporter, FileFeedStorage

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.crawler import Crawler

BATCH = 50  # items; a killed crawl can export as many as two batches a second time


class ExportWatch:
    """Follows items from the dedup pipeline to their feed.

    *confirm* is given the keys of items that are safe; *forget* the key of an item that was lost
    on its way; *close* is called once, after the last of both.
    """

    def __init__(
        self,
        crawler: Crawler,
        *,
        confirm: Callable[[list[str]], None],
        forget: Callable[[str], None],
        close: Callable[[], None],
    ) -> None:
        self._crawler = crawler
        self._confirm, self._forget, self._close = confirm, forget, close
        self._on_their_way: dict[int, tuple[object, str]] = {}
        self._filling: list[str] = []
        self._settling: list[str] = []
        crawler.signals.connect(self._item_scraped, signal=signals.item_scraped)
        crawler.signals.connect(self._item_lost, signal=signals.item_dropped)
        crawler.signals.connect(self._item_lost, signal=signals.item_error)
        last = signals.feed_exporter_closed if self._exporter() else signals.spider_closed
        crawler.signals.connect(self._finish, signal=last)

    def expect(self, item: object, key: str) -> None:
        """Follow *item*, whose fingerprint is kept under *key*."""
        self._on_their_way[id(item)] = (item, key)

    def _item_scraped(self, item: object) -> None:
        key = self._take(item)
        if key is None:
            return
        self._filling.append(key)
        if len(self._filling) >= BATCH and self._flush():
            self._confirm(self._settling)
            self._settling, self._filling = self._filling, []

    def _item_lost(self, item: object) -> None:
        if (key := self._take(item)) is not None:
            self._forget(key)

    def _take(self, item: object) -> str | None:
        """Return the key of *item*, by identity or, for one that was replaced, by its URL."""
        if entry := self._on_their_way.pop(id(item), None):
            return entry[1]
        url = ItemAdapter(item).get("url") if ItemAdapter.is_item(item) else None
        for identity, (_, key) in self._on_their_way.items() if url else ():
            if key == url:
                del self._on_their_way[identity]
                return key
        return None

    def _flush(self) -> bool:
        """Write out what the feeds hold. False when that makes nothing safe yet."""
        exporter = self._exporter()
        slots: list[Any] = exporter.slots if exporter else []
        if not all(_is_plain_file(slot) for slot in slots):
            return False
        for slot in slots:
            if slot.file is not None:
                slot.file.flush()
        return True

    def _finish(self) -> None:
        """Confirm all that is left, unless a feed was lost. Unknown fates stay unconfirmed."""
        stored = not any(
            name.startswith("feedexport/failed_count") for name in self._crawler.stats.get_stats()
        )
        if stored:
            self._confirm(self._settling + self._filling)
        self._close()

    def _exporter(self) -> FeedExporter | None:
        return self._crawler.get_extension(FeedExporter)


def _is_plain_file(slot: Any) -> bool:
    return isinstance(slot.storage, FileFeedStorage) and "postprocessing" not in slot.feed_options
