"""Caches sibling responses, so that the crawl's own request for such a page is not sent.

Only a request that would have been sent exactly as the sibling's was is answered from here: a
plain GET with the same headers, no cookies, and nothing in its meta that could change the
download. robots.txt, offsite rules and the duplicate filter are applied before.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, NamedTuple

from webclean_scrapy.crawl.scrapy_private import has_cookies_for
from webclean_scrapy.crawl.siblings.fetch_budget import REFUSING

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Request, Response
    from scrapy.http.headers import Headers

MAX_RESPONSES = 64
MAX_BYTES = 20_000_000  # of all bodies together
FLAG = "webclean_sibling"  # in response.flags, which the log shows

# Headers that are set after our middleware, and meta keys that do not change the response.
_OTHER_HEADERS = frozenset({b"Accept-Encoding", b"Referer"})
_NEUTRAL_META = frozenset(
    "depth download_timeout is_start_request link_text rule referrer_policy".split()
)


class _Cached(NamedTuple):
    headers: dict[bytes, list[bytes]]  # of the request
    response: Response


class ResponseCache:
    """The latest sibling responses by URL, at most 64 and 20 MB; each is used once."""

    def __init__(self, limit: int = MAX_RESPONSES, max_bytes: int = MAX_BYTES) -> None:
        self._limit, self._max_bytes = limit, max_bytes
        self._cached: OrderedDict[str, _Cached] = OrderedDict()
        self._bytes = 0

    def store_response(self, request: Request, response: Response) -> None:
        """Cache the response to a sibling request, if the crawl would have got the same.

        Redirects and 404 are cached too. Not cached: a response that sets cookies (it belongs to
        another session), a truncated one, one of a server in trouble.
        """
        if b"Set-Cookie" in response.headers or "dataloss" in response.flags:
            return
        if response.status >= 500 or response.status in REFUSING:
            return
        self._forget(request.url)
        self._cached[request.url] = _Cached(_compared(request.headers), response)
        self._bytes += len(response.body)
        while len(self._cached) > self._limit or self._bytes > self._max_bytes:
            self._forget(next(iter(self._cached)))

    def take_response(self, request: Request, crawler: Crawler) -> Response | None:
        """Return the response for *request*, once; None when it must be downloaded."""
        url = without_fragment(request)
        if url not in self._cached or not is_plain(request):
            return None
        cached = self._cached[url]
        self._forget(url)
        if _compared(request.headers) != cached.headers or has_cookies_for(crawler, url):
            return None
        return cached.response.replace(request=None, flags=[*cached.response.flags, FLAG])

    def _forget(self, url: str) -> None:
        if url in self._cached:
            self._bytes -= len(self._cached.pop(url).response.body)


def without_fragment(request: Request) -> str:
    """Return the URL of *request* as it is sent."""
    return request.url.partition("#")[0]


def is_plain(request: Request) -> bool:
    """Whether the response to *request* depends on its URL and headers alone."""
    plain = request.method == "GET" and not request.body and not request.cookies
    names = (str(name) for name in request.meta)
    return plain and all(n in _NEUTRAL_META or n.startswith("webclean") for n in names)


def _compared(headers: Headers) -> dict[bytes, list[bytes]]:
    return {name: values for name, values in headers.items() if name not in _OTHER_HEADERS}
