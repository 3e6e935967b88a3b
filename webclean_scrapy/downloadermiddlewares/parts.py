"""Find the canonical URL of a page; reuse pages downloaded on the way.

A twin of an article, as an AMP page or one to print, names the article's own address (RFC 6596).
Sites also name their first page so, or another article: the text decides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse

from webclean_scrapy import stats
from webclean_scrapy.crawl.extra_pages import OK
from webclean_scrapy.crawl.request_meta import CANONICAL, IS_SIBLING
from webclean_scrapy.crawl.responses import canonical_address
from webclean_scrapy.crawl.service import Component

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response


class PartsMiddleware(Component):
    """Answers requests with pages downloaded by `ExtraPages`, so that each is fetched once.

    A ready-made spider says by `wants_canonical` which addresses it would ask for.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._extra = self._service.extra_pages
        if not self._config.parts:
            raise NotConfigured

    async def process_request(self, request: Request) -> Response | None:
        """Return the response for a page that was already downloaded, once."""
        if IS_SIBLING in request.meta:
            return None
        response = await self._extra.cache.take_response(request, self._crawler)
        if response is None:
            self._extra.begin(request)
        else:
            self._stats.inc_value(stats.PARTS_HANDED_OVER)
        return response

    def process_exception(self, request: Request, exception: Exception) -> None:
        """Record that the request failed."""
        self._extra.end(request, None)

    async def process_response(self, request: Request, response: Response) -> Response:
        """Return *response*, after the canonical page was checked if the spider asks for it."""
        self._extra.end(request, response)
        wants = getattr(self._crawler.spider, "wants_canonical", None)
        if wants is None or not isinstance(response, HtmlResponse) or response.status != OK:
            return response
        if IS_SIBLING in request.meta or not (url := canonical_address(response)):
            return response
        if wants(request, url):
            response.request = response.request or request
            if await self._extra.has_canonical(response, url):
                request.meta[CANONICAL] = url
        return response
