"""What the commands take from a project, and the process that fetches for them.

A command that is run inside a project has spiders of its own. It takes over how the project
fetches and what it has set of ours, and leaves alone what the project does with its items and
where it keeps things: pipelines, feeds, extensions, other add-ons, jobs, caches, log files.
"""

from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING, Any

from scrapy.crawler import AsyncCrawlerProcess
from scrapy.downloadermiddlewares import robotstxt
from scrapy.settings import SETTINGS_PRIORITIES, Settings

from webclean_scrapy.settings import WebcleanConfig, unknown_settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

#: What begins so, concerns fetching, our own method, or the form of what is written.
_TAKEN = (
    "ASYNCIO_EVENT_LOOP", "AUTOTHROTTLE_", "COMPRESSION_", "CONCURRENT_REQUESTS", "COOKIES_",
    "DEFAULT_REQUEST_HEADERS", "DNS", "DOWNLOAD_", "DOWNLOADER_CLIENT", "FEED_EXPORT_", "FTP_",
    "HTTPAUTH_", "HTTPPROXY_", "METAREFRESH_", "PLAYWRIGHT_", "RANDOMIZE_DOWNLOAD_DELAY",
    "REACTOR_THREADPOOL_MAXSIZE", "REDIRECT_", "REFERER_", "REFERRER_POLICY", "RETRY_",
    "ROBOTSTXT_", "TWISTED_", "URLLENGTH_LIMIT", "USER_AGENT", "WEBCLEAN_",
)  # fmt: skip
_QUIET: dict[str, Any] = {
    "LOG_LEVEL": "WARNING",
    "REMOTE_CONTROL_ENABLED": False,
    "RETRY_GIVE_UP_LOG_LEVEL": "DEBUG",  # the command says what failed
    "TELNETCONSOLE_ENABLED": False,
}
_FROM_THE_COMMAND = SETTINGS_PRIORITIES["cmdline"]
_ABOVE_ALL = 100  # above every settings priority of Scrapy: nobody can override these here

#: Of a command that shows pages: it changes no job, no index and no count, and starts no workers.
LEAVES_NO_TRACE: dict[str, Any] = {
    "JOBDIR": None,
    "WEBCLEAN_DEDUP_ENABLED": False,
    "WEBCLEAN_DEDUP_IDF_COUNT": "",
    "WEBCLEAN_DEDUP_URI": "",
    "WEBCLEAN_REPORT": "",
    "WEBCLEAN_WORKERS": 0,
}


def command_settings(settings: BaseSettings, **values: Any) -> Settings:
    """Return the settings of a command: *values*, the ``-s`` options, and what a project lends."""
    own = Settings(_QUIET, "command")
    for name in settings:
        priority = settings.getpriority(name) or 0
        if priority >= _FROM_THE_COMMAND or (priority and name.startswith(_TAKEN)):
            own.set(name, settings[name], priority)
    for name, value in values.items():
        own.set(name, value, _ABOVE_ALL)
    return own


def read_config(settings: BaseSettings) -> WebcleanConfig:
    """Return our settings for a command that fetches nothing; print the names that are none.

    Where something is fetched, the add-on does both. Raises ConfigError.
    """
    for name, nearest in unknown_settings(settings):
        hint = f"did you mean {nearest}?" if nearest else "docs/settings.md lists all settings"
        print(f"unknown setting {name} is ignored; {hint}", file=sys.stderr)
    return WebcleanConfig.from_settings(settings)


def fetching_process(settings: Settings) -> AsyncCrawlerProcess:
    """Return a process with the add-on and the settings of a command.

    Raises:
        ConfigError: a setting of ours is invalid.
    """
    from webclean_scrapy.addon import Addon

    settings.setdefault_in_component_priority_dict("ADDONS", Addon, 500)
    process = AsyncCrawlerProcess(settings)
    if (settings.getpriority("LOG_LEVEL") or 0) < _FROM_THE_COMMAND:
        # A host that is down is named by the command; Scrapy shows 80 lines of traceback.
        logging.getLogger(robotstxt.__name__).setLevel(logging.CRITICAL)
    return process


def run_crawl(
    process: AsyncCrawlerProcess,
    spider: type[Spider],
    watch: Callable[[Crawler], None] | None = None,
    **arguments: Any,
) -> Crawler:
    """Run one crawl to its end and return its crawler, which *watch* has seen before the start.

    Raises what kept it from starting; KeyboardInterrupt when it was cut off.
    """
    crawler = process.create_crawler(spider)
    if watch is not None:
        watch(crawler)
    crawling = process.crawl(crawler, **arguments)
    process.start()
    if not crawling.done() or crawling.cancelled():
        raise KeyboardInterrupt
    if error := crawling.exception():
        raise error
    return crawler
