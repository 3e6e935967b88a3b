"""Follow meta redirects; keep crawls of public sites out of private networks."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from scrapy.downloadermiddlewares.redirect import MetaRefreshMiddleware
from scrapy.exceptions import IgnoreRequest
from scrapy.http import HtmlResponse
from scrapy.settings import SETTINGS_PRIORITIES
from scrapy.utils.response import get_meta_refresh

from webclean_scrapy.crawl.private_addresses import leads_inside
from webclean_scrapy.crawl.request_meta import FIRST_PAGE
from webclean_scrapy.crawl.responses import decodable, framed_page
from webclean_scrapy.web_addresses import host_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.settings import BaseSettings
    from typing_extensions import Self

LONGEST_REFRESH_S = 5  # a page that loads another one later is read by then
OF_ADDONS = SETTINGS_PRIORITIES["addon"]  # a default would be lost with some runners


class SiteRedirectsMiddleware(MetaRefreshMiddleware):
    """Follows ``<meta http-equiv="refresh">``, except to the page itself.

    A first page of nothing but a frame leads to the page in the frame.

    It refuses requests to private addresses, whatever led there: a redirect, a refresh, a feed or
    a sitemap; not to the hosts that the spider has in `named_hosts`.
    """

    private_hosts: dict[str, bool]

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        found = super().from_crawler(crawler)
        found.private_hosts = dict.fromkeys(getattr(crawler.spider, "named_hosts", ()), False)
        return found

    async def process_request(self, request: Request) -> None:
        """Raise IgnoreRequest for a private address."""
        host = host_name(request.url)
        if host not in self.private_hosts:
            self.private_hosts[host] = await leads_inside(request.url)
        if self.private_hosts[host]:
            raise IgnoreRequest(f"{host} is a private address that nobody has named")

    def process_response(
        self, request: Request, response: Response, spider: Any = None
    ) -> Request | Response:
        if isinstance(response, HtmlResponse):
            response = decodable(response)
            url = get_meta_refresh(response)[1] or ""
            if url.partition("#")[0] == response.url:
                return response
            if request.meta.get(FIRST_PAGE) and not url and (frame := framed_page(response)):
                body = f'<meta http-equiv="refresh" content="0; url={escape(frame)}">'
                response = response.replace(body=body, encoding="utf-8")
        return super().process_response(request, response)


def use_middlewares(settings: BaseSettings, others: Mapping[type, int] | None = None) -> None:
    """Replace Scrapy's middleware by ours, and add *others*, for a spider."""
    name = "DOWNLOADER_MIDDLEWARES"
    added = {MetaRefreshMiddleware: None, SiteRedirectsMiddleware: 580, **(others or {})}
    priority = max(settings.getpriority(name) or 0, OF_ADDONS)
    settings.set(name, {**settings.getdict(name), **added}, priority)
    settings.set("METAREFRESH_MAXDELAY", LONGEST_REFRESH_S, OF_ADDONS)
