"""The way of a page from the spider middleware to the pipelines, which never see a response.

An item cannot carry its page: kinds with fixed fields have no room for it, and exporters would
write it out. So pages wait here under the identity of their item. The item itself is kept too,
else its identity could pass to another object. Entries are taken away when the item's way ends;
what a replaced item leaves behind is bounded.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from itemadapter import ItemAdapter

from webclean_scrapy import stats

if TYPE_CHECKING:
    from scrapy.statscollectors import StatsCollector

    from webclean_scrapy.cleaning.page.raw_page import RawPage

MAX_ITEMS = 2_000  # items on their way at once; Scrapy's own bound is 100 for each response


@dataclass(slots=True, eq=False, kw_only=True)
class Page:
    """One page of the crawl, shared by its items, so that it is cleaned once."""

    url: str
    raw: RawPage | None  # None once it is being cleaned
    sibling_url: str | None = None
    cleaned: dict[str, Any] | None = None  # see `webclean_scrapy.crawl.cleaning_backend.clean_page`


class PageHandover:
    """Pages by the identity of their items, at most *limit*; the oldest is let go first."""

    def __init__(self, collector: StatsCollector, limit: int = MAX_ITEMS) -> None:
        self._stats = collector
        self._limit = limit
        self._waiting: OrderedDict[int, tuple[object, Page]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._waiting)

    def put(self, item: object, page: Page) -> None:
        """Keep *page* for *item*."""
        self._waiting[id(item)] = (item, page)
        if len(self._waiting) > self._limit:
            self._waiting.popitem(last=False)
            self._stats.inc_value(stats.ATTACH_EVICTED)

    def get(self, item: object) -> Page | None:
        """Return the page of *item*, or of an item with its URL when a component has replaced it.

        In the second case the page is kept for *item* from now on.
        """
        if entry := self._waiting.get(id(item)):
            return entry[1]
        url = _url_of(item)
        for key, (_, page) in reversed(self._waiting.items()) if url else ():
            if page.url == url:
                del self._waiting[key]
                self.put(item, page)
                return page
        return None

    def release(self, item: object) -> None:
        """Forget *item*."""
        self._waiting.pop(id(item), None)


def _url_of(item: object) -> str:
    if not ItemAdapter.is_item(item):
        return ""
    url = ItemAdapter(item).get("url")
    return url if isinstance(url, str) else ""
