"""The limits of the monitors, for Spidermon (`webclean_scrapy.monitors`).

Fields of :class:`~webclean_scrapy.settings.WebcleanConfig`. docs/monitoring.md says where the
defaults come from.
"""

from __future__ import annotations

from dataclasses import dataclass

from webclean_scrapy.settings.setting import setting


@dataclass(frozen=True, kw_only=True)  # without slots: only one base of a class can have them
class MonitorSettings:
    """The checked value of every limit of the monitors."""

    # fmt: off
    monitor_min_count: int = setting(
        20, "pages", "Monitors (extra monitor): smallest number of pages or items whose shares are "
        "judged; the monitor is skipped with fewer.", low=1, high=1_000_000)
    monitor_min_articles: float = setting(
        0.2, "share", "Monitors: smallest share of articles among the cleaned pages.",
        low=0, high=1)
    monitor_max_low_confidence: float = setting(
        0.4, "share", "Monitors: largest share of bodies with a confidence below .5.",
        low=0, high=1)
    monitor_max_sibling_failures: float = setting(
        0.7, "share", "Monitors: largest share of sibling requests that failed or brought a page "
        "of no use, from three requests on.", low=0, high=1)
    monitor_max_duplicates: float = setting(
        0.5, "share", "Monitors: largest share of near-duplicates among the items compared; 1 for "
        "an index that is kept and sites that are crawled again.", low=0, high=1)
    monitor_max_uncleaned: float = setting(
        0.05, "share", "Monitors: largest share of pages that are passed through uncleaned.",
        low=0, high=1)
    monitor_max_index_failures: float = setting(
        0.0, "share", "Monitors: largest share of items that pass without de-duplication because "
        "the index does not answer, from one item on.", low=0, high=1)
    monitor_max_worker_failures: float = setting(
        0.01, "share", "Monitors: largest share of pages on which a worker died or exceeded "
        "WEBCLEAN_WORKER_TIMEOUT_S.", low=0, high=1)
    # fmt: on
