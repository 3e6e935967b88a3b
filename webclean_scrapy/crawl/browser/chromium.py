"""Headless Chromium that renders pages without network access of its own.

Started at the first page by scrapy-playwright's provider, so its ``PLAYWRIGHT_`` settings hold:
launch options, a remote browser, another provider. Each page gets a context of its own (nothing of
one page's cookies or storage reaches another) and a dead proxy: requests of a page are answered
by Scrapy's downloader or not at all, and web sockets, preconnects and peer connections fail.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy import Request
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK
from scrapy.utils.datatypes import LocalCache
from scrapy.utils.misc import load_object

from webclean_scrapy import stats
from webclean_scrapy.cleaning.page.charset import decode
from webclean_scrapy.crawl.log_lines import safe_logger
from webclean_scrapy.crawl.private_addresses import may_fetch, may_use
from webclean_scrapy.crawl.responses import header_charset
from webclean_scrapy.crawl.scrapy_private import fetch_directly
from webclean_scrapy.errors import ConfigError, missing_library
from webclean_scrapy.web_addresses import join, origin_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.async_api import Browser as Chromium
    from playwright.async_api import BrowserContext, Page, Route
    from playwright.async_api import Request as Asked
    from scrapy.crawler import Crawler
    from scrapy.http import HtmlResponse
    from scrapy.http.headers import Headers
    from scrapy.settings import BaseSettings, Settings

logger = safe_logger(__name__)

ASYNCIO_REACTOR = "twisted.internet.asyncioreactor.AsyncioSelectorReactor"
VIEWPORT = {"width": 1280, "height": 800}  # px
LAUNCH_S = 60.0  # that a browser may take to start
CLOSE_S = 5.0  # seconds that a page, or the browser, may take to close
SETTLE_SHARE = 0.75  # of the time limit of a page, after which it is taken as it is

POLL_S = 0.03  # seconds between two checks of a page
QUIET_S = 0.3  # seconds without a request after which a loaded page has settled
_NOWHERE = {"server": "http://127.0.0.1:9", "bypass": "<-loopback>"}  # the discard port
_NO_PEERS = "for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection']) delete self[name]"
_IS_READ = "document.readyState !== 'loading'"
#: Takes the page out of the browser, with boxes; "" while it is being read.
SNAPSHOT = Path(__file__).with_name("snapshot.js").read_text(encoding="utf-8")

WANTED = frozenset({"script", "stylesheet", "fetch", "xhr"})
SHARED = frozenset({"script", "stylesheet"})
MAX_RESOURCES = 150  # of one page
MAX_BYTES = 5_000_000  # of one resource
MAX_HOPS = 5  # redirects of one resource
MAX_CACHED = 200  # resources, for other pages
MAX_CACHED_BYTES = 500_000  # of one of them

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_SAME_META = ("proxy", "bindaddress")
_SENT = frozenset(
    "accept accept-language content-type origin referer x-requested-with".split()
)  # of what the browser would send
_NOT_PASSED = frozenset(
    "connection content-encoding content-length keep-alive set-cookie transfer-encoding".split()
)


class BrowserLostError(Exception):
    """The browser could not be started; it is not tried again in this crawl."""


class PageLeftError(Exception):
    """A script has navigated the tab to another document."""


class PageUnfinishedError(Exception):
    """The document was not fully loaded within the time limit; its text is incomplete."""


def check_browser(settings: BaseSettings) -> None:
    """Check the extra, asyncio's reactor and the browser's program. Raises ConfigError."""
    if find_spec("scrapy_playwright") is None:
        raise missing_library("WEBCLEAN_RENDER", "scrapy-playwright")
    reactor = settings.get("TWISTED_REACTOR")
    without = not settings.getbool("TWISTED_REACTOR_ENABLED", True)
    if reactor != ASYNCIO_REACTOR and not without:
        raise ConfigError(
            f"WEBCLEAN_RENDER needs TWISTED_REACTOR = {ASYNCIO_REACTOR!r}, got {reactor!r}"
        )
    program = settings.getdict("PLAYWRIGHT_LAUNCH_OPTIONS").get("executable_path")
    if program and not Path(program).is_file():
        raise ConfigError(
            "WEBCLEAN_RENDER needs a browser, but executable_path in PLAYWRIGHT_LAUNCH_OPTIONS is"
            f" not a file: {program}"
        )


class Browser:
    """Renders pages, at most *tabs* at once; waiting for a tab is not part of the limit."""

    def __init__(self, settings: Settings, *, tabs: int, timeout_s: float) -> None:
        self._settings = settings
        self._timeout_s = timeout_s
        self._free = asyncio.Semaphore(tabs)
        self._starting = asyncio.Lock()
        self._provider: Any = None
        self._chromium: Chromium | None = None
        self._is_lost = False

    async def render(self, request: Request, page: HtmlResponse, resources: PageResources) -> str:
        """Return the HTML of *page* after its scripts ran, with boxes.

        A page that never stops sending requests is taken after ``SETTLE_SHARE`` of its time limit.

        Raises:
            TimeoutError: its scripts run longer than the time limit.
            PageUnfinishedError: its scripts kept the browser from reading it to its end.
            PageLeftError: its scripts went to another document.
            BrowserLostError: the browser could not be started.
            playwright.async_api.Error: the browser failed.
        """
        async with self._free:
            chromium = await self._running()
            context = await chromium.new_context(
                viewport=VIEWPORT,  # type: ignore[arg-type] # a TypedDict of theirs
                proxy=_NOWHERE,  # type: ignore[arg-type]
                user_agent=(request.headers.get("User-Agent") or b"").decode("latin-1") or None,
                service_workers="block",
                accept_downloads=False,
            )
            try:
                work = _take_snapshot(context, page, resources, self._timeout_s)
                return await asyncio.wait_for(work, self._timeout_s)
            finally:
                await _end(context)

    async def close(self) -> None:
        """Close the browser if it was started."""
        await _end(self._chromium)
        await _end(self._provider)

    async def _running(self) -> Chromium:
        """Return the browser, restarted if it has died."""
        async with self._starting:
            if self._is_lost:
                raise BrowserLostError
            if self._chromium is None or not self._chromium.is_connected():
                if self._chromium is not None:
                    logger.warning("The browser ended unexpectedly; another one takes its place")
                try:
                    self._chromium = await self._start()
                except Exception as error:
                    self._is_lost = True
                    logger.warning(
                        "The browser did not start; pages are cleaned without rendering: %s", error
                    )
                    raise
            return self._chromium

    async def _start(self) -> Chromium:
        """Start the browser and its driver, which may have died with the last browser."""
        from scrapy_playwright.handler import DEFAULT_BROWSER_PROVIDER, Config

        await _end(self._provider)
        path = self._settings.get("PLAYWRIGHT_BROWSER_PROVIDER") or DEFAULT_BROWSER_PROVIDER
        self._provider = load_object(path)(Config.from_settings(self._settings))
        await self._provider.start()
        launched = self._provider.launch_browser()
        chromium: Chromium = await asyncio.wait_for(launched, LAUNCH_S)
        return chromium


async def _end(started: Any) -> None:
    """Close started objects, even if the browser has died."""
    if started is not None:
        with suppress(Exception):
            await asyncio.wait_for(started.close(), CLOSE_S)


async def _take_snapshot(
    context: BrowserContext, page: HtmlResponse, resources: PageResources, timeout_s: float
) -> str:
    """Open *page*, decoded by our rules, in *context*; return the snapshot once it has settled."""
    from playwright.async_api import Error

    loop = asyncio.get_running_loop()
    end = loop.time() + SETTLE_SHARE * timeout_s
    html, _ = decode(page.body, declared=header_charset(page))
    headers = passed_headers(page.headers) | {"content-type": "text/html; charset=utf-8"}
    served = False

    async def answer(route: Route) -> None:
        nonlocal served
        with suppress(Error):  # the page is closed by now
            if not route.request.is_navigation_request():
                await resources.answer(route)
            elif served or route.request.frame.parent_frame is not None:
                await route.fulfill(status=204)  # another document, or a frame: nothing changes
            else:
                served = True
                await route.fulfill(body=html, headers=headers)

    await context.add_init_script(_NO_PEERS)
    await context.route("**/*", answer)
    tab = await context.new_page()
    try:
        # Not until it is loaded: that never comes where a script has tried to go elsewhere.
        await tab.goto(page.url, wait_until="commit", timeout=1000 * timeout_s)
        with suppress(asyncio.TimeoutError, Error):  # it has gone elsewhere
            await asyncio.wait_for(_settle(tab, resources), end - loop.time())
        snapshot = str(await tab.evaluate(SNAPSHOT))
    except Error as error:
        # While it was opened or read; the tab may not yet know where it is.
        if served and (_has_left(tab, page) or "navigation" in str(error)):
            raise PageLeftError from error
        raise
    if _has_left(tab, page):
        raise PageLeftError
    if not snapshot:
        raise PageUnfinishedError
    return snapshot


def _has_left(tab: Page, page: HtmlResponse) -> bool:
    """True if the tab shows another document: about:blank and the like."""
    return origin_of(tab.url) != origin_of(page.url)


async def _settle(tab: Page, resources: PageResources) -> None:
    """Wait until the page is loaded and has sent no request for a while.

    Polled, because events are lost when a script tries to go elsewhere.
    """
    while not await tab.evaluate(_IS_READ):  # noqa: ASYNC110, see above
        await asyncio.sleep(POLL_S)
    await asyncio.sleep(QUIET_S)  # its scripts may begin to ask now
    while resources.idle_s() < QUIET_S:  # noqa: ASYNC110, no event says that it is idle
        await asyncio.sleep(POLL_S)


ResourceCache = LocalCache[tuple[str, str], Response]  # by URL and requesting origin


@dataclass(eq=False, kw_only=True)
class PageResources:
    """Answers the requests of one rendered page, using Scrapy's downloader.

    Scripts, style sheets and data only: pictures, media, fonts and frames are no text. The rules of
    sibling requests hold: robots.txt, on every hop no private address but the page's own origin, no
    cookies, no login, limits of size, time and number. The page's proxy is used. Resources that the
    pages of a site share are fetched once and cached.
    """

    crawler: Crawler
    page: Response
    request: Request
    cache: ResourceCache
    decompress: Callable[[Request, Response], Response]
    timeout_s: float
    _asked: int = 0
    _tasks: set[asyncio.Task[object]] = field(default_factory=set)
    _idle_since: float = field(default_factory=time.monotonic)

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
            outcome, resource = await asyncio.wait_for(self._fetch(route.request), self.timeout_s)
        except Exception:  # noqa: BLE001, S110, a lost resource must not lose the page
            pass
        finally:  # also when the page did not wait for it
            self.crawler.stats.inc_value(f"{stats.RENDER_RESOURCES}/{outcome}")
        if resource is None:
            await route.abort()
        else:
            await route.fulfill(
                status=resource.status, headers=passed_headers(resource.headers), body=resource.body
            )

    async def _fetch(self, asked: Asked) -> tuple[str, Response | None]:
        """Return the outcome or the reason of a refusal, and the resource."""
        if asked.resource_type not in WANTED or asked.method not in {"GET", "POST"}:
            return "refused_type", None
        is_shared = asked.resource_type in SHARED
        key = asked.url, asked.headers.get("origin", "")
        if is_shared and key in self.cache:
            return "shared", self.cache[key]
        url = asked.url
        for _ in range(MAX_HOPS):
            self._asked += 1
            if self._asked > MAX_RESOURCES:
                return "refused_limit", None
            request = self._make_request(url, asked)
            if not await may_fetch(request.url, self.page):  # the URL as it is sent
                return "refused_address", None
            if not await self._is_allowed(request):
                return "refused_robots", None
            response = self.decompress(request, await fetch_directly(self.crawler, request))
            if "proxy" not in request.meta and not may_use(response, self.page):
                return "refused_address", None
            if response.status not in _REDIRECTS:
                if is_shared and _is_reusable(response):
                    self.cache[key] = response
                return "fetched", response
            if asked.method != "GET":
                return "refused_type", None
            target = response.headers.get("Location") or b""
            url = join(url, target.decode("latin-1"))
        return "refused_limit", None

    def _make_request(self, url: str, asked: Asked) -> Request:
        headers = {name: value for name, value in asked.headers.items() if name in _SENT}
        for name in ("User-Agent", "Proxy-Authorization"):
            if value := self.request.headers.get(name):
                headers[name] = value.decode("latin-1")
        meta = {name: self.request.meta[name] for name in _SAME_META if name in self.request.meta}
        meta |= {"download_maxsize": MAX_BYTES, "download_timeout": self.timeout_s}
        return Request(
            url,
            callback=NO_CALLBACK,
            method=asked.method,
            body=asked.post_data_buffer or b"",
            headers=headers,
            meta=meta,
        )

    async def _is_allowed(self, request: Request) -> bool:
        robots = self.crawler.get_downloader_middleware(RobotsTxtMiddleware)
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
