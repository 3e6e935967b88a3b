"""Take a template that another crawl has learned, before a sibling would be fetched for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse

from webclean_scrapy.cleaning.templates.url_shapes import is_list_url
from webclean_scrapy.crawl.service import WebcleanService

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from typing_extensions import Self

    from webclean_scrapy.crawl.template_sharing import SharedCleaning


class BorrowMiddleware:
    """Asks the server that crawls share, once for each shape of address.

    Stands behind the sibling middleware, so that a page comes here first.
    """

    def __init__(self, shared: SharedCleaning) -> None:
        self._shared = shared

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Raises NotConfigured when no server is shared."""
        shared = WebcleanService.of(crawler).shared
        if shared is None:
            raise NotConfigured
        return cls(shared)

    async def process_response(self, request: Request, response: Response) -> Response:
        """Return *response*, its template taken from other crawls if they know it."""
        is_page = isinstance(response, HtmlResponse) and response.status == 200
        wanted = request.meta.get("webclean") is not False and not is_list_url(response.url)
        if is_page and wanted:
            await self._shared.borrow(response.url)
        return response
