"""What kind of page it is: an article, a list, or neither; with confidence and a reason.

The share of links after Wang et al. 2014 (LCR): index pages are mostly links. The strongest feature
is our own: the *run*, the longest stretch of kept paragraphs that no link line breaks. Teasers come
one by one between headlines that link; even a very short article is one stretch. Forums and
questions with answers read like articles; what they declare, repeat and count shows what they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webclean_scrapy.cleaning.metadata.head import Head


@dataclass(frozen=True, slots=True, kw_only=True)
class KindFeatures:
    """What the kind is decided by. Units as in the page table, shares 0..1."""

    page_units: int  # text of the page
    link_units: int  # of it inside links
    body_units: int  # text of the extracted body
    body_link_units: int
    lines: int  # of the body
    paragraphs: int  # good paragraphs of the body
    run: int  # units of the longest stretch of paragraphs
    teaser_share: float  # paragraphs beside a link line of their own
    card_share: float  # text of the body inside repeated like elements
    post_share: float  # text of the body inside like elements with a date and an author each
    entry_share: float  # text of the body inside dated entries under a heading each that leads on
    ended_share: float  # text of the body in lines that end in a punctuation mark
    declared: str  # what the page calls itself: "article", "list", "other" or ""
    dated: bool  # the page declares when it was published
    titled: bool  # a heading that repeats the title leads to the body
    answers: bool  # a count of answers is between title and body
    in_the_way: bool  # the title is that of a login, an error, a check for robots, a contact
    message: bool  # the title is made of the body's first words, or of its sender's name
    code_share: float  # CCR: code of the page in link blocks; 0 for a dated or titled one
    list_url: bool  # its address is a directory's, an index page's or the site's root


@dataclass(frozen=True, slots=True)
class Kind:
    """The kind: ``article``, ``list`` or ``other``, sure to *confidence* (0..1), and why."""

    name: str
    confidence: float
    reason: str


# Units (a CJK character 3), measured on 613 articles and 11 other pages of the development sets:
# the run of lists was at most 211, of all but 6 articles at least 230. Articles below 900 units
# all had a heading with their title; of those with cards or posts (shares below) only a start page
# did not declare itself an article.
MIN_BODY = 40  # the shortest article had 209; a sentence is an article only if the page says so
SHORT_BODY = 400
SHORT_RUN = 220
LONG_RUN = 700
LINK_BLOCK_CODE = 0.8  # Wang et al. 2014: index pages; 14 of 578 articles have more, most dated
MESSAGE = 3_000  # a longer text is no short message
_NAMES = 8  # lines; fewer without a full stop are a poem or a notice

_LIST_TYPES = frozenset({"collectionpage", "searchresultspage"})
_OTHER_TYPES = frozenset(
    "qapage discussionforumposting socialmediaposting product jobposting profilepage".split()
)
_OTHER_OG = ("product", "profile", "og:product")


def declared_kind(head: Head) -> str:
    """Return what a page calls itself: ``article``, ``list``, ``other``, or "" for nothing of it.

    By its types in JSON-LD, else those of microdata, else Open Graph. What calls itself both an
    article and a list says nothing; an article may well hold a discussion or a product.
    """
    names = {name.lower() for name in head.types}
    marked = {name.lower() for name in head.marked_types}
    og_type = (head.og_type or "").lower()
    article = any(name.endswith(("article", "blogposting")) for name in names)
    if (names | marked) & _LIST_TYPES:
        return "" if article else "list"
    if article:
        return "article"
    if names & _OTHER_TYPES and "review" not in names:
        return "other"
    if marked & (_OTHER_TYPES - {"product"}) or _is_question(names | marked):
        return "other"
    if og_type.startswith(_OTHER_OG):
        return "other"
    return "article" if og_type.endswith("article") else ""


def _is_question(names: set[str]) -> bool:
    """Whether the page is one question with its answers; articles hold lists of such."""
    return "question" in names and "faqpage" not in names


def page_kind(features: KindFeatures) -> Kind:
    """Return the kind of a page. Cost: none."""
    links = features.link_units / features.page_units if features.page_units else 0.0
    if not features.body_units:
        if links > 0.5:
            return Kind("list", links, "links and no text")
        return Kind("other", 0.9, "no text that reads like a body")
    if features.body_link_units > 0.5 * features.body_units:
        return Kind("list", 0.8, "the body is mostly links")
    if features.declared == "article" and features.paragraphs:
        return Kind("article", 0.95, "declares itself an article")
    if features.declared in {"list", "other"}:
        return Kind(features.declared, 0.9, f"declares itself {_DECLARED[features.declared]}")
    if features.paragraphs == 0 and links > 0.6:
        return Kind("list", links, "links and no paragraphs")
    return _list_by_shape(features, links) or _other_by_shape(features) or _article(features)


_DECLARED = {"list": "a list", "other": "a discussion, a product or a profile"}


def _list_by_shape(features: KindFeatures, links: float) -> Kind | None:
    """Return that the page is a list by the shape of its body, if it is."""
    if features.card_share > 0.7 and features.teaser_share > 0.8:
        return Kind("list", 0.8, "repeated cards with a link each")
    if features.entry_share > 0.8:
        return Kind("list", 0.7, "entries in a row, each under a heading that leads to it")
    own_page = features.dated and features.titled
    if features.list_url and features.run < LONG_RUN and not own_page:
        return Kind("list", 0.8, "a list's address and no long text")
    if features.code_share > LINK_BLOCK_CODE and not own_page:
        return Kind("list", 0.7, "nearly all of the page is link blocks")
    if features.run < SHORT_RUN and features.teaser_share >= 0.4 and not features.dated:
        return Kind("list", 0.7, "teasers between links")
    if features.body_units < SHORT_BODY and links > 0.5 and not (features.titled or features.dated):
        return Kind("list", 0.7, "links, and a short text that is not about the title")
    few = features.paragraphs < 0.3 * features.lines
    if features.lines >= _NAMES and few and features.ended_share < 0.2:
        return Kind("list", 0.6, "names, and hardly a sentence")
    return None


def _other_by_shape(features: KindFeatures) -> Kind | None:
    """Return that the page is neither list nor article by what it shows, if it is."""
    if features.post_share > 0.6:
        return Kind("other", 0.7, "posts by several people, as in a forum")
    if features.in_the_way and features.body_units < LONG_RUN:
        return Kind("other", 0.8, "a login, an error, a check or a contact, by its title")
    if features.answers:
        return Kind("other", 0.8, "answers to a question")
    if features.message and features.body_units < MESSAGE:
        return Kind("other", 0.7, "a short message without a title of its own")
    if features.paragraphs == 0:
        return Kind("other", 0.6, "no paragraphs")
    if features.body_units < MIN_BODY:
        return Kind("other", 0.8, "hardly any text")
    return None


def _article(features: KindFeatures) -> Kind:
    sure = 0.6 + 0.2 * (features.run >= SHORT_RUN) + 0.15 * (features.run >= LONG_RUN)
    return Kind("article", sure, "a stretch of paragraphs")
