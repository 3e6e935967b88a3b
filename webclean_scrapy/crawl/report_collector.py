"""Collects what the report of a crawl needs while it runs, and writes it when all is over.

It listens to signals and keeps counts (`CrawlTally`), no items. The report is written when the
engine has stopped: feeds are stored and every stat is final then, however the crawl has ended.
"""

from __future__ import annotations

import re
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

from itemadapter import ItemAdapter
from scrapy import signals
from scrapy.http.request import NO_CALLBACK

from webclean_scrapy import stats
from webclean_scrapy.crawl.log_lines import safe_logger
from webclean_scrapy.crawl.responses import is_of_a_command
from webclean_scrapy.dedup.match import Match
from webclean_scrapy.items import RECORD
from webclean_scrapy.messages import hide_login, hide_logins
from webclean_scrapy.meta import IS_SIBLING
from webclean_scrapy.report.crawl_tally import (
    ARTICLE,
    EXPORTED,
    MAX_DETAIL,
    OTHER,
    UNCLEANED,
    CrawlTally,
    ItemNote,
    shown_text,
    shown_url,
)
from webclean_scrapy.report.report_file import write_report
from webclean_scrapy.settings import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.python.failure import Failure

    from webclean_scrapy.crawl.cleaning_backend import CleaningBackend
    from webclean_scrapy.crawl.page_handover import Page, PageHandover
    from webclean_scrapy.report.template_report import TemplateView
    from webclean_scrapy.settings import WebcleanConfig

logger = safe_logger(__name__)

MAX_TEMPLATES = 1_000  # of the crawl, those with the most keys
MAX_STATS, MAX_VALUE = 2_000, 500  # stats, and characters of one
_NO_NAME = re.compile(r"[^\w.-]+")  # what a name of a file should not have
#: Why an item was dropped, by the class of the exception.
FATES = {"NotAnArticle": "not_article", "LowConfidence": "low_confidence", "ShortText": "short"}


class ReportCollector:
    """Follows one crawl; made only where ``WEBCLEAN_REPORT`` asks for a report."""

    def __init__(
        self,
        crawler: Crawler,
        config: WebcleanConfig,
        pages: PageHandover,
        feeds: Mapping[str, int],
    ) -> None:
        """Listen to *crawler*. *pages*: of its items, released here; *feeds*: filled as it ends."""
        self._crawler, self._config = crawler, config
        self._pages, self._feeds = pages, feeds
        self._folder = Path.cwd()  # a spider may change it
        self.tally = CrawlTally()
        self._templates: list[TemplateView] = []
        self._is_command = False  # one that shows a page; the report is that of the last crawl
        listeners = {
            signals.response_received: self._response_received,
            signals.response_downloaded: self._response_downloaded,
            signals.item_scraped: self._item_scraped,
            signals.item_dropped: self._item_dropped,
            signals.item_error: self._item_error,
            signals.spider_error: self._spider_error,
            signals.engine_stopped: self._write,
        }
        for signal, listener in listeners.items():
            crawler.signals.connect(listener, signal=signal)

    def sibling_requested(self, page_url: str) -> None:
        """Count a sibling request for the page *page_url*."""
        self.tally.add_sibling_request(page_url)

    def sibling_learned(self, page_url: str) -> None:
        """Count a sibling that taught the template of the page *page_url*."""
        self.tally.add_learned(page_url)

    async def take_templates(self, backend: CleaningBackend) -> None:
        """Ask for the learned templates, before the workers end."""
        try:
            found = await backend.list_templates()
        except Exception as error:  # noqa: BLE001, a report must not disturb the end of a crawl
            logger.warning("The report has no templates: %r", error)
            return
        newest = {(view.shape, view.number): view for view in sorted(found, key=lambda v: v.keys)}
        self._templates = list(newest.values())[-MAX_TEMPLATES:]

    def _response_received(self, response: Response, request: Request) -> None:
        self._is_command = self._is_command or is_of_a_command(request)
        if request.callback is not NO_CALLBACK:  # else it is of a middleware: robots.txt, pictures
            self.tally.add_response(response.url, response.status)

    def _response_downloaded(self, response: Response, request: Request) -> None:
        is_sibling = IS_SIBLING in request.meta
        self.tally.add_download(request.url, len(response.body), is_sibling=is_sibling)

    def _item_scraped(self, item: Any) -> None:
        if (note := self._note(item)) is not None:
            self.tally.add_item(note, EXPORTED)
            if (match := _kept_match(item)) is not None:
                self.tally.add_copy(note, match, is_kept=True)
        self._pages.release_item(item)

    def _item_dropped(self, item: Any, exception: BaseException) -> None:
        if (note := self._note(item)) is not None:
            match = getattr(exception, "match", None)
            if isinstance(match, Match) and match.key != note.url:
                self.tally.add_item(note, match.verdict)
                self.tally.add_copy(note, match, is_kept=False)
            elif isinstance(match, Match):
                self.tally.add_item(note, "seen_before")
            else:
                name = type(exception).__name__
                self._lose(note, FATES.get(name, f"dropped/{name}"), exception)
        self._pages.release_item(item)

    def _item_error(self, item: Any, failure: Failure) -> None:
        if (note := self._note(item)) is not None:
            self._lose(note, f"error/{type(failure.value).__name__}", failure.value)
        self._pages.release_item(item)

    def _spider_error(self, failure: Failure, response: Response) -> None:
        error = failure.value
        self.tally.add_reason("callback", type(error).__name__, response.url, error)

    def _lose(self, note: ItemNote, fate: str, error: object) -> None:
        self.tally.add_item(note, fate)
        self.tally.add_reason("item", fate, note.url, str(error).removeprefix(f"{note.url} "))

    def _note(self, item: Any) -> ItemNote | None:
        """Return what is known of *item*; None when it is left alone."""
        if not self._pages.takes(item) or not ItemAdapter.is_item(item):
            return None
        page = self._pages.find_page(item)
        note = _note_of(ItemAdapter(item), page)
        cleaned = page.cleaned if page else None
        if cleaned and "error" in cleaned:
            self.tally.add_reason("clean", cleaned["error"], note.url, cleaned["message"])
        return note

    def _write(self) -> None:
        """Write the report. Whatever goes wrong is one line: the crawl and its result are done."""
        if self._is_command:
            return
        path = self._folder / self._config.report
        try:
            path = path.with_name(self._fill_name(path.name))
            write_report(self._data(), path)
        except Exception as error:  # noqa: BLE001, see above
            self._crawler.stats.inc_value(f"{stats.REPORT_FAILED}/{type(error).__name__}")
            logger.error(  # noqa: TRY400, a traceback helps nobody when a disk is full
                "WEBCLEAN_REPORT: %(path)s could not be written: %(error)s",
                {"path": path, "error": getattr(error, "strerror", None) or repr(error)},
                extra={"spider": self._crawler.spider},
            )
            return
        logger.info(
            "Report of this crawl: %(path)s",
            {"path": path},
            extra={"spider": self._crawler.spider},
        )

    def _fill_name(self, name: str) -> str:
        """Return the name of the file, with the placeholders of Scrapy's feeds filled."""
        spider = self._crawler.spider.name if self._crawler.spider else ""
        begun = self._crawler.stats.get_value("start_time") or datetime.now(tz=timezone.utc)
        time = begun.replace(microsecond=0).isoformat().replace(":", "-")
        return name.replace("%(name)s", _NO_NAME.sub("_", spider)).replace("%(time)s", time)

    def _data(self) -> dict[str, Any]:
        found = self._crawler.stats.get_stats()
        return {
            "spider": self._crawler.spider.name if self._crawler.spider else "",
            "is_job": bool(self._crawler.settings.get("JOBDIR")),
            "keeps_lists": not self._config.drop_non_articles,
            "feeds": dict(self._feeds),
            "settings": changed_settings(self._config),
            "stats": _plain_stats(found),
            "templates": [_template_data(view) for view in self._templates],
            **self.tally.to_data(),
        }


def changed_settings(config: WebcleanConfig) -> dict[str, str]:
    """Return the settings that differ from their default, without passwords."""
    return {
        one.name: shown_text(hide_login(str(value)), MAX_VALUE)
        for one in SETTINGS
        if (value := getattr(config, one.field)) != one.default
    }


def _template_data(view: TemplateView) -> dict[str, Any]:
    return {
        "shape": shown_text(view.shape, MAX_DETAIL),
        "pages": [shown_url(url) for url in view.pages],
        "keys": view.keys,
        "nbytes": view.nbytes,
        "body": shown_text(view.body[-MAX_DETAIL:], MAX_DETAIL),  # its end says most
    }


def _note_of(adapter: ItemAdapter, page: Page | None) -> ItemNote:
    """Return what the item says, and where it is silent, what its page does."""
    cleaned = (page.cleaned if page else None) or {}
    text = adapter.get("articleBody") or cleaned.get("text")
    group = OTHER
    if "is_article" not in cleaned:
        group = UNCLEANED
    elif cleaned["is_article"]:
        group = ARTICLE
    return ItemNote(
        url=page.url if page else str(adapter.get("url") or ""),
        group=group,
        kind=cleaned.get("kind"),
        confidence=cleaned.get("confidence"),
        length=len(text) if isinstance(text, str) else None,
        date=_string(adapter.get("datePublished") or cleaned.get("date_published")),
        language=_string(adapter.get("inLanguage") or cleaned.get("language")),
        title=_string(adapter.get("headline") or cleaned.get("title")),
    )


def _kept_match(item: Any) -> Match | None:
    """Return the page that an exported item repeats, by its record."""
    record = ItemAdapter(item).get(RECORD)
    if not isinstance(record, dict) or "duplicate_of" not in record:
        return None
    similarity = float(record.get("similarity", 1.0))
    return Match(key=str(record["duplicate_of"]), similarity=similarity, verdict="duplicate")


def _string(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _plain_stats(found: Mapping[str, Any]) -> dict[str, Any]:
    """Return the stats as numbers and strings, sorted; times in ISO 8601."""
    plain: dict[str, Any] = {}
    for name in sorted(found)[:MAX_STATS]:
        value = found[name]
        if isinstance(value, datetime):
            value = value.isoformat()
        elif not isinstance(value, bool | int | float):
            value = shown_text(str(value), MAX_VALUE)
        plain[shown_text(hide_logins(name), MAX_VALUE)] = value
    return plain
