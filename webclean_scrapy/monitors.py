"""Monitors of a crawl, for Spidermon (extra ``monitor``): docs/monitoring.md.

``SPIDERMON_SPIDER_CLOSE_MONITORS = ["webclean_scrapy.monitors.WebcleanMonitorSuite"]``: each
monitor holds one share of the crawl's counts against a setting, and its message says where to look.
"""

from __future__ import annotations

from typing import ClassVar

from spidermon import Monitor, MonitorSuite, monitors
from spidermon.contrib.monitors.mixins import SpiderMonitorMixin

from webclean_scrapy import stats
from webclean_scrapy.cleaning.method_names import LOW_CONFIDENCE
from webclean_scrapy.settings import WebcleanConfig
from webclean_scrapy.settings.setting import PREFIX


class ShareMonitor(SpiderMonitorMixin, Monitor):
    """Holds the share of *part* in *whole*, which are stats, against the setting *limit*."""

    limit: ClassVar[str]  # field of the settings
    what: ClassVar[str]  # "of 40 ...": what is counted
    look_at: ClassVar[str]  # what to do when it fails
    is_floor: ClassVar[bool] = False  # whether the share may not be smaller
    least: ClassVar[int] = 0  # counts from which it is judged; 0: the setting's
    part: ClassVar[tuple[str, ...]]  # names of stats, or what the names of a family begin with
    whole: ClassVar[str]

    def test_share(self) -> None:
        """Compare, with a message that names counts, setting and what to look at."""
        config = WebcleanConfig.from_settings(self.crawler.settings)
        part = stats.total_of(self.data.stats, *self.part)
        whole = max(part, stats.total_of(self.data.stats, self.whole))
        limit = getattr(config, self.limit)
        least = self.least or config.min_count
        if whole < least:
            self.skipTest(f"{whole} {self.what}: too few to judge, {least} are needed")
        share = part / whole
        if share < limit if self.is_floor else share > limit:
            side = "smallest" if self.is_floor else "largest"
            name = f'{PREFIX}MONITORS["{self.limit}"]'
            self.fail(
                f"{part} of {whole} {self.what} ({share:.0%}); the {side} share allowed is "
                f"{limit:g} ({name}). {self.look_at}"
            )


@monitors.name("webclean: articles")
class ArticlesMonitor(ShareMonitor):
    limit, is_floor = "min_articles", True
    what = "cleaned pages are articles"
    look_at = "webclean/clean/kind counts what the others are; webclean explain URL says why."
    part = (f"{stats.CLEAN_KIND}/article",)
    whole = stats.CLEAN_KIND


@monitors.name("webclean: low confidence")
class ConfidenceMonitor(ShareMonitor):
    limit = "max_low_confidence"
    what = "bodies have a confidence below .5"
    look_at = "Run webclean explain URL: is text missing that a browser shows (WEBCLEAN_RENDER)?"
    part = tuple(f"{stats.CLEAN_CONFIDENCE}/from_{n / 10}" for n in range(int(LOW_CONFIDENCE * 10)))
    whole = stats.CLEAN_CONFIDENCE


@monitors.name("webclean: duplicates")
class DuplicatesMonitor(ShareMonitor):
    limit = "max_duplicates"
    what = "items are near-duplicates of others"
    look_at = "LOG_LEVEL = DEBUG names the original of each. Was the site crawled before?"
    part = (
        f"{stats.DEDUP_DROPPED}/duplicate", f"{stats.DEDUP_DROPPED}/update",
        f"{stats.DEDUP_KEPT}/duplicate", f"{stats.DEDUP_KEPT}/update", stats.DEDUP_REPLACED,
    )  # fmt: skip
    whole = stats.DEDUP_SEEN


@monitors.name("webclean: uncleaned pages")
class UncleanedMonitor(ShareMonitor):
    limit = "max_uncleaned"
    what = "pages were passed through uncleaned"
    look_at = "webclean/clean/failed names the reasons, the log a line for each page."
    part = (stats.CLEAN_FAILED,)
    whole = stats.CLEAN_PAGES


@monitors.name("webclean: index")
class IndexMonitor(ShareMonitor):
    limit, least = "max_index_failures", 1
    what = "items passed without de-duplication"
    look_at = "The log's warning names the cause; webclean doctor looks at the index."
    part = (stats.DEDUP_FAILED,)
    whole = stats.DEDUP_SEEN


class WebcleanMonitorSuite(MonitorSuite):
    """All monitors of the add-on, for ``SPIDERMON_SPIDER_CLOSE_MONITORS``."""

    monitors = (
        ArticlesMonitor, ConfidenceMonitor, DuplicatesMonitor, UncleanedMonitor, IndexMonitor,
    )  # fmt: skip
