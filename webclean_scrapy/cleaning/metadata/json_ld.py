"""Metadata in JSON-LD (schema.org), malformed blocks included.

In the wild: comment and CDATA wrappers, control characters in strings, backslashes that escape
nothing, HTML entities, commas before a closing bracket, objects in a row, arrays, ``@graph``.
Of a block that is no JSON after that (comments, unescaped quotes, missing commas, cut off) the
article's headline, dates and authors are read by their names; nothing is raised.
"""

from __future__ import annotations

import json
import re
from functools import partial
from html import unescape
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

MAX_CHARACTERS = 300_000  # of one block; longer ones are left out
MAX_NODES = 500  # of all blocks of a page; later ones are left out
MAX_VALUES = 50  # of one property
MAX_BROKEN = 500  # characters of a text in a block that is no JSON

_WRAPPER = re.compile(r"\A\s*(?:<!--|/\*\s*<!\[CDATA\[\s*\*/|//\s*<!\[CDATA\[|<!\[CDATA\[)\s*")
_WRAPPER_END = re.compile(r"(?:-->|/\*\s*\]\]>\s*\*/|//\s*\]\]>|\]\]>|;)\Z")
_BAD_ESCAPE = re.compile(r'\\(?:u(?![0-9a-fA-F]{4})|[^"\\/bfnrtu])')
_LAST_COMMA = re.compile(r",\s*(?=[}\]])")
_HEX_ESCAPE = re.compile(r"\\x([0-9a-fA-F]{2})")  # of JavaScript
_DECODER = json.JSONDecoder(strict=False)  # control characters in strings are no error

# A property of an object that is no JSON, and where its value ends: a quotation mark ends a text
# only where the next property, a bracket, a comment or nothing follows.
_QUOTE, _KEY = "[\"']", "[\"'][@\\w:-]{1,40}[\"']\\s*:"
_TEXT = (
    rf"(?P<quote>{_QUOTE})(?P<text>.{{1,{MAX_BROKEN}}}?)(?P=quote)"
    rf"(?=\s*(?:,\s*(?:{_KEY}|[]}}/]|\Z)|{_KEY}|[]}}/;]|\Z))"
)
_PROPERTY = {
    name: re.compile(rf"{_QUOTE}{name}{_QUOTE}\s*:\s*(?:{_TEXT}|(?P<inner>[{{[]))", re.DOTALL)
    for name in ("headline", "datePublished", "dateModified", "author")
}
_NAME = re.compile(rf"{_QUOTE}name{_QUOTE}\s*:\s*{_TEXT}", re.DOTALL)
_ARTICLE = re.compile(
    rf"{_QUOTE}@type{_QUOTE}\s*:\s*(?:\[\s*)?{_QUOTE}(?P<type>\w{{0,40}}(?:Article|Posting|Report)){_QUOTE}"
)
#: What has authors and dates of its own.
_OTHERS = re.compile(rf"{_QUOTE}(?:comment|review|hasPart|mentions|citation|isPartOf){_QUOTE}\s*:")

_ADDRESSES = frozenset({"contentUrl", "url"})  # of a picture; properties that hold it
_INNER = ("@graph", "mainEntity", "mainEntityOfPage", "hasPart")


def read_json_ld(blocks: Iterable[str]) -> list[dict[str, Any]]:
    """Return the objects with a type, articles first, else in document order.

    Cost: linear in the text of the blocks.

    >>> read_json_ld(['<!-- [{"@type": "NewsArticle", "headline": "T",}] -->'])
    [{'@type': 'NewsArticle', 'headline': 'T'}]
    """
    nodes: list[dict[str, Any]] = []
    for block in blocks:
        if len(nodes) >= MAX_NODES:
            break
        nodes.extend(_objects(_load(block), MAX_NODES - len(nodes)))
    return sorted(nodes, key=lambda node: not is_article(node))  # sorting is stable


def types_of(node: dict[str, Any]) -> list[str]:
    """Return the type names of *node*, without their namespace."""
    return [name.rsplit("/", 1)[-1] for name in strings(node.get("@type"))]


def is_article(node: dict[str, Any]) -> bool:
    """True if *node* is an article or a post (``NewsArticle``, ``BlogPosting`` ...)."""
    return any(name.endswith(("Article", "Posting", "Report")) for name in types_of(node))


def read_authors(nodes: list[dict[str, Any]]) -> tuple[list[str], list[str], list[str]]:
    """Return the authors of the articles among *nodes*, or else of the pages.

    All of them, those it declares to be persons, and those that it declares to be organizations.

    An author that is referred to by its ``@id`` is looked up among the nodes.
    """
    found = _of_articles(nodes, "author", frozenset({"name", "givenName"}))
    persons, organizations = (
        [text for item in found if _is_a(kind, item) for text in strings(item)]
        for kind in ("Person", "Organization")
    )
    return strings(found), persons, organizations


def read_images(nodes: list[dict[str, Any]]) -> list[str]:
    """Return the image URLs of the articles, or of the pages, among *nodes*."""
    urls: list[str] = []
    for item in _of_articles(nodes, "image", _ADDRESSES):
        at = [item.get(name) for name in sorted(_ADDRESSES)] if isinstance(item, dict) else [item]
        urls += strings(at)[:1]
    return urls


def _of_articles(nodes: list[dict[str, Any]], name: str, needed: frozenset[str]) -> list[object]:
    """Return the values of property *name* of the articles among *nodes*, or else of the pages.

    What is referred to by its ``@id`` is looked up among the nodes that have a property of
    *needed*.
    """
    known = {
        at: node
        for node in nodes
        if isinstance(at := node.get("@id"), str) and not needed.isdisjoint(node)
    }
    for is_wanted in (is_article, partial(_is_a, "Page")):
        values = (node.get(name) for node in nodes if is_wanted(node))
        lists = (value[:MAX_VALUES] if isinstance(value, list) else [value] for value in values)
        if items := [item for item in chain.from_iterable(lists) if item]:
            return [_resolved(item, known) for item in items]
    return []


def _resolved(item: object, known: Mapping[str, dict[str, Any]]) -> object:
    at = item.get("@id") if isinstance(item, dict) else None
    return known.get(at, item) if isinstance(at, str) else item


def _is_a(kind: str, item: object) -> bool:
    """True if a value is an object with a type of the *kind*."""
    return isinstance(item, dict) and any(name.endswith(kind) for name in types_of(item))


def strings(value: object) -> list[str]:
    """Return the texts in *value*: a string, the items of a list, the ``name`` of an object.

    Of a person the given and the family name will do.

    Entities are resolved and white space is squeezed; empty texts are left out.
    """
    texts: list[str] = []
    waiting = [value]
    seen = 0
    while waiting and seen < MAX_VALUES:
        seen += 1
        item = waiting.pop(0)
        if isinstance(item, str):
            # Escapes of JSON can make lone surrogates and NUL, which nothing can store.
            clean = item.encode(errors="replace").decode().replace("\0", "")
            if text := squeeze(clean):
                texts.append(text)
        elif isinstance(item, list):
            waiting[:0] = item[:MAX_VALUES]
        elif isinstance(item, dict):
            both = [item.get(name) for name in ("givenName", "familyName")]
            whole = " ".join(name for name in both if isinstance(name, str))
            inner = (item.get(name) for name in ("@value", "@list", "author"))
            waiting.insert(0, item.get("name") or whole or next(filter(None, inner), None))
    return texts


def squeeze(text: str) -> str:
    """Return *text* with entities resolved and white space collapsed."""
    if "&" in text:
        text = unescape(text)
    return " ".join(text.split())


def _load(block: str) -> list[Any]:
    """Return the JSON values of *block*, repaired if necessary; at least those before an error."""
    if len(block) > MAX_CHARACTERS:
        return []
    text = block.replace("\ufeff", "").strip()
    if text[-1:] not in "}]":  # else nothing wraps its end, which takes long to look for
        text = _WRAPPER_END.sub("", text)
    text = _WRAPPER.sub("", text)
    values, whole = _decode_all(text)
    if whole:
        return values
    repaired = _HEX_ESCAPE.sub(r"\\u00\1", text).replace("\\'", "'")
    repaired = _LAST_COMMA.sub("", _BAD_ESCAPE.sub(lambda match: "\\" + match.group(), repaired))
    better, whole = _decode_all(repaired)
    if not whole and "&quot;" in text:
        better, whole = _decode_all(unescape(text))
    return (better or values) if whole else [*(better or values), *_read_broken(text)]


def _read_broken(text: str) -> Iterator[dict[str, Any]]:
    """Yield properties of the first article in *text*, which is invalid JSON."""
    article = _ARTICLE.search(text)
    if article is None:
        return
    others = _OTHERS.search(text, article.end())
    stop = others.start() if others else len(text)
    node: dict[str, Any] = {"@type": article["type"]}
    for name, pattern in _PROPERTY.items():
        found = pattern.search(text, article.end(), stop) or pattern.search(
            text, 0, article.start()
        )
        if found:
            node[name] = _unescaped(found) if found["text"] else _inner(text, found.end() - 1, stop)
    yield node


def _inner(text: str, at: int, stop: int) -> object:
    """Return the object or list at a position of *text*, or else the names in it."""
    try:
        return _DECODER.raw_decode(text, at)[0]
    except (ValueError, RecursionError):
        end = text.find("}" if text[at] == "{" else "]", at, stop)
        names = _NAME.finditer(text, at, end + 1 if end >= 0 else stop)
        return [{"@type": "Person", "name": _unescaped(name)} for name in islice(names, MAX_VALUES)]


def _unescaped(found: re.Match[str]) -> str:
    text = found["text"]
    try:
        return str(_DECODER.decode(f'"{text}"')) if "\\" in text else text
    except ValueError:
        return text


def _decode_all(text: str) -> tuple[list[Any], bool]:
    """Return the consecutive JSON values in *text*, and whether all of it was read."""
    values: list[Any] = []
    at = 0
    while len(values) < MAX_NODES:
        while at < len(text) and text[at] in " \t\r\n,;":
            at += 1
        if at == len(text):
            return values, True
        try:
            value, at = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            return values, False
        values.append(value)
    return values, True


def _objects(values: list[Any], limit: int) -> Iterator[dict[str, Any]]:
    """Yield the objects with a type in *values* and inside their lists and graphs, in order."""
    waiting = values[::-1]
    seen = 0
    while waiting and seen < limit:
        seen += 1
        value = waiting.pop()
        if isinstance(value, list):
            waiting.extend(reversed(value[:limit]))
        elif isinstance(value, dict):
            if "@type" in value:
                yield value
            waiting.extend(value[name] for name in reversed(_INNER) if name in value)
