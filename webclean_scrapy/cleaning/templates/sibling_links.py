"""Which link of a page leads to a page of the same template, judged by URLs alone.

"A similar page of the same site, from the page's own links" after Song, Zhi, Zhou, Luo, An:
LCS-based feature tree maximum similarity matching for web page denoising. Video Engineering
2011(13). The paper does not say how the link is chosen; this is ours: the same origin, the same
*shape* of URL, not a list, and not the same article under another address.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from webclean_scrapy.cleaning.templates.url_shapes import (
    UrlParts,
    is_list_parts,
    is_list_url,
    leaf_pattern,
    same_article,
    split_url,
    url_shape,
)

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

__all__ = ["REASONS", "Candidate", "is_list_url", "pick_siblings", "rank_siblings", "url_shape"]

MAX_LINKS = 3_000  # links looked at; a page of more is a list
MAX_URL_LENGTH = 2_000  # characters; servers refuse longer ones

_NOT_PAGES = frozenset(
    ".css .js .json .xml .rss .jpg .jpeg .png .gif .webp .svg .ico .pdf .doc .docx .xls .xlsx"
    " .ppt .zip .rar .gz .exe .apk .mp3 .mp4 .avi .txt .csv .woff .woff2".split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One link of a page, and what was thought of it. Better candidates sort first by `rank`."""

    url: str  # absolute; as it stands in the page when it is no web address
    place: int  # among the links of the page, from 0
    why: str = ""  # why it is not asked for, one of REASONS; "" when it may be
    suspect: bool = False  # a link with its directories and form of leaf was refused before
    common: int = 0  # leading directories shared with the page
    leaf_difference: int = 0  # characters by which the last segments differ in length

    @property
    def rank(self) -> tuple[bool, bool, int, int, int]:
        """What it is sorted by: the usable first, best first; the others in the order of links."""
        if self.why:
            return (True, False, 0, 0, self.place)
        return (False, self.suspect, -self.common, self.leaf_difference, self.place)


REASONS = {
    "no_address": "no web address of usual length",
    "other_site": "another scheme, host or port",
    "other_shape": "its URL has another pattern than the page's",
    "list": "its URL names a list",
    "no_page": "its extension is that of a file",
    "same_article": "the page itself, another part of it or another address of it",
    "asked": "the crawl has asked for it: what it teaches is learned without a request",
    "failed": "asked for as a sibling before",
}


def rank_siblings(
    links: Iterable[str],
    url: str,
    *,
    failed: Container[str] = (),
    asked: Container[str] = (),
    suspects: Container[str] = (),
) -> list[Candidate]:
    """Return every link of the page at *url* once, likely pages of its template first.

    *links* may be relative to *url* and in any state; only the first 3,000 are looked at. All
    usable ones have the scheme, host, port and shape of *url*. *failed* and *asked* are URLs,
    *suspects* values of `leaf_pattern`. Order: those of no suspect pattern, then the longest
    common path, the most alike last segment, the order of *links*. Empty for a page that is a
    list itself. Cost: O(links).

    >>> links = ["/news/125.html", "/about.html", "//b.cn/news/9.html", "/news/123.html?spm=1"]
    >>> [c.why or c.url for c in rank_siblings(links, "http://a.cn/news/123.html")]
    ['http://a.cn/news/125.html', 'list', 'other_site', 'same_article']
    """
    own = split_url(url)
    if own is None or is_list_parts(own):
        return []
    shape = url_shape(url)
    ranked: dict[str, Candidate] = {}
    for place, link in enumerate(links):
        if place >= MAX_LINKS:
            break
        found = _join(url, link)
        if (found or link) in ranked:
            continue
        parts = split_url(found)
        if parts is None:
            shown = link[:MAX_URL_LENGTH]
            ranked[link] = Candidate(url=shown, place=place, why="no_address")
            continue
        why = _fault(own, parts, url_shape(found) == shape)
        if not why and (found in asked or found in failed):
            why = "failed" if found in failed else "asked"
        ranked[found] = Candidate(
            url=found,
            place=place,
            why=why,
            suspect=not why and leaf_pattern(found) in suspects,
            common=_common_directories(own, parts),
            leaf_difference=abs(len(own.leaf) - len(parts.leaf)),
        )
    return sorted(ranked.values(), key=lambda candidate: candidate.rank)


def pick_siblings(
    links: Iterable[str], url: str, *, failed: Container[str] = (), limit: int = 3
) -> list[str]:
    """Return up to *limit* absolute URLs of likely pages of the template of *url*, best first.

    The usable ones of `rank_siblings`.

    >>> links = ["/", "/news/123.html#top", "/news/125.html", "/about.html", "//b.cn/news/9.html"]
    >>> pick_siblings(links, "http://a.cn/news/123.html")
    ['http://a.cn/news/125.html']
    """
    ranked = rank_siblings(links, url, failed=failed)
    return [candidate.url for candidate in ranked if not candidate.why][:limit]


def _fault(own: UrlParts, other: UrlParts, same_shape: bool) -> str:
    """Return why the link to *other* leads to no page of the template of *own*, "" if it may."""
    if other.origin != own.origin:
        return "other_site"
    if other.extension in _NOT_PAGES:
        return "no_page"
    if is_list_parts(other):
        return "list"
    if same_article(own, other):
        return "same_article"
    return "" if same_shape else "other_shape"


def _join(base: str, link: str) -> str:
    """Return *link* made absolute and without its fragment; "" when it leads to no web page."""
    if len(link) > MAX_URL_LENGTH:
        return ""
    try:
        joined = urljoin(base, link.strip())
    except ValueError:  # such as an IPv6 address without its bracket
        return ""
    joined = joined.partition("#")[0]
    return joined if joined.startswith(("http://", "https://")) else ""


def _common_directories(own: UrlParts, other: UrlParts) -> int:
    common = 0
    for left, right in zip(own.directories, other.directories, strict=False):
        if left != right:
            break
        common += 1
    return common
