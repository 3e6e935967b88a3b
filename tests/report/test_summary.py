from __future__ import annotations

from webclean_scrapy.report.summary import LABELS, Summary, closing_lines, summarize

STATS = {
    "downloader/request_count": 12,
    "item_scraped_count": 6,
    "elapsed_time_seconds": 1.25,
    "webclean/clean/pages": 10,
    "webclean/clean/kind/article": 8,
    "webclean/clean/kind/listing": 2,
    "webclean/clean/failed/not_html": 1,
    "webclean/clean/failed/too_large": 2,
    "webclean/clean/removed/link_block": 1400,
    "webclean/dedup/dropped/duplicate": 3,
    "webclean/dedup/dropped/update": 1,
    "webclean/dedup/kept/update": 2,
    "webclean/dedup/replaced": 1,
    "webclean/sibling/requested": 2,
    "webclean/sibling/handed_over": 1,
}


def test_counts_come_from_the_stats() -> None:
    assert summarize(STATS) == Summary(
        pages=10, requests=12, siblings=2, siblings_reused=1, articles=6, lists=2, reposts=4,
        updates=3, link_blocks=1400, failed=3, seconds=1.25,
    )  # fmt: skip


def test_the_table_has_a_line_for_each_count_and_is_aligned() -> None:
    lines = summarize(STATS).table().splitlines()
    assert len(lines) == len(LABELS)
    assert len({len(line) for line in lines}) == 1
    assert any(line.split() == ["link", "blocks", "removed", "1,400"] for line in lines)
    assert any(line.split() == ["requests", "per", "page", "1.20"] for line in lines)


def test_a_crawl_without_pages_has_a_table_too() -> None:
    assert summarize({}).requests_per_page == 0.0
    assert "pages fetched" in summarize({}).table()


def test_the_last_lines_of_a_log_count_what_is_there_and_name_the_feeds() -> None:
    assert closing_lines({**STATS, "webclean/sibling/refused/status_404": 1}, {"a.csv": 6}) == [
        "Articles of this crawl:",
        "        7  pages cleaned",
        "        6  items exported",
        "        3  updates of earlier pages kept",
        "        4  near-duplicates dropped",
        "        3  pages passed through uncleaned",
        "        2  sibling requests",
        "        1  of these refused or failed",
        "        6  items in a.csv",
        'LOG_LEVEL = "DEBUG" logs each dropped item with its reason.',
    ]


def test_each_reason_of_a_drop_has_its_line() -> None:
    drops = {
        "webclean/clean/pages": 9,
        "webclean/dedup/dropped/short": 1,
        "webclean/clean/dropped_non_articles": 2,
        "webclean/clean/low_confidence/dropped": 3,
        "webclean/clean/low_confidence/flagged": 8,
    }
    counts = [line.split(maxsplit=1) for line in closing_lines(drops, {})[3:-1]]
    assert counts == [
        ["1", "short texts dropped"],
        ["2", "pages that are not articles dropped"],
        ["3", "bodies of low confidence dropped"],
    ]


def test_a_crawl_that_met_no_page_says_nothing() -> None:
    assert closing_lines({"downloader/request_count": 1}, {"a.csv": 0}) == []
