"""Why a page came out as it did: its kind, where its body was found, what became of each line.

Works out anew what the method has thrown away on its way, from what a clean page keeps; so a page
that nobody asks about costs nothing more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from webclean_scrapy.cleaning.body.body_finder import decayed_row
from webclean_scrapy.cleaning.body.evidence import gather
from webclean_scrapy.cleaning.body.linear_model import Ranking, rank, settle_on
from webclean_scrapy.cleaning.body.subtree_features import CANDIDATE_TERMS
from webclean_scrapy.cleaning.cleaner import Cleaner
from webclean_scrapy.cleaning.page.charset import decode
from webclean_scrapy.cleaning.page.guard import GuardConfig, check_page
from webclean_scrapy.errors import PageError
from webclean_scrapy.report.explain_lines import LineView, explain_lines, said_of_lines

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from webclean_scrapy.cleaning.body.body_finder import BodyConfig
    from webclean_scrapy.cleaning.body.evidence import Evidence
    from webclean_scrapy.cleaning.config import CleanConfig
    from webclean_scrapy.cleaning.page.table import PageTable
    from webclean_scrapy.cleaning.result import CleanedPage

MAX_CANDIDATES = 5  # the best ones that are shown
OFF = "not_asked"  # why a sibling was no use: by the configuration nothing is learned


class GivenPage(NamedTuple):
    """A page to look at."""

    name: str  # for people: its address, or the file it was in
    html: bytes
    url: str | None = None
    charset: str | None = None  # of the HTTP header


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateView:
    """A subtree that could be the body."""

    xpath: str
    score: float
    belief: float  # that it is the right one, beside all others, 0..1
    units: int  # of text in it
    terms: dict[str, float]  # what each term adds to the score, loudest first; none of 0


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyView:
    """Where the body is and how it was found. Lines are numbered from 1."""

    xpath: str | None
    confidence: float  # that it is the right subtree, 0..1
    anchor: int | None  # line that repeats the title
    decay_xpath: str | None  # where the walk down ended; None where another method was asked
    candidates: tuple[CandidateView, ...]  # best first; none where another method was asked
    candidates_in_all: int
    widened: bool  # the body is the parent of the best candidate: it lies in several like elements


@dataclass(frozen=True, slots=True, kw_only=True)
class SiblingView:
    """What another page of the site was good for, alone."""

    name: str
    refused: str | None  # why it was no use; None when it was
    repeated: int = 0  # lines of the page that it has, in the same place or outside its body
    foreign: int = 0  # others in places where it has other text that is not body
    familiar: int = 0  # lines in places where its body stands


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """All that can be said about how one page was cleaned."""

    name: str
    kind: str
    kind_reason: str
    confidence: float  # in the kind, 0..1
    extractor: str
    fallback: str | None
    denoised: str | None  # how it was compared with other pages; None when there were none
    title: str
    date_published: str | None
    authors: list[str]
    source: str | None
    language: str | None
    body: BodyView
    siblings: tuple[SiblingView, ...]
    requests: dict[str, int]  # what became of the siblings that a crawl asked for, by stat
    lines: tuple[LineView, ...]


def explain_page(
    page: GivenPage,
    config: CleanConfig,
    siblings: Sequence[GivenPage] = (),
    requests: Mapping[str, int] | None = None,
) -> Explanation:
    """Return why *page* comes out as it does with *siblings*, pages of the same site.

    Cost: cleaning it once with all and once more with each.

    Raises:
        PageError: the page is too large, too deep or no HTML; ``reason`` says which.
    """
    useful = [(_content(sibling, config), sibling.url) for sibling in siblings]
    cleaned = Cleaner(config).clean(page.html, page.url, useful, charset=page.charset)
    made = cleaned.made_of
    table, body = made.living.table, made.body
    evidence = gather(
        table, made.titles, made.template, config.body.paragraphs, made.head.article_bodies
    )
    judged = body.extractor == "webclean" and bool(evidence.total)
    decayed = decayed_row(evidence, config.body) if judged else None
    ranking = None if decayed is None else rank(evidence, decayed, config.body.weights)
    choice = None if ranking is None else settle_on(ranking, evidence, config.body.weights)
    return Explanation(
        name=page.name,
        kind=cleaned.kind,
        kind_reason=cleaned.kind_reason,
        confidence=cleaned.confidence,
        extractor=cleaned.extractor,
        fallback=cleaned.fallback,
        denoised=cleaned.denoised,
        title=cleaned.title,
        date_published=cleaned.date_published,
        authors=cleaned.authors,
        source=cleaned.source,
        language=cleaned.language,
        body=_explain_body(cleaned, evidence, config.body, ranking, decayed),
        siblings=tuple(_explain_sibling(page, sibling, config) for sibling in siblings),
        requests=dict(requests or {}),
        lines=explain_lines(made, evidence, choice),
    )


def _content(page: GivenPage, config: CleanConfig) -> bytes | str:
    """Return the page as text by the charset of its header; one to refuse as it came."""
    try:
        check_page(
            page.html, GuardConfig(max_bytes=config.max_body_bytes, max_tags=config.max_tags)
        )
    except PageError:
        return page.html
    return decode(page.html, declared=page.charset)[0] if page.charset else page.html


def _explain_body(
    cleaned: CleanedPage,
    evidence: Evidence,
    config: BodyConfig,
    ranking: Ranking | None,
    decayed: int | None,
) -> BodyView:
    made = cleaned.made_of
    table, body = made.living.table, made.body
    views: tuple[CandidateView, ...] = ()
    if ranking is not None:
        best_first = sorted(range(len(ranking.rows)), key=lambda at: -ranking.scores[at])
        views = tuple(
            _explain_candidate(table, ranking, at, config) for at in best_first[:MAX_CANDIDATES]
        )
    return BodyView(
        xpath=cleaned.body_xpath,
        confidence=round(body.confidence, 3),
        anchor=None if evidence.anchor is None else evidence.anchor + 1,
        decay_xpath=None if decayed is None else xpath_of(table, decayed),
        candidates=views,
        candidates_in_all=0 if ranking is None else len(ranking.rows),
        widened=ranking is not None and ranking.rows[ranking.best] != body.row,
    )


def _explain_candidate(
    table: PageTable, ranking: Ranking, at: int, config: BodyConfig
) -> CandidateView:
    adds = (ranking.terms[at] * config.weights.candidate).tolist()
    terms = {n: round(value, 3) for n, value in zip(CANDIDATE_TERMS, adds, strict=True) if value}
    return CandidateView(
        xpath=xpath_of(table, ranking.rows[at]),
        score=round(float(ranking.scores[at]), 3),
        belief=round(float(ranking.belief[at]), 3),
        units=table.text_length(ranking.rows[at]),
        terms=dict(sorted(terms.items(), key=lambda term: -abs(term[1]))),
    )


def xpath_of(table: PageTable, row: int) -> str:
    """Return the path of a row in the page as parsed."""
    node = table.node[row]
    return node.getroottree().getpath(node)


def _explain_sibling(page: GivenPage, sibling: GivenPage, config: CleanConfig) -> SiblingView:
    if not config.learns:
        return SiblingView(name=sibling.name, refused=OFF)
    content = _content(sibling, config)
    cleaner = Cleaner(config)
    cleaned = cleaner.clean(page.html, page.url, [(content, sibling.url)], charset=page.charset)
    if cleaned.made_of.template is None:
        own = _content(page, config)
        fault = cleaner.refusal(own, page.url, content, sibling.url)
        return SiblingView(name=sibling.name, refused=fault or "unlike")
    said = said_of_lines(cleaned.made_of)
    return SiblingView(
        name=sibling.name,
        refused=None,
        repeated=sum("repeated" in words for words in said),
        foreign=sum("foreign" in words for words in said),
        familiar=sum("familiar" in words for words in said),
    )
