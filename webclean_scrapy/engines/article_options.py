"""What the engines' steps are told, and how a clean page becomes a record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from itemadapter import ItemAdapter

from webclean_scrapy.cleaning.config import CleanConfig
from webclean_scrapy.errors import ConfigError
from webclean_scrapy.items import (
    ARTICLE_FIELDS,
    RECORD,
    ArticleItem,
    fill_empty,
    fill_item,
    lacking_fields,
)
from webclean_scrapy.stored.page_cleaner import PageCleaner

if TYPE_CHECKING:
    from collections.abc import Collection

    from webclean_scrapy.stored.page_cleaner import Outcome, ReadPlace


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleOptions:
    """How pages are cleaned, and which fields of an article a record has."""

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
