"""Pages are forgotten after `expire_days`, by a clock of the test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.dedup.articles import make_article, verdict_of
from tests.redis_server import RedisServer
from webclean_scrapy.dedup.index import DuplicateIndex
from webclean_scrapy.errors import ConfigError

# The constants of the package, by value: a change of one fails here.
EXPIRED_AT_ONCE = 4

DAY = 86_400


class Clock:
    """Seconds that a test sets."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["memory", "sqlite"])
def uri(request: pytest.FixtureRequest, tmp_path: Path) -> str | None:
    return f"sqlite:///{tmp_path}/pages.db" if request.param == "sqlite" else None


@pytest.fixture
def index(uri: str | None, clock: Clock) -> Iterator[DuplicateIndex]:
    with DuplicateIndex(uri, clock=clock, expire_days=2) as opened:
        yield opened


def test_an_expired_page_is_no_original_and_is_removed(index: DuplicateIndex, clock: Clock) -> None:
    index.add("a", make_article(1))
    clock.seconds = 2 * DAY - 1
    assert index.find(make_article(1)) is not None
    clock.seconds = 2 * DAY
    assert index.find(make_article(1)) is None
    assert len(index) == 1  # find changes nothing
    assert index.check_and_add("b", make_article(1)) is None
    assert len(index) == 1
    assert not index.remove("a")


def test_a_page_is_kept_from_the_day_it_was_added_last(index: DuplicateIndex, clock: Clock) -> None:
    index.add("a", make_article(1))
    clock.seconds = 1 * DAY
    index.add("a", make_article(1))
    clock.seconds = 2 * DAY
    index.add("other", make_article(2))
    assert index.find(make_article(1)) is not None
    clock.seconds = 3 * DAY
    assert index.find(make_article(1)) is None


def test_copies_leave_one_by_one_and_renew_no_original(index: DuplicateIndex, clock: Clock) -> None:
    index.add("a", make_article(1))
    clock.seconds = 1 * DAY
    index.add("copy", make_article(1))
    assert list(index.clusters()) == [("a", "copy")]
    clock.seconds = 2 * DAY
    assert index.check_and_add("b", make_article(1)) is None
    assert len(index) == 2
    clock.seconds = 3 * DAY
    index.add("c", make_article(2))
    assert len(index) == 2  # b and c
    assert list(index.clusters()) == []


def test_few_entries_are_removed_at_once_later_all(index: DuplicateIndex, clock: Clock) -> None:
    for number in range(20):
        index.add(f"{number}", make_article(number))
    clock.seconds = 5 * DAY
    sizes = []
    for number in range(20, 32):
        index.add(f"{number}", make_article(number))
        sizes.append(len(index))
    assert sizes[0] == 20 + 1 - EXPIRED_AT_ONCE
    assert sizes[-1] == 12


def test_an_expired_page_comes_again_as_a_pending_one(index: DuplicateIndex, clock: Clock) -> None:
    for number in range(10, 10 + 2 * EXPIRED_AT_ONCE):  # which are removed before it
        index.add(f"{number}", make_article(number))
    index.add("a", make_article(1))
    assert verdict_of(index.check_and_add("a", make_article(1), run="one")) == ("a", "duplicate")
    clock.seconds = 2 * DAY
    assert index.check_and_add("a", make_article(1), run="two") is None
    assert index.find(make_article(1)) is None  # else a kill of this run would lose the page
    assert index.confirm(["a"]) == 1


def test_a_clock_that_goes_back_keeps_pages_longer(index: DuplicateIndex, clock: Clock) -> None:
    clock.seconds = 10 * DAY
    index.add("a", make_article(1))
    clock.seconds = 1 * DAY
    index.add("b", make_article(2))
    assert index.find(make_article(1)) is not None
    clock.seconds = 3 * DAY
    index.add("c", make_article(3))
    assert index.find(make_article(1)) is not None
    assert index.find(make_article(2)) is None
    clock.seconds = 12 * DAY
    index.add("d", make_article(4))
    assert len(index) == 1


@pytest.mark.parametrize("days", [-1, 36_501, float("nan")])
def test_a_wrong_number_of_days_is_refused(days: float, clock: Clock) -> None:
    with pytest.raises(ConfigError, match="expire_days must be"):
        DuplicateIndex(clock=clock, expire_days=days)


def test_days_without_a_clock_are_refused(uri: str | None) -> None:
    with pytest.raises(ConfigError, match="expire_days needs a clock"):
        DuplicateIndex(uri, expire_days=1)


@pytest.mark.parametrize(
    ("options", "days", "seconds"),
    [
        ({}, 0.5, DAY // 2),
        ({"ttl": 100}, 0.5, 100),
        ({"ttl": 0}, 0.5, -1),
        ({}, 0.0, -1),
        ({}, 36_500, 36_500 * DAY),
    ],
)
def test_a_redis_server_keeps_pages_for_the_days_unless_the_uri_says_otherwise(
    redis_server: RedisServer, *,
    options: dict[str, int], days: float, seconds: int,
) -> None:  # fmt: skip
    with DuplicateIndex(redis_server.uri("site", **options), expire_days=days) as index:
        index.add("a", make_article(1))
    with redis_server.client() as client:
        left = client.ttl("{site}:e:1")
    assert seconds - 60 <= left <= seconds
