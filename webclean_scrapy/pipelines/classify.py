"""Add to items the class of their text, by a trained model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from itemadapter import ItemAdapter
from scrapy.exceptions import DropItem, NotConfigured

from webclean_scrapy import stats
from webclean_scrapy.crawl.service import Component
from webclean_scrapy.crawl.settings_files import load_class_model
from webclean_scrapy.items import update_record

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class OtherClass(DropItem):
    """The item is of another class than the settings ask for."""


class ClassifyPipeline(Component):
    """Adds ``class`` and ``class_scores`` to the ``webclean`` record of items.

    The text is the item's own, else the body that was cleaned for it; an item without
    text, or without a term of the model, gets no class, and is never dropped for it. Active with
    ``WEBCLEAN_CLASS_MODEL``.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        model = load_class_model(self._config)
        if model is None:
            raise NotConfigured
        self._model = model
        self._kept = frozenset(self._config.classes)

    def process_item(self, item: Any) -> Any:
        """Return *item* with its class.

        Raises:
            OtherClass: its class is none of ``WEBCLEAN_CLASSES``.
        """
        if not self._pages.takes(item):
            return item
        adapter = ItemAdapter(item)
        text, title, *_ = self._pages.text_of(item, self._pages.find_page(item))
        if not text:
            self._stats.inc_value(f"{stats.CLASS_SKIPPED}/no_text")
            return item
        found = self._model.predict(text, title=title)
        if found is None:
            self._stats.inc_value(f"{stats.CLASS_SKIPPED}/no_terms")
            return item
        scores = {name: round(score, 3) for name, score in found.scores.items()}
        update_record(adapter, **{"class": found.name, "class_scores": scores})
        self._stats.inc_value(f"{stats.CLASS_ITEMS}/{found.name}")
        if self._kept and found.name not in self._kept:
            self._stats.inc_value(f"{stats.CLASS_DROPPED}/{found.name}")
            raise OtherClass(f"{adapter.get('url')} is of the class {found.name}", "DEBUG")
        return item
