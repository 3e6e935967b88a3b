"""Pages of the crawl itself as siblings of each other: they cost no request.

What a page teaches is learned when the pipeline cleans it, which is too late for pages of one
template that arrive together. So those that came lately are kept here for a while, and those on
their way are known, by shape of the URL: the first page of a template takes the second for its
sibling instead of asking for a third.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from scrapy.utils.datatypes import LocalCache

from webclean_scrapy.crawl.pending import Bell

if TYPE_CHECKING:
    from webclean_scrapy.cleaning.page.raw_page import RawPage

MAX_PAGES = 64
MAX_BYTES = 8_000_000  # of all pages together
MAX_ON_THE_WAY = 1_000  # requests; Scrapy has 16 under way unless told otherwise


class MetPages:
    """Pages that came lately, at most 64 and 8 MB, and the URLs that are on their way."""

    def __init__(self, max_pages: int = MAX_PAGES, max_bytes: int = MAX_BYTES) -> None:
        self._max_pages, self._max_bytes = max_pages, max_bytes
        self._here: OrderedDict[str, tuple[str, RawPage]] = OrderedDict()  # URL: shape, page
        self._bytes = 0
        self._coming: LocalCache[str, str] = LocalCache(limit=MAX_ON_THE_WAY)  # URL: shape
        self._bell = Bell()

    def set_out(self, url: str, shape: str) -> None:
        """Note that *url* is being downloaded for the crawl."""
        self._coming[url] = shape

    def arrive(self, page: RawPage, shape: str) -> None:
        """Keep *page* for others of its shape and tell who waits for one."""
        self._forget(page.url)
        self._here[page.url] = (shape, page)
        self._bytes += len(page.html)
        while self._bytes > self._max_bytes or len(self._here) > self._max_pages:
            self._forget(next(iter(self._here)))
        self._coming.pop(page.url, None)
        self._bell.ring(shape)

    def stay_out(self, url: str) -> None:
        """Note that *url* brings no page after all: an error, a redirect, another type."""
        shape = self._coming.pop(url, None)
        if shape is not None:
            self._bell.ring(shape)

    def another(self, shape: str, but: set[str]) -> RawPage | None:
        """Return the latest page of *shape* whose URL is not in *but*; None when there is none."""
        for url, (own, page) in reversed(self._here.items()):
            if own == shape and url not in but:
                return page
        return None

    def is_coming(self, shape: str) -> bool:
        """Whether a page of *shape* is on its way."""
        return shape in self._coming.values()

    async def wait(self, shape: str, seconds: float) -> bool:
        """Return when a page of *shape* has come or stays out; False when *seconds* ran out."""
        return await self._bell.wait(shape, seconds)

    def forget_shape(self, shape: str) -> None:
        """Let the pages of *shape* go: its template is known."""
        for url in [url for url, (own, _) in self._here.items() if own == shape]:
            self._forget(url)

    def _forget(self, url: str) -> None:
        if url in self._here:
            self._bytes -= len(self._here.pop(url)[1].html)
