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
from webclean_scrapy.crawl.worker_process import DIED, TIMEOUT
from webclean_scrapy.settings import WebcleanConfig
from webclean_scrapy.settings.setting import PREFIX

DOUBTFUL = range(int(LOW_CONFIDENCE * 10))  # tenths of confidence


class ShareMonitor(SpiderMonitorMixin, Monitor):
    """Holds the share ``part() / whole()`` against the setting *limit*."""

    limit: ClassVar[str]  # field of the settings
    what: ClassVar[str]  # "of 40 ...": what is counted
    look_at: ClassVar[str]  # what to do when it fails
    is_floor: ClassVar[bool] = False  # whether the share may not be smaller
    least: ClassVar[int] = 0  # counts from which it is judged; 0: the setting's

    def part(self) -> int:
        """Return how many there are of what the monitor is about."""
        raise NotImplementedError

    def whole(self) -> int:
        """Return how many there could be."""
        raise NotImplementedError

    def total(self, *names: str) -> int:
        """Return the sum of stats, and of the families that begin with these names."""
        return stats.total_of(self.data.stats, *names)

    def test_share(self) -> None:
        """Compare, with a message that names counts, setting and what to look at."""
        config = WebcleanConfig.from_settings(self.crawler.settings)
        part, whole, limit = self.part(), self.whole(), getattr(config, self.limit)
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
    """Enough of the cleaned pages are articles."""

    limit, is_floor = "min_articles", True
    what = "cleaned pages are articles"
    look_at = (
        "webclean/clean/kind counts what the others are; webclean explain URL says of one page "
        "why. Does the spider make items of lists?"
    )

    def part(self) -> int:
        """Return the pages that are articles."""
        return self.total(f"{stats.CLEAN_KIND}/article")

    def whole(self) -> int:
        """Return the pages of a known kind."""
        return self.total(stats.CLEAN_KIND)


@monitors.name("webclean: low confidence")
class ConfidenceMonitor(ShareMonitor):
    """Few bodies are more likely wrong than right."""

    limit = "max_low_confidence"
    what = "bodies have a confidence below .5"
    look_at = (
        "Take items whose record has a low confidence and run webclean explain URL: is text "
        "missing that a browser shows (WEBCLEAN_RENDER), or is the template not learned?"
    )

    def part(self) -> int:
        """Return the bodies below the middle."""
        return self.total(*(f"{stats.CLEAN_CONFIDENCE}/from_{n / 10}" for n in DOUBTFUL))

    def whole(self) -> int:
        """Return the bodies whose confidence was computed."""
        return self.total(stats.CLEAN_CONFIDENCE)


@monitors.name("webclean: sibling requests")
class SiblingsMonitor(ShareMonitor):
    """Sibling requests mostly bring a page that teaches the template."""

    limit, least = "max_sibling_failures", 3
    what = "sibling requests failed or were of no use"
    look_at = (
        "webclean/sibling/failed and /refused name the reasons, LOG_LEVEL = DEBUG the addresses. "
        "Of a host that refuses strangers (status_403, status_429) slow the crawl down; else "
        "webclean explain URL shows which links were ranked."
    )

    def part(self) -> int:
        """Return the requests that taught nothing."""
        return min(self.total(stats.SIBLING_FAILED, stats.SIBLING_REFUSED), self.whole())

    def whole(self) -> int:
        """Return the requests sent."""
        return self.total(stats.SIBLING_REQUESTED)


@monitors.name("webclean: duplicates")
class DuplicatesMonitor(ShareMonitor):
    """Not too many of the items are copies."""

    limit = "max_duplicates"
    what = "items are near-duplicates of others"
    look_at = (
        "LOG_LEVEL = DEBUG names the original of each. Do bodies hold the site's own words instead "
        "of the article (webclean explain URL), or was the site crawled before with this index?"
    )

    def part(self) -> int:
        """Return the copies and updates, dropped or kept."""
        families = (stats.DEDUP_DROPPED, stats.DEDUP_KEPT)
        names = [f"{one}/{verdict}" for one in families for verdict in ("duplicate", "update")]
        return self.total(*names, stats.DEDUP_REPLACED)

    def whole(self) -> int:
        """Return the items that were compared."""
        return self.total(stats.DEDUP_SEEN)


@monitors.name("webclean: uncleaned pages")
class UncleanedMonitor(ShareMonitor):
    """Few pages are passed through as they came."""

    limit = "max_uncleaned"
    what = "pages were passed through uncleaned"
    look_at = (
        "webclean/clean/failed names the reasons, the log a line for each page. not_html: does "
        "the spider follow files, or does the site answer with an error page?"
    )

    def part(self) -> int:
        """Return the pages that could not be cleaned."""
        return self.total(stats.CLEAN_FAILED)

    def whole(self) -> int:
        """Return all pages that were to be cleaned."""
        return self.total(stats.CLEAN_PAGES)


@monitors.name("webclean: index")
class IndexMonitor(ShareMonitor):
    """The index of near-duplicates answered."""

    limit, least = "max_index_failures", 1
    what = "items passed without de-duplication"
    look_at = (
        "The log's warning names the cause; webclean doctor looks at the index. webclean dedup "
        "removes the copies from the feed afterwards."
    )

    def part(self) -> int:
        """Return the items that were not compared."""
        return self.total(stats.DEDUP_FAILED)

    def whole(self) -> int:
        """Return the items that were to be compared."""
        return max(self.total(stats.DEDUP_SEEN), self.part())


@monitors.name("webclean: workers")
class WorkersMonitor(ShareMonitor):
    """The processes that clean live, and are in time."""

    limit = "max_worker_failures"
    what = "pages killed their worker or took it too long"
    look_at = (
        "The log's warning names each page; webclean explain URL cleans one of them here. Is the "
        "machine short of memory, or WEBCLEAN_WORKER_TIMEOUT_S too small for it?"
    )

    def part(self) -> int:
        """Return the pages that a worker failed on."""
        families = (stats.CLEAN_SOURCE, stats.CLEAN_FAILED)  # read without a parser, or not at all
        return self.total(*(f"{one}/{why}" for one in families for why in (DIED, TIMEOUT)))

    def whole(self) -> int:
        """Return all pages that were to be cleaned."""
        return self.total(stats.CLEAN_PAGES)


SHARE_MONITORS: tuple[type[ShareMonitor], ...] = (
    ArticlesMonitor,
    ConfidenceMonitor,
    SiblingsMonitor,
    DuplicatesMonitor,
    UncleanedMonitor,
    IndexMonitor,
    WorkersMonitor,
)


class WebcleanMonitorSuite(MonitorSuite):
    """All monitors of the add-on, for ``SPIDERMON_SPIDER_CLOSE_MONITORS``."""

    monitors = SHARE_MONITORS
