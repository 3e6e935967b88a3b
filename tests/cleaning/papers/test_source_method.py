from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webclean_scrapy.cleaning.papers.source_method import SourceConfig, best_stretches
from webclean_scrapy.errors import ConfigError

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


def test_a_small_loss_joins_and_a_great_one_parts() -> None:
    assert best_stretches([50, -10, 50], 0.1) == [range(3)]
    assert best_stretches([50, -90, 50], 0.1) == [range(1), range(2, 3)]
    assert best_stretches([50, -90, 4], 0.1) == [range(1)]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"gap": -1}, "gap must be at least 0, got -1"),
        ({"min_share": 1.5}, "min_share must be between 0 and 1, got 1.5"),
    ],
)
def test_an_invalid_option_is_a_config_error(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        SourceConfig(**options)
