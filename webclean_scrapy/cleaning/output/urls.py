"""URLs of clean HTML: absolute, with safe schemes, pictures at their final address."""

from __future__ import annotations

import json
import re
from itertools import islice
from typing import TYPE_CHECKING

from webclean_scrapy.web_addresses import join

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element

    from webclean_scrapy.cleaning.page.table import PageTable

_READ = 10_000  # characters of an attribute
LINK_SCHEMES = frozenset({"http", "https", "mailto", "tel", "ftp"})
IMAGE_SCHEMES = frozenset({"http", "https"})

# What browsers take out of a URL before they read it: "java\nscript:" runs.
_INVISIBLE = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
_WHOLE = re.compile(r"https?://\w").match  # has nothing to join: joining takes 6 us
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_JSON = frozenset("{[")
#: Where scripts that load pictures late keep the address that comes in the place of ``src``.
_IN_PLACE = frozenset({"data-src", "data-lazy-src", "data-original"})
#: And in names of other attributes with an address of a picture.
_LATE = re.compile(r"src(?!set)|lazy|original|file|echo")
_IS_ADDRESS = re.compile(r"(?:https?:)?//|/\w|[^\s{}\[\]]+\.(?:jpe?g|png|webp|avif|gif)\b")
_FILES = re.compile(r"(?:https?:)?//[^\s\"',\[\]{}]{1,500}\.(?:jpe?g|png|webp|avif|gif)\b")
_NUMBER = re.compile(r"\d{1,5}")
_CANDIDATE = re.compile(
    r"(?<![^\s,])([^\s,]\S*[^\s,])(?:\s+(\d{1,6}(?:\.\d{1,4})?)[wx])?\s*(?:,|\Z)"
)
_BLANK = re.compile(
    r"(?:^|/)(?:blank|spacer|placeholder|loading|lazy|gr[ea]y|transparent|1x1|clear|pixel(?=\.))"
    r"(?:blank|spacer|placeholder|load|icon|image|img|bg|[-_x\d])*\.(?:gif|png|svg)"
    r"(?:$|[?#])",
    re.IGNORECASE,
)


def absolute_url(url: str, base_url: str | None, schemes: frozenset[str] = LINK_SCHEMES) -> str:
    r"""Return *url* joined with *base_url*; empty for unsafe schemes (``javascript:``).

    Without *base_url* a relative URL stays as it is.

    >>> absolute_url("b.html", "http://example.com/a/"), absolute_url("java\tscript:x()", None)
    ('http://example.com/a/b.html', '')
    """
    url = _INVISIBLE.sub("", url).strip()
    if base_url and not _WHOLE(url):
        url = join(base_url, url)
    scheme = _SCHEME.match(url)
    return url if scheme is None or scheme[1].lower() in schemes else ""


def base_url(table: PageTable, url: str | None) -> str | None:
    """Return the base of relative URLs in a page at *url*: its first ``base``, or *url*.

    >>> from webclean_scrapy.cleaning.page.parse import parse
    >>> from webclean_scrapy.cleaning.page.table import build_table
    >>> base_url(build_table(parse("<base href=/site/>")), "http://example.com/a/b")
    'http://example.com/site/'
    """
    if "base" not in table.counts:
        return url
    for tag, node in zip(table.tag, table.node, strict=True):
        if tag == "base" and (href := node.get("href")):
            base = absolute_url(href, url, IMAGE_SCHEMES)
            return base if _SCHEME.match(base) else url
    return url


def image_url(node: _Element, base: str | None) -> str:
    """Return the absolute URL of the picture shown by an ``img``, or "".

    The largest of those to select from; that which scripts put in the place of another.
    """
    source = (node.get("src") or "").strip()
    for address in filter(None, _addresses(node, source)):
        url = absolute_url(address, base, IMAGE_SCHEMES)
        if url and url != base and (address == source or not _is_placeholder(url)):
            return url
    return ""


def _addresses(node: _Element, source: str) -> Iterator[str]:
    """Yield what may be the address of an ``img`` with the ``src`` *source*, likeliest first."""
    values = [(name, value.strip()) for name, value in node.items()]
    yield from (_largest(value) for name, value in values if "srcset" in name)
    above = next((one for one in node.iterancestors() if one.tag != "source"), node)  # none closed
    for one in islice(above.iter("source"), 20) if above.tag == "picture" else ():
        yield from (_largest(value) for name, value in one.items() if "srcset" in name)
    in_place = (value for name, value in values if name in _IN_PLACE)
    yield from (_largest_in_json(value) if "{" in value else value for value in in_place)
    if not _is_placeholder(source):
        yield source
    yield from (
        value
        for name, value in values
        if (_LATE.search(name) and name != "src" and _IS_ADDRESS.match(value))
        or _FILES.match(value)
    )
    yield from (_largest_in_json(value) for _, value in values if value[:1] in _JSON)
    yield source


def _largest(candidates: str) -> str:
    """Return the URL of the largest picture in a ``srcset``.

    >>> _largest("a.jpg 480w, b.jpg 960w, c.jpg"), _largest("a,b.jpg 1x, c,d.jpg 2x")
    ('b.jpg', 'c,d.jpg')
    """
    pictures: list[tuple[str, str]] = _CANDIDATE.findall(candidates[:_READ])
    return max(pictures, key=lambda picture: float(picture[1] or 1), default=("", ""))[0]


def _largest_in_json(value: str) -> str:
    """Return the URL of the largest picture in JSON: by its number, or the last one.

    >>> _largest_in_json('{"320": "/s.jpg", "1280": "/l.jpg"}')
    '/l.jpg'
    >>> _largest_in_json('[{"url": "/l.jpg", "w": 1024}, {"url": "/s.jpg", "w": 320}]')
    '/l.jpg'
    """
    try:
        inner = [json.loads(value[:_READ])]
    except (ValueError, RecursionError):
        inner = [_FILES.findall(value[:_READ])]
    pictures: list[tuple[int, int, str]] = []  # size, place, address
    while inner:
        part = inner.pop(0)
        pairs = list(part.items() if isinstance(part, dict) else enumerate(part))
        sizes = [one for _, one in pairs if isinstance(one, int)]
        for name, one in pairs:
            if is_group := isinstance(one, (dict, list)):
                inner.append(one)
            address = name if is_group else one  # or one with a descriptor
            if isinstance(address, str) and _IS_ADDRESS.match(address):
                named = _NUMBER.match(name) if isinstance(name, str) else None
                size = int(named[0]) if named else max(sizes, default=0)
                pictures.append((size, len(pictures), address))
    return max(pictures, default=(0, 0, ""))[2]


def is_blank(address: str) -> bool:
    """True if the file of a picture is called so that it can show nothing."""
    return _BLANK.search(address) is not None


def _is_placeholder(source: str) -> bool:
    return source[:6].lower().startswith(("data:", "about:")) or is_blank(source)
