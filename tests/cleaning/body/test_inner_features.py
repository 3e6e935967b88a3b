from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given

from tests.reading import (
    LONG_PARAGRAPH,
    PARAGRAPH,
    SENTENCE,
    evidence_of,
    row_of,
    trees,
)
from webclean_scrapy.cleaning.body.features import INNER_FEATURES, inner_features

if TYPE_CHECKING:
    from webclean_scrapy.cleaning.body.evidence import Evidence


def inner_column(evidence: Evidence, ident: str, name: str) -> list[float]:
    row = row_of(evidence.table, ident)
    probability = np.linspace(0.2, 0.8, len(evidence.table.lines))
    features = inner_features(evidence, row, evidence.table.lines_in(row), probability)
    found: list[float] = features[:, INNER_FEATURES.index(name)].tolist()
    return found


PIECES = (
    "<p>Outside</p><div id=body>Own text<div class=related><p><a>A link line</a></p></div>"
    f"<div class=content>{PARAGRAPH}<p>Short</p>{LONG_PARAGRAPH}</div><p>Tail</p></div>"
)


def test_lines_before_the_first_and_behind_the_last_paragraph_are_marked() -> None:
    evidence = evidence_of(PIECES)

    assert inner_column(evidence, "body", "before first") == [1, 1, 0, 0, 0, 0]
    assert inner_column(evidence, "body", "after last") == [0, 0, 0, 0, 0, 1]


def test_sections_are_the_children_of_the_subtree() -> None:
    evidence = evidence_of(PIECES)
    weight = evidence.total

    assert inner_column(evidence, "body", "own text") == [1, 0, 0, 0, 0, 0]
    assert inner_column(evidence, "body", "section links") == [0, 1, 0, 0, 0, 0]
    assert inner_column(evidence, "body", "section named other") == [0, 1, 0, 0, 0, 0]
    assert inner_column(evidence, "body", "section named body") == [0, 0, 1, 1, 1, 0]
    density = weight / (weight + len("Short"))
    assert inner_column(evidence, "body", "section density") == pytest.approx(
        [0, 0, density, density, density, 0]
    )
    assert inner_column(evidence, "body", "section share") == [0, 0, 1, 1, 1, 0]
    one, three = np.log1p(1) / 4, np.log1p(3) / 4
    assert inner_column(evidence, "body", "section lines") == pytest.approx(
        [0, one, three, three, three, one]
    )


def test_a_signature_is_the_names_of_a_lines_box_and_the_element_above() -> None:
    evidence = evidence_of(PIECES)
    weights = np.array(evidence.weights[1:]) / evidence.total

    counts = inner_column(evidence, "body", "signature count")
    paragraphs = inner_column(evidence, "body", "signature paragraphs")

    assert counts == pytest.approx([0.05, 0.05, 0.15, 0.15, 0.15, 0.05])
    assert paragraphs == pytest.approx([0, 0, 2 / 3, 2 / 3, 2 / 3, 0])
    assert inner_column(evidence, "body", "signature never") == [1, 1, 0, 0, 0, 1]
    assert inner_column(evidence, "body", "signature share")[2] == pytest.approx(weights.sum())


def test_log_odds_are_given_and_their_means_are_over_groups_and_signatures() -> None:
    evidence = evidence_of(
        f"<div id=body><p>{SENTENCE * 4}</p><ul><li>One<li>Two</ul><p>Three</p></div>"
    )

    own = np.array(inner_column(evidence, "body", "log odds"))
    group = np.array(inner_column(evidence, "body", "group log odds"))
    alike = np.array(inner_column(evidence, "body", "signature log odds"))

    assert own == pytest.approx(np.log(np.array([0.25, 2 / 3, 1.5, 4])) / 4, abs=1e-4)
    assert group[[0, 3]] == pytest.approx(own[[0, 3]])
    assert group[[1, 2]] == pytest.approx(own[[1, 2]].mean())
    assert alike[[0, 3]] == pytest.approx(own[[0, 3]].mean())


def test_lines_about_rights_are_marked_in_any_language() -> None:
    notices = (
        "The Harbour Post. All rights reserved.", "Alle Rechte vorbehalten", "Все права защищены",
        "無断転載を禁じます", "무단 전재 금지", "We may earn a commission from affiliate links.",
    )  # fmt: skip
    texts = "".join(f"<p>{notice}</p>" for notice in notices)
    evidence = evidence_of(
        f"<div id=body>{PARAGRAPH}{texts}<p>Impressum {SENTENCE * 9}</p><p>Right.</p></div>"
    )

    assert inner_column(evidence, "body", "rights") == [0] + [1] * len(notices) + [0, 0]


@given(trees())
def test_inner_features_are_finite_on_any_tree_whatever_the_chances(html: str) -> None:
    evidence = evidence_of(html)
    probability = np.arange(len(evidence.table.lines)) % 2  # sure one way or the other
    for row in range(len(evidence.table)):
        inside = evidence.table.lines_in(row)

        features = inner_features(evidence, row, inside, probability.astype(float))

        assert features.shape == (len(inside), len(INNER_FEATURES))
        assert np.isfinite(features).all()
