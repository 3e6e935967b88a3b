"""The monitors compare the counts of a real crawl with the project's limits."""

from typing import Any, ClassVar

import pytest
from spidermon.core.actions import Action

from spiders.demo.spider import Demo
from tests.crawling import Crawls
from tests.pages import article
from webclean_scrapy import (
    monitors,  # not its classes: pytest would run them as tests
)

# Spidermon 1.27 logs by it
pytestmark = pytest.mark.filterwarnings("ignore:Spider.log:Warning")
ALL = {"articles", "low confidence", "duplicates", "uncleaned pages", "index failures"}
MONITORED = {
    "EXTENSIONS": {"spidermon.contrib.scrapy.extensions.Spidermon": 500},
    "SPIDERMON_ENABLED": True,
    "SPIDERMON_SPIDER_CLOSE_MONITORS": ["tests.test_monitors.ReadSuite"],
    "WEBCLEAN_DROP_NON_ARTICLES": True,
}


class Keep(Action):
    """Collects Spidermon's results: (outcome, message) by monitor."""

    found: ClassVar[dict[str, tuple[str, str]]] = {}

    def run_action(self) -> None:
        assert self.result
        for one in self.result.monitor_results:
            name = one.monitor.monitor_name.removeprefix("webclean: ")
            self.found[name] = (one.status.lower(), one.reason or "")


class ReadSuite(monitors.WebcleanMonitorSuite):
    monitors_finished_actions: ClassVar[list[Any]] = [Keep]


class StrictSuite(ReadSuite):
    """Allows less of everything, from five pages on."""

    monitors: ClassVar[Any] = tuple(
        monitors.share_monitor(one._replace(least=5, low=0.99 if one.low else 0, high=one.low))
        for one in monitors.SHARES
    )


@pytest.fixture
def results() -> dict[str, tuple[str, str]]:
    Keep.found.clear()
    return Keep.found


def test_the_demo_passes_at_the_defaults(
    crawls: Crawls, results: dict[str, tuple[str, str]]
) -> None:
    crawls.run(Demo, MONITORED, max_pages="60")
    assert {name: outcome for name, (outcome, _) in results.items()} == dict.fromkeys(ALL, "ok")


def test_each_exceeded_limit_is_named(crawls: Crawls, results: dict[str, tuple[str, str]]) -> None:
    # So pages of more than 10,000 bytes are not cleaned.
    refused = {"max_body_bytes": 10_000, "max_scan_bytes": 1_000}
    settings = {**MONITORED, "WEBCLEAN_LIMITS": refused}
    settings["SPIDERMON_SPIDER_CLOSE_MONITORS"] = ["tests.test_monitors.StrictSuite"]
    crawled = crawls.run(Demo, settings, max_pages="80")
    failed = {name: message for name, (outcome, message) in results.items() if outcome == "fail"}
    assert set(failed) == ALL - {"index failures"}
    assert "99%" in failed["articles"]
    too_large = crawled.stats["webclean/clean/failed/too_large"]
    pages = crawled.stats["webclean/clean/pages"]
    assert f"{too_large} of {pages}" in failed["uncleaned pages"]


def test_an_index_that_fails_is_seen_from_the_first_item_on(
    crawls: Crawls, results: dict[str, tuple[str, str]]
) -> None:
    faults = {
        "WEBCLEAN_DEDUP_URI": "redis://127.0.0.1:1/0",
        "WEBCLEAN_DEDUP_ON_ERROR": "continue",
    }
    crawls.visit({"/a.html": article(1)}, settings=MONITORED | faults)
    failed = {name: message for name, (outcome, message) in results.items() if outcome == "fail"}
    assert set(failed) == {"index failures"}
    assert "webclean doctor" in failed["index failures"]


def test_few_pages_are_not_judged(crawls: Crawls, results: dict[str, tuple[str, str]]) -> None:
    crawls.visit({"/a.html": "<p>Nothing to read.</p>"}, settings=MONITORED)
    assert "20" in results["articles"][1]
    assert {outcome for outcome, _ in results.values()} == {"skipped"}
