"""Hands pages over from the spider middleware to the pipelines, which never see a response.

An item cannot carry its page: kinds with fixed fields have no room for it, and exporters would
write it out. So pages are kept here under the identity (``id``) of their item, which is kept too,
so that no other object can get it, until the item is exported, dropped or failed. Entries of items
that a component has replaced are bounded in number.

Items that reach the pipelines without passing the spider middlewares, as those of ``scrapy parse``
do, get the page of their URL while its callback runs.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary, WeakValueDictionary, ref

from itemadapter import ItemAdapter

from webclean_scrapy import stats
from webclean_scrapy.cleaning.kind.page_kind import LISTING
from webclean_scrapy.cleaning.page.raw_page import RawPage
from webclean_scrapy.crawl.article_items import ArticleItems
from webclean_scrapy.crawl.responses import header_charset

if TYPE_CHECKING:
    from scrapy.http import HtmlResponse
    from scrapy.statscollectors import StatsCollector

    from webclean_scrapy.dedup.fingerprint import Fingerprint

MAX_ITEMS = 2_000  # items in the pipelines at once; Scrapy allows 100 for each response


@dataclass(eq=False, kw_only=True)
class Page:
    """One page of the crawl, shared by its items, so that it is cleaned once."""

    url: str
    raw: RawPage | None  # None once its cleaning has begun
    sibling_url: str | None = None
    cleaned: dict[str, Any] | None = None  # see `cleaner_work.clean`
    response: ref[HtmlResponse] | None = None  # lives until the items of the page are through


class PageHandover:
    """Pages by the identity of the items that *articles* takes; the oldest is removed first."""

    def __init__(self, collector: StatsCollector, articles: ArticleItems | None = None) -> None:
        self._stats = collector
        self.articles = articles or ArticleItems()
        self._of_response: WeakKeyDictionary[HtmlResponse, Page] = WeakKeyDictionary()
        self._open: WeakValueDictionary[str, Page] = WeakValueDictionary()  # by URL
        self._entries: OrderedDict[int, tuple[object, Page]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._entries)

    def takes(self, item: object) -> bool:
        """True if *item* is an article: one as it came from the spider, or as it is now."""
        return id(item) in self._entries or self.articles.takes(item)

    def page_of(self, response: HtmlResponse) -> Page:
        """Return the page of *response*, one and the same as long as the response is kept.

        Items may find it by its URL from now on.
        """
        if response not in self._of_response:
            raw = RawPage(response.body, response.url, header_charset(response))
            page = Page(url=response.url, raw=raw, response=ref(response))
            self._of_response[response] = self._open[page.url] = page
        return self._of_response[response]

    def put_page(self, item: object, page: Page) -> None:
        self._entries[id(item)] = (item, page)
        if len(self._entries) > MAX_ITEMS:
            self._entries.popitem(last=False)
            self._stats.inc_value(stats.ATTACH_EVICTED)

    def find_page(self, item: object) -> Page | None:
        """Return the page of *item*, or of an item with its URL when a component has replaced it.

        In the second case the page is kept for *item* from now on.
        """
        if entry := self._entries.get(id(item)):
            return entry[1]
        url = _url_of(item) if self.articles.takes(item) else ""
        for key, (_, page) in reversed(self._entries.items()) if url else ():
            if page.url == url:
                del self._entries[key]
                self.put_page(item, page)
                return page
        if (opened := self._open.get(url)) is not None:
            self.put_page(item, opened)
        return opened

    def release_item(self, item: object) -> None:
        """Forget *item*: it was exported, dropped or failed."""
        self._entries.pop(id(item), None)


class ItemText(NamedTuple):
    """The fields of an item: its own, else those of the cleaned page."""

    text: str
    title: str
    marked: dict[str, float]  # lines and phrases of the text, and the weight of their words
    fingerprint: Fingerprint | None = None  # of all these, when a worker has made it
    is_list: bool = False  # the page lists others


def text_of(adapter: ItemAdapter, page: Page | None) -> ItemText:
    """Return what an item says."""
    cleaned = (page.cleaned if page else None) or {}
    text = adapter.get("articleBody") or cleaned.get("text")
    title = adapter.get("headline") or cleaned.get("title")
    is_cleaned = text == cleaned.get("text")
    is_all_cleaned = is_cleaned and title == cleaned.get("title")
    return ItemText(
        str(text or ""),
        str(title or ""),
        (cleaned.get("marked_texts") or {}) if is_cleaned else {},
        cleaned.get("fingerprint") if is_all_cleaned else None,
        is_cleaned and cleaned.get("kind") == LISTING,
    )


def _url_of(item: object) -> str:
    if not ItemAdapter.is_item(item):
        return ""
    url = ItemAdapter(item).get("url")
    return url if isinstance(url, str) else ""
