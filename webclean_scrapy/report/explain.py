"""Why a page came out as it did: its kind, where its body was found, what became of each line.

Reads the trace of a clean page: what each step of the method gave.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from webclean_scrapy.cleaning.body.subtree_features import SUBTREE_FEATURES
from webclean_scrapy.cleaning.cleaner import Cleaner
from webclean_scrapy.cleaning.page.raw_page import RawPage
from webclean_scrapy.report.explain_lines import LineView, explain_lines, sibling_notes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from webclean_scrapy.cleaning.body.body import BodyConfig
    from webclean_scrapy.cleaning.body.linear_model import Ranking
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
    probability: float  # that it is the right one, beside all others, 0..1
    units: int  # of text in it
    features: dict[str, float]  # what each feature adds to the score, largest first; none of 0


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
    raw = RawPage(page.html, page.url or "", page.charset)
    others = [RawPage(s.html, s.url or "", s.charset) for s in siblings]
    cleaned = Cleaner(config).inspect(raw, others)
    trace = cleaned.trace
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
        body=_explain_body(cleaned, config.body),
        siblings=tuple(
            _explain_sibling(raw, other, sibling.name, config)
            for other, sibling in zip(others, siblings, strict=True)
        ),
        requests=dict(requests or {}),
        lines=explain_lines(trace),
    )


def _explain_body(cleaned: CleanedPage, config: BodyConfig) -> BodyView:
    trace = cleaned.trace
    table, body, ranking = trace.page.table, trace.body, trace.ranking
    views: tuple[CandidateView, ...] = ()
    if ranking is not None:
        best_first = sorted(range(len(ranking.rows)), key=lambda at: -ranking.scores[at])
        views = tuple(
            _explain_candidate(table, ranking, at, config) for at in best_first[:MAX_CANDIDATES]
        )
    return BodyView(
        xpath=cleaned.body_xpath,
        confidence=round(body.confidence, 3),
        anchor=None if body.title_line is None else body.title_line + 1,
        decay_xpath=None if ranking is None else table.xpath(ranking.decay_row),
        candidates=views,
        candidates_in_all=0 if ranking is None else len(ranking.rows),
        widened=ranking is not None and ranking.rows[ranking.best] != body.row,
    )


def _explain_candidate(
    table: PageTable, ranking: Ranking, at: int, config: BodyConfig
) -> CandidateView:
    adds = (ranking.features[at] * config.weights.subtree).tolist()
    features = {n: round(v, 3) for n, v in zip(SUBTREE_FEATURES, adds, strict=True) if v}
    return CandidateView(
        xpath=table.xpath(ranking.rows[at]),
        score=round(float(ranking.scores[at]), 3),
        probability=round(float(ranking.probability[at]), 3),
        units=table.text_length(ranking.rows[at]),
        features=dict(sorted(features.items(), key=lambda feature: -abs(feature[1]))),
    )


def _explain_sibling(
    page: RawPage, sibling: RawPage, name: str, config: CleanConfig
) -> SiblingView:
    if not config.learns:
        return SiblingView(name=name, refused=OFF)
    cleaner = Cleaner(config)
    trace = cleaner.inspect(page, [sibling]).trace
    if trace.comparison.template is None:
        return SiblingView(name=name, refused=cleaner.refuse_sibling(page, sibling) or "unlike")
    notes = sibling_notes(trace)
    return SiblingView(
        name=name,
        refused=None,
        repeated=sum("repeated" in words for words in notes),
        foreign=sum("foreign" in words for words in notes),
        familiar=sum("familiar" in words for words in notes),
    )
