"""What is learned of the templates of sites, and what that says about the next page."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from webclean_scrapy.cleaning.templates.aligned_evidence import aligned_evidence
from webclean_scrapy.cleaning.templates.feature_tree import build_features
from webclean_scrapy.cleaning.templates.sketch import refuse, sketch_page
from webclean_scrapy.cleaning.templates.template import template_evidence
from webclean_scrapy.cleaning.templates.template_store import TemplateStore

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webclean_scrapy.cleaning.page.parsed_page import ParsedPage
    from webclean_scrapy.cleaning.templates.alignment import AlignConfig
    from webclean_scrapy.cleaning.templates.feature_tree import FeatureTree
    from webclean_scrapy.cleaning.templates.sketch import PageSketch
    from webclean_scrapy.cleaning.templates.template import TemplateEvidence


class BodyPlace(Protocol):
    """Where the body of a page is."""

    @property
    def row(self) -> int | None:
        """The row of its subtree."""

    @property
    def lines(self) -> tuple[int, ...]:
        """Its lines, rising."""


class Comparison(NamedTuple):
    """What other pages of its site say about a page, before its body is found."""

    template: TemplateEvidence | None = None
    method: str | None = None  # "template" or "lcs"; None when there was nothing to compare with
    siblings: tuple[ParsedPage, ...] = ()  # those given with the page that are of use
    features: FeatureTree | None = None  # of a page to align it with, where that is asked for


class TemplateLearner:
    """Learns templates from pages and compares pages with what it has learned."""

    def __init__(
        self, max_templates: int, align: AlignConfig, *, keeps_trees: bool, aligns: bool
    ) -> None:
        """Keep at most *max_templates*.

        With *keeps_trees* pages are kept in a form that others can be aligned with; with *aligns*
        every page is aligned with a sibling, in place of comparing keys.
        """
        self.store = TemplateStore(max_templates)
        self._align, self._keeps_trees, self._aligns = align, keeps_trees, aligns

    def sketch(self, page: ParsedPage, body: BodyPlace) -> PageSketch:
        """Return what is kept of a page whose body was found."""
        sketch = sketch_page(page.table, page.url, body.lines, body.row)
        if not self._keeps_trees:
            return sketch
        features = build_features(page.table, self._align.similarity, page.table.layout)
        return sketch.with_features(features)

    def compare(
        self, page: ParsedPage, siblings: Sequence[tuple[ParsedPage, PageSketch]]
    ) -> Comparison:
        """Return what *siblings*, and the pages learned before, say about *page*."""
        own = preview(page)
        useful = [(other, sketch) for other, sketch in siblings if refuse(own, sketch) is None]
        sketches = [sketch for _, sketch in useful]
        sketches += [sketch for sketch in self.store.find(own) if refuse(own, sketch) is None]
        if not sketches:
            return Comparison()
        table = page.table
        evidence, method = template_evidence(table, sketches), "template"
        trees = [sketch.features for sketch in sketches if sketch.features is not None]
        if self._aligns:
            aligned = aligned_evidence(table, trees, evidence, self._align)
            if aligned is not None:
                evidence, method = aligned, "lcs"
        others = tuple(other for other, _ in useful)
        return Comparison(evidence, method, others, trees[0] if trees else None)

    def recognises_template(self, page: ParsedPage) -> bool:
        """Whether the page is of a template of its host that is known, whatever its URL."""
        return self.store.recognises_template(sketch_page(page.table, page.url, (), None))


def preview(page: ParsedPage) -> PageSketch:
    """Return the sketch of a page whose body is not known yet: paragraphs stand in for it."""
    weights = page.table.paragraph_weights
    paragraphs = [line for line, weight in enumerate(weights) if weight]
    return sketch_page(page.table, page.url, paragraphs, None)
