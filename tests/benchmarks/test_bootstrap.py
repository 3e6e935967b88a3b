from __future__ import annotations

import random

import pytest

from benchmarks.bootstrap import paired_difference
from benchmarks.scoring import set_score


def make_pages(count: int, shift: float = 0.0, seed: int = 1) -> list[tuple[float, float]]:
    """Return pages of very different difficulty, each harder by *shift*."""
    draw = random.Random(seed)
    return [(p - shift, p - shift) for p in (draw.uniform(0.3, 1.0) for _ in range(count))]


def test_the_difference_is_that_of_the_sets() -> None:
    ours, theirs = make_pages(40), make_pages(40, seed=2)
    found = paired_difference(ours, theirs)
    assert found.value == pytest.approx(set_score(ours).f1 - set_score(theirs).f1)
    assert found.low < found.value < found.high


def test_the_same_results_differ_by_nothing() -> None:
    assert paired_difference(make_pages(30), make_pages(30)) == (0.0, 0.0, 0.0)


def test_pairing_tells_a_small_difference_that_every_page_has() -> None:
    found = paired_difference(make_pages(30), make_pages(30, shift=0.01))
    assert found == pytest.approx((0.01, 0.01, 0.01))


def test_a_single_page_makes_no_difference_certain() -> None:
    theirs = make_pages(20)
    ours = [(1.0, 1.0), *theirs[1:]]
    found = paired_difference(ours, theirs)
    assert found.value > 0
    assert found.low == 0.0


def test_an_interval_covers_the_truth_as_often_as_it_says() -> None:
    covered = 0
    for seed in range(100):
        draw = random.Random(seed)
        ours, theirs = ([(x, x) for x in (draw.random() for _ in range(50))] for _ in range(2))
        found = paired_difference(ours, theirs, rounds=500)
        covered += found.low <= 0 <= found.high
    assert 88 <= covered <= 100


def test_exchanging_the_two_mirrors_the_interval() -> None:
    ours, theirs = make_pages(25), make_pages(25, seed=3)
    there, back = paired_difference(ours, theirs), paired_difference(theirs, ours)
    assert (there.value, there.low, there.high) == pytest.approx(
        (-back.value, -back.high, -back.low)
    )


def test_one_page_says_nothing_of_others() -> None:
    assert paired_difference([(1.0, 1.0)], [(0.5, 0.5)]) == (0.5, 0.5, 0.5)


@pytest.mark.parametrize("counts", [(0, 0), (3, 2)])
def test_pages_must_be_the_same(counts: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="pairs of the same pages needed"):
        paired_difference(make_pages(counts[0]), make_pages(counts[1]))
