"""Find the sibling of a page: among pages of the crawl first, then by links (docs/siblings.md).

Pages and sibling responses are kept for a while, bounded in number and in bytes: the first page of
a template takes the second one as its sibling, instead of fetching a third, and the crawl's own
request for a page that was fetched gets that response, if it would have been sent in the same way.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar
from weakref import WeakSet

from scrapy import Request
from scrapy.exceptions import IgnoreRequest
from scrapy.http import HtmlResponse, Response
from scrapy.http.request import NO_CALLBACK
from scrapy.utils.datatypes import LocalCache

from webclean_scrapy import stats
from webclean_scrapy.cleaning.templates.url_shapes import (
    is_list_url,
    leaf_pattern,
    url_family,
    url_shape,
)
from webclean_scrapy.crawl.log_lines import safe_logger
from webclean_scrapy.crawl.private_addresses import may_fetch, may_use
from webclean_scrapy.crawl.request_meta import IS_SIBLING, RENDER, WEBCLEAN
from webclean_scrapy.crawl.responses import raw_page
from webclean_scrapy.crawl.scrapy_private import downloading, fetch, has_cookies_for, is_closing
from webclean_scrapy.crawl.waiting import KeyedEvents, PendingTasks
from webclean_scrapy.web_addresses import host_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http.headers import Headers

    from webclean_scrapy.cleaning.page.raw_page import RawPage
    from webclean_scrapy.crawl.workers.backend import CleaningBackend
    from webclean_scrapy.settings import WebcleanConfig

logger = safe_logger(__name__)

SEEN_SIBLINGS = 2  # pages of the crawl that teach one template, if available
POLL_S = 0.2  # seconds between two looks at whether pages of the crawl are still to come
REMEMBERED_URLS = 10_000  # latest requests of the crawl
FREE_FETCHES = 10  # of a host, so that its first templates can be learned
MAX_SHARE = 0.05  # fetches for each page of the host beyond these
MAX_FAILURES = 3  # in a row, after which nothing more is fetched from a host
MAX_TRIES = 6  # pages of the crawl tried as siblings, for each template: each costs parses
MAX_HOSTS = 10_000
REFUSING = frozenset({403, 429})  # statuses of a host that wants no such requests

# The sibling has the origin of its page, so the page's login may be sent; cookies are not.
_SAME_HEADERS = ("Authorization", "Proxy-Authorization", "User-Agent", "Accept-Language")
# A sibling is rendered like its page: only then can the two be compared.
_SAME_META = ("download_slot", "proxy", "bindaddress", "depth", RENDER)
MAX_KEPT = 64  # pages, and responses
MAX_PAGE_BYTES = 8_000_000  # of all pages together
MAX_SIBLING_BYTES = 5_000_000  # the download of a larger one is cancelled
MAX_RESPONSE_BYTES = 20_000_000  # of all responses together
FLAG = "webclean_sibling"  # in response.flags, which the log shows

# Headers that are set after our middleware, and meta keys that do not change the response.
_OTHER_HEADERS = frozenset({b"Accept-Encoding", b"Referer"})
_NEUTRAL_META = frozenset(
    "depth download_timeout is_start_request link_text rule referrer_policy allow_offsite"
    " handle_httpstatus_all handle_httpstatus_list max_retry_times".split()
)

_T = TypeVar("_T")


class SizedCache(LocalCache[str, tuple[_T, int]]):
    """Values with sizes by URL; the oldest are removed beyond a number or total size."""

    def __init__(self, limit: int, max_bytes: int) -> None:
        super().__init__(limit)
        self._max_bytes = max_bytes

    def __setitem__(self, url: str, value: tuple[_T, int]) -> None:
        self.pop(url, None)
        super().__setitem__(url, value)
        while sum(size for _, size in self.values()) > self._max_bytes:
            self.popitem(last=False)


class SeenPages:
    """The latest pages of the crawl by the shape and family of their URLs, bounded."""

    def __init__(self, max_pages: int = MAX_KEPT, max_bytes: int = MAX_PAGE_BYTES) -> None:
        self._pages: SizedCache[tuple[str, RawPage]] = SizedCache(max_pages, max_bytes)
        self.changed = KeyedEvents()  # by shape, and by family

    def add(self, page: RawPage, shape: str) -> None:
        """Keep *page* for others of its shape or family, and wake coroutines that wait for one."""
        self._pages[page.url] = (shape, page), len(page.html)
        for key in (shape, url_family(page.url)):
            self.changed.notify(key)

    def latest(self, shape: str, but: set[str], family: str = "") -> RawPage | None:
        """Return the latest page whose URL is not in *but*; None when there is none.

        One of *shape*, or else of *family*, if that is not "".
        """
        newest = [kept for kept, _ in reversed(self._pages.values()) if kept[1].url not in but]
        found = [page for own, page in newest if own == shape]
        if not found and family:
            found = [page for _, page in newest if url_family(page.url) == family]
        return found[0] if found else None


class ResponseCache:
    """The latest sibling responses by URL, at most 64 and 20 MB; each is used once."""

    def __init__(self) -> None:
        self.downloads = PendingTasks()  # by URL
        self._responses: SizedCache[tuple[Headers, Response]] = SizedCache(
            MAX_KEPT, MAX_RESPONSE_BYTES
        )

    def store_response(self, request: Request, response: Response) -> None:
        """Cache a whole response of no session, with the headers of its request."""
        if b"Set-Cookie" not in response.headers and "dataloss" not in response.flags:
            self._responses[request.url] = (request.headers, response), len(response.body)

    async def take_response(self, request: Request, crawler: Crawler) -> Response | None:
        """Return the cached response to *request*, once, also one that is under way; else None."""
        url = without_fragment(request)
        await self.downloads.wait_until_ended(url)
        if not _is_plain(request) or url not in self._responses:
            return None
        (headers, response), _ = self._responses.pop(url)
        if _compared(request.headers) != _compared(headers) or has_cookies_for(crawler, url):
            return None
        return response.replace(request=None, flags=[*response.flags, FLAG])


def without_fragment(request: Request) -> str:
    """Return the URL of *request* without fragment."""
    return request.url.partition("#")[0]


def _is_plain(request: Request) -> bool:
    """True if the response to *request* depends only on its URL and headers."""
    plain = request.method == "GET" and not request.body and not request.cookies
    names = (str(name) for name in request.meta)
    return plain and all(n in _NEUTRAL_META or n.startswith("webclean") for n in names)


def _compared(headers: Headers) -> dict[bytes, list[bytes]]:
    return {name: values for name, values in headers.items() if name not in _OTHER_HEADERS}


@dataclass(slots=True)
class TemplateCounts:
    """The attempts to learn one template, for a shape of URL or by the others of its family."""

    fetched: set[str] = field(default_factory=set)  # URLs
    suspects: set[str] = field(default_factory=set)  # leaf patterns of refused siblings: come last
    tries: int = 0  # pages of the crawl that were tried as siblings


@dataclass(slots=True)
class HostCounts:
    """The counts of one host: pages, and fetched siblings."""

    pages: int = 0  # of the crawl that may be articles
    unused: int = 0  # fetches whose response the crawl has not used
    failures: int = 0  # in a row: no response, or one of a host in trouble
    has_template: bool = False  # whether any is known


class SiblingSearch:
    """Finds siblings and lets the Cleaner learn from them."""

    def __init__(
        self,
        crawler: Crawler,
        config: WebcleanConfig,
        backend: CleaningBackend,
        requested: LocalCache[str, None],
    ) -> None:
        """*requested*: URLs that the crawl has asked for, kept together with who else fetches."""
        self._crawler, self._stats = crawler, crawler.stats
        self._config, self._backend = config, backend
        self._requested = requested
        self._cache = ResponseCache()
        self.seen = SeenPages()
        self._arrived: WeakSet[Request] = WeakSet()  # of seen pages
        self._hosts: LocalCache[str, HostCounts] = LocalCache(MAX_HOSTS)
        self._templates: LocalCache[str, TemplateCounts] = LocalCache(
            self._config.clean.max_templates
        )

    def host(self, url: str) -> HostCounts:
        """Return the counts for the host of *url*."""
        return self._hosts.setdefault(host_of(url), HostCounts())

    def _template(self, shape: str) -> TemplateCounts:
        return self._templates.setdefault(shape, TemplateCounts())

    async def cached_response(self, request: Request) -> Response | None:
        """Return the cached response to the crawl's own *request*, fetched as a sibling."""
        self._requested[without_fragment(request)] = None
        response = await self._cache.take_response(request, self._crawler)
        if response is not None:
            self._stats.inc_value(stats.SIBLING_HANDED_OVER)
            self.host(request.url).unused -= 1  # it was no extra request
        return response

    def add_seen(self, request: Request, page: HtmlResponse, shape: str) -> None:
        """Store *page*, the response to *request*, as a possible sibling."""
        self._arrived.add(request)
        self.seen.add(raw_page(page), shape)

    async def find_sibling(self, request: Request, page: HtmlResponse, shape: str) -> str | None:
        """Find a sibling of *page*, the response to *request*; return its URL or None.

        None also for a page that needs none: its template is known from other URLs.
        """
        counts = self.host(page.url)
        if counts.has_template and await self._backend.recognises_template(raw_page(page)):
            self._stats.inc_value(stats.SIBLING_RECOGNISED)
            return None
        url = await self._learn_from_seen(page, shape)
        url = url or await self._learn_from_links(request, page, shape)
        counts.has_template = counts.has_template or url is not None
        return url

    async def _learn_from_seen(self, page: HtmlResponse, shape: str) -> str | None:
        """Learn from pages of the crawl, now or within a time limit; return the first URL.

        From two if there are two: one page may lack what the others share, and it costs no request.
        """
        end = time.monotonic() + self._config.sibling_timeout_s
        own = self._template(shape)
        learned: list[str] = []  # URLs
        tried = {page.url}
        while len(learned) < SEEN_SIBLINGS and own.tries < MAX_TRIES:
            if not learned and self._backend.knows_template(page.url):
                return None
            family = self._family(page.url)
            sibling = self.seen.latest(shape, tried, family)
            if sibling is None:
                left = end - time.monotonic()
                if left <= 0 or not self._is_downloading(shape, family):
                    break
                await self.seen.changed.wait_for_notify(family or shape, min(left, POLL_S))
                continue
            tried.add(sibling.url)
            counts = self._counts(sibling.url, shape)
            counts.tries += 1
            refusal = await self._backend.learn_sibling(raw_page(page), sibling)
            if refusal is None:
                self._stats.inc_value(stats.SIBLING_MET)
                learned.append(sibling.url)
            else:
                self._stats.inc_value(f"{stats.SIBLING_MET_REFUSED}/{refusal}")
                counts.suspects.add(leaf_pattern(sibling.url))
        return learned[0] if learned else None

    def _family(self, page_url: str, *, fetching: bool = False) -> str:
        """Return the family of a page, if siblings of other shapes may still be tried; else ""."""
        family = url_family(page_url)
        counts = self._template(family) if family else TemplateCounts()
        is_spent = len(counts.fetched) >= self._config.sibling_max_fetches
        return "" if (is_spent if fetching else counts.tries >= MAX_TRIES) else family

    def _counts(self, url: str, shape: str) -> TemplateCounts:
        """Return the counts of *shape*, or of its family for a sibling of another shape."""
        return self._template(shape if url_shape(url) == shape else url_family(url))

    def _is_downloading(self, shape: str, family: str) -> bool:
        return any(
            request not in self._arrived
            and may_be_article(request, url := without_fragment(request))
            and (url_shape(url) == shape or (family and url_family(url) == family))
            for request in downloading(self._crawler)
        )

    async def _learn_from_links(
        self, request: Request, page: HtmlResponse, shape: str
    ) -> str | None:
        has_tried = False
        links: list[str] | None = None
        while not self._backend.knows_template(page.url):
            hindrance = self._limit_reached(page.url, shape)
            if links is None and not hindrance:
                links = await self._backend.sibling_links(raw_page(page))
                continue  # meanwhile a page may have taught it
            url = None if hindrance else self._best_link(links or [], page.url, shape)
            if url is None:
                if not has_tried:  # it gets no request at all
                    self._stats.inc_value(hindrance or stats.SIBLING_NO_LINK)
                return None
            has_tried = True
            if await self._learn_from(url, request, page, shape):
                return url
        return None

    def _limit_reached(self, page_url: str, shape: str) -> str | None:
        if len(self._template(shape).fetched) >= self._config.sibling_max_fetches:
            return stats.SIBLING_SPENT
        host = self.host(page_url)
        if host.failures >= MAX_FAILURES:
            return stats.SIBLING_HOST_GIVEN_UP
        if host.unused >= FREE_FETCHES + MAX_SHARE * host.pages:
            return stats.SIBLING_HOST_SPENT
        return stats.SIBLING_CLOSING if is_closing(self._crawler) else None

    def _best_link(self, links: list[str], page_url: str, shape: str) -> str | None:
        """Return the URL of the likeliest sibling among the ranked *links* of a page.

        Those of a form that was refused come last. Without the pages that the crawl has requested,
        which need no second request. If the crawl requests the chosen page later, its response is
        here already.
        """
        own, family = self._template(shape), self._family(page_url, fetching=True)
        others = self._template(family) if family else TemplateCounts()
        fetched, suspects = own.fetched | others.fetched, own.suspects | others.suspects
        like = links if family else [url for url in links if url_shape(url) == shape]
        left = [url for url in like if url not in fetched and url not in self._requested]
        return min(left, key=lambda url: leaf_pattern(url) in suspects, default=None)

    async def _learn_from(self, url: str, request: Request, page: HtmlResponse, shape: str) -> bool:
        """Fetch *url* and learn from it. False, with a stat that says why, when it is refused."""
        counts, host = self._counts(url, shape), self.host(url)
        counts.fetched.add(url)
        host.unused += 1
        if not await may_fetch(url, page):
            self._stats.inc_value(f"{stats.SIBLING_REFUSED}/address")
            return False
        with self._cache.downloads.running(url):
            asked = sibling_request(url, request, self._config)
            response = await self._download(asked, host)
            if response is None:
                return False
            is_usable = may_use(response, page)
            if is_usable and not _is_refusal(response):
                self._cache.store_response(asked, response)
        logger.debug("Fetched sibling (%d) %s for %s", response.status, asked, page.url)
        if not is_usable:
            refusal: str | None = "address"
        elif response.status != 200:
            refusal = f"status_{response.status}"
        elif not isinstance(response, HtmlResponse):
            refusal = "not_html"
        else:
            refusal = await self._backend.learn_sibling(raw_page(page), raw_page(response))
        if refusal:
            self._stats.inc_value(f"{stats.SIBLING_REFUSED}/{refusal}")
            counts.suspects.add(leaf_pattern(url))
            logger.debug("Sibling %s is refused for %s: %s", url, page.url, refusal)
            return False
        self._stats.inc_value(stats.SIBLING_LEARNED)
        return True

    async def _download(self, request: Request, host: HostCounts) -> Response | None:
        self._stats.inc_value(stats.SIBLING_REQUESTED)
        try:
            response = await fetch(self._crawler, request)
        except Exception as error:  # noqa: BLE001, a lost sibling must not lose the page
            self._stats.inc_value(f"{stats.SIBLING_FAILED}/{type(error).__name__}")
            if not isinstance(error, IgnoreRequest):  # that one was not sent, or not unpacked
                host.failures += 1
            logger.debug("Sibling request %s failed: %r", request, error)
            return None
        if isinstance(response, Request):  # a middleware asks for another URL instead
            self._stats.inc_value(f"{stats.SIBLING_REFUSED}/redirected")
            return None
        host.failures = host.failures + 1 if _is_refusal(response) else 0
        return response


def _is_refusal(response: Response) -> bool:
    return response.status >= 500 or response.status in REFUSING


def may_be_article(request: Request, url: str) -> bool:
    """True if *request* is the spider's and its page may hold an article."""
    return (
        request.meta.get(WEBCLEAN) is not False
        and IS_SIBLING not in request.meta
        and request.callback is not NO_CALLBACK
        and not is_list_url(url)
    )


def sibling_request(url: str, page_request: Request, config: WebcleanConfig) -> Request:
    """Return a new request for *url*, on the scheme, host and port of the page.

    It obeys robots.txt, offsite rules and the page's download slot, neither sends nor stores
    cookies, and costs one request at most: no retry, no redirect.
    """
    headers = {
        name: page_request.headers[name] for name in _SAME_HEADERS if name in page_request.headers
    }
    meta = {name: page_request.meta[name] for name in _SAME_META if name in page_request.meta}
    meta |= {
        IS_SIBLING: 1,
        "dont_merge_cookies": True,
        "dont_redirect": True,
        "dont_retry": True,
        "download_maxsize": MAX_SIBLING_BYTES,
        "download_timeout": config.sibling_timeout_s,
    }
    return Request(url, callback=NO_CALLBACK, headers=headers, meta=meta)
