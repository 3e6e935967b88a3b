"""Fetch the pages of commands.

A command inside a project takes over how the project fetches and what it has set of ours, and
leaves alone what the project does with its items and where it keeps things.
"""

from __future__ import annotations

import logging
import re
from contextlib import contextmanager
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, cast

import scrapy
from scrapy import signals
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.downloadermiddlewares import robotstxt
from scrapy.exceptions import IgnoreRequest
from scrapy.http import HtmlResponse
from scrapy.settings import SETTINGS_PRIORITIES, Settings
from scrapy.spidermiddlewares.httperror import HttpError

from webclean_scrapy.commands.sources import address_problem
from webclean_scrapy.commands.terminal import progress
from webclean_scrapy.crawl.summary import is_page
from webclean_scrapy.safe_text import HIDDEN, hide_login
from webclean_scrapy.web_addresses import host_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.settings import BaseSettings
    from twisted.python.failure import Failure

    Report = Callable[[str, str], None]  # URL, reason without a page
    Take = Callable[[HtmlResponse, str], Iterable[Any]]  # page, the URL that was asked for

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
_ABOVE_ALL = 100  # above every settings priority of Scrapy

#: Of a command that shows pages: it changes no job, no index and no count, and starts one worker.
ISOLATED_SETTINGS: dict[str, Any] = {
    "JOBDIR": None,
    "WEBCLEAN_DEDUP_ENABLED": False,
    "WEBCLEAN_DEDUP_URI": "",
    "WEBCLEAN_REPORT": "",
    "WEBCLEAN_STORE": "",
    "WEBCLEAN_WORKERS": 1,
}


def command_settings(settings: BaseSettings, **values: Any) -> Settings:
    """Combine the settings of a command: *values*, ``-s`` options, a project's settings."""
    own = Settings(_QUIET, "command")
    for name in settings:
        priority = settings.getpriority(name) or 0
        if priority >= _FROM_THE_COMMAND or (priority and name.startswith(_TAKEN)):
            own.set(name, settings[name], priority)
    for name, value in values.items():
        own.set(name, value, _ABOVE_ALL)
    return own


def run_crawl(
    settings: Settings,
    spider: type[scrapy.Spider],
    *,
    total: int | None = None,
    prints: bool = False,
    on_item: Callable[..., None] | None = None,
    **arguments: Any,
) -> Crawler:
    """Run a crawl with the add-on, and show its progress; return the crawler.

    *total*, *prints*: as of `progress`; *on_item* is called with each item that is exported.
    Raises what kept it from starting, such as ConfigError; KeyboardInterrupt when it was cut off.
    """
    from webclean_scrapy.addon import Addon
    from webclean_scrapy.crawl.scrapy_private import fetch_no_suffixes

    settings.setdefault_in_component_priority_dict("ADDONS", Addon, 500)
    fetch_no_suffixes()
    process = AsyncCrawlerProcess(settings)
    if (settings.getpriority("LOG_LEVEL") or 0) < _FROM_THE_COMMAND:
        # A host that is down is named by the command; Scrapy shows 80 lines of traceback.
        logging.getLogger(robotstxt.__name__).setLevel(logging.CRITICAL)
    crawler = process.create_crawler(spider)
    if on_item:
        crawler.signals.connect(on_item, signal=signals.item_scraped)
    with crawl_progress(total, prints=prints) as count:
        count(crawler)
        crawling = process.crawl(crawler, **arguments)
        process.start()
    if not crawling.done() or crawling.cancelled():
        raise KeyboardInterrupt
    crawling.result()  # or what kept it from starting
    if spider is AskingSpider and crawler.stats.get_value("finish_reason") == "shutdown":
        raise KeyboardInterrupt
    return crawler


@contextmanager
def crawl_progress(total: int | None, *, prints: bool) -> Iterator[Callable[[Crawler], None]]:
    """Return a function that counts a crawler's pages; *total* None: unknown."""
    with progress(total, " pages", prints=prints) as more:
        yield lambda crawler: crawler.signals.connect(
            lambda request: is_page(request) and more(1),
            signal=signals.response_received,
            weak=False,
        )


#: By what the name of the error holds: Twisted's before Scrapy 2.15, later Scrapy's own.
_REASONS = {
    "ResolveHost|DNSLookup": "no host has this name; check its spelling",
    "ConnectionRefused": "the host refuses the connection; is it up, and is the port right?",
    "Timeout|TimedOut": "the host does not answer in time; see -s DOWNLOAD_TIMEOUT=SECONDS",
    "NotSupported|UnsupportedURL": "only http:// and https:// addresses are fetched",
}
_STATUS_HINTS = {
    403: "; the site refuses this client, see -s USER_AGENT=...",
    429: "; ask more slowly, see -s DOWNLOAD_DELAY=SECONDS",
}


def describe_error(error: BaseException | None) -> str:
    if isinstance(error, HttpError):
        status = error.response.status
        phrase = f" ({HTTPStatus(status).phrase})" if status in set(HTTPStatus) else ""
        return f"HTTP status {status}{phrase}{_STATUS_HINTS.get(status, '')}"
    if isinstance(error, IgnoreRequest) and "robots.txt" in str(error):
        return "robots.txt forbids it; where you may fetch it all the same: -s ROBOTSTXT_OBEY=False"
    name = type(error).__name__
    for names, reason in _REASONS.items():
        if re.search(names, name):
            return reason
    # The address of a redirect may hold a login.
    said = re.sub(r"(?<!\S)\S+@", f"{HIDDEN}@", " ".join(str(error).split()))
    return f"{said or 'the request failed'} ({name})"


def describe_content(response: Response) -> str:
    """Return why a response cannot be cleaned; "" if it can."""
    if not response.body.strip():
        return "the page is empty"
    if isinstance(response, HtmlResponse):
        return ""
    content_type = response.headers.get("Content-Type") or b""
    kind = content_type.decode("latin-1").partition(";")[0].strip()
    return f"not an HTML page: its content type is {kind or 'not given'}"


class AskingSpider(scrapy.Spider):
    """Requests *urls*, yields the results of *take*, and reports pages without one."""

    name = "webclean-pages"
    webclean_items = True  # each page is cleaned, also where no item is made of it (explain)

    def __init__(
        self, urls: Sequence[str], report: Report, take: Take | None = None, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.report, self._take = report, take
        self._waiting: dict[str, list[str]] = {}  # URLs of each host, to be asked for later
        for url in urls:
            if problem := address_problem(url):
                report(hide_login(url), problem)
            else:
                self._waiting.setdefault(host_of(url), []).append(url)

    async def start(self) -> AsyncIterator[scrapy.Request]:
        """Yield a request for the first URL of each host.

        The others follow when it is answered: of several requests that wait for one robots.txt,
        Scrapy 2.14 to 2.19 lets the third and later ones pass.
        """
        for urls in self._waiting.values():
            yield self._request(urls.pop(0))

    def _request(self, url: str) -> scrapy.Request:
        asked = {"asked": url}
        return scrapy.Request(url, cb_kwargs=asked, errback=self.failed, dont_filter=True)

    def _others(self, asked: str) -> Iterator[scrapy.Request]:
        """Yield the requests that waited for the first response, once."""
        yield from map(self._request, self._waiting.pop(host_of(asked), ()))

    def failed(self, failure: Failure) -> Iterator[Any]:
        asked = failure.request.cb_kwargs["asked"]  # type: ignore[attr-defined]
        self.report(asked, describe_error(failure.value))
        yield from self._others(asked)

    def parse(self, response: Response, asked: str) -> Iterator[Any]:
        if problem := describe_content(response):
            self.report(asked, problem)
        elif self._take:
            yield from self._take(cast("HtmlResponse", response), asked)
        else:
            # Imported here: a command that fetches nothing starts faster.
            from webclean_scrapy.crawl.service import WebcleanService

            yield WebcleanService.new_item(self.crawler, response.url)
        yield from self._others(asked)
