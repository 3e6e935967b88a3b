from __future__ import annotations

import json

import pytest

from tests.report.crawl_reports import fill_tally, news_url
from webclean_scrapy.dedup.match import Match
from webclean_scrapy.report.crawl_tally import (
    ARTICLE,
    EXPORTED,
    LIMITS,
    CrawlTally,
    ItemNote,
    day_of,
    shown_host,
    shown_text,
    shown_url,
)


@pytest.mark.parametrize(
    ("url", "shown", "host"),
    [
        ("http://a.example:80/x?y#z", "http://a.example:80/x?y#z", "a.example:80"),
        ("https://me:pa@ss@A.example/b@c", "https://A.example/b@c", "a.example"),
        ("https://a.example/@user/1", "https://a.example/@user/1", "a.example"),
        ("https://a.example?to=http://b:c@d/", "https://a.example?to=http://d/", "a.example"),
        ("http://a.example/\x1b[31m\n\u202e", "http://a.example/\\x1b[31m\\n\\u202e", "a.example"),
        ("data:text/html,<p>a", "data:text/html,<p>a", ""),
        ("", "", ""),
    ],
)
def test_addresses_are_shown_without_logins_and_on_one_line(
    url: str, shown: str, host: str
) -> None:
    assert shown_url(url) == shown
    assert shown_host(url) == host


def test_long_texts_are_cut_and_say_so() -> None:
    assert shown_url("http://a.example/" + "x" * 5_000).endswith("x…")
    assert len(shown_text("word " * 10_000, 300)) == 300
    assert shown_text("  a\n b\tc ", 300) == "a b c"
    assert shown_text("see http://me:secret@a.example/ for it", 300) == (
        "see http://***@a.example/ for it"
    )


@pytest.mark.parametrize("stated", ["2024", "2024-02-31", "1066-10-14", "soon", "", None])
def test_what_is_no_day_is_counted_as_none(stated: str | None) -> None:
    assert day_of(stated) == ""


def test_confidence_and_length_fall_into_their_steps() -> None:
    tally = CrawlTally()
    for confidence, length in ((0.0, 0), (0.049, 99), (0.05, 100), (0.999, 99_999), (1.0, 10**9)):
        note = ItemNote("http://a.example/1", ARTICLE, "article", confidence, length)
        tally.add_item(note, EXPORTED)
    assert (tally.confidence[0], tally.confidence[1], tally.confidence[-1]) == (2, 1, 2)
    assert (tally.lengths[0], tally.lengths[1], tally.lengths[-2], tally.lengths[-1]) == (
        2,
        1,
        1,
        1,
    )


def test_a_cluster_has_its_first_copies_and_counts_the_others() -> None:
    tally = CrawlTally()
    match = Match(key="http://a.example/1", similarity=0.9, verdict="duplicate")
    for number in range(9):
        note = ItemNote(f"http://b.example/{number}", ARTICLE, title=f"Title {number}")
        tally.add_copy(note, match, is_kept=False)
    (row,) = tally.to_data()["clusters"]["rows"]
    assert (row["name"], row["size"], row["title"]) == ("http://a.example/1", 9, "Title 0")
    assert len(row["copies"]) == LIMITS["copies"]


def test_what_is_kept_does_not_grow_with_the_crawl_even_if_no_two_pages_are_alike(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("hosts", "shapes", "clusters"):
        monkeypatch.setitem(LIMITS, name, 50)

    def odd_url(number: int) -> str:
        return (
            f"https://h{number}.example/{'d' * (number % 400)}/{number:x}/page-{number}?q={number}"
        )

    tally = fill_tally(2_000, odd_url)
    for groups, limit in ((tally.hosts, "hosts"), (tally.shapes, "shapes")):
        assert len(groups) <= 2 * LIMITS[limit]
    assert tally.to_data()["hosts"]["left_out"] >= 1_900
    assert len(json.dumps(tally.to_data())) < 120_000


def test_every_item_is_in_one_row_of_each_table() -> None:
    data = fill_tally(3_000, news_url).to_data()
    exported = sum(fates.get(EXPORTED, 0) for fates in data["fates"].values())
    assert sum(sum(fates.values()) for fates in data["fates"].values()) == 3_000
    for name in ("hosts", "shapes"):
        assert sum(row["exported"] for row in data[name]["rows"]) == exported
        assert sum(row["items"] for row in data[name]["rows"]) == 3_000
    assert sum(data["days"].values()) == sum(data["lengths"]) == exported
