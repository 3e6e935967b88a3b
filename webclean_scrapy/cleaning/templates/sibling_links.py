"""Choose links that lead to pages of the same template, by URLs alone.

Song et al. 2011: Song, Zhi, Zhou, Luo, An: "LCS-based feature tree maximum similarity matching for
web page denoising", Video Engineering 2011(13), take "a similar page of the same site" from the
page's own links. Our choice (reconstructed: the paper does not print how): the same origin, the
same *shape* of URL, not a list, and not the same article under another address.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from webclean_scrapy.cleaning.templates.url_shapes import (
    UrlParts,
    is_list_parts,
    leaf_pattern,
    same_article,
    shape_of,
    split_url,
)

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

MAX_LINKS = 3_000  # links looked at; a page of more is a list
MAX_URL_LENGTH = 2_000  # characters; servers refuse longer ones

_NOT_PAGES = frozenset(
    ".css .js .json .xml .rss .jpg .jpeg .png .gif .webp .svg .ico .pdf .doc .docx .xls .xlsx"
    " .ppt .zip .rar .gz .exe .apk .mp3 .mp4 .avi .txt .csv .woff .woff2".split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One link of a page, and how likely it is a sibling. Better ones sort first by `rank`."""

    url: str  # absolute; as it is in the page when it is no web address
    place: int  # among the links of the page, from 0
    why: str = ""  # why it is not asked for, one of REASONS; "" when it may be
    suspect: bool = False  # a link with its directories and form of leaf was refused before
    common: int = 0  # leading directories shared with the page
    leaf_difference: int = 0  # characters by which the last segments differ in length

    @property
    def rank(self) -> tuple[bool, bool, int, int, int]:
        """The sort key: usable links first, best first; the others in the order of links."""
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

    *links* may be relative to *url* and broken; at most 3,000 are looked at. *failed* and *asked*
    are URLs, *suspects* values of `leaf_pattern`. None for a list page. Cost: O(links), sorted.
    """
    own = split_url(url)
    if own is None or is_list_parts(own):
        return []
    shape = shape_of(own)
    candidates: dict[str, Candidate] = {}
    for place, link in enumerate(islice(links, MAX_LINKS)):
        joined = _join(url, link)
        if (joined or link) in candidates:
            continue
        parts = split_url(joined)
        if parts is None:
            candidates[link] = Candidate(url=link[:MAX_URL_LENGTH], place=place, why="no_address")
            continue
        why = _refusal(own, parts, shape)
        why = why or ("failed" if joined in failed else "asked" if joined in asked else "")
        candidates[joined] = Candidate(
            url=joined,
            place=place,
            why=why,
            suspect=bool(suspects) and not why and leaf_pattern(joined) in suspects,
            common=_common_directories(own, parts),
            leaf_difference=abs(len(own.leaf) - len(parts.leaf)),
        )
    return sorted(candidates.values(), key=lambda candidate: candidate.rank)


def _refusal(own: UrlParts, other: UrlParts, shape: str) -> str:
    """Return why the link to *other* leads to no page of the template of *own*, "" if it may."""
    if other.origin != own.origin:
        return "other_site"
    if other.extension in _NOT_PAGES:
        return "no_page"
    if is_list_parts(other):
        return "list"
    if same_article(own, other):
        return "same_article"
    return "" if shape_of(other) == shape else "other_shape"


def _join(base: str, link: str) -> str:
    """Return *link* made absolute and without its fragment; "" when it leads to no web page."""
    if len(link) > MAX_URL_LENGTH:
        return ""
    link = link.strip()
    try:
        joined = urljoin(base, link)
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
