"""A view of the cleaning of a page, shown as text, JSON and HTML.

It reads the trace of a clean page: what each step of the method gave.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, fields
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from webclean_scrapy.cleaning.body.decay_walk import STEP_FEATURES
from webclean_scrapy.cleaning.cleaner import Cleaner
from webclean_scrapy.cleaning.confidence.body_confidence import confidence_terms
from webclean_scrapy.cleaning.joined_parts import LAST, PART, SAME, WHOLE, relation
from webclean_scrapy.cleaning.method_names import SOURCE
from webclean_scrapy.cleaning.page.raw_page import RawPage
from webclean_scrapy.cleaning.templates.learner import KNOWN
from webclean_scrapy.cleaning.templates.regions import KNOWN_PAGES
from webclean_scrapy.errors import PageError
from webclean_scrapy.report import explain_lines
from webclean_scrapy.report.web_page import render_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from webclean_scrapy.cleaning.config import CleanConfig
    from webclean_scrapy.cleaning.page.table import PageTable
    from webclean_scrapy.cleaning.result import CleanedPage
    from webclean_scrapy.cleaning.trace import Trace

_RELATIONS = {
    PART: "goes on with other text under the same title",
    LAST: "goes on with little other text under the same title, as a last part may",
    SAME: "has the same text",
    WHOLE: "has the same text and more",
    "": "no part: it has another title, or hardly any text of its own",
}
OFF = "not_asked"  # why a sibling was not used: by the configuration pages are not compared
REFUSALS = {
    "identical": "it is the same page",
    "same_article": "it contains the same article",
    "unlike": "it has another template",
    "not_article": "it is not an article",
    "not_html": "it is not HTML",
    "too_large": "it, or the page, exceeds a limit",
    OFF: "learning is off (denoise)",
}
_COMPARED = {
    "template": "keys",
    "aligned": "keys and alignment",
    "lcs": "alignment",
    KNOWN: "keys, and what its template closes was not read",
}


class GivenPage(NamedTuple):
    """A page to explain."""

    name: str  # for people: its address, or the file it was in
    html: bytes
    url: str | None = None
    charset: str | None = None  # of the HTTP header

    @property
    def raw(self) -> RawPage:
        """The page as input of the cleaner."""
        return RawPage(self.html, self.url or "", self.charset)


@dataclass(frozen=True, slots=True, kw_only=True)
class StepView:
    """A subtree on the walk down to the body, and the step from it to the next."""

    name: str  # tag, and id or class
    xpath: str
    first: int  # line; lines are numbered from 1
    lines: int
    weight: int  # of the lines in it, in units
    share: float  # of the whole page's weight, 0..1
    decay: float | None  # share of the weight that the step loses, 0..1; None without a step
    limit: float | None  # T of the step: it is taken while it loses less
    features: dict[str, float]  # of the step, those that are not 0 to two digits


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyView:
    """The position of the body and the path to it. Lines are numbered from 1."""

    xpath: str | None
    confidence: float  # that it is right, 0..1
    signs: dict[str, tuple[float, float]]  # of the confidence: value, and what it adds in log-odds
    lines: tuple[int, int] | None  # first and last line of its subtree
    anchor: int | None  # line that repeats the title
    steps: tuple[StepView, ...]  # from the root down; none where another method was asked
    stop: int | None  # which of them is the body; None where it was found in another way
    link_blocks: dict[str, float | str]  # as in the record


@dataclass(frozen=True, slots=True, kw_only=True)
class SiblingView:
    """The use of a single sibling page."""

    name: str
    refused: str | None  # why it was no use; None when it was
    repeated: int = 0  # lines of the page that it has, in the same place or outside its body
    foreign: int = 0  # others in places where it has other text that is not body
    familiar: int = 0  # lines in places where its body is


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """The explanation of one page: record, body, siblings, lines."""

    name: str
    url: str | None
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
    keywords: list[str]
    body: BodyView
    siblings: tuple[SiblingView, ...]
    parts: dict[str, str]  # pages that may be parts of its article, and what they are
    in_crawl: str  # how much of it a crawl reads that has cleaned the siblings; "" without any
    requests: dict[str, int]  # outcomes of the siblings that a crawl asked for, by stat
    lines: tuple[explain_lines.LineView, ...]

    @property
    def kept(self) -> int:
        """The number of lines in the body."""
        return sum(line.kept for line in self.lines)

    @property
    def record(self) -> dict[str, str]:
        """The fields of the record in words; "" for missing ones."""
        method = self.extractor
        if self.extractor == SOURCE:
            method += f" (the page was not parsed, by its {self.fallback})"
        elif self.fallback:
            method += f" (fallback: the configured method kept {self.fallback})"
        if self.denoised:
            method += f"; compared with other pages by {_COMPARED[self.denoised]}"
        return {
            "kind": f"{self.kind} ({self.kind_confidence:.2f}): {self.kind_reason}",
            "title": self.title,
            "date": self.date_published or "",
            "authors": ", ".join(self.authors),
            "source": self.source or "",
            "language": self.language or "",
            "keywords": ", ".join(self.keywords),
            "method": method,
            **({"in a crawl": self.in_crawl} if self.in_crawl else {}),
            **({"parts": "; ".join(map(": ".join, self.parts.items()))} if self.parts else {}),
        }

    @property
    def place(self) -> str:
        """The path of the body, or the reason why there is none."""
        is_source = self.extractor == SOURCE and self.kept
        why = "the page was not parsed" if is_source else "no text looks like a body"
        return self.body.xpath or f"none: {why}"


def explain_page(
    page: GivenPage,
    config: CleanConfig,
    siblings: Sequence[GivenPage] = (),
    requests: Mapping[str, int] | None = None,
    parts: Sequence[GivenPage] = (),
) -> Explanation:
    """Explain the result for *page* with *siblings*, pages of the same site.

    *parts*: pages that it links as further ones of its article.

    Cost: cleaning it once with all, once more with each, and all as a crawl does. Raises PageError
    for a page that is no HTML, or too large even to be read without a parser.
    """
    cleaned = Cleaner(config).inspect(page.raw, [sibling.raw for sibling in siblings])
    names = (one.name for one in fields(Explanation))
    return Explanation(
        name=page.name,
        **{n: getattr(cleaned, n) for n in names if hasattr(cleaned, n) and n != "parts"},
        body=_describe_body(cleaned),
        siblings=tuple(_describe_sibling(page.raw, sibling, config) for sibling in siblings),
        in_crawl=_read_in_crawl(cleaned, page.raw, siblings, config) if siblings else "",
        parts=_describe_parts(cleaned, parts, config),
        requests=dict(requests or {}),
        lines=explain_lines.explain_lines(cleaned, config),
    )


def _read_in_crawl(
    whole: CleanedPage, page: RawPage, siblings: Sequence[GivenPage], config: CleanConfig
) -> str:
    """Return how much of a page is read after its siblings, and why."""
    cleaner = Cleaner(config)
    for sibling in siblings:
        with suppress(PageError):
            cleaner.inspect(sibling.raw, remember=True)
    found = cleaner.inspect(page)
    if found.denoised == KNOWN:
        read, lines = len(found.trace.page.table.lines), len(whole.trace.page.table.lines)
        units = found.trace.reading.units if found.trace.reading else 0
        return (
            f"{read} of its {lines} lines are read, where its template is open or they are new; "
            f"{units} units of text are closed"
        )
    why = found.trace.unlike or f"no template of {KNOWN_PAGES} articles fits its address"
    return f"read whole: {why}"


def _describe_parts(
    first: CleanedPage, others: Sequence[GivenPage], config: CleanConfig
) -> dict[str, str]:
    """Describe the relation of possible parts to the article, up to the first unrelated page."""
    found: dict[str, str] = {}
    for other in others:
        with suppress(PageError):
            name = relation(first, Cleaner(config).inspect(other.raw))
            found[other.name] = _RELATIONS[name]
            if name not in {PART, SAME}:
                break
    return found


def _describe_sibling(page: RawPage, sibling: GivenPage, config: CleanConfig) -> SiblingView:
    if config.denoise == "off":
        return SiblingView(name=sibling.name, refused=OFF)
    cleaner = Cleaner(config)
    trace = cleaner.inspect(page, [sibling.raw]).trace
    if trace.comparison.template is None:
        refused = cleaner.learn_sibling(page, sibling.raw) or "unlike"
        return SiblingView(name=sibling.name, refused=refused)
    counts = Counter(chain.from_iterable(explain_lines.sibling_notes(trace)))
    return SiblingView(name=sibling.name, refused=None, **counts)


def _describe_body(cleaned: CleanedPage) -> BodyView:
    trace = cleaned.trace
    body, table = trace.body, trace.page.table
    inside = range(0) if body.row is None else table.lines_in(body.row)
    article = cleaned.kind_probabilities["article"]
    terms = confidence_terms(trace.evidence, body, trace.models, article)
    return BodyView(
        xpath=cleaned.body_xpath,
        confidence=cleaned.confidence,
        signs={n: (round(value, 3), round(added, 3)) for n, (value, added) in terms.items()},
        lines=(inside.start + 1, inside.stop) if inside else None,
        anchor=None if body.title_line is None else body.title_line + 1,
        steps=tuple(_describe_steps(table, trace)),
        stop=trace.walk.stop if trace.walk and trace.walk.row == body.row else None,
        link_blocks=cleaned.link_blocks,
    )


def _describe_steps(table: PageTable, trace: Trace) -> Iterator[StepView]:
    walk = trace.walk
    if walk is None:
        return
    for number, row in enumerate(walk.rows):
        step = walk.features[number].tolist() if number < len(walk.features) else []
        features = dict(zip(STEP_FEATURES, step, strict=False))
        lines, whole = table.lines_in(row), max(float(walk.weights[0]), 1e-9)
        yield StepView(
            name=explain_lines.element_name(table, row),
            xpath=table.xpath(row),
            first=lines.start + 1,
            lines=len(lines),
            weight=round(float(walk.weights[number])),
            share=round(float(walk.weights[number]) / whole, 3),
            decay=round(features["decay"], 3) if step else None,
            limit=round(float(walk.limits[number]), 3) if step else None,
            features={n: shown for n, value in features.items() if (shown := round(value, 2))},
        )


def render_text(explanation: Explanation, width: int = 80) -> str:
    """Render the explanation as lines of at most *width* columns."""
    return render_lines("explain", width, view=explanation, refusals=REFUSALS)
