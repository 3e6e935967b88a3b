"""Decide the kind of a page, with the probability of each kind and a reason.

Wang et al. 2014 tell index pages by their share of links (LCR, CCR). Here a model reads the shape
of the text, what repeats, what is beside it, and what page and address say of themselves. A few
rules come first, for pages that are none of the model's kinds; they read the title too: that of a
page in the way of another (login, error), or one made for a message.

The model is linear in readable features of 0 to 1, with a softmax; its weights are in
``weights.json``. They are fitted with a penalty, on pages as they are, without their address and
without what they declare, so that no single sign decides; the scale of the weights is such that the
probabilities are right on sites that the fit has not seen (docs/method/kinds.md).
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import accumulate, chain
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from webclean_scrapy.cleaning.body.reasons.about_page import is_about_page
from webclean_scrapy.cleaning.kind.page_signs import (
    ADDRESS,
    DECLARED,
    ELEMENTS,
    LINKS,
    address_signs,
    declared_signs,
    element_signs,
    link_signs,
)
from webclean_scrapy.cleaning.kind.teaser_lists import is_list_of_teasers
from webclean_scrapy.cleaning.kind.text_signs import TEXT, ended_share, text_signs
from webclean_scrapy.cleaning.page.tags import HEADING_TAGS
from webclean_scrapy.cleaning.page.units import letters, text_units
from webclean_scrapy.cleaning.words.phrases import alternatives, any_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.body.evidence import Evidence
    from webclean_scrapy.cleaning.body.models import Body
    from webclean_scrapy.cleaning.page.table import PageTable
    from webclean_scrapy.cleaning.parsed_page import ParsedPage

ARTICLE, FORUM, PRODUCT = "article", "forum", "product"
LISTING, SERVICE, OTHER = "listing", "service", "other"
#: The kinds that the model tells apart; the rules add OTHER.
KINDS = (ARTICLE, FORUM, PRODUCT, "documentation", LISTING, SERVICE)

ONE = "one"
FEATURES = (ONE, *TEXT, *ELEMENTS, *LINKS, *DECLARED, *ADDRESS)


@dataclass(frozen=True, slots=True)
class KindWeights:
    """The weights of the model of page kinds."""

    weights: NDArray[np.float64]  # FEATURES x KINDS
    threshold: float  # probability of an article from which a page is one

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> KindWeights:
        """Read weights from a mapping of kinds to features to numbers; missing ones are 0."""
        weights = np.zeros((len(FEATURES), len(KINDS)))
        if unknown := set(data["weights"]) - set(KINDS):
            raise ValueError(f"weights for unknown kinds: {sorted(unknown)}")
        for kind, column in data["weights"].items():
            if unknown := set(column) - set(FEATURES):
                raise ValueError(f"weights for unknown features: {sorted(unknown)}")
            weights[:, KINDS.index(kind)] = [column.get(name, 0.0) for name in FEATURES]
        return cls(weights, float(data["threshold"]))

    def probabilities(self, signs: Mapping[str, float]) -> dict[str, float]:
        """Return the probability of each of KINDS for a page with these *signs*; the sum is 1."""
        shares = softmax(_vector(signs) @ self.weights)
        return dict(zip(KINDS, shares.tolist(), strict=True))

    def reason(self, signs: Mapping[str, float], kind: str) -> str:
        """Return the feature with the strongest weight for *kind* against the other kinds."""
        own = self.weights[:, KINDS.index(kind)]
        others = (self.weights.sum(1) - own) / (len(KINDS) - 1)
        speaks = _vector(signs) * (own - others)
        speaks[FEATURES.index(ONE)] = 0.0
        best = int(speaks.argmax())
        return FEATURES[best] if speaks[best] > 0.0 else "no sign of another kind"


_values_of = itemgetter(*FEATURES[1:])


def _vector(signs: Mapping[str, float]) -> NDArray[np.float64]:
    return np.array([1.0, *_values_of(signs)], float)


def softmax(log_odds: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the probabilities along the last axis."""
    powers = np.exp(log_odds - log_odds.max(-1, keepdims=True))
    shares: NDArray[np.float64] = powers / powers.sum(-1, keepdims=True)
    return shares


@cache
def default_kind_weights() -> KindWeights:
    """Return the weights shipped with the package."""
    file = resources.files("webclean_scrapy.cleaning.kind").joinpath("weights.json")
    return KindWeights.from_dict(json.loads(file.read_text("utf-8")))


@dataclass(frozen=True, slots=True, kw_only=True)
class KindFeatures:
    """The features that decide the kind. Units as in the page table."""

    link_share: float  # of the text of the page, 0..1
    body_units: int
    is_shared: bool  # other pages have all that the body says
    is_interstitial: bool  # the title is that of a login, an error, a check for robots, a contact
    is_of_the_site: bool  # the title is that of terms, a privacy policy, frequent questions
    answers: bool  # a count of answers is between title and body
    message: bool  # the title is made of the body's first words, or of its sender's name
    teasers: bool  # most of its paragraphs lead to a page of the site each
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
        """True if the page is read as an article: it is called one, and no other kind is likely.

        The threshold of the name is low, for most pages of a site are articles. An article that is
        read as a page of any kind loses little, a list that is read as an article nearly all.
        """
        others = (share for kind, share in self.probabilities.items() if kind != ARTICLE)
        return self.name == OTHER or (self.name == ARTICLE and max(others) <= LIKELY)


# Units (a CJK character 3).
#: The least probability of an article of which other pages have all text, 0..1: in doubt it is what
#: is left of a list, when all else is known from other pages.
_LEAST_OF_SHARED = 0.5
MIN_BODY = 80  # the shortest article of the development sets had 209
MIN_DECLARED = 40  # of a page that says that it is an article, such as a flash of one line
SHORT = 700  # a longer text under the title of a login or an error is an article about them
LIKELY = 0.8  # probability above which a page is read as of a kind other than an article
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
    least = _LEAST_OF_SHARED if features.is_shared else weights.threshold
    if likely[ARTICLE] >= max(least, likely[FORUM]):  # articles of firms look like services and
        name = ARTICLE  # lists, and hardly any like a discussion
    else:
        name = max((kind for kind in likely if kind != ARTICLE), key=likely.__getitem__)
    if not denied or denied[0] != name:
        reason = weights.reason(features.signs, name)
    return Kind(name, likely[name], reason, likely)


def kind_in_template(articles: float) -> Kind:
    """Return the kind implied by the template; *articles*: its share of articles, 0..1."""
    likely = {**dict.fromkeys(KINDS, 0.0), ARTICLE: articles, OTHER: 1.0 - articles}
    return Kind(ARTICLE, articles, "an article, as other pages of its template", likely)


def _certain(features: KindFeatures) -> tuple[str, float, str] | None:
    if not features.body_units:
        if features.link_share > 0.5:
            return LISTING, features.link_share, "links and no text"
        return OTHER, 0.9, "no text that reads like a body"
    if features.is_of_the_site:  # declared an article, too, as all that some systems show
        return OTHER, 0.9, "a page about the site, by its title"
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
    if features.signs["declared an article"] and features.body_units >= MIN_DECLARED:
        return None
    reasons = (
        (features.body_units < MIN_BODY, OTHER, "hardly any text"),
        (features.signs["declared a discussion"], FORUM, "declared a discussion"),
        (features.signs["declared a product"], PRODUCT, "declared a product"),
        (features.teasers, LISTING, "paragraphs that lead to a page of the site each"),
        (features.names, LISTING, "names, and hardly a sentence"),
    )
    return next(((kind, reason) for holds, kind, reason in reasons if holds), None)


_COUNT_LINES = 60  # before the body, in which a count of answers is looked for
_COUNT_UNITS = 60  # a longer line is no count
#: A count of answers or of posts that answer; comments are counted under articles too.
_ANSWERS = re.compile(
    rf"\W*{any_of('all_of')}?\W{{0,3}}\d[\d,.]{{0,6}}\+?\s*{any_of('counted')}?\s*"
    rf"(?:{any_of('answers', run_on=True)}(?:\W.{{0,20}})?"
    rf"|{any_of('answers', run_on=False)}\W{{0,3}})"
)
#: Titles, or parts of them, of pages about the site or in the way: login, errors, contact.
_IN_THE_WAY = re.compile(
    rf"(?:{alternatives('in_the_way')}|{any_of('page')}\b.{{0,20}}{any_of('is_missing')}"
    rf"|(?:(?:{any_of('error')}|http) )?(?:40[0134]|50[023])\W{{0,3}}{any_of('error_name')}?)"
)
_OF_THE_SITE = re.compile(alternatives("of_the_site"))
_BEFORE_SITE = re.compile(r"\s[-–—·]\s|[|_]")
_TITLE_PARTS = re.compile(r"\s[-–—:·]\s|[|_»›:：]|–|—")
_SENDER = re.compile(r"^\s*@\w|\(@[\w.@]+\)\s*$")
_QUOTED = re.compile(r"[:：]\s*[\"“「『]([^\"”」』…]*)")
_CUT = re.compile(r"\.\.\.|…")
_MIN_CUT = 18  # units of words before the cut, and that the body has behind them
_MAX_TITLES = 4
_MAX_TITLE = 400  # characters
_NAMES = 8  # lines; fewer without a full stop are a poem or a notice
_FEW_PARAGRAPHS = 0.3  # of the lines
_FEW_ENDED = 0.2  # of the text


def kind_features(page: ParsedPage, evidence: Evidence, body: Body) -> KindFeatures:
    """Return the features of one page. Cost: O(rows of the page)."""
    table, head = page.table, page.head
    elements = element_signs(page, evidence, body)
    dated = elements["date at title or body"] >= 1 or bool(head.authors or head.published)
    template = evidence.template
    titles = [title[:_MAX_TITLE] for title in head.titles[:_MAX_TITLES]]
    sites = map(_BEFORE_SITE.split, titles)  # what stands before and behind the site's name
    return KindFeatures(
        link_share=table.link_length(0) / max(table.text_length(0), 1),
        body_units=_body_units(table, body),
        is_shared=template is not None and bool(template.repeated[list(body.lines)].all()),
        is_interstitial=_is_any(chain.from_iterable(map(_TITLE_PARTS.split, titles)), _IN_THE_WAY),
        is_of_the_site=any(_is_any((parts[0], parts[-1]), _OF_THE_SITE) for parts in sites),
        answers=_counts_answers(table, body),
        message=_is_message(titles, table, body),
        teasers=is_list_of_teasers(evidence, body.lines, dated=dated),
        names=len(body.lines) >= _NAMES
        and body.paragraphs < _FEW_PARAGRAPHS * len(body.lines)
        and ended_share(table, body.lines) < _FEW_ENDED,
        signs={
            **text_signs(evidence, body),
            **elements,
            **link_signs(evidence, body),
            **declared_signs(head),
            **address_signs(page.url),
        },
    )


def _body_units(table: PageTable, body: Body) -> int:
    """Return the units of the body; none where all of a short one speaks of the page."""
    units, starts = sum(map(table.lines.units.__getitem__, body.lines)), table.lines.lower_starts
    is_page = units < SHORT and all(is_about_page(starts[line]) for line in body.lines)
    return 0 if is_page else units


def _is_any(parts: Iterable[str], pattern: re.Pattern[str]) -> bool:
    return any(pattern.fullmatch(part.strip(" .!?…。！？").lower()) for part in parts)


def _counts_answers(table: PageTable, body: Body) -> bool:
    """True if a count of answers follows the title and most of the body comes after it."""
    if not body.lines:
        return False
    lines, first = table.lines, body.lines[0]
    start = max(first - _COUNT_LINES, 0)
    if body.title_line is not None and body.title_line < first:
        start = max(start, body.title_line)
    units = [lines.units[line] for line in body.lines]
    whole = sum(units)
    half = next(at for at, sofar in enumerate(accumulate(units)) if 2 * sofar >= whole)
    for line in range(start, body.lines[half]):  # to where the first half of its text ends
        plain = 2 * lines.link_units[line] <= lines.units[line] <= _COUNT_UNITS
        if plain and _ANSWERS.fullmatch(lines.text[line].lower()):
            return True
    return False


def _is_message(titles: Iterable[str], table: PageTable, body: Body) -> bool:
    """True if the title was made from a message: its first words, or its sender's name.

    It is cut off in the middle of the body's first words, quotes them, or names an ``@sender``. The
    title is not on the page, other than as a line of the body.
    """
    line, box = body.title_line, table.lines.container
    if line is not None and (line not in body.lines or table.tag[box[line]] in HEADING_TAGS):
        return False
    if not body.lines:
        return False
    text = letters(table.lines.text[body.lines[0]][: 2 * _MAX_TITLE])
    for title in titles:
        if any(map(_SENDER.search, _TITLE_PARTS.split(title))):
            return True
        if (quoted := _QUOTED.search(title)) and _begins(text, letters(quoted[1])):
            return True
        cut = _CUT.search(title)
        words = letters(title[: cut.start()]) if cut else ""
        if _begins(text, words):
            return text_units(text[len(words) :]) >= _MIN_CUT
    return False


def _begins(text: str, words: str) -> bool:
    return text_units(words) >= _MIN_CUT and text.startswith(words)
