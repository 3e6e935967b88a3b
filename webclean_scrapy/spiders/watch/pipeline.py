"""Drop items of watched pages that hold a site's notice instead of an article."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.exceptions import DropItem

from webclean_scrapy.crawl.scrapy_private import is_closing, is_full
from webclean_scrapy.crawl.waiting import KeyedEvents
from webclean_scrapy.crawl.workers.process import DIED, STOPPED
from webclean_scrapy.pipelines.clean import PARTS_MISSING
from webclean_scrapy.pipelines.dedup import SHORT_CHARS
from webclean_scrapy.spiders.watch.state import DAY_S, TOGETHER, TWO_DAYS_S
from webclean_scrapy.spiders.written_dates import read_dates

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from typing_extensions import Self

SEVERAL = 3  # pages of one text: a site may well have an article at two addresses
LOOK_S = 0.05  # from one look for other pages to the next


class SameTextOnManyPages(DropItem):
    """Several pages of the site have this text, so it is no article."""


class TooOld(DropItem):
    """The page is dated before the first day of wanted articles."""


class PartMissing(DropItem):
    """A page of the article could not be fetched; it is retried for a day."""


class Stopped(DropItem):
    """The page was not cleaned before its worker ended, as the round is being stopped."""


class WatchedPipeline:
    """Compares the text of each page with others of the same round, and checks its date."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler, self._bell = crawler, KeyedEvents()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    async def process_item(self, item: Any) -> Any:
        """Return *item*. The first pages of a text wait until another text arrives.

        Raises: SameTextOnManyPages; TooOld; PartMissing; Stopped.
        """
        spider: Any = self._crawler.spider  # a `WatchSpider`
        found = spider.page_of(item)
        if found is None:
            return item
        round_, page = found
        round_.underway.discard(page.hash)
        spider.ask_for_more(round_)
        record = item.webclean or {}
        is_lost = {record.get("fallback"), record.get("error")} & {DIED, STOPPED}
        if is_lost and is_closing(self._crawler):
            raise Stopped(f"{item.url} waits for the next round", "DEBUG")
        said = [date for date in (item.datePublished, item.dateModified) if date]
        dates = [date for date in read_dates(said) if date]
        if page.dated is None and dates and max(dates) < spider.since:
            raise TooOld(f"{item.url} is from before the day asked for", "DEBUG")
        is_new = not page.since or spider.clock() - page.since < DAY_S
        if is_new and record.get(PARTS_MISSING):
            raise PartMissing(f"{item.url} is a part of an article", "DEBUG")
        body = item.articleBody or item.headline or ""
        same = round_.of_text(body, page)
        text, known = round_.latest, spider.watch_state.address(page.hash)
        several = 2 if known.notice or known.why == TOGETHER or len(body) < SHORT_CHARS else SEVERAL
        if known.notice == text and spider.clock() - page.since < TWO_DAYS_S:
            raise SameTextOnManyPages(f"{item.url} still has the text of other pages", "DEBUG")
        while len(same) < several and same is round_.texts[round_.latest] and round_.underway:
            if is_closing(self._crawler) or is_full(self._crawler):
                break
            await self._bell.wait_for_notify(None, LOOK_S)
        if len(same) >= several:
            raise SameTextOnManyPages(
                f"{item.url} has the text of other pages of its site", "DEBUG"
            )
        return item
