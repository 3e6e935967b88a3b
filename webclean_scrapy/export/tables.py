"""Write articles as CSV, XML and Parquet.

The add-on sets those for formats that Scrapy has none for; the ready-made crawls set all of them,
in ``FEED_EXPORTERS``.

CSV has all columns from the first line on, nested values as JSON, and no cell that a spreadsheet
takes for a formula: text of a page that begins with "=" would be computed where the file is opened,
and may fetch an address or run a program (CSV injection). As OWASP advises, such a cell gets an
apostrophe in front; a number stays as it is. In Parquet (extra ``parquet``), which DuckDB, pandas
and Spark read, a column is text, ``keywords`` is a list of texts, and what is nested is JSON as
text, since records of pages differ.
"""

from __future__ import annotations

import json
import re
import shutil
import unicodedata
from collections.abc import Mapping
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Any

from itemadapter import ItemAdapter
from scrapy.exporters import BaseItemExporter, CsvItemExporter, XmlItemExporter
from scrapy.utils.serialize import ScrapyJSONEncoder

from webclean_scrapy.article_items import CrawlArticles
from webclean_scrapy.cleaning.page.units import NOT_XML
from webclean_scrapy.export.parquet import GROUP
from webclean_scrapy.items import ARTICLE_FIELDS

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from scrapy.crawler import Crawler
    from typing_extensions import Self

#: Formats that Scrapy has no exporter for, and ours for two that it has.
NEW_EXPORTERS = {
    "chunks": "webclean_scrapy.export.documents.ChunkExporter",
    "documents": "webclean_scrapy.export.documents.DocumentExporter",
    "parquet": "webclean_scrapy.export.tables.ArticleParquetExporter",
}
OWN_EXPORTERS = {
    "csv": "webclean_scrapy.export.tables.ArticleCsvExporter",
    "xml": "webclean_scrapy.export.tables.ArticleXmlExporter",
}
_LISTS = frozenset({"keywords"})
_BEGINS = frozenset("=+-@\uff1d\uff0b\uff0d\uff20")  # of a formula, full-width signs too
_SPLITS = ("\t", "\r", "\n")  # a cell that begins so may be split, so it never stays as it is
_UNSEEN = frozenset("CMZ")  # what may stand before it: controls, formats, marks, separators
_is_number = re.compile(r"[+-]?[0-9][0-9.,]*(?:[eE][+-]?[0-9]+)?%?").fullmatch


def text_cell(text: str) -> str:
    """Return *text* escaped against CSV injection: spreadsheets show it as text.

    >>> [text_cell(text) for text in ("=1+1", "-5", " - a line", "plain")]
    ["'=1+1", '-5', "' - a line", 'plain']
    """
    first = next((one for one in text if unicodedata.category(one)[0] not in _UNSEEN), "")
    is_formula = first in _BEGINS and not _is_number(text.strip(" "))
    return f"'{text}" if is_formula or text.startswith(_SPLITS) else text


class ArticleCsvExporter(CsvItemExporter):
    """Scrapy's CSV exporter with a column for every article field and JSON for nested values.

    Here the first line has every field that articles are filled with, also when the first page
    could not be cleaned. A list of strings is joined by commas, as Scrapy does. Cells that a
    spreadsheet would compute are escaped. Other items than articles are written as Scrapy does.
    """

    articles: CrawlArticles | None = None  # without the add-on
    _is_article = False

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        exporter = cls(*args, **kwargs)
        exporter.articles = crawler.get_extension(CrawlArticles)
        return exporter

    def export_item(self, item: Any) -> None:
        """Write *item*; before the first one, the column names."""
        self._is_article = self.articles is not None and self.articles.takes(item)
        if self.articles is not None and self._is_article and isinstance(item, dict):
            missing = (name for name in self.articles.fields if name not in item)
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


class ArticleXmlExporter(XmlItemExporter):
    """Scrapy's exporter without the word None and without characters invalid in XML."""

    def serialize_field(self, field: Any, name: str, value: Any) -> Any:
        return _as_xml(super().serialize_field(field, name, value))


def _as_xml(value: Any) -> Any:
    if ItemAdapter.is_item(value):  # a dict, or an object such as an Author
        return {name: _as_xml(one) for name, one in ItemAdapter(value).items()}
    if isinstance(value, list | tuple):
        return [_as_xml(one) for one in value]
    return "" if value is None else NOT_XML.sub("", value) if isinstance(value, str) else value


class ArticleParquetExporter(BaseItemExporter):
    """A feed in Parquet, with the columns of its first item and of all articles."""

    def __init__(self, file: IO[bytes], **kwargs: Any) -> None:
        super().__init__(dont_fail=True, **kwargs)
        self._file = file
        self._writer: Any = None
        self._rows: list[dict[str, Any]] = []

    def export_item(self, item: Any) -> None:
        """Add *item*; it is readable after `finish_exporting`."""
        adapter, chosen = ItemAdapter(item), self.fields_to_export
        fields = list(adapter.field_names()) if chosen is None else chosen
        columns = dict(fields) if isinstance(fields, Mapping) else {one: one for one in fields}
        if self._writer is None:
            names = dict.fromkeys(columns.values())
            if chosen is None and isinstance(item, dict) and names.keys() <= set(ARTICLE_FIELDS):
                names |= dict.fromkeys(ARTICLE_FIELDS)  # the first page may be one without
            self._begin(names)
        row = {}
        for name, column in columns.items():
            if name in adapter:
                meta = adapter.get_field_meta(name)
                row[column] = _cell(column, self.serialize_field(meta, column, adapter[name]))
        self._rows.append(row)
        if len(self._rows) >= GROUP:
            self._write_group()

    def finish_exporting(self) -> None:
        """Write the remaining rows and the end of the file."""
        if self._writer is None:
            self._begin(ARTICLE_FIELDS)
        self._write_group()
        self._writer.close()

    def _begin(self, names: Iterable[str]) -> None:
        import pyarrow as pa
        from pyarrow import parquet

        types = [(name, pa.list_(pa.string()) if name in _LISTS else pa.string()) for name in names]
        self._table, self._schema = pa.Table, pa.schema(types)
        self._writer = parquet.ParquetWriter(self._file, self._schema, compression="zstd")

    def _write_group(self) -> None:
        rows, self._rows = self._rows, []
        if rows:
            self._writer.write_table(self._table.from_pylist(rows, schema=self._schema))


def lines_to_table(path: Path) -> None:
    """Convert a file of JSON lines with equal names to Parquet."""
    with path.open("rb") as lines, TemporaryFile() as made:
        exporter = None
        for line in lines:
            row = json.loads(line)
            exporter = exporter or ArticleParquetExporter(made, fields_to_export=list(row))
            exporter.export_item(row)
        if exporter is not None:
            exporter.finish_exporting()
        made.seek(0)
        with path.open("wb") as file:
            shutil.copyfileobj(made, file)


def _cell(name: str, value: Any) -> Any:
    """Return *value* in the type of its column.

    >>> _cell("authors", [{"name": "Ada Vos"}]), _cell("keywords", ["ice"]), _cell("n", 3)
    ('[{"name": "Ada Vos"}]', ['ice'], '3')
    """
    if value is None:
        return None
    if name in _LISTS:
        many = value if isinstance(value, list | tuple) else [value]
        return [_cell("", one) for one in many]
    if not isinstance(value, str):
        value = json.dumps(value, cls=ScrapyJSONEncoder, ensure_ascii=False)
    return value.encode(errors="replace").decode()  # half characters are no UTF-8
