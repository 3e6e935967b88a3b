from webclean_scrapy.crawl.summary import DroppedCopy, Summary, closing_lines

STATS = {
    "downloader/request_count": 12,
    "item_scraped_count": 6,
    "webclean/clean/pages": 10,
    "webclean/clean/kind/article": 8,
    "webclean/clean/kind/listing": 2,
    "webclean/clean/failed/not_html": 1,
    "webclean/clean/failed/too_large": 2,
    "webclean/dedup/dropped/duplicate": 3,
    "webclean/dedup/dropped/already_exported": 5,
    "webclean/dedup/dropped/update": 1,
    "webclean/dedup/kept/update": 2,
    "webclean/dedup/replaced": 1,
    "webclean/sibling/requested": 2,
}


OUTCOMES = {  # 9 pages that answered, and 7 that did not
    "webclean/page/article": 6,
    "webclean/page/failed/404": 3,
    "webclean/page/failed/TimeoutError": 2,
    "webclean/page/refused/robots.txt": 5,
}


def test_counts_come_from_the_stats() -> None:
    summary = Summary(STATS | OUTCOMES)
    found = {name: value for name, value in vars(summary).items() if isinstance(value, int)}
    assert found == {
        "pages": 10, "siblings": 2, "articles": 6, "known": 5, "copies": 4, "updates": 3,
        "failed": 3, "unwritten": 0,
    }  # fmt: skip


def test_a_part_of_an_article_counts_as_a_page_whoever_fetched_it_first() -> None:
    early = {**STATS, "webclean/clean/pages": 8, "webclean/parts/handed_over": 2}
    assert Summary(early).pages == Summary(STATS).pages


def test_the_last_lines_of_a_log_have_what_occurred_and_the_feeds() -> None:
    lines = closing_lines({**STATS, "webclean/sibling/refused/status_404": 1}, {"a.csv": 6})
    counts = [int(line.split()[0]) for line in lines[1:-1]]
    assert counts == [7, 6, 3, 4, 5, 3, 2, 1, 6]
    assert "a.csv" in lines[-2]


def test_each_reason_of_a_drop_has_its_line() -> None:
    drops = {
        "webclean/clean/pages": 9,
        "webclean/dedup/dropped/short": 1,
        "webclean/clean/dropped_non_articles": 2,
        "webclean/clean/low_confidence/dropped": 3,
        "webclean/clean/low_confidence/flagged": 8,
    }
    assert [line.split()[0] for line in closing_lines(drops, {})[3:-1]] == ["1", "2", "3"]


def test_the_least_certain_copies_end_the_log_with_both_pages() -> None:
    copies = [
        DroppedCopy(
            own, 0.9, f"Title {own}", f"http://a.example/{own}", "First", "http://b.example"
        )
        for own in (0.2, 0.1)
    ]
    *_, first, second = closing_lines(STATS, {}, copies)
    for line, own in ((first, "20%"), (second, "10%")):
        assert line.split()[0] == own
        assert "a.example" in line
        assert "First" in line


def test_a_crawl_that_met_no_page_has_no_last_lines() -> None:
    assert closing_lines({"downloader/request_count": 1}, {"a.csv": 0}) == []
