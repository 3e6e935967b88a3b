"""Decides which items are articles: these are filled and compared, all others are left alone.

A spider of a shop may run in the same project. Its ``{"name", "price"}`` has no use for a body, and
its pages differ so little that nearly all of them would be dropped as near-duplicates.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from itemadapter import ItemAdapter
from scrapy.utils.misc import load_object

from webclean_scrapy.errors import ConfigError
from webclean_scrapy.items import ARTICLE_FIELDS, BODY_FIELDS
from webclean_scrapy.settings.setting import as_classes, shown_value

if TYPE_CHECKING:
    from scrapy import Spider

SPIDER_ATTRIBUTE = "webclean_items"


class ArticleItems:
    """Decides which items are articles, by the first of these rules that applies.

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
    """Return the class that *path* names, one of the builtins without a dot.

    Raises:
        ConfigError: *name*, and why it cannot be imported or is no class.
    """
    try:
        found = load_object(path if isinstance(path, type) or "." in path else f"builtins.{path}")
    except Exception as error:
        why = shown_value(error, str)
        raise ConfigError(f"{name}: cannot import {shown_value(path)}: {why}") from error
    if not isinstance(found, type):
        raise ConfigError(f"{name}: {shown_value(path)} is not a class")
    return found
