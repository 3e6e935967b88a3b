"""Why a page came out as it did: its kind, where its body was found, what became of each line.

Reads the trace of a clean page: what each step of the method gave.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.body.decay_walk import STEP_FEATURES
from webclean_scrapy.report.explain_lines import LineView, explain_lines, sibling_notes
from webclean_scrapy.report.inspection import GivenPage, inspect_page

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from webclean_scrapy.cleaning.body.decay_walk import DecayWalk
    from webclean_scrapy.cleaning.config import CleanConfig
    from webclean_scrapy.cleaning.page.table import PageTable
    from webclean_scrapy.cleaning.result import CleanedPage
    from webclean_scrapy.report.inspection import Inspection, SiblingLook

__all__ = ["Explanation", "GivenPage", "describe", "explain_page"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepView:
    """A subtree on the walk down to the body, and the step from it to the next."""

    xpath: str
    weight: int  # of the lines in it, in units
    decay: float | None  # share of the weight that the step loses, 0..1; None without a step
    limit: float | None  # T of the step: it is taken while it loses less
    features: dict[str, float]  # of the step, those that are not 0 to two digits


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyView:
    """Where the body is and how it was found. Lines are numbered from 1."""

    xpath: str | None
    confidence: float  # that it is right, 0..1
    anchor: int | None  # line that repeats the title
    steps: tuple[StepView, ...]  # from the root down; none where another method was asked
    stop: int | None  # which of them is the body
    link_blocks: int  # on the page
    link_block_links: float  # LCR: share of the page's links that are in them, 0..1
    link_block_code: float  # CCR: share of the page's code, 0..1


@dataclass(frozen=True, slots=True, kw_only=True)
class SiblingView:
    """What another page of the site was good for, alone."""

    name: str
    refused: str | None  # why it was no use; None when it was
    repeated: int = 0  # lines of the page that it has, in the same place or outside its body
    foreign: int = 0  # others in places where it has other text that is not body
    familiar: int = 0  # lines in places where its body is


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """All that can be said about how one page was cleaned."""

    name: str
    kind: str
    kind_reason: str
    kind_confidence: float  # 0..1
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
        PageError: the page is no HTML, or too large even to be read without a parser.
    """
    return describe(inspect_page(page, config, siblings), requests)


def describe(inspection: Inspection, requests: Mapping[str, int] | None = None) -> Explanation:
    """Return what *inspection* found, as plain values."""
    cleaned = inspection.cleaned
    return Explanation(
        name=inspection.name,
        kind=cleaned.kind,
        kind_reason=cleaned.kind_reason,
        kind_confidence=cleaned.kind_confidence,
        extractor=cleaned.extractor,
        fallback=cleaned.fallback,
        denoised=cleaned.denoised,
        title=cleaned.title,
        date_published=cleaned.date_published,
        authors=cleaned.authors,
        source=cleaned.source,
        language=cleaned.language,
        body=_explain_body(cleaned),
        siblings=tuple(map(_explain_sibling, inspection.siblings)),
        requests=dict(requests or {}),
        lines=explain_lines(cleaned.trace),
    )


def _explain_body(cleaned: CleanedPage) -> BodyView:
    trace = cleaned.trace
    walk, blocks = trace.walk, trace.evidence.link_blocks
    return BodyView(
        xpath=cleaned.body_xpath,
        confidence=cleaned.confidence,
        anchor=None if trace.body.title_line is None else trace.body.title_line + 1,
        steps=() if walk is None else tuple(_explain_steps(trace.page.table, walk)),
        stop=None if walk is None else walk.stop,
        link_blocks=len(blocks.blocks),
        link_block_links=round(blocks.links_share, 3),
        link_block_code=round(blocks.code_share, 3),
    )


def _explain_steps(table: PageTable, walk: DecayWalk) -> Iterator[StepView]:
    for at, row in enumerate(walk.rows):
        step = walk.features[at].tolist() if at < len(walk.features) else []
        features = dict(zip(STEP_FEATURES, step, strict=False))
        yield StepView(
            xpath=table.xpath(row),
            weight=round(float(walk.weights[at])),
            decay=round(features["decay"], 3) if step else None,
            limit=round(float(walk.limits[at]), 3) if step else None,
            features={n: shown for n, value in features.items() if (shown := round(value, 2))},
        )


def _explain_sibling(look: SiblingLook) -> SiblingView:
    if look.trace is None:
        return SiblingView(name=look.name, refused=look.refused)
    notes = sibling_notes(look.trace)
    return SiblingView(
        name=look.name,
        refused=None,
        repeated=sum("repeated" in words for words in notes),
        foreign=sum("foreign" in words for words in notes),
        familiar=sum("familiar" in words for words in notes),
    )
