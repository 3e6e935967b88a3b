from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webclean_scrapy.cleaning.kind.page_kind import (
    LONG_RUN,
    MESSAGE,
    SHORT_BODY,
    SHORT_RUN,
    KindFeatures,
    declared_kind,
    page_kind,
)
from webclean_scrapy.cleaning.metadata.head import Head

ARTICLE = KindFeatures(
    page_units=3_000, link_units=400, body_units=2_000, body_link_units=50, lines=10, paragraphs=8,
    run=2_000, teaser_share=0.0, card_share=0.0, post_share=0.0, entry_share=0.0, ended_share=1.0,
    declared="", dated=False, titled=False, answers=False, in_the_way=False, message=False,
    code_share=0.0, list_url=False,
)  # fmt: skip


def kind_with(**features: object) -> tuple[str, str]:
    """Return name and reason of an ordinary article with these features changed."""
    kind = page_kind(dataclasses.replace(ARTICLE, **features))  # type: ignore[arg-type]
    return kind.name, kind.reason


def test_a_stretch_of_paragraphs_is_an_article() -> None:
    assert kind_with() == ("article", "a stretch of paragraphs")


def test_longer_stretches_are_surer() -> None:
    runs = (SHORT_RUN - 1, SHORT_RUN, LONG_RUN)
    sure = [page_kind(dataclasses.replace(ARTICLE, run=run)).confidence for run in runs]

    assert sure == sorted(set(sure))


#: A sentence among links, as beside the threads of a forum.
SHORT = {"body_units": SHORT_BODY - 1, "body_link_units": 0, "link_units": 1_501}


@pytest.mark.parametrize(
    ("features", "name", "reason"),
    [
        ({"body_units": 0}, "other", "no text"),
        ({"body_units": 0, "link_units": 2_000}, "list", "links and no text"),
        ({"body_units": 0, "link_units": 0, "page_units": 0}, "other", "no text"),
        ({"body_link_units": 1_500}, "list", "mostly links"),
        ({"body_link_units": 1_500, "declared": "article"}, "list", "mostly links"),
        ({"declared": "article", "run": 10, "list_url": True}, "article", "declares"),
        ({"declared": "article", "post_share": 1.0}, "article", "declares"),
        ({"declared": "article", "paragraphs": 0, "link_units": 2_000}, "list", "no paragraphs"),
        ({"code_share": 0.9}, "list", "nearly all of the page is link blocks"),
        ({"code_share": 0.9, "titled": True, "dated": True}, "article", "a stretch"),
        ({"declared": "list"}, "list", "declares itself a list"),
        ({"declared": "other"}, "other", "declares itself a discussion"),
        ({"entry_share": 0.9}, "list", "entries"),
        ({"entry_share": 0.8}, "article", "paragraphs"),
        ({"answers": True}, "other", "answers"),
        ({"in_the_way": True, "body_units": LONG_RUN - 1}, "other", "login"),
        ({"in_the_way": True, "body_units": LONG_RUN}, "article", "paragraphs"),
        ({"message": True, "body_units": MESSAGE - 1}, "other", "message"),
        ({"message": True, "body_units": MESSAGE}, "article", "paragraphs"),
        ({"ended_share": 0.1, "paragraphs": 2}, "list", "names"),
        ({"ended_share": 0.1, "paragraphs": 3}, "article", "paragraphs"),
        ({"ended_share": 0.1, "paragraphs": 2, "lines": 7}, "article", "paragraphs"),
        ({"ended_share": 0.2, "paragraphs": 2}, "article", "paragraphs"),
        ({"paragraphs": 0, "link_units": 2_000}, "list", "links and no paragraphs"),
        ({"paragraphs": 0}, "other", "no paragraphs"),
        ({"post_share": 0.9}, "other", "forum"),
        ({"card_share": 0.75, "teaser_share": 0.85}, "list", "cards"),
        ({"card_share": 0.75, "teaser_share": 0.85, "post_share": 0.9}, "list", "cards"),
        ({"card_share": 0.75}, "article", "paragraphs"),
        ({"card_share": 0.7, "teaser_share": 0.85}, "article", "paragraphs"),
        ({"list_url": True, "run": LONG_RUN - 1}, "list", "address"),
        ({"list_url": True, "run": 300, "dated": True}, "list", "address"),
        ({"list_url": True, "run": 300, "dated": True, "titled": True}, "article", "paragraphs"),
        ({"list_url": True, "run": LONG_RUN}, "article", "paragraphs"),
        ({"run": SHORT_RUN - 1, "teaser_share": 0.5}, "list", "teasers"),
        ({"run": SHORT_RUN - 1, "teaser_share": 0.5, "dated": True}, "article", "paragraphs"),
        ({"run": SHORT_RUN, "teaser_share": 0.5}, "article", "paragraphs"),
        ({"run": SHORT_RUN - 1, "teaser_share": 0.39}, "article", "paragraphs"),
        (SHORT, "list", "not about the title"),
        ({**SHORT, "titled": True}, "article", "paragraphs"),
        ({**SHORT, "dated": True}, "article", "paragraphs"),
        ({**SHORT, "link_units": 1_500}, "article", "paragraphs"),
        ({**SHORT, "body_units": SHORT_BODY}, "article", "paragraphs"),
    ],
)
def test_the_kind_follows_from_the_facts(
    features: dict[str, object], name: str, reason: str
) -> None:
    found, why = kind_with(**features)

    assert found == name
    assert reason in why


shares, units = st.floats(0, 1), st.integers(0, 10_000)
some_features = st.builds(
    KindFeatures, page_units=units, link_units=units, body_units=units, body_link_units=units,
    lines=st.integers(0, 50), paragraphs=st.integers(0, 50), run=units, teaser_share=shares,
    card_share=shares, post_share=shares, entry_share=shares, ended_share=shares,
    declared=st.sampled_from(["", "article", "list", "other"]), dated=st.booleans(),
    titled=st.booleans(), answers=st.booleans(), in_the_way=st.booleans(), message=st.booleans(),
    list_url=st.booleans(),
)  # fmt: skip


def as_page(features: KindFeatures) -> KindFeatures:
    """Return the features with links and body no larger than the page."""
    page = features.page_units
    body = min(features.body_units, page)
    return dataclasses.replace(
        features, link_units=min(features.link_units, page), body_units=body,
        body_link_units=min(features.body_link_units, body),
    )  # fmt: skip


@given(some_features.map(as_page))
def test_every_verdict_is_one_of_three_and_says_why(features: KindFeatures) -> None:
    kind = page_kind(features)

    assert kind.name in {"article", "list", "other"}
    assert 0.0 < kind.confidence <= 1.0
    assert kind.reason


@given(some_features.map(as_page))
def test_a_longer_stretch_never_makes_an_article_none(features: KindFeatures) -> None:
    if page_kind(features).name == "article":
        assert page_kind(dataclasses.replace(features, run=features.run + 500)).name == "article"


@given(some_features.map(as_page))
def test_a_page_that_calls_itself_an_article_is_never_less_of_one(features: KindFeatures) -> None:
    if page_kind(features).name == "article":
        assert page_kind(dataclasses.replace(features, declared="article")).name == "article"


def test_a_word_or_two_is_no_article_unless_the_page_says_so() -> None:
    few = dataclasses.replace(
        ARTICLE, body_units=30, body_link_units=0, paragraphs=1, lines=1, run=30
    )
    assert page_kind(few).reason == "hardly any text"
    assert page_kind(dataclasses.replace(few, declared="article")).name == "article"


@given(some_features.map(as_page))
def test_what_leads_to_a_text_about_its_title_never_makes_an_article_none(
    features: KindFeatures,
) -> None:
    if page_kind(features).name == "article":
        assert page_kind(dataclasses.replace(features, titled=True)).name == "article"


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (Head(), ""),
        (Head(og_type="website", types=("WebPage", "Organization")), ""),
        (Head(og_type="Article"), "article"),
        (Head(types=("NewsArticle",)), "article"),
        (Head(types=("BlogPosting", "WebSite")), "article"),
        (Head(types=("DiscussionForumPosting",), og_type="article"), "other"),
        (Head(types=("JobPosting",)), "other"),
        (Head(types=("QAPage", "Question")), "other"),
        (Head(marked_types=("QAPage",)), "other"),
        (Head(marked_types=("Question", "Answer")), "other"),
        (Head(types=("FAQPage", "Question")), ""),
        (Head(types=("Article", "QAPage")), "article"),
        (Head(types=("Article", "Question")), "article"),
        (Head(types=("CollectionPage",)), "list"),
        (Head(marked_types=("SearchResultsPage",), og_type="article"), "list"),
        (Head(types=("CollectionPage", "NewsArticle")), ""),
        (Head(types=("Product",)), "other"),
        (Head(types=("Product", "Review")), ""),
        (Head(marked_types=("Product",)), ""),
        (Head(og_type="product.item"), "other"),
        (Head(og_type="profile"), "other"),
    ],
)
def test_a_page_is_taken_at_its_word(head: Head, kind: str) -> None:
    assert declared_kind(head) == kind
