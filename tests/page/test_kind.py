from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webclean_scrapy.page.kind import LONG_RUN, SHORT_RUN, KindFacts, judge_kind

ARTICLE = KindFacts(
    page_units=3_000, link_units=400, body_units=2_000, body_link_units=50, paragraphs=8,
    run=2_000, teaser_share=0.0, card_share=0.0, post_share=0.0, declared=False, dated=False,
    list_url=False,
)  # fmt: skip


def kind_with(**facts: float) -> tuple[str, str]:
    """Return name and reason of an ordinary article with these facts changed."""
    kind = judge_kind(dataclasses.replace(ARTICLE, **facts))  # type: ignore[arg-type]
    return kind.name, kind.reason


def test_a_stretch_of_paragraphs_is_an_article() -> None:
    assert kind_with() == ("article", "a stretch of paragraphs")


def test_longer_stretches_are_surer() -> None:
    runs = (SHORT_RUN - 1, SHORT_RUN, LONG_RUN)
    sure = [judge_kind(dataclasses.replace(ARTICLE, run=run)).confidence for run in runs]

    assert sure == sorted(set(sure))


@pytest.mark.parametrize(
    ("facts", "name", "reason"),
    [
        ({"body_units": 0}, "other", "no text"),
        ({"body_units": 0, "link_units": 2_000}, "list", "links and no text"),
        ({"body_units": 0, "link_units": 0, "page_units": 0}, "other", "no text"),
        ({"body_link_units": 1_500}, "list", "mostly links"),
        ({"body_link_units": 1_500, "declared": True}, "list", "mostly links"),
        ({"declared": True, "run": 10, "list_url": True}, "article", "declares"),
        ({"declared": True, "post_share": 1.0}, "article", "declares"),
        ({"declared": True, "paragraphs": 0, "link_units": 2_000}, "list", "no paragraphs"),
        ({"paragraphs": 0, "link_units": 2_000}, "list", "links and no paragraphs"),
        ({"paragraphs": 0}, "other", "no paragraphs"),
        ({"post_share": 0.9}, "other", "forum"),
        ({"card_share": 0.95, "teaser_share": 0.95}, "list", "cards"),
        ({"card_share": 0.95}, "article", "paragraphs"),
        ({"list_url": True, "run": LONG_RUN - 1}, "list", "address"),
        ({"list_url": True, "run": LONG_RUN}, "article", "paragraphs"),
        ({"run": SHORT_RUN - 1, "teaser_share": 0.5}, "list", "teasers"),
        ({"run": SHORT_RUN - 1, "teaser_share": 0.5, "dated": True}, "article", "paragraphs"),
        ({"run": SHORT_RUN, "teaser_share": 0.5}, "article", "paragraphs"),
        ({"run": SHORT_RUN - 1, "teaser_share": 0.4}, "article", "paragraphs"),
    ],
)
def test_the_kind_follows_from_the_facts(facts: dict[str, float], name: str, reason: str) -> None:
    found, why = kind_with(**facts)

    assert found == name
    assert reason in why


shares, units = st.floats(0, 1), st.integers(0, 10_000)
some_facts = st.builds(
    KindFacts, page_units=units, link_units=units, body_units=units, body_link_units=units,
    paragraphs=st.integers(0, 50), run=units, teaser_share=shares, card_share=shares,
    post_share=shares, declared=st.booleans(), dated=st.booleans(), list_url=st.booleans(),
)  # fmt: skip


def as_page(facts: KindFacts) -> KindFacts:
    """Return the facts with links and body no larger than the page."""
    page = facts.page_units
    body = min(facts.body_units, page)
    return dataclasses.replace(
        facts, link_units=min(facts.link_units, page), body_units=body,
        body_link_units=min(facts.body_link_units, body),
    )  # fmt: skip


@given(some_facts.map(as_page))
def test_every_verdict_is_one_of_three_and_says_why(facts: KindFacts) -> None:
    kind = judge_kind(facts)

    assert kind.name in {"article", "list", "other"}
    assert 0.0 < kind.confidence <= 1.0
    assert kind.reason


@given(some_facts.map(as_page))
def test_a_longer_stretch_never_makes_an_article_none(facts: KindFacts) -> None:
    if judge_kind(facts).name == "article":
        assert judge_kind(dataclasses.replace(facts, run=facts.run + 500)).name == "article"


@given(some_facts.map(as_page))
def test_a_page_that_calls_itself_an_article_is_never_less_of_one(facts: KindFacts) -> None:
    if judge_kind(facts).name == "article":
        assert judge_kind(dataclasses.replace(facts, declared=True)).name == "article"


def test_a_word_or_two_is_no_article_unless_the_page_says_so() -> None:
    few = dataclasses.replace(
        ARTICLE, body_units=30, body_link_units=0, paragraphs=1, run=30, declared=False
    )
    assert judge_kind(few).reason == "hardly any text"
    assert judge_kind(dataclasses.replace(few, declared=True)).name == "article"
