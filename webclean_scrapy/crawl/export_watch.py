"""When is an item safe? Tells which fingerprints may be confirmed, after their items are written.

``item_scraped`` is too early: a feed may still hold the item in a buffer, and feeds other than
local files are stored when they are closed: at the end, or whenever a batch of theirs is full
(``FEED_EXPORT_BATCH_ITEM_COUNT``). So keys are gathered in batches with the files ("slots" of the
feed exporter) that were open when their items came by, and confirmed when every one of these

- was closed and stored, or
- is a local file that was flushed after the next batch had begun, because the handlers of one
  signal run in no certain order, so the newest items may not have reached their feed yet.

Without feeds the pipelines have had the item, which is all there is to wait for. When a feed could
not be stored, what was not confirmed by then never is. Flushed means handed to the operating
system: safe when the process is killed, not when the machine loses power.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from itemadapter import ItemAdapter
from scrapy import signals
from scrapy.extensions.feedexport import FeedExporter, FileFeedStorage

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.crawler import Crawler

LINE_FORMATS = frozenset({"jsonlines", "jsonl", "jl", "csv"})
BATCH = 50  # items; a killed crawl exports at most so many of local feeds a second time


class _Batch:
    """Keys of items and the slots that may hold these items and have not been stored."""

    def __init__(self) -> None:
        self.keys: list[str] = []
        self.slots: set[Any] = set()


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
        self._open: tuple[Any, ...] = ()  # slots when the last item came by
        self._batches: list[_Batch] = [_Batch()]  # the last one is being filled
        crawler.signals.connect(self._item_scraped, signal=signals.item_scraped)
        crawler.signals.connect(self._item_lost, signal=signals.item_dropped)
        crawler.signals.connect(self._item_lost, signal=signals.item_error)
        crawler.signals.connect(self._slot_closed, signal=signals.feed_slot_closed)
        last = signals.feed_exporter_closed if self._exporter() else signals.spider_closed
        crawler.signals.connect(self._finish, signal=last)

    def expect(self, item: object, key: str) -> None:
        """Follow *item*, whose fingerprint is kept under *key*."""
        if not self._open:  # no item has reached the feeds yet
            self._open = self._slots()
            for slot in self._open:
                _end_cut_line(slot)
        self._on_their_way[id(item)] = (item, key)

    def _item_scraped(self, item: object) -> None:
        before, self._open = self._open, self._slots()
        if (key := self._take(item)) is None:
            return
        filling = self._batches[-1]
        filling.keys.append(key)
        filling.slots.update(before, self._open)  # whichever handler ran first, its slot is there
        if len(filling.keys) >= BATCH // 2:
            self._confirm_safe()
            self._batches.append(_Batch())

    def _slot_closed(self, slot: Any) -> None:
        """A file of a feed was closed and stored, or lost, and then all that is left is too."""
        self._open = tuple(one for one in self._open if one is not slot)
        for batch in self._batches:
            batch.slots.discard(slot)
        self._confirm_safe()

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

    def _confirm_safe(self) -> None:
        """Confirm each batch whose items are safe; the last one only if nothing holds it."""
        if self._feed_was_lost():
            return
        *settled, filling = self._batches
        waiting = []
        for batch in settled:
            if all(_is_flushed(slot) for slot in batch.slots):
                self._confirm(batch.keys)
            else:
                waiting.append(batch)
        if not filling.slots:
            self._confirm(filling.keys)
            filling = _Batch()
        self._batches = [*waiting, filling]

    def _finish(self) -> None:
        """Confirm all that is left, unless a feed was lost. Unknown fates stay unconfirmed."""
        if not self._feed_was_lost():
            self._confirm([key for batch in self._batches for key in batch.keys])
        self._close()

    def _feed_was_lost(self) -> bool:
        found = self._crawler.stats.get_stats()
        return any(name.startswith("feedexport/failed_count") for name in found)

    def _slots(self) -> tuple[Any, ...]:
        exporter = self._exporter()
        return tuple(exporter.slots) if exporter else ()

    def _exporter(self) -> FeedExporter | None:
        return self._crawler.get_extension(FeedExporter)


def _end_cut_line(slot: Any) -> None:
    """End the line that a killed crawl has left unfinished in a local file that is appended to.

    Else the first item of this crawl would stand in the same line and be lost to who reads it.
    """
    if not isinstance(slot.storage, FileFeedStorage) or slot.file is not None:
        return
    if slot.format not in LINE_FORMATS or slot.storage.write_mode != "ab":
        return
    path = Path(slot.storage.path)
    if "postprocessing" in slot.feed_options or not path.is_file() or not path.stat().st_size:
        return
    with path.open("rb+") as file:
        file.seek(-1, os.SEEK_END)
        if file.read(1) != b"\n":
            file.write(b"\n")


def _is_flushed(slot: Any) -> bool:
    """Write out what a local file holds. False for one that is safe only when it was stored."""
    if not isinstance(slot.storage, FileFeedStorage) or "postprocessing" in slot.feed_options:
        return False
    if slot.file is not None and not slot.file.closed:
        slot.file.flush()
    return True
