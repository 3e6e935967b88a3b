"""Count the outcome of each page requested by the spider: exactly one per page.

A request counts when it has come to its end: with redirects and repetitions it is one. Of a page
with several items, the best outcome counts. Siblings, parts that only this package asks for and
robots.txt are none of the spider's pages.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from itemadapter import ItemAdapter
from scrapy import signals
from scrapy.exceptions import IgnoreRequest
from scrapy.http import HtmlResponse
from scrapy.http.request import NO_CALLBACK

from webclean_scrapy import stats
from webclean_scrapy.crawl.request_meta import IS_SIBLING, WEBCLEAN
from webclean_scrapy.items import RECORD

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

BAD = 400  # statuses from here on are failures
#: What a page can become, the best first; each with the words of the line that ends a crawl.
OUTCOMES = {
    "article": "articles",
    "update": "updates",
    "copy": "copies",
    "already_exported": "already exported",
    "part": "parts of articles",
    "low_confidence": "of low confidence",
    "low_interest": "of low interest",
    "other_class": "of other classes",
    "no_article": "no articles",
    "uncleaned": "uncleaned",
    "other_item": "other items",
    "lost": "lost",
    "no_item": "without an item",
    "not_html": "not HTML",
    "failed": "failed",
    "refused": "refused",
    "left_alone": "left alone",  # as the spider said: feeds and sitemaps too
}
_RANK = {name: rank for rank, name in enumerate(OUTCOMES)} | {"left_alone": -1}  # it stays so
_DROPPED = {
    "NotAnArticle": "no_article",
    "PartOfArticle": "part",
    "LowConfidence": "low_confidence",
    "LowInterest": "low_interest",
    "OtherClass": "other_class",
    "ShortText": "copy",
    "AlreadyExported": "already_exported",
}


class PageOutcomes:
    """Follows the pages of a crawl and counts their outcomes in its stats."""

    def __init__(self, crawler: Crawler, takes: Callable[[object], bool]) -> None:
        self._stats, self._takes = crawler.stats, takes
        self._counts = Counter[str]()
        self._names: WeakKeyDictionary[Response, str] = WeakKeyDictionary()
        for signal, note in (
            (signals.response_received, self._received),
            (signals.request_dropped, self._dropped_request),
            (signals.item_scraped, self._scraped),
            (signals.item_dropped, self._dropped),
            (signals.item_error, self._lost),
            (signals.spider_error, self._lost),
            (signals.spider_closed, self._close),
        ):
            crawler.signals.connect(note, signal=signal)

    def fail(self, request: Request, error: Exception) -> None:
        """Count a page without a response: its site failed, or the request was not sent."""
        if is_page(request):
            kind = "refused" if isinstance(error, IgnoreRequest) else "failed"
            reason = _refusal(error) if kind == "refused" else type(error).__name__
            self._counts[f"{kind}/{reason}"] += 1

    def _received(self, response: Response, request: Request) -> None:
        if not is_page(request):
            return
        if request.meta.get(WEBCLEAN) is False:
            name = "left_alone"
        elif response.status >= BAD:
            name = f"failed/{response.status}"
        else:
            name = "no_item" if isinstance(response, HtmlResponse) else "not_html"
        self._names[response] = name
        self._counts[name] += 1

    def _dropped_request(self, request: Request) -> None:
        if is_page(request) and request.meta.get("redirect_times"):
            self._counts["refused/repeated"] += 1

    def _scraped(self, item: Any, response: Response | None) -> None:
        if not self._takes(item) or not isinstance(response, HtmlResponse):
            if response is not None and response.status < BAD:  # else the item tells of the failure
                self._better(response, "other_item")
            return
        record = (ItemAdapter(item).get(RECORD) if ItemAdapter.is_item(item) else None) or {}
        is_update = isinstance(record, dict) and record.get("duplicate_of")
        is_bad = isinstance(record, dict) and "error" in record
        self._better(response, "uncleaned" if is_bad else "update" if is_update else "article")

    def _dropped(self, item: Any, response: Response | None, exception: Exception) -> None:
        match = getattr(exception, "match", None)
        name = _DROPPED.get(type(exception).__name__, "lost")
        if match is not None and name == "lost":
            name = "copy"
        self._better(response, name)

    def _lost(self, response: Response | None) -> None:
        self._better(response, "lost")

    def _better(self, response: Response | None, name: str) -> None:
        """Set the page's outcome to *name* if that is better than its current one."""
        if response is None or (before := self._names.get(response)) is None:
            return
        if _RANK[name] < _RANK[before.partition("/")[0]]:
            self._names[response] = name
            self._counts[before] -= 1
            self._counts[name] += 1

    def _close(self) -> None:
        """Write the counts at the end, as they change while items are processed."""
        for name, count in (+self._counts).items():
            self._stats.set_value(f"{stats.OUTCOME}/{name}", count)


def is_page(request: Request) -> bool:
    """True for a request of the spider: no robots.txt, no sibling."""
    return request.callback is not NO_CALLBACK and IS_SIBLING not in request.meta


def _refusal(error: Exception) -> str:
    """Return why a request was not sent, from a closed set of reasons."""
    text = str(error).lower()
    return next((word for word in ("robots.txt", "offsite") if word in text), "other")


def count_pages(crawl_stats: Mapping[str, Any]) -> dict[str, int]:
    """Return the number of pages per outcome in OUTCOMES; their sum is all pages."""
    return {name: stats.total_of(crawl_stats, f"{stats.OUTCOME}/{name}") for name in OUTCOMES}


def pages_line(crawl_stats: Mapping[str, Any]) -> str:
    """Return all pages of a crawl and their outcomes in one line that adds up.

    >>> pages_line({"webclean/page/article": 2, "webclean/page/failed/404": 3})
    'pages: 5, articles: 2, failed: 3 (3 x 404)'
    """
    counts = count_pages(crawl_stats)
    shown = [f"pages: {sum(counts.values()):,}"]
    for name, words in OUTCOMES.items():
        if counts[name] or name == "article":
            shown.append(f"{words}: {counts[name]:,}{reasons_of(crawl_stats, name)}")
    return ", ".join(shown)


def reasons_of(crawl_stats: Mapping[str, Any], name: str) -> str:
    """Return the reasons of an outcome in parentheses, most frequent first; or ""."""
    start = f"{stats.OUTCOME}/{name}/"
    found = {key.removeprefix(start): n for key, n in crawl_stats.items() if key.startswith(start)}
    ranked = sorted((-count, reason) for reason, count in found.items() if count)
    return f" ({', '.join(f'{-count:,} x {reason}' for count, reason in ranked)})" if ranked else ""
