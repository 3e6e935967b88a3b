"""Options of the engines' steps, records of clean pages, and pages read from archives."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from itemadapter import ItemAdapter

from webclean_scrapy.cleaning.config import CleanConfig
from webclean_scrapy.errors import ConfigError, missing_library
from webclean_scrapy.items import (
    ARTICLE_FIELDS,
    RECORD,
    ArticleItem,
    fill_empty,
    fill_item,
    lacking_fields,
)
from webclean_scrapy.stored.page_cleaner import READ_ERRORS, PageCleaner, read_place

if TYPE_CHECKING:
    from collections.abc import Collection

    from webclean_scrapy.cleaning.page.raw_page import RawPage
    from webclean_scrapy.stored.page_cleaner import Outcome, ReadPlace
    from webclean_scrapy.stored.places import Place

_BLOCK = 2**18  # bytes of one request: most pages, packed, are smaller


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleOptions:
    """Options: the cleaning configuration and the article fields of a record."""

    config: CleanConfig
    fields: tuple[str, ...]
    articles_only: bool  # other pages are left out

    def __post_init__(self) -> None:
        unknown = [name for name in self.fields if name not in ARTICLE_FIELDS]
        if unknown:
            known = ", ".join(ARTICLE_FIELDS)
            raise ConfigError(f"fields must be some of {known}; got {unknown[0]!r}")

    @classmethod
    def from_arguments(
        cls, config: object, fields: Collection[str] | None, articles_only: bool
    ) -> ArticleOptions:
        """Return the options, with defaults for what is None. Raises ConfigError."""
        if config is None:
            config = CleanConfig()
        if not isinstance(config, CleanConfig):
            kind = type(config).__name__
            raise ConfigError(f"config must be a webclean_scrapy.CleanConfig, got a {kind}")
        if isinstance(fields, str):
            raise ConfigError(f"fields must be a list of names, got {fields!r}")
        names = ARTICLE_FIELDS if fields is None else tuple(fields)
        return cls(config=config, fields=names, articles_only=articles_only)

    @property
    def names(self) -> tuple[str, ...]:
        """The fields of a record, in the order of an item: url, text and ``webclean`` always."""
        wanted = {"url", "articleBody", RECORD, *self.fields}
        return tuple(name for name in ARTICLE_FIELDS if name in wanted)

    def cleaner(self, read: ReadPlace) -> PageCleaner:
        """Return what cleans the pages of one group."""
        fields = lacking_fields(ItemAdapter(ArticleItem(url="")), self.names)
        return PageCleaner(self.config, articles_only=self.articles_only, fields=fields, read=read)

    def record(self, outcome: Outcome) -> dict[str, Any] | None:
        """Return the fields of an article as an item of a crawl has them.

        Of a page that could not be cleaned, its address and ``webclean``, with ``error`` and
        ``message``. None of a page that is no article, where only articles are wanted.
        """
        if outcome.fields is None and not outcome.problem:
            return None
        item = ArticleItem(url=outcome.url)
        adapter, names = ItemAdapter(item), self.names
        if outcome.fields is None:
            fill_empty(adapter, names, error=outcome.reason, message=outcome.problem)
        else:
            fill_item(adapter, outcome.fields, None, names)
        return {name: getattr(item, name) for name in names}


def open_archive(path: str) -> IO[bytes]:
    """Return an archive, to be read: a local file, or what fsspec opens, such as ``s3://``.

    Raises OSError; ConfigError for an address that nothing installed can open.
    """
    if "://" not in path:
        return Path(path).open("rb")
    from fsspec.core import url_to_fs

    try:
        files, name = url_to_fs(path)
    except ImportError as error:
        scheme = path.partition(":")[0]
        raise missing_library(f"{scheme}://", f"fsspec[{scheme}]") from error
    opened: IO[bytes] = files.open(name, "rb", block_size=_BLOCK)
    return opened


def read_archived(place: Place, max_bytes: int) -> RawPage:
    """Return a page of an archive.

    Raises what `stored.page_cleaner.READ_ERRORS` names; ConfigError as `open_archive`.
    """
    try:
        return read_place(place, max_bytes, open_file=open_archive)
    except (*READ_ERRORS, ConfigError):
        raise
    except Exception as error:  # what reads an address has errors of its own
        raise OSError(f"{place.path}: {type(error).__name__}: {error}") from error
