from typing import Any

import pytest

from tests.report.crawl_reports import data_of
from webclean_scrapy import stats
from webclean_scrapy.report.crawl_report import BAD, GOOD, LOOK, CrawlTotals, check_crawl
from webclean_scrapy.report.crawl_tally import ARTICLE, EXPORTED, CrawlTally, ItemNote
from webclean_scrapy.stats import OUTCOME


def figures_of(exported: int = 100, low: int = 0, errors: int = 0, **values: Any) -> CrawlTotals:
    """Return the figures of a healthy crawl, with the given changes."""
    tally = CrawlTally()
    for number in range(exported):
        url = f"http://a.example/{number}"
        tally.add_response(url, 200)
        tally.add_item(ItemNote(url, ARTICLE, 0.2 if number < low else 0.9, 2_000), EXPORTED)
    for number in range(errors):
        tally.add_response(f"http://a.example/lost/{number}", 503)
    failed = {f"{OUTCOME}/failed/503": errors} if errors else {}
    return CrawlTotals(data_of(tally, **failed, **values))


@pytest.mark.parametrize(
    ("values", "level", "figure"),
    [
        ({}, GOOD, "finished"),
        ({"finish_reason": "shutdown"}, LOOK, "shutdown"),
        ({"finish_reason": "disk_full"}, BAD, "disk_full"),
        ({"exported": 0}, BAD, "Nothing was exported"),
        ({"low": 11}, LOOK, "low confidence: 11 of 100"),
        ({"low": 31}, BAD, "low confidence: 31 of 100"),
        ({"errors": 12}, LOOK, "12 of 112"),
        ({"errors": 101}, BAD, "101 of 201"),
        ({"spider_exceptions/KeyError": 1}, LOOK, "callbacks and pipelines: 1 "),
        ({"spider_exceptions/KeyError": 20}, BAD, "callbacks and pipelines: 20 "),
        ({f"{stats.DEDUP_FAILED}/StoreError": 3}, LOOK, "index"),
        ({f"{stats.DEDUP_NOT_EXPORTED}/OSError": 1}, BAD, "feed could not write: 1 "),
        ({"feedexport/failed_count/FileFeedStorage": 1}, BAD, "could not be stored"),
        ({stats.SIBLING_REQUESTED: 20, stats.SIBLING_LEARNED: 3}, LOOK, "17 of 20"),
        ({stats.SIBLING_REQUESTED: 20, stats.SIBLING_LEARNED: 15}, GOOD, "5 of 20"),
        ({"log_count/ERROR": 4}, LOOK, "log: 4"),
    ],
)
def test_the_worst_check_comes_first(values: dict[str, Any], level: str, figure: str) -> None:
    checks = check_crawl(figures_of(**values))
    assert level in [check.level for check in checks if figure in check.text]
    assert checks[0].level == level


def test_failed_downloads_are_those_that_were_not_tried_again() -> None:
    timeout = "twisted.internet.error.TimeoutError"
    figures = figures_of(
        **{
            f"downloader/exception_type_count/{timeout}": 9,
            f"retry/reason_count/{timeout}": 6,
            f"{stats.SIBLING_FAILED}/TimeoutError": 1,
            "downloader/exception_type_count/scrapy.exceptions.IgnoreRequest": 5,
        }
    )
    assert figures.no_response == {"TimeoutError": 2}
