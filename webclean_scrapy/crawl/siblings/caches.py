"""Keeps pages and sibling responses for a while, bounded in number and in bytes.

`SeenPages` are the latest pages of the crawl: the first page of a template takes the second one as
its sibling, instead of fetching a third. (The template of a page is learned when the pipeline
cleans it, which is too late for pages of one template that arrive together.)

`ResponseCache` has sibling responses, so that the crawl's own request for such a page is not sent.
Only a request that would have been sent exactly as the sibling's was is answered from there: a
plain GET with the same headers, no cookies, and nothing in its meta that could change the download.
robots.txt, offsite rules and the duplicate filter are applied before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from scrapy.utils.datatypes import LocalCache

from webclean_scrapy.crawl.pending import Waiters
from webclean_scrapy.crawl.scrapy_private import has_cookies_for

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Request, Response
    from scrapy.http.headers import Headers

    from webclean_scrapy.cleaning.page.raw_page import RawPage

MAX_KEPT = 64  # pages, and responses
MAX_PAGE_BYTES = 8_000_000  # of all pages together
MAX_RESPONSE_BYTES = 20_000_000  # of all responses together
FLAG = "webclean_sibling"  # in response.flags, which the log shows

# Headers that are set after our middleware, and meta keys that do not change the response.
_OTHER_HEADERS = frozenset({b"Accept-Encoding", b"Referer"})
_NEUTRAL_META = frozenset(
    "depth download_timeout is_start_request link_text rule referrer_policy".split()
)

_T = TypeVar("_T")


class SizedCache(LocalCache[str, tuple[_T, int]]):
    """Values and their sizes by URL; the oldest go first when there are too many or too large."""

    def __init__(self, limit: int, max_bytes: int) -> None:
        super().__init__(limit)
        self._max_bytes = max_bytes

    def __setitem__(self, url: str, value: tuple[_T, int]) -> None:
        self.pop(url, None)
        super().__setitem__(url, value)
        while sum(size for _, size in self.values()) > self._max_bytes:
            self.popitem(last=False)


class SeenPages:
    """The latest pages of the crawl by the shape of their URLs, bounded."""

    def __init__(self, max_pages: int = MAX_KEPT, max_bytes: int = MAX_PAGE_BYTES) -> None:
        self._pages: SizedCache[tuple[str, RawPage]] = SizedCache(max_pages, max_bytes)
        self.changed = Waiters()  # by shape

    def add(self, page: RawPage, shape: str) -> None:
        """Keep *page* for others of its shape and wake those who wait for one."""
        self._pages[page.url] = (shape, page), len(page.html)
        self.changed.notify(shape)

    def latest(self, shape: str, but: set[str]) -> RawPage | None:
        """Return the latest page of *shape* whose URL is not in *but*; None when there is none."""
        newest = (kept for kept, _ in reversed(self._pages.values()))
        return next((page for own, page in newest if own == shape and page.url not in but), None)


class ResponseCache:
    """The latest sibling responses by URL, at most 64 and 20 MB; each is used once."""

    def __init__(self) -> None:
        # With the headers of the request.
        self._responses: SizedCache[tuple[dict[bytes, list[bytes]], Response]] = SizedCache(
            MAX_KEPT, MAX_RESPONSE_BYTES
        )

    def store_response(self, request: Request, response: Response) -> None:
        """Cache the response to a sibling request, if the crawl would have got the same.

        Not one that sets cookies (it belongs to another session) or is truncated.
        """
        if b"Set-Cookie" not in response.headers and "dataloss" not in response.flags:
            kept = _compared(request.headers), response
            self._responses[request.url] = kept, len(response.body)

    def take_response(self, request: Request, crawler: Crawler) -> Response | None:
        """Return the response for *request*, once; None when it must be downloaded."""
        url = without_fragment(request)
        if not _is_plain(request) or url not in self._responses:
            return None
        (headers, response), _ = self._responses.pop(url)
        if _compared(request.headers) != headers or has_cookies_for(crawler, url):
            return None
        return response.replace(request=None, flags=[*response.flags, FLAG])


def without_fragment(request: Request) -> str:
    """Return the URL of *request* as it is sent."""
    return request.url.partition("#")[0]


def _is_plain(request: Request) -> bool:
    """True if the response to *request* depends on its URL and headers alone."""
    plain = request.method == "GET" and not request.body and not request.cookies
    names = (str(name) for name in request.meta)
    return plain and all(n in _NEUTRAL_META or n.startswith("webclean") for n in names)


def _compared(headers: Headers) -> dict[bytes, list[bytes]]:
    return {name: values for name, values in headers.items() if name not in _OTHER_HEADERS}
