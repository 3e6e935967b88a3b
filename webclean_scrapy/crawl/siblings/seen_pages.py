"""Keeps pages of the crawl as siblings of each other: they cost no request.

The template of a page is learned when the pipeline cleans it, which is too late for pages of one
template that arrive together. So the latest pages are kept here for a while, by the shape of
their URLs: the first page of a template takes the second one as its sibling, instead of fetching a
third.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from webclean_scrapy.crawl.pending import Waiters

if TYPE_CHECKING:
    from webclean_scrapy.cleaning.page.raw_page import RawPage

MAX_PAGES = 64
MAX_BYTES = 8_000_000  # of all pages together


class SeenPages:
    """The latest pages, at most 64 and 8 MB."""

    def __init__(self, max_pages: int = MAX_PAGES, max_bytes: int = MAX_BYTES) -> None:
        self._max_pages, self._max_bytes = max_pages, max_bytes
        self._pages: OrderedDict[str, tuple[str, RawPage]] = OrderedDict()  # URL: shape, page
        self._bytes = 0
        self._changed = Waiters()  # by shape

    def add(self, page: RawPage, shape: str) -> None:
        """Keep *page* for others of its shape and wake those who wait for one."""
        self._forget(page.url)
        self._pages[page.url] = (shape, page)
        self._bytes += len(page.html)
        while self._bytes > self._max_bytes or len(self._pages) > self._max_pages:
            self._forget(next(iter(self._pages)))
        self._changed.notify(shape)

    def latest(self, shape: str, but: set[str]) -> RawPage | None:
        """Return the latest page of *shape* whose URL is not in *but*; None when there is none."""
        for url, (own, page) in reversed(self._pages.items()):
            if own == shape and url not in but:
                return page
        return None

    async def wait(self, shape: str, seconds: float) -> None:
        """Return when a page of *shape* has come, after *seconds* at the latest."""
        await self._changed.wait_for_notify(shape, seconds)

    def forget_shape(self, shape: str) -> None:
        """Drop the pages of *shape*: its template is known."""
        for url in [url for url, (own, _) in self._pages.items() if own == shape]:
            self._forget(url)

    def _forget(self, url: str) -> None:
        if url in self._pages:
            self._bytes -= len(self._pages.pop(url)[1].html)
