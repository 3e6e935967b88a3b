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
from scrapy.utils.misc import load_object

from webclean_scrapy import stats
from webclean_scrapy.cleaning.kind.page_kind import LISTING
from webclean_scrapy.crawl.responses import raw_page
from webclean_scrapy.errors import ConfigError
from webclean_scrapy.items import ARTICLE_FIELDS, BODY_FIELDS
from webclean_scrapy.settings.setting import as_classes, shown_value

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.http import HtmlResponse
    from scrapy.statscollectors import StatsCollector

    from webclean_scrapy.cleaning.page.raw_page import RawPage
    from webclean_scrapy.dedup.fingerprint import Fingerprint

SPIDER_ATTRIBUTE = "webclean_items"
MAX_ITEMS = 2_000  # items in the pipelines at once; Scrapy allows 100 for each response


class ArticleItems:
    """Decides which items are articles: these are filled and compared, others are left alone.

    A spider of a shop may run in the same project. Its ``{"name", "price"}`` has no use for a body,
    and its pages differ so little that nearly all would be dropped as near-duplicates. The first of
    these rules that applies decides.

    1. ``webclean_items`` of the spider: True takes all of its items, False none, a list of classes
       is added to those of the settings.
    2. The classes of ``WEBCLEAN_ITEMS``, and those derived from them.
    3. A class with fixed fields is taken when it has one of `BODY_FIELDS`.
    4. A dict is taken when it has one of these keys, or no key that is not a field of an article.
    """

    def __init__(self, classes: tuple[type | str, ...] = (), spider: Spider | None = None) -> None:
        """*classes*: of the settings. Raises ConfigError for one that cannot be imported."""
        wanted = getattr(spider, SPIDER_ATTRIBUTE, None)
        self._all = wanted if isinstance(wanted, bool) else None
        self.are_all = self._all is True
        self._classes = tuple(_load_class(one, "WEBCLEAN_ITEMS") for one in classes)
        if wanted is not None and self._all is None:
            name = f"{SPIDER_ATTRIBUTE} of the spider"
            given = as_classes(wanted)
            if given is None:
                raise ConfigError(f"{name} must be True, False or a list of classes")
            self._classes += tuple(_load_class(one, name) for one in given)

    def takes(self, item: object) -> bool:
        """True if *item* is to be filled and compared."""
        if self._all is not None:
            return self._all
        if isinstance(item, self._classes):
            return True
        if not ItemAdapter.is_item(item):
            return False
        names = ItemAdapter.get_field_names_from_class(type(item))
        if names is None:
            names = list(ItemAdapter(item))
            if names and set(names).issubset(ARTICLE_FIELDS):
                return True
        return not BODY_FIELDS.isdisjoint(names)


def _load_class(path: type | str, name: str) -> type:
    """Return the class that *path* names, a builtin without a dot. Raises ConfigError of *name*."""
    try:
        found = load_object(path if isinstance(path, type) or "." in path else f"builtins.{path}")
    except Exception as error:
        why = shown_value(error, str)
        raise ConfigError(f"{name}: cannot import {shown_value(path)}: {why}") from error
    if not isinstance(found, type):
        raise ConfigError(f"{name}: {shown_value(path)} is not a class")
    return found


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
            page = Page(url=response.url, raw=raw_page(response), response=ref(response))
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
        url = url_of(item) if self.articles.takes(item) else ""
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


def url_of(item: object) -> str:
    """Return the URL that *item* names, "" without one."""
    if not ItemAdapter.is_item(item):
        return ""
    url = ItemAdapter(item).get("url")
    return url if isinstance(url, str) else ""
