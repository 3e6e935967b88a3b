"""Confirms fingerprints once their items are written to every feed.

The signal ``item_scraped`` is too early: a feed may still hold the item in a buffer, and feeds
other than local files are stored when they are closed. So keys are collected in batches, together
with the files ("slots" of the feed exporter) that were open when their items were scraped. A batch
is confirmed when each of its slots was closed and stored, or is a local file that was flushed after
the next batch had begun. (The handlers of one signal run in no fixed order, so the newest items may
not have reached their feed yet.) docs/deduplication.md says what is promised.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from scrapy import signals

from webclean_scrapy import stats
from webclean_scrapy.crawl.disk_guard import FEED_FAILED, end_crawl
from webclean_scrapy.crawl.log_lines import safe_logger
from webclean_scrapy.crawl.scrapy_private import end_cut_line, feed_slots, flush_feed, guard_export

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.crawler import Crawler

    from webclean_scrapy.crawl.waiting import PendingPages

logger = safe_logger(__name__)

BATCH = 10  # items: at most this many are exported twice to local feeds by a killed crawl
ITEMS_CONFIRMED = object()  # a signal, with the *keys* of items that are in every feed
MAX_FOLLOWED = 10_000  # items in the pipelines at once; others were replaced by what has no URL


@dataclass
class _Batch:
    """Keys of items, and the slots that may hold them and are not stored yet."""

    keys: list[str] = field(default_factory=list)
    open_slots: set[Any] = field(default_factory=set)


class ExportWatch:
    """Follows items from the dedup pipeline to their feeds.

    *pending* learns what becomes of items, but for those that *lost* is called with: they were
    dropped or failed. *confirm* is called with the keys of items that are safe, and *close* once,
    after the last of them.
    """

    def __init__(
        self,
        crawler: Crawler,
        pending: PendingPages,
        url_of: Callable[[object], str],
        *,
        confirm: Callable[[list[str]], None],
        lost: Callable[[str], None],
        close: Callable[[], None],
    ) -> None:
        self._crawler, self._pending, self._url_of = crawler, pending, url_of
        self._confirm, self._lost, self._close = confirm, lost, close
        self._expected: OrderedDict[int, tuple[object, str]] = OrderedDict()
        self._open: tuple[Any, ...] = ()  # slots when the last item was scraped
        self._batches: list[_Batch] = [_Batch()]  # the last one is being filled
        self._closing: Any = None  # once the crawl ends because nothing can be written
        self._has_failed = False  # to export an item
        unfinished = partial(logger.error, "The end of the feed %s could not be written: %r")
        # Before the next: it comes first.
        self._guard = guard_export(crawler, self._item_failed, unfinished)
        crawler.signals.connect(self._item_scraped, signal=signals.item_scraped)
        crawler.signals.connect(self._item_lost, signal=signals.item_dropped)
        crawler.signals.connect(self._item_lost, signal=signals.item_error)
        crawler.signals.connect(self._slot_closed, signal=signals.feed_slot_closed)
        last = signals.feed_exporter_closed if self._guard else signals.spider_closed
        crawler.signals.connect(self._finish, signal=last)

    def expect(self, item: object, key: str) -> None:
        if not self._open:  # no item has reached the feeds yet
            self._open = feed_slots(self._crawler)
            for slot in self._open:
                end_cut_line(slot)
        self._expected[id(item)] = (item, key)
        self._pending.add(key)
        if len(self._expected) > MAX_FOLLOWED:
            _, (_, oldest) = self._expected.popitem(last=False)
            self._pending.discard(oldest)
            self._crawler.stats.inc_value(stats.DEDUP_UNFOLLOWED)

    def _feed_was_lost(self) -> bool:
        return stats.has_lost_feed(self._crawler.stats.get_stats())

    @property
    def lost_items(self) -> bool:
        """True if items are missing from a feed."""
        return self._has_failed or self._feed_was_lost()

    def _item_scraped(self, item: object) -> None:
        before, self._open = self._open, feed_slots(self._crawler)
        if (key := self._pop_key(item)) is None:
            return
        self._pending.settle(key)
        filling = self._batches[-1]
        filling.keys.append(key)
        filling.open_slots.update(before, self._open)  # whichever handler of the signal ran first
        if len(filling.keys) >= BATCH // 2:
            self._confirm_safe()
            self._batches.append(_Batch())

    def _slot_closed(self, slot: Any) -> None:
        self._open = tuple(one for one in self._open if one is not slot)
        for batch in self._batches:
            batch.open_slots.discard(slot)
        self._confirm_safe()

    def _item_lost(self, item: object) -> None:
        if (key := self._pop_key(item)) is not None:
            self._lost(key)

    def _item_failed(self, item: object, error: Exception) -> None:
        """Count an item that a feed could not write as lost; stop the crawl on a full disk."""
        self._crawler.stats.inc_value(f"{stats.DEDUP_NOT_EXPORTED}/{type(error).__name__}")
        self._item_lost(item)
        if not isinstance(error, OSError):  # of this item
            logger.error("A feed could not write an item: %r", error)
        elif not self._has_failed and self._crawler.engine is not None:
            # The reader of a pipe may have enough: | head
            level = logging.INFO if isinstance(error, BrokenPipeError) else logging.ERROR
            logger.log(
                level,
                "FEEDS: an item could not be written: %s; the crawl ends. Make room and "
                "start it again: only what is missing is exported then",
                error,
            )
            self._closing = end_crawl(self._crawler, FEED_FAILED)
        self._has_failed = True

    def _pop_key(self, item: object) -> str | None:
        """Return the key of *item*, by identity, or by URL for a replaced one."""
        if entry := self._expected.pop(id(item), None):
            return entry[1]
        url = self._url_of(item)
        for identity, (_, key) in self._expected.items() if url else ():
            if key == url:
                del self._expected[identity]
                return key
        return None

    def _confirm_safe(self) -> None:
        """Confirm each batch whose items are stored; the current one only without open slots."""
        if self._feed_was_lost():
            return
        *full, filling = self._batches
        waiting: list[_Batch] = []
        for batch in full:
            if all(flush_feed(slot) for slot in batch.open_slots):
                self._confirm(batch.keys)
            elif waiting and waiting[-1].open_slots == batch.open_slots:
                waiting[-1].keys += batch.keys  # else each batch would look at all before it
            else:
                waiting.append(batch)
        if not filling.open_slots:
            self._confirm(filling.keys)
            filling = _Batch()
        self._batches = [*waiting, filling]

    def _finish(self) -> None:
        if not self._feed_was_lost():
            self._confirm([key for batch in self._batches for key in batch.keys])
        self._close()
