"""Replace pages by a browser's rendering, with the box of every element.

The page is downloaded as usual, by Scrapy's downloader under all rules of the crawl, and only then
given to a browser, which sends no request of its own (``crawl.browser``). Why not
scrapy-playwright's download handler: a download by the browser follows neither the crawl's
cookies, proxy, size limit and redirect rules nor the rule against private addresses, and a page
whose rendering fails would have to be requested twice. Here it is passed through unchanged, and
nothing but str, int and bytes is ever in ``request.meta``.

The middleware is the nearest to the downloader, so that the HTTP cache holds rendered pages, with
their boxes, and replays them without a browser.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy import signals
from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.exceptions import IgnoreRequest, NotConfigured
from scrapy.http import HtmlResponse, Response
from scrapy.http.request import NO_CALLBACK

from webclean_scrapy import stats
from webclean_scrapy.cleaning.page.charset import as_utf8
from webclean_scrapy.cleaning.page.parse import parse, to_utf8
from webclean_scrapy.cleaning.page.table import build_table
from webclean_scrapy.cleaning.page.walk import BOX
from webclean_scrapy.crawl.browser.chromium import MAX_CACHED, Browser, PageResources, ResourceCache
from webclean_scrapy.crawl.log_lines import safe_logger
from webclean_scrapy.crawl.request_meta import IS_SIBLING, RENDER, WEBCLEAN
from webclean_scrapy.crawl.responses import header_charset, is_parsable
from webclean_scrapy.crawl.service import Component
from webclean_scrapy.errors import PageError

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

logger = safe_logger(__name__)

FLAG = "webclean_rendered"  # on the response, so the log shows it

MIN_TEXT_SHARE = 0.5  # of the text downloaded; with less, a wall or an error hides the page

_RENDERED = frozenset({FLAG, "playwright"})  # by us, or by a download handler of the user's


class RenderMiddleware(Component):
    """Replaces pages by their rendering in a browser."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        config = self._config
        if config.render == "off":
            raise NotConfigured
        self._browser = Browser(
            crawler.settings, tabs=config.render_tabs, timeout_s=config.render_timeout_s
        )
        self._cache: ResourceCache = ResourceCache(limit=MAX_CACHED)
        crawler.signals.connect(self._browser.close, signal=signals.engine_stopped)

    async def process_response(self, request: Request, response: Response) -> Response:
        """Return the rendered page, or the page unchanged with the reason in a stat."""
        if not self._is_wanted(request, response):
            return response
        reason = None
        try:
            response = self._decompress(request, response)
        except IgnoreRequest:
            reason = "too_large"  # the compression middleware of the crawl logs it
        reason = reason or self._skip_reason(response)
        if reason or not isinstance(response, HtmlResponse):
            self._stats.inc_value(f"{stats.RENDER_SKIPPED}/{reason}")
            return response
        return await self._render(request, response)

    def _is_wanted(self, request: Request, response: Response) -> bool:
        meta = request.meta
        wanted = meta.get(RENDER)
        if wanted is None and self._config.render == "all":
            wanted = request.callback is not NO_CALLBACK or IS_SIBLING in meta
        return (
            bool(wanted)
            and meta.get(WEBCLEAN) is not False
            and request.method == "GET"
            and response.status == 200
            and _RENDERED.isdisjoint(response.flags)
            and not ("cached" in response.flags and BOX.encode() in response.body)
        )

    def _skip_reason(self, response: Response) -> str | None:
        if "cached" in response.flags:
            return "cached"  # a replay sends no requests, so its scripts must not either
        if not isinstance(response, HtmlResponse) or "Content-Encoding" in response.headers:
            return "not_html"
        return None if is_parsable(response, self._service.guard) else "too_large"

    async def _render(self, request: Request, page: HtmlResponse) -> Response:
        resources = PageResources(
            crawler=self._crawler,
            page=page,
            request=request,
            cache=self._cache,
            decompress=self._decompress,
            timeout_s=self._config.render_timeout_s / 2,
        )
        try:
            html = await self._browser.render(request, page, resources)
        except Exception as error:  # noqa: BLE001, a page that is not rendered must not be lost
            self._stats.inc_value(f"{stats.RENDER_FAILED}/{type(error).__name__}")
            spider = {"spider": self._crawler.spider}
            logger.debug("Rendering of %s failed: %r", page, error, extra=spider)
            return page
        finally:
            resources.close()
        flags = [*page.flags, FLAG]
        rendered = page.replace(body=to_utf8(html), encoding="utf-8", flags=flags)
        rendered.headers.pop("Content-Length", None)
        rendered.headers["Content-Type"] = b"text/html; charset=utf-8"
        reason = self._skip_reason(rendered)
        if reason is None and _text_of(rendered) < MIN_TEXT_SHARE * _text_of(page):
            reason = "less_text"
        if reason:
            self._stats.inc_value(f"{stats.RENDER_SKIPPED}/{reason}")
            return page
        self._stats.inc_value(stats.RENDER_PAGES)
        return rendered

    def _decompress(self, request: Request, response: Response) -> Response:
        """Return *response* decompressed. Raises IgnoreRequest beyond the size limit."""
        compression = self._crawler.get_downloader_middleware(HttpCompressionMiddleware)
        if compression is None:
            return response
        unpacked = compression.process_response(request, response)
        return unpacked if isinstance(unpacked, Response) else response


def _text_of(page: HtmlResponse) -> int:
    """Return the text length of the page in units; 0 for a page refused by the guard."""
    try:
        return build_table(parse(as_utf8(page.body, declared=header_charset(page)))).text_length(0)
    except PageError:
        return 0
