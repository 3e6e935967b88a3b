"""Read pages from files and standard input, or fetch them: shared by the subcommands."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import scrapy
from scrapy.exceptions import UsageError
from scrapy.http import HtmlResponse

from webclean_scrapy import stats
from webclean_scrapy.commands.fetching import (
    describe_content,
    describe_error,
    fetching_process,
    run_crawl,
)
from webclean_scrapy.crawl.responses import header_charset
from webclean_scrapy.engines.page_cleaner import read_file
from webclean_scrapy.items import ArticleItem
from webclean_scrapy.meta import SIBLING_URL, WEBCLEAN
from webclean_scrapy.report.explain import GivenPage

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Sequence
    from typing import Any

    from scrapy.http import Response
    from scrapy.settings import Settings
    from twisted.python.failure import Failure

    Report = Callable[[str, str], None]  # URL, why there is no page

_SIBLING = f"{stats.PREFIX}sibling/"
_MAX_FILE = 1_000_000_000  # bytes; the Cleaner refuses less


def is_url(source: str) -> bool:
    """True if *source* is fetched; any other source is a file, and ``-`` standard input."""
    return source.startswith(("http://", "https://"))


def read_page(name: str) -> bytes:
    """Return the bytes of a file, plain or gzip, or of standard input.

    Raises OSError; EOFError or zlib.error of a damaged .gz file.
    """
    return sys.stdin.buffer.read() if name == "-" else read_file(name, _MAX_FILE)


def read_url_list(name: str) -> list[str]:
    """Return the URLs of a file, one a line, each once; ``#`` begins a comment.

    Raises:
        UsageError: a line holds something else.
        OSError: the file cannot be read.
    """
    raw = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    urls: dict[str, None] = {}
    for number, line in enumerate(raw.decode("utf-8-sig", "replace").splitlines(), 1):
        url = line.strip()
        if not url or url.startswith("#"):
            continue
        if not is_url(url) or not is_valid(url):
            raise UsageError(f"{name}:{number}: {url[:80]!r} is no http address")
        urls[url] = None
    return list(urls)


def is_valid(url: str) -> bool:
    """True if *url* has a host that can be asked."""
    try:
        return bool(urlsplit(url).hostname)
    except ValueError:  # such as an IPv6 address without its bracket
        return False


class AskingSpider(scrapy.Spider):
    """Asks for each of *urls* and reports those that have no page to clean."""

    name = "webclean-pages"
    webclean_items = True  # each page is cleaned, also where no item is made of it (explain)

    def __init__(self, urls: Sequence[str], report: Report, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.report = report
        self._waiting: dict[str, list[str]] = {}  # URLs of each host, to be asked for later
        for url in urls:
            if is_valid(url):
                self._waiting.setdefault(urlsplit(url).netloc, []).append(url)
            else:
                report(url, "this is not a valid address")

    async def start(self) -> AsyncIterator[scrapy.Request]:
        """Yield a request for the first URL of each host.

        The others follow when it is answered: of several requests that wait for one robots.txt,
        Scrapy 2.14 to 2.19 lets the third and later ones pass.
        """
        for urls in self._waiting.values():
            for request in self._requests([urls.pop(0)]):
                yield request

    def _requests(self, urls: Sequence[str]) -> Iterator[scrapy.Request]:
        for url in urls:
            arguments = {"asked": url}
            yield scrapy.Request(url, cb_kwargs=arguments, errback=self.failed, dont_filter=True)

    def _others(self, asked: str) -> Iterator[scrapy.Request]:
        """Yield the requests that waited for the answer to one, once."""
        yield from self._requests(self._waiting.pop(urlsplit(asked).netloc, ()))

    def failed(self, failure: Failure) -> Iterator[Any]:
        """Report why a request failed."""
        asked = failure.request.cb_kwargs["asked"]  # type: ignore[attr-defined]
        self.report(asked, describe_error(failure.value))
        yield from self._others(asked)

    def parse(self, response: Response, asked: str) -> Iterator[Any]:
        """Yield what `take` makes of a page."""
        if problem := describe_content(response):
            self.report(asked, problem)
        elif isinstance(response, HtmlResponse):
            yield from self.take(response, asked)
        yield from self._others(asked)

    def take(self, response: HtmlResponse, asked: str) -> Iterator[Any]:
        """Yield an item for the page."""
        yield ArticleItem(url=response.url)


class FetchSpider(AskingSpider):
    """Puts the pages of *urls*, and the siblings fetched for them, into *pages*."""

    name = "webclean-fetch"

    def __init__(self, *, pages: dict[str, GivenPage], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._pages = pages

    def take(self, response: HtmlResponse, asked: str) -> Iterator[scrapy.Request]:
        """Keep the page and request its sibling, which is answered without a download."""
        charset = header_charset(response)
        self._pages[asked] = GivenPage(asked, response.body, response.url, charset)
        url = response.meta.get(SIBLING_URL)
        if url:
            yield scrapy.Request(
                url, cb_kwargs={"asked": url}, meta={WEBCLEAN: False}, dont_filter=True
            )


def fetch_pages(
    urls: Sequence[str], settings: Settings, report: Report
) -> tuple[dict[str, GivenPage], dict[str, int]]:
    """Return the HTML pages of *urls* and of their useful siblings, and the sibling stats.

    Keys are the requested URLs, in order of arrival, and the names of stats without their prefix.
    """
    pages: dict[str, GivenPage] = {}
    process = fetching_process(settings)
    crawler = run_crawl(process, FetchSpider, urls=urls, report=report, pages=pages)
    counts = crawler.stats.get_stats()
    return pages, {
        name.removeprefix(_SIBLING): count
        for name, count in counts.items()
        if name.startswith(_SIBLING) and name != stats.SIBLING_HANDED_OVER
    }
