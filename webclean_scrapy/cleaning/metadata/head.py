"""Metadata declared by a page: in its head, before scripts are dropped, and on elements.

Values are returned as written; `title`, `dates`, `authors`, `outlet` and `language` interpret them.
Open Graph, schema.org (JSON-LD; ``itemprop``: HTML Living Standard, 5 Microdata), ``rel="author"``
(microformats), Dublin Core and what Chinese portals use.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import resources
from itertools import chain, islice
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from webclean_scrapy.cleaning.metadata.json_ld import (
    is_article,
    read_authors,
    read_images,
    read_json_ld,
    squeeze,
    strings,
    types_of,
)
from webclean_scrapy.cleaning.page.units import letters

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from lxml.etree import _Element

    from webclean_scrapy.cleaning.page.table import PageTable
    from webclean_scrapy.cleaning.page.walk import Elements

MAX_CONTENT = 2_000  # characters of one meta tag; no title, date or name is longer
MAX_ELEMENTS = 2_000  # meta, link, title and script elements that are looked at
_MAX_LANGUAGE = 35  # characters: the longest language tag that is valid everywhere

_NAMES_KEPT = 1_024  # pages of one site write the same ones again
MAX_MARKED = 200  # elements that are looked at
MAX_TEXT = 200  # characters of one value; no name or date is longer
MAX_INSIDE = 1_000  # texts and elements in one of them
MAX_LEVELS = 100  # above one of them; the deepest of 960 labelled pages had 51

_SEPARATORS = str.maketrans("", "", "-_.:")  # "published_at", "published-at", "publishedAt"
# Prefixes of things beside the article, which have authors and dates of their own.
_NOT_OF_PAGE = re.compile(
    r"(?:og:)?(?:book|comment|event|fb|image|music|product|profile|review|smartbanner|twitter|video)[:._]"
)
_LAST_PART = re.compile(r"[:.]|^[a-z]{3,12}-")
_PREFIXED = re.compile(r"[^\s:.][:.][^\s:.]")

#: Elements that hold what a page declares, but for the types of its large elements.
HEAD_TAGS = ("meta", "link", "title", "script")
_LARGE = ("html", "body", "main", "article", "section", "div")
_MARKS = frozenset({"itemprop", "property", "rel"})
#: Things beside the article that have authors and dates of their own.
OTHERS = frozenset({"comment", "review", "hasPart", "relatedLink", "mentions", "citation"})

_PROPERTIES = {
    "dc:creator": "author", "dc:date": "datePublished", "dc:created": "datePublished",
    "dc:modified": "dateModified", "dcterms:creator": "author", "dcterms:issued": "datePublished",
    "dcterms:created": "datePublished", "dcterms:modified": "dateModified",
}  # fmt: skip

#: Names of meta elements by what they declare, the surest first, without what parts their words.
#: "*" is any prefix of a system; others' authors are of use where there are no others, labelled
#: ones are of a card, which labels them "Written by" or anything else.
_META = {
    role: tuple(dict.fromkeys(name.translate(_SEPARATORS) for name in names))
    for role, names in json.loads(
        resources.files(__package__).joinpath("meta_names.json").read_text("utf-8")
    ).items()
}
_LASTS = frozenset(name[1:] for names in _META.values() for name in names if name[0] == "*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The metadata that a page declares. Lists are in order of trust, without repetition."""

    titles: tuple[str, ...] = ()  # og:title, JSON-LD headline, other meta tags, <title> last
    site_name: str | None = None
    lang: str | None = None  # as written, such as "zh-CN"
    canonical: str | None = None  # as written: may be relative
    next_page: str | None = None  # as written
    description: str | None = None
    published: tuple[str, ...] = ()  # as written
    modified: tuple[str, ...] = ()  # as written
    images: tuple[str, ...] = ()  # addresses as written: may be relative
    authors: tuple[str, ...] = ()
    persons: tuple[str, ...] = ()  # authors that JSON-LD declares to be people
    singles: tuple[str, ...] = ()  # authors in tags that hold one, the family name first
    organizations: tuple[str, ...] = ()  # authors that it declares to be none
    sources: tuple[str, ...] = ()  # outlets the article is taken from
    publishers: tuple[str, ...] = ()  # of the page
    keywords: tuple[str, ...] = ()
    og_type: str | None = None  # such as "article", "website"
    types: tuple[str, ...] = ()  # of JSON-LD, such as "NewsArticle"
    marked_types: tuple[str, ...] = ()  # of microdata on large elements, such as "QAPage"
    article_bodies: tuple[str, ...] = ()  # of JSON-LD; often plain text of the whole body


def read_head(elements: Elements) -> Head:
    """Read the metadata of the head; call it before scripts are stripped.

    *elements* are not changed, nothing is raised. Cost: a JSON decoder's over its JSON-LD.
    """
    root = elements.root
    metas, titles, links, following, blocks = _collect(elements)
    nodes = read_json_ld(blocks)
    nodes = _without_others(nodes, (*metas.get("ogtitle", ()), *titles[:1]))
    articles = [node for node in nodes if is_article(node)]
    sites = [node for node in nodes if "WebSite" in types_of(node)]
    pages = [node for node in nodes if "WebPage" in types_of(node)]
    authors, persons, organizations = read_authors(nodes)
    declared = root.get("lang") or root.get("xml:lang") or ""
    return Head(
        titles=_unique(
            metas.get("ogtitle", ()), _values(articles, "headline"),
            _meta(metas, "titles"), titles[:1],
        ),
        site_name=_first(
            _meta(metas, "sites"), _values(articles, "publisher"), _values(sites, "name")
        ),
        lang=_first([declared.strip()[:_MAX_LANGUAGE]], _meta(metas, "languages")),
        canonical=_first(links, metas.get("ogurl", ())),
        next_page=_first(following),
        description=_first(_meta(metas, "descriptions"), _values(articles, "description")),
        published=_unique(
            _dates(articles, "datePublished"),
            _meta(metas, "published"),
            _dates(nodes, "datePublished"),
            _dates(articles, "dateCreated"),
        ),
        modified=_unique(
            _dates(articles, "dateModified"), _meta(metas, "modified"),
            _dates(pages, "dateModified"),
        ),
        images=_unique(_meta(metas, "images"), read_images(nodes)),
        authors=_unique(authors, _meta(metas, "authors"), _values(articles, "creator"))
        or _unique(_meta(metas, "other_authors"), _meta(metas, "labelled")),
        persons=_unique(persons),
        singles=_unique(_meta(metas, "one_author")),
        organizations=_unique(organizations),
        sources=_unique(_values(articles, "sourceOrganization"), _meta(metas, "sources")),
        publishers=_unique(_values(articles, "publisher"), _meta(metas, "publishers")),
        keywords=_unique(_meta(metas, "keywords"), _values(articles, "keywords")),
        og_type=_first(metas.get("ogtype", ())),
        types=_unique(name for node in nodes for name in types_of(node)),
        marked_types=_marked_types(elements),
        article_bodies=_unique(_values(articles, "articleBody")),
    )  # fmt: skip


def _without_others(nodes: list[dict[str, Any]], titles: Iterable[str]) -> list[dict[str, Any]]:
    """Return the *nodes* without articles that have another headline than the page.

    Of several articles of JSON-LD the others are related ones; of one nobody can tell.
    """
    if sum(map(is_article, nodes)) < 2:
        return nodes
    known = [letters(title) for title in titles]
    keys = [letters("".join(_values([node], "headline"))[:MAX_CONTENT]) for node in nodes]
    heads = [key for node, key in zip(nodes, keys, strict=True) if key and is_article(node)]
    own = {key for key in heads if any(key in title or title in key for title in known if title)}
    others = set(heads) - own if own else set()
    return [node for node, key in zip(nodes, keys, strict=True) if key not in others]


def _collect(
    elements: Elements,
) -> tuple[dict[str, list[str]], list[str], list[str], list[str], list[str]]:
    """Collect the meta contents by name, titles, canonical and next links, and JSON-LD."""
    metas: dict[str, list[str]] = {}
    titles: list[str] = []
    links: list[str] = []
    following: list[str] = []
    blocks: list[str] = []
    for element in islice(elements.tagged(*HEAD_TAGS), MAX_ELEMENTS):
        get = element.get
        if element.tag == "meta":
            if content := get("content"):
                for name in _names_of(*map(get, ("property", "name", "itemprop", "http-equiv"))):
                    metas.setdefault(name, []).append(squeeze(content[:MAX_CONTENT]))
        elif element.tag == "link":
            rel = (get("rel") or "").lower()
            if ("canonical" in rel or rel == "next") and (href := get("href")):
                (following if rel == "next" else links).append(href.strip())
        elif element.tag == "title":
            titles.append(squeeze((element.text or "")[:MAX_CONTENT]))
        elif "ld+json" in (get("type") or "").lower() and element.text:
            blocks.append(element.text)
    return metas, titles, links, following, blocks


@lru_cache(maxsize=_NAMES_KEPT)
def _names_of(
    prop: str | None, name: str | None, itemprop: str | None, equiv: str | None
) -> tuple[str, ...]:
    """Return the names in a meta element's attributes, in lower case, without word separators.

    A name of a system is there a second time without its prefix: ``*author``. RDFa and microdata
    allow several, parted by blanks. Blanks in ``name`` part names only where one has a prefix:
    "last modified date" is one name.
    """
    names = [prop or "", name or "", itemprop or ""]
    if not any(names):
        names = [equiv or ""]
        if names[0].lower() == "last-modified":  # when the page was built
            return ()
    elif " " in names[1].strip() and not _PREFIXED.search(names[1]):
        names[1] = names[1].strip().replace(" ", "_")
    written = " ".join(names).lower().replace("schema:", "").replace("dct:", "dcterms:").split()
    lasts = [
        f"*{last}"
        for name in written
        if (last := _LAST_PART.split(name)[-1].translate(_SEPARATORS)) in _LASTS
        and not _NOT_OF_PAGE.match(name)
    ]
    return tuple(dict.fromkeys((*(name.translate(_SEPARATORS) for name in written), *lasts)))


def _marked_types(elements: Elements) -> tuple[str, ...]:
    large = elements.tagged(*_LARGE)
    types = (element.get("itemtype") for element in islice(large, MAX_ELEMENTS))
    return _unique(name.rstrip("/").rsplit("/", 1)[-1] for name in types if name)


def _meta(metas: dict[str, list[str]], role: str) -> list[str]:
    """Return the contents of the meta tags with the names of a *role*, in their order."""
    return [content for name in _META[role] for content in metas.get(name, ())]


def _values(nodes: Iterable[dict[str, Any]], name: str) -> list[str]:
    return [text for node in nodes for text in strings(node.get(name))]


def _dates(nodes: Iterable[dict[str, Any]], name: str) -> list[str]:
    numbers = [str(node[name]) for node in nodes if type(node.get(name)) in (int, float)]
    return _values(nodes, name) + numbers


def _unique(*groups: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, chain(*groups))))


def _first(*groups: Iterable[str]) -> str | None:
    return next(filter(None, chain(*groups)), None)


def marked_elements(table: PageTable) -> list[_Element]:
    """Return the elements with ``itemprop`` or ``property``, and ``rel="author"``, in order.

    None if such ``meta`` elements alone have any, since `read_head` has read those: of these with
    ``itemprop`` only.
    """
    rows = {row for row, name, _ in table.attributes if name in _MARKS}
    found = [(row, True, table.node[row]) for row in rows]
    for row, element in table.unseen if rows else ():
        if element.get("itemprop") or (element.tag == "link" and element.get("property")):
            found.append((row, False, element))
    found.sort(key=itemgetter(0, 1))
    return [element for *_, element in found]


def with_marked(
    head: Head,
    elements: Iterable[_Element],
    is_others: Callable[[_Element], bool] = lambda _: False,
    *,
    is_forum: bool = False,
) -> Head:
    """Return *head* with the values of *elements*, in document order, behind its own.

    Of each name those of the page's first element count, and those beside it, not where the
    element *is_others*; the first post of a forum is in a list of posts, which have dates, too.
    """
    names_read = ("author", "datePublished", "publisher", "dateModified")
    values: dict[str, dict[str, None]] = {name: {} for name in names_read}
    place: dict[str, object] = {}
    for element in islice(elements, MAX_MARKED):
        name = next((name for name in _properties(element) if name in values), None)
        if name is None or _is_others(element) or not (value := _value(element)):
            continue
        if name == "author" and head.authors:
            continue
        if (name == "author" or not is_forum) and is_others(element):
            continue
        # Teasers and comments further down have authors too: those beside the first count.
        if place.setdefault(name, element.getparent()) is element.getparent():
            values[name][value] = None
    return replace(
        head,
        authors=head.authors or tuple(values["author"]),
        published=(*head.published, *values["datePublished"]),
        publishers=(*head.publishers, *values["publisher"]),
        modified=(*head.modified, *values["dateModified"]),
    )


def _is_others(element: _Element) -> bool:
    """True if *element* is part of a comment or another nested item."""
    above = islice(element.iterancestors(), MAX_LEVELS)
    names = (get(key) for get in (e.get for e in above) for key in ("itemprop", "property"))
    return any(not OTHERS.isdisjoint(name.split()) for name in names if name)


def _properties(element: _Element) -> list[str]:
    """Return the names of an element in microdata or RDFa, with Dublin Core's as schema.org's."""
    get = element.get
    names = " ".join(filter(None, (get("itemprop"), get("property"), get("rel")))).split()
    return [_PROPERTIES.get(name, name.removeprefix("schema:")) for name in names]


def _value(element: _Element) -> str:
    """Return an element's value: its ``name``, its value attribute, or its text."""
    for inner in islice(element.iterdescendants(), MAX_INSIDE):
        properties = (inner.get("itemprop"), (inner.get("property") or "").rpartition(":")[2])
        if "name" in properties:  # of schema.org or FOAF
            element = inner
            break
    written = element.get("content") or element.get("datetime")
    text = squeeze(written or "".join(map(str, islice(element.itertext(), MAX_INSIDE))))
    return text if len(text) <= MAX_TEXT else ""
