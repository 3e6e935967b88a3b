from __future__ import annotations

from benchmarks.data import load_demo
from benchmarks.favor import favors_section, measure_favors
from benchmarks.scoring import set_score
from webclean_scrapy.cleaning.method_names import FAVORS


def test_each_favor_is_scored_on_each_set() -> None:
    pages = dict(list(load_demo().items())[:12])

    scores = measure_favors({"one": pages})["one"]

    assert list(scores) == list(FAVORS)
    assert scores["recall"].recall >= scores["balanced"].recall >= scores["precision"].recall > 0.9


def test_the_table_ends_with_the_means_over_sets() -> None:
    scores = {
        "one": {favor: set_score([(0.5, 1.0)]) for favor in FAVORS},
        "two": {favor: set_score([(0.7, 0.8)]) for favor in FAVORS},
    }

    *_, first, second, mean = favors_section(scores).split("\n")

    assert [cell.strip() for cell in first.split("|")[1:3]] == ["one", ".500 / 1 / .667"]
    assert [cell.strip() for cell in second.split("|")[1:3]] == ["two", ".700 / .800 / .747"]
    assert [cell.strip() for cell in mean.split("|")[1:3]] == ["mean", ".600 / .900 / .720"]
