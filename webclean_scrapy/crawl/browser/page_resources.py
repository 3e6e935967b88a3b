"""What a page asks for while it is rendered: fetched by the crawl's own downloader, or refused.

Scripts, style sheets and data only: pictures, media, fonts and frames are no text. The rules of
sibling requests hold (``request``): robots.txt, no private address but the page's own origin on
every hop, no cookies, no login, bounded in size, time and number. The page's proxy is used. What
the pages of a site share is fetched once and kept for a while.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urljoin

from scrapy import Request
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.exceptions import IgnoreRequest
from scrapy.http.request import NO_CALLBACK
from scrapy.utils.datatypes import LocalCache

from webclean_scrapy import stats
from webclean_scrapy.crawl.private_addresses import may_fetch, may_use

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.async_api import Request as Asked
    from playwright.async_api import Route
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.http.headers import Headers

WANTED = frozenset({"script", "stylesheet", "fetch", "xhr"})
SHARED = frozenset({"script", "stylesheet"})
MAX_RESOURCES = 150  # of one page
MAX_BYTES = 5_000_000  # of one resource
MAX_HOPS = 5  # redirects of one resource
KEPT = 200  # resources kept for other pages
MAX_KEPT_BYTES = 500_000  # of one of them

_METHODS = frozenset({"GET", "POST"})
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_SAME_META = ("proxy", "_auth_proxy", "bindaddress")
_SENT = frozenset(
    "accept accept-language content-type origin referer x-requested-with".split()
)  # of what the browser would send
_NOT_PASSED = frozenset(
    "connection content-encoding content-length keep-alive set-cookie transfer-encoding".split()
)


class Answer(NamedTuple):
    """A resource as the browser is given it."""

    status: int
    headers: dict[str, str]
    body: bytes


Kept = LocalCache[tuple[str, str], Answer]  # by URL and origin that asked


class PageResources:
    """Answers what one page asks for."""

    def __init__(
        self,
        crawler: Crawler,
        page: Response,
        request: Request,
        kept: Kept,
        *,
        decompress: Callable[[Request, Response], Response],
        timeout_s: float,
    ) -> None:
        self._crawler = crawler
        self._page = page
        self._request = request
        self._kept = kept
        self._decompress = decompress
        self._timeout_s = timeout_s
        self._asked = 0
        self._tasks: set[asyncio.Task[object]] = set()
        self._rests_since = time.monotonic()

    def close(self) -> None:
        """Give up what is under way: the page is done with."""
        for task in self._tasks:
            task.cancel()

    def resting_s(self) -> float:
        """Return for how many seconds nothing has been asked for; 0 while an answer is due."""
        return 0.0 if self._tasks else time.monotonic() - self._rests_since

    async def answer(self, route: Route) -> None:
        """Fulfil or abort *route*, and count which."""
        task = asyncio.current_task()
        assert task is not None  # noqa: S101, it is a coroutine that asks
        self._tasks.add(task)
        try:
            await self._answer(route)
        finally:
            self._tasks.discard(task)
            self._rests_since = time.monotonic()

    async def _answer(self, route: Route) -> None:
        asked = route.request
        what = "failed"
        found: Answer | str = what
        try:
            found = await asyncio.wait_for(self._find(asked), self._timeout_s)
            what = found if isinstance(found, str) else self._keep(asked, found)
        except Exception:  # noqa: BLE001, S110, a lost resource must not lose the page
            pass
        finally:  # also of one that the page did not wait for
            self._crawler.stats.inc_value(f"{stats.RENDER_RESOURCES}/{what}")
        if isinstance(found, str):
            await route.abort()
        else:
            await route.fulfill(status=found.status, headers=found.headers, body=found.body)

    def _keep(self, asked: Asked, found: Answer) -> str:
        """Keep what other pages may ask for too; return how it came."""
        if asked.resource_type not in SHARED:
            return "fetched"
        key = _key(asked)
        if self._kept.get(key) is found:
            return "shared"
        private = "no-store" in found.headers.get("cache-control", "")
        if found.status == 200 and len(found.body) <= MAX_KEPT_BYTES and not private:
            self._kept[key] = found
        return "fetched"

    async def _find(self, asked: Asked) -> Answer | str:
        """Return the answer, or why there is none."""
        if asked.resource_type not in WANTED or asked.method not in _METHODS:
            return "refused_type"
        if asked.resource_type in SHARED and (kept := self._kept.get(_key(asked))) is not None:
            return kept
        url = asked.url
        for _ in range(MAX_HOPS):
            self._asked += 1
            if self._asked > MAX_RESOURCES:
                return "refused_limit"
            if not await may_fetch(url, self._page):
                return "refused_address"
            request = self._make_request(url, asked)
            if not await self._is_allowed(request):
                return "refused_robots"
            response = await self._download(request)
            if "proxy" not in request.meta and not may_use(response, self._page):
                return "refused_address"
            if response.status not in _REDIRECTS:
                return _answer_of(response)
            if asked.method != "GET":
                return "refused_type"
            target = response.headers.get("Location") or b""
            url = urljoin(url, target.decode("latin-1"))
        return "refused_limit"

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
        """Whether robots.txt of the host lets us, where the crawl obeys it."""
        robots = self._crawler.get_downloader_middleware(RobotsTxtMiddleware)
        if robots is None:
            return True
        # Others may wait for the same robots.txt: it is fetched even if this page is done with.
        judging = asyncio.ensure_future(robots.process_request(request))
        try:
            await asyncio.shield(judging)
        except IgnoreRequest:
            return False
        return True

    async def _download(self, request: Request) -> Response:
        """Return the response to *request*, past the scheduler and the slots of the crawl."""
        handlers = self._crawler.engine.downloader.handlers
        response: Response = await handlers.download_request_async(request)
        return self._decompress(request, response)


def _key(asked: Asked) -> tuple[str, str]:
    return asked.url, asked.headers.get("origin", "")


def _answer_of(response: Response) -> Answer:
    return Answer(response.status, passed_headers(response.headers), response.body)


def passed_headers(headers: Headers) -> dict[str, str]:
    """Return the headers that a browser is given, names in lower case."""
    found = {str(name).lower(): value for name, value in headers.to_unicode_dict().items()}
    return {name: value for name, value in found.items() if name not in _NOT_PASSED}
