"""Headless Chromium that renders pages without network access of its own.

Started at the first page by scrapy-playwright's provider, so its ``PLAYWRIGHT_`` settings hold:
launch options, a remote browser, another provider. Each page gets a context of its own (nothing of
one page's cookies or storage reaches another) and a dead proxy: requests of a page are answered
by the caller or not at all, and web sockets, preconnects and peer connections fail.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from webclean_scrapy.crawl.log_lines import safe_logger
from webclean_scrapy.errors import ConfigError, missing_library
from webclean_scrapy.web_addresses import origin_of

if TYPE_CHECKING:
    from playwright.async_api import Browser as Chromium
    from playwright.async_api import BrowserContext, Page, Route
    from scrapy.settings import BaseSettings, Settings

    from webclean_scrapy.crawl.browser.page_resources import PageResources

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


class BrowserLostError(Exception):
    """The browser could not be started; it is not tried again in this crawl."""


class PageLeftError(Exception):
    """A script has navigated the tab to another document."""


class PageUnfinishedError(Exception):
    """The document was not fully loaded within the time limit; its text is incomplete."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DownloadedPage:
    """A page as downloaded."""

    url: str
    html: str
    headers: dict[str, str]  # names in lower case
    user_agent: str


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

    async def render(self, document: DownloadedPage, resources: PageResources) -> str:
        """Return the HTML of *document* after its scripts ran, with boxes.

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
                user_agent=document.user_agent or None,
                service_workers="block",
                accept_downloads=False,
            )
            try:
                work = _take_snapshot(context, document, resources, self._timeout_s)
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
        from scrapy.utils.misc import load_object
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
    context: BrowserContext, document: DownloadedPage, resources: PageResources, timeout_s: float
) -> str:
    """Open *document* in *context*, wait until it settles, and return the snapshot."""
    from playwright.async_api import Error

    loop = asyncio.get_running_loop()
    end = loop.time() + SETTLE_SHARE * timeout_s
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
                await route.fulfill(body=document.html, headers=document.headers)

    await context.add_init_script(_NO_PEERS)
    await context.route("**/*", answer)
    tab = await context.new_page()
    try:
        # Not until it is loaded: that never comes where a script has tried to go elsewhere.
        await tab.goto(document.url, wait_until="commit", timeout=1000 * timeout_s)
        with suppress(asyncio.TimeoutError, Error):  # it has gone elsewhere
            await asyncio.wait_for(_settle(tab, resources), end - loop.time())
        html = str(await tab.evaluate(SNAPSHOT))
    except Error as error:
        # While it was opened or read; the tab may not yet know where it is.
        if served and (_has_left(tab, document) or "navigation" in str(error)):
            raise PageLeftError from error
        raise
    if _has_left(tab, document):
        raise PageLeftError
    if not html:
        raise PageUnfinishedError
    return html


def _has_left(tab: Page, document: DownloadedPage) -> bool:
    """True if the tab shows another document: about:blank and the like."""
    return origin_of(tab.url) != origin_of(document.url)


async def _settle(tab: Page, resources: PageResources) -> None:
    """Wait until the page is loaded and has sent no request for a while.

    Polled, because events are lost when a script tries to go elsewhere.
    """
    while not await tab.evaluate(_IS_READ):  # noqa: ASYNC110, see above
        await asyncio.sleep(POLL_S)
    await asyncio.sleep(QUIET_S)  # its scripts may begin to ask now
    while resources.idle_s() < QUIET_S:  # noqa: ASYNC110, no event says that it is idle
        await asyncio.sleep(POLL_S)
