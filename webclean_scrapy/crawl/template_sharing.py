"""Cleaning that shares what it learns with other crawls of the same sites.

What one crawl has learned of a template, another takes before it would fetch a sibling. Each shape
of address is asked for once. A server that fails costs a stat and nothing else.
"""

from __future__ import annotations

from collections import deque
from concurrent.futures import TimeoutError as FutureTimeoutError
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from scrapy.utils.datatypes import LocalCache

from webclean_scrapy import stats
from webclean_scrapy.cleaning.templates.url_shapes import url_shape
from webclean_scrapy.crawl.pending import Flights, in_loop
from webclean_scrapy.crawl.store_thread import RedisLink
from webclean_scrapy.errors import StoreError

if TYPE_CHECKING:
    from pathlib import Path

    from scrapy.statscollectors import StatsCollector

    from webclean_scrapy.cleaning.page.raw_page import RawPage
    from webclean_scrapy.crawl.cleaning_backend import Cleaning
    from webclean_scrapy.dedup.redis.template_table import TemplateTable

CLOSE_S = 2.0  # seconds that the server has to take the last templates
SPREAD = 4  # a template is put up with its first page, then with the 4th, 16th, 64th ...


class SharedCleaning:
    """A `Cleaning` with a shelf of templates beside it."""

    def __init__(
        self,
        cleaning: Cleaning,
        shelf: TemplateTable,
        stats_collector: StatsCollector,
        max_templates: int,
    ) -> None:
        self._cleaning, self._shelf, self._stats = cleaning, shelf, stats_collector
        self._link = RedisLink(shelf.reconnect)
        self._asked: LocalCache[str, None] = LocalCache(limit=max_templates)  # shapes
        self._under_way = Flights()  # by shape
        self._learned: LocalCache[str, int] = LocalCache(limit=max_templates)  # pages by shape
        self._news: deque[str] = deque()  # stats that the thread has to add

    def knows(self, url: str) -> bool:
        return self._cleaning.knows(url)

    async def recognises(self, page: RawPage) -> bool:
        return await self._cleaning.recognises(page)

    async def clean(self, page: RawPage, *, articles_only: bool) -> dict[str, Any]:
        await self.borrow(page.url)
        cleaned = await self._cleaning.clean(page, articles_only=articles_only)
        if cleaned.get("is_article"):
            await self._lend(page.url)
        return cleaned

    async def learn_sibling(self, page: RawPage, sibling: RawPage) -> str | None:
        fault = await self._cleaning.learn_sibling(page, sibling)
        if fault is None:
            await self._lend(sibling.url)
        return fault

    async def take_templates(self, url: str, templates: list[dict[str, Any]]) -> int:
        return await self._cleaning.take_templates(url, templates)

    async def give_templates(self, url: str) -> list[dict[str, Any]]:
        return await self._cleaning.give_templates(url)

    async def borrow(self, url: str) -> None:
        """Take the templates that other crawls have learned of the shape of *url*, if unknown."""
        shape = url_shape(url)
        await self._under_way.wait(shape)
        if shape in self._asked or self.knows(url):
            return
        self._asked[shape] = None
        with self._under_way.begin(shape):
            try:
                self._link.check()
                work = self._link.submit(lambda: self._link.call(lambda: self._shelf.get(shape)))
                found = await in_loop(work)
            except StoreError as error:
                self._stats.inc_value(f"{stats.TEMPLATES_FAILED}/{type(error).__name__}")
                return
            taken = await self._cleaning.take_templates(url, found) if found else 0
            self._stats.inc_value(stats.TEMPLATES_TAKEN if taken else stats.TEMPLATES_MISSING)

    def close(self, directory: Path | None) -> None:
        with suppress(FutureTimeoutError):
            self._link.submit(self._shelf.close).result(CLOSE_S)
        self._link.close()
        self._count_news()
        self._cleaning.close(directory)

    async def _lend(self, url: str) -> None:
        """Put up the templates of the shape of *url*, when enough was learned since the last time.

        Nothing waits for the server to have them.
        """
        self._count_news()
        shape = url_shape(url)
        count = self._learned[shape] = self._learned.get(shape, 0) + 1
        while count % SPREAD == 0:
            count //= SPREAD
        if count != 1:
            return
        templates = await self._cleaning.give_templates(url)
        if templates:
            self._link.submit(lambda: self._put(shape, templates))

    def _put(self, shape: str, templates: list[dict[str, Any]]) -> None:
        """In the thread: put templates on the shelf."""
        try:
            if self._link.call(lambda: self._shelf.publish(shape, templates)):
                self._news.append(stats.TEMPLATES_GIVEN)
        except StoreError as error:
            self._news.append(f"{stats.TEMPLATES_FAILED}/{type(error).__name__}")

    def _count_news(self) -> None:
        while self._news:
            self._stats.inc_value(self._news.popleft())
