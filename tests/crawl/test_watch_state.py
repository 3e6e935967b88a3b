import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from webclean_scrapy.commands.report import COLUMNS, line_of
from webclean_scrapy.crawl.discovery import FEED, Entry, read_feed, read_sitemap
from webclean_scrapy.crawl.watch_rounds import LOW, Site, Source
from webclean_scrapy.crawl.watch_state import (
    DAY_S,
    EXPORTED,
    FORGET_DAYS,
    PENDING,
    WatchState,
    address_hash,
)  # fmt: skip
from webclean_scrapy.errors import StoreError

HOME = "https://a.example/"
Open = Callable[[], WatchState]


class Clock:
    now = 1_000 * DAY_S

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def begin(state: WatchState) -> tuple[Site, Source]:
    site = state.begin_round(HOME)
    assert site is not None
    state.add_source(site, f"{HOME}feed", FEED)
    return site, state.source(site, f"{HOME}feed")


def entries(count: int) -> list[Entry]:
    return [Entry(f"{HOME}news/2026/11/story-of-the-day-number-{n}.html", n) for n in range(count)]


def test_what_is_not_settled_waits_also_when_its_list_has_not_changed(
    tmp_path: Path, clock: Clock
) -> None:
    state = WatchState(tmp_path / "watch.db", clock)
    site, source = begin(state)
    assert len(state.note_source(site, source, entries(3), ('"tag"', None))) == 3
    first, second, third = state.waiting(site, 0)
    assert [one.url for one in (first, second, third)] == [one.url for one in entries(3)[::-1]]
    state.begin_page(first.hash)
    state.end_page(first.hash, EXPORTED, site.round)
    state.begin_page(second.hash)
    assert state.status(second.url) == PENDING
    state.close()

    state = WatchState(tmp_path / "watch.db", clock)  # after a kill
    assert {one.hash for one in state.waiting(site, 0)} == {second.hash, third.hash}
    assert state.source(site, source.url).etag == '"tag"'
    assert state.note_source(site, source, entries(3)) == []
    state.close()


def test_a_site_is_silent_when_its_pause_is_rare_at_its_pace(tmp_path: Path, clock: Clock) -> None:
    state = WatchState(tmp_path / "watch.db", clock)
    said: list[list[str]] = []
    for day in range(60):
        clock.now += DAY_S
        for home, pause in (("often", 1), ("seldom", 10)):
            site = state.begin_round(home)
            assert site is not None
            new = int(day % pause == 0 and day < 30)
            state.end_round(site, {"new": new, LOW: new}, failed=False)
        said.append([line_of(row) for row in state.history(COLUMNS)])
    source = begin(state)[1]
    for _ in range(2):
        state.source_failed(source)
    assert f"; BROKEN FEEDS: {source.url} (2)" in line_of(state.history(COLUMNS)[0])
    state.close()
    assert ["SILENT" in often for often, _ in said] == [False] * 37 + [True] * 23
    assert not any("SILENT" in seldom for _, seldom in said)
    assert "; 100% of low confidence; SILENT for 30 days" in said[-1][0]


def test_an_address_has_one_key_with_and_without_www_and_scheme() -> None:
    assert address_hash("http://www.a.example/b/") == address_hash("https://a.example/b")
    assert address_hash("https://a.example/b") != address_hash("https://a.example/c")


def test_addresses_that_no_list_names_any_more_are_forgotten(tmp_path: Path, clock: Clock) -> None:
    state = WatchState(tmp_path / "watch.db", clock)
    site, source = begin(state)
    new = state.note_source(site, source, entries(2), (None, None))
    for one in new:
        state.end_page(one.hash, EXPORTED, 1)
    clock.now += (FORGET_DAYS + 10) * DAY_S
    assert state.forget() == 0  # its list was not read since: it may still name them
    clock.now += DAY_S
    assert state.note_source(site, source, entries(1), (None, None)) == []
    assert state.forget() == 1
    assert [state.status(one.url) for one in new] == [EXPORTED, None]
    state.close()


def test_a_million_addresses_take_less_than_200_megabytes(tmp_path: Path, clock: Clock) -> None:
    state = WatchState(tmp_path / "watch.db", clock)
    site, source = begin(state)
    for one in state.note_source(site, source, entries(10_000), (None, None)):
        state.end_page(one.hash, EXPORTED, 1)
    state.close()
    assert (tmp_path / "watch.db").stat().st_size < 200 * 10_000


def test_a_file_that_cannot_be_used_is_named(tmp_path: Path, clock: Clock) -> None:
    state = WatchState(tmp_path / "watch.db", clock)
    with pytest.raises(StoreError, match=r"watch\.db.*another command"):
        WatchState(tmp_path / "watch.db", clock)
    state.close()
    other = sqlite3.connect(tmp_path / "other.db")
    other.execute("CREATE TABLE pages (url TEXT)")
    other.close()
    with pytest.raises(StoreError, match=r"other\.db"):
        WatchState(tmp_path / "other.db", clock)


@pytest.mark.parametrize(
    "body",
    [
        b"", b"<html><p>Not found", b"\x1f\x8b broken", b"<urlset", b"\0",
        b"\xff" + b"x" * 2_000_000,  # to guess its encoding took hours
    ],
)  # fmt: skip
def test_what_is_no_feed_and_no_sitemap_is_told_from_one(body: bytes) -> None:
    assert read_feed(body, HOME) is None
    sitemap = read_sitemap(body, HOME)
    assert sitemap is None or not sitemap.pages
