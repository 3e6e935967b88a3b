"""Writes articles as CSV: all columns from the first line on, nested values as JSON.

No cell is one that a spreadsheet takes for a formula. Text of a page that begins with "=" would be
computed where the file is opened: it may fetch an address, or run a program (CSV injection). As
OWASP advises, such a cell gets an apostrophe in front. A number stays as it is.

The add-on does not set it; the ready-made crawls do, in ``FEED_EXPORTERS``.
"""

from __future__ import annotations

import json
import re
import unicodedata
from typing import TYPE_CHECKING, Any

from scrapy.exporters import CsvItemExporter
from scrapy.utils.serialize import ScrapyJSONEncoder

from webclean_scrapy.crawl.service import WebcleanService

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy.crawler import Crawler
    from typing_extensions import Self

_BEGINS = frozenset("=+-@\uff1d\uff0b\uff0d\uff20")  # of a formula, full-width signs too
_SPLITS = ("\t", "\r", "\n")  # a cell that begins so may be split, so it never stays as it is
_UNSEEN = frozenset("CMZ")  # what may stand before it: controls, formats, marks, separators
_is_number = re.compile(r"[+-]?[0-9][0-9.,]*(?:[eE][+-]?[0-9]+)?%?").fullmatch


def text_cell(text: str) -> str:
    """Return *text* so that it is shown and not computed.

    >>> [text_cell(text) for text in ("=1+1", "-5", " - a line", "plain")]
    ["'=1+1", '-5', "' - a line", 'plain']
    """
    first = next((one for one in text if unicodedata.category(one)[0] not in _UNSEEN), "")
    is_formula = first in _BEGINS and not _is_number(text.strip(" "))
    return f"'{text}" if is_formula or text.startswith(_SPLITS) else text


class ArticleCsvExporter(CsvItemExporter):
    """Scrapy's exporter, which takes the columns from the first item and writes ``str(dict)``.

    Here the first line has every field that articles are filled with, also when the first page
    could not be cleaned. A list of strings is joined by commas, as Scrapy does. Cells that a
    spreadsheet would compute are escaped. Other items than articles are written as Scrapy does.
    """

    service: WebcleanService | None = None  # without the add-on
    _is_article = False

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        exporter = cls(*args, **kwargs)
        exporter.service = crawler.get_extension(WebcleanService)
        return exporter

    def export_item(self, item: Any) -> None:
        """Write *item*, and before the first one the names of the columns."""
        self._is_article = self.service is not None and self.service.pages.articles.takes(item)
        if self.service is not None and self._is_article and isinstance(item, dict):
            missing = (name for name in self.service.config.article_fields if name not in item)
            item = {**item, **dict.fromkeys(missing)}
        super().export_item(item)

    def serialize_field(self, field: Mapping[str, Any], name: str, value: Any) -> Any:
        if self._is_article and "serializer" not in field and _is_nested(value):
            return json.dumps(value, cls=ScrapyJSONEncoder, ensure_ascii=False)
        cell = super().serialize_field(field, name, value)
        return text_cell(cell) if self._is_article and isinstance(cell, str) else cell


def _is_nested(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return any(not isinstance(one, str) for one in value)
    return value is not None and not isinstance(value, str | int | float)
