"""State shared by the components of a crawl: settings, cleaner, pages of items.

Scrapy builds extensions before other components and finds them by class: no state is in a module.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from scrapy import signals
from scrapy.exceptions import NotConfigured

from webclean_scrapy.article_items import ArticleItems, CrawlArticles
from webclean_scrapy.cleaning.page.guard import GuardConfig
from webclean_scrapy.crawl.disk_guard import INDEX, STORE, DiskGuard
from webclean_scrapy.crawl.extra_pages import ExtraPages
from webclean_scrapy.crawl.item_pages import ItemPages
from webclean_scrapy.crawl.job_folder import JobFolder
from webclean_scrapy.crawl.log_lines import safe_logger
from webclean_scrapy.crawl.scrapy_private import fail_run, one_sentence
from webclean_scrapy.crawl.settings_files import checked_config, dedup_config, read_profile
from webclean_scrapy.crawl.summary import CrawlSummary
from webclean_scrapy.crawl.waiting import PendingTasks
from webclean_scrapy.crawl.workers.backend import CleaningBackend
from webclean_scrapy.dedup.config import sqlite_file
from webclean_scrapy.items import ArticleItem

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from scrapy.crawler import Crawler
    from scrapy.http import HtmlResponse, Request
    from typing_extensions import Self

    SiblingSearcher = Callable[[Request, HtmlResponse], Awaitable[str | None]]  # its URL

logger = safe_logger(__name__)


class WebcleanService(CrawlArticles):
    """The crawl's one ``Cleaner`` and shared state; templates are kept in JOBDIR."""

    def __init__(self, crawler: Crawler) -> None:
        self._stats = crawler.stats
        self.config = checked_config(crawler.settings)
        self.guard = GuardConfig(max_bytes=self.config.clean.max_body_bytes)
        articles = ArticleItems(self.config.items, crawler.spider, self.config.names)
        self.fields = self.config.article_fields
        self.pages = ItemPages(crawler.stats, articles, self.fields)
        self.cleanings = PendingTasks()  # by page
        self.search_sibling: SiblingSearcher | None = None  # of the sibling middleware
        self.job = JobFolder.of(crawler.settings, has_index=self.config.dedup_enabled)
        directory = self.job.directory if self.job else None
        folders = {"JOBDIR": directory} if directory else {}
        if self.config.dedup_enabled and (file := sqlite_file(self.config.dedup_uri)):
            folders[INDEX] = Path(file).absolute().parent
        if file := sqlite_file(self.config.store):
            folders[STORE] = Path(file).absolute().parent
        self._disk_guard = DiskGuard(crawler, folders, self.config.min_free_mb)
        self.backend = CleaningBackend(
            self.config.clean_config(read_profile(self.config)),
            directory or getattr(crawler.spider, "template_folder", None),
            count=self.config.most_workers,
            timeout_s=self.config.worker_timeout_s,
            dedup=dedup_config(self.config),
        )
        self.extra_pages = ExtraPages(crawler, self.config, self.backend)
        self.summary = CrawlSummary(crawler, self.pages)

    @classmethod
    @one_sentence()
    def from_crawler(cls, crawler: Crawler) -> Self:
        service = cls(crawler)
        if service.job is not None:
            crawler.signals.connect(service.job.mark_incomplete, signal=signals.spider_opened)
        crawler.signals.connect(service.release_job, signal=signals.engine_stopped)
        crawler.signals.connect(service.close, signal=signals.spider_closed)
        for signal in (signals.item_dropped, signals.item_error, signals.item_scraped):
            crawler.signals.connect(service.pages.release_item, signal=signal)
        return service

    @classmethod
    def of(cls, crawler: Crawler) -> Self:
        """Return the service of *crawler*; raise NotConfigured without the add-on."""
        service = crawler.get_extension(cls)
        if service is None:
            raise NotConfigured(f"{cls.__name__} is not enabled in EXTENSIONS")
        return service

    def takes(self, item: object) -> bool:
        return self.pages.takes(item)

    @classmethod
    def new_item(cls, crawler: Crawler, url: str) -> ArticleItem:
        """Return the item of a page, with places for the configured fields."""
        service = crawler.get_extension(cls)
        return service.config.new_item(url) if service else ArticleItem(url=url)

    def close(self) -> None:
        """Save the learned templates in JOBDIR and end the workers."""
        try:
            self.backend.close()
        except OSError as error:
            logger.warning("JOBDIR: the learned templates could not be written: %s", error)

    def is_job_over(self) -> bool:
        """True if JOBDIR belongs to a finished job, to which this crawl could add no pages."""
        if self.job is None or not self.job.was_finished:
            return False
        found = self._stats.get_stats()
        return found.get("finish_reason") == "finished" and not found.get("item_scraped_count")

    def release_job(self) -> None:
        """Unlock JOBDIR after all components have saved their state."""
        if self.job is not None:
            if self.is_job_over():
                place = self.job.directory
                logger.warning("JOBDIR: %s: this job is finished; remove it or use another", place)
            if self._disk_guard.was_full:
                self.job.mark_incomplete()
            self.job.release()


class Component:
    """Base of pipelines and downloader middlewares, with the service of the crawl."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler, self._stats = crawler, crawler.stats
        self._service = WebcleanService.of(crawler)
        self._pages, self._config = self._service.pages, self._service.config

    @classmethod
    @one_sentence()
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def _fail_job(self) -> None:
        """Let the next crawl repeat pages that are in no result, and the command exit with 1."""
        fail_run(self._crawler)
        if self._service.job is not None:
            self._service.job.mark_incomplete()
