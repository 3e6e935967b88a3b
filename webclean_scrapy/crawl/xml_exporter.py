"""Writes articles as XML; the ready-made crawls set it in ``FEED_EXPORTERS``."""

from __future__ import annotations

from typing import Any

from itemadapter import ItemAdapter
from scrapy.exporters import XmlItemExporter

from webclean_scrapy.cleaning.page.units import NOT_XML


class ArticleXmlExporter(XmlItemExporter):
    """Scrapy's exporter; alone it writes the word None, and characters that no XML may have."""

    def serialize_field(self, field: Any, name: str, value: Any) -> Any:
        return _as_xml(super().serialize_field(field, name, value))


def _as_xml(value: Any) -> Any:
    if ItemAdapter.is_item(value):  # a dict, or an object such as an Author
        return {name: _as_xml(one) for name, one in ItemAdapter(value).items()}
    if isinstance(value, list | tuple):
        return [_as_xml(one) for one in value]
    return "" if value is None else NOT_XML.sub("", value) if isinstance(value, str) else value
