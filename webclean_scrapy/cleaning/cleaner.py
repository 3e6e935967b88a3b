"""Compose the method: take a page through all steps to an article.

    decode, check, parse -> page table -> template -> link blocks and other evidence -> decay walk
    -> lines -> kind -> the same with other weights, where it is not an article

`Cleaner.inspect` and `Cleaner.extract` are the one place where the steps follow each other. Every
step reads the table and returns values, or removals with a reason; none changes the tree, and only
a page that does not fit its template is parsed twice. Removals that leave too little are undone.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from webclean_scrapy.cleaning.body.decay_walk import walk_down
from webclean_scrapy.cleaning.body.evidence import gather
from webclean_scrapy.cleaning.body.features import estimate_lines
from webclean_scrapy.cleaning.body.lead import take_lead
from webclean_scrapy.cleaning.body.models import Body, empty_body, favoring
from webclean_scrapy.cleaning.body.notes import take_notes
from webclean_scrapy.cleaning.body.reasons.empty_section import remove_empty_sections
from webclean_scrapy.cleaning.body.reasons.hidden_parts import remove_hidden_parts
from webclean_scrapy.cleaning.body.reasons.last_byline import remove_last_byline
from webclean_scrapy.cleaning.body.reasons.link_run import remove_link_runs
from webclean_scrapy.cleaning.body.selection import (
    remove_excluded,
    remove_lines,
    select_lines,
    trim_body,
)
from webclean_scrapy.cleaning.confidence.body_confidence import MAX_UNPARSED
from webclean_scrapy.cleaning.config import CleanConfig, make_method
from webclean_scrapy.cleaning.joined_parts import LAST, PART, SAME, join_pages, relation
from webclean_scrapy.cleaning.kind import page_kind as kinds
from webclean_scrapy.cleaning.kind.readers import evidence_of_kind, read_units
from webclean_scrapy.cleaning.method_names import SOURCE
from webclean_scrapy.cleaning.output.urls import base_url
from webclean_scrapy.cleaning.page.guard import GuardConfig
from webclean_scrapy.cleaning.page.raw_page import RawPage
from webclean_scrapy.cleaning.papers.flat_page import flat_page, source_body
from webclean_scrapy.cleaning.papers.paper_method import body_by_paper
from webclean_scrapy.cleaning.parsed_page import ParsedPages, parse_html, parse_page, read_html
from webclean_scrapy.cleaning.result import CleanedPage
from webclean_scrapy.cleaning.templates import known_reading
from webclean_scrapy.cleaning.templates.learner import Comparison, TemplateLearner, preview
from webclean_scrapy.cleaning.templates.regions import Regions
from webclean_scrapy.cleaning.templates.roles import Roles, SiteRoles
from webclean_scrapy.cleaning.templates.sibling_links import rank_siblings
from webclean_scrapy.cleaning.templates.sketch import refuse, sketch_page
from webclean_scrapy.cleaning.trace import Trace
from webclean_scrapy.errors import PageError, PageTooLargeError
from webclean_scrapy.keywords.interest_profile import measure_interest
from webclean_scrapy.keywords.ranker import make_ranker
from webclean_scrapy.keywords.tfidf import KeywordRanker

if TYPE_CHECKING:
    import os
    from collections.abc import Collection, Iterable

    from webclean_scrapy.cleaning.body.models import Weights
    from webclean_scrapy.cleaning.parsed_page import Document, ParsedPage
    from webclean_scrapy.cleaning.templates.learner import ReadPage
    from webclean_scrapy.cleaning.templates.sketch import PageSketch
    from webclean_scrapy.cleaning.templates.template import Template
    from webclean_scrapy.cleaning.templates.template_store import TemplateStore

Sibling = tuple["bytes | str", "str | None"]

__all__ = ["CleanConfig", "Cleaner", "clean"]

#: What any page needs; the tables of traditional and simplified Chinese and the library of dates.
_WARM_UP_PAGES = (
    "<meta name=pubdate content=2026-03-12><p>The ferry was two hours late because of the fog.</p>",
    "<p>今天早上海港有大霧，去島上的渡輪晚點了兩個小時。今天早上海港有大雾，渡轮晚点了。</p>",
)
_NO_COMPARISON = Comparison()


class Cleaner:
    """Clean pages and keep the templates learned from them.

    Not safe for use from several threads at once; give each thread its own.
    """

    def __init__(self, config: CleanConfig | None = None, **options: Any) -> None:
        """*options*: fields of `CleanConfig`, as ``extractor="decay"``. Raises ConfigError."""
        self.config = config = replace(config or CleanConfig(), **options)
        link_blocks = config.body.link_blocks if config.link_blocks else None
        self._body = replace(config.body, link_blocks=link_blocks)
        self._guard = GuardConfig(max_bytes=config.max_body_bytes, max_tags=config.max_tags)
        self._parsed = ParsedPages(self._guard)
        trees, denoise = config.keeps_trees, config.denoise
        self._learner = TemplateLearner(
            config.max_templates, config.align, keeps_trees=trees, denoise=denoise
        )
        rank = partial(make_ranker(config.keyword_method).rank, limit=config.keywords)
        self._rank_keywords = rank if config.keywords else None
        profile = config.interest_profile
        self._interest = partial(measure_interest, profile, KeywordRanker()) if profile else None
        self._method = make_method(config)
        reads_parts = denoise == "template" and self._method is None
        self._reads_known = reads_parts and not (config.comments or config.link_groups)

    def inspect(
        self, raw: RawPage, siblings: Iterable[RawPage] = (), *, remember: bool = False
    ) -> CleanedPage:
        """Clean a page and return it with the trace of every step. Raises PageError.

        An article in parts (``raw.parts``) is joined, up to a page that is no part of it; its later
        parts teach no template.
        """
        first = self._inspect_page(raw, siblings, remember=remember)
        joined: list[CleanedPage] = []
        parts = raw.parts or () if first.is_article else ()
        for other in parts:
            with suppress(PageError):
                part = self._inspect_page(other)
                is_what = relation(first, part)
                if is_what == PART or (is_what == LAST and other is parts[-1]):
                    joined.append(part)
                if joined[-1:] == [part] or is_what == SAME:
                    continue
            break
        return join_pages(first, joined) if joined else first

    def _inspect_page(
        self, raw: RawPage, siblings: Iterable[RawPage] = (), *, remember: bool = False
    ) -> CleanedPage:
        siblings = tuple(siblings)
        unlike, page = None, self._parsed.take(raw)
        if page is None or (not siblings and self._known(page.address)):
            html, repaired = read_html(raw)
            parse = partial(parse_html, html, raw.url, self._guard, repaired, raw.stand_in)
            try:
                document = parse()
                found = None if siblings else self._find_known(document, remember)
                if isinstance(found, CleanedPage):
                    return found
                unlike, is_whole = found, found in {None, known_reading.NO_PLACE}
                page = (document if is_whole else parse()).measure()
            except PageTooLargeError as error:
                trace = self._by_source(html, raw.url, error)
                return self._result(trace, _kind_of(trace))
        trace, cleaned = self._read_whole(page, siblings, unlike)
        if remember:
            self._learn(raw, trace, cleaned)
        return cleaned

    def _read_whole(
        self, page: ParsedPage, siblings: Iterable[RawPage] = (), unlike: str | None = None
    ) -> tuple[Trace, CleanedPage]:
        """Read a page beside *siblings* and what was learned; return how, and as what it is."""
        trace = replace(self.extract(page, self.compare(page, siblings)), unlike=unlike)
        return trace, self._result(trace, _kind_of(trace))

    def _learn(self, raw: RawPage, trace: Trace, cleaned: CleanedPage) -> None:
        if self.config.learns:
            read = partial(parse_page, raw._replace(parts=None), self._guard)
            self._remember(trace.page, self._sketch_of(trace, cleaned, read))

    def _find_known(self, document: Document, remember: bool) -> CleanedPage | str | None:
        """Read a page of a known template without the regions that the template skips.

        Returns:
            The clean page; one of UNLIKE, if it has to be read whole; None without such a template.
        """
        unlike = None
        for template in self._known(document.url or document.stand_in):
            unlike = known_reading.NO_PLACE
            if (regions := template.known_regions) is None:
                continue
            head = document.read_head()
            reading = regions.close(document.root, template.find_settled)
            if reading is None:
                continue
            page = document.measure(head=head, trim=reading.empty_textless)
            comparison = self._learner.compare_known(page, template, reading)
            pages = comparison.pages_with_place
            unlike = known_reading.find_unlike(page.table, pages)
            if unlike is not None or pages is None:
                return unlike
            trace = replace(self.extract(page, comparison), reading=reading)
            if known_reading.is_short(page.table, trace.body.lines):
                return known_reading.SHORT_BODY
            cleaned = self._result(trace, kinds.kind_in_template(regions.article_share))
            if remember:
                is_new = known_reading.teaches(page.table, pages, reading, regions.in_doubt)
                roles = self._roles_of(trace, cleaned) if is_new else None
                part = sketch_page(page.table, page.address, trace.body.lines, trace.body.row)
                part = replace(part, roles=roles, shared=trace.comparison.shared_texts)
                self.templates.add_part(template, part)
            return cleaned
        return unlike

    def _known(self, address: str | None) -> list[Template]:
        return self.templates.known(address) if self._reads_known else []

    def _result(self, trace: Trace, kind: kinds.Kind) -> CleanedPage:
        trace = self._read_as(kind, trace)
        rank, measure, chunks = self._rank_keywords, self._interest, self.config.chunks
        return CleanedPage(trace, kind, rank, measure, chunk_tokens=chunks)

    def _by_source(self, html: bytes, url: str | None, error: PageTooLargeError) -> Trace:
        """Find the body from the source alone, without templates; the page teaches nothing.

        Raises *error* for a page that is too large for that, too.
        """
        if len(html) > self.config.max_scan_bytes:
            raise error
        page = flat_page(html, url)
        evidence = gather(page, None, self._body.link_blocks, self._body.reasons)
        return Trace(page, _NO_COMPARISON, evidence, source_body(evidence), fallback=error.limit)

    def extract(self, page: ParsedPage, comparison: Comparison = _NO_COMPARISON) -> Trace:
        """Extract the body with the weights of articles; return the trace of all steps.

        By a paper's method if one is configured, unless it finds too little.
        """
        evidence = gather(page, comparison.template, self._body.link_blocks, self._body.reasons)
        trace = Trace(page, comparison, evidence, empty_body(evidence))
        if self._method is not None:
            least = self.config.papers.min_kept_share
            found = body_by_paper(self._method, page, evidence, comparison, least)
            if isinstance(found, Body):
                return replace(trace, body=found)
            trace = replace(trace, fallback=found)
        return self._walk(trace, self._body.weights) if evidence.total else trace

    def _read_as(self, kind: kinds.Kind, trace: Trace) -> Trace:
        """Extract other kinds again by their own weights, moved to favor; a paper's body stays."""
        favor, is_article = self.config.favor, kind.is_read_as_article
        if trace.walk is None or (is_article and favor == "balanced"):
            return trace
        if is_article:
            return self._walk(trace, favoring(self._body.weights, favor, of_pages=False))
        evidence = evidence_of_kind(trace.evidence, kind.name)
        weights = favoring(self._body.page_weights, favor, of_pages=True)
        trace = self._walk(replace(trace, evidence=evidence), weights)
        return replace(trace, body=read_units(evidence, trace.body, kind.name))

    def _walk(self, trace: Trace, weights: Weights) -> Trace:
        evidence = trace.evidence
        lines = estimate_lines(evidence, weights.line)
        walk = walk_down(evidence, lines.probability, weights.step)
        selection = select_lines(evidence, walk.row, lines, weights)
        steps = remove_excluded(evidence, selection), remove_lines(evidence, selection, weights)
        body = trim_body(evidence, walk, steps, self._body.min_kept_share)
        body = take_lead(evidence, remove_empty_sections(evidence, body), lines.probability)
        body = remove_hidden_parts(evidence.table, take_notes(evidence, body))
        body = remove_last_byline(evidence, remove_link_runs(evidence, body))
        return replace(trace, walk=walk, selection=selection, body=body, lines=lines)

    def compare(self, page: ParsedPage, siblings: Iterable[RawPage] = ()) -> Comparison:
        """Compare *page* with *siblings* and with the pages learned before."""
        sketched = []
        for raw in siblings if self.config.learns else ():
            with suppress(PageError):  # a sibling that fails never costs the page
                sibling = parse_page(raw, self._guard)
                sketched.append((sibling, self._sketch(sibling)))
        if not sketched and not self.templates.knows_host(page.address):
            return _NO_COMPARISON
        return self._learner.compare(page, sketched)

    def _sketch(self, page: ParsedPage) -> PageSketch:
        trace = self.extract(page)
        return self._sketch_of(trace, self._result(trace, _kind_of(trace)))

    def _sketch_of(
        self, trace: Trace, cleaned: CleanedPage, read: ReadPage | None = None
    ) -> PageSketch:
        """Return the sketch of a page that was read whole, as an article: *trace*.

        *read* reads the page again, see `TemplateLearner.sketch`.
        """
        body, aligned = trace.body, trace.comparison.aligned_texts
        roles = self._roles_of(trace, cleaned)
        sketch = self._learner.sketch(trace.page, body.lines, body.row, aligned, roles, read=read)
        return replace(sketch, shared=trace.comparison.shared_texts)

    def _roles_of(self, trace: Trace, cleaned: CleanedPage) -> SiteRoles | None:
        """Return the roles of the places of a page that was read as an article: *trace*."""
        if trace.lines is None or trace.selection is None:
            return None
        body, table, inside = trace.body, trace.page.table, trace.selection.lines
        at = table.keys.at
        ends = trace.evidence.signs.end_heading.nonzero()[0].tolist()
        needed = {*body.lines, *cleaned.stated_in, *ends}
        article = cleaned.kind_probabilities[kinds.ARTICLE]
        return SiteRoles(
            Roles.of_lines(at, trace.lines.log_odds),
            Roles.of_lines(at[inside.start : inside.stop], trace.selection.own_log_odds),
            Regions.of_page(table, body.row, needed, article, cleaned.link_shares),
        )

    def _remember(self, page: ParsedPage, sketch: PageSketch) -> None:
        self.templates.add(sketch)
        if self._method is not None:
            self._method.learn(page)

    def clean(
        self,
        html: bytes | str,
        url: str | None = None,
        siblings: Iterable[Sibling] = (),
        *,
        charset: str | None = None,
        parts: Iterable[RawPage] = (),
    ) -> CleanedPage:
        """Return the clean page; remember it as a sibling for pages to come.

        *siblings* are (html, url) of pages of the same site, used for this page beside what was
        learned before. *charset* is the one of the HTTP header, if any. *parts* are the pages of
        the article behind its first, in order.

        A page that cannot be parsed even without its scripts is read from its source alone
        (extractor ``source``). It is compared with no other page and teaches no template.

        Raises PageError for a page that is no HTML, or has more than ``max_scan_bytes``.
        """
        others = (RawPage(other, at or "") for other, at in siblings)
        raw = RawPage(html, url or "", charset, tuple(parts))
        return self.inspect(raw, others, remember=True)

    def learn(
        self, html: bytes | str, url: str | None = None, *, charset: str | None = None
    ) -> None:
        """Remember a page as a sibling of others, aligned as `clean` does. Raises PageError."""
        raw = RawPage(html, url or "", charset)
        self._learn(raw, *self._read_whole(parse_page(raw, self._guard)))

    def learn_sibling(self, raw: RawPage, raw_sibling: RawPage) -> str | None:
        """Learn from the sibling if it is useful for the page; else return the reason.

        Returns:
            None, or one of ``identical``, ``same_article``, ``unlike``, ``not_article`` or the
            reason of a ``PageError`` of one of them.
        """
        try:
            page = self._parsed.parse(raw)
            sibling = self._parsed.parse(raw_sibling)
        except PageError as error:
            return error.reason
        sketch = self._sketch(sibling)
        refusal = refuse(preview(page), sketch)
        if refusal is None and self.config.learns:
            self._remember(sibling, sketch)
        return refusal

    @property
    def templates(self) -> TemplateStore:
        """The learned templates, for inspection."""
        return self._learner.store

    def recognises_template(self, raw: RawPage) -> bool:
        """True if the page has a template learned on its host, at any address.

        Cost: a parse. Raises PageError.
        """
        page = self._parsed.parse(raw)
        return self.templates.recognises_template(sketch_page(page.table, page.address, (), None))

    def sibling_links(self, raw: RawPage) -> list[str]:
        """Return links that may lead to siblings of a page, likeliest first. Raises PageError."""
        page = self._parsed.parse(raw)
        return rank_siblings(page.table.hrefs.values(), raw.url, base_url(page.table, page.address))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the learned templates to a file."""
        self.templates.save(path)

    def load(self, path: str | os.PathLike[str]) -> None:
        """Add the templates of a file that ``save`` wrote. Raises TemplateFileError."""
        self.templates.load(path)

    def warm_up(self, fields: Collection[str] | None = None, *, whole: bool = True) -> None:
        """Load models and tables for *fields* of any page, see `CleanedPage.to_dict`.

        *whole*: also what Chinese pages and those without a date need.
        """
        for html in _WARM_UP_PAGES if whole else _WARM_UP_PAGES[:1]:
            page = self.inspect(RawPage(html))
            page.to_dict(fields)
            self._sketch(page.trace.page)


def _kind_of(trace: Trace) -> kinds.Kind:
    kind = kinds.page_kind(kinds.kind_features(trace.page, trace.evidence, trace.body))
    if trace.body.extractor == SOURCE:
        kind = replace(kind, confidence=min(kind.confidence, MAX_UNPARSED))
    return kind


@cache
def _default_cleaner() -> Cleaner:
    """Return the cleaner of `clean`, which keeps no templates."""
    return Cleaner()


def clean(
    html: bytes | str,
    url: str | None = None,
    *,
    siblings: Iterable[Sibling] = (),
    config: CleanConfig | None = None,
) -> CleanedPage:
    """Clean one page: return its body, title, kind and removals.

    *siblings* are (html, url) of pages of the same site. Raises as `Cleaner.clean`.
    """
    cleaner = _default_cleaner() if config is None else Cleaner(config)
    others = (RawPage(other, at or "") for other, at in siblings)
    return cleaner.inspect(RawPage(html, url or ""), others)
