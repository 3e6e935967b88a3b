"""Other libraries beside ours, and what they need or break."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webclean_scrapy.commands.checks.finding import Finding
from webclean_scrapy.commands.checks.placed_components import placed_components
from webclean_scrapy.commands.checks.setting_checks import readable_config
from webclean_scrapy.crawl.browser.chromium import ASYNCIO_REACTOR, check_browser
from webclean_scrapy.dedup.redis.address import is_redis
from webclean_scrapy.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy.settings import BaseSettings

    from webclean_scrapy.commands.checks.machine import Machine

ELSEWHERE = ("PLAYWRIGHT_CDP_URL", "PLAYWRIGHT_CONNECT_URL", "PLAYWRIGHT_BROWSER_PROVIDER")


def check_plugins(settings: BaseSettings, machine: Machine) -> Iterator[Finding]:
    """Yield what other libraries lack, or take from us."""
    yield from _check_rendering(settings, machine)
    yield from _check_shared_queue(settings)
    yield from _check_deltafetch(settings)
    yield from _check_cache(settings)


def _check_rendering(settings: BaseSettings, machine: Machine) -> Iterator[Finding]:
    render = readable_config(settings).render
    if render == "off":
        return
    change = 'set WEBCLEAN_RENDER = "off"'
    if not machine.has("scrapy-playwright"):
        yield Finding(
            check="rendering",
            what=f"WEBCLEAN_RENDER is {render!r}, and scrapy-playwright is not installed",
            change=f"pip install scrapy-playwright && playwright install chromium; or {change}",
        )
        return
    try:
        check_browser(settings)
    except ConfigError as error:
        fix = f"set TWISTED_REACTOR = {ASYNCIO_REACTOR!r}" if "REACTOR" in str(error) else change
        yield Finding(check="rendering", what=str(error), change=fix)
        return
    named = settings.getdict("PLAYWRIGHT_LAUNCH_OPTIONS").get("executable_path")
    if not named and not machine.has_chromium and not any(map(settings.get, ELSEWHERE)):
        yield Finding(
            check="rendering",
            what=f"WEBCLEAN_RENDER is {render!r}, and Playwright has no Chromium",
            change=f"playwright install chromium; or {change}",
        )
    handlers = {str(one) for one in settings.getdict("DOWNLOAD_HANDLERS").values()}
    if render == "all" and any("scrapy_playwright" in one for one in handlers):
        yield Finding(
            check="rendering",
            what="pages are rendered twice: by the handler of scrapy-playwright and by"
            ' WEBCLEAN_RENDER = "all"',
            change='set WEBCLEAN_RENDER = "marked", or remove the handler from DOWNLOAD_HANDLERS',
            is_wrong=False,
        )


def _check_shared_queue(settings: BaseSettings) -> Iterator[Finding]:
    """Processes that share a queue must share the index, else each keeps a copy of its own."""
    config = readable_config(settings)
    if "scrapy_redis" not in str(settings.get("SCHEDULER")) or not config.dedup_enabled:
        return
    if not is_redis(config.dedup_uri):
        yield Finding(
            check="plugins",
            what="scrapy-redis shares the queue between processes, and each has an index of its"
            " own: copies that two of them find stay in",
            change="set WEBCLEAN_DEDUP_URI to the same server, as redis://HOST/0?prefix=NAME",
        )
    elif not config.dedup_run:
        yield Finding(
            check="plugins",
            what="processes that share a queue are runs of their own: a copy is found only when its"
            " original is in the feed",
            change="set WEBCLEAN_DEDUP_RUN to one name for all of them",
            is_wrong=False,
        )


def _check_deltafetch(settings: BaseSettings) -> Iterator[Finding]:
    spider = placed_components(settings, "SPIDER_MIDDLEWARES")
    on = any(one.name == "DeltaFetch" and one.position is not None for one in spider)
    if on and settings.getbool("DELTAFETCH_ENABLED"):
        yield Finding(
            check="plugins",
            what="scrapy-deltafetch marks a page as done when its item leaves the spider: an item"
            " that a kill or a failed pipeline loses is never fetched again",
            change="set DELTAFETCH_ENABLED = False; WEBCLEAN_DEDUP_URI drops what is in the feed",
        )


def _check_cache(settings: BaseSettings) -> Iterator[Finding]:
    if not settings.getbool("HTTPCACHE_ENABLED"):
        return
    if settings.getbool("HTTPCACHE_IGNORE_MISSING") and readable_config(settings).sibling_enabled:
        yield Finding(
            check="plugins",
            what="HTTPCACHE_IGNORE_MISSING refuses siblings that are not in the cache",
            change="fetch once without it, or set WEBCLEAN_SIBLING_ENABLED = False",
            is_wrong=False,
        )
