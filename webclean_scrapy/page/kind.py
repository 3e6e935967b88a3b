"""What kind of page it is: an article, a list, or neither; with confidence and a reason.

The share of links after patent CN103942332A (LCR): index pages are mostly links. What tells best
is ours: the *run*, the longest stretch of kept paragraphs that no link line of its own breaks.
Teasers come one by one between headlines that link; even a very short article is one stretch.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class KindFacts:
    """What the verdict rests on. Units as in the page table, shares 0..1."""

    page_units: int  # text of the page
    link_units: int  # of it inside links
    body_units: int  # text of the extracted body
    body_link_units: int
    paragraphs: int  # good paragraphs of the body
    run: int  # units of the longest stretch of paragraphs
    teaser_share: float  # paragraphs beside a link line of their own
    card_share: float  # lines of the body inside repeated like elements
    post_share: float  # text of the body inside repeated like elements with a date each
    declared: bool  # the page calls itself an article
    dated: bool  # the page declares when it was published
    list_url: bool  # its address is a directory's, an index page's or the site's root


@dataclass(frozen=True, slots=True)
class Kind:
    """The verdict: ``article``, ``list`` or ``other``, sure to *confidence* (0..1), and why."""

    name: str
    confidence: float
    reason: str


# Units (a CJK character 3), measured on 613 articles and 40 lists of the development pages:
# the run of lists was at most 211, of all but 6 articles at least 230.
MIN_BODY = 40  # the shortest article had 209; a sentence is an article only if the page says so
SHORT_RUN = 220
LONG_RUN = 700


def judge_kind(facts: KindFacts) -> Kind:
    """Return the kind of a page. Cost: none."""
    links = facts.link_units / facts.page_units if facts.page_units else 0.0
    if not facts.body_units:
        if links > 0.5:
            return Kind("list", links, "links and no text")
        return Kind("other", 0.9, "no text that reads like a body")
    if facts.body_link_units > 0.5 * facts.body_units:
        return Kind("list", 0.8, "the body is mostly links")
    if facts.declared and facts.paragraphs:
        return Kind("article", 0.95, "declares itself an article")
    if facts.paragraphs == 0 and links > 0.6:
        return Kind("list", links, "links and no paragraphs")
    if facts.post_share > 0.6:
        return Kind("other", 0.7, "posts by several people, as in a forum")
    if facts.card_share > 0.9 and facts.teaser_share > 0.9:
        return Kind("list", 0.8, "repeated cards with a link each")
    if facts.list_url and facts.run < LONG_RUN:
        return Kind("list", 0.8, "a list's address and no long text")
    if facts.run < SHORT_RUN and facts.teaser_share >= 0.5 and not facts.dated:
        return Kind("list", 0.7, "teasers between links")
    if facts.paragraphs == 0:
        return Kind("other", 0.6, "no paragraphs")
    if facts.body_units < MIN_BODY:
        return Kind("other", 0.8, "hardly any text")
    sure = 0.6 + 0.2 * (facts.run >= SHORT_RUN) + 0.15 * (facts.run >= LONG_RUN)
    return Kind("article", sure, "a stretch of paragraphs")
