"""The method in order: bytes in, a clean page out. The one place where the stages are composed.

    decode -> guard -> parse -> table -> template -> body -> lines -> kind -> render

Every stage reads the table and the living rows and returns what it would remove and why; nothing
is parsed twice and no tree is changed. A stage that would leave too little is passed over.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from webclean_scrapy.denoise.siblings import is_list_url
from webclean_scrapy.denoise.store import TemplateStore
from webclean_scrapy.denoise.template import (
    PageKeys,
    PageSketch,
    TemplateEvidence,
    page_keys,
    refuse,
    sketch_page,
    template_evidence,
)
from webclean_scrapy.errors import ConfigError, PageError, TemplateFileError
from webclean_scrapy.extract.body import Body, BodyConfig, extract_body
from webclean_scrapy.extract.entropy import find_important
from webclean_scrapy.extract.kind_facts import kind_facts
from webclean_scrapy.extract.modes import (
    EXTRACTORS,
    ModesConfig,
    by_decay,
    by_entropy,
    by_relevance,
)
from webclean_scrapy.extract.paragraphs import paragraph_mass
from webclean_scrapy.extract.path_book import PathBook
from webclean_scrapy.keywords.segment import Segmenter
from webclean_scrapy.keywords.tfidf import KeywordRanker
from webclean_scrapy.page.charset import as_utf8
from webclean_scrapy.page.guard import GuardConfig, check_page
from webclean_scrapy.page.kind import judge_kind
from webclean_scrapy.page.living import Living
from webclean_scrapy.page.metadata import Head, read_head
from webclean_scrapy.page.parse import parse
from webclean_scrapy.page.table import PageTable, build_table
from webclean_scrapy.page.title import clean_title
from webclean_scrapy.result import CleanedPage, Source

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Sequence

    from webclean_scrapy.extract.modes import Mode

DENOISERS = ("template", "off")
_LEARNING = frozenset({"webclean", "entropy"})  # extractors that other pages can help


@dataclass(frozen=True, slots=True, kw_only=True)
class CleanConfig:
    """How pages are cleaned. The defaults are meant for everybody."""

    extractor: str = "webclean"  # one of EXTRACTORS
    denoise: str = "template"  # one of DENOISERS
    link_blocks: bool = True  # remove logical link blocks; the extractor "webclean" alone does
    max_body_bytes: int = 5_000_000  # larger pages are refused
    max_tags: int = 200_000
    keywords: int = 10  # of the Top-N on a page
    max_templates: int = 500  # kept between pages; the least used goes first
    body: BodyConfig = field(default_factory=BodyConfig)
    modes: ModesConfig = field(default_factory=ModesConfig)  # of the other extractors

    @property
    def learns(self) -> bool:
        """Whether anything is learned from pages for other pages of their template."""
        return self.denoise != "off" and self.extractor in _LEARNING

    def __post_init__(self) -> None:
        if self.extractor not in EXTRACTORS:
            raise ConfigError(f"extractor must be one of {EXTRACTORS}, got {self.extractor!r}")
        if self.denoise not in DENOISERS:
            raise ConfigError(f"denoise must be one of {DENOISERS}, got {self.denoise!r}")
        for name in ("max_body_bytes", "max_tags", "keywords", "max_templates"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} must be at least 1, got {getattr(self, name)!r}")


@dataclass(frozen=True, slots=True)
class _Parsed:
    """A page as the stages see it."""

    head: Head
    titles: tuple[str, ...]  # as written, and without the site's name
    table: PageTable
    url: str | None

    @property
    def host(self) -> str:
        return urlsplit(self.url or "").netloc


class Cleaner:
    """Cleans pages and keeps what it learns of their templates.

    Not safe for use from several threads at once; give each thread its own.
    """

    def __init__(self, config: CleanConfig | None = None) -> None:
        self.config = config or CleanConfig()
        self.templates = TemplateStore(self.config.max_templates)
        self._segmenter = Segmenter()
        self._ranker = KeywordRanker(self._segmenter)
        self._paths = PathBook(
            self.config.max_templates, self.config.modes.tree, self.config.modes.path
        )
        self._body = self.config.body
        if not self.config.link_blocks:
            self._body = replace(self._body, link_blocks=None)
        self._guard = GuardConfig(
            max_bytes=self.config.max_body_bytes, max_tags=self.config.max_tags
        )

    def clean(
        self,
        html: bytes | str,
        url: str | None = None,
        siblings: Iterable[tuple[bytes | str, str | None]] = (),
        *,
        charset: str | None = None,
    ) -> CleanedPage:
        """Return the clean page; remember it as a sibling for pages to come.

        *siblings* are (html, url) of pages of the same site, used for this page beside what was
        learned before. *charset* is the one of the HTTP header, if any.

        Raises:
            PageError: the page is too large, too deep or no HTML; ``reason`` says which.
        """
        return self._clean(self._parse(html, url, charset), siblings, remember=True)

    def learn(
        self, html: bytes | str, url: str | None = None, *, charset: str | None = None
    ) -> None:
        """Remember a page as a sibling for the pages of its template. Raises as ``clean``."""
        page = self._parse(html, url, charset)
        self._remember(page, self._extract(page, None), None)

    def sketch(
        self, html: bytes | str, url: str | None = None, *, charset: str | None = None
    ) -> PageSketch:
        """Return what would be remembered of a page."""
        page = self._parse(html, url, charset)
        return self._sketch(page, self._extract(page, None))

    def knows(self, url: str) -> bool:
        """Whether a page of this URL's shape was learned, so that no sibling need be fetched."""
        return self.templates.knows(url)

    def refusal(
        self,
        html: bytes | str,
        url: str | None,
        sibling_html: bytes | str,
        sibling_url: str | None,
    ) -> str | None:
        """Return why the sibling is no use for the page, or None when it is.

        One of ``identical``, ``same_article``, ``unlike``, ``not_article`` or the reason of a
        ``PageError`` of the sibling.
        """
        try:
            sibling = self.sketch(sibling_html, sibling_url)
        except PageError as error:
            return error.reason
        return refuse(self.sketch(html, url), sibling)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the learned templates to a file."""
        self.templates.save(path, self._paths.to_data())

    def load(self, path: str | os.PathLike[str]) -> None:
        """Add the templates of a file that ``save`` wrote. Raises TemplateFileError."""
        try:
            self._paths.add_data(self.templates.load(path))
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise TemplateFileError(f"{path} holds paths of another form: {error}") from error

    def _parse(self, html: bytes | str, url: str | None, charset: str | None) -> _Parsed:
        if isinstance(html, bytes):
            check_page(html, self._guard)
            html = as_utf8(html, declared=charset)
        else:
            check_page(html.encode("utf-8", "replace"), self._guard)
        root = parse(html)
        head = read_head(root)
        return _Parsed(head, title_forms(head), build_table(root), url)

    def _extract(
        self,
        page: _Parsed,
        template: TemplateEvidence | None,
        others: Sequence[_Parsed] = (),
    ) -> Body:
        """Return the page's body. *others* are pages of the site that may vote on its path."""
        told = page.head.article_bodies
        mode = self._mode(page, others)
        return extract_body(page.table, page.titles, template, self._body, told, mode=mode)

    def _mode(self, page: _Parsed, others: Sequence[_Parsed]) -> Mode | None:
        modes = self.config.modes
        if self.config.extractor == "decay":
            return by_decay(modes)
        if self.config.extractor == "relevance":
            title = page.head.titles[0] if page.head.titles else ""
            return by_relevance(modes, title, self._segmenter.cut)
        if self.config.extractor == "entropy":
            rows = ((other.table, find_important(other.table, modes.entropy)) for other in others)
            votes = [(table, row) for table, row in rows if row is not None]
            return by_entropy(modes, self._paths.follow(page.host, page.table, votes))
        return None

    def _clean(
        self,
        page: _Parsed,
        siblings: Iterable[tuple[bytes | str, str | None]],
        *,
        remember: bool,
    ) -> CleanedPage:
        keys = None
        sketches: list[PageSketch] = []
        others: list[_Parsed] = []
        siblings = list(siblings) if self.config.learns else ()
        remember = remember and self.config.learns
        if siblings or remember:
            keys = page_keys(page.table)
            sketches, others = self._useful(page, keys, siblings)
        evidence = template_evidence(page.table, sketches, keys) if sketches else None
        body = self._extract(page, evidence, others)
        if remember:
            self._remember(page, body, keys)
        sibling_url = next((other.url for other in others if other.url), None)
        return self._result(page, body, sibling_url, evidence)

    def _remember(self, page: _Parsed, body: Body, keys: PageKeys | None) -> None:
        if not self.config.learns:
            return
        self.templates.add(self._sketch(page, body, keys))
        if self.config.extractor == "entropy" and page.url:
            row = find_important(page.table, self.config.modes.entropy)
            if row is not None:
                self._paths.learn(page.host, page.url, page.table, row)

    def _sketch(self, page: _Parsed, body: Body, keys: PageKeys | None = None) -> PageSketch:
        return sketch_page(page.table, page.url, body.lines, body.row, keys)

    def _useful(
        self,
        page: _Parsed,
        keys: PageKeys,
        siblings: Iterable[tuple[bytes | str, str | None]],
    ) -> tuple[list[PageSketch], list[_Parsed]]:
        """Return the sketches that help this page, and those of *siblings* that do.

        The page's body is not known yet: its paragraphs stand in for it.
        """
        mass = paragraph_mass(page.table, self._body.paragraphs)
        paragraphs = [line for line, weight in enumerate(mass) if weight]
        own = sketch_page(page.table, page.url, paragraphs, None, keys)
        found, others = [], []
        for html, url in siblings:
            try:
                other = self._parse(html, url, None)
            except PageError:
                continue  # a failed sibling never costs the page
            sketch = self._sketch(other, self._extract(other, None))
            if refuse(own, sketch) is None:
                found.append(sketch)
                others.append(other)
        found.extend(s for s in self.templates.find(own) if refuse(own, s) is None)
        return found, others

    def _result(
        self,
        page: _Parsed,
        body: Body,
        sibling_url: str | None,
        evidence: TemplateEvidence | None,
    ) -> CleanedPage:
        living = Living(page.table)
        living.remove(body.removals)
        list_url = bool(page.url) and is_list_url(page.url or "")
        facts = kind_facts(page.table, page.head, body, list_url=list_url)
        source = Source(
            page.head, page.titles, living, body, self._ranker, self.config.keywords, evidence
        )
        return CleanedPage(
            url=page.url, sibling_url=sibling_url, kind=judge_kind(facts), source=source
        )


def title_forms(head: Head) -> tuple[str, ...]:
    """Return the titles that a page claims, each as written and without the site's name."""
    forms: dict[str, None] = {}
    for title in head.titles:
        forms[clean_title(title, head.site_name)] = None
        forms[title] = None
    return tuple(forms)


@cache
def _default_cleaner() -> Cleaner:
    """Return the cleaner of `clean`, which is told to remember nothing."""
    return Cleaner()


def clean(
    html: bytes | str,
    *,
    url: str | None = None,
    siblings: Iterable[tuple[bytes | str, str | None]] = (),
    config: CleanConfig | None = None,
) -> CleanedPage:
    """Return the clean page: its body, title, kind and what was removed and why.

    *siblings* are (html, url) of pages of the same site. Raises PageError.
    """
    cleaner = _default_cleaner() if config is None else Cleaner(config)
    return cleaner._clean(cleaner._parse(html, url, None), siblings, remember=False)
