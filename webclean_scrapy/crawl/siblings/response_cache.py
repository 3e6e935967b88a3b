"""Sibling responses kept for the crawl, so that asking for the same page costs no second request.

Only a request that would have been sent just as the sibling's was is answered from here: a plain
GET with the same headers, no cookies, and nothing in its meta that could change the download.
robots.txt, offsite and the duplicate filter have had their say before it comes here.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, NamedTuple

from scrapy.downloadermiddlewares.cookies import CookiesMiddleware
from scrapy.http import Request, Response

from webclean_scrapy.crawl.siblings.fetch_budget import TURNED_AWAY

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http.headers import Headers

MAX_RESPONSES = 64
MAX_BYTES = 20_000_000  # of all bodies together
FLAG = "webclean_sibling"  # on the response, so the log shows where it came from

# Set below our place (by the time a sibling's response is here) or without effect on the answer.
_OTHER_HEADERS = frozenset({b"Accept-Encoding", b"Referer"})
_HARMLESS_META = frozenset(
    "depth download_timeout is_start_request link_text rule referrer_policy".split()
)


class _Kept(NamedTuple):
    headers: dict[bytes, list[bytes]]  # of the request
    response: Response


class KeptResponses:
    """The latest sibling responses by URL, at most 64 and 20 MB; each is given away once."""

    def __init__(self, limit: int = MAX_RESPONSES, max_bytes: int = MAX_BYTES) -> None:
        self._limit, self._max_bytes = limit, max_bytes
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._bytes = 0

    def keep(self, request: Request, response: Response) -> None:
        """Keep the response of a sibling request, if the crawl would have got the same.

        A redirect and a 404 are answers too. Not kept: one that sets cookies, which belongs to
        no session, one that lacks its end, one of a server in trouble.
        """
        if b"Set-Cookie" in response.headers or "dataloss" in response.flags:
            return
        if response.status >= 500 or response.status in TURNED_AWAY:
            return
        self._forget(request.url)
        self._kept[request.url] = _Kept(_compared(request.headers), response)
        self._bytes += len(response.body)
        while len(self._kept) > self._limit or self._bytes > self._max_bytes:
            self._forget(next(iter(self._kept)))

    def take(self, request: Request, crawler: Crawler) -> Response | None:
        """Return the response for *request* and forget it; None when it must be downloaded."""
        url = without_fragment(request)
        if url not in self._kept or not is_plain(request):
            return None
        kept = self._kept[url]
        self._forget(url)
        if _compared(request.headers) != kept.headers or _has_cookies(request, crawler):
            return None
        return kept.response.replace(request=None, flags=[*kept.response.flags, FLAG])

    def _forget(self, url: str) -> None:
        if url in self._kept:
            self._bytes -= len(self._kept.pop(url).response.body)


def without_fragment(request: Request) -> str:
    """Return the URL of *request* as it is sent."""
    return request.url.partition("#")[0]


def is_plain(request: Request) -> bool:
    """Whether nothing but its URL and headers decides how *request* is answered."""
    plain = request.method == "GET" and not request.body and not request.cookies
    names = (str(name) for name in request.meta)
    return plain and all(n in _HARMLESS_META or n.startswith("webclean") for n in names)


def _compared(headers: Headers) -> dict[bytes, list[bytes]]:
    return {name: values for name, values in headers.items() if name not in _OTHER_HEADERS}


def _has_cookies(request: Request, crawler: Crawler) -> bool:
    """Whether the crawl's cookie jar would add a Cookie header to *request*."""
    middleware = crawler.get_downloader_middleware(CookiesMiddleware)
    if middleware is None:
        return False
    probe = Request(request.url)
    middleware.jars[None].add_cookie_header(probe)
    return b"Cookie" in probe.headers
