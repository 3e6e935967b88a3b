"""The spider of one site, with the settings of ready-made spiders."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import scrapy
from scrapy import signals
from scrapy.exceptions import IgnoreRequest
from scrapy.http import HtmlResponse, Request
from scrapy.http.request import NO_CALLBACK
from scrapy.linkextractors import LinkExtractor
from scrapy.utils.datatypes import LocalCache

from webclean_scrapy import web_addresses
from webclean_scrapy.crawl.disk_guard import end_crawl
from webclean_scrapy.crawl.request_meta import CANONICAL, FIRST_PAGE, IS_SIBLING, WEBCLEAN
from webclean_scrapy.crawl.responses import LINKS_GUARD, is_parsable, page_text, readable
from webclean_scrapy.crawl.service import WebcleanService
from webclean_scrapy.crawl.settings_files import read_profile
from webclean_scrapy.downloadermiddlewares.redirects import use_middlewares
from webclean_scrapy.export.tables import NEW_EXPORTERS, OWN_EXPORTERS
from webclean_scrapy.keywords.interest_profile import LinkInterest
from webclean_scrapy.safe_text import hide_login
from webclean_scrapy.spiders import discovery
from webclean_scrapy.spiders.addresses import MAX_COPIES, SiteAddresses
from webclean_scrapy.spiders.documents import FEED, MAX_DOCUMENT, PAGE, ROBOTS, SITEMAP
from webclean_scrapy.web_addresses import has_login, shorten

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Mapping

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.settings import BaseSettings
    from typing_extensions import Self

    from webclean_scrapy.settings import WebcleanConfig
    from webclean_scrapy.spiders.documents import Listed

MAX_MADE = 20_000  # latest pages
MAX_FEED_PAGES = 100  # of one feed
PLACES = frozenset({"links", "feeds", "sitemaps"})  # where pages are found
#: How the ready-made crawls behave as guests, by ``webclean crawl`` and by the project here.
CRAWL_SETTINGS: dict[str, Any] = {
    "ADDONS": {"webclean_scrapy.Addon": 500},
    "ROBOTSTXT_OBEY": True,
    "AUTOTHROTTLE_ENABLED": True,
    "AUTOTHROTTLE_START_DELAY": 0.5,  # seconds; adapts within a few pages
    "AUTOTHROTTLE_TARGET_CONCURRENCY": 2.0,  # parallel requests of a site
    "DOWNLOAD_MAXSIZE": 10_000_000,  # bytes
    "FEED_EXPORTERS": {**NEW_EXPORTERS, **OWN_EXPORTERS},
    "WEBCLEAN_DROP_NON_ARTICLES": True,  # lists are needed for their links alone
    "WEBCLEAN_PARTS": True,
}


class SiteSpider(scrapy.Spider):
    """Follows the links within a site and yields an `ArticleItem` per HTML page.

    Arguments, all strings: *url*, the first page; *max_pages*, the maximum number of requests (0:
    no limit); *within*, a prefix of the URL paths to follow and to make items of; *discover*, where
    pages are found: some of ``links,feeds,sitemaps``. Feeds are those that the first page names, or
    those at usual addresses; *max_pages* counts neither them nor sitemaps. A *url* that is a feed
    or a sitemap leads to its pages.

    The site is the host of *url* with or without ``www.``, on the same port, and the one that its
    first page redirects to. Lists become items
    too: with ``WEBCLEAN_DROP_NON_ARTICLES`` they are dropped after their links are followed.

    With ``WEBCLEAN_INTEREST_PROFILE``, *max_pages* ends the crawl when so many requests were sent;
    those already on their way, at most ``CONCURRENT_REQUESTS``, still arrive.
    """

    webclean_items = True  # each page makes one
    discover = "links"

    def __init__(self, url: str, max_pages: str = "0", within: str = "/", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.url = web_addresses.home_address(url if "://" in url else f"http://{url}")
        host = "" if has_login(self.url) else web_addresses.host_name(self.url)
        self._places = {*self.discover.split(",")}
        if not host or not str(max_pages).isdigit() or not PLACES.issuperset(self._places):
            raise ValueError(
                "url must be a URL without a login, and max_pages a whole number of at least 0, "
                f"got {hide_login(self.url)!r} and {max_pages!r}; discover: some of "
                f"links,feeds,sitemaps, got {self.discover!r}"
            )
        self.max_pages = int(max_pages)
        self.allowed_domains = [host.removeprefix("www.")]
        self.named_hosts = {host}
        self._sites = [web_addresses.site_of(self.url)]
        self._within = "/" + within.lstrip("/")
        # Not unique: a picture and a headline may share a URL.
        self._links = LinkExtractor(**discovery.LINKS, unique=False)
        self.state: dict[str, Any] = {}  # JOBDIR puts another here, which it saves
        self._made: LocalCache[str, None] = LocalCache(MAX_MADE)  # addresses of items
        self._closing: Any = None  # once it ends before all is asked for
        self._reader = discovery.DocumentReader()

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        super().update_settings(settings)
        use_middlewares(settings)

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.count_request, signal=signals.request_reached_downloader)
        crawler.signals.connect(spider.let_return, signal=signals.request_scheduled)
        crawler.signals.connect(spider._reader.close, signal=signals.engine_stopped)
        crawler.signals.connect(spider.note_item, signal=signals.item_scraped)
        crawler.signals.connect(spider.note_item, signal=signals.item_dropped)
        return spider

    async def start(self) -> AsyncIterator[Request]:
        """Yield the first request; a resumed job skips it."""
        for request in self._new_requests({self.url: 0}):
            yield request
        if "sitemaps" in self._places:
            for request in self._ask(web_addresses.join(self.url, "/robots.txt"), ROBOTS):
                yield request

    async def parse(self, response: Response) -> AsyncIterator[Any]:
        """Yield the item of the page and the requests for its links.

        Of a page that has another address as its own, that one is asked for in its place.
        """
        if not response.meta.get("depth") and not self._is_of_site(response.url):
            self._add_site(response.url)
        is_read = self._places != {"links"} or not isinstance(response, HtmlResponse)
        is_first = is_read and not response.meta.get("depth")
        listed = await self._reader.list_source(response, PAGE) if is_first else None
        for made in self._read_page(response, listed):
            yield made

    def _read_page(self, response: Response, listed: Listed | None) -> Iterator[Any]:
        if listed and listed.kind != PAGE:  # a feed or a sitemap
            yield from self._follow_listed(response, listed)
        if not isinstance(response, HtmlResponse):
            return
        if self._is_within(response.url):  # the first page may stand above
            if canonical := response.meta.get(CANONICAL):
                yield from self._new_requests({canonical: 0})
            elif shorten(response.url) not in self._made:
                self._made[shorten(response.url)] = None
                yield WebcleanService.new_item(self.crawler, response.url)
        if listed and listed.kind == PAGE:
            yield from self._ask_named(response, listed)
        if is_parsable(response) and "links" in self._places:
            yield from self._new_requests(self._priorities(response))

    def _add_site(self, url: str) -> None:
        self.logger.warning("%s leads to %s, which is crawled", self.url, url)
        self._sites.append(web_addresses.site_of(url))
        self.allowed_domains.append(self._sites[-1][0])

    def _ask_named(self, response: Response, listed: Listed) -> Iterator[Request]:
        """Request the feeds and sitemaps that the first page names; without feeds, usual ones."""
        if "feeds" in self._places:
            usual = (web_addresses.join(response.url, path) for path in discovery.USUAL_FEEDS)
            for url in listed.feeds or usual:
                yield from self._ask(url, FEED)
        if "sitemaps" in self._places:
            for one in listed.sitemaps:
                yield from self._ask(one.url, SITEMAP)

    def wants_canonical(self, request: Request, url: str) -> bool:
        """True if the canonical URL *url* of a page is to be requested.

        What was made of it already is compared with that page.
        """
        requested = self._requested()
        is_left = not self.max_pages or url in requested or len(requested) < self.max_pages
        is_page = "kind" not in request.cb_kwargs
        return is_left and is_page and self._is_inside(url) and url not in self._made

    def asks_for_first(self, request: Request, url: str) -> bool:
        """True if the first page *url*, linked by a later part, will be requested."""
        return "links" in self._places and self.wants_canonical(request, url)

    def _ask(self, url: str, kind: str) -> Iterator[Request]:
        if web_addresses.is_askable(url):
            meta: dict[str, Any] = {WEBCLEAN: False, "download_maxsize": MAX_DOCUMENT}
            meta |= dict.fromkeys(("handle_httpstatus_all", "allow_offsite"), True)
            yield Request(url, self.parse_source, cb_kwargs={"kind": kind}, meta=meta)

    async def parse_source(self, response: Response, kind: str) -> AsyncIterator[Request]:
        """Yield requests for the addresses in robots.txt, a feed or a sitemap."""
        if listed := await self._reader.list_source(response, kind):
            for request in self._follow_listed(response, listed):
                yield request

    def _follow_listed(self, response: Response, listed: Listed) -> Iterator[Request]:
        for child in listed.sitemaps:
            yield from self._ask(child.url, SITEMAP)
        listed = listed.of_site(self._is_of_site)
        elsewhere = listed.page_elsewhere(self._is_of_site)
        if elsewhere and self._is_of_site(response.url):
            self._add_site(elsewhere)
        urls = [one.url for one in listed.pages if self._is_inside(one.url)]
        if urls and response.meta.get("depth", 0) < MAX_FEED_PAGES:
            yield from self._ask(listed.next_page, listed.kind)
        addresses = self._addresses.of_links(response.url, urls)
        yield from self._new_requests(dict.fromkeys(addresses.values(), 0))

    def count_request(self, request: Request) -> None:
        """Stop a focused crawl after *max_pages* page requests, retries not counted."""
        again = request.meta.get("redirect_times") or request.meta.get("retry_times")
        is_page = request.callback is not NO_CALLBACK and "kind" not in request.cb_kwargs
        if again or not is_page or IS_SIBLING in request.meta:
            return
        if not self.max_pages or self._link_interest is None:
            return
        requested = self._requested()
        requested[request.url] = 1
        if len(requested) >= self.max_pages:
            self._end("max_pages")

    def note_item(self, item: Any, response: Any, exception: Any = None) -> None:
        """Stop a crawl that yields only copies; *exception*: why the item was dropped.

        What an earlier crawl has exported counts as new when this one meets it first.
        """
        if not isinstance(response, HtmlResponse) or response.request is None:
            return
        record = getattr(item, "webclean", None) or {}
        key = record.get("duplicate_of")
        is_article = bool(key) or (exception is None and record.get("kind") != "listing")
        if not is_article and is_parsable(response, LINKS_GUARD):
            key = page_text(readable(response))
        priority = response.request.priority
        if not self._addresses.leads_on(key or response.url, priority, is_article=is_article):
            self._end("copies")

    def _end(self, reason: str) -> None:
        if self._closing is None:
            self._closing = end_crawl(self.crawler, reason)
            if reason == "copies":
                why = f"{MAX_COPIES:,} pages were copies, as where each address has a session"
                self.logger.warning("The crawl ends: its last %s", why)

    def let_return(self, request: Request) -> None:
        """Allow a page to be requested again, once, after its site redirected it.

        Sites do so to set a cookie. Scrapy's filter takes such a request for a repetition, and the
        whole site is lost with its first page.
        """
        before = request.meta.get("redirect_urls", [])
        if before.count(request.url) == 1:
            request.dont_filter = True
        is_page = "kind" not in request.cb_kwargs and IS_SIBLING not in request.meta
        is_first = not request.meta.get("depth")  # it may lead to where the site is now
        if before and is_page and not is_first and not self._is_of_site(request.url):
            left = IgnoreRequest("offsite: the page is redirected there")
            if service := self.crawler.get_extension(WebcleanService):
                service.summary.fail(request, left)
            raise left

    def _priorities(self, response: HtmlResponse) -> dict[str, int]:
        """Return the priority of each linked address, in order: 0 by default."""
        page = readable(response)
        inside = [one for one in self._links.extract_links(page) if self._is_inside(one.url)]
        addresses = self._addresses.of_links(response.url, (link.url for link in inside))
        found = ((addresses[one.url], one.text) for one in inside if one.url in addresses)
        if self._link_interest is None:
            return dict.fromkeys((address for address, _ in found), 0)
        depth = response.meta.get("depth", 0)
        return self._link_interest.priorities(page_text(page), found, depth=depth)

    @cached_property
    def _addresses(self) -> SiteAddresses:
        active = self._config is None or self._config.shorten_addresses
        return SiteAddresses(self.crawler.stats.inc_value, active=active)

    @cached_property
    def _config(self) -> WebcleanConfig | None:
        service = self.crawler.get_extension(WebcleanService)
        return service.config if service else None

    @cached_property
    def _link_interest(self) -> LinkInterest | None:
        profile = read_profile(self._config) if self._config else None
        return LinkInterest(profile) if profile else None

    def _is_inside(self, url: str) -> bool:
        return self._is_of_site(url) and self._is_within(url)

    def _is_of_site(self, url: str) -> bool:
        is_web = web_addresses.has_host(url) and not has_login(url)
        return is_web and web_addresses.site_of(url) in self._sites

    def _is_within(self, url: str) -> bool:
        return web_addresses.is_below(url, (self._within,))

    def _new_requests(self, priorities: Mapping[str, int]) -> Iterator[Request]:
        """Yield a request for each URL with its priority.

        With *max_pages*, only for new URLs and up to the limit. A focused crawl does not know yet
        which of them it will send, see `count_request`.
        """
        requested = self._requested()
        for url, priority in priorities.items():
            page_url = url.partition("#")[0]
            if self.max_pages and self._link_interest is None:
                if page_url in requested or len(requested) >= self.max_pages:
                    continue
                requested[page_url] = 1
            is_first = url == self.url
            is_moved = len(self._sites) > 1
            meta = {"allow_offsite": is_moved or is_first, FIRST_PAGE: is_first}
            yield Request(url, priority=priority + self._addresses.priority, meta=meta)

    def _requested(self) -> dict[str, int]:
        """The requested URLs, kept between runs of a job (JOBDIR saves ``state``)."""
        requested: dict[str, int] = self.state.setdefault("asked", {})
        return requested
