from __future__ import annotations

import json
from importlib import resources

import pytest

from tests.pages import article, article_text
from tests.reading import LONG_PARAGRAPH, page_of, trace_of
from webclean_scrapy.cleaning import confidence
from webclean_scrapy.cleaning.cleaner import CleanConfig, clean
from webclean_scrapy.cleaning.confidence.body_confidence import (
    MAX_UNPARSED,
    WEIGHTS_FILE,
    body_confidence,
)
from webclean_scrapy.cleaning.confidence.body_signs import BODY_SIGNS
from webclean_scrapy.cleaning.method_names import EXTRACTORS

PARTS = "".join(
    f"<div class=x{at}><h4>Part {at}</h4><figure><p>{text}</p></figure>"
    f"<ul><li>{text[:50]}</ul></div>"
    for at, text in enumerate(article_text(3))
)


def test_the_weights_are_of_signs_that_there_are() -> None:
    weights = json.loads(resources.files(confidence).joinpath(WEIGHTS_FILE).read_text("utf-8"))

    assert set(weights) == set(BODY_SIGNS)
    assert any(weights.values())


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


def test_a_method_that_keeps_too_much_is_trusted_less_than_the_default() -> None:
    comments = "".join(f"<p>{text}</p>" for text in article_text(7))
    page = article(1).replace(
        '</div></div>\n<div class="related">',
        f'</div><div class="comments">{comments}</div></div><div class="related">',
    )
    usual, decay = (
        clean(page, config=CleanConfig(extractor=name)) for name in ("webclean", "decay")
    )

    assert article_text(7)[0] not in usual.text
    assert article_text(7)[0] in decay.text
    assert decay.confidence < usual.confidence


def test_a_page_that_was_not_parsed_is_trusted_half_at_most() -> None:
    found = clean(article(1), config=CleanConfig(max_tags=5))

    assert found.extractor == "source"
    assert 0.0 < found.confidence <= MAX_UNPARSED


def test_without_a_body_there_is_no_confidence() -> None:
    trace = trace_of(page_of("<div></div>"))

    assert body_confidence(trace.page, trace.evidence, trace.body, trace.models) == 0.0
    assert clean("").confidence == 0.0
