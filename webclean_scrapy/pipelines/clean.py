"""Fill items with the article of their page."""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING, Any

from itemadapter import ItemAdapter
from scrapy.exceptions import DropItem, NotConfigured
from scrapy.http import HtmlResponse

from webclean_scrapy import items, stats
from webclean_scrapy.crawl.log_lines import safe_logger
from webclean_scrapy.crawl.pipeline_order import early_pipelines
from webclean_scrapy.crawl.service import Component
from webclean_scrapy.crawl.workers.process import STOPPED
from webclean_scrapy.crawl.workers.tasks import MARKED_TEXTS, PART_LINKS, is_read_from_source
from webclean_scrapy.errors import WebcleanError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from scrapy.crawler import Crawler

    from webclean_scrapy.cleaning.page.raw_page import RawPage
    from webclean_scrapy.cleaning.part_links import PartLinks
    from webclean_scrapy.crawl.item_pages import Page

    CleanPage = Callable[[RawPage], Awaitable[dict[str, Any]]]

logger = safe_logger(__name__)

PART_OF = "part_of"  # of a cleaned page: the address of the page that its article begins on
PARTS_MISSING = "parts_missing"  # how many could not be had: no more is known behind the first


class NotAnArticle(DropItem):
    """The page of the item, of this *kind*, has no article."""

    def __init__(self, url: str, kind: str, reason: str) -> None:
        super().__init__(f"{url} is not an article: {reason}", "DEBUG")
        self.kind = kind

    __reduce__ = WebcleanError.__reduce__


class LowConfidence(DropItem):
    """The confidence of the item's body is below the configured minimum."""


class LowInterest(DropItem):
    """The page's similarity to the interest profile is below the limit in the settings."""


class PartOfArticle(DropItem):
    """The page of the item continues the article of another page, *first*."""

    def __init__(self, url: str, first: str) -> None:
        super().__init__(f"{url} is a part of the article of {first}", "DEBUG")
        self.first = first

    __reduce__ = WebcleanError.__reduce__


class CleanPipeline(Component):
    """Fills items, of any class known to itemadapter, with title, body and record.

    Items that are not articles are left alone. Of a page that exceeds a limit, the item has the
    reason in its record and no more.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        config = self._config
        if not config.clean_enabled:
            raise NotConfigured
        self.names = config.article_fields  # that items are filled with
        # Beside what items get: what other components and the counts need, which costs little.
        self._fields = items.page_fields(config.article_fields) | {"title", "confidence"}
        if config.min_interest:
            self._fields |= {"interest"}
        if config.dedup_enabled:
            self._fields |= {MARKED_TEXTS}
        if config.parts:
            self._fields |= {PART_LINKS}
        self._cleanings = self._service.cleanings
        self._warned: set[tuple[str, str]] = set()  # class and field
        self._has_told_growth = False
        for one in early_pipelines(crawler.settings):
            line = "%s has %g in ITEM_PIPELINES and sees %s; above %g it sees articles alone"
            logger.info(line, one.name, one.place, one.sees, one.above)

    async def process_item(self, item: Any) -> Any:
        """Return *item*, filled.

        Raises:
            NotAnArticle: the page is none, and ``WEBCLEAN_DROP_NON_ARTICLES`` is on.
            PartOfArticle: the page is a part of one, and ``WEBCLEAN_PARTS`` is on.
            LowConfidence: the confidence is below ``WEBCLEAN_MIN_CONFIDENCE``, and
                ``WEBCLEAN_LOW_CONFIDENCE`` is "drop".
            LowInterest: the interest is below ``WEBCLEAN_MIN_INTEREST``.
        """
        if not self._pages.takes(item):
            return item
        page = self._pages.find_page(item)
        if page is None:
            self._stats.inc_value(stats.CLEAN_NO_PAGE)
            return item
        adapter, places = ItemAdapter(item), self._pages.articles.places(item)
        names, fields = self.names, self._fields
        has_markdown = items.MARKDOWN in places.names and not isinstance(
            item, items.ExtendedArticleItem
        )
        if has_markdown and items.MARKDOWN not in names:
            names, fields = (*names, items.MARKDOWN), fields | items.page_fields([items.MARKDOWN])
        if (first := await self._service.extra_pages.find_first(page.url)) is None:
            cleaned = await self.clean_page(page, fields)
            first = cleaned.get(PART_OF)
        if first is not None:
            self._stats.inc_value(stats.PARTS_DROPPED)
            raise PartOfArticle(page.url, first)
        if "error" in cleaned:
            self._warn_once(item, items.fill_empty(adapter, names, places, **cleaned))
            return item
        if self._config.drop_non_articles and not cleaned["is_article"]:
            self._stats.inc_value(stats.CLEAN_DROPPED)
            raise NotAnArticle(page.url, cleaned["kind"], cleaned["kind_reason"])
        is_low = cleaned["confidence"] < self._config.min_confidence
        if is_low and self._config.low_confidence == "drop":
            self._stats.inc_value(f"{stats.CLEAN_LOW_CONFIDENCE}/dropped")
            why = f"{page.url}: the body has a confidence of {cleaned['confidence']:.2f}"
            raise LowConfidence(why, "DEBUG")
        interest = cleaned.get("interest")
        if interest is not None and interest < self._config.min_interest:
            self._stats.inc_value(stats.CLEAN_LOW_INTEREST)
            raise LowInterest(f"{page.url}: the page has an interest of {interest:.3f}", "DEBUG")
        before = set(item) if isinstance(item, dict) else set()
        self._warn_once(item, items.fill_item(adapter, cleaned, page.sibling_url, names, places))
        self._tell_growth(item, before)
        self._pages.note_filling(item, has_text=bool(cleaned["text"]))
        if missing := cleaned.get(PARTS_MISSING):
            items.update_record(adapter, **{PARTS_MISSING: missing})
        if is_low:
            self._stats.inc_value(f"{stats.CLEAN_LOW_CONFIDENCE}/flagged")
            items.update_record(adapter, low_confidence=True)
        return item

    async def close_spider(self) -> None:
        """Release items without a feed, such as items of ``scrapy parse``."""
        await self._cleanings.wait_until_fewer(1)

    async def clean_page(self, page: Page, fields: frozenset[str] | None = None) -> dict[str, Any]:
        """Return *fields* of *page*, by default as configured, see `workers.tasks.clean`.

        It is cleaned at the first call; the others wait for the same result.
        """
        await self._cleanings.wait_until_ended(page)
        if page.raw is not None:
            raw, page.raw = page.raw, None
            with self._cleanings.running(page):
                response = page.response() if page.response else None
                search = self._service.search_sibling
                if search is not None and isinstance(response, HtmlResponse) and response.request:
                    found = await search(response.request, response)
                    page.sibling_url = found or page.sibling_url
                clean = partial(
                    self._service.backend.clean_page,
                    articles_only=self._config.drop_non_articles,
                    fields=fields or self._fields,
                )
                page.cleaned = await clean(raw)
                links = page.cleaned.pop(PART_LINKS, None)
                if links is not None and isinstance(response, HtmlResponse):
                    await self._complete(page, response, links, clean)
            self._count(page.url, page.cleaned)
        return page.cleaned or {"error": "cancelled", "message": "the cleaning was cut off"}

    async def _complete(
        self, page: Page, response: HtmlResponse, links: PartLinks, clean: CleanPage
    ) -> None:
        assert page.cleaned is not None  # noqa: S101, it was cleaned alone
        found = await self._service.extra_pages.complete(response, links)
        if isinstance(found, str):
            page.cleaned[PART_OF] = found
            return
        raw, missing = found
        if raw is not None:
            page.cleaned = await clean(raw)
        if missing and "error" not in page.cleaned:
            self._stats.inc_value(stats.PARTS_MISSING)
            page.cleaned[PARTS_MISSING] = missing

    def _warn_once(self, item: Any, missing: list[str]) -> None:
        name = type(item).__name__
        if new := [field for field in missing if (name, field) not in self._warned]:
            self._warned.update((name, field) for field in new)
            fields = ", ".join(new)
            is_own = "articleBody" in ItemAdapter(item).field_names()
            level = logging.WARNING if is_own else logging.INFO  # names of others have their own
            logger.log(
                level, "%s has no place for %s: items of this class are without", name, fields
            )

    def _tell_growth(self, item: Any, before: set[str]) -> None:
        """Say once which fields dicts get: a file of theirs has as many columns more."""
        if self._has_told_growth or not isinstance(item, dict) or not item.keys() > before:
            return
        self._has_told_growth = True
        more = [name for name in item if name not in before]
        logger.info(
            "Dicts get %d more fields: %s. WEBCLEAN_FIELDS limits them, FEED_EXPORT_FIELDS the "
            "columns of a file",
            len(more), ", ".join(more),
        )  # fmt: skip

    def _count(self, url: str, cleaned: dict[str, Any]) -> None:
        self._stats.inc_value(stats.CLEAN_PAGES)
        if "error" in cleaned:
            self._stats.inc_value(f"{stats.CLEAN_FAILED}/{cleaned['error']}")
            level = logging.DEBUG if cleaned["error"] == STOPPED else logging.WARNING
            logger.log(level, "%s is passed through unchanged: %s", url, cleaned["message"])
            return
        self._stats.inc_value(f"{stats.CLEAN_KIND}/{cleaned['kind']}")
        if denoised := cleaned.get("denoised"):
            self._stats.inc_value(f"{stats.CLEAN_DENOISED}/{denoised}")
        if fallback := cleaned.get("fallback"):
            name = stats.CLEAN_SOURCE if is_read_from_source(cleaned) else stats.CLEAN_FALLBACK
            self._stats.inc_value(f"{name}/{fallback}")
        if (confidence := cleaned.get("confidence")) is not None:
            tenth = min(int(10 * confidence), 9) / 10
            self._stats.inc_value(f"{stats.CLEAN_CONFIDENCE}/from_{tenth}")
        for removed in cleaned.get("removed", ()):
            self._stats.inc_value(f"{stats.CLEAN_REMOVED}/{removed['what']}")
