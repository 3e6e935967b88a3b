"""Read the documents in which a site lists its pages: feeds, sitemaps, OPML files.

The bytes decide what a document is. Without Scrapy: a process that reads them starts in a moment.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from contextlib import suppress
from io import BytesIO
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from lxml import etree

from webclean_scrapy.cleaning.page.charset import as_utf8
from webclean_scrapy.spiders.written_dates import read_dates
from webclean_scrapy.web_addresses import is_web, join, plain_address, site_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

FEED, SITEMAP, PAGE, ROBOTS = "feed", "sitemap", "page", "robots.txt"  # kinds of sources
MAX_FEED = 10_000_000  # bytes that are read of a feed; the latest come first
MAX_MARKS = 400_000  # of tags and entities in it: these cost time, and long texts do not
LEAST_FEED = 2_000_000  # bytes that are read in any case
LEAST_MOVED = 3  # entries of a feed that name another host, before it counts as the site's
MAX_ENTRIES = 50_000  # of a sitemap, as the protocol has it
MAX_DOCUMENT = 60_000_000  # bytes of a sitemap, packed and unpacked; the protocol allows 50 MB
_PATIENCE = 10  # of 19, the process that waits for all others
IN_UTF8 = {"content-type": "application/xml; charset=utf-8"}
_encoding = re.compile(rb"\A\s*<\?xml\b[^<>]{0,200}?(\sencoding\s*=\s*[\"'][^\"'<>]*[\"'])").match
_end = re.compile(rb"</(?:\w+:)?(?:rss|feed|rdf|urlset|sitemapindex)\s*>", re.IGNORECASE).search
root_of = re.compile(rb"<(?:\w+:)?(rss|feed|rdf|urlset|sitemapindex)[\s>]", re.IGNORECASE).search


class ListedPage(NamedTuple):
    """An address listed in a document of the site."""

    url: str
    dated: int | None = None  # when it changed last, seconds since 1970
    others: tuple[str, ...] = ()  # further addresses of the entry: of a post about the first


class Listed(NamedTuple):
    """The addresses in one document of a site: pages, and further lists."""

    kind: str
    pages: list[ListedPage]
    sitemaps: Sequence[ListedPage] = ()
    feeds: Sequence[str] = ()
    next_page: str = ""  # of a list that has several
    is_whole: bool = True  # no end of it is missing
    home: str = ""  # the page that a feed is of

    def of_site(self, is_own: Callable[[str], bool]) -> Listed:
        """Return the list with that address of each entry which is the site's, if one is."""
        pages = [
            one if is_own(one.url) else one._replace(url=next(filter(is_own, one.others), one.url))
            for one in self.pages
        ]
        return self._replace(pages=pages)

    def page_elsewhere(self, is_own: Callable[[str], bool]) -> str:
        """Return a page of a feed whose pages are all on one other host: an old one; or ""."""
        urls = [one.url for one in self.pages]
        is_moved = self.kind == FEED and len(urls) >= LEAST_MOVED and not is_own(self.home)
        is_moved = is_moved and not any(map(is_own, urls))
        return urls[0] if is_moved and len({*map(site_of, urls)}) == 1 else ""


def list_document(body: bytes, url: str) -> Listed | None:
    """Read a sitemap (XML, gzip or text) or a feed; None for other documents."""
    if body[:2] == b"\x1f\x8b":
        from scrapy.utils.gz import gunzip  # .2 s, and only some sitemaps need it

        try:
            body = gunzip(body, max_size=MAX_DOCUMENT)
        except Exception:  # noqa: BLE001, damaged, or of Scrapy for one that is too large
            return None
    body = as_utf8(body)
    if declared := _encoding(body):  # it is of the bytes before
        body = body[: declared.start(1)] + body[declared.end(1) :]
    start = body[:4096].lstrip()
    if start[:1] == b"{":
        return _list_json_feed(body, url)
    if start[:7].lower() in {b"http://", b"https:/"} or start[:1] == b"#":
        return _list_text_sitemap(body)
    root = root_of(body[:100_000])
    is_map = root and root[1].lower() in {b"urlset", b"sitemapindex"}
    found = list_sitemap(body, url) if is_map else list_feed(body, url)
    return found and found._replace(is_whole=bool(_end(body[-2000:])))


def list_feed(body: bytes, url: str) -> Listed | None:
    """Return the entries of an RSS or Atom feed, damaged ones included; None for others."""
    import feedparser  # 40 ms, and only some crawls have feeds

    # A stream: of anything else, feedparser tries whether it is the name of a file. It is told the
    # encoding, for guessing that of some megabytes takes minutes.
    stream = BytesIO(_beginning(body))
    parse: Any = feedparser.parse  # type: ignore[attr-defined]
    options = {"sanitize_html": False, "resolve_relative_uris": False}
    parsed = parse(stream, response_headers=IN_UTF8, **options)
    if not parsed.get("version") and not parsed.entries:
        return None
    named = [_addresses(one, "feedburner_origlink", "link") for one in parsed.entries]
    # "in": feedparser gives the date of publication for one of change that is not there.
    dates = [("updated" in one and one.updated) or one.get("published") for one in parsed.entries]
    # Posts answer others, too. The prefix is the feed's own.
    if all(any(name.endswith("in-reply-to") for name in one) for one in parsed.entries):
        dates = [None] * len(named)
    links = {one.rel: one.get("href", "") for one in parsed.feed.get("links", ())}
    home = join(url, own) if (own := parsed.feed.get("link") or links.get("self")) else ""
    pages = _feed_pages(url, named, dates)
    return Listed(FEED, pages, next_page=_next_page(url, links.get("next")), home=home)


def _feed_pages(url: str, named: Sequence[Sequence[str]], dates: Iterable[Any]) -> list[ListedPage]:
    """Return the entries of a feed at *url*, each with its addresses and its date, as written.

    What stands on a page or answers one, such as a comment, does not date it: it has a place in the
    page for an address, or that of another entry.
    """
    entries = zip(named, dates, strict=True)
    links = [(join(url, some[0]), date) for some, date in entries if some]
    times = Counter(link.partition("#")[0] for link, _ in links)
    found = _listed_pages(
        url, ((link, "" if _is_place(link) or times[link] > 1 else date) for link, date in links)
    )
    others = {join(url, some[0]): tuple(some[1:]) for some in named if some}
    return [one._replace(others=others.get(one.url, ())) for one in found]


def _is_place(url: str) -> bool:
    """True if *url* is of a place in a page; a name with a value, as ``xtor=RSS-1``, is none."""
    _, sign, place = url.partition("#")
    return bool(sign) and "=" not in place


def _beginning(feed: bytes) -> bytes:
    """Return as much of a feed as takes some seconds to read at most."""
    feed = feed[:MAX_FEED]
    while len(feed) > LEAST_FEED and feed.count(b"<") + feed.count(b"&") > MAX_MARKS:
        feed = feed[: len(feed) * 3 // 4]
    return feed


def _next_page(url: str, link: Any) -> str:
    """Return the address of the older part of a feed (RFC 5005), or ""."""
    follows = join(url, link) if isinstance(link, str) and link else ""
    return follows if follows != url else ""


def _listed_pages(url: str, found: Iterable[tuple[Any, Any]]) -> list[ListedPage]:
    named = [(join(url, link), str(date or "")) for link, date in found if isinstance(link, str)]
    dates = read_dates(date for _, date in named)
    return [ListedPage(link, date) for (link, _), date in zip(named, dates, strict=True) if link]


def _list_json_feed(body: bytes, url: str) -> Listed | None:
    try:
        feed = json.loads(body[:MAX_DOCUMENT])
        items = feed["items"] if "jsonfeed.org" in feed["version"] else []
        named = [_addresses(one, "url", "external_url") for one in items]
        dates = [one.get("date_modified") or one.get("date_published") for one in items]
        home = str(feed.get("home_page_url") or feed.get("feed_url") or "")
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError):
        return None
    pages = _feed_pages(url, named, dates)
    return Listed(FEED, pages, next_page=_next_page(url, feed.get("next_url")), home=home)


def _addresses(entry: dict[str, Any], *names: str) -> list[str]:
    """Return the addresses of an entry of a feed, its own first.

    A post about another page names both, in any order: ``link``, an ``id`` (``guid``) that is an
    address, ``rel=related``, a second ``rel=alternate``.
    """
    links = entry.get("links") or ()
    further = [one.get("href") for one in links if one.get("rel") in {"related", "alternate"}]
    number = str(entry.get("id") or "").strip()
    found = [*map(entry.get, names), number if is_web(number) else "", *further]
    return [*dict.fromkeys(one for one in found if isinstance(one, str) and one)]


def _list_text_sitemap(body: bytes) -> Listed | None:
    """Return the addresses of a text sitemap, one a line; None if another line is no comment."""
    lines = re.sub(r"(?m)^#.*", "", body.decode("utf-8", "ignore")).split()
    if not lines or not all(is_web(line) for line in lines):
        return None
    return Listed(SITEMAP, [ListedPage(line) for line in lines[:MAX_ENTRIES]])


def list_sitemap(body: bytes, url: str) -> Listed | None:
    """Return the pages of a sitemap, or the sitemaps of an index; None if it is neither."""
    options: dict[str, Any] = {"recover": True, "resolve_entities": False, "no_network": True}
    parsed = etree.iterparse(
        BytesIO(body), tag=("{*}url", "{*}sitemap"), remove_comments=True, huge_tree=True, **options
    )
    found: list[tuple[Any, Any]] = []
    with suppress(etree.XMLSyntaxError):  # what came before it counts
        for _, element in islice(parsed, MAX_ENTRIES):
            # Its own: pictures and videos of the page have a `loc` and a date, too.
            own = {etree.QName(one).localname: one.text for one in element.iterchildren("{*}*")}
            date = own.get("lastmod") or element.findtext("{*}news/{*}publication_date")
            found.append((own.get("loc"), date))
            element.clear()
    kind = etree.QName(parsed.root).localname.lower() if parsed.root is not None else ""
    entries = _listed_pages(url, found)
    if kind == "sitemapindex":
        return Listed(SITEMAP, [], entries)
    return Listed(SITEMAP, entries) if kind == "urlset" else None


def read_opml(text: bytes) -> tuple[dict[str, list[str]], list[str]]:
    """Return the sites of an OPML file, each with its feeds, and what is not read.

    That is an address, or the name of an outline without one that holds no others.

    Raises: ValueError.
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)
    root: Any = etree.fromstring(text, parser)
    if root is None or etree.QName(root).localname.lower() != "opml":
        raise ValueError("this is no OPML file")
    sites: dict[str, list[str]] = {}
    unread: list[str] = []
    for outline in root.iter("{*}outline", "{*}OUTLINE", "{*}Outline"):
        named = {str(name).lower(): value.strip() for name, value in outline.attrib.items()}
        home = plain_address(named.get("htmlurl", ""))
        scheme = "https" if home.startswith("https:") else "http"
        feed = plain_address(named.get("xmlurl", ""), scheme)
        home = home if is_web(home) else join(feed, "/") if is_web(feed) else ""
        if home:
            sites.setdefault(home, []).extend([feed] if is_web(feed) else [])
        name = "" if len(outline) else named.get("text", "") or named.get("title", "")
        given = feed or ("" if home else named.get("htmlurl") or named.get("url") or name)
        if given and not is_web(feed):
            unread.append(given)
    return sites, unread


def begin_reading() -> None:
    """Let the processes that clean pages go first: an odd document may take half a minute."""
    if hasattr(os, "nice"):  # not on Windows
        os.nice(_PATIENCE)
