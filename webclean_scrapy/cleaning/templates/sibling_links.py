"""Choose links to pages of the same template, by URLs alone.

Song et al. 2011 (papers.md) take "a similar page of the same site" from the page's own links. Our
choice (reconstructed: the paper does not print how): the same origin, the same *shape* of URL or,
behind those, the same *family*; not a list, and not the same article under another address.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from webclean_scrapy.cleaning.part_links import goes_on_at
from webclean_scrapy.cleaning.templates.url_shapes import (
    UrlParts,
    family_of,
    is_list_parts,
    same_article,
    shape_of,
    split_url,
)
from webclean_scrapy.web_addresses import is_web, join

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_LINKS = 3_000  # links looked at; a page of more is a list
MAX_URL_LENGTH = 2_000  # characters; servers refuse longer ones

_is_absolute = re.compile("[A-Za-z]+://").match
_NOT_PAGES = frozenset(
    ".css .js .json .xml .rss .jpg .jpeg .png .gif .webp .svg .ico .pdf .doc .docx .xls .xlsx"
    " .ppt .zip .rar .gz .exe .apk .mp3 .mp4 .avi .txt .csv .woff .woff2".split()
)


class _Rank(NamedTuple):
    """How a link compares with others, the smallest first."""

    has_other_shape: bool
    has_other_form: bool  # digits, where its page has none, or none
    apart: int  # directories in common, negative
    difference: int  # in length


def rank_siblings(links: Iterable[str], url: str, base: str | None = None) -> list[str]:
    """Return the links of the page at *url* that may share its template, the likeliest first.

    *links* may be relative, to *base* or *url*, and broken; at most 3,000 are looked at. None for a
    list page. Cost: O(links), sorted.
    """
    own = split_url(url)
    if own is None or is_list_parts(own):
        return []
    shape, family = shape_of(own), family_of(own)
    host = own.origin.partition("://")[2].partition(":")[0]
    ranks: dict[str, _Rank] = {}  # of equal ones the first link is first
    for link in dict.fromkeys(islice(links, MAX_LINKS)):
        if _is_absolute(link) and host not in link.lower():
            continue
        joined = _page_link(base or url, link)
        parts = None if joined in ranks else split_url(joined)
        if parts is None or not _may_be_sibling(own, parts):
            continue
        is_like = shape_of(parts) == shape
        if (is_like or (family and family_of(parts) == family)) and not goes_on_at(url, joined):
            has_other_form = not is_like and _has_digit(own.name) != _has_digit(parts.name)
            difference = abs(len(own.name) - len(parts.name))
            common = _common_directories(own, parts)
            ranks[joined] = _Rank(not is_like, has_other_form, -common, difference)
    return sorted(ranks, key=ranks.__getitem__)


def _may_be_sibling(own: UrlParts, other: UrlParts) -> bool:
    """True if the link to *other* may lead to another article of the site of *own*."""
    return (
        other.origin == own.origin
        and other.extension not in _NOT_PAGES
        and not is_list_parts(other)
        and not same_article(own, other)
    )


def _has_digit(name: str) -> bool:
    return any("0" <= sign <= "9" for sign in name)


def _page_link(base: str, link: str) -> str:
    """Return *link* absolute and without fragment; "" if it is no web page."""
    if len(link) > MAX_URL_LENGTH:
        return ""
    joined = join(base, link).partition("#")[0]
    return joined if is_web(joined) else ""


def _common_directories(own: UrlParts, other: UrlParts) -> int:
    common = 0
    for left, right in zip(own.above, other.above, strict=False):
        if left != right:
            break
        common += 1
    return common
