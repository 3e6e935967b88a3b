"""Cleaning that shares learned templates with other crawls of the same sites.

What one crawl has learned of a template, another gets from the server before it would fetch a
sibling. Each URL shape is looked up once. A server that fails costs a stat and nothing else.
"""

from __future__ import annotations

from collections import deque
from concurrent.futures import TimeoutError as FutureTimeoutError
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from scrapy.utils.datatypes import LocalCache

from webclean_scrapy import stats
from webclean_scrapy.cleaning.templates.url_shapes import url_shape
from webclean_scrapy.crawl.cleaning_backend import CleaningBackend
from webclean_scrapy.crawl.pending import PendingTasks, wait_for_result
from webclean_scrapy.crawl.store_thread import StoreThread
from webclean_scrapy.errors import StoreError

if TYPE_CHECKING:
    from scrapy.statscollectors import StatsCollector

    from webclean_scrapy.cleaning.page.raw_page import RawPage
    from webclean_scrapy.dedup.redis.template_table import TemplateTable

CLOSE_S = 2.0  # seconds that the server has to take the last templates
PUBLISH_FACTOR = 4  # templates are published with the 1st, 4th, 16th, 64th ... page of a shape


class SharedBackend(CleaningBackend):
    """A `CleaningBackend` with a *table* of shared templates."""

    def __init__(
        self, *arguments: Any, table: TemplateTable, collector: StatsCollector, **options: Any
    ) -> None:
        super().__init__(*arguments, **options)
        self._table, self._stats = table, collector
        self._thread = StoreThread(table.reconnect)
        limit = self._config.max_templates
        self._looked_up: LocalCache[str, None] = LocalCache(limit)  # URL shapes
        self._lookups = PendingTasks()  # by URL shape
        self._pages: LocalCache[str, int] = LocalCache(limit)  # learned, by shape
        self._pending_stats: deque[str] = deque()  # of the thread, to be counted in the loop

    async def wait_until_ready(self, url: str) -> None:
        """Return when work for *url* begins at once, with the templates that others have."""
        await super().wait_until_ready(url)
        await self.fetch_shared(url)

    async def clean_page(self, page: RawPage, **options: Any) -> dict[str, Any]:
        await self.fetch_shared(page.url)
        found = await super().clean_page(page, **options)
        if found.get("is_article"):
            await self._publish(page.url)
        return found

    async def learn_sibling(self, page: RawPage, sibling: RawPage) -> str | None:
        refusal = await super().learn_sibling(page, sibling)
        if refusal is None:
            await self._publish(sibling.url)
        return refusal

    async def fetch_shared(self, url: str) -> None:
        """Add the templates that other crawls have learned for the shape of *url*, if unknown."""
        shape = url_shape(url)
        await self._lookups.wait_until_ended(shape)
        if shape in self._looked_up or self.knows_template(url):
            return
        self._looked_up[shape] = None
        with self._lookups.running(shape):
            try:
                self._thread.raise_if_open()
                work = self._thread.submit(
                    lambda: self._thread.call(lambda: self._table.get(shape))
                )
                templates = await wait_for_result(work)
            except StoreError as error:
                self._stats.inc_value(f"{stats.TEMPLATES_FAILED}/{type(error).__name__}")
                return
            added = await self.import_templates(url, templates) if templates else 0
            self._stats.inc_value(stats.TEMPLATES_TAKEN if added else stats.TEMPLATES_MISSING)

    def close(self) -> None:
        with suppress(FutureTimeoutError):
            self._thread.submit(self._table.close).result(CLOSE_S)
        self._thread.close()
        self._add_pending_stats()
        super().close()

    async def _publish(self, url: str) -> None:
        """Publish the templates of the shape of *url*, if enough pages were learned since.

        Nothing waits until the server has them.
        """
        self._add_pending_stats()
        shape = url_shape(url)
        count = self._pages[shape] = self._pages.get(shape, 0) + 1
        while count % PUBLISH_FACTOR == 0:
            count //= PUBLISH_FACTOR
        if count == 1 and (templates := await self.export_templates(url)):
            self._thread.submit(lambda: self._write(shape, templates))

    def _write(self, shape: str, templates: list[dict[str, Any]]) -> None:
        """Write templates into the table; for use in the thread."""
        try:
            if self._thread.call(lambda: self._table.publish(shape, templates)):
                self._pending_stats.append(stats.TEMPLATES_GIVEN)
        except StoreError as error:
            self._pending_stats.append(f"{stats.TEMPLATES_FAILED}/{type(error).__name__}")

    def _add_pending_stats(self) -> None:
        while self._pending_stats:
            self._stats.inc_value(self._pending_stats.popleft())
