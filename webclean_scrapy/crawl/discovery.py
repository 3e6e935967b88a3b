"""Reads what a site says of its pages: feeds, sitemaps, lists of links, OPML files.

Every function takes the body of one document and returns addresses with their dates. Nothing is
fetched or kept here.
"""

from __future__ import annotations

import re
from calendar import timegm
from contextlib import suppress
from datetime import datetime, timezone
from hashlib import blake2b
from io import BytesIO
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urljoin, urlsplit

from lxml import etree
from scrapy.exceptions import NotSupported
from scrapy.http import HtmlResponse
from scrapy.linkextractors import IGNORED_EXTENSIONS, LinkExtractor
from scrapy.utils.gz import gunzip
from scrapy.utils.response import get_base_url
from scrapy.utils.sitemap import Sitemap, sitemap_urls_from_robots
from scrapy.utils.url import url_has_any_extension
from w3lib.encoding import html_to_unicode

from webclean_scrapy.crawl.addresses import DEFAULT_PORTS, shorten
from webclean_scrapy.crawl.responses import is_parsable, readable
from webclean_scrapy.errors import has_login

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scrapy.http import Response, TextResponse

FEED, SITEMAP, PAGE, ROBOTS = "feed", "sitemap", "page", "robots.txt"  # kinds of sources
#: Where blogs and news sites have a feed that their pages do not name, the most common first.
USUAL_FEEDS = ("/feed/", "/rss.xml", "/atom.xml", "/feed.xml", "/rss", "/index.xml")
USUAL_SITEMAP = "/sitemap.xml"
MAX_FEED = 2_000_000  # bytes that are read of a feed; the latest come first
MAX_ENTRIES = 50_000  # of a sitemap, as the protocol has it
MAX_LENGTH = 2083  # of an address, as in Scrapy
MAX_UNPACKED = 60_000_000  # bytes of a sitemap; the protocol allows 50 MB
IN_UTF8 = {"content-type": "application/xml; charset=utf-8"}
_FEED_TYPES = ("rss", "atom", "rdf")
_page_number = re.compile(r"(?:page|paged|index|list)[/=_-]?(\d{1,4})(?:\.\w{3,5})?/?$").search
_IGNORED = {f".{extension}" for extension in IGNORED_EXTENSIONS}


class Entry(NamedTuple):
    """An address that a document of the site names."""

    url: str
    dated: int | None = None  # when it changed last, seconds since 1970


class Listed(NamedTuple):
    """The addresses in one document of a site: pages, and documents that list pages."""

    pages: list[Entry]
    sitemaps: list[Entry]
    feeds: list[str]
    next_page: str = ""  # of a list that has several
    is_feed: bool = False


def read_source(response: Response, kind: str) -> Listed | None:
    """Return what a source of this kind names; None if it is none. A sitemap may be a feed."""
    if kind == ROBOTS:
        named = [*sitemap_urls_from_robots(response.body, base_url=response.url)]
        named = named or [_join(response.url, USUAL_SITEMAP)]
        return Listed([], [Entry(url) for url in named], [])
    if kind == PAGE:
        return read_page(response) if isinstance(response, HtmlResponse) else None
    listed = read_sitemap(response.body, response.url) if kind == SITEMAP else None
    return listed or read_feed(response.body, response.url)


def read_feed(body: bytes, url: str) -> Listed | None:
    """Return the entries of an RSS or Atom feed, damaged ones too; None if it is none."""
    import feedparser  # 40 ms, and only some crawls have feeds

    # A stream: of anything else, feedparser tries whether it is the name of a file. In UTF-8, for
    # guessing the encoding of some megabytes takes minutes.
    stream = BytesIO(html_to_unicode(None, body[:MAX_FEED])[1].encode())
    parse: Any = feedparser.parse  # type: ignore[attr-defined]
    options = {"sanitize_html": False, "resolve_relative_uris": False}
    parsed = parse(stream, response_headers=IN_UTF8, **options)
    if not parsed.get("version") and not parsed.entries:
        return None
    pages = []
    for entry in parsed.entries:
        link = entry.get("feedburner_origlink") or entry.get("link")
        moment = entry.get("updated_parsed") if "updated" in entry else None
        moment = moment or entry.get("published_parsed")
        dated = None
        with suppress(ValueError, OverflowError):  # a year that no calendar has
            dated = timegm(moment) if moment else None
        if link:
            pages.append(Entry(_join(url, link), dated))
    return Listed([entry for entry in pages if entry.url], [], [], is_feed=True)


def read_sitemap(body: bytes, url: str) -> Listed | None:
    """Return the pages of a sitemap or the sitemaps of an index, plain or gzip; None if none."""
    try:
        if body[:2] == b"\x1f\x8b":
            body = gunzip(body, max_size=MAX_UNPACKED)
        sitemap = Sitemap(body)
        if sitemap.type not in {"urlset", "sitemapindex"}:
            return None
        found = [
            Entry(address, seconds(entry.get("lastmod", "")))
            for entry in islice(sitemap, MAX_ENTRIES)
            if (address := _join(url, entry["loc"]))
        ]
    except (etree.XMLSyntaxError, OSError, EOFError, ValueError, StopIteration, NotSupported):
        return None
    except Exception as error:  # of Scrapy, for a body that unpacks to more than the limit
        if "MaxSize" not in type(error).__name__:
            raise
        return None
    return Listed([], found, []) if sitemap.type == "sitemapindex" else Listed(found, [], [])


def read_page(response: HtmlResponse) -> Listed:
    """Return the links of a page, the feeds that its head names, and the next page of a list."""
    if not is_parsable(response):
        return Listed([], [], [])
    page = readable(response)
    found = LinkExtractor(unique=True).extract_links(page)
    links = [*dict.fromkeys(link.url.partition("#")[0] for link in found)]
    here = page_number(response.url) or 1
    named = page.xpath("(//link|//a)[@rel='next']/@href").get()
    follows = _join(get_base_url(page), named) if named else ""
    for link in links:
        if not follows and page_number(link) == here + 1 and _is_near(link, response.url):
            follows = link
    pages = [Entry(link) for link in links if page_number(link) is None and link != follows]
    return Listed(pages, [], list(_feeds(page)), follows)


def _feeds(page: TextResponse) -> Iterator[str]:
    for link in page.xpath("//link[contains(concat(' ', @rel, ' '), ' alternate ')][@type][@href]"):
        kind, title = link.attrib["type"].lower(), link.attrib.get("title", "").lower()
        address = _join(get_base_url(page), link.attrib["href"])
        if address and any(name in kind for name in _FEED_TYPES) and "comment" not in title:
            yield address


def page_number(url: str) -> int | None:
    """Return the number of a page of a list; None for an address that is no such page.

    >>> page_number("http://a.example/news/page/3/"), page_number("http://a.example/p/3.html")
    (3, None)
    """
    match = _page_number(url)
    return int(match[1]) if match else None


def _is_near(link: str, url: str) -> bool:
    """True if *link* stands below the folder of *url*, as the pages of one list do."""
    folder = url.partition("?")[0].rpartition("/")[0]
    return link.startswith(folder)


def read_opml(text: bytes) -> dict[str, list[str]]:
    """Return the sites of a list of subscriptions, each with its feeds. Raises: ValueError."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)
    root: Any = etree.fromstring(text, parser)
    if root is None or etree.QName(root).localname.lower() != "opml":
        raise ValueError("this is no OPML file")
    sites: dict[str, list[str]] = {}
    for outline in root.iter("outline"):
        feed = outline.get("xmlUrl", "").strip()
        home = outline.get("htmlUrl", "").strip() or _join(feed, "/")
        if feed.startswith("http") and home.startswith("http"):
            sites.setdefault(home, []).append(feed)
    return sites


def site_of(url: str) -> tuple[str, str]:
    """Return host without ``www.`` and port ("" for the default one). Raises: ValueError.

    >>> site_of("https://www.a.example:443/b")
    ('a.example', '')
    """
    parts = urlsplit(url)
    port = f":{parts.port}" if parts.port is not None else ""
    return (parts.hostname or "").removeprefix("www."), (
        "" if port == DEFAULT_PORTS.get(parts.scheme) else port
    )


def page_address(url: str, home: str) -> str:
    """Return the address of a page of the site *home*, without what tracks readers; else "".

    Hosts below that of the site belong to it, pictures and other files do not.
    """
    try:
        url = shorten(url.strip())
    except ValueError:  # such as an IPv6 address without its bracket
        return ""
    return url if is_of_site(url, home) and not url_has_any_extension(url, _IGNORED) else ""


def is_of_site(url: str, home: str) -> bool:
    """True if *url* is on the host of *home*, or on one below it, not too long, without a login."""
    try:
        (host, port), (own, own_port) = site_of(url), site_of(home)
    except ValueError:  # such as an invalid port
        return False
    is_inside = port == own_port and (host == own or host.endswith(f".{own}"))
    is_inside &= len(url) <= MAX_LENGTH
    return is_inside and url.startswith(("http://", "https://")) and not has_login(url)


def _join(base: str, link: str) -> str:
    try:
        return urljoin(base, link.strip())
    except ValueError:  # such as an IPv6 address without its bracket
        return ""


def seconds(date: str) -> int | None:
    """Return a date of ISO 8601 as seconds since 1970; None if it cannot be read."""
    try:
        moment = datetime.fromisoformat(date.strip().replace("Z", "+00:00"))
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=timezone.utc)
    return int(moment.timestamp())


def site_page(url: str, homes: Iterable[str]) -> str:
    """Return the address of a page that belongs to the site of one of *homes*; else ""."""
    return next(filter(None, (page_address(url, home) for home in homes)), "")


def is_of_shard(url: str, shard: str) -> bool:
    """True if the host of *url* is in the part *shard* of all hosts, such as ``2/8``; "": all.

    The same host is in the same part on every machine, with ``www.`` and without. Raises:
    ValueError for a *shard* that is none.
    """
    if not shard:
        return True
    match = re.fullmatch(r"(\d{1,6})/(\d{1,6})", shard)
    number, count = (int(match[1]), int(match[2])) if match else (0, 0)
    if not 1 <= number <= count:
        raise ValueError(f"a shard is a number and a count such as 2/8, got {shard!r}")
    host = site_of(home_address(url))[0]
    return (
        int.from_bytes(blake2b(host.encode(), digest_size=6).digest(), "big") % count == number - 1
    )


def home_address(url: str) -> str:
    """Return the address of a first page as it is kept: with its scheme and a path."""
    whole = url if "://" in url else f"https://{url}"
    return whole if urlsplit(whole).path else f"{whole}/"
