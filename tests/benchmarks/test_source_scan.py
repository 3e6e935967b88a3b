from __future__ import annotations

from benchmarks.data import load_demo
from benchmarks.source_scan import (
    bodies_table,
    costs_table,
    measure_source_bodies,
    measure_source_costs,
)


def test_every_shape_is_timed_at_every_size_and_beside_a_parse() -> None:
    costs = measure_source_costs((100_000, 200_000, 400_000), rounds=1)

    assert all(len(cost.scan.seconds) == 3 for cost in costs.values())
    assert [name for name, cost in costs.items() if cost.parse is None] == ["attributes of one tag"]
    assert "0.1 MB" in costs_table(costs)


def test_bodies_of_pages_that_are_not_parsed_are_scored_beside_the_usual_ones() -> None:
    pages = dict(list(load_demo().items())[:20])
    scores = measure_source_bodies(pages)

    assert scores["source"].recall > 0.9
    assert scores["source"].f1 <= scores["webclean, no sibling"].f1
    assert "source" in bodies_table({"demo": scores})
