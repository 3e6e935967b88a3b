"""Find the pages listed by a site: in its feeds, sitemaps, robots.txt and lists of links.

The bytes of a document decide what it is, whatever its type or the link to it says. Nothing is
fetched here.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any, TypeGuard

from protego import Protego
from scrapy.http import HtmlResponse
from scrapy.linkextractors import LinkExtractor
from scrapy.utils.response import get_base_url

from webclean_scrapy.crawl.log_lines import safe_logger
from webclean_scrapy.crawl.responses import header_links, is_cut_off, is_parsable, readable
from webclean_scrapy.crawl.waiting import wait_for_result
from webclean_scrapy.crawl.workers.process import (
    WorkerFailedError,
    WorkerLostError,
    WorkerProcess,
    close_all,
)
from webclean_scrapy.safe_text import hide_login
from webclean_scrapy.spiders.documents import (
    PAGE,
    ROBOTS,
    Listed,
    ListedPage,
    begin_reading,
    list_document,
    root_of,
)
from webclean_scrapy.web_addresses import host_of, join, plain_address

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy.http import Response, TextResponse
    from scrapy.settings import BaseSettings

logger = safe_logger(__name__)

#: Where blogs and news sites have a feed that their pages do not name, the most common first.
USUAL_FEEDS = ("/feed/", "/rss.xml", "/atom.xml", "/feed.xml", "/rss", "/index.xml")
USUAL_SITEMAPS = ("/sitemap.xml", "/sitemap_index.xml")
READERS = 2  # processes: while a document holds up one, the other reads
READ_S = 30.0  # for one document; a feed of `MAX_FEED` bytes takes some seconds
_FEED_TYPES = ("rss", "atom", "rdf", "xml", "feed+json")
#: Of a `LinkExtractor`.
LINKS: dict[str, Any] = {"tags": ("a", "area", "frame"), "attrs": ("href", "src")}
_page_number = re.compile(r"(?:page|paged|index|list)[/=_-]?(\d{1,4})(?:\.\w{3,5})?/?$").search
_is_json_feed = re.compile(r"feed|\.json$").search  # not the interfaces of WordPress


class DocumentReader:
    """Reads what lists the pages of sites; feeds and sitemaps in processes of its own.

    So whatever a document is like, the event loop goes on. A process that needs longer than
    `READ_S` is replaced, and no more documents of that host are read: those of others wait.
    """

    def __init__(self) -> None:
        self._processes = [WorkerProcess(begin_reading, timeout_s=READ_S) for _ in range(READERS)]
        self._reading = Counter[WorkerProcess]()
        self._failed: set[str] = set()  # hosts
        self.is_closed = False

    async def list_source(self, response: Response, kind: str) -> Listed | None:
        """Read a source of any known format; None for others. *kind* page accepts any document."""
        if kind == ROBOTS:
            sitemaps = read_robots(response.body)[0] or USUAL_SITEMAPS
            return Listed(ROBOTS, [], [ListedPage(join(response.url, url)) for url in sitemaps])
        if kind == PAGE and is_page(response):
            return list_links(response)
        return await self._read(response.body, response.url)

    async def _read(self, body: bytes, url: str) -> Listed | None:
        if self.is_closed or (host := host_of(url)) in self._failed:
            return None
        process = min(self._processes, key=lambda one: self._reading[one])
        self._reading[process] += 1
        try:
            return await wait_for_result(process.submit(list_document, body, url))
        except WorkerLostError:
            return list_document(body, url)
        except WorkerFailedError as error:
            if not self.is_closed:
                self._failed.add(host)
                line = "%s: the process that read it %s; no feed or sitemap of this host is read"
                logger.warning(line, hide_login(url), error)
            return None
        finally:
            self._reading[process] -= 1

    def has_failed(self, url: str) -> bool:
        """True if no more documents of the host of *url* are read."""
        return host_of(url) in self._failed

    def close(self) -> None:
        """End the processes; what they read counts as not read."""
        self.is_closed = True
        close_all([(one, None) for one in self._processes], 0.0)


def is_page(response: Response) -> TypeGuard[HtmlResponse]:
    """True if *response* is a page, and no feed or sitemap that is served as one."""
    return isinstance(response, HtmlResponse) and not root_of(response.body[:1000])


def read_robots(body: bytes, settings: BaseSettings | None = None) -> tuple[list[str], float]:
    """Return the sitemaps in a robots.txt, and its ``Crawl-delay`` in seconds; 0.0 without one.

    The delay is that for the user agent in *settings*.
    """
    rules = Protego.parse(body.decode("utf-8-sig", "ignore"))
    agent = (settings["ROBOTSTXT_USER_AGENT"] or settings["USER_AGENT"]) if settings else "*"
    return [*rules.sitemaps], rules.crawl_delay(agent) or 0.0


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
    """Yield the feeds that a page names for readers, except comment feeds.

    In its head, its ``Link`` header, and links with the scheme of feed readers.
    """
    links = [dict(one.attrib) for one in page.xpath("//link[@rel][@href]")]
    for_readers = "//a/@href[starts-with(normalize-space(translate(., 'FED', 'fed')), 'feed:')]"
    links += [{"href": url, "rel": "feed"} for url in page.xpath(for_readers).getall()]
    links += header_links(page)
    for link in links:
        rel, kind = link.get("rel", "").lower().split(), link.get("type", "").lower()
        is_feed = "oembed" not in kind and any(name in kind for name in _FEED_TYPES)
        is_feed |= kind == "application/json" and bool(_is_json_feed(link["href"]))
        if not ("alternate" in rel and is_feed) and "feed" not in rel:
            continue
        scheme = page.url.partition(":")[0]
        address = join(get_base_url(page), plain_address(link["href"].strip(), scheme))
        if address and "comment" not in link.get("title", "").lower():
            yield address


def page_number(url: str) -> int | None:
    """Return the number of a list page; None if the address is no later page of a list.

    >>> page_number("http://a.example/news/page/3/"), page_number("http://a.example/p/3.html")
    (3, None)
    """
    match = _page_number(url)
    return int(match[1]) if match else None
