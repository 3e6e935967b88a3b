from __future__ import annotations

from hypothesis import given

from tests.reading import LONG_PARAGRAPH, PARAGRAPH, page_of, trace_of, trees
from webclean_scrapy.cleaning.kind.body_shape import measure_shape
from webclean_scrapy.cleaning.kind.text_signs import TEXT, text_signs


def signs_of(html: str) -> dict[str, float]:
    trace = trace_of(page_of(html))
    return text_signs(trace.evidence, trace.body, measure_shape(trace.evidence, trace.body.lines))


def test_a_sentence_is_less_of_a_stretch_than_a_text() -> None:
    few, many = signs_of(PARAGRAPH), signs_of(LONG_PARAGRAPH * 20)

    for name in ("one stretch is the body", "lines that end like sentences", "paragraph elements"):
        assert few[name] < 0.3
        assert many[name] > 0.8


def test_headings_are_counted_and_set_against_the_text() -> None:
    sections = f"<h2>One thing</h2>{PARAGRAPH}" * 6
    one = f"<h2>One thing</h2>{PARAGRAPH * 6}"

    assert (
        signs_of(f"<div>{sections}</div>")["headings"] > signs_of(f"<div>{one}</div>")["headings"]
    )
    name = "a heading every few sentences"
    assert signs_of(f"<div>{sections}</div>")[name] > 1.5 * signs_of(f"<div>{one}</div>")[name]


@given(trees())
def test_the_signs_of_any_tree_are_shares(html: str) -> None:
    signs = signs_of(html)

    assert set(signs) == set(TEXT)
    assert all(0.0 <= value <= 1.0 for value in signs.values())
