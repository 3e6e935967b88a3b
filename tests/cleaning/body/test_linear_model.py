from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reading import (
    LONG_PARAGRAPH,
    OTHER_PARAGRAPH,
    PARAGRAPH,
    SENTENCE,
    evidence_of,
    line_of,
    row_of,
    trees,
)
from webclean_scrapy.cleaning.body import linear_model
from webclean_scrapy.cleaning.body.certain_rules import NEVER, apply_rules
from webclean_scrapy.cleaning.body.inner_features import INNER_FEATURES
from webclean_scrapy.cleaning.body.line_features import LINE_FEATURES, sigmoid
from webclean_scrapy.cleaning.body.linear_model import (
    Selection,
    Weights,
    default_weights,
    rank_subtrees,
    select_body,
)
from webclean_scrapy.cleaning.body.subtree_features import SUBTREE_FEATURES, candidates

if TYPE_CHECKING:
    from webclean_scrapy.cleaning.body.evidence import Evidence

WEIGHTS = default_weights()


def select(evidence: Evidence, decay_row: int, weights: Weights) -> Selection:
    return select_body(rank_subtrees(evidence, decay_row, weights), evidence, weights)


def test_missing_features_weigh_nothing() -> None:
    weights = Weights.from_dict(
        {"line": {"one": 2}, "subtree": {}, "inner": {"log odds": 3}, "threshold": "-1"}
    )

    assert weights.line.tolist() == [2.0] + [0.0] * (len(LINE_FEATURES) - 1)
    assert weights.subtree.tolist() == [0.0] * len(SUBTREE_FEATURES)
    assert weights.inner[len(LINE_FEATURES)] == 3.0
    assert len(weights.inner) == len(LINE_FEATURES) + len(INNER_FEATURES)
    assert weights.threshold == -1.0


@pytest.mark.parametrize("model", ["line", "subtree", "inner"])
def test_weights_of_unknown_features_are_refused_by_name(model: str) -> None:
    data = {"line": {}, "subtree": {}, "inner": {}, "threshold": 0} | {model: {"luck": 1.0}}

    with pytest.raises(ValueError, match="luck"):
        Weights.from_dict(data)


def test_the_weights_of_the_package_are_finite_and_read_once() -> None:
    assert default_weights() is WEIGHTS
    for column in (WEIGHTS.line, WEIGHTS.subtree, WEIGHTS.inner):
        assert np.isfinite(column).all()
        assert column.any()


def test_sigmoid_is_the_probability_of_log_odds_and_never_overflows() -> None:
    assert sigmoid(np.array([0.0, np.log(3.0)])).tolist() == pytest.approx([0.5, 0.75])
    assert sigmoid(np.array([-1e9, 1e9])).tolist() == pytest.approx([0.0, 1.0])


def test_of_nested_candidates_with_the_same_lines_the_outermost_is_taken() -> None:
    evidence = evidence_of(
        f"<p>Menu</p><div id=outer><div id=inner>{PARAGRAPH}</div></div>{OTHER_PARAGRAPH}"
    )
    rows = candidates(evidence)

    assert row_of(evidence.table, "outer") in rows
    assert row_of(evidence.table, "inner") not in rows


def test_containers_with_next_to_no_paragraphs_are_no_candidates() -> None:
    evidence = evidence_of(
        f"<div id=body>{LONG_PARAGRAPH * 20}</div><div id=menu>Home</div>"
        "<div id=little><p>It is closed, they said.</p></div>"
    )
    rows = candidates(evidence)

    assert row_of(evidence.table, "body") in rows
    assert row_of(evidence.table, "menu") not in rows
    assert row_of(evidence.table, "little") not in rows


def test_an_empty_page_has_its_root_as_candidate() -> None:
    assert candidates(evidence_of("")) == [0]


@given(trees())
def test_candidates_rise_and_differ_in_their_lines(html: str) -> None:
    evidence = evidence_of(html)
    rows = candidates(evidence)
    held = [(lines.start, lines.stop) for lines in map(evidence.table.lines_in, rows)]

    assert rows == sorted(set(rows))
    assert len(set(held)) == len(held)


ARTICLE = (
    "<div id=menu><a>Home</a> <a>News</a></div><div id=story><h1>Crack closes the pier</h1>"
    f"{LONG_PARAGRAPH * 3}</div><div id=side><a>One headline</a><p>Teaser text.</p></div>"
)


def test_the_element_with_the_paragraphs_is_chosen() -> None:
    evidence = evidence_of(ARTICLE, titles=["Crack closes the pier"])

    selection = select(evidence, 0, WEIGHTS)

    assert evidence.table.lines_in(selection.row) == selection.lines
    assert line_of(evidence.table, "Home") not in selection.lines
    assert sum(evidence.weights[line] for line in selection.lines) > 0.8 * evidence.total
    assert 0.0 < selection.probability <= 1.0


def split_body(name: str) -> str:
    return (
        f"<div id=all><div class=text id=first>{LONG_PARAGRAPH * 6}</div><p><a>Coats</a></p>"
        f"<div class={name}>{LONG_PARAGRAPH}</div></div><div class=foot>Imprint</div>"
    )


@pytest.mark.parametrize(("name", "chosen"), [("text", "all"), ("other", "first")])
def test_a_body_that_goes_on_in_a_container_of_the_same_name_is_chosen_whole(
    name: str, chosen: str
) -> None:
    evidence = evidence_of(split_body(name))
    decay = np.array([100.0 * (feature == "decay") for feature in SUBTREE_FEATURES])
    first = row_of(evidence.table, "first")

    selection = select(evidence, first, dataclasses.replace(WEIGHTS, subtree=decay))

    assert selection.row == row_of(evidence.table, chosen)
    assert selection.lines == evidence.table.lines_in(selection.row)


def test_the_order_of_candidates_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    evidence = evidence_of(ARTICLE, titles=["Crack closes the pier"])
    rows = candidates(evidence)
    assert len(rows) > 1
    forward = select(evidence, 0, WEIGHTS)

    monkeypatch.setattr(linear_model, "candidates", lambda _: rows[::-1])
    backward = select(evidence, 0, WEIGHTS)

    assert backward.row == forward.row
    assert backward.probability == pytest.approx(forward.probability)
    assert backward.log_odds.tolist() == pytest.approx(forward.log_odds.tolist())


def test_candidates_that_weigh_nothing_share_the_confidence() -> None:
    evidence = evidence_of(ARTICLE)
    none = dataclasses.replace(WEIGHTS, subtree=np.zeros(len(SUBTREE_FEATURES)))

    assert select(evidence, 0, none).probability == pytest.approx(1 / len(candidates(evidence)))


@given(trees())
def test_a_choice_is_whole_on_any_tree(html: str) -> None:
    evidence = evidence_of(html, titles=["The northern pier"])

    selection = select(evidence, 0, WEIGHTS)

    assert selection.lines == evidence.table.lines_in(selection.row)
    assert selection.features.shape == (
        len(selection.lines),
        len(LINE_FEATURES) + len(INNER_FEATURES),
    )
    assert selection.log_odds.shape == (len(selection.lines),)
    assert np.isfinite(selection.log_odds).all()
    assert 0.0 < selection.probability <= 1.0


GROUPED = f"<p>{SENTENCE * 9}</p><ul><li>One<li>Two<li>Three</ul><p>Tail</p>"


def test_a_list_is_settled_by_the_mean_of_its_lines() -> None:
    evidence = evidence_of(GROUPED)

    ruled = apply_rules(np.array([4.0, 3.0, -2.0, -4.0, 2.0]), evidence, range(5))

    assert ruled.tolist() == [4.0, -1.0, -1.0, -1.0, 2.0]


def test_of_a_list_that_is_cut_the_lines_inside_are_settled() -> None:
    evidence = evidence_of(GROUPED)

    assert apply_rules(np.array([-2.0, -4.0, 2.0]), evidence, range(2, 5)).tolist() == [
        -3.0,
        -3.0,
        2.0,
    ]


def test_rules_change_nothing_that_it_is_given() -> None:
    log_odds = np.array([4.0, 3.0, -2.0, -4.0, 2.0])

    apply_rules(log_odds, evidence_of(GROUPED), range(5))

    assert log_odds.tolist() == [4.0, 3.0, -2.0, -4.0, 2.0]


@pytest.mark.parametrize(
    "html",
    ["<img><p class=caption>Pier</p>", "<h3>Related</h3>", "<p>责任编辑：王小明</p>"],
)
def test_captions_end_headings_and_editors_are_never_body(html: str) -> None:
    evidence = evidence_of(PARAGRAPH + html)

    first, second = apply_rules(np.array([9.0, 9.0]), evidence, range(2)).tolist()

    assert first == 9.0
    assert second < WEIGHTS.threshold


@pytest.mark.parametrize(("paragraphs", "goes"), [(4, True), (3, False)])
def test_a_second_copy_of_the_body_goes(paragraphs: int, *, goes: bool) -> None:
    copy = "".join(f"<p>{SENTENCE} Report number {n}.</p>" for n in range(paragraphs))
    evidence = evidence_of(f"{copy}<p>Short</p>{copy}<p>Short</p>")
    size = len(evidence.weights)

    ruled = apply_rules(np.full(size, 5.0), evidence, range(size))

    kept = [line for line in range(size) if ruled[line] == 5.0]
    second = set(range(paragraphs + 1, 2 * paragraphs + 1))
    assert kept == [line for line in range(size) if not goes or line not in second]


@given(trees(), st.floats(-20, 20), st.floats(-20, 20))
def test_ruled_log_odds_are_never_above_all_that_were_given(
    html: str, low: float, high: float
) -> None:
    evidence = evidence_of(html)
    size = len(evidence.table.lines)
    log_odds = np.linspace(low, high, size)

    ruled = apply_rules(log_odds, evidence, range(size))

    assert ruled.shape == log_odds.shape
    assert ruled.max(initial=-99.0) <= max(low, high, NEVER) + 1e-9
