"""Properties of a URL: its shape, whether it names a list, the article's id.

Our choice (reconstructed: Song et al. 2011 do not print how the link to a sibling is chosen). A
*shape* is what a site's own URL patterns have in common without ids, dates and words.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import parse_qsl, unquote

from webclean_scrapy.web_addresses import host_of, may_select, origin_of, split

_DIGITS = re.compile(r"[0-9]+")
_LETTERS = re.compile(r"(?<![A-Za-z])[A-Za-z]+(?=[0-9])")  # a run that digits follow
_HEXADECIMAL = re.compile(r"[0-9a-fA-F]+")
_DATE = re.compile(r"(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:[0-3][0-9])?")
_YEAR = re.compile(r"(?:19|20)[0-9]{2}")
_EXTENSION = re.compile(r"\.[a-z][a-z0-9]{1,4}$")
_PAGE_NUMBER = re.compile(r"[_-](?:p|page)?[0-9]{1,3}$")
_LIST_NUMBER = re.compile(r"[_-]?p?[0-9]{1,3}$")
_LONG_NAME = 12  # characters; names of sections are shorter
_LIST_WORDS = frozenset(
    "index list lists category categories tag tags archive archives author authors search page"
    " topics home default more sitemap login register about contact rss feed".split()
)
_DEFAULT_PAGES = frozenset({"default", "index"})


class UrlParts(NamedTuple):
    """The parts of a URL without its tracking parameters."""

    origin: str  # scheme://host:port, the default port left out
    directories: tuple[str, ...]
    leaf: str  # last segment without its extension, decoded; "" for a directory
    extension: str  # with the dot, lower case
    query: tuple[tuple[str, str], ...]  # sorted

    @property
    def name(self) -> str:
        """The name of the page: the leaf, or else the last directory."""
        return self.leaf or unquote("".join(self.directories[-1:]))

    @property
    def above(self) -> tuple[str, ...]:
        """The directories above the name of the page."""
        return self.directories if self.leaf else self.directories[:-1]


@lru_cache(maxsize=256)
def url_shape(url: str) -> str:
    """Return the common form of the URLs of one template, with scheme, host and port.

    Digits become ``0``, a leaf of words ``{words}``, an opaque id ``{id}``; directories keep
    their words, because sections often have templates of their own. A directory that names an
    article is a leaf.

    >>> url_shape("http://a.cn/news/2024/05/06/t20240506_123.html")
    'http://a.cn/news/0/0/0/t0_0.html'
    >>> url_shape("https://a.com/sport/late-goal-wins-cup?utm_source=x")
    'https://a.com/sport/{words}'
    >>> url_shape("https://a.com/sport/late-goal-wins-cup/")
    'https://a.com/sport/{words}/'
    """
    parts = split_url(url)
    return "" if parts is None else shape_of(parts)


@lru_cache(maxsize=256)
def url_family(url: str) -> str:
    """Return the key shared by pages of one template whose shapes may differ, or "".

    Their directories and extension; what names the page is long or has digits, as names of
    sections and services seldom are. Below a date or number any word will do.

    >>> url_family("http://a.cn/news/ferry-4687") == url_family("http://a.cn/news/x7Kq9d")
    True
    >>> url_family("http://a.cn/news/contact")
    ''
    """
    parts = split_url(url)
    return "" if parts is None else family_of(parts)


def family_of(parts: UrlParts) -> str:
    """Return the family of the URL of *parts*, as `url_family` does."""
    if is_list_parts(parts) or not _names_article(parts):
        return ""
    above = ("0" if _DIGITS.search(one) else one for one in parts.above)
    path = "/".join([*above, "*" + (parts.extension if parts.leaf else "/")])
    return f"{parts.origin}/{path}" + "&".join(["?", *(name for name, _ in parts.query)])


def _names_article(parts: UrlParts) -> bool:
    name = parts.name
    is_below_number = bool(parts.above) and parts.above[-1].isdigit()
    is_long = len(name) >= _LONG_NAME or _leaf_shape(name) in {"{id}", "{words}"}
    return is_below_number or is_long or _DIGITS.search(name) is not None


def shape_host(url: str) -> str:
    """Return host and port of the shape of *url*; "" without one."""
    return host_of(url_shape(url))


def shape_of(parts: UrlParts) -> str:
    """Return the shape of the URL of *parts*, as `url_shape` does."""
    if parts.leaf or is_list_parts(parts):
        path = [*map(_segment_shape, parts.directories), _leaf_shape(parts.leaf) + parts.extension]
    else:
        path = [*map(_segment_shape, parts.above), _leaf_shape(parts.name), ""]
    query = "&".join(f"{name}={'0' if value.isdigit() else '*'}" for name, value in parts.query)
    return f"{parts.origin}/{'/'.join(path)}" + (f"?{query}" if query else "")


def is_list_url(url: str) -> bool:
    """True if *url* has the form of a list: a site's root, a directory of words, an index page.

    >>> [is_list_url(f"http://a.cn{path}") for path in ("/", "/news/", "/news/index_2.html")]
    [True, True, True]
    >>> is_list_url("http://a.cn/2024/05/06/")
    True
    >>> [is_list_url(f"http://a.cn{path}") for path in ("/news/8812/", "/2024/05/06/tram/")]
    [False, False]
    """
    parts = split_url(url)
    return parts is None or is_list_parts(parts)


def leaf_pattern(url: str) -> str:
    """Return the directories of *url* unchanged and the form of its last segment.

    Finer than `url_shape`: where one page was refused, links of its pattern lead to others like it.

    >>> leaf_pattern("http://a.cn/news/2024/t20240506_81.html")
    'news/2024/t8_2.html'
    """
    parts = split_url(url)
    if parts is None:
        return ""
    leaf = _leaf_shape(parts.name)
    if not leaf.startswith("{"):
        leaf = _DIGITS.sub(lambda run: str(len(run.group())), parts.name)
    return "/".join([*parts.above, leaf + parts.extension])


@lru_cache(maxsize=256)
def split_url(url: str) -> UrlParts | None:
    """Return the parts of *url*; None if it is no web address.

    A crawl asks seven times for each page that is under way.
    """
    parts, origin = split(url), origin_of(url)
    if not origin:
        return None
    *directories, leaf = parts.path.lstrip("/").split("/")
    leaf = unquote(leaf)
    extension = ""
    if "." in leaf and (match := _EXTENSION.search(leaf.lower())):
        extension = match.group()
        leaf = leaf[: match.start()]
    if directories and not parts.query and leaf.lower() in _DEFAULT_PAGES:
        leaf = extension = ""  # the page of its directory
    pairs = parse_qsl(parts.query) if parts.query else ()
    query = sorted(pair for pair in pairs if may_select(*pair))
    return UrlParts(origin, tuple(filter(None, directories)), leaf, extension, tuple(query))


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
    """True if it is an id without meaning: hexadecimal, or letters and digits in turns."""
    if len(segment) < 8 or not _DIGITS.search(segment):
        return False
    letters = len(_LETTERS.findall(segment))
    return bool(letters and _HEXADECIMAL.fullmatch(segment)) or letters > 2


def is_list_parts(parts: UrlParts) -> bool:
    """True if words of the URL name a list, or no part of it names a single page."""
    if parts.leaf:
        return _LIST_NUMBER.sub("", parts.leaf.lower()) in _LIST_WORDS and not parts.query
    if parts.query:
        return False
    if not parts.directories:
        return True
    *above, last = parts.directories
    if last.isdigit():  # 5 to 12 digits are an id; /2024/05/06/ and /news/2/ are lists
        return len(last) <= 2 or _is_date(last)
    if above and above[-1].isdigit() and last.lower() not in _LIST_WORDS:
        return False  # a word below a day, month or number names what was published there
    return _leaf_shape(unquote(last)) not in {"{id}", "{words}"} and not _DIGITS.search(last)


def _article_id(parts: UrlParts) -> str:
    """Return the last run of four digits or more that is no date or year; "" without one."""
    text = "/".join([parts.leaf or "/".join(parts.directories[-1:]), *(v for _, v in parts.query)])
    runs = [run for run in _DIGITS.findall(text) if len(run) > 3 and not _is_date(run)]
    return runs[-1] if runs else ""


def _is_date(run: str) -> bool:
    """True if the digits are a year, month or day."""
    return _YEAR.fullmatch(run) is not None or _DATE.fullmatch(run) is not None


def same_article(own: UrlParts, other: UrlParts) -> bool:
    """True if both URLs name one article: equal, another page of it, or the same id."""
    if _without_page(own) == _without_page(other):
        return True
    own_id = _article_id(own)
    return bool(own_id) and own_id == _article_id(other)


def _without_page(parts: UrlParts) -> tuple[object, ...]:
    leaf = parts.leaf
    if match := _PAGE_NUMBER.search(leaf):
        first = leaf[: match.start()]
        # ``8812_2`` is the second page of 8812; in ``t20240506_12`` the number is the id
        if _DIGITS.search(first) and not _DATE.search(first):
            leaf = first
    query = tuple(pair for pair in parts.query if pair[0] not in {"page", "p", "pn"})
    return (parts.directories, leaf, query)
