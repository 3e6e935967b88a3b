"""The kind of a page, with the probability of each kind and a reason.

Wang et al. 2014 tell index pages by their share of links (LCR, CCR). Here that is one sign of
many: a linear model (`kind_model`) reads the shape of the text, what repeats, what is beside it,
and what page and address say of themselves. A few rules come first, for pages that are none of the
model's kinds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.kind.kind_model import (
    ARTICLE,
    FORUM,
    LISTING,
    OTHER,
    PRODUCT,
    default_kind_weights,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from webclean_scrapy.cleaning.kind.kind_model import KindWeights


@dataclass(frozen=True, slots=True, kw_only=True)
class KindFeatures:
    """The features by which the kind is decided. Units as in the page table."""

    link_share: float  # of the text of the page, 0..1
    body_units: int
    is_interstitial: bool  # the title is that of a login, an error, a check for robots, a contact
    answers: bool  # a count of answers is between title and body
    message: bool  # the title is made of the body's first words, or of its sender's name
    cards: bool  # the body is cards with a link each
    names: bool  # the body is lines that are no sentences
    signs: Mapping[str, float]  # FEATURES of the model, 0..1


@dataclass(frozen=True, slots=True)
class Kind:
    """The kind of a page: one of KINDS, or ``other``.

    *confidence* is its probability. *probabilities* has those of all kinds; their sum is 1.
    """

    name: str
    confidence: float
    reason: str
    probabilities: Mapping[str, float]

    @property
    def is_read_as_article(self) -> bool:
        """True if its text is read as an article's: it is called one, and no other kind is likely.

        The threshold of the name is low, for most pages of a site are articles. An article that is
        read as a page of any kind loses little, a list that is read as an article nearly all.
        """
        others = (share for kind, share in self.probabilities.items() if kind != ARTICLE)
        return self.name == OTHER or (self.name == ARTICLE and max(others) <= LIKELY)


# Units (a CJK character 3).
MIN_BODY = 40  # the shortest article of the development sets had 209
SHORT = 700  # a longer text under the title of a login or an error is an article about them
LIKELY = 0.4  # probability above which a page is read as of a kind other than an article
MESSAGE = 3_000  # a longer text is no short message


def page_kind(features: KindFeatures, weights: KindWeights | None = None) -> Kind:
    """Return the kind of a page. Cost: none; the same features give the same kind."""
    weights = weights or default_kind_weights()
    likely = {**weights.probabilities(features.signs), OTHER: 0.0}
    if rule := _certain(features):
        name, sure, reason = rule
        likely = {kind: share * (1.0 - sure) for kind, share in likely.items()}
        likely[name] += sure
        return Kind(name, likely[name], reason, likely)
    if denied := _denied(features):
        name, reason = denied
        likely[name] += likely[ARTICLE]
        likely[ARTICLE] = 0.0
    if likely[ARTICLE] >= weights.threshold:
        name = ARTICLE
    else:
        name = max((kind for kind in likely if kind != ARTICLE), key=likely.__getitem__)
    if not denied or denied[0] != name:
        reason = weights.reason(features.signs, name)
    return Kind(name, likely[name], reason, likely)


def _certain(features: KindFeatures) -> tuple[str, float, str] | None:
    """Return kind, probability and reason where no model is needed."""
    if not features.body_units:
        if features.link_share > 0.5:
            return LISTING, features.link_share, "links and no text"
        return OTHER, 0.9, "no text that reads like a body"
    if features.signs["declared an article"]:
        return None
    if features.is_interstitial and features.body_units < SHORT:
        return OTHER, 0.9, "a login, an error, a check or a contact, by its title"
    if features.message and features.body_units < MESSAGE:
        return OTHER, 0.8, "a short message without a title of its own"
    if features.answers:
        return FORUM, 0.9, "answers to a question"
    return None


def _denied(features: KindFeatures) -> tuple[str, str] | None:
    """Return why a page is not an article whatever the model says, and what it is instead."""
    if features.signs["declared an article"] and features.body_units >= MIN_BODY:
        return None
    reasons = (
        (features.body_units < MIN_BODY, OTHER, "hardly any text"),
        (features.signs["declared a discussion"], FORUM, "declared a discussion"),
        (features.signs["declared a product"], PRODUCT, "declared a product"),
        (features.cards, LISTING, "repeated cards with a link each"),
        (features.names, LISTING, "names, and hardly a sentence"),
    )
    return next(((kind, reason) for holds, kind, reason in reasons if holds), None)
