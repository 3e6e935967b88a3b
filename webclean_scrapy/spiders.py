"""The ready-made crawl of one site, and the settings it is meant to run with."""

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

# For sites we are guests of. A project writes them into its settings.py, as spiders/settings.py
# of the repository does; ``scrapy webclean crawl`` has no project and takes them from here.
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

    Arguments, all as text from the command line: *url*, where it begins; *max_pages*, how many
    pages are asked for at most (0: all); *within*, the beginning of the paths that are followed.

    The site is the host of *url* with or without ``www.``, on the same port. Lists become items
    too: ``WEBCLEAN_DROP_NON_ARTICLES`` drops them once their links are followed.
    """

    def __init__(self, url: str, max_pages: str = "0", within: str = "/", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.url = url if "://" in url else f"http://{url}"
        host = urlsplit(self.url).hostname
        if not host or not str(max_pages).isdigit():
            raise ValueError(
                f"url must be a web address and max_pages a number: {url}, {max_pages}"
            )
        self.max_pages = int(max_pages)
        self.allowed_domains = [host.removeprefix("www.")]
        self._site = _site_of(self.url)
        self._within = "/" + within.lstrip("/")
        self._links = LinkExtractor()
        self._guard = GuardConfig()

    async def start(self) -> AsyncIterator[Request]:
        """Yield the first request; a job that is resumed does not ask for it again."""
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
        except ValueError:  # such as a port that is none
            return False

    def _new_requests(self, urls: Any) -> Iterator[Request]:
        """Yield a request for each URL; with *max_pages*, for new ones while there are any left."""
        if not self.max_pages:
            yield from map(Request, urls)
            return
        asked = self._asked()
        for url in urls:
            address = url.partition("#")[0]
            if address not in asked and len(asked) < self.max_pages:
                asked[address] = 1
                yield Request(url)

    def _asked(self) -> dict[str, int]:
        """The URLs asked for, kept between the runs of a job (``state`` comes with JOBDIR)."""
        if not hasattr(self, "state"):
            self.state: dict[str, Any] = {}
        found: dict[str, int] = self.state.setdefault("asked", {})
        return found


def _site_of(url: str) -> tuple[str, int | None]:
    """Return host without ``www.`` and the port, None for the usual one.

    Raises:
        ValueError: *url* has no valid port or host.
    """
    parts = urlsplit(url)
    usual = {"http": 80, "https": 443}.get(parts.scheme)
    port = None if parts.port == usual else parts.port
    return (parts.hostname or "").removeprefix("www."), port


class PagesSpider(scrapy.Spider):
    """Makes an `ArticleItem` of each of the *urls* and follows nothing."""

    name = "webclean-pages"

    def __init__(self, urls: list[str], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.start_urls = urls

    def parse(self, response: Response) -> Iterator[ArticleItem]:
        """Yield the item of the page."""
        yield ArticleItem(url=response.url)
