"""Sibling responses kept for the crawl, so that asking for the same page costs no second request.

Only a request that would have been sent just as the sibling's was is answered from here: a plain
GET with the same headers, no cookies, and nothing in its meta that could change the download.
robots.txt, offsite and the duplicate filter have had their say before it comes here.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from scrapy.downloadermiddlewares.cookies import CookiesMiddleware
from scrapy.http import Request, Response

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http.headers import Headers

MAX_RESPONSES = 16
FLAG = "webclean_sibling"  # on the response, so the log shows where it came from

# Set below our place (by the time a sibling's response is here) or without effect on the answer.
_OTHER_HEADERS = frozenset({b"Accept-Encoding", b"Referer"})
_HARMLESS_META = frozenset(
    "depth download_timeout is_start_request link_text rule referrer_policy".split()
)


class KeptResponses:
    """The latest sibling responses by URL, at most *limit*; each is given away once."""

    def __init__(self, limit: int = MAX_RESPONSES) -> None:
        self._limit = limit
        self._kept: OrderedDict[str, tuple[dict[bytes, list[bytes]], Response]] = OrderedDict()

    def keep(self, request: Request, response: Response) -> None:
        """Keep the response of a sibling request; one that sets cookies belongs to no session."""
        if b"Set-Cookie" in response.headers:
            return
        self._kept[request.url] = (_compared(request.headers), response)
        if len(self._kept) > self._limit:
            self._kept.popitem(last=False)

    def take(self, request: Request, crawler: Crawler) -> Response | None:
        """Return the response for *request* and forget it; None when it must be downloaded."""
        if request.url not in self._kept or not is_plain(request):
            return None
        headers, response = self._kept.pop(request.url)
        if _compared(request.headers) != headers or _has_cookies(request, crawler):
            return None
        return response.replace(request=None, flags=[*response.flags, FLAG])


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
