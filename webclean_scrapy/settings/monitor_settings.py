"""The limits of the monitors, for Spidermon (`webclean_scrapy.monitors`).

Fields of :class:`~webclean_scrapy.settings.WebcleanConfig` and keys of ``WEBCLEAN_MONITORS``.
docs/monitoring.md says where the defaults come from.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from webclean_scrapy.settings.setting import setting

limit = partial(setting, of="MONITORS")


@dataclass(frozen=True, kw_only=True)  # without slots: only one base of a class can have them
class MonitorSettings:
    """The checked value of every limit of the monitors."""

    # fmt: off
    min_count: int = limit(
        20, "pages", "Smallest number of pages or items whose shares are "
        "judged; the monitor is skipped with fewer.", low=1, high=1_000_000)
    min_articles: float = limit(
        0.2, "share", "Smallest share of articles among the cleaned pages.",
        low=0, high=1)
    max_low_confidence: float = limit(
        0.4, "share", "Largest share of bodies with a confidence below .5.",
        low=0, high=1)
    max_sibling_failures: float = limit(
        0.7, "share", "Largest share of sibling requests that failed or brought a page "
        "of no use, from three requests on.", low=0, high=1)
    max_duplicates: float = limit(
        0.5, "share", "Largest share of near-duplicates among the items compared; 1 for "
        "an index that is kept and sites that are crawled again.", low=0, high=1)
    max_uncleaned: float = limit(
        0.05, "share", "Largest share of pages that are passed through uncleaned.",
        low=0, high=1)
    max_index_failures: float = limit(
        0.0, "share", "Largest share of items that pass without de-duplication because "
        "the index does not answer, from one item on.", low=0, high=1)
    max_worker_failures: float = limit(
        0.01, "share", "Largest share of pages on which a worker died or exceeded "
        "WEBCLEAN_WORKER_TIMEOUT_S.", low=0, high=1)
    # fmt: on
