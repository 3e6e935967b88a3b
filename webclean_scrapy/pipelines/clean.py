"""Fill items with the article of their page."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from itemadapter import ItemAdapter
from scrapy.exceptions import DropItem, NotConfigured

from webclean_scrapy import stats
from webclean_scrapy.errors import PageError
from webclean_scrapy.items import fill_item, update_record
from webclean_scrapy.service import WebcleanService

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from typing_extensions import Self

    from webclean_scrapy.handover import Page
    from webclean_scrapy.result import CleanedPage

logger = logging.getLogger(__name__)


class NotAnArticle(DropItem):
    """The page of the item is a list or another page without a body."""


class CleanPipeline:
    """Puts title, body and record of a page into its items, of any kind that itemadapter knows.

    A page that breaks a limit passes on unchanged, with the reason in the item's record.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._service = WebcleanService.of(crawler)
        if not self._service.config.clean_enabled:
            raise NotConfigured
        self._drop_others = self._service.config.drop_non_articles
        self._crawler = crawler
        self._stats = crawler.stats

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def process_item(self, item: Any) -> Any:
        """Return *item*, filled.

        Raises:
            NotAnArticle: the page is none, and ``WEBCLEAN_DROP_NON_ARTICLES`` is on.
        """
        page = self._service.pages.get(item)
        if page is None:
            self._stats.inc_value(stats.CLEAN_NO_PAGE)
            return item
        outcome = self._clean(page)
        adapter = ItemAdapter(item)
        if isinstance(outcome, PageError):
            update_record(adapter, error=outcome.reason, message=str(outcome))
            return item
        if self._drop_others and not outcome.is_article:
            self._stats.inc_value(stats.CLEAN_DROPPED)
            raise NotAnArticle(f"{page.url} is no article: {outcome.kind_reason}", "DEBUG")
        fill_item(adapter, outcome, page)
        return item

    def _clean(self, page: Page) -> CleanedPage | PageError:
        """Return what became of the page; it is cleaned for its first item only."""
        if page.outcome is None and page.html is not None:
            html, page.html = page.html, None
            try:
                page.outcome = self._service.cleaner.clean(html, page.url, charset=page.charset)
            except PageError as error:
                page.outcome = error
            self._count(page, page.outcome)
        assert page.outcome is not None  # noqa: S101, the html goes only when this comes
        return page.outcome

    def _count(self, page: Page, outcome: CleanedPage | PageError) -> None:
        self._stats.inc_value(stats.CLEAN_PAGES)
        if isinstance(outcome, PageError):
            self._stats.inc_value(f"{stats.CLEAN_FAILED}/{outcome.reason}")
            logger.warning(
                "%(url)s passes on as it came: %(error)s",
                {"url": page.url, "error": outcome},
                extra={"spider": self._crawler.spider},
            )
            return
        self._stats.inc_value(f"{stats.CLEAN_KIND}/{outcome.kind}")
        for removed in outcome.removed:
            self._stats.inc_value(f"{stats.CLEAN_REMOVED}/{removed.what}")
