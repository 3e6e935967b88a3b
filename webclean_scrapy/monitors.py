"""Monitors of a crawl for Spidermon (extra ``monitor``): docs/monitoring.md."""

from __future__ import annotations

from typing import NamedTuple

from spidermon import Monitor, MonitorSuite, monitors

from webclean_scrapy import stats
from webclean_scrapy.cleaning.confidence import LOW_CONFIDENCE


class Share(NamedTuple):
    """The allowed share of *part* in *whole*: each a stat, or the prefix of several."""

    name: str
    low: float
    high: float
    part: tuple[str, ...]
    whole: str
    look_at: str  # when it is exceeded
    least: int = 20  # counts from which it is judged


_LOW = tuple(f"{stats.CLEAN_CONFIDENCE}/from_{n / 10}" for n in range(int(LOW_CONFIDENCE * 10)))
_COPIES = [f"{of}/duplicate" for of in (stats.DEDUP_DROPPED, stats.DEDUP_KEPT)]
_UPDATES = [f"{of}/update" for of in (stats.DEDUP_DROPPED, stats.DEDUP_KEPT)]
SHARES = (
    Share("articles", 0.2, 1, (f"{stats.CLEAN_KIND}/article",), stats.CLEAN_KIND,
          f"{stats.CLEAN_KIND} counts what the others are; webclean explain URL says why."),
    Share("low confidence", 0, 0.4, _LOW, stats.CLEAN_CONFIDENCE,
          "Run webclean explain URL: is text missing that a browser shows (WEBCLEAN_RENDER)?"),
    Share("duplicates", 0, 0.5, (*_COPIES, *_UPDATES, stats.DEDUP_REPLACED), stats.DEDUP_SEEN,
          "LOG_LEVEL = DEBUG names the original of each. Was the site crawled before?"),
    Share("uncleaned pages", 0, 0.05, (stats.CLEAN_FAILED,), stats.CLEAN_PAGES,
          f"{stats.CLEAN_FAILED} names the reasons, the log a line for each page."),
    Share("index failures", 0, 0, (stats.DEDUP_FAILED,), stats.DEDUP_SEEN,
          "The log's warning names the cause; webclean doctor looks at the index.", least=1),
)  # fmt: skip


def share_monitor(share: Share) -> type[Monitor]:
    """Return the monitor of *share*; its message has the counts and a hint."""

    @monitors.name(f"webclean: {share.name}")
    class ShareMonitor(Monitor):
        def test_share(self) -> None:
            part = stats.total_of(self.data.stats, *share.part)
            whole = max(part, stats.total_of(self.data.stats, share.whole))
            if whole < share.least:
                self.skipTest(f"{whole}: too few to judge, {share.least} are needed")
            if not share.low <= part / whole <= share.high:
                allowed = f"{share.low:.0%} to {share.high:.0%} are allowed"
                self.fail(f"{part} of {whole} ({part / whole:.0%}); {allowed}. {share.look_at}")

    return ShareMonitor


class WebcleanMonitorSuite(MonitorSuite):
    """All monitors of the add-on, for ``SPIDERMON_SPIDER_CLOSE_MONITORS``."""

    monitors = tuple(map(share_monitor, SHARES))
