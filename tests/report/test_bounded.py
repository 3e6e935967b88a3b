from __future__ import annotations

import random
from dataclasses import dataclass
from functools import partial

from webclean_scrapy.report.bounded import Groups, Lowest


@dataclass
class Counted:
    size: int = 0


def test_few_groups_are_all_there_the_largest_first() -> None:
    groups = Groups(3, Counted)
    for name, size in (("a", 2), ("b", 5), ("c", 1)):
        groups.of(name).size += size
    assert [(name, one.size) for name, one in groups.largest()] == [("b", 5), ("a", 2), ("c", 1)]
    assert (groups.left_out, groups.left_out_size) == (0, 0)


def test_of_many_groups_the_largest_stay_and_the_rest_is_counted() -> None:
    groups, chance = Groups(10, Counted), random.Random(1)
    names = [f"rare {n}" for n in range(5_000)] + [f"often {n % 5}" for n in range(2_000)]
    chance.shuffle(names)
    for name in names:
        groups.of(name).size += 1
        assert len(groups) <= 20
    largest = groups.largest()
    assert len(largest) == 10
    assert {name for name, _ in largest[:5]} == {f"often {n}" for n in range(5)}
    kept = sum(one.size for _, one in largest)
    assert kept + groups.left_out_size == len(names)
    assert groups.left_out > 4_000


def test_the_lowest_entries_are_kept_in_order_and_equal_ones_as_they_came() -> None:
    lowest: Lowest[str] = Lowest(4)
    scores = [0.5, 0.1, 0.9, 0.5, 0.1, 0.5, 0.3]
    for place, score in enumerate(scores):
        lowest.add(score, partial("{} at {}".format, score, place))
    assert lowest.ranked() == ["0.1 at 1", "0.1 at 4", "0.3 at 6", "0.5 at 0"]


def test_what_is_not_kept_is_not_made() -> None:
    lowest: Lowest[int] = Lowest(1)
    made: list[int] = []

    def make(score: int) -> int:
        made.append(score)
        return score

    for score in (3, 5, 4, 2):
        lowest.add(score, partial(make, score))
    assert made == [3, 2]
