"""Datasets of Ray: from WARC files, or pages in rows, to clean articles that are no copies.

Extra ``ray``. The pages of a host are cleaned in one task. Where pages are in archives, rows say
where: little is moved between machines, and a task that is lost with its worker begins again.
"""

from __future__ import annotations

import json
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from webclean_scrapy.cleaning.page.raw_page import RawPage
from webclean_scrapy.engines.articles import ArticleOptions, DuplicateRules
from webclean_scrapy.engines.page_cleaner import check_partitions, clean_hosts, host_name
from webclean_scrapy.engines.warc_pages import Place, read_warc, read_warc_page
from webclean_scrapy.errors import ConfigError, WebcleanError, missing_library
from webclean_scrapy.items import RECORD

try:
    import pyarrow as pa
except ImportError as import_error:
    raise missing_library("a table of pages", "pyarrow") from import_error

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from ray.data import Dataset

    from webclean_scrapy.cleaning.config import CleanConfig

__all__ = ["clean_pages", "drop_duplicates", "warc_places"]

_ARROW = {"batch_format": "pyarrow"}
_BATCH = 500  # records for which an index is opened and asked
HOST = "webclean_host"  # the column that groups pages
_ORDER = ("path", "offset", "url")  # of the pages of a group; the first two as in a crawl
_ROWS = 100  # articles in a table
_LINK = pa.struct({"url": pa.string()})
_TYPES = {
    "mainImage": _LINK,
    "images": pa.list_(_LINK),
    "authors": pa.list_(pa.struct({"name": pa.string()})),
    "keywords": pa.list_(pa.string()),
}
_PLACES = pa.schema({"url": pa.string(), "path": pa.string(), "offset": pa.int64()})


def _import_data() -> Any:
    """Return ``ray.data``. Raises ConfigError without it."""
    try:
        return import_module("ray.data")
    except ImportError as error:
        raise missing_library("a dataset of Ray", "ray[data]") from error


def warc_places(paths: Iterable[str]) -> Dataset:
    """Return a row for each HTML page of WARC files: ``url``, ``path``, ``offset``; not the page.

    *paths* are seen by every machine: of a shared file system, or what fsspec opens (``s3://``).
    A file that is damaged or missing fails the run with a line that names it. Raises ConfigError.
    """
    files = [{"path": str(path)} for path in paths]
    if not files:
        raise ConfigError("paths must name at least one WARC file")
    found = _import_data().from_items(files, override_num_blocks=len(files))
    return found.map_batches(list_places, batch_size=1, **_ARROW)


def clean_pages(
    pages: Dataset,
    *,
    partitions: int = 64,
    config: CleanConfig | None = None,
    fields: Collection[str] | None = None,
    articles_only: bool = False,
) -> Dataset:
    """Return a row for each page, with the fields of an item; ``webclean`` is JSON.

    *pages* have ``url`` and either ``path`` and ``offset``, as from `warc_places`, or ``html``
    (bytes or text) and perhaps ``charset``. The pages of a host are cleaned together, as each
    other's siblings, in the order of path, offset, url; hosts are in *partitions* by their hash,
    each a task. A page that cannot be cleaned has no ``articleBody``, and in ``webclean`` an
    ``error`` and a ``message``. With *articles_only*, pages that are none are left out.

    Raises ConfigError.
    """
    options = ArticleOptions(config, fields, articles_only)
    parts = check_partitions(partitions)
    groups = pages.map_batches(with_host, **_ARROW).groupby(HOST, num_partitions=parts)
    return groups.map_groups(partial(clean_rows, options=options), **_ARROW)


def drop_duplicates(
    articles: Dataset,
    uri: str,
    *,
    duplicate: str = "drop",
    update: str = "keep",
    **options: Any,
) -> Dataset:
    """Return the rows of `clean_pages` without those whose text another has said.

    *uri* and *options*: those of `webclean_scrapy.DuplicateIndex`; the store outlives the workers,
    so it is none in memory. *duplicate* and *update*: "drop", or "keep" with the address of the
    other in ``webclean``. Rows without text stay. Of the rows of one address, one should be left
    before. Raises ConfigError, StoreError.
    """
    if not uri or uri.startswith("memory:"):
        raise ConfigError(
            "uri must name a store that all workers see, such as 'redis://host:6379/0?prefix=run'"
            " or, on one machine, 'sqlite:////data/pages.db'"
        )
    rules = DuplicateRules(uri, duplicate, update, **options)
    checked = partial(without_duplicates, rules=rules)
    return articles.map_batches(checked, batch_size=_BATCH, **_ARROW)


def list_places(files: pa.Table) -> Iterator[pa.Table]:
    """Yield for each WARC file of the column ``path`` a row for each of its HTML pages.

    Raises WarcError, OSError, ConfigError: with the file's name.
    """
    for path in files["path"].to_pylist():
        try:
            pages = [place._asdict() for place in read_warc(path)]
        except WebcleanError as error:
            raise type(error)(f"{path} {error}") from error
        yield pa.Table.from_pylist(pages, _PLACES)


def with_host(pages: pa.Table) -> pa.Table:
    """Return the pages with the column HOST."""
    hosts = [host_name(url or "") for url in pages["url"].to_pylist()]
    return pages.append_column(HOST, pa.array(hosts, pa.string()))


def clean_rows(pages: pa.Table, options: ArticleOptions) -> Iterator[pa.Table]:
    """Yield the articles of all pages of a host, in the order of path, offset and url."""
    pages = pages.sort_by([(name, "ascending") for name in _ORDER if name in pages.column_names])
    reader = _Rows(pages)
    records = []
    schema = pa.schema({name: _TYPES.get(name, pa.string()) for name in options.names})
    for outcome in clean_hosts(reader.places(), lambda: options.cleaner(reader.read)):
        record = options.record(outcome)
        if record is not None:
            records.append({**record, RECORD: _as_json(record[RECORD])})
        if len(records) == _ROWS:
            yield pa.Table.from_pylist(records, schema)
            records = []
    yield pa.Table.from_pylist(records, schema)


class _Rows:
    """Reads the pages of a group."""

    def __init__(self, pages: pa.Table) -> None:
        self._pages = pages
        self._holds_pages = "html" in pages.column_names

    def places(self) -> list[Place]:
        """Return where the pages are: in archives, or in which row."""
        urls = [url or "" for url in self._pages["url"].to_pylist()]
        if self._holds_pages:
            return [Place("", row, url) for row, url in enumerate(urls)]
        found = self._pages["path"].to_pylist(), self._pages["offset"].to_pylist(), urls
        return list(map(Place, *found))

    def read(self, place: Place, max_bytes: int) -> RawPage:
        """Return a page. Raises OSError, WarcError."""
        if not self._holds_pages:
            return read_warc_page(place, max_bytes)
        html = self._pages["html"][place.offset].as_py() or ""
        has_charset = "charset" in self._pages.column_names
        charset = self._pages["charset"][place.offset].as_py() if has_charset else None
        return RawPage(html, place.url, charset)


def without_duplicates(articles: pa.Table, rules: DuplicateRules) -> pa.Table:
    """Return the rows of `clean_rows` that the rules do not drop. Raises StoreError."""
    rows = [{**row, RECORD: json.loads(row[RECORD])} for row in articles.to_pylist()]
    with rules.open() as index:
        verdicts = rules.dropped(
            index, [(row["url"], row["articleBody"] or "", row) for row in rows]
        )
    kept = [
        {**row, RECORD: _as_json(row[RECORD])}
        for row, verdict in zip(rows, verdicts, strict=True)
        if verdict is None
    ]
    return pa.Table.from_pylist(kept, articles.schema)


def _as_json(record: dict[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False)
