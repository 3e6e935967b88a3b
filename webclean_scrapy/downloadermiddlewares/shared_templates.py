"""Gets a template that another crawl has learned, before a sibling would be fetched for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse

from webclean_scrapy.cleaning.templates.url_shapes import is_list_url
from webclean_scrapy.crawl.service import WebcleanService
from webclean_scrapy.meta import WEBCLEAN

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from typing_extensions import Self

    from webclean_scrapy.crawl.template_sharing import SharedBackend


class SharedTemplatesMiddleware:
    """Looks each URL shape up once on the server that the crawls share.

    Its position is above the sibling middleware, so that responses come here first.
    """

    def __init__(self, shared: SharedBackend) -> None:
        self._shared = shared

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Raises NotConfigured when no server is shared."""
        shared = WebcleanService.of(crawler).shared
        if shared is None:
            raise NotConfigured
        return cls(shared)

    async def process_response(self, request: Request, response: Response) -> Response:
        """Return *response*, after its template was added if other crawls know it."""
        is_page = isinstance(response, HtmlResponse) and response.status == 200
        is_wanted = request.meta.get(WEBCLEAN) is not False and not is_list_url(response.url)
        if is_page and is_wanted:
            await self._shared.fetch_shared(response.url)
        return response
