"""Count the outcomes of the requested pages, and log them at the end of a crawl.

A request counts once, when it has come to its end: with redirects and repetitions it is one. Of a
page with several items, the best outcome counts. Siblings, parts that only this package asks for
and robots.txt are none of the spider's pages.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

from scrapy import signals
from scrapy.exceptions import IgnoreRequest
from scrapy.http.request import NO_CALLBACK

from webclean_scrapy import stats
from webclean_scrapy.crawl.log_lines import safe_logger
from webclean_scrapy.crawl.pipeline_order import early_pipelines
from webclean_scrapy.crawl.request_meta import IS_SIBLING, WEBCLEAN
from webclean_scrapy.crawl.responses import is_html
from webclean_scrapy.items import RECORD, ArticleItem
from webclean_scrapy.safe_text import first_line, hide_login, visible_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from webclean_scrapy.crawl.item_pages import ItemPages

logger = safe_logger(__name__)

SHOWN_COPIES = 5
MAX_TITLE = 60  # characters
BAD = 400  # statuses from here on are failures
#: What a page can become, the best first; each with the words of the line that ends a crawl.
OUTCOMES = {
    "article": "articles",
    "update": "updates",
    "other_kind": "other kinds of pages",  # exported, as lists are
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


class CrawlSummary:
    """Follows the pages of a crawl and counts their outcomes in its stats.

    Counts are logged at INFO once everything is stored, unless nothing was crawled. A crawl whose
    items were all left alone ends with a warning that says what to change, and so does one that
    dropped items of the project's own as copies.
    """

    def __init__(self, crawler: Crawler, pages: ItemPages) -> None:
        self._stats, self._pages, self._left = crawler.stats, pages, pages.left
        self._counts = Counter[str]()
        self._names: WeakKeyDictionary[Response, str] = WeakKeyDictionary()
        self._copies: list[DroppedCopy] = []  # the least certain
        self._own_copies = 0  # items of classes of the project
        self._refused = Counter[str]()  # items that others dropped or lost, by the reason
        self._early = ", ".join(one.name for one in early_pipelines(crawler.settings))
        self.feeds: dict[str, int] = {}  # URI: items; one for each file of a batch
        for signal, note in (
            (signals.response_received, self._received),
            (signals.request_dropped, self._dropped_request),
            (signals.item_scraped, self._scraped),
            (signals.item_dropped, self._dropped),
            (signals.item_error, self._failed),
            (signals.spider_error, self._lost),
            (signals.spider_closed, self._close),
            (signals.feed_slot_closed, self._slot_closed),
            (signals.engine_stopped, self._log),
        ):
            crawler.signals.connect(note, signal=signal)

    def fail(self, request: Request, error: Exception) -> None:
        """Count a page without a response: its site failed, or the request was not sent."""
        if is_page(request):
            name = f"failed/{type(error).__name__}"
            if isinstance(error, IgnoreRequest):
                text = str(error).lower()
                reasons = (word for word in ("robots.txt", "offsite") if word in text)
                name = f"refused/{next(reasons, 'other')}"
            self._counts[name] += 1

    def _received(self, response: Response, request: Request) -> None:
        if not is_page(request):
            return
        if request.meta.get(WEBCLEAN) is False:
            name = "left_alone"
        elif response.status >= BAD:
            name = f"failed/{response.status}"
        else:
            name = "no_item" if is_html(response) else "not_html"
        self._names[response] = name
        self._counts[name] += 1

    def _dropped_request(self, request: Request) -> None:
        if is_page(request) and request.meta.get("redirect_times"):
            self._counts["refused/repeated"] += 1

    def _scraped(self, item: Any, response: Response | None) -> None:
        if not self._pages.takes(item) or not is_html(response):
            if response is not None and response.status < BAD:  # else the item tells of the failure
                self._better(response, "other_item")
            return
        self._better(response, _outcome(self._pages.record_of(item)))

    def _dropped(self, item: Any, response: Response | None, exception: Exception) -> None:
        is_copy = getattr(exception, "match", None) is not None
        is_ours = type(exception).__name__ in _DROPPED
        self._own_copies += is_copy and not (is_ours or isinstance(item, ArticleItem))
        if not (is_copy or is_ours):
            self._refused[first_line(exception)[:100]] += 1
        other = "copy" if is_copy else "lost"
        self._better(response, _DROPPED.get(type(exception).__name__, other))

    def _failed(self, response: Response | None, failure: Any) -> None:
        self._refused[first_line(failure.value)[:100]] += 1
        self._lost(response)

    def _lost(self, response: Response | None) -> None:
        self._better(response, "lost")

    def _better(self, response: Response | None, name: str) -> None:
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

    def _slot_closed(self, slot: Any) -> None:
        self.feeds[hide_login(slot.uri)] = slot.itemcount

    def add_copy(self, copy: DroppedCopy) -> None:
        """Keep *copy* if it is among the least certain ones."""
        self._copies = sorted([*self._copies, copy], reverse=True)[:SHOWN_COPIES]

    def _log(self) -> None:
        for line in closing_lines(self._stats.get_stats(), self.feeds, self._copies):
            logger.info(line)
        if line := self._left.line():
            logger.warning(line)
        found = self._stats.get_stats()
        is_known = found.get(stats.CLEAN_PAGES) or self._counts["already_exported"]
        if self._early and self._left.has_due and not is_known:
            what = "were replaced"
            for why, _ in self._refused.most_common(1):
                what = f"were dropped or failed before ({self._refused.total():,}, {why!r})"
            logger.warning(
                "No page was cleaned: items %s. These pipelines see them first: %s; a larger "
                "number in ITEM_PIPELINES mends it",
                what, self._early,
            )  # fmt: skip
        if self._own_copies:
            logger.warning(
                "Items dropped as near-duplicates: %d; WEBCLEAN_DEDUP_DUPLICATE = 'keep' keeps "
                "them, marked in the field %s of items that have it",
                self._own_copies,
                RECORD,
            )


def _outcome(record: Mapping[str, Any]) -> str:
    if "error" in record:
        return "uncleaned"
    if record.get("duplicate_of"):
        return "update"
    return "article" if record.get("is_article", True) else "other_kind"


def is_page(request: Request) -> bool:
    """True for a request of the spider: no robots.txt, no sibling."""
    return request.callback is not NO_CALLBACK and IS_SIBLING not in request.meta


def reasons_of(crawl_stats: Mapping[str, Any], name: str) -> str:
    """Return the reasons in a family of stats in parentheses, most frequent first; or ""."""
    found = reasons_in(crawl_stats, name)
    ranked = sorted((-count, reason) for reason, count in found.items() if count)
    return f" ({', '.join(f'{-count:,} x {reason}' for count, reason in ranked)})" if ranked else ""


def reasons_in(crawl_stats: Mapping[str, Any], name: str) -> dict[str, int]:
    """Return the counts in a family of stats by reason: what follows the family's name."""
    start = f"{name}/"
    return {key.removeprefix(start): n for key, n in crawl_stats.items() if key.startswith(start)}


class Summary:
    """Counts of a crawl, from all its stats."""

    def __init__(self, crawl_stats: Mapping[str, Any]) -> None:
        self._stats = crawl_stats
        total = partial(stats.total_of, crawl_stats)
        #: The number of pages per outcome in OUTCOMES; their sum is all pages.
        self.outcomes = {name: total(f"{stats.OUTCOME}/{name}") for name in OUTCOMES}
        # HTML pages that reached the spider, those too that were fetched before, as parts.
        self.pages = total(stats.CLEAN_PAGES, stats.PARTS_HANDED_OVER)
        self.siblings = total(stats.SIBLING_REQUESTED)
        self.unwritten = total(stats.DEDUP_NOT_EXPORTED)  # items
        self.articles = total("item_scraped_count") - self.unwritten  # exported
        dropped = stats.DEDUP_DROPPED
        self.known = total(f"{dropped}/already_exported")
        self.copies = total(f"{dropped}/duplicate", f"{dropped}/update")
        self.updates = total(f"{stats.DEDUP_KEPT}/update", stats.DEDUP_REPLACED)
        self.failed = total(stats.CLEAN_FAILED)

    def line(self) -> str:
        """Return all pages and their outcomes in one line that adds up.

        >>> Summary({"webclean/page/article": 2, "webclean/page/failed/404": 3}).line()
        'pages: 5, articles: 2, failed: 3 (3 x 404)'
        """
        shown = [f"pages: {sum(self.outcomes.values()):,}"]
        for name, count in self.outcomes.items():
            if count or name == "article":
                shown.append(f"{OUTCOMES[name]}: {count:,}{self.reasons(name)}")
        siblings = f"; sibling requests: {self.siblings:,}" if self.siblings else ""
        return ", ".join(shown) + siblings

    def reasons(self, outcome: str) -> str:
        """Return the reasons of an outcome in parentheses, or ""."""
        return reasons_of(self._stats, f"{stats.OUTCOME}/{outcome}")

    @property
    def loss(self) -> str:
        """Why articles are not where they were to be written; "" if none is missing."""
        if stats.has_lost_feed(self._stats):
            return "the result could not be stored, see the log"
        for end, family in (("stored", stats.STORE_FAILED), ("written", stats.DEDUP_NOT_EXPORTED)):
            if reasons := reasons_of(self._stats, family):
                return f"articles could not be {end}{reasons}, see the log"
        return ""

    @property
    def most_failed(self) -> bool:
        """True if more than half of the pages failed."""
        return 2 * self.outcomes["failed"] > sum(self.outcomes.values())


class DroppedCopy(NamedTuple):
    """A dropped page, and the page that it copies."""

    own: float  # share of its own text, 0..1: the larger, the less certain it is a copy
    similarity: float
    title: str
    url: str
    original_title: str  # "": not known, as of a page of an earlier run
    original: str

    def line(self) -> str:
        """Return both pages, and the copy's own share, in one line."""
        pages = ((self.title, self.url), (self.original_title, self.original))
        new, old = (
            f"{visible_line(title[:MAX_TITLE])!r} at {hide_login(url)}" for title, url in pages
        )
        return f"  {self.own:>7.0%}  {new} is a copy of {old}"


def closing_lines(
    crawl_stats: Mapping[str, Any], feeds: Mapping[str, int], copies: Sequence[DroppedCopy] = ()
) -> list[str]:
    """Return the closing lines of the log of a crawl; [] without pages and items.

    *feeds* are the places of the results, with the number of items in each; *copies*: pages that
    were dropped, the least certain first.
    """
    total = partial(stats.total_of, crawl_stats)
    summary = Summary(crawl_stats)
    left_alone = total(stats.ATTACH_LEFT_ALONE)
    if not summary.pages and not left_alone and not total(stats.DEDUP_SEEN):
        return []
    others = "of these pages that are no articles; WEBCLEAN_DROP_NON_ARTICLES = True drops them"
    counts = {"pages cleaned": summary.pages - summary.failed, "items exported": summary.articles}
    rare = {
        others: summary.outcomes["other_kind"],
        "updates of earlier pages kept": summary.updates,
        "near-duplicates dropped": summary.copies,
        "pages already exported": summary.known,
        "short texts dropped": total(f"{stats.DEDUP_DROPPED}/short"),
        "pages that are not articles dropped": total(stats.CLEAN_DROPPED),
        "bodies of low confidence dropped": total(f"{stats.CLEAN_LOW_CONFIDENCE}/dropped"),
        "pages passed through uncleaned": summary.failed,
        "other items, left alone": left_alone,
    }
    for name in ("lost", "not_html", "failed", "refused"):
        rare[f"pages {OUTCOMES[name]}{summary.reasons(name)}"] = summary.outcomes[name]
    rare["sibling requests"] = summary.siblings
    rare["of these refused or failed"] = total(stats.SIBLING_REFUSED, stats.SIBLING_FAILED)
    counts |= {label: count for label, count in rare.items() if count}
    counts |= {f"items in {place}": count for place, count in feeds.items()}
    lines = ["Articles of this crawl:"]
    lines += [f"  {count:>7,}  {label}" for label, count in counts.items()]
    if any(label.endswith("dropped") for label in counts):
        lines.append('LOG_LEVEL = "DEBUG" logs each dropped item with its reason.')
    if copies:
        lines.append("Copies dropped, the least certain first, with the share of their own text:")
        lines += [copy.line() for copy in copies]
    return lines
