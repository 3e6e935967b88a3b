"""Which link of a page leads to a page of the same template, judged by URLs alone.

"A similar page of the same site, from the page's own links" after Song, Zhi, Zhou, Luo, An:
LCS-based feature tree maximum similarity matching for web page denoising. Video Engineering
2011(13). The paper does not say how the link is chosen; this is ours: the same origin, the same
*shape* of URL (what a site's own URL patterns have in common when ids, dates and words are left
out), not a list, and not the same article under another address.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import parse_qsl, unquote, urljoin, urlsplit

if TYPE_CHECKING:
    from collections.abc import Container, Iterable
    from urllib.parse import SplitResult

MAX_LINKS = 3_000  # links looked at; a page of more is a list
MAX_URL_LENGTH = 2_000  # characters; servers refuse longer ones

_DIGITS = re.compile(r"[0-9]+")
_LETTERS = re.compile(r"(?<![A-Za-z])[A-Za-z]+(?=[0-9])")  # a run that digits follow
_HEXADECIMAL = re.compile(r"[0-9a-fA-F]+")
_DATE = re.compile(r"(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:[0-3][0-9])?")
_EXTENSION = re.compile(r"\.[a-z][a-z0-9]{1,4}$")
_PAGE_NUMBER = re.compile(r"[_-](?:p|page)?[0-9]{1,3}$")
_LIST_NUMBER = re.compile(r"[_-]?p?[0-9]{1,3}$")
_TRACKING = re.compile(r"utm_.*|spm|from|src|ref|source|share.*|fbclid|gclid")
_LIST_WORDS = frozenset(
    "index list lists category categories tag tags archive archives author authors search page"
    " topics home default more sitemap login register about contact rss feed".split()
)
_NOT_PAGES = frozenset(
    ".css .js .json .xml .rss .jpg .jpeg .png .gif .webp .svg .ico .pdf .doc .docx .xls .xlsx"
    " .ppt .zip .rar .gz .exe .apk .mp3 .mp4 .avi .txt .csv .woff .woff2".split()
)


class _Parts(NamedTuple):
    """What a URL is made of, once its tracking parameters are gone."""

    origin: str  # scheme://host:port, the default port left out
    directories: tuple[str, ...]
    leaf: str  # last segment without its extension, decoded; "" for a directory
    extension: str  # with the dot, lower case
    query: tuple[tuple[str, str], ...]  # sorted


def url_shape(url: str) -> str:
    """Return what pages of one template have in common in their URLs, with scheme, host and port.

    Digits become ``0``, a leaf of words ``{words}``, an opaque id ``{id}``; directories keep
    their words, because sections often have templates of their own.

    >>> url_shape("http://a.cn/news/2024/05/06/t20240506_123.html")
    'http://a.cn/news/0/0/0/t0_0.html'
    >>> url_shape("https://a.com/sport/late-goal-wins-cup?utm_source=x")
    'https://a.com/sport/{words}'
    """
    parts = _split(url)
    if parts is None:
        return ""
    leaf = _leaf_shape(parts.leaf)
    path = "/".join([*map(_segment_shape, parts.directories), leaf + parts.extension])
    query = "&".join(f"{name}={'0' if value.isdigit() else '*'}" for name, value in parts.query)
    return f"{parts.origin}/{path}" + (f"?{query}" if query else "")


def is_list_url(url: str) -> bool:
    """Whether *url* names a list by its form: a site's root, a directory of words, an index page.

    >>> [is_list_url(f"http://a.cn{path}") for path in ("/", "/news/", "/news/index_2.html")]
    [True, True, True]
    >>> is_list_url("http://a.cn/2024/05/06/")
    True
    >>> [is_list_url(f"http://a.cn{path}") for path in ("/news/8812/", "/2024/05/06/tram/")]
    [False, False]
    """
    parts = _split(url)
    return parts is None or _is_list(parts)


def pick_siblings(
    links: Iterable[str], url: str, *, failed: Container[str] = (), limit: int = 3
) -> list[str]:
    """Return up to *limit* absolute URLs of likely pages of the template of *url*, best first.

    *links* may be relative to *url* and in any state; only the first 3,000 are looked at. All
    results have the scheme, host, port and shape of *url*; none is a list, the same article
    (another page of it, another address of it), or in *failed*. Order: the longest common path,
    then the most alike last segment, then the order of *links*. Cost: O(links).

    >>> links = ["/", "/news/123.html#top", "/news/125.html", "/about.html", "//b.cn/news/9.html"]
    >>> pick_siblings(links, "http://a.cn/news/123.html")
    ['http://a.cn/news/125.html']
    """
    own = _split(url)
    if own is None or _is_list(own):
        return []
    shape = url_shape(url)
    ranked: dict[str, tuple[int, int, int]] = {}
    for place, link in enumerate(links):
        if place >= MAX_LINKS:
            break
        found = _join(url, link)
        if not found or found in ranked or found in failed:
            continue
        parts = _split(found)
        if parts is None or url_shape(found) != shape:  # the shape begins with the origin
            continue
        if _is_list(parts) or parts.extension in _NOT_PAGES or _same_article(own, parts):
            continue
        common = _common_directories(own, parts)
        ranked[found] = (-common, abs(len(own.leaf) - len(parts.leaf)), place)
    return sorted(ranked, key=ranked.__getitem__)[:limit]


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


def _split(url: str) -> _Parts | None:
    try:
        split = urlsplit(url)
        origin = _origin(split)
    except ValueError:
        return None
    if not origin:
        return None
    *directories, leaf = split.path.lstrip("/").split("/")
    leaf = unquote(leaf)
    extension = ""
    if match := _EXTENSION.search(leaf.lower()):
        extension = match.group()
        leaf = leaf[: match.start()]
    query = sorted(pair for pair in parse_qsl(split.query) if not _TRACKING.fullmatch(pair[0]))
    return _Parts(origin, tuple(filter(None, directories)), leaf, extension, tuple(query))


def _origin(split: SplitResult) -> str:
    if split.scheme not in {"http", "https"} or not split.hostname:
        return ""
    standard = 80 if split.scheme == "http" else 443
    port = "" if split.port in {None, standard} else f":{split.port}"
    host = f"[{split.hostname}]" if ":" in split.hostname else split.hostname
    return f"{split.scheme}://{host}{port}"


def _segment_shape(segment: str) -> str:
    segment = unquote(segment)
    return "{id}" if _is_opaque(segment) else _DIGITS.sub("0", segment)


def _leaf_shape(leaf: str) -> str:
    if _is_opaque(leaf):
        return "{id}"
    words = _DIGITS.sub("", leaf).replace("_", "-").split("-")
    long_words = sum(len(word) > 1 for word in words)
    if long_words > 1 or not leaf.isascii() or len(leaf) > 30:
        return "{words}"
    if _DIGITS.search(leaf):
        return _DIGITS.sub("0", leaf)
    return "{word}" if leaf and leaf.lower() not in _LIST_WORDS else leaf


def _is_opaque(segment: str) -> bool:
    """Whether it is an id that says nothing: hexadecimal, or letters and digits in turns."""
    if len(segment) < 8 or not _DIGITS.search(segment):
        return False
    letters = len(_LETTERS.findall(segment))
    return bool(letters and _HEXADECIMAL.fullmatch(segment)) or letters > 2


def _is_list(parts: _Parts) -> bool:
    """Whether the words of the URL say list, or nothing in it names a single page."""
    if parts.leaf:
        return _LIST_NUMBER.sub("", parts.leaf.lower()) in _LIST_WORDS and not parts.query
    if parts.query:
        return False
    if not parts.directories:
        return True
    *above, last = parts.directories
    if last.isdigit():  # 5 to 12 digits are an id; /2024/05/06/ and /news/2/ are lists
        return len(last) <= 2 or bool(_DATE.fullmatch(last)) or _is_year(last)
    if above and above[-1].isdigit() and last.lower() not in _LIST_WORDS:
        return False  # a word below a day, month or number names what was published there
    return _leaf_shape(unquote(last)) not in {"{id}", "{words}"} and not _DIGITS.search(last)


def _is_year(digits: str) -> bool:
    return len(digits) == 4 and digits[:2] in {"19", "20"}


def _article_id(parts: _Parts) -> str:
    """Return the last run of four digits or more that is not a date; "" without one."""
    text = "/".join([parts.leaf or "/".join(parts.directories[-1:]), *(v for _, v in parts.query)])
    runs = [run for run in _DIGITS.findall(text) if len(run) > 3 and not _DATE.fullmatch(run)]
    return runs[-1] if runs else ""


def _same_article(own: _Parts, other: _Parts) -> bool:
    """Whether both name one article: equal, another page of it, or the same id."""
    if _without_page(own) == _without_page(other):
        return True
    own_id = _article_id(own)
    return bool(own_id) and own_id == _article_id(other)


def _without_page(parts: _Parts) -> tuple[object, ...]:
    leaf = parts.leaf
    if match := _PAGE_NUMBER.search(leaf):
        first = leaf[: match.start()]
        # ``8812_2`` is the second page of 8812; in ``t20240506_12`` the number is the id
        if _DIGITS.search(first) and not _DATE.search(first):
            leaf = first
    query = tuple(pair for pair in parts.query if pair[0] not in {"page", "p", "pn"})
    return (parts.directories, leaf, query)


def _common_directories(own: _Parts, other: _Parts) -> int:
    common = 0
    for left, right in zip(own.directories, other.directories, strict=False):
        if left != right:
            break
        common += 1
    return common
