"""One search for a sibling per template at a time, shared by all pages that wait for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scrapy.utils.defer import deferred_from_coro

from webclean_scrapy import stats
from webclean_scrapy.cleaning.templates.url_shapes import url_shape
from webclean_scrapy.crawl.log_lines import safe_logger
from webclean_scrapy.crawl.pending import Wakeup
from webclean_scrapy.crawl.siblings.sibling_search import raw_page
from webclean_scrapy.stored.host import host_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import HtmlResponse, Request
    from twisted.internet.defer import Deferred
    from twisted.python.failure import Failure

    from webclean_scrapy.crawl.cleaning_backend import CleaningBackend
    from webclean_scrapy.crawl.service import WebcleanService
    from webclean_scrapy.crawl.siblings.sibling_search import SiblingSearch

logger = safe_logger(__name__)


@dataclass(slots=True)
class _Running:
    """A search that pages wait for."""

    task: Deferred[Any] | None = None
    sibling_url: str | None = None


class SharedSearch:
    """Starts searches and lets pages wait for them, at most the time limit of the settings.

    A search goes on when its pages no longer wait: the pages after them use what it learns.
    """

    def __init__(self, crawler: Crawler, service: WebcleanService, search: SiblingSearch) -> None:
        self._crawler = crawler
        self._stats = crawler.stats
        self._backend: CleaningBackend = service.backend
        self._timeout_s = service.config.sibling_timeout_s
        self._search = search
        self._running: dict[str, _Running] = {}  # by URL shape
        self._ended = Wakeup()  # by URL shape

    async def join_search(self, request: Request, page: HtmlResponse) -> str | None:
        """Return the URL of the sibling that was found for *page*, the response to *request*.

        None when its template is known, when another page's search served it too, when there is
        no sibling, or none in time.
        """
        await self._backend.wait_until_ready(page.url)  # that is no part of the time limit
        raw, shape = raw_page(page), url_shape(page.url)
        seen, budget = self._search.seen, self._search.budget
        budget.count_page(host_of(raw.url))
        running = self._running.get(shape)
        if self._backend.knows_template(raw.url):
            self._stats.inc_value(stats.SIBLING_KNOWN)
            budget.add_known_host(host_of(raw.url))
            if running is None:
                seen.forget_shape(shape)
            else:  # the page that still searches may learn from it
                seen.add_seen_page(raw, shape)
            return None
        seen.add_seen_page(raw, shape)
        is_own = running is None
        if running is None:
            running = self._start_search(request, page, shape)
        else:
            self._stats.inc_value(stats.SIBLING_SHARED)
        is_running = self._running.get(shape) is running  # it may have ended at once
        if is_running and not await self._ended.wait_for_notify(shape, self._timeout_s):
            self._stats.inc_value(stats.SIBLING_LATE)
            return None
        return running.sibling_url if is_own else None

    def note_page(self, page: HtmlResponse) -> None:
        """Keep *page* as a sibling of others while their template is not known."""
        if not self._backend.knows_template(page.url):
            self._search.seen.add_seen_page(raw_page(page), url_shape(page.url))

    def cancel_all(self) -> None:
        """Cancel all searches: the crawl has ended."""
        for running in list(self._running.values()):
            if running.task is not None:
                running.task.cancel()

    def _start_search(self, request: Request, page: HtmlResponse, shape: str) -> _Running:
        """Start the search for *page*; it goes on by itself, whoever waits for it and how long."""
        running = self._running[shape] = _Running()

        async def search() -> None:
            running.sibling_url = await self._search.find_sibling(request, page, shape)

        def end(result: Any) -> Any:  # None, or a Failure
            del self._running[shape]
            self._ended.notify(shape)
            return result

        running.task = deferred_from_coro(search())
        running.task.addBoth(end)
        running.task.addErrback(self._log_failure, page.url)
        return running

    def _log_failure(self, failure: Failure, url: str) -> None:
        """Log and count what broke a search; the page continues without a sibling."""
        self._stats.inc_value(f"{stats.SIBLING_FAILED}/{type(failure.value).__name__}")
        logger.error(
            "The sibling search for %(url)s failed: %(error)r",
            {"url": url, "error": failure.value},
            exc_info=failure.value,
            extra={"spider": self._crawler.spider},
        )
