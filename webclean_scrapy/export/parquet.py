"""Read and write files in Parquet, with PyArrow (extra ``parquet``)."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from typing import IO, TYPE_CHECKING, Any

from webclean_scrapy.errors import FeedError, missing_library
from webclean_scrapy.safe_text import first_line

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from scrapy.settings import BaseSettings

PARQUET = "parquet"  # the format of a feed
GROUP = 1_000  # rows that are held in memory, and that readers read at once
_BATCH = 200  # rows that are objects of Python at a time


def read_parquet(
    content: IO[bytes], fields: Collection[str] = ()
) -> Iterator[tuple[dict[str, Any], Any]]:
    """Yield the rows of a file: *fields*, by default all that hold text, and the row in Arrow."""
    from pyarrow import parquet

    file = parquet.ParquetFile(content)
    columns = [
        one.name
        for one in file.schema_arrow
        if (one.name in fields if fields else str(one.type).endswith("string"))
    ]
    for batch in file.iter_batches(_BATCH):
        for place, record in enumerate(batch.select(columns).to_pylist()):
            yield record, batch.slice(place, 1)


@contextmanager
def parquet_writer(
    file: IO[bytes], sources: Iterable[IO[bytes]]
) -> Iterator[Callable[[Sequence[Any]], None]]:
    """Return a function that writes rows of the *sources*, as `read_parquet` gives them.

    Their types stay; a column that a source does not have is null. Raises FeedError.
    """
    import pyarrow as pa
    from pyarrow import parquet

    schemas = [parquet.read_schema(one).remove_metadata() for one in sources]
    try:
        schema = pa.unify_schemas(schemas, promote_options="permissive")
    except pa.ArrowException as error:
        raise FeedError(f"the feeds do not fit together: {first_line(error)}") from error
    waiting: list[Any] = []
    with parquet.ParquetWriter(file, schema) as writer:

        def write(rows: Sequence[Any], least: int = GROUP) -> None:
            waiting.extend(pa.Table.from_batches([row]) for row in rows)
            if len(waiting) >= least:
                tables = [schema.empty_table(), *waiting]
                table = pa.concat_tables(tables, promote_options="permissive")
                writer.write_table(table.select(schema.names).cast(schema))
                waiting.clear()

        yield write
        write([], least=1)


def check_parquet(settings: BaseSettings) -> None:
    """Check that PyArrow is installed if a feed is Parquet. Raises ConfigError."""
    feeds = settings.get("FEEDS")
    options = feeds.values() if isinstance(feeds, Mapping) else ()
    if any(isinstance(one, Mapping) and one.get("format") == PARQUET for one in options):
        check_pyarrow("FEEDS: a feed in Parquet")


def check_pyarrow(user: str) -> None:
    """Raise ConfigError for *user* if PyArrow is missing."""
    if not find_spec("pyarrow"):
        raise missing_library(user, "pyarrow")
