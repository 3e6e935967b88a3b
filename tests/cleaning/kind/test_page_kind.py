import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webclean_scrapy.cleaning.kind.page_kind import (
    FEATURES,
    KINDS,
    ONE,
    KindFeatures,
    KindWeights,
    page_kind,
)

# The constants of the package, by value: a change of one fails here.
MESSAGE = 3000
MIN_BODY = 80
SHORT = 700

NONE = dict.fromkeys(FEATURES[1:], 0.0)
ARTICLE = KindFeatures(
    link_share=0.1, body_units=2_000, is_interstitial=False, answers=False, message=False,
    teasers=False, names=False, is_shared=False, is_of_the_site=False,
    signs=NONE
    | {"one stretch is the body": 0.8, "paragraph elements": 0.8,
       "length of the headings": 0.5},
)  # fmt: skip


def changed(signs: dict[str, float] | None = None, **features: object) -> KindFeatures:
    """Return the features of an ordinary article with these changed."""
    every = {**ARTICLE.signs, **(signs or {})}
    return dataclasses.replace(ARTICLE, signs=every, **features)  # type: ignore[arg-type]


def test_a_titled_stretch_of_paragraphs_is_an_article() -> None:
    kind = page_kind(ARTICLE)

    assert kind.name == "article"
    assert kind.confidence > 0.9
    assert kind.reason in FEATURES


def test_a_page_in_doubt_is_an_article_only_with_text_of_its_own() -> None:
    """A list whose headlines other pages have too leaves its footer as the body."""
    signs = {"one stretch is the body": 0.3, "paragraph elements": 0.2, "cards on the page": 0.6}
    own = page_kind(changed(signs))
    assert own.name == "article"
    assert own.probabilities["article"] < 0.5
    assert page_kind(changed(signs, is_shared=True)).name != "article"
    assert page_kind(changed(is_shared=True)).name == "article"


DECLARED = {"declared an article": 1.0}
SIGNS: dict[str, dict[str, float]] = {
    "forum": {
        "links to members": 0.8, "lines in posts": 0.7, "address of a forum": 1.0,
        "fields to fill in": 0.5, "one stretch is the body": 0.1,
    },
    "product": {
        "price below the title": 1.0, "declared a product": 1.0, "address of a product": 1.0,
        "one stretch is the body": 0.2,
    },
    "listing": {
        "cards on the page": 0.8, "boxes of paragraphs": 0.9, "pictures that are links": 0.8,
        "address of a category": 1.0, "one stretch is the body": 0.1, "paragraph elements": 0.1,
    },
}  # fmt: skip


@pytest.mark.parametrize(
    ("features", "name", "reason"),
    [
        *((changed(signs), name, "") for name, signs in SIGNS.items()),
        (changed(body_units=0), "other", "no text"),
        (changed(body_units=0, link_share=0.9), "listing", "links and no text"),
        (changed(is_interstitial=True, body_units=SHORT - 1), "other", "login"),
        (changed(DECLARED, is_of_the_site=True), "other", "about the site"),
        (changed(message=True, body_units=MESSAGE - 1), "other", "message"),
        (changed(answers=True), "forum", "answers"),
        (changed(body_units=MIN_BODY - 1), "other", "hardly any text"),
        (changed({"declared a discussion": 1.0}), "forum", "declared a discussion"),
        (changed(teasers=True), "listing", "lead to a page"),
        (changed(names=True), "listing", "names"),
        # long texts and declared articles are left to the model
        (changed(is_interstitial=True, body_units=SHORT), "article", ""),
        (changed(DECLARED, is_interstitial=True, body_units=SHORT - 1), "article", ""),
        (changed(DECLARED, teasers=True, names=True), "article", ""),
        (changed(body_units=MIN_BODY), "article", ""),
    ],
)
def test_rules_come_before_the_model(features: KindFeatures, name: str, reason: str) -> None:
    kind = page_kind(features)

    assert kind.name == name
    assert reason in kind.reason


def test_what_is_likely_enough_an_article_is_one() -> None:
    weights = np.zeros((len(FEATURES), len(KINDS)))
    weights[FEATURES.index(ONE), KINDS.index("service")] = 1.0

    one = page_kind(changed(NONE), KindWeights(weights, threshold=0.1))
    other = page_kind(changed(NONE), KindWeights(weights, threshold=0.2))

    assert (one.name, other.name) == ("article", "service")
    assert one.confidence == one.probabilities["article"] < other.confidence


def test_what_is_likelier_a_discussion_is_no_article() -> None:
    weights = np.zeros((len(FEATURES), len(KINDS)))
    weights[FEATURES.index(ONE), KINDS.index("forum")] = 0.1

    assert page_kind(changed(NONE), KindWeights(weights, threshold=0.1)).name == "forum"


shares = st.floats(0, 1)
some_features = st.builds(
    KindFeatures, link_share=shares, body_units=st.integers(0, 10_000),
    is_interstitial=st.booleans(), is_of_the_site=st.booleans(),
    answers=st.booleans(), message=st.booleans(), is_shared=st.booleans(),
    teasers=st.booleans(), names=st.booleans(),
    signs=st.fixed_dictionaries(dict.fromkeys(FEATURES[1:], shares)),
)  # fmt: skip


@given(some_features)
def test_every_verdict_has_probabilities_and_a_reason(features: KindFeatures) -> None:
    kind = page_kind(features)

    assert set(kind.probabilities) == {*KINDS, "other"}
    assert sum(kind.probabilities.values()) == pytest.approx(1.0)
    assert all(0.0 <= share <= 1.0 for share in kind.probabilities.values())
    assert kind.confidence == kind.probabilities[kind.name]
    assert kind.reason


@given(some_features)
def test_a_page_that_calls_itself_an_article_is_never_less_of_one(features: KindFeatures) -> None:
    declared = dataclasses.replace(features, signs={**features.signs, "declared an article": 1.0})
    before = dataclasses.replace(features, signs={**features.signs, "declared an article": 0.0})

    if page_kind(before).name == "article":
        assert page_kind(declared).name == "article"
