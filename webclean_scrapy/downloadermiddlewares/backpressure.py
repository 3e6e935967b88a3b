"""Delay pages while too many are being cleaned or waiting.

Scrapy pauses when the bodies at work exceed 5 MB; 5,000 small ones do not, but each costs 100 kB.
What waits here counts for ``CONCURRENT_REQUESTS``, so no more is asked for, and takes no place in
its download slot. What has no callback, such as a sibling or robots.txt, passes at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.http.request import NO_CALLBACK

from webclean_scrapy.crawl.responses import is_html
from webclean_scrapy.crawl.service import Component

if TYPE_CHECKING:
    from scrapy.http import Request, Response

MAX_PAGES = 100  # for each worker: a second of its work or more


class BackpressureMiddleware(Component):
    """Lets only as many pages into a crawl as can soon be cleaned."""

    def process_exception(self, request: Request, exception: Exception) -> None:
        """Count a failed page that was not retried by other components."""
        self._service.summary.fail(request, exception)

    async def process_response(self, request: Request, response: Response) -> Response:
        """Return *response* unchanged, once there is room."""
        if is_html(response) and request.callback is not NO_CALLBACK:
            limit = MAX_PAGES * max(1, self._config.most_workers)
            await self._service.cleanings.wait_until_fewer(limit)
        return response
