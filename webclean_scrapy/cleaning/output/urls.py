"""URLs of clean HTML: absolute, of harmless schemes, pictures at their final address."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urljoin

if TYPE_CHECKING:
    from lxml.etree import _Element

    from webclean_scrapy.cleaning.page.table import PageTable

LINK_SCHEMES = frozenset({"http", "https", "mailto", "tel", "ftp"})
IMAGE_SCHEMES = frozenset({"http", "https"})

# What browsers take out of a URL before they read it: "java\nscript:" runs.
_INVISIBLE = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
_WHOLE = re.compile(r"https?://\w").match  # has nothing to join: joining takes 6 us
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
# Where scripts that load pictures late keep the address.
_LAZY = (
    "data-src", "data-original", "data-lazy-src", "data-original-src", "data-actualsrc",
    "data-lazyload", "data-echo", "data-url", "zoomfile", "file", "_src",
)  # fmt: skip
# For lower case: to ignore the case in a search takes nine times as long.
_PLACEHOLDER = re.compile(
    r"(?:blank|spacer|placeholder|place_holder|loading|lazy\w{0,20}|grey|gray|pixel"
    r"|transparent|none|default|1x1|dot|clear)[\w.-]{0,20}\.(?:gif|png|svg|jpe?g|webp)(?:$|[?#])"
)


def absolute_url(url: str, base_url: str | None, schemes: frozenset[str] = LINK_SCHEMES) -> str:
    r"""Return *url* against *base_url*; empty for what must not be kept (``javascript:``).

    Without *base_url* a relative URL stays as it is.

    >>> absolute_url("b.html", "http://example.com/a/"), absolute_url("java\tscript:x()", None)
    ('http://example.com/a/b.html', '')
    """
    url = _INVISIBLE.sub("", url).strip()
    if base_url and not _WHOLE(url):
        try:
            url = urljoin(base_url, url)
        except ValueError:  # a broken IPv6 host, say
            return ""
    scheme = _SCHEME.match(url)
    return url if scheme is None or scheme[1].lower() in schemes else ""


def base_url(table: PageTable, url: str | None) -> str | None:
    """Return the base of relative URLs in a page at *url*: its first ``base``, or *url*.

    >>> from webclean_scrapy.cleaning.page.parse import parse
    >>> from webclean_scrapy.cleaning.page.table import build_table
    >>> base_url(build_table(parse("<base href=/site/>")), "http://example.com/a/b")
    'http://example.com/site/'
    """
    if "base" not in table.tag:
        return url
    for tag, node in zip(table.tag, table.node, strict=True):
        if tag == "base" and (href := node.get("href")):
            base = absolute_url(href, url, IMAGE_SCHEMES)
            return base if _SCHEME.match(base) else url
    return url


def image_url(node: _Element, base: str | None) -> str:
    """Return the absolute URL of the picture that an ``img`` shows in the end; empty for none."""
    source = (node.get("src") or "").strip()
    if not source or _is_placeholder(source):
        for written in filter(None, map(node.get, _LAZY)):
            late = absolute_url(written, base, IMAGE_SCHEMES)
            if late and late != base:
                return late
    return absolute_url(source, base, IMAGE_SCHEMES) if source else ""


def _is_placeholder(source: str) -> bool:
    """True if scripts replace a picture: it is written out, or its file is called so."""
    source = source.lower()
    return source.startswith(("data:", "about:")) or bool(_PLACEHOLDER.search(source))
