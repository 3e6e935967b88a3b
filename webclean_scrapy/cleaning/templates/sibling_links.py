"""Choose links that lead to pages of the same template, by URLs alone.

Song et al. 2011 (papers.md) take "a similar page of the same site" from the page's own links. Our
choice (reconstructed: the paper does not print how): the same origin, the same *shape* of URL, not
a list, and not the same article under another address.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.part_links import goes_on_at
from webclean_scrapy.cleaning.templates.url_shapes import (
    UrlParts,
    is_list_parts,
    leaf_pattern,
    same_article,
    shape_of,
    split_url,
)
from webclean_scrapy.web_addresses import join

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

MAX_LINKS = 3_000  # links looked at; a page of more is a list
MAX_URL_LENGTH = 2_000  # characters; servers refuse longer ones

_NOT_PAGES = frozenset(
    ".css .js .json .xml .rss .jpg .jpeg .png .gif .webp .svg .ico .pdf .doc .docx .xls .xlsx"
    " .ppt .zip .rar .gz .exe .apk .mp3 .mp4 .avi .txt .csv .woff .woff2".split()
)


def rank_siblings(
    links: Iterable[str],
    url: str,
    *,
    failed: Container[str] = (),
    asked: Container[str] = (),
    suspects: Container[str] = (),
) -> list[str]:
    """Return the links of the page at *url* that may lead to its template, likely ones first.

    *links* may be relative to *url* and broken; at most 3,000 are looked at. Those in *failed* and
    *asked*, absolute URLs, are left out; those whose `leaf_pattern` is among *suspects*, of links
    that were refused before, come last. None for a list page. Cost: O(links), sorted.
    """
    own = split_url(url)
    if own is None or is_list_parts(own):
        return []
    shape = shape_of(own)
    ranks: dict[str, tuple[bool, int, int]] = {}  # of equal ones the first link is first
    for link in islice(links, MAX_LINKS):
        joined = _page_link(url, link)
        parts = None if joined in ranks else split_url(joined)
        if parts is None or joined in failed or joined in asked:
            continue
        if _may_be_sibling(own, parts, shape) and not goes_on_at(url, joined):
            is_suspect = bool(suspects) and leaf_pattern(joined) in suspects
            difference = abs(len(own.leaf) - len(parts.leaf))
            ranks[joined] = (is_suspect, -_common_directories(own, parts), difference)
    return sorted(ranks, key=ranks.__getitem__)


def _may_be_sibling(own: UrlParts, other: UrlParts, shape: str) -> bool:
    """True if the link to *other* may lead to another page of the template of *own*."""
    return (
        other.origin == own.origin
        and other.extension not in _NOT_PAGES
        and not is_list_parts(other)
        and not same_article(own, other)
        and shape_of(other) == shape
    )


def _page_link(base: str, link: str) -> str:
    """Return *link* made absolute and without its fragment; "" when it leads to no web page."""
    if len(link) > MAX_URL_LENGTH:
        return ""
    joined = join(base, link).partition("#")[0]
    return joined if joined.startswith(("http://", "https://")) else ""


def _common_directories(own: UrlParts, other: UrlParts) -> int:
    common = 0
    for left, right in zip(own.directories, other.directories, strict=False):
        if left != right:
            break
        common += 1
    return common
