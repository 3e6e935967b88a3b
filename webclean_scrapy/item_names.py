"""The names that items of other projects have for the fields of an article.

One table says both which items are an article's and which field of an item takes which value of it.
``WEBCLEAN_NAMES`` adds to it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from itemadapter import ItemAdapter

#: The rule, as README.md, docs/item.md and the log have it.
RULE = (
    "An item is filled when it has fields for a text and for its title or address, or is a dict "
    "with its page's address, unless it names another page, a price or the like, or brings a text "
    "without title and address, or a long one under another name."
)

#: Names of each field of an article, the surest first, as `_plain` writes them. Not in it, since
#: they mean other things as often: ``name``, ``source``, ``description`` for a body, ``time``,
#: ``created_at`` (of a database) and ``image_urls`` (which Scrapy's pipeline downloads).
KNOWN_NAMES = {
    "url": "url link permalink uri href pageurl pagelink",
    "headline": "headline title heading pagetitle",
    "articleBody": "articlebody body content text article fulltext maintext maincontent bodytext "
    "contents contenttext textcontent plaintext cleantext",
    "articleBodyHtml": "articlebodyhtml html contenthtml bodyhtml htmlcontent htmlbody texthtml",
    "articleBodyMarkdown": "articlebodymarkdown markdown contentmarkdown bodymarkdown",
    "chunks": "chunks",
    "comments": "comments",
    "linkBlocks": "linkblocks",
    "canonicalUrl": "canonicalurl canonical canonicallink",
    "description": "description summary lead excerpt abstract teaser intro standfirst",
    "mainImage": "mainimage image imageurl leadimage topimage coverimage thumbnail "
    "thumbnailurl featuredimage imgurl img",
    "images": "images",
    "datePublished": "datepublished published publishedat publisheddate publishdate "
    "publicationdate pubdate publishtime publishedtime pubtime publisheddatetime posted postedat "
    "postdate posttime datetime date",
    "dateModified": "datemodified modified modifiedat modifieddate lastmodified updated "
    "updateddate lastupdated",
    "authors": "authors author byline authorname authornames writer writers creator creators",
    "inLanguage": "inlanguage language lang languagecode",
    "keywords": "keywords tags keyword",
    "webclean": "webclean",
}
_FIELD_OF = {name: field for field, names in KNOWN_NAMES.items() for name in names.split()}
_RANK = {name: rank for names in KNOWN_NAMES.values() for rank, name in enumerate(names.split())}
#: What may stand before such a name: ``article_title``, ``newsUrl``.
_OF_ARTICLES = ("article", "news", "post", "story")
#: Names with one of these words are those of goods or jobs.
_GOODS = frozenset("price prices sku gtin ean upc isbn asin mpn brand availability salary".split())
#: Names of a dict that tells of a page, but not of an article: checks of links, films, files.
_OTHERS = frozenset(
    "status statuscode referer referrer rating ratings phone telephone email imageurls fileurls "
    "links company companyname cost".split()
)
#: An item with one of these fields, or with a name that the settings give to one, is an article's.
BODY_FIELDS = ("articleBody", "articleBodyHtml", "webclean")
_WORD = re.compile("[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_NOT_PLAIN = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Places:
    """The names of an item's fields for the fields of an article."""

    #: By the field of the article, the name that is filled first.
    names: Mapping[str, tuple[str, ...]]
    is_named: bool  # by our own names or the settings, which leave no doubt
    goods: str  # a name as only goods have it
    others: str  # a name that no article has, where the item is nothing but a dict
    closed: frozenset[str]  # fields of an article that get no place

    @property
    def has_body(self) -> bool:
        """True if the item has a field for the text, its HTML or the record."""
        return any(name in self.names for name in BODY_FIELDS)

    @property
    def known(self) -> frozenset[str]:
        """All names of the item that are those of a field of an article."""
        return frozenset[str]().union(*self.names.values())

    @property
    def is_plain(self) -> bool:
        """True if neither body nor authors have the form of zyte-common-items."""
        return self.names.get("articleBody", ("articleBody",))[0] != "articleBody"

    def value(self, adapter: ItemAdapter, field: str) -> Any:
        """Return the value of *field* in *adapter*, or None."""
        values = (adapter.get(name) for name in self.names.get(field, ()))
        return next((value for value in values if not is_empty(value)), None)

    def text(self, adapter: ItemAdapter, field: str) -> str:
        """Return the value as text, lists (of ItemLoaders) joined by line breaks."""
        return text_value(self.value(adapter, field)) or ""

    def as_article(self, adapter: ItemAdapter) -> dict[str, Any]:
        """Return an item's values under the names of article fields; others unchanged."""
        values = dict(adapter)
        for own, names in self.names.items():
            filled = (name for name in names if not is_empty(values.get(name)))
            name = next(filled, names[0])
            if name != own and name in values and is_empty(values.get(own)):
                values[own] = values.pop(name)
        return values


@lru_cache(maxsize=512)
def places_of(keys: tuple[object, ...], given: tuple[tuple[str, str | None], ...] = ()) -> Places:
    """Return the places in an item with *keys*; *given*: names from settings.

    >>> places_of(("link", "Title", "newsContent")).names
    {'url': ('link',), 'headline': ('Title',), 'articleBody': ('newsContent',)}
    """
    names = [key for key in keys if isinstance(key, str)]  # a row of a table has others
    said = {_plain(name): field for name, field in given}
    if "imageurls" in map(_plain, names):  # Scrapy's pipeline writes what it has downloaded
        said.setdefault("images", None)
    found: dict[str, list[tuple[int, str]]] = {}
    for name in names:
        plain = _plain(name)
        if plain in said:
            field, rank = said[plain], -1
        else:
            after_word = (plain.removeprefix(word) for word in _OF_ARTICLES)
            known = next((one for one in (plain, *after_word) if one in _FIELD_OF), "")
            field, rank = _FIELD_OF.get(known), _RANK.get(known, 0)
        if field:
            found.setdefault(field, []).append((rank, name))
    places = {field: tuple(name for _, name in sorted(ranked)) for field, ranked in found.items()}
    named = (places.get(field, ("",))[0] for field in BODY_FIELDS)
    is_named = any(name in BODY_FIELDS or said.get(_plain(name)) for name in named)
    goods = (name for name in names if not _GOODS.isdisjoint(map(str.lower, _WORD.findall(name))))
    things = _OTHERS if "headline" in places else {*_OTHERS, "name"}  # an article has a title
    others = (name for name in names if _plain(name) in things)
    closed = frozenset(field for field in KNOWN_NAMES if said.get(_plain(field), field) is None)
    return Places(places, is_named, next(goods, ""), next(others, ""), closed.difference(places))


def _plain(name: str) -> str:
    """Return *name* in lower case, without separators."""
    return _NOT_PLAIN.sub("", name).lower()


def is_empty(value: object) -> bool:
    """True if a field is empty; blank texts, and lists of these, are empty."""
    if isinstance(value, str):
        return not value.strip()
    if isinstance(value, list | tuple):
        return all(is_empty(one) for one in value)
    try:
        return not value
    except (TypeError, ValueError):  # such as an array of numbers
        return False


def text_value(value: object) -> str | None:
    """Return the text of a field; None for other values."""
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple) and value and all(isinstance(one, str) for one in value):
        return "\n".join(value)
    return None
