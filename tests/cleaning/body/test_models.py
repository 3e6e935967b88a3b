from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reading import (
    LONG_PARAGRAPH,
    PARAGRAPH,
    SENTENCE,
    evidence_of,
    row_of,
    trees,
)
from webclean_scrapy.cleaning.body.decay_walk import DecayWalk, walk_down
from webclean_scrapy.cleaning.body.features import (
    INNER_FEATURES,
    LINE_FEATURES,
    estimate_lines,
)
from webclean_scrapy.cleaning.body.models import (
    Weights,
    default_weights,
    favoring,
)
from webclean_scrapy.cleaning.body.selection import NEVER, Selection, apply_rules, select_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webclean_scrapy.cleaning.body.evidence import Evidence

WEIGHTS = default_weights()
NARROW_TO_WIDE = ("precision", "balanced", "recall")


@pytest.mark.parametrize("model", ["line", "step", "inner"])
def test_weights_of_unknown_features_are_refused_by_name(model: str) -> None:
    data = {"line": {}, "step": {}, "inner": {}, "threshold": 0} | {model: {"luck": 1.0}}

    with pytest.raises(ValueError, match="luck"):
        Weights.from_dict(data)


ARTICLE = (
    "<div id=menu><a>Home</a> <a>News</a></div><div id=story><h1>Crack closes the pier</h1>"
    f"{LONG_PARAGRAPH * 3}</div><div id=side><a>One headline</a><p>Teaser text.</p></div>"
)


def select(
    html: str, titles: Sequence[str] = (), weights: Weights = WEIGHTS
) -> tuple[Evidence, DecayWalk, Selection]:
    evidence = evidence_of(html, titles=titles)
    lines = estimate_lines(evidence, weights.line)
    walk = walk_down(evidence, lines.probability, weights.step)
    return evidence, walk, select_lines(evidence, walk.row, lines, weights)


def test_the_walk_ends_in_the_element_with_the_paragraphs() -> None:
    evidence, walk, selection = select(ARTICLE, ["Crack closes the pier"])

    assert walk.row == row_of(evidence.table, "story")
    assert selection.lines == evidence.table.lines_in(walk.row)
    assert (selection.probability > 0.5).tolist() == (
        selection.log_odds > WEIGHTS.threshold
    ).tolist()


@given(trees())
def test_a_selection_is_whole_on_any_tree(html: str) -> None:
    evidence, walk, selection = select(html, ["The northern pier"])

    assert selection.lines == evidence.table.lines_in(walk.row)
    assert selection.features.shape == (
        len(selection.lines),
        len(LINE_FEATURES) + len(INNER_FEATURES),
    )
    assert selection.log_odds.shape == (len(selection.lines),)
    assert np.isfinite(selection.log_odds).all()


def kept_by(selection: Selection) -> set[int]:
    return {
        line
        for line, likely in zip(selection.lines, selection.probability, strict=True)
        if likely > 0.5
    }


@given(trees())
def test_precision_keeps_less_and_recall_more_of_the_same_subtree(html: str) -> None:
    found = [select(html, weights=favoring(WEIGHTS, one, False)) for one in NARROW_TO_WIDE]

    for (_, narrow_walk, narrow), (_, wide_walk, wide) in pairwise(found):
        assert narrow_walk.rows == wide_walk.rows
        assert narrow_walk.stop >= wide_walk.stop
        if narrow_walk.stop == wide_walk.stop:
            assert kept_by(narrow) <= kept_by(wide)


GROUPED = f"<p>{SENTENCE * 9}</p><ul><li>One<li>Two<li>Three</ul><p>Tail</p>"


def test_a_list_is_settled_by_the_mean_of_its_lines() -> None:
    evidence = evidence_of(GROUPED)

    ruled = apply_rules(np.array([4.0, 3.0, -2.0, -4.0, 2.0]), evidence, range(5))

    assert ruled.tolist() == [4.0, -1.0, -1.0, -1.0, 2.0]


@pytest.mark.parametrize(
    "html",
    ["<img><p class=caption>Pier</p>", "<h3>Related</h3>", "<p>责任编辑：王小明</p>"],
)
def test_captions_end_headings_and_editors_are_never_body(html: str) -> None:
    evidence = evidence_of(PARAGRAPH + html)

    first, second = apply_rules(np.array([9.0, 9.0]), evidence, range(2)).tolist()

    assert first == 9.0
    assert second < WEIGHTS.threshold


def kept_of(html: str) -> list[str]:
    """Return the lines of *html* that the rules leave to the model."""
    evidence = evidence_of(html)
    size = len(evidence.weights)
    ruled = apply_rules(np.full(size, 5.0), evidence, range(size))
    return [evidence.table.lines.text[line] for line in range(size) if ruled[line] == 5.0]


def reports(count: int) -> list[str]:
    return [f"{SENTENCE} Report number {n}." for n in range(count)]


def paragraphs_of(texts: Sequence[str]) -> str:
    return "".join(f"<p>{text}</p>" for text in texts)


@pytest.mark.parametrize(("count", "goes"), [(4, True), (3, False)])
def test_a_second_copy_of_the_body_goes(count: int, *, goes: bool) -> None:
    copy = [*reports(count), "Short"]

    kept = kept_of(f"{paragraphs_of(copy)}<p>Other</p>{paragraphs_of(copy)}<p>End</p>")

    assert kept == [*copy, "Other", *([] if goes else copy), "End"]


def test_one_paragraph_again_is_none_however_long() -> None:
    long = f"<p>{SENTENCE * 9}</p>"

    assert len(kept_of(f"{long}<p>Short</p>{long}")) == 3


def test_what_is_repeated_line_by_line_is_no_copy() -> None:
    questions = reports(5)  # put to one after the other, each with an answer of her own

    texts = [line for n in range(3) for asked in questions for line in (asked, f"Answer {n}")]

    assert kept_of(paragraphs_of(texts)) == texts


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
