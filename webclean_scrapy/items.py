"""The item of the ready-made crawls, and how the fields of an article fill an item of any kind.

Field names are those of ``Article`` of zyte-common-items; all other values are in one field,
``webclean``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from itemadapter import ItemAdapter

RECORD = "webclean"  # the field that holds our record

_FIELDS = {
    "url": "url",
    "headline": "title",
    "articleBody": "text",
    "articleBodyHtml": "html",
    "canonicalUrl": "canonical_url",
    "description": "description",
    "datePublished": "date_published",
    "dateModified": "date_modified",
    "inLanguage": "language",
    "keywords": "keywords",
}
#: Fields whose values are objects with one key, or lists of them.
_NESTED = {
    "authors": ("authors", "name"),
    "mainImage": ("main_image", "url"),
    "images": ("images", "url"),
}
_RECORD_FIELDS = (
    "is_article", "kind", "kind_reason", "kind_confidence", "confidence", "source", "site_name",
    "denoised", "extractor", "fallback", "body_xpath", "link_blocks", "repaired", "removed",
)  # fmt: skip


@dataclass(slots=True, kw_only=True)
class ArticleItem:
    """One article. A spider fills *url*; the clean pipeline fills the rest."""

    url: str
    headline: str | None = None
    articleBody: str | None = None  # noqa: N815, the name that zyte-common-items gives it
    articleBodyHtml: str | None = None  # noqa: N815
    canonicalUrl: str | None = None  # noqa: N815
    description: str | None = None
    mainImage: dict[str, str] | None = None  # noqa: N815, {"url": ...}
    images: list[dict[str, str]] = field(default_factory=list)  # {"url": ...}
    datePublished: str | None = None  # noqa: N815, ISO 8601
    dateModified: str | None = None  # noqa: N815, ISO 8601
    authors: list[dict[str, str]] = field(default_factory=list)  # {"name": ...}
    inLanguage: str | None = None  # noqa: N815, ISO 639-1
    keywords: list[str] = field(default_factory=list)  # the highest ranked first
    webclean: dict[str, Any] = field(default_factory=dict)


def fill_item(adapter: ItemAdapter, cleaned: Mapping[str, Any], sibling_url: str | None) -> None:
    """Fill the item from *cleaned*, a ``CleanedPage.to_dict()``, as far as it has the fields.

    A field that the spider has filled is kept, the body included: its selector is deliberate.
    Only the ``webclean`` record is always written.
    """
    for field_name, name in _FIELDS.items():
        if cleaned[name] and not adapter.get(field_name):
            put(adapter, field_name, cleaned[name])
    for field_name, (name, key) in _NESTED.items():
        if (value := cleaned[name]) and not adapter.get(field_name):
            one = isinstance(value, str)
            put(adapter, field_name, {key: value} if one else [{key: each} for each in value])
    record = {name: cleaned[name] for name in _RECORD_FIELDS}
    if "interest" in cleaned:  # there is a profile
        record["interest"] = cleaned["interest"]
    put(adapter, RECORD, record | {"sibling_url": sibling_url or cleaned["sibling_url"]})


def put(adapter: ItemAdapter, name: str, value: Any) -> bool:
    """Set a field and return True; False when the item has no such field or rejects the value.

    KeyError: no such field; AttributeError: a frozen class; TypeError, ValueError: validators.
    """
    try:
        adapter[name] = value
    except (KeyError, AttributeError, TypeError, ValueError):
        return False
    return True


def update_record(adapter: ItemAdapter, **values: Any) -> None:
    """Add *values* to the ``webclean`` record, if the item has that field."""
    put(adapter, RECORD, {**(adapter.get(RECORD) or {}), **values})
