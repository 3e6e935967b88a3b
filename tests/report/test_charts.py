from __future__ import annotations

import itertools
from datetime import date, timedelta

import pytest

from webclean_scrapy.report.charts import (
    BASE,
    MAX_BARS,
    MAX_ROWS,
    WIDTH,
    lying,
    median_step,
    ticks_of,
    time_bars,
    upright,
)


def test_bars_stand_side_by_side_within_the_picture_and_as_high_as_their_counts() -> None:
    bars = upright(["a", "b", "c", "d"], [10, 0, 5, 1], lambda place: place == 0)
    assert [bar.marked for bar in bars] == [True, False, False, False]
    for left, right in itertools.pairwise(bars):
        assert left.x + left.width <= right.x
    assert bars[-1].x + bars[-1].width <= WIDTH
    assert all(bar.y + bar.height == pytest.approx(BASE) for bar in bars)
    assert bars[2].height == pytest.approx(bars[0].height / 2, abs=0.1)
    assert bars[1].height == 0 < bars[3].height


def test_a_count_that_is_tiny_beside_the_others_can_be_seen() -> None:
    assert upright(["a", "b"], [100_000, 1])[1].height == 2


def test_no_counts_are_no_error() -> None:
    assert [bar.height for bar in upright(["a", "b"], [0, 0])] == [0, 0]
    assert upright([], []) == lying({}) == ()
    assert time_bars({}) == ((), "")
    assert median_step([0, 0]) is None


def test_many_names_end_in_one_bar_for_the_rest() -> None:
    bars = lying({f"name {n}": n for n in range(1, 21)})
    assert len(bars) == MAX_ROWS
    assert (bars[0].label, bars[0].width) == ("name 20", 100)
    assert (bars[-1].label, bars[-1].count) == ("13 others", sum(range(1, 14)))


@pytest.mark.parametrize(
    ("days", "what", "bars"),
    [
        (1, "day", 1), (30, "day", 30), (60, "week", 9), (250, "week", 36), (400, "month", 14),
        (3_000, "year", 9), (30_000, "year", MAX_BARS),
    ],
)  # fmt: skip
def test_the_step_of_time_is_the_finest_that_fits(days: int, what: str, bars: int) -> None:
    first = date(2024, 1, 3)
    counts = {(first + timedelta(n)).isoformat(): 1 for n in range(days)}
    found, note = time_bars(counts)
    assert what in note
    assert len(found) == pytest.approx(bars, abs=1)
    assert len(found) <= MAX_BARS
    if days < 3_000:
        assert sum(bar.count for bar in found) == days
    assert all(bar.count for bar in found)


def test_days_without_anything_leave_a_gap() -> None:
    found, _ = time_bars({"2026-03-01": 4, "2026-03-05": 1})
    assert [bar.count for bar in found] == [4, 0, 0, 0, 1]
    assert found[0].label == "2026-03-01"


def test_ticks_are_spread_from_the_first_to_the_last_bar() -> None:
    bars = upright([str(n) for n in range(31)], [1] * 31)
    assert [label for _, label in ticks_of(bars, 4)] == ["0", "10", "20", "30"]
    assert [label for _, label in ticks_of(bars[:2], 4)] == ["0", "1"]


def test_the_median_lies_in_the_step_that_reaches_half() -> None:
    assert median_step([1, 1, 1]) == 1
    assert median_step([0, 5, 0, 1]) == 1
