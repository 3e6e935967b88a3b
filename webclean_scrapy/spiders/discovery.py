"""Read the pages listed by a site: feeds, sitemaps, lists of links, OPML files.

The bytes of a document decide what it is, whatever its type or the link to it says. Nothing is
fetched or kept here.
"""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from contextlib import suppress
from io import BytesIO
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from lxml import etree
from protego import Protego
from scrapy.http import HtmlResponse
from scrapy.linkextractors import LinkExtractor
from scrapy.utils.gz import gunzip
from scrapy.utils.response import get_base_url
from w3lib.encoding import html_to_unicode

from webclean_scrapy.crawl.responses import is_closed, is_cut_off, is_parsable, readable
from webclean_scrapy.spiders.written_dates import read_dates
from webclean_scrapy.web_addresses import is_web, join, site_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from scrapy.http import Response, TextResponse

FEED, SITEMAP, PAGE, ROBOTS = "feed", "sitemap", "page", "robots.txt"  # kinds of sources
#: Where blogs and news sites have a feed that their pages do not name, the most common first.
USUAL_FEEDS = ("/feed/", "/rss.xml", "/atom.xml", "/feed.xml", "/rss", "/index.xml")
USUAL_SITEMAPS = ("/sitemap.xml", "/sitemap_index.xml")
MAX_FEED = 10_000_000  # bytes that are read of a feed; the latest come first
MAX_MARKS = 400_000  # of tags and entities in it: these cost time, and long texts do not
LEAST_FEED = 2_000_000  # bytes that are read in any case
LEAST_MOVED = 3  # entries of a feed that name another host, before it counts as the site's
MAX_ENTRIES = 50_000  # of a sitemap, as the protocol has it
MAX_DOCUMENT = 60_000_000  # bytes of a sitemap, packed and unpacked; the protocol allows 50 MB
IN_UTF8 = {"content-type": "application/xml; charset=utf-8"}
_FEED_TYPES = ("rss", "atom", "rdf", "xml", "feed+json")
#: Of a `LinkExtractor`.
LINKS: dict[str, Any] = {"tags": ("a", "area", "frame"), "attrs": ("href", "src")}
_page_number = re.compile(r"(?:page|paged|index|list)[/=_-]?(\d{1,4})(?:\.\w{3,5})?/?$").search
_is_json_feed = re.compile(r"feed|\.json$").search  # not the interfaces of WordPress
_encoding = re.compile(rb"\sencoding=[\"'][\w-]+[\"']")
_root = re.compile(rb"<(?:\w+:)?(rss|feed|rdf|urlset|sitemapindex)[\s>]", re.IGNORECASE).search
_link_header = re.compile(r"<([^<>]*)>((?:\s*;\s*[\w*]+\s*=\s*(?:\"[^\"]*\"|[^\s\",;]+))*)").findall


class ListedPage(NamedTuple):
    """An address listed in a document of the site."""

    url: str
    dated: int | None = None  # when it changed last, seconds since 1970


class Listed(NamedTuple):
    """The addresses in one document of a site: pages, and further lists."""

    kind: str
    pages: list[ListedPage]
    sitemaps: Sequence[ListedPage] = ()
    feeds: Sequence[str] = ()
    next_page: str = ""  # of a list that has several
    is_whole: bool = True  # no end of it is missing

    def page_elsewhere(self, is_own: Callable[[str], bool]) -> str:
        """Return a page of a feed whose pages are all on one other host: an old one; or ""."""
        urls = [one.url for one in self.pages]
        is_moved = self.kind == FEED and len(urls) >= LEAST_MOVED and not any(map(is_own, urls))
        return urls[0] if is_moved and len({*map(site_of, urls)}) == 1 else ""


def list_source(response: Response, kind: str) -> Listed | None:
    """Read a source of any known format; None for others. *kind* page accepts any document."""
    if kind == ROBOTS:
        named = [*robots_rules(response.body).sitemaps] or USUAL_SITEMAPS
        return Listed(ROBOTS, [], [ListedPage(join(response.url, url)) for url in named])
    if kind == PAGE and isinstance(response, HtmlResponse) and not _root(response.body[:1000]):
        return list_links(response)
    return list_document(response.body, response.url)


def robots_rules(body: bytes) -> Protego:
    return Protego.parse(body.decode("utf-8-sig", "ignore"))


def list_document(body: bytes, url: str) -> Listed | None:
    """Read a sitemap (XML, gzip or text) or a feed; None for other documents."""
    if body[:2] == b"\x1f\x8b":
        try:
            body = gunzip(body, max_size=MAX_DOCUMENT)
        except Exception:  # noqa: BLE001, damaged, or of Scrapy for one that is too large
            return None
    if body[:2] in {BOM_UTF16_LE, BOM_UTF16_BE}:
        body = _encoding.sub(b"", body.decode("utf-16", "replace").encode(), count=1)
    start = body[:4096].lstrip(b"\xef\xbb\xbf \t\r\n")
    if start[:1] == b"{":
        return _list_json_feed(body, url)
    if start[:7].lower() in {b"http://", b"https:/"} or start[:1] == b"#":
        return _list_text_sitemap(body)
    root = _root(body[:100_000])
    is_map = root and root[1].lower() in {b"urlset", b"sitemapindex"}
    found = list_sitemap(body, url) if is_map else list_feed(body, url)
    return found and found._replace(is_whole=is_closed(body))


def list_feed(body: bytes, url: str) -> Listed | None:
    """Return the entries of an RSS or Atom feed, damaged ones included; None for others."""
    import feedparser  # 40 ms, and only some crawls have feeds

    # A stream: of anything else, feedparser tries whether it is the name of a file. In UTF-8, for
    # guessing the encoding of some megabytes takes minutes.
    stream = BytesIO(html_to_unicode(None, _beginning(body))[1].encode())
    parse: Any = feedparser.parse  # type: ignore[attr-defined]
    options = {"sanitize_html": False, "resolve_relative_uris": False}
    parsed = parse(stream, response_headers=IN_UTF8, **options)
    if not parsed.get("version") and not parsed.entries:
        return None
    links = [_link_of(one, "feedburner_origlink", "link") for one in parsed.entries]
    # "in": feedparser gives the date of publication for one of change that is not there.
    dates = [("updated" in one and one.updated) or one.get("published") for one in parsed.entries]
    pages = _listed_pages(url, zip(links, dates, strict=True))
    follows = (one.get("href", "") for one in parsed.feed.get("links", ()) if one.rel == "next")
    return Listed(FEED, pages, next_page=_next_page(url, next(follows, "")))


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
    """Return the addresses and dates in a document at *url*, as written."""
    named = [(join(url, link), str(date or "")) for link, date in found if isinstance(link, str)]
    dates = read_dates(date for _, date in named)
    return [ListedPage(link, date) for (link, _), date in zip(named, dates, strict=True) if link]


def _list_json_feed(body: bytes, url: str) -> Listed | None:
    try:
        feed = json.loads(body[:MAX_DOCUMENT])
        items = feed["items"] if "jsonfeed.org" in feed["version"] else []
        links = [_link_of(one, "url", "external_url") for one in items]
        dates = [one.get("date_modified") or one.get("date_published") for one in items]
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError):
        return None
    pages = _listed_pages(url, zip(links, dates, strict=True))
    return Listed(FEED, pages, next_page=_next_page(url, feed.get("next_url")))


def _link_of(entry: dict[str, Any], *names: str) -> Any:
    """Return the address of an entry of a feed; its ``id`` is one in many."""
    number = str(entry.get("id") or "").strip()
    return next(filter(None, map(entry.get, names)), number if is_web(number) else None)


def _list_text_sitemap(body: bytes) -> Listed | None:
    """Return the addresses of a text sitemap, one a line; None if another line is no comment."""
    lines = re.sub(r"(?m)^#.*", "", body.decode("utf-8-sig", "ignore")).split()
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


def list_links(response: HtmlResponse) -> Listed:
    """Return links, declared feeds and the next page of an HTML page."""
    if not is_parsable(response):
        return Listed(PAGE, [])
    page = readable(response)
    found = LinkExtractor(**LINKS, unique=True).extract_links(page)
    links = [*dict.fromkeys(link.url.partition("#")[0] for link in found)]
    here = page_number(response.url) or 1
    named = page.xpath("(//link|//a)[@rel='next']/@href").get()
    follows = join(get_base_url(page), named) if named else ""
    folder = response.url.partition("?")[0].rpartition("/")[0]  # the pages of a list are below it
    for link in links:
        if not follows and page_number(link) == here + 1 and link.startswith(folder):
            follows = link
    pages = [ListedPage(link) for link in links if page_number(link) is None and link != follows]
    is_whole = not is_cut_off(response.body)
    maps = page.xpath("//link[translate(@rel, 'SITEMAP', 'sitemap')='sitemap']/@href").getall()
    sitemaps = [ListedPage(join(get_base_url(page), link)) for link in maps]
    return Listed(PAGE, pages, sitemaps, [*dict.fromkeys(_feeds(page))], follows, is_whole)


def _feeds(page: TextResponse) -> Iterator[str]:
    """Yield the feeds declared in a page's head or ``Link`` header, except comment feeds."""
    links = [dict(one.attrib) for one in page.xpath("//link[@rel][@href]")]
    header = b", ".join(page.headers.getlist("Link")).decode("latin-1")
    for url, written in _link_header(header):
        pairs = re.findall(r"(\w+)\*?\s*=\s*\"?([^\";]*)", written)
        links.append({"href": url, **{name.lower(): value for name, value in pairs}})
    for link in links:
        rel, kind = link.get("rel", "").lower().split(), link.get("type", "").lower()
        is_feed = "oembed" not in kind and any(name in kind for name in _FEED_TYPES)
        is_feed |= kind == "application/json" and bool(_is_json_feed(link["href"]))
        if not ("alternate" in rel and is_feed) and "feed" not in rel:
            continue
        address = join(get_base_url(page), link["href"])
        if address and "comment" not in link.get("title", "").lower():
            yield address


def page_number(url: str) -> int | None:
    """Return the number of a list page; None if the address is no later page of a list.

    >>> page_number("http://a.example/news/page/3/"), page_number("http://a.example/p/3.html")
    (3, None)
    """
    match = _page_number(url)
    return int(match[1]) if match else None


def read_opml(text: bytes) -> dict[str, list[str]]:
    """Return the sites of an OPML file, each with its feeds. Raises: ValueError."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)
    root: Any = etree.fromstring(text, parser)
    if root is None or etree.QName(root).localname.lower() != "opml":
        raise ValueError("this is no OPML file")
    sites: dict[str, list[str]] = {}
    for outline in root.iter("outline"):
        feed = outline.get("xmlUrl", "").strip()
        home = outline.get("htmlUrl", "").strip() or join(feed, "/")
        if feed.startswith("http") and home.startswith("http"):
            sites.setdefault(home, []).append(feed)
    return sites
