"""Keeps the robots.txt of watched hosts for a day, so that not every round asks for it again."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from scrapy.exceptions import NotConfigured
from scrapy.http import Response, TextResponse

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from typing_extensions import Self

    from webclean_scrapy.crawl.watch_state import WatchState

SERVER_ERROR = 500


class RobotsCacheMiddleware:
    """Answers requests for robots.txt from the state of the spider; a day is what RFC 9309 allows.

    It stands before the middleware of Scrapy that obeys the file.
    """

    def __init__(self, state: WatchState) -> None:
        self._state = state

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        state = getattr(crawler.spider, "watch_state", None)
        if state is None:
            raise NotConfigured("the spider keeps no state")
        return cls(state)

    def process_request(self, request: Request) -> Response | None:
        """Return the file as it was kept; None: it is asked for."""
        body = self._state.robots(_host(request)) if _is_for_robots(request) else None
        return None if body is None else TextResponse(request.url, body=body)

    def process_response(self, request: Request, response: Response) -> Response:
        """Keep the file; a host without one forbids nothing, a host that fails is asked again."""
        if _is_for_robots(request) and response.status < SERVER_ERROR:
            self._state.set_robots(_host(request), response.body if response.status < 300 else b"")
        return response


def _is_for_robots(request: Request) -> bool:
    return bool(request.meta.get("dont_obey_robotstxt")) and _first(request).endswith("/robots.txt")


def _host(request: Request) -> str:
    return urlsplit(_first(request)).netloc


def _first(request: Request) -> str:
    """Return the address before it was redirected."""
    return str(request.meta.get("redirect_urls", [request.url])[0])
