"""Pass pages from the spider middleware to the pipelines, which get no response.

An item cannot carry its page: kinds with fixed fields have no room for it, and exporters would
write it out. So pages are kept here under the identity (``id``) of their item, which is kept too,
so that no other object can get it, until the item is exported, dropped or failed.

Items that reach the pipelines without passing the spider middlewares, as those of ``scrapy parse``
do, get the page of their URL while its callback runs.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary, WeakValueDictionary, ref

from itemadapter import ItemAdapter

from webclean_scrapy import stats
from webclean_scrapy.article_items import (
    NO_BODY,
    NO_PLACE,
    REFUSED,
    ArticleItems,
    LeftItems,
    item_address,
)
from webclean_scrapy.cleaning.kind.page_kind import LISTING
from webclean_scrapy.crawl.responses import (
    named_addresses,
    named_titles,
    raw_page,
    readable,
    title_words,
)
from webclean_scrapy.item_names import BODY_FIELDS
from webclean_scrapy.items import ARTICLE_FIELDS, MARKDOWN, RECORD, record_of
from webclean_scrapy.web_addresses import join, page_key

if TYPE_CHECKING:
    from collections.abc import Collection

    from scrapy.http import TextResponse
    from scrapy.statscollectors import StatsCollector

    from webclean_scrapy.cleaning.page.raw_page import RawPage
    from webclean_scrapy.dedup.fingerprint import Fingerprint

MAX_ITEMS = 2_000  # items in the pipelines at once; Scrapy allows 100 for each response


@dataclass(eq=False, kw_only=True)
class Page:
    """A page of the crawl, shared by its items and cleaned once."""

    url: str
    raw: RawPage | None  # None once its cleaning has begun
    sibling_url: str | None = None
    cleaned: dict[str, Any] | None = None  # see `workers.tasks.clean`
    response: ref[TextResponse] | None = None  # lives until the items of the page are through

    def has_address(self, url: str) -> bool:
        """True if *url* is requested, final or canonical URL of the page."""
        if url == self.url:
            return True
        key = page_key(join(self.url, url))
        own = self._addresses
        # Who takes the query off an address means the same page.
        return key in own or (not key[2] and key[:2] in {one[:2] for one in own})

    def has_title(self, title: str) -> bool:
        """True if the titles of the page hold half of the words of *title*, or it has none."""
        words = frozenset(title_words(title))
        return not self._title_words or 2 * len(words & self._title_words) >= len(words)

    @cached_property
    def _title_words(self) -> frozenset[str]:
        response = self.response() if self.response else None
        titles = named_titles(readable(response).text) if response is not None else ()
        return frozenset(word for title in titles for word in title_words(title))

    @cached_property
    def _addresses(self) -> frozenset[tuple[str, str, str]]:
        response = self.response() if self.response else None
        if response is None:
            return frozenset({page_key(self.url)})
        urls = [self.url]
        if response.request is not None:
            urls += [response.request.url, *response.request.meta.get("redirect_urls", ())]
        urls += [join(self.url, said) for said in named_addresses(response.body)]
        return frozenset(map(page_key, urls)) - {page_key("")}


class ItemPages:
    """Pages by the identity of their article items; the oldest are removed first."""

    def __init__(
        self,
        collector: StatsCollector,
        articles: ArticleItems | None = None,
        names: Collection[str] = ARTICLE_FIELDS,
    ) -> None:
        """*names*: the article fields to fill items with."""
        self._stats = collector
        self.asks_for_body = not set(BODY_FIELDS).isdisjoint(names)
        self.articles = articles or ArticleItems()
        self._of_response: WeakKeyDictionary[TextResponse, Page] = WeakKeyDictionary()
        self._open: WeakValueDictionary[str, Page] = WeakValueDictionary()  # by URL
        self._entries: OrderedDict[int, tuple[object, Page | None]] = OrderedDict()
        self.left = LeftItems()

    def __len__(self) -> int:
        return len(self._entries)

    def takes(self, item: object) -> bool:
        """True if *item* is an article, in its original or present form."""
        entry = self._entries.get(id(item))
        return entry[1] is not None if entry else self.articles.takes(item)

    def page_of(self, response: TextResponse) -> Page:
        """Return the page of *response*, the same object while the response exists.

        Items may find it by its URL from now on.
        """
        if response not in self._of_response:
            page = Page(url=response.url, raw=raw_page(response), response=ref(response))
            self._of_response[response] = self._open[page.url] = page
        return self._of_response[response]

    def leave(self, item: object, why: str) -> bool:
        """Leave *item* alone; True for the first of its class."""
        if self.articles.takes(item):  # the page that it names may be on its way
            self.put_page(item, None)
        return self.left.add(item, why, self.articles.places(item))

    def put_page(self, item: object, page: Page | None) -> None:
        """Store *page* for *item*; None: the item has no page."""
        self._entries[id(item)] = (item, page)
        self.left.has_due |= page is not None
        if len(self._entries) > MAX_ITEMS:
            self._entries.popitem(last=False)
            self._stats.inc_value(stats.ATTACH_EVICTED)

    def find_page(self, item: object) -> Page | None:
        """Return the page of *item*, by identity, or by URL if a component replaced it.

        In the second case the page is kept for *item* from now on.
        """
        if entry := self._entries.get(id(item)):
            return entry[1]
        url = self.url_of(item) if self.articles.takes(item) else ""
        for key, (_, page) in reversed(self._entries.items()) if url else ():
            if page is not None and page.url == url:
                del self._entries[key]
                self.put_page(item, page)
                return page
        if (opened := self._open.get(url)) is not None:
            self.put_page(item, opened)
        return opened

    def url_of(self, item: object) -> str:
        """Return the URL of *item*, or ""."""
        if not ItemAdapter.is_item(item):
            return ""
        return item_address(ItemAdapter(item), self.articles.places(item))

    def text_of(self, item: object, page: Page | None) -> ItemText:
        """Return the text fields of an item.

        Without a text of its own it says what its page does, if it holds anything of that: what
        found no place in it is not the item's.
        """
        adapter, places = ItemAdapter(item), self.articles.places(item)
        cleaned = (page.cleaned if page else None) or {}
        title = places.text(adapter, "headline") or cleaned.get("title")
        text = places.text(adapter, "articleBody")
        if not text and self.is_filled(item):
            text = cleaned.get("text") or ""
        is_cleaned = text == cleaned.get("text")
        return ItemText(
            text,
            str(title or ""),
            (cleaned.get("marked_texts") or {}) if is_cleaned else {},
            cleaned.get("fingerprint") if is_cleaned else None,
            is_cleaned and cleaned.get("kind") == LISTING,
            not is_cleaned or bool(cleaned.get("is_article", True)),
        )

    def record_of(self, item: object) -> dict[str, Any]:
        """Return the record of *item*; that of its page if its class has no field for one."""
        record = ItemAdapter(item).get(RECORD)
        if not isinstance(record, dict):
            page = self.find_page(item)
            record = record_of(page.cleaned, page.sibling_url) if page and page.cleaned else {}
        return record

    def is_filled(self, item: object) -> bool:
        """True if *item* holds the body of its page, or a place for it that was not requested."""
        adapter, places = ItemAdapter(item), self.articles.places(item)
        if not self.asks_for_body:
            return places.has_body or isinstance(item, dict)
        return any(places.value(adapter, name) is not None for name in (*BODY_FIELDS, MARKDOWN))

    def note_filling(self, item: object, *, has_text: bool) -> None:
        """Record whether the filled *item* holds the article; *has_text*: its page has one."""
        places = self.articles.places(item)
        if has_text and self.is_filled(item):
            self.left.was_filled = True
        elif has_text:
            self.left.add(item, REFUSED if "articleBody" in places.names else NO_PLACE, places)
        else:
            self.left.add(item, NO_BODY, places)

    def release_item(self, item: object) -> None:
        """Forget *item* after it was exported, dropped or failed."""
        self._entries.pop(id(item), None)


class ItemText(NamedTuple):
    """The fields of an item: its own, else the cleaned page's."""

    text: str
    title: str
    marked: dict[str, float]  # lines and phrases of the text, and the weight of their words
    fingerprint: Fingerprint | None = None  # of the text and the page's title, by a worker
    is_list: bool = False  # the page lists others
    is_article: bool = True  # the page is one, or was not looked at
