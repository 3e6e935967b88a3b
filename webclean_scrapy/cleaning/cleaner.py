"""The method in order: bytes in, a clean page out. The one place where the stages are composed.

    decode -> guard -> parse -> table -> template -> body -> lines -> kind -> render

Every stage reads the table and the living rows and returns what it would remove and why; nothing
is parsed twice and no tree is changed. A stage that would leave too little is passed over.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.body.body_finder import Body, extract_body
from webclean_scrapy.cleaning.config import CleanConfig
from webclean_scrapy.cleaning.kind.kind_features import kind_facts
from webclean_scrapy.cleaning.kind.page_kind import judge_kind
from webclean_scrapy.cleaning.page.guard import GuardConfig
from webclean_scrapy.cleaning.page.keys import page_keys
from webclean_scrapy.cleaning.page.parsed_page import ParsedPage, parse_page
from webclean_scrapy.cleaning.page.removals import Living
from webclean_scrapy.cleaning.papers.selection import Method
from webclean_scrapy.cleaning.result import CleanedPage, Source
from webclean_scrapy.cleaning.templates.learner import NO_ADVICE, Learned
from webclean_scrapy.cleaning.templates.sibling_links import is_list_url
from webclean_scrapy.cleaning.templates.sketch import refuse
from webclean_scrapy.errors import PageError
from webclean_scrapy.keywords.ranker import make_ranker
from webclean_scrapy.keywords.segment import Segmenter

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable

    from webclean_scrapy.cleaning.templates.learner import Advice
    from webclean_scrapy.cleaning.templates.sketch import PageSketch
    from webclean_scrapy.cleaning.templates.template_store import TemplateStore

Sibling = tuple["bytes | str", "str | None"]

__all__ = ["CleanConfig", "Cleaner", "clean"]


#: Pages in scripts that have tables of their own: Latin, traditional and simplified Chinese.
_FIRST_PAGES = (
    "<p>The ferry to the island was two hours late this morning, because of fog in the bay.</p>",
    "<p>今天早上海港有大霧，去島上的渡輪晚點了兩個小時。今天早上海港有大雾，渡轮晚点了。</p>",
)


class Cleaner:
    """Cleans pages and keeps what it learns of their templates.

    Not safe for use from several threads at once; give each thread its own.
    """

    def __init__(self, config: CleanConfig | None = None) -> None:
        self.config = config or CleanConfig()
        self._learned = Learned(self.config)
        self._segmenter = Segmenter()
        self._ranker = make_ranker(self.config.keyword_method, self._segmenter)
        self._method = Method(self.config, self._learned.paths, self._segmenter.cut)
        self._body = self.config.body
        if not self.config.link_blocks:
            self._body = replace(self._body, link_blocks=None)
        self._guard = GuardConfig(
            max_bytes=self.config.max_body_bytes, max_tags=self.config.max_tags
        )

    def warm_up(self) -> None:
        """Load what the first page would load, dictionaries and models: one to three seconds."""
        for html in _FIRST_PAGES:
            self._clean(self._parse(html, None, None), (), remember=False).to_dict()

    @property
    def templates(self) -> TemplateStore:
        """What was learned, to look into."""
        return self._learned.templates

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
        return self._clean(self._parse(html, url, charset), siblings, remember=True)

    def learn(
        self, html: bytes | str, url: str | None = None, *, charset: str | None = None
    ) -> None:
        """Remember a page as a sibling for the pages of its template. Raises as ``clean``."""
        page = self._parse(html, url, charset)
        if self.config.learns:
            self._learned.remember(page, self._extract(page))

    def learn_sibling(
        self,
        html: bytes | str,
        url: str | None,
        sibling_html: bytes | str,
        sibling_url: str | None,
        *,
        charset: str | None = None,
        sibling_charset: str | None = None,
    ) -> str | None:
        """Remember the sibling if it is of use for the page; else return why it is not.

        Returns:
            None, or one of ``identical``, ``same_article``, ``unlike``, ``not_article`` or the
            reason of a ``PageError`` of the sibling.

        Raises:
            PageError: the page itself breaks a limit.
        """
        page = self._parse(html, url, charset)
        try:
            sibling = self._parse(sibling_html, sibling_url, sibling_charset)
            body = self._extract(sibling)
        except PageError as error:
            return error.reason
        fault = refuse(self._learned.preview(page), self._learned.sketch(sibling, body))
        if fault is None and self.config.learns:
            self._learned.remember(sibling, body)
        return fault

    def refusal(
        self,
        html: bytes | str,
        url: str | None,
        sibling_html: bytes | str,
        sibling_url: str | None,
    ) -> str | None:
        """Return why the sibling is no use for the page, or None; as ``learn_sibling`` does."""
        page = self._parse(html, url, None)
        try:
            sibling = self.sketch(sibling_html, sibling_url)
        except PageError as error:
            return error.reason
        return refuse(self._learned.preview(page), sibling)

    def sketch(
        self, html: bytes | str, url: str | None = None, *, charset: str | None = None
    ) -> PageSketch:
        """Return what would be remembered of a page."""
        page = self._parse(html, url, charset)
        return self._learned.sketch(page, self._extract(page))

    def knows_template(self, url: str) -> bool:
        """Whether a page of this URL's shape was learned, so that no sibling need be fetched."""
        return self.templates.knows_template(url)

    def recognises_template(
        self, html: bytes | str, url: str | None, *, charset: str | None = None
    ) -> bool:
        """Whether the page is of a template that was learned on its host, whatever its URL.

        Cost: a parse. Raises PageError.
        """
        return self._learned.recognises_template(self._parse(html, url, charset))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the learned templates to a file."""
        self._learned.save(path)

    def load(self, path: str | os.PathLike[str]) -> None:
        """Add the templates of a file that ``save`` wrote. Raises TemplateFileError."""
        self._learned.load(path)

    def _parse(self, html: bytes | str, url: str | None, charset: str | None) -> ParsedPage:
        return parse_page(html, url, charset, self._guard)

    def _extract(
        self,
        page: ParsedPage,
        advice: Advice = NO_ADVICE,
    ) -> Body:
        told = page.head.article_bodies
        return extract_body(
            page.table,
            page.titles,
            advice.evidence,
            self._body,
            told,
            mode=self._method.mode_of(page, advice),
        )

    def _clean(
        self, page: ParsedPage, siblings: Iterable[Sibling], *, remember: bool
    ) -> CleanedPage:
        advice, keys = NO_ADVICE, None
        given = list(siblings) if self.config.learns else []
        remember = remember and self.config.learns
        if given or remember:
            keys = page_keys(page.table)
            advice = self._learned.advise(page, keys, self._read_siblings(given))
        body = self._extract(page, advice)
        if remember:
            self._learned.remember(page, body, keys)
        return self._result(page, body, advice)

    def _read_siblings(self, given: Iterable[Sibling]) -> list[tuple[ParsedPage, Body]]:
        """Return the siblings with their bodies; one that fails never costs the page."""
        found = []
        for html, url in given:
            with suppress(PageError):
                other = self._parse(html, url, None)
                found.append((other, self._extract(other)))
        return found

    def _result(self, page: ParsedPage, body: Body, advice: Advice) -> CleanedPage:
        living = Living(page.table)
        living.remove(body.removals)
        list_url = bool(page.url) and is_list_url(page.url or "")
        facts = kind_facts(page.table, page.head, body, list_url=list_url)
        source = Source(
            head=page.head,
            titles=page.titles,
            living=living,
            body=body,
            ranker=self._ranker,
            keyword_count=self.config.keywords,
            template=advice.evidence,
        )
        return CleanedPage(
            url=page.url,
            sibling_url=next((other.url for other in advice.siblings if other.url), None),
            denoised=advice.denoised,
            kind=judge_kind(facts),
            source=source,
        )


@cache
def _default_cleaner() -> Cleaner:
    """Return the cleaner of `clean`, which is told to remember nothing."""
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
    return cleaner._clean(cleaner._parse(html, url, None), siblings, remember=False)
