"""Read pages from files and standard input, or fetch them: shared by the subcommands."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import scrapy
from scrapy.http import HtmlResponse

from webclean_scrapy import stats
from webclean_scrapy.crawl.responses import header_charset
from webclean_scrapy.meta import SIBLING_URL, WEBCLEAN
from webclean_scrapy.report.explain import GivenPage

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from typing import Any

    from scrapy.crawler import CrawlerProcessBase
    from scrapy.http import Response

_SIBLING = f"{stats.PREFIX}sibling/"


def is_url(source: str) -> bool:
    """Whether *source* is fetched; any other source is a file, and ``-`` standard input."""
    return source.startswith(("http://", "https://"))


def read_page(name: str) -> bytes:
    """Return the bytes of a file or of standard input. Raises OSError."""
    return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()


class FetchSpider(scrapy.Spider):
    """Puts the pages of *urls*, and the siblings fetched for them, into *pages*."""

    name = "webclean-fetch"

    def __init__(self, urls: list[str], pages: dict[str, GivenPage], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._urls = urls
        self._pages = pages

    async def start(self) -> AsyncIterator[scrapy.Request]:
        """Yield a request for each URL."""
        for url in self._urls:
            yield scrapy.Request(url, cb_kwargs={"name": url}, dont_filter=True)

    def parse(self, response: Response, name: str) -> Iterator[scrapy.Request]:
        """Keep the page and request its sibling, which is answered without a download."""
        if not isinstance(response, HtmlResponse):
            return
        charset = header_charset(response)
        self._pages[name] = GivenPage(name, response.body, response.url, charset)
        url = response.meta.get(SIBLING_URL)
        if url:
            yield scrapy.Request(
                url, cb_kwargs={"name": url}, meta={WEBCLEAN: False}, dont_filter=True
            )


def fetch_pages(
    urls: list[str], process: CrawlerProcessBase
) -> tuple[dict[str, GivenPage], dict[str, int]]:
    """Return the HTML pages of *urls* and of their useful siblings, and the sibling stats.

    Keys are the requested URLs, in order of arrival, and the names of stats without their prefix.
    """
    pages: dict[str, GivenPage] = {}
    crawler = process.create_crawler(FetchSpider)
    process.crawl(crawler, urls, pages)
    process.start()
    assert crawler.stats is not None  # noqa: S101, set by create_crawler
    counts = crawler.stats.get_stats()
    return pages, {
        name.removeprefix(_SIBLING): count
        for name, count in counts.items()
        if name.startswith(_SIBLING) and name != stats.SIBLING_HANDED_OVER
    }
