"""The method, composed: a page goes in, an article comes out.

    decode, check, parse -> page table -> template -> evidence -> subtree -> removals -> kind

`Cleaner._clean` and `Cleaner.extract` are the one place where the steps follow each other. Every
step reads the table and returns values, or removals with a reason; nothing is parsed twice and no
tree is changed. A removal that would leave too little is undone.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.body.body import empty_body, trim_body
from webclean_scrapy.cleaning.body.decay import clean_tree, walk_down
from webclean_scrapy.cleaning.body.evidence import gather
from webclean_scrapy.cleaning.body.line_removal import remove_lines
from webclean_scrapy.cleaning.body.linear_model import rank_subtrees, select_body
from webclean_scrapy.cleaning.body.link_blocks import remove_link_blocks
from webclean_scrapy.cleaning.config import CleanConfig
from webclean_scrapy.cleaning.kind.kind_features import kind_features
from webclean_scrapy.cleaning.kind.page_kind import page_kind
from webclean_scrapy.cleaning.page.guard import GuardConfig
from webclean_scrapy.cleaning.page.parsed_page import parse_page
from webclean_scrapy.cleaning.page.raw_page import RawPage
from webclean_scrapy.cleaning.papers.paper_body import find_by_paper
from webclean_scrapy.cleaning.papers.selection import make_method
from webclean_scrapy.cleaning.result import CleanedPage, Trace
from webclean_scrapy.cleaning.templates.learner import Comparison, TemplateLearner, preview
from webclean_scrapy.cleaning.templates.sketch import refuse
from webclean_scrapy.errors import PageError, TemplateFileError
from webclean_scrapy.keywords.ranker import make_ranker
from webclean_scrapy.keywords.segment import Segmenter

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable

    from webclean_scrapy.cleaning.body.body import Body
    from webclean_scrapy.cleaning.page.parsed_page import ParsedPage
    from webclean_scrapy.cleaning.templates.sketch import PageSketch
    from webclean_scrapy.cleaning.templates.template_store import TemplateStore

Sibling = tuple["bytes | str", "str | None"]

__all__ = ["CleanConfig", "Cleaner", "clean"]

#: Pages in scripts that have dictionaries of their own: Latin, traditional and simplified Chinese.
_WARM_UP_PAGES = (
    "<p>The ferry to the island was two hours late this morning, because of fog in the bay.</p>",
    "<p>今天早上海港有大霧，去島上的渡輪晚點了兩個小時。今天早上海港有大雾，渡轮晚点了。</p>",
)
_NO_COMPARISON = Comparison()


class Cleaner:
    """Cleans pages and keeps what it learns of their templates.

    Not safe for use from several threads at once; give each thread its own.
    """

    def __init__(self, config: CleanConfig | None = None) -> None:
        self.config = config = config or CleanConfig()
        self._body = replace(
            config.body, link_blocks=config.body.link_blocks if config.link_blocks else None
        )
        self._guard = GuardConfig(max_bytes=config.max_body_bytes, max_tags=config.max_tags)
        self._learner = TemplateLearner(
            config.max_templates,
            config.align,
            keeps_trees=config.keeps_trees,
            aligns=config.denoise == "lcs",
        )
        segmenter = Segmenter()
        ranker = make_ranker(config.keyword_method, segmenter)
        self._rank_keywords = partial(ranker.rank, limit=config.keywords)
        self._method = make_method(
            config.extractor,
            config.papers,
            align=config.align,
            max_templates=config.max_templates,
            segment=segmenter.cut,
        )

    def _clean(
        self, raw: RawPage, siblings: Iterable[RawPage] = (), *, remember: bool = False
    ) -> CleanedPage:
        page = parse_page(raw, self._guard)
        comparison = self.compare(page, siblings)
        trace = self.extract(page, comparison)
        if remember:
            self._remember(page, trace.body)
        kind = page_kind(kind_features(page, trace.evidence, trace.body))
        return CleanedPage(trace, kind, self._rank_keywords)

    def extract(self, page: ParsedPage, comparison: Comparison = _NO_COMPARISON) -> Trace:
        """Return the body of *page*, and what each step gave on the way to it."""
        config, table = self._body, page.table
        evidence = gather(page, comparison.template)
        body, fallback = find_by_paper(self._method, page, evidence, comparison)
        ranking = selection = None
        if body is None and evidence.total:
            walk_end = walk_down(evidence, config.decay)
            ranking = rank_subtrees(evidence, walk_end, config.weights)
            selection = select_body(ranking, evidence, config.weights)
            steps = (
                remove_link_blocks(table, selection.row, config.link_blocks),
                clean_tree(table, selection.row, config.decay),
                remove_lines(evidence, selection, config.weights),
            )
            body = trim_body(evidence, selection, steps, config.min_kept_share)
        body = body or empty_body(evidence)
        return Trace(page, comparison, evidence, ranking, selection, body, fallback)

    def compare(self, page: ParsedPage, siblings: Iterable[RawPage] = ()) -> Comparison:
        """Return what *siblings*, and the pages learned before, say about *page*."""
        sketched = []
        for raw in siblings if self.config.learns else ():
            with suppress(PageError):  # a sibling that fails never costs the page
                sibling = parse_page(raw, self._guard)
                sketched.append((sibling, self._sketch(sibling)))
        if not sketched and not len(self.templates):
            return _NO_COMPARISON
        return self._learner.compare(page, sketched)

    def _sketch(self, page: ParsedPage) -> PageSketch:
        return self._learner.sketch(page, self.extract(page).body)

    def _remember(self, page: ParsedPage, body: Body) -> None:
        """Keep a page for the pages of its template, if anything is to be learned."""
        if self.config.learns:
            self._learner.store.add(self._learner.sketch(page, body))
            if self._method is not None:
                self._method.learn(page)

    def clean(
        self,
        html: bytes | str,
        url: str | None = None,
        siblings: Iterable[Sibling] = (),
        *,
        charset: str | None = None,
    ) -> CleanedPage:
        """Return the clean page; remember it as a sibling for pages to come.

        *siblings* are (html, url) of pages of the same site, used for this page beside what was
        learned before. *charset* is the one of the HTTP header, if any.

        Raises:
            PageError: the page is too large, too deep or no HTML; ``reason`` says which.
        """
        others = (RawPage(other, at or "") for other, at in siblings)
        return self._clean(RawPage(html, url or "", charset), others, remember=True)

    def learn(
        self, html: bytes | str, url: str | None = None, *, charset: str | None = None
    ) -> None:
        """Remember a page as a sibling for the pages of its template. Raises as ``clean``."""
        page = parse_page(RawPage(html, url or "", charset), self._guard)
        if self.config.learns:
            self._remember(page, self.extract(page).body)

    def learn_sibling(self, raw: RawPage, raw_sibling: RawPage) -> str | None:
        """Remember the sibling if it is of use for the page; else return why it is not.

        Returns:
            None, or one of ``identical``, ``same_article``, ``unlike``, ``not_article`` or the
            reason of a ``PageError`` of the sibling.

        Raises:
            PageError: the page itself breaks a limit.
        """
        page = parse_page(raw, self._guard)
        try:
            sibling = parse_page(raw_sibling, self._guard)
        except PageError as error:
            return error.reason
        body = self.extract(sibling).body
        refusal = refuse(preview(page), self._learner.sketch(sibling, body))
        if refusal is None:
            self._remember(sibling, body)
        return refusal

    def refuse_sibling(self, raw: RawPage, raw_sibling: RawPage) -> str | None:
        """Return why the sibling is of no use for the page, or None; as ``learn_sibling`` does."""
        page = parse_page(raw, self._guard)
        try:
            return refuse(preview(page), self.sketch(raw_sibling))
        except PageError as error:
            return error.reason

    def inspect(self, raw: RawPage, siblings: Iterable[RawPage] = ()) -> CleanedPage:
        """Return the clean page, with the trace of every step; remember nothing.

        Raises PageError.
        """
        return self._clean(raw, siblings)

    def sketch(self, raw: RawPage) -> PageSketch:
        """Return what would be remembered of a page. Raises PageError."""
        return self._sketch(parse_page(raw, self._guard))

    @property
    def templates(self) -> TemplateStore:
        """What was learned, to look into."""
        return self._learner.store

    def knows_template(self, url: str) -> bool:
        """Whether a page of this URL's shape was learned, so that no sibling need be fetched."""
        return self.templates.knows_template(url)

    def recognises_template(self, raw: RawPage) -> bool:
        """Whether the page is of a template that was learned on its host, whatever its URL.

        Cost: a parse. Raises PageError.
        """
        return self._learner.recognises_template(parse_page(raw, self._guard))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the learned templates to a file."""
        self.templates.save(path, self._method.to_data() if self._method else ())

    def load(self, path: str | os.PathLike[str]) -> None:
        """Add the templates of a file that ``save`` wrote. Raises TemplateFileError."""
        paths = self.templates.load(path)
        try:
            if self._method is not None:
                self._method.add_data(paths)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise TemplateFileError(f"invalid learned paths in {path}: {error}") from error

    def warm_up(self) -> None:
        """Load what the first page would load, dictionaries and models: one to three seconds."""
        for html in _WARM_UP_PAGES:
            self._clean(RawPage(html)).to_dict()


@cache
def _default_cleaner() -> Cleaner:
    """Return the cleaner of `clean`, which remembers nothing."""
    return Cleaner()


def clean(
    html: bytes | str,
    *,
    url: str | None = None,
    siblings: Iterable[Sibling] = (),
    config: CleanConfig | None = None,
) -> CleanedPage:
    """Return the clean page: its body, title, kind and what was removed and why.

    *siblings* are (html, url) of pages of the same site. Raises PageError.
    """
    cleaner = _default_cleaner() if config is None else Cleaner(config)
    others = (RawPage(other, at or "") for other, at in siblings)
    return cleaner.inspect(RawPage(html, url or ""), others)
