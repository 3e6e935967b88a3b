"""Cleaning that shares learned templates with other crawls of the same sites, on a Redis server.

What one crawl has learned of a template, another gets from the server before it would fetch a
sibling. Each URL shape is looked up once. A server that fails costs a stat and nothing else.

The prefix of the index has one hash for each host, "{prefix}:templates:VERSION:HOST": its
fields are URL shapes, its values compressed JSON. Shapes of a host and bytes of a shape are
limited; a host expires `KEPT_S` after its last template, or after the ttl of the URI.
Data from the server is checked like a file of unknown origin.
"""

from __future__ import annotations

import json
import zlib
from concurrent.futures import TimeoutError as FutureTimeoutError
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from scrapy.utils.datatypes import LocalCache

from webclean_scrapy import stats
from webclean_scrapy.cleaning.templates.template_store import FILE_VERSION
from webclean_scrapy.cleaning.templates.url_shapes import url_shape
from webclean_scrapy.crawl import cleaner_work
from webclean_scrapy.crawl.cleaning_backend import CleaningBackend
from webclean_scrapy.crawl.index_access import StoreThread
from webclean_scrapy.crawl.pending import PendingTasks, wait_for_result
from webclean_scrapy.crawl.worker_process import WorkerFailedError
from webclean_scrapy.dedup.redis.server import RedisAddress, RedisClient
from webclean_scrapy.errors import StoreError, StoreSchemeError

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.statscollectors import StatsCollector

    from webclean_scrapy.cleaning.page.raw_page import RawPage

CLOSE_S = 2.0  # seconds that the server has to end what it does
PUBLISH_FACTOR = 4  # templates are published with the 1st, 4th, 16th, 64th ... page of a shape
KEPT_S = 30 * 86_400
MAX_SHAPES = 500  # of one host
MAX_BYTES = 1_000_000  # of the JSON of one shape

_T = TypeVar("_T")


class TemplateTable:
    """The templates on the server, as plain values, by URL shape.

    Every method raises StoreUnavailableError when the server does not answer.
    """

    def __init__(self, uri: str) -> None:
        self._address = RedisAddress.parse(uri)
        self._server = RedisClient(self._address, "the templates at")
        self._ttl = self._address.ttl or KEPT_S

    def publish(self, shape: str, templates: list[dict[str, Any]]) -> bool:
        """Replace the templates of a URL shape, unless they are too many; return whether it was."""
        text = json.dumps(templates, separators=(",", ":")).encode()
        key = self._key(shape)
        if len(text) > MAX_BYTES:
            return False
        with self._server.errors():
            client = self._server.client
            if client.hlen(key) >= MAX_SHAPES and not client.hexists(key, shape):
                return False
            write = client.pipeline(transaction=True)
            write.hset(key, shape, zlib.compress(text))
            write.expire(key, self._ttl)
            write.execute()
        return True

    def get(self, shape: str) -> list[dict[str, Any]]:
        """Return the templates of a URL shape. Raises: StoreSchemeError for anything else."""
        with self._server.errors():
            packed = self._server.client.hget(self._key(shape), shape)
        if not packed:
            return []
        try:
            unzip = zlib.decompressobj()
            templates = json.loads(unzip.decompress(packed, MAX_BYTES))
        except (zlib.error, ValueError, RecursionError) as error:
            raise StoreSchemeError(f"invalid shared templates: {error}") from error
        if not isinstance(templates, list):
            raise StoreSchemeError("invalid shared templates: not a list")
        return templates

    def reconnect(self) -> None:
        """Check, after a failure, that the server can be written to."""
        self._server.disconnect()
        with self._server.errors():
            self._server.client.set(self._key("") + "look", b"", ex=1)

    def close(self) -> None:
        self._server.disconnect()

    def _key(self, shape: str) -> str:
        return f"{self._address.key_start}templates:{FILE_VERSION}:{urlsplit(shape).netloc}"


class SharedBackend(CleaningBackend):
    """A `CleaningBackend` that shares templates on the server of *uri*."""

    def __init__(
        self, *arguments: Any, uri: str, collector: StatsCollector, **options: Any
    ) -> None:
        super().__init__(*arguments, **options)
        self._table, self._stats = TemplateTable(uri), collector
        self._thread = StoreThread(self._table.reconnect)
        limit = self._config.max_templates
        self._looked_up: LocalCache[str, None] = LocalCache(limit)  # URL shapes
        self._lookups = PendingTasks()  # by URL shape
        self._pages: LocalCache[str, int] = LocalCache(limit)  # learned, by shape

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
            templates = await self._ask(lambda: self._table.get(shape))
            if templates is None:
                return
            added = 0
            if templates:
                with suppress(WorkerFailedError):
                    add = cleaner_work.add_template_data
                    added = await self._call(url, add, url, templates)
            self._stats.inc_value(stats.TEMPLATES_TAKEN if added else stats.TEMPLATES_MISSING)

    def close(self) -> None:
        with suppress(FutureTimeoutError):
            self._thread.submit(self._table.close).result(CLOSE_S)
        self._thread.shutdown(wait=False)
        super().close()

    async def _publish(self, url: str) -> None:
        """Publish the templates of the shape of *url*, if enough pages were learned since."""
        shape = url_shape(url)
        count = self._pages[shape] = self._pages.get(shape, 0) + 1
        while count % PUBLISH_FACTOR == 0:
            count //= PUBLISH_FACTOR
        templates: list[dict[str, Any]] = []
        if count == 1:
            with suppress(WorkerFailedError):
                templates = await self._call(url, cleaner_work.templates_as_data, url)
        if not templates:
            return
        if await self._ask(lambda: self._table.publish(shape, templates)):
            self._stats.inc_value(stats.TEMPLATES_GIVEN)

    async def _ask(self, work: Callable[[], _T]) -> _T | None:
        """Return ``work()``, which is done in the thread; None, with a stat, when it fails."""
        try:
            self._thread.raise_if_open()
            return await wait_for_result(self._thread.submit(self._thread.call, work))
        except StoreError as error:
            self._stats.inc_value(f"{stats.TEMPLATES_FAILED}/{type(error).__name__}")
            return None
