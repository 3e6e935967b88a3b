"""Collect the figures of a crawl while it runs, and write its report at the end.

It listens to signals and keeps counts (`CrawlTally`), no items. The report is written when the
engine has stopped: feeds are stored and every stat is final then, however the crawl has ended.
"""

from __future__ import annotations

import logging
import re
from datetime import datetime, timezone
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from itemadapter import ItemAdapter
from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.http.request import NO_CALLBACK

from webclean_scrapy import stats
from webclean_scrapy.crawl.log_lines import safe_logger
from webclean_scrapy.crawl.request_meta import IS_SIBLING
from webclean_scrapy.crawl.responses import is_of_a_command
from webclean_scrapy.crawl.service import WebcleanService
from webclean_scrapy.dedup.fingerprint import Match
from webclean_scrapy.items import RECORD
from webclean_scrapy.report import crawl_tally
from webclean_scrapy.report.crawl_report import write_report
from webclean_scrapy.safe_text import hide_login, shown_text
from webclean_scrapy.settings import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.python.failure import Failure
    from typing_extensions import Self

logger = safe_logger(__name__)

MAX_STATS, MAX_VALUE = 2_000, 500  # stats, and characters of one
_NO_NAME = re.compile(r"[^\w.-]+")  # what a name of a file should not have
#: Why an item was dropped, by the class of the exception.
FATES = {
    "NotAnArticle": "not_article",
    "PartOfArticle": "part",
    "LowConfidence": "low_confidence",
    "LowInterest": "low_interest",
    "OtherClass": "other_class",
    "ShortText": "short",
}


class ReportCollector:
    """Follows a crawl with ``WEBCLEAN_REPORT`` and writes its report."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._folder = Path.cwd()  # a spider may change it
        self.tally = crawl_tally.CrawlTally()
        self._is_command = False  # one that shows a page; the last report stays
        connect = crawler.signals.connect
        connect(self._response_received, signals.response_received)
        connect(self._response_downloaded, signals.response_downloaded)
        connect(self._item_scraped, signals.item_scraped)
        connect(self._item_dropped, signals.item_dropped)
        connect(self._item_error, signals.item_error)
        connect(self._spider_error, signals.spider_error)
        connect(self._write, signals.engine_stopped)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        if not crawler.settings.get("WEBCLEAN_REPORT"):
            raise NotConfigured
        return cls(crawler)

    @cached_property
    def _service(self) -> WebcleanService:
        return WebcleanService.of(self._crawler)

    def _response_received(self, response: Response, request: Request) -> None:
        self._is_command = self._is_command or is_of_a_command(request)
        if request.callback is not NO_CALLBACK:  # else it is of a middleware: robots.txt, pictures
            self.tally.add_response(response.url, response.status)

    def _response_downloaded(self, response: Response, request: Request) -> None:
        nbytes, is_sibling = len(response.body), request.meta.get(IS_SIBLING, 0)
        counts = {"siblings": is_sibling, "sibling_nbytes": nbytes * is_sibling}
        self.tally.add_counts(request.url, nbytes=nbytes, **counts)

    def _item_scraped(self, item: Any) -> None:
        if (note := self._note(item)) is not None:
            self.tally.add_item(note, crawl_tally.EXPORTED, _kept_match(item))

    def _item_dropped(self, item: Any, exception: BaseException) -> None:
        if (note := self._note(item)) is None:
            return
        match, name = getattr(exception, "match", None), type(exception).__name__
        if not isinstance(match, Match):
            self._lose(note, FATES.get(name, f"dropped/{name}"), exception)
        elif match.key == note.url:
            self.tally.add_item(note, crawl_tally.ALREADY_EXPORTED)
        else:
            self.tally.add_item(note, match.verdict, match)
            self.tally.add_copy(note, match, getattr(exception, "original_title", ""))

    def _item_error(self, item: Any, failure: Failure) -> None:
        if (note := self._note(item)) is not None:
            self._lose(note, f"error/{type(failure.value).__name__}", failure.value)

    def _spider_error(self, failure: Failure, response: Response) -> None:
        error = failure.value
        self.tally.add_reason(f"callback/{type(error).__name__}", response.url, error)

    def _lose(self, note: crawl_tally.ItemNote, fate: str, error: object) -> None:
        self.tally.add_item(note, fate, detail=str(error).removeprefix(f"{note.url} "))

    def _note(self, item: Any) -> crawl_tally.ItemNote | None:
        """Return the values of *item* or else its page's; None for an item left alone."""
        pages = self._service.pages
        if not pages.takes(item) or not ItemAdapter.is_item(item):
            return None
        page = pages.find_page(item)
        cleaned = (page.cleaned if page else None) or {}
        url = page.url if page else pages.url_of(item)
        if "error" in cleaned:
            self.tally.add_reason(f"clean/{cleaned['error']}", url, cleaned["message"])
        article = pages.articles.places(item).as_article(ItemAdapter(item))
        text = article.get("articleBody") or cleaned.get("text")
        group = crawl_tally.ARTICLE if cleaned.get("is_article") else crawl_tally.OTHER
        return crawl_tally.ItemNote(
            url=url,
            group=group if "is_article" in cleaned else crawl_tally.UNCLEANED,
            confidence=cleaned.get("confidence"),
            length=len(text) if isinstance(text, str) else None,
            language=article.get("inLanguage") or cleaned.get("language"),
            title=article.get("headline") or cleaned.get("title"),
        )

    def _write(self) -> None:
        """Write the report; errors are logged, as the crawl is finished."""
        if self._is_command:
            return
        path = self._folder / self._crawler.settings["WEBCLEAN_REPORT"]
        level, line = logging.INFO, "Report of this crawl: %s"
        try:
            path = path.with_name(self._fill_name(path.name))
            write_report(self._data(), path)
        except Exception as error:  # noqa: BLE001, see above
            self._crawler.stats.inc_value(f"{stats.REPORT_FAILED}/{type(error).__name__}")
            reason = getattr(error, "strerror", None) or repr(error)
            level, line = logging.ERROR, f"WEBCLEAN_REPORT: %s could not be written: {reason}"
        logger.log(level, line, path, extra={"spider": self._crawler.spider})

    def _fill_name(self, name: str) -> str:
        spider = self._crawler.spider.name if self._crawler.spider else ""
        begun = self._crawler.stats.get_value("start_time") or datetime.now(tz=timezone.utc)
        time = begun.replace(microsecond=0).isoformat().replace(":", "-")
        return name.replace("%(name)s", _NO_NAME.sub("_", spider)).replace("%(time)s", time)

    def _data(self) -> dict[str, Any]:
        feeds = self._service.summary.feeds
        return {
            "spider": self._crawler.spider.name if self._crawler.spider else "",
            "is_job": bool(self._crawler.settings.get("JOBDIR")),
            # The crawl command moves its draft into place after this.
            "feeds": {uri.removesuffix(".part"): count for uri, count in feeds.items()},
            "settings": {
                each.name: shown_text(hide_login(str(value)), MAX_VALUE)
                for each in SETTINGS
                if (value := each.value_in(self._service.config)) != each.default
            },
            "stats": _plain_stats(self._crawler.stats.get_stats()),
            **self.tally.to_data(),
        }


def _kept_match(item: Any) -> Match | None:
    """Return the page repeated by an exported item, by its record."""
    record = ItemAdapter(item).get(RECORD)
    if not isinstance(record, dict) or "duplicate_of" not in record:
        return None
    similarity, key = float(record.get("similarity", 1.0)), str(record["duplicate_of"])
    return Match(key=key, similarity=similarity, own=record.get("own"), verdict="duplicate")


def _plain_stats(values: Mapping[str, Any]) -> dict[str, Any]:
    plain: dict[str, Any] = {}
    for name in sorted(values)[:MAX_STATS]:
        value = values[name]
        is_plain = isinstance(value, bool | int | float)
        plain[shown_text(name, MAX_VALUE)] = value if is_plain else shown_text(value, MAX_VALUE)
    return plain
