"""What the steps of every engine share: options, records of clean pages, rules for copies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from itemadapter import ItemAdapter

from webclean_scrapy.cleaning.config import CleanConfig
from webclean_scrapy.cleaning.kind.kind_model import LISTING
from webclean_scrapy.dedup.index import DuplicateIndex
from webclean_scrapy.engines.page_cleaner import PageCleaner
from webclean_scrapy.errors import ConfigError, hide_login
from webclean_scrapy.items import (
    ARTICLE_FIELDS,
    RECORD,
    ArticleItem,
    fill_empty,
    fill_item,
    page_fields,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from webclean_scrapy.dedup.fingerprint import Fingerprint
    from webclean_scrapy.engines.page_cleaner import Outcome, ReadPlace
RULES = ("drop", "keep")
_BETWEEN = "\t"  # separates the address of a page from its id in the key


class ArticleOptions:
    """Options: the cleaning configuration and the article fields of a record."""

    def __init__(self, config: object, fields: Collection[str] | None, articles_only: bool) -> None:
        """Take the defaults for what is None; *articles_only* leaves other pages out.

        Raises ConfigError.
        """
        if not isinstance(config, CleanConfig | None):
            kind = type(config).__name__
            raise ConfigError(f"config must be a webclean_scrapy.CleanConfig, got a {kind}")
        if isinstance(fields, str):
            raise ConfigError(f"fields must be a list of names, got {fields!r}")
        self.config = config or CleanConfig()
        self.fields = ARTICLE_FIELDS if fields is None else tuple(fields)
        self.articles_only = articles_only
        if unknown := [name for name in self.fields if name not in ARTICLE_FIELDS]:
            known = ", ".join(ARTICLE_FIELDS)
            raise ConfigError(f"fields must be some of {known}; got {unknown[0]!r}")

    @property
    def names(self) -> tuple[str, ...]:
        """The fields of a record, in the order of an item: url, text and ``webclean`` always."""
        wanted = {"url", "articleBody", RECORD, *self.fields}
        return tuple(name for name in ARTICLE_FIELDS if name in wanted)

    def cleaner(self, read: ReadPlace) -> PageCleaner:
        """Return what cleans the pages of one group."""
        fields = page_fields(self.names)
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


class DuplicateRules:
    """An index by its URI, and what becomes of copies and updates. Small, and can be pickled.

    What prints it, or writes it as JSON, shows no login.
    """

    __slots__ = ("options", "rules", "uri")

    def __init__(self, uri: str | None, duplicate: str, update: str, **options: Any) -> None:
        """Open and close the index once, so that whatever is wrong with it is known now.

        Raises ConfigError, StoreError.
        """
        self.uri = uri
        self.rules = {"duplicate": duplicate, "update": update}
        self.options = options
        for name, rule in self.rules.items():
            if rule not in RULES:
                raise ConfigError(f"{name} must be one of {RULES}, got {rule!r}")
        self.open().close()

    def __repr__(self) -> str:
        return f"DuplicateRules({hide_login(self.uri or 'memory')})"

    def open(self) -> DuplicateIndex:
        """Return the index. Raises StoreError."""
        return DuplicateIndex(self.uri, **self.options)

    def dropped(
        self, index: DuplicateIndex, records: Sequence[tuple[str, str, dict[str, Any]]]
    ) -> list[str | None]:
        """Return for each record None, or the verdict for which it is dropped.

        A record: its id, which is the same in every run, its text, and its other fields; of these
        ``webclean`` is told the page it repeats. A record that comes again under its id, after its
        task was killed, is no copy of itself.
        """
        pages = [
            (
                f"{fields.get('url') or key}{_BETWEEN}{key}",
                _compared(index, text, fields),
                str(fields.get("headline") or ""),
            )
            for key, text, fields in records
            if text
        ]
        matches = iter(index.check_and_add_many(pages))
        verdicts: list[str | None] = []
        for _, text, fields in records:
            match = next(matches) if text else None
            if match is None:
                verdicts.append(None)
                continue
            values = {
                "duplicate_of": match.key.partition(_BETWEEN)[0],
                "similarity": round(match.similarity, 3),
            }
            fields[RECORD] = {**(fields.get(RECORD) or {}), **values}
            verdicts.append(match.verdict if self.rules[match.verdict] == "drop" else None)
        return verdicts


def _compared(index: DuplicateIndex, text: str, fields: dict[str, Any]) -> str | Fingerprint:
    """Return what is compared; lists are compared with lists."""
    if (fields.get(RECORD) or {}).get("kind") != LISTING:
        return text
    return index.fingerprinter.make(text, title=str(fields.get("headline") or "")).of_list()
