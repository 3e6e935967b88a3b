"""Find the other pages of a multi-page article by the form of their URLs.

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
from webclean_scrapy.cleaning.words.phrases import any_of
from webclean_scrapy.errors import PageError
from webclean_scrapy.web_addresses import join, site_of, split, without_tracking

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lxml.etree import _Element

    from webclean_scrapy.cleaning.page.raw_page import RawPage

MAX_PARTS = 20  # of an article; what has more is a book or a thread
MAX_NUMBER = 99  # of a page
_MAX_LINKS = 3_000  # that are looked at
_MAX_TEXTS = 20  # of a link
_RELATIVE_CHARS = 20  # of a link into the page's own folder
_PARAMETERS = 20  # of an address, one of which may be the number of a part
_WHOLE_NUMBER = -1  # of an address that promises the article in one page
_NAME = any_of("page_in_address")  # before a number, in a path
_WHOLE = "all|full|whole|single|complete|onepage|singlepage|viewall|showall"
_LEAF_NUMBER = re.compile(rf"(.*[^/])[-_,.]{_NAME}?[-_]?(\d{{1,2}})", re.IGNORECASE)
_LAST_NUMBER = re.compile(rf"(.+?)(?:/{_NAME})?/{_NAME}?[-_]?(\d{{1,2}})", re.IGNORECASE)
_LAST_WHOLE = re.compile(rf"(.+?)[-_/](?:{_WHOLE})", re.IGNORECASE)
_EXTENSION = re.compile(r"\.[a-z][a-z0-9]{1,4}$", re.IGNORECASE)
_IS_WHOLE = re.compile(_WHOLE, re.IGNORECASE)
_SAYS_WHOLE = re.compile(any_of("whole_article"), re.IGNORECASE)
# How the address of a second page, or of all of it, ends behind the article's own name; and where
# it begins anew.
_NUMBERED = (
    rf"[\w-]{{1,16}}=(?:2|{_WHOLE})(?!\w)|p(?:age|g)?=1(?!\w)"
    rf"|(?:{_WHOLE}|(?:view|show)_all|(?:one|single)_page)(?![\w-])"
)
_TAIL = re.compile(
    rf"(?:\.[a-z]{{2,5}})?/?(?:\?(?:.{{0,60}}?[&;])?(?:{_NUMBERED})"
    rf"|(?:[-/_,.](?:[a-z]{{1,7}}[-_/]?)?2|[-/_](?:{_WHOLE}))(?:\.[a-z]{{2,5}}|/)?(?:[?#]|$))",
    re.IGNORECASE,
)
_QUERY = re.compile(rf"\?(?:.{{0,60}}?[&;])?(?:{_NUMBERED})", re.IGNORECASE)
_RELATIVE = re.compile(r"(?:\./)?(?:[a-z]{1,7}/)?2(?:/|\.[a-z]{2,5})?(?:[?#]|$)", re.IGNORECASE)


class PartLinks(NamedTuple):
    """The links of a page to other pages of its article.

    A page may have several rows of numbers, such as those of its comments: each is a series, named
    by the form of its addresses.
    """

    series: dict[str, dict[int, str]]  # addresses of the pages behind the first, by number
    first: str = ""  # the address of the first page, on a later one that links another
    whole: str = ""  # an address that may hold the article in one page
    guesses: tuple[str, ...] = ()  # addresses of the first page that nothing links

    def __bool__(self) -> bool:
        return bool(self.series or self.first or self.whole or self.guesses)

    @property
    def numbered(self) -> dict[int, str]:
        """The addresses of all series, the first one for each page number."""
        series = reversed(self.series.values())
        return {number: url for one in series for number, url in one.items()}


_NONE = PartLinks({})


def part_links(page: RawPage, hrefs: Iterable[str] | None = None) -> PartLinks:
    """Return the links of a page to other pages of its article, by their URLs.

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
    return _read_links(page.url, _links(root, at))


def _read_links(own: str, links: Iterable[tuple[str, str, bool]]) -> PartLinks:
    """Select *links*, as yielded by `_links`, to other pages of the article *own*."""
    firsts, laters = first_keys(own), {(key, form): n for key, n, form in _forms(own) if n > 1}
    series: dict[str, dict[int, str]] = {}
    first = whole = linked = ""
    for link, text, is_next in links:
        url = _on_origin_of(own, link)
        if url == own:
            continue
        for key, number, form in _forms(url):
            if number > 1 and (key, form) in laters:
                linked = linked or form
            if number in {0, 1} and any(key == later for later, _ in laters):
                first = first or url
            # Where the second page has the number 1, its link says "2" or "next".
            elif number > laters.get((key, form), MAX_NUMBER) or (
                key in firsts and (number > 1 or (number == 1 and (text == "2" or is_next)))
            ):
                series.setdefault(form, {}).setdefault(number, url)
            elif number == _WHOLE_NUMBER and key in firsts:
                whole = whole or url
        if not whole and _SAYS_WHOLE.fullmatch(text) and split(url).path == split(own).path:
            whole = url
    if not first and linked:
        first = _first_address(own, linked)
    guesses = [_first_address(own, form) for _, form in laters]
    return PartLinks(series, first, whole, tuple(guesses))


def _first_address(url: str, form: str) -> str:
    """Return the address of the first page of an article with a later page at *url*."""
    parts = split(url)
    if form.startswith("?"):
        pairs = (one for one in parts.query.split("&") if one.partition("=")[0] != form[1:])
        return parts._replace(query="&".join(pairs)).geturl()
    extension, stem = _split_path(parts.path)
    stem = next(shorter for shorter, _, own in _path_forms(stem) if own == form)
    slash = "/" * parts.path.endswith("/")
    return parts._replace(path=stem + extension + slash).geturl()


def _split_path(path: str) -> tuple[str, str]:
    extension = match.group() if (match := _EXTENSION.search(path)) else ""
    return extension, path.removesuffix(extension).rstrip("/")


def _on_origin_of(own: str, url: str) -> str:
    """Return *url* with scheme and host of *own*, if only ``http`` or ``www.`` differs."""
    try:
        is_same = site_of(url) == site_of(own)
    except ValueError:
        return url
    origin = split(own)
    parts = split(url)
    return parts._replace(scheme=origin.scheme, netloc=origin.netloc).geturl() if is_same else url


def _may_have_parts(hrefs: Iterable[str], url: str) -> bool:
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
    for element in islice(root.iter("a", "link"), _MAX_LINKS):
        rel = (element.get("rel") or "").lower().split()
        href = element.get("href")
        if href and (element.tag == "a" or "next" in rel or "prev" in rel):
            texts = element.itertext() if element.tag == "a" else ()
            text = " ".join("".join(map(str, islice(texts, _MAX_TEXTS))).split())
            if url := join(base, href.strip()).partition("#")[0]:
                yield without_tracking(url), text, "next" in rel


def is_later_part(url: str) -> bool:
    """True if a URL can name a later page of an article."""
    return bool(later_keys(url))


def goes_on_at(url: str, other: str) -> bool:
    """True if *other* is the address *url* with the number of a later page.

    >>> goes_on_at("http://a.cn/story", "http://a.cn/story?page=2")
    True
    >>> goes_on_at("http://a.cn/story/0", "http://a.cn/story/2")
    False
    """
    own = {key for key, _, form in _forms(url) if not form}
    return not own.isdisjoint(later_keys(other))


def first_keys(url: str) -> set[str]:
    """Return the keys of the articles whose first page can have this URL."""
    return {key for key, number, _ in _forms(url) if number in {0, 1}}


def later_keys(url: str) -> dict[str, int]:
    """Return the keys of the articles with a possible later page at this URL, and its number."""
    return {key: number for key, number, _ in _forms(url) if number > 1}


def later_forms(url: str) -> list[str]:
    """Return the URL forms that later pages of the article can have."""
    return [form for _, number, form in _forms(url) if number > 1]


def _forms(url: str) -> set[tuple[str, int, str]]:
    """Return the possible readings of a URL as an article's and a page number.

    The number is 0 for an address without one, -1 for one that promises the whole article. With the
    form: where the number stands.
    """
    try:
        host, port = site_of(url)
    except ValueError:
        return set()
    parts = split(url)
    _, stem = _split_path(parts.path)
    query = parse_qsl(parts.query, keep_blank_values=True)

    def key(stem: str, pairs: list[tuple[str, str]]) -> str:
        written = "&".join(sorted(f"{name}={value}" for name, value in pairs))
        return f"{host}{port}{stem}?{written}"

    found = {(key(stem, query), 0, "")}
    for at, (name, value) in enumerate(query[:_PARAMETERS]):
        others = query[:at] + query[at + 1 :]
        if _IS_WHOLE.fullmatch(value) or _IS_WHOLE.fullmatch(name.replace("_", "")):
            found.add((key(stem, others), _WHOLE_NUMBER, name))
        elif value.isascii() and value.isdigit() and len(value) <= 2:
            found.add((key(stem, others), int(value), f"?{name}"))
    found.update((key(shorter, query), n, form) for shorter, n, form in _path_forms(stem))
    return found


def _path_forms(stem: str) -> Iterator[tuple[str, int, str]]:
    for form in (_LEAF_NUMBER, _LAST_NUMBER):
        if match := form.fullmatch(stem):
            yield match[1], int(match[2]), stem[match.end(1) : match.start(2)]
    if match := _LAST_WHOLE.fullmatch(stem):
        yield match[1], _WHOLE_NUMBER, ""
