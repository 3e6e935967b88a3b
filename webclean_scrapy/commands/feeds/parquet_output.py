"""A Parquet file of the lines of a draft."""

from __future__ import annotations

from itertools import chain, islice
from typing import IO, TYPE_CHECKING, Any

from webclean_scrapy.commands.feeds.feed_draft import cell_of, read_draft
from webclean_scrapy.commands.feeds.feed_files import open_raw
from webclean_scrapy.commands.feeds.parquet_rows import BATCH, import_parquet, open_parquet
from webclean_scrapy.errors import FeedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from webclean_scrapy.commands.feeds.feed_target import FeedTarget

ROWS = 2_000  # of a row group: some 10 MB of articles
INT_BITS = 63


def write_parquet(draft: Path, target: FeedTarget, file: IO[bytes]) -> None:
    """Write the rows that the draft names, or the records that it holds. Raises FeedError."""
    if target.inputs:
        _copy_rows(draft, target, file)
    else:
        _write_records(draft, target, file)


def read_schema(names: Iterable[str]) -> Any:
    """Return the one schema of Parquet files; a column that some lack is null there.

    Raises: FeedError when a column has different types.
    """
    import pyarrow as pa

    schemas = []
    for name in names:
        with open_raw(name) as raw, open_parquet(name, raw) as file:
            schemas.append(file.schema_arrow.remove_metadata())
    try:
        return pa.unify_schemas(schemas, promote_options="permissive")
    except pa.ArrowException as error:
        reason = (str(error).splitlines() or [""])[0]
        raise FeedError(
            f"the Parquet files do not fit together ({reason}); use -o with .jsonl"
        ) from error


def _copy_rows(draft: Path, target: FeedTarget, file: IO[bytes]) -> None:
    """Write the rows with the types they have; the draft names each by file and number."""
    schema = read_schema(target.inputs)
    wanted = (tuple(record["row"]) for record in read_draft(draft))
    with import_parquet(target.name).ParquetWriter(file, schema) as writer:
        for table in _merged(_kept_rows(target, schema, wanted)):
            writer.write_table(table)


def _kept_rows(target: FeedTarget, schema: Any, wanted: Iterator[tuple[int, int]]) -> Iterator[Any]:
    """Yield tables of the rows *wanted*: (number of the file, number of the row from 1), rising."""
    import pyarrow as pa

    next_row = next(wanted, None)
    for number, name in enumerate(target.inputs):
        first = 1
        with open_raw(name) as raw, open_parquet(name, raw) as file:
            batches = _batches(name, file) if next_row and next_row[0] == number else ()
            for batch in batches:
                chosen = []
                while next_row and next_row < (number, first + batch.num_rows):
                    chosen.append(next_row[1] - first)
                    next_row = next(wanted, None)
                first += batch.num_rows
                if chosen:
                    yield _fitted(pa.Table.from_batches([batch.take(pa.array(chosen))]), schema)


def _batches(name: str, file: Any) -> Iterator[Any]:
    """Yield all columns of a file; the text was read before, the others may be damaged."""
    import pyarrow as pa

    try:
        yield from file.iter_batches(BATCH)
    except (pa.ArrowException, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        reason = (str(error).splitlines() or [""])[0]
        raise FeedError(f"{name} is a damaged Parquet file: {reason}") from error


def _fitted(table: Any, schema: Any) -> Any:
    """Return *table* with the columns and types of *schema*."""
    import pyarrow as pa

    for field in schema:
        if field.name not in table.column_names:
            table = table.append_column(field, pa.nulls(table.num_rows, field.type))
    return table.select(schema.names).cast(schema)


def _merged(tables: Iterable[Any]) -> Iterator[Any]:
    """Yield tables of about ROWS rows."""
    import pyarrow as pa

    waiting: list[Any] = []
    for table in chain(tables, [None]):
        full = sum(one.num_rows for one in waiting) >= ROWS
        if waiting and (full or table is None):
            yield pa.concat_tables(waiting)
            waiting = []
        if table is not None:
            waiting.append(table)


def _write_records(draft: Path, target: FeedTarget, file: IO[bytes]) -> None:
    """Write records: a column of numbers or of strings where all are; anything else as JSON."""
    import pyarrow as pa

    parquet = import_parquet(target.name)
    kinds: dict[str, set[str]] = {}
    for record in read_draft(draft):
        for name, value in record.items():
            kinds.setdefault(name, set()).add(_kind(value))
    types = {
        "bool": pa.bool_(), "int": pa.int64(), "float": pa.float64(), "string": pa.string()
    }  # fmt: skip
    chosen = {name: _common_kind(found) for name, found in kinds.items()}
    columns = zip(_column_names(chosen), chosen.values(), strict=True)
    schema = pa.schema([(column, types[kind]) for column, kind in columns])
    records = read_draft(draft)
    with parquet.ParquetWriter(file, schema) as writer:
        while part := list(islice(records, ROWS)):
            arrays = [
                pa.array([_value(row.get(name), kind) for row in part], types[kind])
                for name, kind in chosen.items()
            ]
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema))


def _column_names(names: Iterable[str]) -> list[str]:
    """Return names that UTF-8 can write: half a character becomes its escape, each name once."""
    columns: dict[str, None] = {}
    for name in names:
        column = _writable(name)
        while column in columns:
            column += "_"
        columns[column] = None
    return list(columns)


def _writable(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()


def _kind(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int):
        return "int" if value.bit_length() <= INT_BITS else "string"
    return "float" if isinstance(value, float) else "string"


def _common_kind(found: set[str]) -> str:
    """Return the kind of a column whose values are of the kinds *found*."""
    found = found - {""}
    if found == {"int", "float"}:
        return "float"
    return found.pop() if len(found) == 1 else "string"


def _value(value: object, kind: str) -> object:
    if value is None or kind != "string":
        return value
    return _writable(value if isinstance(value, str) else cell_of(value))
