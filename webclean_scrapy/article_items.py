"""Decide which items of a crawl are articles, and report why others are left alone."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any, Protocol

from itemadapter import ItemAdapter
from scrapy.utils.misc import load_object

from webclean_scrapy.errors import ConfigError
from webclean_scrapy.item_names import is_empty, places_of, text_value
from webclean_scrapy.items import MARKDOWN
from webclean_scrapy.safe_text import shown_value
from webclean_scrapy.settings.setting import as_classes

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from scrapy import Spider

    from webclean_scrapy.item_names import Places

SPIDER_ATTRIBUTE = "webclean_items"
#: Why an item is left alone.
BY_SPIDER = "the spider wants it so"
OTHER_PAGE = "their address is that of another page than the one they were made of"
OTHER_TITLE = "they have no address, and another title than the page that they were made of"
GOODS = "a field such as {} is one of goods or jobs"
NO_TEXT = "what they bring for the text is a whole page, or no text"
NO_TITLE = "their text has no title and address of its page beside it"
NO_HTML = "what they were made of is no HTML page"
ERROR_PAGE = "what they were made of is the page of an error"
NO_PLACE = "they have no place for the text of an article"
REFUSED = "their class rejects a text: it cannot be changed, or names another type"
NO_BODY = "their pages have no text, or none before their scripts have run"

_is_page = re.compile("<!doctype|<html|<head|<body").search
_HEAD = 1_000  # characters, in which a page says that it is one
_OWN_TEXT = 500  # characters; the teasers of feeds have fewer


class PageAddresses(Protocol):
    """The page that an item was made of."""

    def has_address(self, url: str) -> bool: ...

    def has_title(self, title: str) -> bool: ...


class CrawlArticles:
    """Tells exporters which items of a crawl are articles, and their fields.

    An extension, which they find by this class.
    """

    fields: Collection[str]

    def takes(self, item: object) -> bool:
        """True if *item* is an article, in its original or present form."""
        raise NotImplementedError


class ArticleItems:
    """Decides which items are articles, to be filled and compared.

    The pages of a shop would nearly all be dropped as near-duplicates. docs/item.md has the rules;
    the first that applies decides.
    """

    def __init__(
        self,
        classes: tuple[type | str, ...] = (),
        spider: Spider | None = None,
        names: tuple[tuple[str, str | None], ...] = (),
    ) -> None:
        """*classes*, *names*: values of settings. Raises ConfigError for a missing class."""
        wanted = getattr(spider, SPIDER_ATTRIBUTE, None)
        self._all = wanted if isinstance(wanted, bool) else None
        self.are_all = self._all is True
        self._names = names
        self._classes = tuple(_load_class(one, "WEBCLEAN_ITEMS") for one in classes)
        if wanted is not None and self._all is None:
            name = f"{SPIDER_ATTRIBUTE} of the spider"
            given = as_classes(wanted)
            if given is None:
                raise ConfigError(f"{name} must be True, False or a list of classes")
            self._classes += tuple(_load_class(one, name) for one in given)

    def takes(self, item: object) -> bool:
        """True if *item* is to be filled and compared, judged without its page."""
        return not self.why_not(item)

    def why_not(self, item: object, page: PageAddresses | None = None) -> str:
        """Return why *item*, made of *page*, is left alone; "" if it is an article."""
        if self._all is False:
            return BY_SPIDER
        if not ItemAdapter.is_item(item):
            return "" if self._all else NO_PLACE
        adapter, places = ItemAdapter(item), self.places(item)
        address = item_address(adapter, places)
        if page is not None and address and not page.has_address(address):
            return OTHER_PAGE
        is_stated = bool(address) or (
            page is not None and any(map(page.has_address, _addresses(item)))
        )
        title = "" if is_stated else places.text(adapter, "headline")
        # It was begun on another page, or is an entry of a list: this text is not its own.
        is_other = bool(title) and page is not None and not page.has_title(title)
        if self._all:
            return OTHER_PAGE if is_other and any(_addresses(item, places.known)) else ""
        if self.are_asked(item):
            return OTHER_TITLE if is_other else ""
        if places.goods:
            return GOODS.format(places.goods)
        body = places.value(adapter, "articleBody")
        if body is None:
            if isinstance(item, dict) and address and not places.others:
                return NO_PLACE if _brings_text(item, places) else ""
            if not _has_place(adapter, places):
                return NO_PLACE
            if not (is_stated or {"url", "headline"} & places.names.keys()):
                return NO_TITLE
            return OTHER_TITLE if is_other else ""
        text = text_value(body)
        if text is None or _is_page(text[:_HEAD].lower()):
            return NO_TEXT
        return "" if is_stated and "headline" in places.names else NO_TITLE

    def are_asked(self, item: object) -> bool:
        """True if the spider, a setting or a field of ours declares *item* an article."""
        return self.are_all or isinstance(item, self._classes) or self.places(item).is_named

    def places(self, item: object) -> Places:
        """Return the names in *item* for the fields of an article."""
        if not ItemAdapter.is_item(item):
            return places_of(())
        names = ItemAdapter.get_field_names_from_class(type(item))
        return places_of(tuple(ItemAdapter(item) if names is None else names), self._names)


def _load_class(path: type | str, name: str) -> type:
    """Import the class at *path*, a builtin without a dot. Raises ConfigError naming *name*."""
    try:
        found = load_object(path if isinstance(path, type) or "." in path else f"builtins.{path}")
    except Exception as error:
        why = shown_value(error, str)
        raise ConfigError(f"{name}: cannot import {shown_value(path)}: {why}") from error
    if not isinstance(found, type):
        raise ConfigError(f"{name}: {shown_value(path)} is not a class")
    return found


class LeftItems:
    """Counts the items left alone, for one warning if all of them are."""

    def __init__(self) -> None:
        self.has_due = False  # an item was to be filled
        self.was_filled = False  # any item
        self._counts: Counter[type] = Counter()
        self._first: dict[type, tuple[str, str]] = {}  # why, and what would fill them

    def add(self, item: object, why: str, places: Places) -> bool:
        """Count *item*; True if it is the first of its class."""
        kind = type(item)
        self._counts[kind] += 1
        if kind in self._first:
            return False
        self._first[kind] = why, _remedy(item, why, places)
        return True

    def line(self) -> str:
        """Return the warning for the end of the crawl, or ""."""
        if self.was_filled or not self._counts:
            return ""
        kind, _ = self._counts.most_common(1)[0]
        why, remedy = self._first[kind]
        if why == BY_SPIDER:
            return ""
        return (
            f"No item of this crawl got an article (items: {self._counts.total():,}, most of them "
            f"{kind.__name__}): {why}. To fill them: {remedy}. To leave them without this line: "
            "webclean_items = False in the spider"
        )


def _remedy(item: object, why: str, places: Places) -> str:
    if why == OTHER_PAGE:
        return (
            "make them in the callback of that page, or of what the callback downloads from there"
        )
    if why == OTHER_TITLE:
        return "make them in the callback of that page, or webclean_items = True in the spider"
    if why == NO_HTML:
        return "make them of HTML pages"
    if why == NO_BODY:
        return 'WEBCLEAN_RENDER = "all" in the settings'
    kind = type(item)
    path = "dict" if isinstance(item, dict) else f"{kind.__module__}.{kind.__qualname__}"
    text = next(iter(places.names.get("articleBody", ())), "")
    if why == REFUSED:
        return f"let {path} have a field {text}: str that can be set"
    if why == NO_TEXT:
        more = 'WEBCLEAN_ITEMS = ["dict"]' if path == "dict" else f"a field articleBody in {path}"
        return f'WEBCLEAN_NAMES = {{"{text}": None}} in the settings, and {more}'
    if why != NO_PLACE or not ItemAdapter.is_item(item):
        return f'WEBCLEAN_ITEMS = ["{path}"] in the settings'
    free = [name for name, value in _values(item) if name not in places.known and is_empty(value)]
    if free:
        return f'WEBCLEAN_NAMES = {{"{free[0]}": "articleBody"}} in the settings'
    return f"a field articleBody in {path}"


def _values(item: object) -> Iterator[tuple[str, Any]]:
    adapter = ItemAdapter(item)
    return ((name, adapter.get(name)) for name in adapter.field_names())


def _has_place(adapter: ItemAdapter, places: Places) -> bool:
    """True if the item has a field for the text, or an empty one for its HTML or Markdown."""
    return "articleBody" in places.names or any(
        name in places.names and places.value(adapter, name) is None
        for name in ("articleBodyHtml", MARKDOWN)
    )


def _brings_text(item: object, places: Places) -> bool:
    """True if the item has a long text that is no field's: of a job, a comment, a review."""
    known = {name for own in places.names.keys() - {"description"} for name in places.names[own]}
    texts = (text_value(value) or "" for name, value in _values(item) if name not in known)
    return any(len(text) >= _OWN_TEXT and text.lstrip()[:1] not in "<{[" for text in texts)


def _addresses(item: object, known: Collection[str] = ()) -> Iterator[str]:
    """Yield the addresses in fields with other names than *known*: ``source_url``, ``page``."""
    texts = (value for name, value in _values(item) if name not in known)
    return (one.strip() for one in texts if isinstance(one, str) and one.startswith("http"))


def item_address(adapter: ItemAdapter, places: Places) -> str:
    """Return the URL of an item, or ""."""
    value = places.value(adapter, "url")
    if isinstance(value, list | tuple) and len(value) == 1:  # as an ItemLoader leaves it
        value = value[0]
    is_url = value is not None and not isinstance(value, bytes | dict | list | tuple)
    return str(value).strip() if is_url else ""
