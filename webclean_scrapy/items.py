"""The item of ready-made crawls, and filling items of any class with article fields.

Field names are those of ``Article`` of zyte-common-items; all other values are in one field,
``webclean``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields
from datetime import date, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any, get_args, get_origin, get_type_hints

from webclean_scrapy.item_names import is_empty, places_of
from webclean_scrapy.safe_text import visible_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from itemadapter import ItemAdapter

    from webclean_scrapy.item_names import Places

RECORD = "webclean"  # the field that holds our record

_FIELDS = {
    "url": "url",
    "headline": "title",
    "articleBody": "text",
    "articleBodyHtml": "html",
    "articleBodyMarkdown": "markdown",
    "chunks": "chunks",
    "comments": "comments",
    "linkBlocks": "link_groups",
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
        """Return a short form for log lines, without the body."""
        record = self.webclean or {}
        kind = record.get("kind") or record.get("error") or "not cleaned"
        name, length = type(self).__name__, len(self.articleBody or "")
        said = f"{visible_line(self.url)} {self.headline!r} {visible_line(kind)}"
        return f"<{name} {said}, {length} characters>"


@dataclass(slots=True, kw_only=True, repr=False)
class ExtendedArticleItem(ArticleItem):
    """An article with further fields, for crawls that request one of them."""

    articleBodyMarkdown: str | None = None  # noqa: N815
    chunks: list[dict[str, Any]] = field(default_factory=list)
    comments: list[dict[str, Any]] = field(default_factory=list)
    linkBlocks: list[dict[str, Any]] = field(default_factory=list)  # noqa: N815


#: The fields of an article, in the order in which feeds have them.
ARTICLE_FIELDS = tuple(one.name for one in fields(ArticleItem))
MARKDOWN, CHUNKS, COMMENTS = "articleBodyMarkdown", "chunks", "comments"
LINK_BLOCKS = "linkBlocks"
#: Fields that are made only when they are asked for.
ON_REQUEST = (MARKDOWN, CHUNKS, COMMENTS, LINK_BLOCKS)
#: Fields whose empty value is a list.
LIST_FIELDS = frozenset({"images", "authors", "keywords", CHUNKS, COMMENTS, LINK_BLOCKS})

_LISTS = frozenset({list, tuple, set, frozenset, Sequence, Iterable, Collection})

#: What every cleaned page has at hand.
_AT_HAND = (
    "url", "text", "is_article", "kind", "kind_reason", "denoised", "extractor", "fallback",
    "repaired", "removed", "sibling_url", "parts",
)  # fmt: skip


def article_class(names: Collection[str]) -> type[ArticleItem]:
    """Return the item class with fields for *names*."""
    return ArticleItem if set(ON_REQUEST).isdisjoint(names) else ExtendedArticleItem


def page_fields(names: Collection[str]) -> frozenset[str]:
    """Return the fields of a cleaned page needed for the article fields *names*."""
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
    places: Places | None = None,
) -> list[str]:
    """Fill the item from *cleaned*, a ``CleanedPage.to_dict()``, as far as it has fields.

    Only *names* are written, from what *cleaned* has, at *places*, by default those of its names.

    A field that the spider has filled is kept, the body included: its selector is deliberate.
    Only the ``webclean`` record is always written. What the page lacks becomes None or [], so that
    all items of a feed have the same columns. Returns the fields that could not be written.
    """
    values = {name: cleaned[source] for name, source in _FIELDS.items() if source in cleaned}
    values |= {name: cleaned[source] for name, (source, _) in _NESTED.items() if source in cleaned}
    return _write(adapter, values, record_of(cleaned, sibling_url), names, places)


def record_of(cleaned: Mapping[str, Any], sibling_url: str | None = None) -> dict[str, Any]:
    """Return the ``webclean`` record of a page, as far as its values are in *cleaned*."""
    if "error" in cleaned:
        return dict(cleaned)
    record = {name: cleaned[name] for name in _RECORD_FIELDS if name in cleaned}
    if "interest" in cleaned:  # there is a profile
        record["interest"] = cleaned["interest"]
    return {**record, "sibling_url": sibling_url or cleaned.get("sibling_url")}


def fill_empty(
    adapter: ItemAdapter,
    names: Collection[str] = ARTICLE_FIELDS,
    places: Places | None = None,
    **record: Any,
) -> list[str]:
    """Give the item the fields *names* and *record*, without values of a page."""
    return _write(adapter, {}, record, names, places)


def _write(
    adapter: ItemAdapter,
    values: Mapping[str, Any],
    record: dict[str, Any],
    names: Collection[str],
    places: Places | None,
) -> list[str]:
    refused = []
    places = places or places_of(tuple(adapter.field_names()))
    wanted = set(names) - places.closed
    for name in (name for name in (*ARTICLE_FIELDS, *ON_REQUEST) if name in wanted):
        targets = places.names.get(name, (name,))
        value = record if name == RECORD else values.get(name)
        is_free = all(is_empty(adapter.get(target)) for target in targets)
        if value and name != RECORD and is_free:
            value = _fit(type(adapter.item), targets[0], name, value, is_plain=places.is_plain)
            value = None if _breaks_feeds(adapter, value) else value
        if name == RECORD or (value and is_free):
            written = put(adapter, targets[0], value)
        else:  # a class with fixed fields has its own empty value
            written = targets != (name,) or name in adapter
            written = written or put(adapter, name, [] if name in LIST_FIELDS else None)
        if not written:
            refused.append(name)
    return refused


def _breaks_feeds(adapter: ItemAdapter, value: Any) -> bool:
    """True if JSON has no form for *value*, such as an HttpUrl, but for the item without it."""
    is_usual = all(isinstance(one, str | date | dict) for one in _as_list(value))
    return not is_usual and not _is_json(value) and _is_json(adapter.asdict())


def _is_json(value: Any) -> bool:
    from scrapy.utils.serialize import ScrapyJSONEncoder  # imports all of Scrapy

    with suppress(Exception):
        return bool(ScrapyJSONEncoder().encode(value))
    return False


def _fit(item_class: type, target: str, name: str, value: Any, *, is_plain: bool) -> Any:
    """Convert *value* of the article field *name* to the type of the field *target*.

    ``authors: list[Author]`` gets ``Author`` objects, ``authors: list[str]`` the names, ``author:
    str`` all of them in one line, ``date: datetime`` the time. None when the type takes none of it.
    Where the class does not say its type, the name of the field does.
    """
    if name in {CHUNKS, COMMENTS, LINK_BLOCKS}:
        return value
    kinds, is_list = _form(item_class, target, name, is_plain=is_plain)
    key = _NESTED[name][1] if name in _NESTED else ""
    if is_list:
        many = value.split("\n") if name == "articleBody" else _as_list(value)
        made = [_as_kind(kinds or (str,), key, one) for one in many]
        return [one for one in made if one is not None]
    if isinstance(value, list) and str in kinds and name != "images":
        return ", ".join(value)
    return _as_kind(kinds, key, _as_list(value)[0])


@lru_cache(maxsize=1024)
def _form(
    item_class: type, target: str, name: str, *, is_plain: bool
) -> tuple[tuple[type[Any], ...], bool]:
    """Return the classes of values of the field *target*, and whether it is a list of them."""
    try:
        hint = get_type_hints(item_class).get(target)
    except (NameError, TypeError, AttributeError):  # of types that cannot be resolved
        hint = None
    kinds = tuple(_classes_in(hint))
    is_list = bool(kinds) and any(one in _LISTS for one in kinds)
    kinds = tuple(one for one in kinds if one not in _LISTS)
    if hint in (None, Any, object) or not (kinds or is_list):
        is_list = name in LIST_FIELDS and target.lower().endswith("s")
        kinds = (str,) if name not in _NESTED or is_plain or target != name else (dict,)
    return kinds, is_list


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _as_kind(kinds: tuple[type[Any], ...], key: str, value: str) -> Any:
    """Convert *value* to the first possible of *kinds*, or None.

    An object with the field *key*, unless its class needs more than that: then it is a dict.
    """
    for kind in kinds:
        if kind in {str, object}:
            return value
        with suppress(Exception):  # a class of the project may raise any error
            if issubclass(kind, date):
                time = datetime.fromisoformat(value.replace("Z", "+00:00"))
                return time if issubclass(kind, datetime) else time.date()
            if key and kind is not dict and (names := _item_fields(kind)) is not None:
                if key in names:
                    return kind(**{key: value})
            elif kind.__module__ != "builtins":  # such as the address of pydantic
                return kind(value)
    is_object = key and any(kind is dict or _item_fields(kind) is not None for kind in kinds)
    return {key: value} if is_object else None


def _item_fields(kind: type) -> Collection[str] | None:
    """Return the fields of an item class; () if unknown, None for other classes."""
    from itemadapter import ItemAdapter  # imports all of Scrapy, 35 MB

    if not ItemAdapter.is_item_class(kind):
        return None
    return ItemAdapter.get_field_names_from_class(kind) or ()


def _classes_in(hint: Any) -> Iterator[type]:
    """Yield the classes in a type: list and Author of ``list[Author] | None``."""
    origin = get_origin(hint)
    if origin in {dict, Mapping}:
        yield dict
    elif origin is not None:
        if origin in _LISTS:
            yield list
        for part in get_args(hint):
            yield from _classes_in(part)
    elif isinstance(hint, type) and hint is not type(None):
        yield hint


def put(adapter: ItemAdapter, name: str, value: Any) -> bool:
    """Set a field; return False if the item lacks or rejects it.

    A class of the project may reject a value with any error: AttributeError if it is frozen.
    """
    with suppress(Exception):
        adapter[name] = value
        return True
    return False


def update_record(adapter: ItemAdapter, **values: Any) -> None:
    """Add *values* to the ``webclean`` record, if the item has one."""
    put(adapter, RECORD, {**(adapter.get(RECORD) or {}), **values})
