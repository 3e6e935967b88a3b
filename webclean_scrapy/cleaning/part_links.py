"""Finds the other pages of an article that is published in several: by the form of their addresses.

No word on a page decides: the parts of an article have its own address and a number, as
``?page=2``, ``story_2.html``, ``story/2`` and ``story/page/2``. What else has such an address, as
the pages of comments, is told by its text (`joined_parts`).
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import parse_qsl, quote, unquote

from webclean_scrapy.cleaning.page.charset import as_utf8
from webclean_scrapy.cleaning.page.parse import parse, to_utf8
from webclean_scrapy.errors import PageError
from webclean_scrapy.web_addresses import join, site_of, split, without_tracking

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lxml.etree import _Element

    from webclean_scrapy.cleaning.page.raw_page import RawPage

MAX_PARTS = 20  # of an article; what has more is a book or a thread
_MAX_LINKS = 3_000  # that are looked at
_MAX_TEXTS = 20  # of a link
_RELATIVE_CHARS = 20  # of a link into the page's own folder
_WHOLE_NUMBER = -1  # of an address that promises the article in one page
_NAMES = "page|pg|p|part|pagina|seite|sida|strona|str|sayfa"  # before a number, in a path
_WHOLE = "all|full|whole|single|complete|onepage|singlepage|viewall|showall"
_LEAF_NUMBER = re.compile(rf"(.*[^/])[-_,.](?:{_NAMES})?[-_]?(\d{{1,2}})", re.IGNORECASE)
_LAST_NUMBER = re.compile(rf"(.+?)(?:/(?:{_NAMES}))?/(?:{_NAMES})?[-_]?(\d{{1,2}})", re.IGNORECASE)
_LAST_WHOLE = re.compile(rf"(.+?)[-_/](?:{_WHOLE})", re.IGNORECASE)
_EXTENSION = re.compile(r"\.[a-z][a-z0-9]{1,4}$", re.IGNORECASE)
_IS_WHOLE = re.compile(_WHOLE, re.IGNORECASE)
_SAYS_WHOLE = re.compile(
    r"view all|show all|all pages|(?:view as |read on )?(?:one|single)[ -]page|whole article"
    r"|[阅閱]?[读讀]?(?:余下|查看|[显顯]示)?全文|在?本[页頁].{0,6}全文|alles auf einer seite"
    r"|tout afficher",
    re.IGNORECASE,
)
# How the address of a second page ends behind the article's own name; and where it begins anew.
_NUMBERED = r"[\w-]{1,16}=2(?!\w)|p(?:age|g)?=1(?!\w)"
_TAIL = re.compile(
    rf"(?:\.[a-z]{{2,5}})?/?(?:\?(?:.{{0,60}}?[&;])?(?:{_NUMBERED})"
    r"|[-/_,.](?:[a-z]{1,7}[-_/]?)?2(?:\.[a-z]{2,5}|/)?(?:[?#]|$))",
    re.IGNORECASE,
)
_QUERY = re.compile(rf"\?(?:.{{0,60}}?[&;])?(?:{_NUMBERED})", re.IGNORECASE)
_RELATIVE = re.compile(r"(?:\./)?(?:[a-z]{1,7}/)?2(?:/|\.[a-z]{2,5})?(?:[?#]|$)", re.IGNORECASE)


class PartLinks(NamedTuple):
    """The links of a page to other pages of its article."""

    numbered: dict[int, str]  # addresses of the pages behind the first
    first: str = ""  # the address of the first page, on another one
    whole: str = ""  # an address that may hold the article in one page

    def __bool__(self) -> bool:
        return bool(self.numbered or self.whole)


_NONE = PartLinks({})


def part_links(page: RawPage, hrefs: Iterable[str] | None = None) -> PartLinks:
    """Return the links of a page to other pages of its article, as their addresses say.

    Cost: a parse. With *hrefs*, the addresses that it links as written, only of a page that may
    have such links or be a later part. Raises nothing.
    """
    if not page.url:
        return _NONE
    if hrefs is not None and not (_may_have_parts(hrefs, page.url) or is_later_part(page.url)):
        return _NONE
    source = page.html if isinstance(page.html, bytes) else to_utf8(page.html)
    try:
        root = parse(as_utf8(source, declared=page.charset))
    except PageError:
        return _NONE
    base = root.find(".//base")
    at = join(page.url, (base.get("href") or "") if base is not None else "") or page.url
    return _choose(_links(root, at), page.url)


def _choose(links: Iterable[tuple[str, str, bool]], own: str) -> PartLinks:
    """Return those *links* of the page at *own* whose addresses are those of its article."""
    firsts, laters = first_keys(own), later_keys(own)
    numbered: dict[int, str] = {}
    first = whole = ""
    for url, text, is_next in links:
        if url == own:
            continue
        for key, number in _forms(url):
            # Where the second page has the number 1, its link says "2" or "next".
            is_later = number > 1 or (number == 1 and (text == "2" or is_next))
            if key in laters and number in {0, 1}:
                first = first or url
            elif is_later and (key in laters or key in firsts):
                numbered.setdefault(number, url)
            elif number == _WHOLE_NUMBER and key in firsts:
                whole = whole or url
        if not whole and _SAYS_WHOLE.fullmatch(text) and split(url).path == split(own).path:
            whole = url
    return PartLinks(numbered, first, whole)


def _may_have_parts(hrefs: Iterable[str], url: str) -> bool:
    """True if one of the links of a page may lead to the second page of its article."""
    path = split(url).path
    name = unquote(_EXTENSION.sub("", path).rstrip("/").rpartition("/")[2])
    form = quote(name)
    for href in hrefs:
        if href[:1] == "?":
            is_hit = _QUERY.match(href)
        elif name and (found := name if name in href else form if form in href else ""):
            is_hit = _TAIL.match(href, href.rindex(found) + len(found))
        else:
            is_hit = (
                _RELATIVE.match(href) if path[-1:] == "/" and len(href) < _RELATIVE_CHARS else None
            )
        if is_hit:
            return True
    return False


def _links(root: _Element, base: str) -> Iterator[tuple[str, str, bool]]:
    """Yield address and text of each link, and whether it is said to lead to the next page."""
    for element in islice(root.iter("a", "link"), _MAX_LINKS):
        rel = (element.get("rel") or "").lower().split()
        href = element.get("href")
        if href and (element.tag == "a" or "next" in rel or "prev" in rel):
            texts = element.itertext() if element.tag == "a" else ()
            text = " ".join("".join(map(str, islice(texts, _MAX_TEXTS))).split())
            if url := join(base, href.strip()).partition("#")[0]:
                yield without_tracking(url), text, "next" in rel


def is_later_part(url: str) -> bool:
    """True if an address may be that of a page behind the first of its article."""
    return bool(later_keys(url))


def first_keys(url: str) -> set[str]:
    """Return the keys of the articles whose first page may have this address."""
    return {key for key, number in _forms(url) if number in {0, 1}}


def later_keys(url: str) -> dict[str, int]:
    """Return the keys of the articles that may go on at this address, with the page's number."""
    return {key: number for key, number in _forms(url) if number > 1}


def _forms(url: str) -> set[tuple[str, int]]:
    """Return the ways to read an address: as that of an article, and the number of its page.

    The number is 0 for an address without one, -1 for one that promises the whole article.
    """
    try:
        host, port = site_of(url)
    except ValueError:
        return set()
    parts = split(url)
    path = parts.path
    extension = match.group() if (match := _EXTENSION.search(path)) else ""
    stem = path.removesuffix(extension).rstrip("/")
    query = parse_qsl(parts.query, keep_blank_values=True)

    def key(stem: str, pairs: list[tuple[str, str]]) -> str:
        written = "&".join(sorted(f"{name}={value}" for name, value in pairs))
        return f"{host}{port}{stem}?{written}"

    found = {(key(stem, query), 0)}
    for at, (name, value) in enumerate(query):
        others = query[:at] + query[at + 1 :]
        if _IS_WHOLE.fullmatch(value) or _IS_WHOLE.fullmatch(name.replace("_", "")):
            found.add((key(stem, others), _WHOLE_NUMBER))
        elif value.isascii() and value.isdigit() and len(value) <= 2:
            found.add((key(stem, others), int(value)))
    found.update((key(shorter, query), number) for shorter, number in _path_forms(stem))
    return found


def _path_forms(stem: str) -> Iterator[tuple[str, int]]:
    for form in (_LEAF_NUMBER, _LAST_NUMBER):
        if match := form.fullmatch(stem):
            yield match[1], int(match[2])
    if match := _LAST_WHOLE.fullmatch(stem):
        yield match[1], _WHOLE_NUMBER
