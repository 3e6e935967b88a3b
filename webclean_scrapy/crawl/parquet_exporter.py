"""Writes articles as Parquet, which DuckDB, pandas and Spark read (extra ``parquet``).

A column is text; ``keywords`` is a list of texts; what is nested is JSON as text, since records of
pages differ. The add-on does not set it; the ready-made crawls do, in ``FEED_EXPORTERS``.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from importlib.util import find_spec
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Any

from itemadapter import ItemAdapter
from scrapy.exporters import BaseItemExporter
from scrapy.utils.serialize import ScrapyJSONEncoder

from webclean_scrapy.errors import missing_library
from webclean_scrapy.items import ARTICLE_FIELDS

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from scrapy.settings import BaseSettings

PARQUET = "parquet"  # the format of a feed
GROUP = 1_000  # rows that are held in memory, and that readers read at once
_LISTS = frozenset({"keywords"})


class ParquetTable:
    """Writes rows with the columns *names* into *file*, which is readable once it is closed."""

    def __init__(self, file: IO[bytes], names: Iterable[str]) -> None:
        import pyarrow as pa
        from pyarrow import parquet

        types = [(name, pa.list_(pa.string()) if name in _LISTS else pa.string()) for name in names]
        self._table, self._schema = pa.Table, pa.schema(types)
        self._writer = parquet.ParquetWriter(file, self._schema, compression="zstd")
        self._rows: list[dict[str, Any]] = []

    def write(self, row: Mapping[str, Any]) -> None:
        """Add a row; what it has no column for is left out."""
        self._rows.append({name: _cell(name, value) for name, value in row.items()})
        if len(self._rows) >= GROUP:
            self._write_group()

    def close(self) -> None:
        """Write what is left and the end of the file."""
        self._write_group()
        self._writer.close()

    def _write_group(self) -> None:
        rows, self._rows = self._rows, []
        if rows:
            self._writer.write_table(self._table.from_pylist(rows, schema=self._schema))


class ArticleParquetExporter(BaseItemExporter):
    """A feed in Parquet, with the columns of its first item and those of all articles."""

    def __init__(self, file: IO[bytes], **kwargs: Any) -> None:
        super().__init__(dont_fail=True, **kwargs)
        self._file = file
        self._table: ParquetTable | None = None

    def export_item(self, item: Any) -> None:
        """Add *item*; it is in the file after `finish_exporting`."""
        adapter, chosen = ItemAdapter(item), self.fields_to_export
        fields = list(adapter.field_names()) if chosen is None else chosen
        columns = dict(fields) if isinstance(fields, Mapping) else {one: one for one in fields}
        if self._table is None:
            names = dict.fromkeys(columns.values())
            if chosen is None and isinstance(item, dict) and names.keys() <= set(ARTICLE_FIELDS):
                names |= dict.fromkeys(ARTICLE_FIELDS)  # the first page may be one without
            self._table = ParquetTable(self._file, names)
        values = {
            column: self.serialize_field(adapter.get_field_meta(name), column, adapter[name])
            for name, column in columns.items()
            if name in adapter
        }
        self._table.write(values)

    def finish_exporting(self) -> None:
        """Write the end of the file."""
        (self._table or ParquetTable(self._file, ARTICLE_FIELDS)).close()


def lines_to_table(path: Path) -> None:
    """Make Parquet of a file of JSON lines that all have the same names."""
    with path.open("rb") as lines, TemporaryFile() as made:
        table = None
        for line in lines:
            row = json.loads(line)
            table = table or ParquetTable(made, row)
            table.write(row)
        if table is not None:
            table.close()
        made.seek(0)
        with path.open("wb") as file:
            shutil.copyfileobj(made, file)


def check_parquet(settings: BaseSettings) -> None:
    """Raise ConfigError when a feed is to be Parquet, and what writes it is not installed."""
    feeds = settings.get("FEEDS")
    options = feeds.values() if isinstance(feeds, Mapping) else ()
    if any(isinstance(one, Mapping) and one.get("format") == PARQUET for one in options):
        check_pyarrow("FEEDS: a feed in Parquet")


def check_pyarrow(user: str) -> None:
    """Raise ConfigError when *user* cannot have PyArrow."""
    if not find_spec("pyarrow"):
        raise missing_library(user, "pyarrow")


def _cell(name: str, value: Any) -> Any:
    """Return *value* as its column holds it.

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
