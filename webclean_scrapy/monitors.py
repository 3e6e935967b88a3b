"""Monitors of a crawl for Spidermon (extra ``monitor``), see docs/monitoring.md.

``SPIDERMON_SPIDER_CLOSE_MONITORS = ["webclean_scrapy.monitors.WebcleanMonitorSuite"]``: each
monitor holds one share of the crawl's counts against a limit, and its message says where to look.
"""

from __future__ import annotations

from typing import NamedTuple

from spidermon import Monitor, MonitorSuite, monitors
from spidermon.contrib.monitors.mixins import SpiderMonitorMixin

from webclean_scrapy import stats
from webclean_scrapy.cleaning.method_names import LOW_CONFIDENCE
from webclean_scrapy.settings import WebcleanConfig
from webclean_scrapy.settings.setting import PREFIX


class Share(NamedTuple):
    """The share of *part* in *whole*: stats, or what the names of a family begin with."""

    limit: str  # key of ``WEBCLEAN_MONITORS``; "min_...": the share may not be smaller
    part: tuple[str, ...]
    whole: str
    what: str  # "of 40 ...": what is counted
    look_at: str  # when it fails
    least: int = 0  # counts from which it is judged; 0: the setting's


_LOW = tuple(f"{stats.CLEAN_CONFIDENCE}/from_{n / 10}" for n in range(int(LOW_CONFIDENCE * 10)))
_COPIES = tuple(f"{of}/{verdict}" for of in (stats.DEDUP_DROPPED, stats.DEDUP_KEPT)
                for verdict in ("duplicate", "update"))  # fmt: skip
SHARES = {
    "articles": Share(
        "min_articles", (f"{stats.CLEAN_KIND}/article",), stats.CLEAN_KIND, "cleaned pages are "
        "articles",
        f"{stats.CLEAN_KIND} counts what the others are; webclean explain URL says why."),
    "low confidence": Share(
        "max_low_confidence", _LOW, stats.CLEAN_CONFIDENCE, "bodies have a confidence below .5",
        "Run webclean explain URL: is text missing that a browser shows (WEBCLEAN_RENDER)?"),
    "duplicates": Share(
        "max_duplicates", (*_COPIES, stats.DEDUP_REPLACED), stats.DEDUP_SEEN, "items are "
        "near-duplicates of others",
        "LOG_LEVEL = DEBUG names the original of each. Was the site crawled before?"),
    "uncleaned pages": Share(
        "max_uncleaned", (stats.CLEAN_FAILED,), stats.CLEAN_PAGES, "pages were passed through "
        "uncleaned", f"{stats.CLEAN_FAILED} names the reasons, the log a line for each page."),
    "index": Share(
        "max_index_failures", (stats.DEDUP_FAILED,), stats.DEDUP_SEEN, "items passed without "
        "de-duplication", "The log's warning names the cause; webclean doctor looks at the index.",
        least=1),
}  # fmt: skip


class ShareMonitor(SpiderMonitorMixin, Monitor):
    share: Share

    def test_share(self) -> None:
        """Compare, with a message that names counts, limit and what to look at."""
        config, share = WebcleanConfig.from_settings(self.crawler.settings), self.share
        part = stats.total_of(self.data.stats, *share.part)
        whole = max(part, stats.total_of(self.data.stats, share.whole))
        if whole < (least := share.least or config.min_count):
            self.skipTest(f"{whole} {share.what}: too few to judge, {least} are needed")
        limit, is_floor = getattr(config, share.limit), share.limit.startswith("min_")
        if part / whole < limit if is_floor else part / whole > limit:
            self.fail(
                f"{part} of {whole} {share.what} ({part / whole:.0%}); the "
                f"{'smallest' if is_floor else 'largest'} share allowed is {limit:g} "
                f'({PREFIX}MONITORS["{share.limit}"]). {share.look_at}'
            )


class WebcleanMonitorSuite(MonitorSuite):
    """All monitors of the add-on, for ``SPIDERMON_SPIDER_CLOSE_MONITORS``."""

    monitors = tuple(
        monitors.name(f"webclean: {name}")(type(f"{name}Monitor", (ShareMonitor,), {"share": one}))
        for name, one in SHARES.items()
    )
