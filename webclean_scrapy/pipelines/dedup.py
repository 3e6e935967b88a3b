"""Drop items whose page is a near-duplicate of one seen before.

A fingerprint is stored as *pending* when its item passes, and *confirmed* when the item is in the
feed. Items are compared with confirmed entries and those pending in a crawl that runs (with Redis:
in this run), so items that a killed run never exported block nothing. The order is: item exported,
feed flushed, fingerprint confirmed; at worst an item is exported twice, never lost. A copy of an
item that is still in the pipelines waits until that one is exported, or takes its place.
"""

from __future__ import annotations

import time
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any
from weakref import ref
from zlib import crc32

from itemadapter import ItemAdapter
from scrapy import signals
from scrapy.exceptions import DropItem, NotConfigured
from scrapy.utils.datatypes import LocalCache

from webclean_scrapy import stats
from webclean_scrapy.crawl import waiting
from webclean_scrapy.crawl.export_watch import ITEMS_CONFIRMED, ExportWatch
from webclean_scrapy.crawl.index_access import open_index
from webclean_scrapy.crawl.log_lines import safe_logger
from webclean_scrapy.crawl.service import Component
from webclean_scrapy.crawl.summary import DroppedCopy
from webclean_scrapy.crawl.waiting import PendingPages
from webclean_scrapy.dedup.fingerprint import DUPLICATE, Match
from webclean_scrapy.errors import StoreError, WebcleanError
from webclean_scrapy.items import RECORD, update_record

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from webclean_scrapy.crawl.item_pages import ItemText, Page
    from webclean_scrapy.dedup.fingerprint import Change, Fingerprint

logger = safe_logger(__name__)

RECENT = 10_000  # latest pages: their other items pass too
CALM_S = 10.0  # without a failure; then an outage of the store is over
SHORT_CHARS = 1000  # a longer text is not short, even with few words


class NearDuplicate(DropItem):
    """The page *key* repeats the page of *match*.

    *original_title*: that of the page of *match*, "" where it was not met lately.
    """

    def __init__(self, key: str, match: Match, original_title: str = "") -> None:
        own = "" if match.own is None else f", {match.own:.0%} of it is its own"
        super().__init__(f"{key} {self.why(match)}{own}", "DEBUG")
        self.key = key
        self.match = match
        self.original_title = original_title

    __reduce__ = WebcleanError.__reduce__

    def why(self, match: Match) -> str:
        return f"is a near-duplicate of {match.key} (similarity {match.similarity:.3f})"


class AlreadyExported(NearDuplicate):
    """The page *key* was exported before with the same text."""

    def why(self, match: Match) -> str:
        del match
        return "was already exported, or another crawl is about to export it"


class ShortText(DropItem):
    """The text of the page is too short for comparison."""


class DedupPipeline(Component):
    """Passes the first item of each text; settings decide about the others.

    The text is the item's own, else the body that was cleaned for it, if the item holds that; the
    key is the URL of its page, else its own. Items without either pass. The items of one page are
    not compared with each other: all of them pass, or none. Fetched twice, a page is two.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        config = self._config
        if not config.dedup_enabled:
            raise NotConfigured
        rules = {"update": config.dedup.updates, "duplicate": config.dedup_duplicate}
        self._rules = {**rules, "overlap": "keep"}
        self._drop_short = config.dedup_short == "drop"
        self._passed: LocalCache[str, Change | None] = LocalCache(RECENT)
        self._titles: LocalCache[str, str] = LocalCache(RECENT)
        # The page of a key, and a digest of its text.
        self._read: LocalCache[str, tuple[ref[Page] | None, int]] = LocalCache(RECENT)
        index, self._index = open_index(config, crawler)
        self._is_short, self._fingerprinter = index.is_short, index.fingerprinter
        self._store_works, self._calm_at, self._recovered_at = True, 0.0, 0.0
        self._pending = PendingPages()
        self._watch = ExportWatch(
            crawler,
            self._pending,
            self._pages.url_of,
            confirm=self._confirm,
            lost=self._item_lost,
            close=self._finish,
        )
        crawler.signals.connect(self._end_job, signal=signals.engine_stopped)

    async def process_item(self, item: Any) -> Any:
        """Return *item*.

        Raises:
            NearDuplicate: another page of this run, or one exported before, says the same.
            ShortText: it is too short to compare.
        """
        if not self._pages.takes(item):
            return item
        adapter, page = ItemAdapter(item), self._pages.find_page(item)
        content = self._pages.text_of(item, page)
        text = content.text
        key = page.url if page else self._pages.url_of(item)
        if not text or not key:
            self._stats.inc_value(f"{stats.DEDUP_SKIPPED}/{'no_url' if text else 'no_text'}")
            return item
        self._stats.inc_value(stats.DEDUP_SEEN)
        digest = crc32(f"{content.title}\n{text}".encode(errors="replace"))
        again = None
        if self._is_read_again(key, page, digest):
            again = Match(key=key, similarity=1.0, verdict=DUPLICATE)
        match = again or await self._settled_match(key, content)
        was_there = match is not None and match.key == key and not again
        change = self._passed.get(key, match.change if match else None)
        if change is not None:
            self._mark_version(adapter, change)
        if match is not None and change is None and not (was_there and key in self._passed):
            self._apply_match(adapter, key, match, content.title)
        elif len(text) < SHORT_CHARS and self._is_short(
            self._compared(content), title=content.title
        ):
            update_record(adapter, short=True)
            if self._drop_short:
                self._stats.inc_value(f"{stats.DEDUP_DROPPED}/short")
                raise ShortText(f"{key} is too short to compare with other pages", "DEBUG")
            self._stats.inc_value(f"{stats.DEDUP_KEPT}/short")
        if not again:
            self._passed[key], self._titles[key] = change, content.title
            self._read[key] = (ref(page) if page else None, digest)
        if not (was_there and match and match.verdict == "duplicate"):  # nothing was written then
            self._watch.expect(item, key)
        return item

    def _is_read_again(self, key: str, page: Page | None, digest: int) -> bool:
        """True if another response with the address of *page* had the same text."""
        other, known = self._read.get(key, (None, 0))
        return page is not None and other is not None and other() is not page and known == digest

    async def _settled_match(self, key: str, content: ItemText) -> Match | None:
        """Return the match of a page, after the outcome of the matched item is known.

        None when that item was lost: this one takes its place.
        """
        match = await self._check_and_add(key, content)
        end = time.monotonic() + waiting.COPY_WAIT_S
        has_waited = False
        while match is not None and match.key != key and match.key in self._pending:
            if self._rules[match.verdict] != "drop":
                return match
            if not has_waited:
                self._stats.inc_value(stats.DEDUP_WAITED)
            has_waited = True
            if not await self._pending.is_lost(match.key, end):
                return match
            match = await self._check_and_add(key, content)  # again: another copy may be first
        return match

    def _apply_match(self, adapter: ItemAdapter, key: str, match: Match, title: str) -> None:
        """Write the match into the item's record; raise if the item is to be dropped."""
        rule = self._rules[match.verdict]
        if match.verdict != "overlap" or adapter.get(RECORD):  # a note is no reason for a new field
            update_record(adapter, **match.to_record(match.key, replaces=rule == "replace"))
        if rule == "drop":
            if match.key == key:
                self._stats.inc_value(f"{stats.DEDUP_DROPPED}/already_exported")
                raise AlreadyExported(key, match)
            self._stats.inc_value(f"{stats.DEDUP_DROPPED}/{match.verdict}")
            original = self._titles.get(match.key, "")
            if match.own is not None:
                copy = DroppedCopy(match.own, match.similarity, title, key, original, match.key)
                self._service.summary.add_copy(copy)
            raise NearDuplicate(key, match, original)
        kept = stats.DEDUP_REPLACED if rule == "replace" else f"{stats.DEDUP_KEPT}/{match.verdict}"
        self._stats.inc_value(kept)

    def _mark_version(self, adapter: ItemAdapter, change: Change) -> None:
        before = datetime.fromtimestamp(change.before, timezone.utc).isoformat()
        said = {**change._asdict(), "before": before if change.before else None}
        update_record(adapter, version=said.pop("version"), change=said)
        self._stats.inc_value(stats.DEDUP_VERSIONS)

    async def _check_and_add(self, key: str, content: ItemText) -> Match | None:
        asked = time.monotonic()
        try:
            compared = self._compared(content)
            match = await self._index.check_and_add(key, compared, content.title, content.marked)
        except StoreError as error:
            self._count_outcomes()  # they are older than the answer
            self._store_failed(error, asked)
            return None
        self._count_outcomes()
        self._store_answered(asked)
        return match

    def _compared(self, content: ItemText) -> str | Fingerprint:
        if content.is_article:
            return content.fingerprint or content.text
        made = content.fingerprint or self._fingerprinter.make(
            content.text, title=content.title, marked=content.marked
        )
        return made.of_list() if content.is_list else made.of_record(content.title)

    def _confirm(self, keys: list[str]) -> None:
        if keys:
            self._index.confirm(keys)
            self._count_outcomes()
            self._crawler.signals.send_catch_log(ITEMS_CONFIRMED, keys=keys)

    def _item_lost(self, key: str) -> None:
        self._index.forget(key)
        self._read.pop(key, None)
        self._count_outcomes()
        if copies := self._pending.settle(key, is_lost=True):
            logger.warning(
                "The item of %s was lost; its %d copies could not wait so long and "
                "had been dropped",
                key,
                copies,
            )

    def _finish(self) -> None:
        self._index.close()
        self._count_outcomes()

    def _end_job(self) -> None:
        if self._watch.lost_items:
            self._fail_job()

    def _count_outcomes(self) -> None:
        while self._index.outcomes:
            outcome = self._index.outcomes.popleft()
            if isinstance(outcome, StoreError):
                self._store_failed(outcome, time.monotonic())
                continue
            self._store_answered(time.monotonic())
            if outcome:
                self._stats.inc_value(stats.DEDUP_CONFIRMED, outcome)

    def _store_answered(self, asked: float) -> None:
        """End the outage, unless the answered request is older than it."""
        if not self._store_works and asked >= self._calm_at:
            self._store_works, self._recovered_at = True, time.monotonic()
            self._stats.inc_value(stats.DEDUP_RECOVERED)
            logger.info("The fingerprint store is available again; items are de-duplicated")

    def _store_failed(self, error: StoreError, asked: float) -> None:
        """Count each failure; warn once per outage of the store.

        On a full disk small writes still pass between the failures: that is one outage. A question
        that is older than its end says nothing of another one.
        """
        self._stats.inc_value(f"{stats.DEDUP_FAILED}/{type(error).__name__}")
        if asked < self._recovered_at:
            return
        self._calm_at = time.monotonic() + CALM_S
        if self._store_works:
            self._store_works = False
            logger.warning(
                "Items are not de-duplicated until the fingerprint store is available: %s", error
            )
