"""Datasets of Ray: from WARC files, or pages in rows, to clean articles that are no copies.

Extra ``ray``. The pages of a host are cleaned in one task. Where pages are in archives, rows say
where: little is moved between machines, and a task that is lost with its worker begins again.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from webclean_scrapy.engines.arrow_rows import (
    HOST,
    clean_rows,
    list_places,
    with_host,
    without_duplicates,
)
from webclean_scrapy.engines.article_options import ArticleOptions
from webclean_scrapy.engines.duplicates import DuplicateRules
from webclean_scrapy.errors import ConfigError, missing_library
from webclean_scrapy.stored.host import check_partitions

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from ray.data import Dataset

    from webclean_scrapy.cleaning.config import CleanConfig

__all__ = ["clean_pages", "drop_duplicates", "warc_places"]

_ARROW = {"batch_format": "pyarrow"}
_BATCH = 500  # records for which an index is opened and asked


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
    options = ArticleOptions.from_arguments(config, fields, articles_only)
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
