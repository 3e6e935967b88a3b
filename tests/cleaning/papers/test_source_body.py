from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from webclean_scrapy.cleaning.papers.source_body import best_stretches

gains = st.lists(st.integers(-9, 9), max_size=30)


@given(gains)
def test_the_best_stretch_has_the_greatest_sum_there_is(values: list[int]) -> None:
    every = [sum(values[i:j]) for i, j in itertools.combinations(range(len(values) + 1), 2)]
    found = best_stretches(values, 1.0)

    if max(every, default=0) <= 0:
        assert found == []
    else:
        assert {sum(values[r.start : r.stop]) for r in found} == {max(every)}


@given(gains)
def test_stretches_are_disjoint_rising_and_hold_every_gain(values: list[int]) -> None:
    found = best_stretches(values, 0.0)

    assert all(a.stop <= b.start for a, b in itertools.pairwise(found))
    inside = {at for one in found for at in one}
    assert all(at in inside for at, value in enumerate(values) if value > 0)
