"""What a Cleaner keeps of the pages it has seen, and what that says about the next one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from webclean_scrapy.cleaning.page.keys import page_keys
from webclean_scrapy.cleaning.page.layout import read_layout
from webclean_scrapy.cleaning.page.paragraphs import paragraph_mass
from webclean_scrapy.cleaning.papers.entropy_walk import find_important
from webclean_scrapy.cleaning.papers.path_clusters import PathBook
from webclean_scrapy.cleaning.templates.aligned_evidence import aligned_evidence
from webclean_scrapy.cleaning.templates.feature_tree import build_features
from webclean_scrapy.cleaning.templates.sketch import refuse, sketch_page
from webclean_scrapy.cleaning.templates.template import template_evidence
from webclean_scrapy.cleaning.templates.template_store import TemplateStore
from webclean_scrapy.errors import TemplateFileError

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from webclean_scrapy.cleaning.body.body_finder import Body
    from webclean_scrapy.cleaning.config import CleanConfig
    from webclean_scrapy.cleaning.page.keys import PageKeys
    from webclean_scrapy.cleaning.page.parsed_page import ParsedPage
    from webclean_scrapy.cleaning.templates.feature_tree import FeatureTree
    from webclean_scrapy.cleaning.templates.sketch import PageSketch
    from webclean_scrapy.cleaning.templates.template import TemplateEvidence


class Advice(NamedTuple):
    """What is known of a page before it is cleaned."""

    evidence: TemplateEvidence | None
    denoised: str | None  # how: "template" or "lcs"; None when nothing could be compared
    siblings: tuple[ParsedPage, ...]  # those given with the page that are of use
    features: FeatureTree | None  # of a page to align it with, where that is asked for


NO_ADVICE = Advice(None, None, (), None)


class Learned:
    """Templates and the paths to their bodies."""

    def __init__(self, config: CleanConfig) -> None:
        self._config = config
        self.templates = TemplateStore(config.max_templates)
        self.paths = PathBook(config.max_templates, config.modes.tree, config.modes.path)

    def sketch(self, page: ParsedPage, body: Body, keys: PageKeys | None = None) -> PageSketch:
        """Return what is kept of a page whose body was found."""
        sketch = sketch_page(page.table, page.url, body.lines, body.row, keys)
        if not self._config.aligns:
            return sketch
        features = build_features(
            page.table, self._config.align.similarity, read_layout(page.table)
        )
        return sketch.with_features(features)

    def preview(self, page: ParsedPage, keys: PageKeys | None = None) -> PageSketch:
        """Return the sketch of a page whose body is not known yet: paragraphs stand in for it."""
        mass = paragraph_mass(page.table, self._config.body.paragraphs)
        paragraphs = [line for line, weight in enumerate(mass) if weight]
        return sketch_page(page.table, page.url, paragraphs, None, keys)

    def advise(
        self,
        page: ParsedPage,
        keys: PageKeys,
        siblings: Sequence[tuple[ParsedPage, Body]],
    ) -> Advice:
        """Return what *siblings*, and the pages seen before, say about *page*."""
        own = self.preview(page, keys)
        found, others = [], []
        for other, body in siblings:
            sketch = self.sketch(other, body)
            if refuse(own, sketch) is None:
                found.append(sketch)
                others.append(other)
        found += [sketch for sketch in self.templates.find(own) if refuse(own, sketch) is None]
        if not found:
            return NO_ADVICE
        evidence, how = template_evidence(page.table, found, keys), "template"
        trees = [sketch.features for sketch in found if sketch.features is not None]
        if self._config.denoise == "lcs":
            aligned = aligned_evidence(
                page.table, trees, evidence, self._config.align, read_layout(page.table)
            )
            if aligned is not None:
                evidence, how = aligned, "lcs"
        return Advice(evidence, how, tuple(others), trees[0] if trees else None)

    def remember(self, page: ParsedPage, body: Body, keys: PageKeys | None = None) -> None:
        """Keep a page for the pages of its template."""
        self.templates.add(self.sketch(page, body, keys))
        if self._config.extractor == "entropy" and page.url:
            row = find_important(page.table, self._config.modes.entropy)
            if row is not None:
                self.paths.learn(page.host, page.url, page.table, row)

    def recognises_template(self, page: ParsedPage) -> bool:
        """Whether the page is of a template of its host that is known, whatever its address."""
        keys = page_keys(page.table)
        return self.templates.recognises_template(sketch_page(page.table, page.url, (), None, keys))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write everything to a file."""
        self.templates.save(path, self.paths.to_data())

    def load(self, path: str | os.PathLike[str]) -> None:
        """Add what a file holds. Raises TemplateFileError."""
        try:
            self.paths.add_data(self.templates.load(path))
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise TemplateFileError(f"{path} holds paths of another form: {error}") from error
