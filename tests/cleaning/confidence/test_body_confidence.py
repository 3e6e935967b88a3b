import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given

from tests.pages import article, article_text
from tests.reading import LONG_PARAGRAPH, OTHER_SENTENCE, page_of, trace_of, trees
from webclean_scrapy.cleaning.body.features import sigmoid
from webclean_scrapy.cleaning.cleaner import CleanConfig, clean
from webclean_scrapy.cleaning.confidence.body_confidence import (
    BODY_SIGNS,
    body_confidence,
    body_signs,
)
from webclean_scrapy.cleaning.method_names import EXTRACTORS
from webclean_scrapy.cleaning.trace import Trace

# The constants of the package, by value: a change of one fails here.
MOST_SURE = 4.0

PARTS = "".join(
    f"<div class=x{at}><h4>Part {at}</h4><figure><p>{text}</p></figure>"
    f"<ul><li>{text[:50]}</ul></div>"
    for at, text in enumerate(article_text(3))
)


def test_a_clear_page_is_surer_than_a_mixed_one() -> None:
    clear = clean(article(1))
    mixed = clean(f"<html><body>{PARTS}{LONG_PARAGRAPH}<div>{PARTS}</div></body></html>")

    assert clear.confidence > 0.8
    assert 0.0 < mixed.confidence < clear.confidence - 0.2


@pytest.mark.parametrize("extractor", EXTRACTORS)
def test_the_body_of_every_method_has_a_confidence(extractor: str) -> None:
    found = clean(
        article(1), siblings=[(article(2), None)], config=CleanConfig(extractor=extractor)
    )

    assert found.extractor == extractor or found.fallback
    assert 0.0 < found.confidence <= 1.0


def test_without_a_body_there_is_no_confidence() -> None:
    trace = trace_of(page_of("<div></div>"))

    assert body_confidence(trace.evidence, trace.body, trace.models, 1.0) == 0.0
    assert clean("").confidence == 0.0


STORY = f"<div id=story><h2>Crack closes the pier</h2>{LONG_PARAGRAPH * 4}</div>"
SIDE = f"<div id=side><p>{OTHER_SENTENCE}</p></div>"


def named(trace: Trace) -> dict[str, float]:
    assert trace.models is not None
    signs = body_signs(trace.evidence, trace.body, trace.models)
    return dict(zip(BODY_SIGNS, signs.tolist(), strict=True))


def with_lines(html: str, lines: tuple[int, ...], log_odds: float = 9.0) -> dict[str, float]:
    """Return the signs of a body of these lines of its subtree, each as likely as *log_odds*."""
    trace = trace_of(page_of(html))
    assert trace.selection is not None
    odds = np.full(len(trace.selection.lines), log_odds)
    return named(
        dataclasses.replace(
            trace,
            body=dataclasses.replace(trace.body, lines=lines),
            selection=dataclasses.replace(trace.selection, log_odds=odds, threshold=0.0),
        )
    )


def test_a_model_that_doubts_what_is_kept_expects_a_loss() -> None:
    lines = tuple(range(5))

    sure, doubtful = (with_lines(STORY, lines, odds)["expected loss"] for odds in (9.0, 0.0))

    assert math.exp(sure) == pytest.approx(0.01, abs=1e-3)
    half = 1 - 2 * 0.5 / (1 + 0.5)
    assert math.exp(doubtful) == pytest.approx(half + 0.01, abs=1e-3)


@pytest.mark.parametrize(
    ("go_on", "expected"),
    [([0.9, 0.5], 0.0), ([0.9, 0.2], math.log(0.801 / 0.201)), ([0.9, 0.0], MOST_SURE)],
)
def test_a_step_that_is_nearly_right_leaves_doubts(go_on: list[float], expected: float) -> None:
    trace = trace_of(page_of(f"<div>Menu</div><div>{STORY}{SIDE}</div>"))
    assert trace.walk is not None
    rows = [0, trace.walk.row, trace.walk.row + 1]
    walk = dataclasses.replace(trace.walk, rows=rows, go_on=np.array(go_on))

    assert named(dataclasses.replace(trace, walk=walk))["last step"] == pytest.approx(expected)


def test_likely_text_outside_the_subtree_is_seen() -> None:
    trace = trace_of(page_of(f"<p>{OTHER_SENTENCE}</p><div>{STORY}</div>"))
    assert trace.lines is not None
    assert trace.selection is not None
    units, inside = trace.evidence.table.columns.units, trace.selection.lines
    assert len(inside) < len(units)

    def outside(elsewhere: float, within: float) -> float:
        likely = np.full(len(units), elsewhere)
        likely[inside.start : inside.stop] = within
        assert trace.lines is not None
        lines = trace.lines._replace(probability=likely)
        return named(dataclasses.replace(trace, lines=lines))["likely outside"]

    beside = units.sum() - units[inside.start : inside.stop].sum()
    assert (outside(0.0, 0.5), outside(0.0, 0.0)) == (0.0, 0.0)
    assert outside(0.5, 0.5) == pytest.approx(beside / units.sum())


def test_lines_that_look_like_kept_ones_and_are_left_are_seen() -> None:
    every, half = (with_lines(STORY, lines)["alike left"] for lines in ((1, 2, 3, 4), (1, 2)))

    assert every == pytest.approx(0.0)
    assert half == pytest.approx(0.5)


def test_a_page_of_no_certain_kind_gets_as_much_of_each_kind_s_confidence() -> None:
    trace = clean(article(1)).trace

    def confident(of_article: float) -> float:
        return body_confidence(trace.evidence, trace.body, trace.models, of_article)

    assert confident(1.0) != pytest.approx(confident(0.0), abs=0.01)
    assert confident(0.25) == pytest.approx(0.25 * confident(1.0) + 0.75 * confident(0.0))


@given(trees())
def test_signs_are_finite_on_any_tree(html: str) -> None:
    trace = trace_of(page_of(html))

    if trace.body.lines and trace.selection is not None:
        assert np.isfinite(list(named(trace).values())).all()
        assert (
            (trace.selection.probability > 0.5)
            == (sigmoid(trace.selection.log_odds) > sigmoid(np.array([trace.selection.threshold])))
        ).all()
