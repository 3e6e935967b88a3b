"""Fetch or refuse requests of a rendered page, using Scrapy's downloader.

Scripts, style sheets and data only: pictures, media, fonts and frames are no text. The rules of
sibling requests hold: robots.txt, on every hop no private address but the page's own origin, no
cookies, no login, limits of size, time and number. The page's proxy is used. Resources that the
pages of a site share are fetched once and cached.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from scrapy import Request
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK
from scrapy.utils.datatypes import LocalCache

from webclean_scrapy import stats
from webclean_scrapy.crawl.private_addresses import may_fetch, may_use
from webclean_scrapy.crawl.scrapy_private import fetch_directly
from webclean_scrapy.web_addresses import join

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.async_api import Request as Asked
    from playwright.async_api import Route
    from scrapy.crawler import Crawler
    from scrapy.http.headers import Headers

WANTED = frozenset({"script", "stylesheet", "fetch", "xhr"})
SHARED = frozenset({"script", "stylesheet"})
MAX_RESOURCES = 150  # of one page
MAX_BYTES = 5_000_000  # of one resource
MAX_HOPS = 5  # redirects of one resource
MAX_CACHED = 200  # resources, for other pages
MAX_CACHED_BYTES = 500_000  # of one of them

_METHODS = frozenset({"GET", "POST"})
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_SAME_META = ("proxy", "bindaddress")
_SENT = frozenset(
    "accept accept-language content-type origin referer x-requested-with".split()
)  # of what the browser would send
_NOT_PASSED = frozenset(
    "connection content-encoding content-length keep-alive set-cookie transfer-encoding".split()
)


ResourceCache = LocalCache[tuple[str, str], Response]  # by URL and requesting origin


class PageResources:
    """Answers the requests of one rendered page."""

    def __init__(
        self,
        crawler: Crawler,
        page: Response,
        request: Request,
        cache: ResourceCache,
        *,
        decompress: Callable[[Request, Response], Response],
        timeout_s: float,
    ) -> None:
        self._crawler = crawler
        self._page = page
        self._request = request
        self._cache = cache
        self._decompress = decompress
        self._timeout_s = timeout_s
        self._asked = 0
        self._tasks: set[asyncio.Task[object]] = set()
        self._idle_since = time.monotonic()

    def close(self) -> None:
        """Cancel running requests when the page is rendered or given up."""
        for task in self._tasks:
            task.cancel()

    def idle_s(self) -> float:
        """Return the seconds since the last request ended; 0 while one is running."""
        return 0.0 if self._tasks else time.monotonic() - self._idle_since

    async def answer(self, route: Route) -> None:
        """Fulfil or abort *route*, and count the outcome."""
        task = asyncio.current_task()
        assert task is not None  # noqa: S101, a coroutine called this
        self._tasks.add(task)
        try:
            await self._answer(route)
        finally:
            self._tasks.discard(task)
            self._idle_since = time.monotonic()

    async def _answer(self, route: Route) -> None:
        outcome, resource = "failed", None
        try:
            outcome, resource = await asyncio.wait_for(self._fetch(route.request), self._timeout_s)
        except Exception:  # noqa: BLE001, S110, a lost resource must not lose the page
            pass
        finally:  # also when the page did not wait for it
            self._crawler.stats.inc_value(f"{stats.RENDER_RESOURCES}/{outcome}")
        if resource is None:
            await route.abort()
        else:
            await route.fulfill(
                status=resource.status, headers=passed_headers(resource.headers), body=resource.body
            )

    async def _fetch(self, asked: Asked) -> tuple[str, Response | None]:
        """Return the outcome or the reason of a refusal, and the resource."""
        if asked.resource_type not in WANTED or asked.method not in _METHODS:
            return "refused_type", None
        is_shared = asked.resource_type in SHARED
        key = asked.url, asked.headers.get("origin", "")
        if is_shared and key in self._cache:
            return "shared", self._cache[key]
        url = asked.url
        for _ in range(MAX_HOPS):
            self._asked += 1
            if self._asked > MAX_RESOURCES:
                return "refused_limit", None
            request = self._make_request(url, asked)
            if not await may_fetch(request.url, self._page):  # the URL as it is sent
                return "refused_address", None
            if not await self._is_allowed(request):
                return "refused_robots", None
            response = self._decompress(request, await fetch_directly(self._crawler, request))
            if "proxy" not in request.meta and not may_use(response, self._page):
                return "refused_address", None
            if response.status not in _REDIRECTS:
                if is_shared and _is_reusable(response):
                    self._cache[key] = response
                return "fetched", response
            if asked.method != "GET":
                return "refused_type", None
            target = response.headers.get("Location") or b""
            url = join(url, target.decode("latin-1"))
        return "refused_limit", None

    def _make_request(self, url: str, asked: Asked) -> Request:
        headers = {name: value for name, value in asked.headers.items() if name in _SENT}
        for name in ("User-Agent", "Proxy-Authorization"):
            if value := self._request.headers.get(name):
                headers[name] = value.decode("latin-1")
        meta = {name: self._request.meta[name] for name in _SAME_META if name in self._request.meta}
        meta |= {"download_maxsize": MAX_BYTES, "download_timeout": self._timeout_s}
        return Request(
            url,
            callback=NO_CALLBACK,
            method=asked.method,
            body=asked.post_data_buffer or b"",
            headers=headers,
            meta=meta,
        )

    async def _is_allowed(self, request: Request) -> bool:
        """True if robots.txt allows it, or the crawl ignores robots.txt."""
        robots = self._crawler.get_downloader_middleware(RobotsTxtMiddleware)
        if robots is None:
            return True
        # Other pages may wait for the same robots.txt: it is fetched even if this one gives up.
        check = asyncio.ensure_future(robots.process_request(request))
        try:
            await asyncio.shield(check)
        except IgnoreRequest:
            return False
        return True


def _is_reusable(resource: Response) -> bool:
    private = b"no-store" in (resource.headers.get("Cache-Control") or b"")
    return resource.status == 200 and len(resource.body) <= MAX_CACHED_BYTES and not private


def passed_headers(headers: Headers) -> dict[str, str]:
    """Return the response headers passed to a browser, names in lower case."""
    lower = {str(name).lower(): value for name, value in headers.to_unicode_dict().items()}
    return {name: value for name, value in lower.items() if name not in _NOT_PASSED}
