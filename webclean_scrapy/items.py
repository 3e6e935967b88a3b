"""The item of the ready-made crawls, and how an article's fields go into an item of any kind.

Field names are those of ``Article`` of zyte-common-items; what it has no name for stands in one
``webclean`` record.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from itemadapter import ItemAdapter

    from webclean_scrapy.handover import Page
    from webclean_scrapy.result import CleanedPage

RECORD = "webclean"  # the field that holds our record


@dataclass(slots=True, kw_only=True)
class ArticleItem:
    """One article. A spider fills *url*; the clean pipeline fills the rest."""

    url: str
    headline: str | None = None
    articleBody: str | None = None  # noqa: N815, the name that zyte-common-items gives it
    articleBodyHtml: str | None = None  # noqa: N815
    datePublished: str | None = None  # noqa: N815, ISO 8601
    authors: list[dict[str, str]] = field(default_factory=list)  # {"name": ...}
    inLanguage: str | None = None  # noqa: N815, ISO 639-1
    keywords: list[str] = field(default_factory=list)  # the most telling first
    webclean: dict[str, Any] = field(default_factory=dict)


def fill_item(adapter: ItemAdapter, article: CleanedPage, page: Page) -> None:
    """Put the fields of *article* into the item, as far as its kind can hold them.

    A field that the spider has filled stays, the body too: who wrote a selector for it knows why.
    Only the ``webclean`` record is always written.
    """
    values = {
        "url": page.url,
        "headline": article.title,
        "articleBody": article.text,
        "articleBodyHtml": article.html,
        "datePublished": article.date_published,
        "authors": [{"name": name} for name in article.authors],
        "inLanguage": article.language,
        "keywords": list(article.keywords),
    }
    for name, value in values.items():
        if value and not adapter.get(name):
            put(adapter, name, value)
    put(adapter, RECORD, article_record(article, page))


def article_record(article: CleanedPage, page: Page) -> dict[str, Any]:
    """Return what the standard fields have no name for, in plain JSON types."""
    return {
        "is_article": article.is_article,
        "kind": article.kind,
        "kind_reason": article.kind_reason,
        "confidence": article.confidence,
        "body_xpath": article.body_xpath,
        "sibling_url": page.sibling_url or article.sibling_url,
        "removed": [asdict(removed) for removed in article.removed],
    }


def put(adapter: ItemAdapter, name: str, value: Any) -> bool:
    """Set a field and return True; False when the item has no such field or refuses the value.

    KeyError: no such field; AttributeError: a frozen class; TypeError, ValueError: validators.
    """
    try:
        adapter[name] = value
    except (KeyError, AttributeError, TypeError, ValueError):
        return False
    return True


def update_record(adapter: ItemAdapter, **values: Any) -> None:
    """Add *values* to the item's ``webclean`` record, where the item can hold one."""
    put(adapter, RECORD, {**(adapter.get(RECORD) or {}), **values})
