from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from benchmarks.data import load_demo
from benchmarks.fitting import features
from benchmarks.fitting.fit import Example, FitOptions, Fitted, fit, read_examples, score_sets
from benchmarks.fitting.labels import label_lines
from benchmarks.fitting.models import Lines, fit_logistic
from benchmarks.leave_out import ON_ALL, fit_on_others, scores_line
from webclean_scrapy.cleaning.body.linear_model import default_weights

if TYPE_CHECKING:
    from pathlib import Path


def test_lines_of_the_labelled_text_are_body() -> None:
    lines = ["Home", "The ferry was late again today", "", "12 kn", "SE", "4 m", "Fog", "The end"]
    gold = "The ferry was late again today.\n12 kn SE 4 m\nFog"

    found = [line for line, is_body in zip(lines, label_lines(lines, gold), strict=True) if is_body]

    assert found == ["The ferry was late again today", "12 kn", "SE", "4 m", "Fog"]


def test_logistic_weights_tell_the_feature_that_decides() -> None:
    some = np.array([[1, 0, 0], [1, 1, 0], [1, 0, 1], [1, 1, 1]], np.float32)
    page = Lines(some, np.array([False, True, False, True]), np.ones(4))

    _, deciding, idle = fit_logistic([page, page], penalty=1e-2)

    assert deciding > 1
    assert idle == 0


def test_where_nothing_counts_every_weight_is_zero() -> None:
    page = Lines(np.eye(2, dtype=np.float32), np.array([True, False]), np.zeros(2))

    assert fit_logistic([page], penalty=1e-2).tolist() == [0, 0]


@pytest.fixture(scope="module")
def examples() -> list[Example]:
    return read_examples({"one": dict(list(load_demo().items())[:24])})


def test_weights_that_fit_some_pages_find_their_bodies(examples: list[Example]) -> None:
    fitted = fit(examples, FitOptions())
    scores = score_sets(examples, {"one": fitted})

    assert set(scores["one"]) == {False, True}
    assert min(scores["one"].values()) > 0.97
    assert "one+ " in scores_line(ON_ALL, scores)


def test_a_left_out_set_is_scored_by_the_others(examples: list[Example]) -> None:
    half = [replace(one, group=f"set {at % 2}") for at, one in enumerate(examples)]

    fitted = fit_on_others(half, FitOptions())

    assert list(fitted) == ["set 0", "set 1"]
    assert not np.array_equal(fitted["set 0"].line, fitted["set 1"].line)
    assert np.array_equal(fitted["set 0"].line, fit(half[1::2], FitOptions()).line)


def test_the_file_of_weights_is_what_the_package_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, read = default_weights(), features.WEIGHTS.read_text("utf-8")
    monkeypatch.setattr(features, "WEIGHTS", tmp_path / "weights.json")

    features.write_weights(Fitted(ours.line, ours.step, ours.inner, ours.threshold).to_dict())

    assert (tmp_path / "weights.json").read_text("utf-8") == read
