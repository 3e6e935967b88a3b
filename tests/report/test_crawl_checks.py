from __future__ import annotations

from typing import Any

import pytest

from tests.report.crawl_reports import data_of, fill_tally, news_url
from webclean_scrapy import stats
from webclean_scrapy.report.crawl_checks import BAD, GOOD, LOOK, check_crawl, verdict_of
from webclean_scrapy.report.crawl_figures import Figures, make_funnel
from webclean_scrapy.report.crawl_tally import ARTICLE, EXPORTED, CrawlTally, ItemNote


def figures_of(exported: int = 100, low: int = 0, errors: int = 0, **values: Any) -> Figures:
    """Return the figures of a crawl in which all went well but for what is named."""
    tally = CrawlTally()
    for number in range(exported):
        url = f"http://a.example/{number}"
        tally.add_response(url, 200)
        note = ItemNote(url, ARTICLE, "article", 0.2 if number < low else 0.9, 2_000)
        tally.add_item(note, EXPORTED)
    for number in range(errors):
        tally.add_response(f"http://a.example/lost/{number}", 503)
    return Figures(data_of(tally, **values))


def levels_of(figures: Figures) -> list[str]:
    return [check.level for check in check_crawl(figures, figures.stats)]


def test_a_crawl_in_which_all_went_well_says_so() -> None:
    figures = figures_of()
    assert set(levels_of(figures)) == {GOOD}
    assert verdict_of(check_crawl(figures, figures.stats)) == GOOD


@pytest.mark.parametrize(
    ("values", "level", "said"),
    [
        ({"finish_reason": "shutdown"}, LOOK, "stopped before its end: shutdown"),
        ({"finish_reason": "disk_full"}, BAD, "It was ended: disk_full"),
        ({"exported": 0}, BAD, "Nothing was exported"),
        ({"low": 11}, LOOK, "11 of 100 articles are of low confidence"),
        ({"low": 31}, BAD, "31 of 100 articles are of low confidence"),
        ({"errors": 12}, LOOK, "12 of 112 pages could not be fetched"),
        ({"errors": 101}, BAD, "101 of 201 pages could not be fetched"),
        ({"spider_exceptions/KeyError": 2}, LOOK, "2 errors in callbacks or pipelines"),
        ({"spider_exceptions/KeyError": 20}, BAD, "20 errors in callbacks or pipelines"),
        ({f"{stats.DEDUP_FAILED}/StoreError": 3}, LOOK, "3 failures of the fingerprint store"),
        ({f"{stats.DEDUP_NOT_EXPORTED}/OSError": 1}, BAD, "1 items could not be written"),
        ({"feedexport/failed_count/FileFeedStorage": 1}, BAD, "A feed could not be stored"),
        ({stats.SIBLING_REQUESTED: 20, stats.SIBLING_LEARNED: 3}, LOOK, "3 of 20 sibling requests"),
        ({stats.SIBLING_REQUESTED: 20, stats.SIBLING_LEARNED: 15}, GOOD, "15 of 20 sibling"),
        ({"log_count/ERROR": 4}, LOOK, "4 errors in the log"),
    ],
)
def test_what_went_wrong_comes_first_and_decides(
    values: dict[str, Any], level: str, said: str
) -> None:
    figures = figures_of(**values)
    checks = check_crawl(figures, figures.stats)
    assert (said, level) in [(c.text[: len(said)], c.level) for c in checks] or any(
        said in check.text and check.level == level for check in checks
    )
    assert verdict_of(checks) == level == checks[0].level


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
    assert figures.failures == {"TimeoutError": 2}


def test_every_step_of_the_funnel_is_the_last_one_less_what_left() -> None:
    tally = fill_tally(600, news_url)
    for place, fate in enumerate(("update", "short", "low_confidence", "dropped/X", "error/Y")):
        note = ItemNote(f"http://a.example/{place}", ARTICLE, "article", 0.9)
        tally.add_response(note.url, 200)
        tally.add_item(note, fate)
    figures = Figures(data_of(tally, **{f"{stats.DEDUP_NOT_EXPORTED}/OSError": 2}))
    steps = make_funnel(figures)
    for before, after in zip(steps, steps[1:], strict=False):  # noqa: RUF007, on Python 3.10 too
        assert after.count == before.count - sum(loss.count for loss in after.losses)
        assert sum(part.count for part in after.segments) == after.count
    assert steps[0].count == 605
    assert steps[-1].count == figures.exported == figures.of_fate(EXPORTED) - 2
    assert [loss.why for loss in steps[-1].losses] == [
        "dropped by another pipeline (X)", "failed (Y)", "a feed could not write them",
    ]  # fmt: skip


def test_several_items_of_a_page_make_no_step_wider_than_the_picture() -> None:
    tally = CrawlTally()
    tally.add_response("http://a.example/1", 200)
    for _ in range(5):
        tally.add_item(ItemNote("http://a.example/1", ARTICLE, "article", 0.9), EXPORTED)
    steps = make_funnel(Figures(data_of(tally)))
    assert [step.count for step in steps] == [1, 5, 5, 5, 5]
    assert max(part.start + part.width for step in steps for part in step.segments) == 100
