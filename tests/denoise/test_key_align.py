from __future__ import annotations

import itertools

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from webclean_scrapy.denoise.key_align import align_keys

SHORT = st.lists(st.integers(0, 5), max_size=14)


def longest(one: list[int], other: list[int]) -> int:
    above = [0] * (len(other) + 1)
    for key in one:
        here = [0]
        for j, match in enumerate(other):
            here.append(above[j] + 1 if key == match else max(above[j + 1], here[j]))
        above = here
    return above[-1]


@given(SHORT, SHORT)
@example([1, 2, 1], [1, 1, 2])
def test_key_pairs_are_equal_rising_and_the_most_there_are(
    one: list[int], other: list[int]
) -> None:
    pairs = align_keys(one, other, max_repeats=14)
    assert all(one[i] == other[j] for i, j in pairs)
    assert all(p[0] < q[0] and p[1] < q[1] for p, q in itertools.pairwise(pairs))
    assert len(pairs) == longest(one, other)


@given(st.lists(st.integers(0, 2), max_size=40), st.lists(st.integers(0, 2), max_size=40))
def test_frequent_keys_give_valid_pairs_still(one: list[int], other: list[int]) -> None:
    pairs = align_keys(one, other, max_repeats=3)
    assert all(one[i] == other[j] for i, j in pairs)
    assert all(p[0] < q[0] and p[1] < q[1] for p, q in itertools.pairwise(pairs))
    assert len(pairs) <= longest(one, other)


def test_frequent_keys_are_paired_between_the_others() -> None:
    pairs = align_keys([7, 7, 7, 1, 7, 7, 2], [7, 7, 1, 7, 2], max_repeats=1)
    assert pairs == [(1, 0), (2, 1), (3, 2), (5, 3), (6, 4)]
    assert align_keys([7] * 5, [7] * 3, max_repeats=1) == [(2, 0), (3, 1), (4, 2)]
    assert align_keys([5, 7, 7], [6, 7, 7], max_repeats=1) == [(1, 1), (2, 2)]


def test_lists_of_frequent_keys_are_paired_entry_by_entry() -> None:
    entry, short = [7, 8, 9], [7, 9]
    one = [1, *entry * 20, *short, *entry * 20, 2]
    other = [1, *entry * 20, 8, 7, 9, *entry * 20, 3]
    assert len(align_keys(one, other)) == 1 + 60 + 2 + 60
    far = [[*range(start, start + 40), *[9] * 10, start] for start in (100, 200)]
    assert len(align_keys(*far, max_repeats=1)) == 10
    assert len(align_keys([*one, *[5] * 9], [*other, *[4] * 9])) == 1 + 60 + 2 + 60


def test_a_key_that_is_frequent_on_one_side_only_is_searched() -> None:
    assert align_keys([3, 7, 4], [3, 0, 7, 0, 7, 0, 4], max_repeats=1) == [(0, 0), (1, 2), (2, 6)]


@pytest.mark.timeout(20)
def test_sequences_of_one_key_are_no_million_of_matches() -> None:
    assert len(align_keys([1] * 100_000, [1] * 100_000)) == 100_000
    long = [n % 4 for n in range(100_000)]
    assert len(align_keys(long, long[1:])) > 7
