from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

from benchmarks import confidence
from benchmarks.data import load_demo
from benchmarks.fitting import confidence_weights
from benchmarks.fitting.confidence_weights import (
    JudgedBody,
    fit_weights,
    judge_bodies,
    predict_left_out,
    write_weights,
)
from webclean_scrapy.cleaning.confidence.body_signs import BODY_SIGNS

if TYPE_CHECKING:
    from pathlib import Path

    from benchmarks.data import Page, Sets

DOUBT = BODY_SIGNS.index("expected loss")


def bodies(groups: str = "abc", count: int = 40) -> list[JudgedBody]:
    """Return bodies that are wrong where the model doubts them, and one in ten where not."""
    made = []
    for group in groups:
        for at in range(count):
            signs = np.zeros(len(BODY_SIGNS))
            signs[[0, DOUBT]] = 1.0, -4.0 + 3 * (at % 4 == 0)
            made.append(JudgedBody(group, signs, 0.5 if at % 4 == 0 or at % 10 == 9 else 0.99))
    return made


@pytest.fixture(scope="module")
def sets() -> Sets:
    demo = [key for key, page in load_demo().items() if page.kind == "article"]
    return {"one": pages(demo[:6]), "two": pages(demo[-6:])}


def pages(keys: list[str]) -> dict[str, Page]:
    """Return these pages of the demo portal, as siblings of each other."""
    demo = load_demo()
    siblings = {key: tuple(other for other in demo[key].siblings if other in keys) for key in keys}
    return {key: dataclasses.replace(demo[key], siblings=siblings[key]) for key in keys}


def test_a_sign_of_wrong_bodies_weighs_against_them_and_the_others_nothing() -> None:
    weights = fit_weights(bodies())

    assert list(weights) == list(BODY_SIGNS)
    assert weights["expected loss"] < 0
    assert {weights[sign] for sign in BODY_SIGNS[1:] if sign != "expected loss"} == {0.0}


def test_each_set_is_predicted_by_the_others_alone() -> None:
    same, other = bodies("abc"), bodies("ab")
    strange = [JudgedBody("c", body.signs, 1.49 - body.f1) for body in bodies("c")]

    predicted = predict_left_out(same)
    assert predicted[:40].tolist() == pytest.approx(predicted[40:80].tolist())
    assert predict_left_out(other + strange)[80:].tolist() == pytest.approx(
        predict_left_out(other + bodies("c"))[80:].tolist()
    )
    assert predicted[0] < 0.5 < predicted[1]


def test_the_tables_show_each_set_and_all_and_bins_that_were_met() -> None:
    shown = confidence.sets_section(bodies()).splitlines()
    bins = confidence.bins_section(bodies()).splitlines()

    assert [line.split("|")[1].strip() for line in shown[2:]] == ["a", "b", "c", "all"]
    assert [cell.strip() for cell in shown[-1].split("|")[2:4]] == ["120", "42"]
    assert sum(int(line.split("|")[2]) for line in bins[2:]) == 120


def test_articles_are_judged_alone_and_beside_a_sibling(
    sets: Sets, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(confidence_weights, "load_demo", dict)

    judged = judge_bodies(sets)

    assert {body.group for body in judged} == {"one", "two"}
    assert len(judged) > 12
    assert all(body.signs.shape == (len(BODY_SIGNS),) for body in judged)
    assert any(body.is_right for body in judged)
    again = judge_bodies(sets)
    assert [body.f1 for body in again] == [body.f1 for body in judged]
    assert all((a.signs == b.signs).all() for a, b in zip(judged, again, strict=True))


def test_the_cost_is_a_share_of_a_clean(sets: Sets, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confidence, "ROUNDS", 1)
    monkeypatch.setattr(confidence, "COSTED", 3)

    assert confidence.cost_section(sets).endswith(" of a clean, 3 pages")


def test_weights_are_written_where_the_package_reads_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert confidence_weights.WEIGHTS.is_file()
    monkeypatch.setattr(confidence_weights, "WEIGHTS", tmp_path / "weights.json")

    write_weights({"one": 0.5})

    assert json.loads((tmp_path / "weights.json").read_text("utf-8")) == {"one": 0.5}
