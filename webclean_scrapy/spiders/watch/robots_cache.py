"""Cache the robots.txt of watched hosts for a day, and obey Crawl-delay.

A ``Crawl-delay`` counts as a delay in ``DOWNLOAD_SLOTS`` does, up to ``AUTOTHROTTLE_MAX_DELAY``
and a fifth of the time of a site in a round.
The larger one of both is the pace of the host, which AutoThrottle does not change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from scrapy import signals
from scrapy.http import Response, TextResponse

from webclean_scrapy.crawl.scrapy_private import set_delay
from webclean_scrapy.crawl.waiting import KeyedEvents
from webclean_scrapy.spiders.discovery import read_robots
from webclean_scrapy.web_addresses import host_of

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from typing_extensions import Self

    from webclean_scrapy.spiders.watch.state import WatchState

REQUESTS = 5  # that a round of a site has time for at least: robots.txt, three sources and a page
FIRST = "webclean_first_of_host"  # in the meta of a request


class RobotsCacheMiddleware:
    """Answers requests for robots.txt from the spider's state for a day, as RFC 9309 allows.

    It stands before the middleware of Scrapy that obeys the file. Of several requests that wait for
    one robots.txt, that lets the third and later ones pass (2.14 to 2.19). So all requests to a
    host wait here until the first one is sent, or has failed.
    """

    def __init__(self, crawler: Crawler) -> None:
        spider: Any = crawler.spider  # a `WatchSpider`
        self._crawler, self._state = crawler, cast("WatchState", spider.watch_state)
        settings = crawler.settings
        share = spider.site_time / REQUESTS
        self._most = min(settings.getfloat("AUTOTHROTTLE_MAX_DELAY"), share)
        self._timeout = min(settings.getfloat("DOWNLOAD_TIMEOUT") or share, share)
        self._slots = settings.getdict("DOWNLOAD_SLOTS")
        self._delays: dict[str, float] = {}  # seconds, by host and port
        self._has_answered: dict[str, bool] = {}  # by host
        self._answers = KeyedEvents()
        crawler.signals.connect(self.pace, signal=signals.request_reached_downloader)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    async def process_request(self, request: Request) -> Response | None:
        """Return the cached file; None if it must be requested."""
        host = host_of(_first(request))
        if _is_for_robots(request):
            if (body := self._state.robots(host)) is None:
                request.meta.setdefault("download_timeout", self._timeout)
                return None
            self._read_delay(host, body)
            return TextResponse(request.url, body=body, flags=["cached"])
        if host not in self._has_answered:
            self._has_answered[host] = False
            request.meta[FIRST] = host
        while not self._has_answered[host] and request.meta.get(FIRST) != host:
            await self._answers.wait_for_notify(host)
        return None

    def process_response(self, request: Request, response: Response) -> Response:
        """Cache the file; a missing one allows all, a failing host is asked again."""
        is_new = _is_for_robots(request) and "cached" not in response.flags
        if is_new and response.status < 500:
            body = response.body if response.status < 300 else b""
            self._state.set_robots(host_of(_first(request)), body)
            self._read_delay(host_of(_first(request)), body)
        self._let_others_pass(request)  # it was not sent if a cache has answered
        return response

    def process_exception(self, request: Request, exception: Exception) -> None:
        self._let_others_pass(request)

    def _let_others_pass(self, request: Request) -> None:
        if host := request.meta.get(FIRST):
            self._has_answered[host] = True
            self._answers.notify(host)

    def _read_delay(self, host: str, body: bytes) -> None:
        if b"crawl-delay" in body.lower():
            _, delay = read_robots(body, self._crawler.settings)
            self._delays[host] = min(delay, self._most) if delay > 0 else 0.0  # it may be NaN

    def pace(self, request: Request) -> None:
        """Apply the host's Crawl-delay to a request about to be sent."""
        self._let_others_pass(request)  # robots.txt is known; redirected, it may never end
        own = self._slots.get(request.meta["download_slot"], {}).get("delay", 0.0)
        if delay := max(own, self._delays.get(host_of(_first(request)), 0.0)):
            set_delay(self._crawler, request, delay)


def _is_for_robots(request: Request) -> bool:
    return bool(request.meta.get("dont_obey_robotstxt")) and _first(request).endswith("/robots.txt")


def _first(request: Request) -> str:
    """Return the address before redirects."""
    return str(request.meta.get("redirect_urls", [request.url])[0])
