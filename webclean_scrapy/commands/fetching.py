"""Fetching of commands: a project's settings, the fetching process and its failures.

A command that is run inside a project has spiders of its own. It takes over how the project
fetches and what it has set of ours, and leaves alone what the project does with its items and
where it keeps things: pipelines, feeds, extensions, other add-ons, jobs, caches, log files.
"""

from __future__ import annotations

import logging
import sys
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from scrapy.crawler import AsyncCrawlerProcess
from scrapy.downloadermiddlewares import robotstxt
from scrapy.exceptions import IgnoreRequest
from scrapy.http import HtmlResponse
from scrapy.settings import SETTINGS_PRIORITIES, Settings
from scrapy.spidermiddlewares.httperror import HttpError

from webclean_scrapy.settings import WebcleanConfig, unknown_settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response
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
ISOLATED_SETTINGS: dict[str, Any] = {
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


#: By the name of the error: Twisted's before Scrapy 2.15, later Scrapy's own.
_REASONS = {
    "no host has this name; check its spelling": (
        "CannotResolveHostError", "DNSLookupError",
    ),
    "the host refuses the connection; is it up, and is the port right?": (
        "ConnectionRefusedError", "DownloadConnectionRefusedError",
    ),
    "the host does not answer in time; try again later, or with -s DOWNLOAD_TIMEOUT=SECONDS": (
        "DownloadTimeoutError", "TCPTimedOutError", "TimeoutError", "UserTimeoutError",
    ),
    "only http:// and https:// addresses are fetched": (
        "NotSupported", "UnsupportedURLSchemeError",
    ),
}  # fmt: skip
_REASON_OF = {name: reason for reason, names in _REASONS.items() for name in names}
_STATUS_HINTS = {
    401: "; it wants a login",
    403: "; the site refuses this client, see -s USER_AGENT=...",
    404: "; check the address",
    410: "; the page is gone",
    429: "; ask more slowly, see -s DOWNLOAD_DELAY=SECONDS",
}


def describe_error(error: BaseException | None) -> str:
    """Return why a request failed."""
    if isinstance(error, HttpError):
        return describe_status(error.response.status)
    if isinstance(error, IgnoreRequest) and "robots.txt" in str(error):
        return "robots.txt forbids it; where you may fetch it all the same: -s ROBOTSTXT_OBEY=False"
    reason = _REASON_OF.get(type(error).__name__)
    words = " ".join(str(error).split()) or "the request failed"
    return reason or f"{words} ({type(error).__name__})"


def describe_status(status: int) -> str:
    """Return an HTTP status in words.

    >>> describe_status(404)
    'HTTP status 404 (Not Found); check the address'
    """
    try:
        phrase = f" ({HTTPStatus(status).phrase})"
    except ValueError:
        phrase = ""
    hint = "; the server fails, try again later" if status >= 500 else ""
    return f"HTTP status {status}{phrase}{_STATUS_HINTS.get(status, hint)}"


def describe_content(response: Response) -> str:
    """Return why a response cannot be cleaned; "" when it can."""
    if not response.body.strip():
        return "the page is empty"
    if isinstance(response, HtmlResponse):
        return ""
    content_type = response.headers.get("Content-Type") or b""
    kind = content_type.decode("latin-1").partition(";")[0].strip()
    return f"not an HTML page: its content type is {kind or 'not given'}"
