"""The item of the ready-made crawls, and how the fields of an article fill an item of any kind.

Field names are those of ``Article`` of zyte-common-items; all other values are in one field,
``webclean``.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, get_args, get_origin, get_type_hints

from webclean_scrapy.errors import visible_line

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from itemadapter import ItemAdapter

RECORD = "webclean"  # the field that holds our record

_FIELDS = {
    "url": "url",
    "headline": "title",
    "articleBody": "text",
    "articleBodyHtml": "html",
    "articleBodyMarkdown": "markdown",
    "chunks": "chunks",
    "comments": "comments",
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
    "parts",
)  # fmt: skip


@dataclass(slots=True, kw_only=True, repr=False)
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

    def __repr__(self) -> str:
        """Return what a line of the log needs; the body alone would fill a screen."""
        record = self.webclean or {}
        kind = record.get("kind") or record.get("error") or "not cleaned"
        name, length = type(self).__name__, len(self.articleBody or "")
        said = f"{visible_line(self.url)} {self.headline!r} {visible_line(kind)}"
        return f"<{name} {said}, {length} characters>"


@dataclass(slots=True, kw_only=True, repr=False)
class ExtendedArticleItem(ArticleItem):
    """One article of a crawl that is asked for one of these fields."""

    articleBodyMarkdown: str | None = None  # noqa: N815
    chunks: list[dict[str, Any]] = field(default_factory=list)
    comments: list[dict[str, Any]] = field(default_factory=list)


#: The fields of an article, in the order in which feeds have them.
ARTICLE_FIELDS = tuple(one.name for one in fields(ArticleItem))
MARKDOWN, CHUNKS, COMMENTS = "articleBodyMarkdown", "chunks", "comments"
#: Fields that are made only when they are asked for.
ON_REQUEST = (MARKDOWN, CHUNKS, COMMENTS)
#: An item with one of these has a place for what is made of its page.
BODY_FIELDS = frozenset({"articleBody", "articleBodyHtml", RECORD})
#: Fields whose empty value is a list.
LIST_FIELDS = frozenset({"images", "authors", "keywords", CHUNKS, COMMENTS})


#: What every cleaned page has at hand.
_AT_HAND = (
    "url", "text", "is_article", "kind", "kind_reason", "denoised", "extractor", "fallback",
    "repaired", "removed", "sibling_url", "parts",
)  # fmt: skip


def has_markdown(item: object) -> bool:
    """True if the class of *item*, other than `ArticleItem`, declares a field for the Markdown."""
    from itemadapter import ItemAdapter

    declared = ItemAdapter.get_field_names_from_class(type(item)) or ()
    return MARKDOWN in declared and not isinstance(item, ExtendedArticleItem)


def article_class(names: Collection[str]) -> type[ArticleItem]:
    """Return the class of item that has a place for *names*."""
    return ArticleItem if set(ON_REQUEST).isdisjoint(names) else ExtendedArticleItem


def page_fields(names: Collection[str]) -> frozenset[str]:
    """Return the fields of a cleaned page that *names*, fields of an article, are made of."""
    found = {source for name, source in _FIELDS.items() if name in names}
    found.update(source for name, (source, _) in _NESTED.items() if name in names)
    if RECORD in names:
        found.update(_RECORD_FIELDS, ("interest",))
    return frozenset(found.union(_AT_HAND))


def fill_item(
    adapter: ItemAdapter,
    cleaned: Mapping[str, Any],
    sibling_url: str | None,
    names: Collection[str] = ARTICLE_FIELDS,
) -> list[str]:
    """Fill the item from *cleaned*, a ``CleanedPage.to_dict()``, as far as it has the fields.

    Only *names* are written, from what *cleaned* has.

    A field that the spider has filled is kept, the body included: its selector is deliberate.
    Only the ``webclean`` record is always written. What the page lacks becomes None or [], so that
    all items of a feed have the same columns. Returns the fields that could not be written.
    """
    values = {name: cleaned[source] for name, source in _FIELDS.items() if source in cleaned}
    for field_name, (name, key) in _NESTED.items():
        if name not in cleaned:
            continue
        make = partial(_make, type(adapter.item), field_name, key)
        value = cleaned[name]
        one = value is None or isinstance(value, str)
        values[field_name] = (value and make(value)) if one else [make(each) for each in value]
    record = {name: cleaned[name] for name in _RECORD_FIELDS if name in cleaned}
    if "interest" in cleaned:  # there is a profile
        record["interest"] = cleaned["interest"]
    record["sibling_url"] = sibling_url or cleaned["sibling_url"]
    return _write(adapter, values, record, names)


def fill_empty(
    adapter: ItemAdapter, names: Collection[str] = ARTICLE_FIELDS, **record: Any
) -> list[str]:
    """Give the item the fields *names* and *record*, where nothing is known of its page."""
    return _write(adapter, {}, record, names)


def _write(
    adapter: ItemAdapter, values: Mapping[str, Any], record: dict[str, Any], names: Collection[str]
) -> list[str]:
    refused = []
    for name in (name for name in (*ARTICLE_FIELDS, *ON_REQUEST) if name in names):
        value = record if name == RECORD else values.get(name)
        if name == RECORD or (value and not adapter.get(name)):
            written = put(adapter, name, value)
        else:  # a class with fixed fields has its own empty value
            written = name in adapter or put(adapter, name, [] if name in LIST_FIELDS else None)
        if not written:
            refused.append(name)
    return refused


def _make(item_class: type, field_name: str, key: str, value: str) -> Any:
    """Return *value* as an object of a nested field: a dict, or of the class that the item names.

    ``authors: list[Author]`` of zyte-common-items or of a class of the project gets ``Author``
    objects, unless they need more than *key*; ``authors: list[str]`` gets the names.
    """
    from itemadapter import ItemAdapter

    for named in _classes_in(_hints(item_class).get(field_name)):
        if named is str:
            return value
        if not ItemAdapter.is_item_class(named):
            continue
        if key in (ItemAdapter.get_field_names_from_class(named) or ()):
            with suppress(TypeError, ValueError):
                return named(**{key: value})
    return {key: value}


@lru_cache(maxsize=64)
def _hints(item_class: type) -> dict[str, Any]:
    """Return the types of the fields of *item_class*; none that only a type checker can read."""
    try:
        return get_type_hints(item_class)
    except (NameError, TypeError, AttributeError):
        return {}


def _classes_in(hint: Any) -> Iterator[type]:
    """Yield the classes of ``list[Author] | None``: Author and NoneType; of a dict, none."""
    if get_origin(hint) in {dict, Mapping}:
        return
    if parts := get_args(hint):
        for part in parts:
            yield from _classes_in(part)
    elif isinstance(hint, type):
        yield hint


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
