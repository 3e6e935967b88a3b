"""Learn the templates of sites, and apply them to the next page."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from webclean_scrapy.cleaning.templates.alignment import align, build_features
from webclean_scrapy.cleaning.templates.sketch import (
    is_same_article,
    is_same_template,
    long_texts,
    refuse,
    sketch_page,
)
from webclean_scrapy.cleaning.templates.template import template_evidence
from webclean_scrapy.cleaning.templates.template_store import TemplateStore
from webclean_scrapy.cleaning.templates.url_shapes import url_shape
from webclean_scrapy.errors import PageTooLargeError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.page.keys import U32
    from webclean_scrapy.cleaning.page.table import PageTable
    from webclean_scrapy.cleaning.parsed_page import ParsedPage
    from webclean_scrapy.cleaning.templates.alignment import AlignConfig, FeatureTree
    from webclean_scrapy.cleaning.templates.known_reading import Reading
    from webclean_scrapy.cleaning.templates.roles import SiteRoles
    from webclean_scrapy.cleaning.templates.sketch import PageSketch
    from webclean_scrapy.cleaning.templates.template import Template, TemplateEvidence

    ReadPage = Callable[[], ParsedPage]

#: Of a page that is aligned with others; of more, two levels alone are most often more cells than
#: an alignment may have. The largest of 960 labelled pages had 11,000.
MAX_ALIGNED_ROWS = 12_000
MAX_WAITING = 32  # pages that are read again when another page is to be aligned with them
KNOWN = "known"


class Comparison(NamedTuple):
    """The evidence of other pages of the site, collected before the body is found."""

    template: TemplateEvidence | None = None
    #: "template": by what is kept of other pages; "known": by that, and what its template has
    #: closed was not read; "aligned": beside that, by alignment with the first of them, which is
    #: kept for pages to come; "lcs": by alignment; None: with no page.
    method: str | None = None
    siblings: tuple[ParsedPage, ...] = ()  # those given with the page that are of use
    features: FeatureTree | None = None  # of a page to align it with, where that is asked for
    aligned_texts: U32 | None = None  # of the page's template; None while none was aligned

    @property
    def pages_with_place(self) -> NDArray[np.float64] | None:
        """For each line the number of pages of the template with a line at its place."""
        return None if self.template is None else self.template.walk_roles.pages

    @property
    def shared_texts(self) -> U32 | None:
        """The texts shared with some, and not all, of the template's earlier pages."""
        return None if self.template is None else self.template.shared


class TemplateLearner:
    """Learns templates from pages and compares pages with them."""

    def __init__(
        self, max_templates: int, align: AlignConfig, *, keeps_trees: bool, denoise: str
    ) -> None:
        """Keep at most *max_templates*.

        With *keeps_trees* all pages are kept in a form that others can be aligned with, else those
        of templates that were not aligned yet. *denoise* is one of `method_names.DENOISERS`: with
        "lcs" every page is aligned with its siblings in place of comparing keys; with "off" pages
        are assigned to templates, and not compared.
        """
        self.store = TemplateStore(max_templates)
        self._align, self._keeps_trees = align, keeps_trees
        self._compares, self._aligns = denoise != "off", denoise == "lcs"
        self._waiting: dict[str | None, ReadPage] = {}  # by address, the oldest first

    def sketch(
        self,
        page: ParsedPage,
        lines: Sequence[int],
        row: int | None,
        aligned_texts: U32 | None = None,
        roles: SiteRoles | None = None,
        *,
        read: ReadPage | None = None,
    ) -> PageSketch:
        """Return the sketch of a page with the body *lines*, rising, under *row*.

        *aligned_texts* are those of its template, None if no two pages of it were aligned. With
        *read*, which reads the page again, its tree is built when another page asks for it: for
        most first pages none does.
        """
        features = None
        is_asked = self._compares and (aligned_texts is None or self._keeps_trees)
        if is_asked and len(page.table) <= MAX_ALIGNED_ROWS:
            if read is None or self._keeps_trees:
                features = self._features(page)
            else:
                self._waiting[page.address] = read
                if len(self._waiting) > MAX_WAITING:
                    del self._waiting[next(iter(self._waiting))]
        texts = None if aligned_texts is None else np.unique(aligned_texts)
        sketch = sketch_page(page.table, page.address, lines, row)
        return replace(sketch, aligned_texts=texts, features=features, roles=roles)

    def compare_known(self, page: ParsedPage, template: Template, reading: Reading) -> Comparison:
        """Compare a page that was read without the template's skipped regions.

        Nothing where all of its pages hold the same article.
        """
        own = long_texts(page.table, page.table.is_paragraph)
        sketches = template.sketches_but(page.address)
        learned = [each for each in sketches if each.has_body and not is_same_article(own, each)]
        if not learned or template.roles is None:
            return Comparison()
        opened = reading.opened_lines(page.table)
        evidence = template_evidence(
            page.table, learned, roles=[template.roles], opened=opened, series=template.series
        )
        return Comparison(evidence, KNOWN)

    def compare(
        self, page: ParsedPage, siblings: Sequence[tuple[ParsedPage, PageSketch]]
    ) -> Comparison:
        """Compare *page* with *siblings* and with the pages learned before.

        The first page that meets one of its template is aligned with it (Song et al. 2011). What
        that pairs is kept, and later pages are compared with it by keys.
        """
        own = preview(page)
        useful = [(other, sketch) for other, sketch in siblings if refuse(own, sketch) is None]
        others = tuple(other for other, _ in useful)
        if not self._compares:
            return Comparison(siblings=others)
        sketches = [sketch for _, sketch in useful]
        roles = [each.roles for each in sketches if each.roles is not None and _is_kin(own, each)]
        known, templates = self.store.find(own)
        learned = [sketch for sketch in known if refuse(own, sketch) is None]
        sketches += learned
        if learned:
            roles += [each.roles for each in templates if each.roles is not None]
        if not sketches:
            return Comparison()
        able = [each for each in sketches if each.features is not None or self._waits(each)]
        aligned = [sketch.aligned_texts for sketch in sketches if sketch.aligned_texts is not None]
        aligned_texts, paired, method = aligned[0] if aligned else None, None, "template"
        if able and (self._aligns or not aligned):
            if len(page.table) <= MAX_ALIGNED_ROWS:
                trees = map(self._tree_of, able if self._aligns else able[:1])
                paired = _paired_lines(page.table, self._features(page), trees, self._align)
            if paired is None:  # too large; not to be tried again
                aligned_texts = np.zeros(0, np.uint32)
            else:
                method = "lcs" if self._aligns else "aligned"
                aligned_texts = page.table.keys.texts[paired]
        kin = [sketch for sketch in sketches if _is_kin(own, sketch)]
        series = {text for each in templates for text in each.series}
        evidence = template_evidence(page.table, sketches, kin, roles, paired=paired, series=series)
        if paired is not None:
            paired &= ~evidence.quotable
            repeated = paired if self._aligns else paired | evidence.repeated
            evidence = replace(evidence, repeated=repeated)
        tree = able[0].features if able and self._keeps_trees else None
        return Comparison(evidence, method, others, tree, aligned_texts)

    def _features(self, page: ParsedPage) -> FeatureTree:
        return build_features(page.table, self._align.similarity, page.table.layout)

    def _waits(self, sketch: PageSketch) -> bool:
        return sketch.aligned_texts is None and sketch.url in self._waiting

    def _tree_of(self, sketch: PageSketch) -> FeatureTree:
        return sketch.features or self._features(self._waiting[sketch.url]())


def _is_kin(page: PageSketch, other: PageSketch) -> bool:
    """True if two pages of a site are similar, or their URLs are."""
    if not page.url or not other.url or url_shape(page.url) == url_shape(other.url):
        return True
    return is_same_template(page, other)


def preview(page: ParsedPage) -> PageSketch:
    """Return the sketch of a page before its body is found: paragraphs stand in for it."""
    weights = page.table.paragraph_weights
    paragraphs = [line for line, weight in enumerate(weights) if weight]
    return sketch_page(page.table, page.address, paragraphs, None)


def _paired_lines(
    table: PageTable, features: FeatureTree, siblings: Iterable[FeatureTree], config: AlignConfig
) -> NDArray[np.bool_] | None:
    """Mark the lines that an alignment pairs with one of *siblings*.

    *features* are those of the page. None when no pair of pages is within ``max_cells``.
    """
    lines: NDArray[np.bool_] | None = None
    for sibling in siblings:
        try:
            pairs = align(features, sibling, config).pairs
        except PageTooLargeError:
            continue
        paired = _lines_in(table, features, pairs)
        lines = paired if lines is None else lines | paired
    return lines


def _lines_in(
    table: PageTable, features: FeatureTree, pairs: list[tuple[int, int]]
) -> NDArray[np.bool_]:
    """Mark the lines inside paired content nodes; structure nodes are paired by looks only."""
    is_content = np.zeros(len(table), bool)
    is_content[features.rows[features.inner > 0]] = True
    rows = np.array([row for row, _ in pairs], np.int64)
    rows = rows[is_content[rows]]
    begins, ends = (
        np.bincount(edge, None, len(table) + 1) for edge in (rows, table.arrays.end[rows])
    )
    inside = (begins - ends).cumsum() > 0
    return inside[np.array(table.lines.first, np.int64)]
