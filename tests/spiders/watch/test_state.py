import sqlite3
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.watched import Clock
from webclean_scrapy.commands.report import COLUMNS, line_of
from webclean_scrapy.errors import StoreError
from webclean_scrapy.spiders.documents import FEED, ListedPage, list_document
from webclean_scrapy.spiders.watch.rounds import LOW, Source, WatchedSite
from webclean_scrapy.spiders.watch.state import (
    DAY_S,
    EXPORTED,
    FORGET_DAYS,
    GIVEN_UP,
    HOUR_S,
    NOT_ARTICLE,
    TWO_DAYS_S,
    WAITS,
    WatchState,
    address_hash,
)  # fmt: skip

HOME = "https://a.example/"


@pytest.fixture
def state(tmp_path: Path, clock: Clock) -> Iterator[WatchState]:
    state = WatchState(tmp_path / "watch.db", clock)
    yield state
    state.close()


def begin(state: WatchState) -> tuple[WatchedSite, Source]:
    site = state.begin_round(HOME)
    assert site is not None
    state.add_source(site, f"{HOME}feed", FEED)
    return site, state.source(site, f"{HOME}feed")


def entries(count: int) -> list[ListedPage]:
    return [
        ListedPage(f"{HOME}news/2026/11/story-of-the-day-number-{n}.html", n) for n in range(count)
    ]


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
    state.close()

    state = WatchState(tmp_path / "watch.db", clock)  # after a kill
    assert {one.hash for one in state.waiting(site, 0)} == {second.hash, third.hash}
    assert state.source(site, source.url).etag == '"tag"'
    assert state.note_source(site, source, entries(3)) == []
    state.close()


def urls_asked(
    state: WatchState, clock: Clock, answer: Callable[[int], None], hours: float
) -> list[float]:
    """Return the hours of requests for a page, in rounds of five minutes, by its answers."""
    found: list[float] = []
    for step in range(int(12 * hours) + 1):
        site = state.begin_round(HOME)
        assert site is not None
        for one in state.waiting(site, 0):
            state.begin_page(one.hash)
            answer(one.hash)
            found.append(step / 12)
        clock.now += HOUR_S // 12
    return found


def test_a_page_that_gives_nothing_is_asked_later_and_later_and_given_up_after_three_days(
    state: WatchState, clock: Clock
) -> None:
    site, source = begin(state)
    (page,) = state.note_source(site, source, entries(1), (None, None))
    hours = urls_asked(
        state, clock, lambda number: state.page_failed(number, "HTTP status 404"), 200
    )
    assert [round(hour) for hour in hours] == [0, 0, 2, 6, 23, 46, 68]
    (trouble,) = state.troubles(HOME)
    assert (trouble.is_given_up, trouble.url, trouble.why) == (True, page.url, "HTTP status 404")
    assert state.address(address_hash(page.url)).status == GIVEN_UP
    newer = [entry._replace(dated=99) for entry in entries(1)]
    assert len(state.note_source(site, source, newer, (None, None))) == 1  # its list dates a change


def test_what_is_no_article_says_so_twice_two_days_apart(state: WatchState, clock: Clock) -> None:
    site, source = begin(state)
    (page,) = state.note_source(site, source, entries(1), (None, None))
    hours = urls_asked(
        state, clock, lambda one: state.page_failed(one, "a list", TWO_DAYS_S, NOT_ARTICLE), 99
    )
    assert hours == [0, 46]
    assert state.address(address_hash(page.url)).status == NOT_ARTICLE


def test_an_article_whose_date_rises_is_asked_at_a_falling_pace_and_never_for_the_last_time(
    state: WatchState, clock: Clock
) -> None:
    site, source = begin(state)
    (page,) = state.note_source(site, source, entries(1), (None, None))
    state.end_page(page.hash, EXPORTED, 1)
    found = []
    for hour in range(24 * 150):
        dated = [entry._replace(dated=hour + 1) for entry in entries(1)]
        state.note_source(site, source, dated, (None, None))
        for one in state.waiting(site, 0):
            found.append(hour)
            state.end_page(one.hash, EXPORTED, is_unchanged=True)
        clock.now += HOUR_S
    assert found[:4] == [0, 2, 10, 42]
    assert 8 < len(found) < 12


def test_a_moment_that_a_wrong_clock_has_written_holds_nothing_back(
    tmp_path: Path, clock: Clock
) -> None:
    clock.now += 3_650 * DAY_S
    state = WatchState(tmp_path / "watch.db", clock)
    site, source = begin(state)
    (page,) = state.note_source(site, source, entries(1), (None, None))
    state.page_failed(page.hash, "HTTP status 503")
    state.set_robots("a.example", b"Disallow: /")
    state.wait(site, 60)
    clock.now -= 3_650 * DAY_S
    assert state.robots("a.example") is None
    assert begin(state)[0].round == 1
    assert [one.hash for one in state.waiting(site, 0)] == [page.hash]
    state.page_failed(page.hash, "HTTP status 503")
    assert state.address(address_hash(page.url)).status == WAITS
    state.close()


@pytest.mark.parametrize("place", [30, 700, 5000, 9000])
def test_a_file_with_changed_bytes_is_an_error_of_one_line(
    tmp_path: Path, clock: Clock, place: int
) -> None:
    path = tmp_path / "watch.db"
    state = WatchState(path, clock)
    site, source = begin(state)
    state.note_source(site, source, entries(99), (None, None))
    state.close()
    body = bytearray(path.read_bytes())
    body[place : place + 200] = b"\xff\xfe" * 100
    path.write_bytes(body)
    with suppress(StoreError):
        state = WatchState(path, clock)
        site, source = begin(state)
        state.waiting(site, 0)
        state.history(COLUMNS)


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


def test_a_date_in_the_future_hides_no_later_one(state: WatchState, clock: Clock) -> None:
    site, source = begin(state)
    url, asked, now = f"{HOME}1", [], int(clock.now)
    for dated in (now - 60, 4_070_908_800, now - 60, now):
        for one in state.note_source(site, source, [ListedPage(url, dated)]):
            asked.append(dated)
            state.end_page(one.hash, EXPORTED, 1)
    assert asked == [now - 60, now]


def test_an_address_has_one_key_with_and_without_www_and_scheme() -> None:
    assert address_hash("http://www.a.example/b/") == address_hash("https://a.example/b")
    assert address_hash("https://a.example/b") != address_hash("https://a.example/c")


def test_addresses_that_no_list_names_any_more_are_forgotten(
    state: WatchState, clock: Clock
) -> None:
    site, source = begin(state)
    new = state.note_source(site, source, entries(2), (None, None))
    for one in new:
        state.end_page(one.hash, EXPORTED, 1)
    clock.now += (FORGET_DAYS + 10) * DAY_S
    assert state.forget() == 0  # its list was not read since: it may still name them
    clock.now += DAY_S
    assert state.note_source(site, source, entries(1), (None, None)) == []
    assert state.forget() == 1
    assert [state.address(address_hash(one.url)).status for one in new] == [EXPORTED, None]


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
    found = list_document(body, HOME)
    assert found is None or not found.pages
