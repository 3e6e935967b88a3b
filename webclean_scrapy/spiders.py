"""Ready-made spiders, and the settings they are meant to run with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import scrapy
from scrapy.http import HtmlResponse, Request
from scrapy.linkextractors import LinkExtractor

from webclean_scrapy.cleaning.page.guard import GuardConfig
from webclean_scrapy.crawl.responses import is_parsable
from webclean_scrapy.items import ArticleItem

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from scrapy.http import Response

# Polite defaults. A project has them in its settings.py, as spiders/settings.py of the repository
# does; ``scrapy webclean crawl`` needs no project and takes them from here.
CRAWL_SETTINGS: dict[str, Any] = {
    "ADDONS": {"webclean_scrapy.Addon": 500},
    "ROBOTSTXT_OBEY": True,
    "AUTOTHROTTLE_ENABLED": True,
    "AUTOTHROTTLE_START_DELAY": 0.5,
    "AUTOTHROTTLE_TARGET_CONCURRENCY": 2.0,
    "DOWNLOAD_MAXSIZE": 10_000_000,
    "WEBCLEAN_DROP_NON_ARTICLES": True,
}


class SiteSpider(scrapy.Spider):
    """Follows the links within a site and makes one `ArticleItem` of each HTML page.

    Arguments, all strings: *url*, the first page; *max_pages*, the maximum number of requests (0:
    no limit); *within*, a prefix of the URL paths to follow.

    The site is the host of *url* with or without ``www.``, on the same port. Lists become items
    too: with ``WEBCLEAN_DROP_NON_ARTICLES`` they are dropped after their links are followed.
    """

    def __init__(self, url: str, max_pages: str = "0", within: str = "/", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.url = url if "://" in url else f"http://{url}"
        host = urlsplit(self.url).hostname
        if not host or not str(max_pages).isdigit():
            raise ValueError(
                "url must be a URL and max_pages a whole number of at least 0, "
                f"got {url!r} and {max_pages!r}"
            )
        self.max_pages = int(max_pages)
        self.allowed_domains = [host.removeprefix("www.")]
        self._site = _site_of(self.url)
        self._within = "/" + within.lstrip("/")
        self._links = LinkExtractor()
        self._guard = GuardConfig()

    async def start(self) -> AsyncIterator[Request]:
        """Yield the first request; a resumed job does not repeat it."""
        for request in self._new_requests([self.url]):
            yield request

    def parse(self, response: Response) -> Iterator[Any]:
        """Yield the item of the page and the requests for its links."""
        if not isinstance(response, HtmlResponse):
            return
        yield ArticleItem(url=response.url)
        if is_parsable(response, self._guard):
            links = (link.url for link in self._links.extract_links(response))
            yield from self._new_requests(filter(self._is_inside, links))

    def _is_inside(self, url: str) -> bool:
        try:
            return _site_of(url) == self._site and urlsplit(url).path.startswith(self._within)
        except ValueError:  # such as an invalid port
            return False

    def _new_requests(self, urls: Any) -> Iterator[Request]:
        """Yield a request for each URL; with *max_pages*, only for new URLs and up to the limit."""
        if not self.max_pages:
            yield from map(Request, urls)
            return
        requested = self._requested()
        for url in urls:
            page_url = url.partition("#")[0]
            if page_url not in requested and len(requested) < self.max_pages:
                requested[page_url] = 1
                yield Request(url)

    def _requested(self) -> dict[str, int]:
        """The requested URLs, kept between the runs of a job (JOBDIR saves ``state``)."""
        if not hasattr(self, "state"):
            self.state: dict[str, Any] = {}
        requested: dict[str, int] = self.state.setdefault("asked", {})
        return requested


def _site_of(url: str) -> tuple[str, int | None]:
    """Return host without ``www.`` and the port, None for the default one.

    Raises:
        ValueError: *url* has no valid port or host.
    """
    parts = urlsplit(url)
    default = {"http": 80, "https": 443}.get(parts.scheme)
    port = None if parts.port == default else parts.port
    return (parts.hostname or "").removeprefix("www."), port


class PagesSpider(scrapy.Spider):
    """Makes an `ArticleItem` of each of the *urls* and follows no links."""

    name = "webclean-pages"

    def __init__(self, urls: list[str], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.start_urls = urls

    def parse(self, response: Response) -> Iterator[ArticleItem]:
        """Yield the item of the page."""
        yield ArticleItem(url=response.url)
