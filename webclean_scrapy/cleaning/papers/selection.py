"""The method that finds the body, as the configuration names it, for one page at a time.

A method of a paper reads what its paper reads: the page, its title, or other pages of its site.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.page.layout import estimate_layout, read_layout
from webclean_scrapy.cleaning.papers.entropy_walk import find_important
from webclean_scrapy.cleaning.papers.lcs_clusters import DenoiseConfig, content_rows
from webclean_scrapy.cleaning.papers.method import by_blocks, by_decay, by_entropy, by_relevance
from webclean_scrapy.errors import PageTooLargeError

if TYPE_CHECKING:
    from collections.abc import Callable

    from webclean_scrapy.cleaning.config import CleanConfig
    from webclean_scrapy.cleaning.page.parsed_page import ParsedPage
    from webclean_scrapy.cleaning.page.table import PageTable
    from webclean_scrapy.cleaning.papers.method import Mode
    from webclean_scrapy.cleaning.papers.path_clusters import PathBook
    from webclean_scrapy.cleaning.templates.feature_tree import FeatureTree
    from webclean_scrapy.cleaning.templates.learner import Advice


class Method:
    """Makes a page's ``Mode``. *paths* are those learned; *segment* cuts a text into words."""

    def __init__(
        self, config: CleanConfig, paths: PathBook, segment: Callable[[str], list[str]]
    ) -> None:
        self._config, self._paths, self._segment = config, paths, segment

    def mode_of(self, page: ParsedPage, advice: Advice) -> Mode | None:
        """Return the method with what it knows of *page*; None for the default one."""
        makers = {
            "decay": lambda: by_decay(self._config.modes),
            "relevance": lambda: self._by_relevance(page),
            "entropy": lambda: self._by_entropy(page, advice),
            "lcs": lambda: self._by_clusters(advice.features),
        }
        make = makers.get(self._config.extractor)
        return make() if make else None

    def _by_relevance(self, page: ParsedPage) -> Mode:
        title = page.head.titles[0] if page.head.titles else ""
        return by_relevance(self._config.modes, title, self._segment)

    def _by_entropy(self, page: ParsedPage, advice: Advice) -> Mode:
        modes = self._config.modes
        tables = [other.table for other in advice.siblings]
        rows = [find_important(table, modes.entropy) for table in tables]
        votes = [(t, row) for t, row in zip(tables, rows, strict=True) if row is not None]
        return by_entropy(modes, self._paths.follow(page.host, page.table, votes))

    def _by_clusters(self, sibling: FeatureTree | None) -> Mode:
        return by_blocks("lcs", partial(self._best_clusters, sibling), self._config.modes)

    def _best_clusters(self, sibling: FeatureTree | None, table: PageTable) -> list[int]:
        """Return the rows that the comparison with *sibling* says are content."""
        if sibling is None:
            return []
        config = DenoiseConfig(align=self._config.align, score=self._config.score)
        layout = read_layout(table) or estimate_layout(table)
        try:
            return content_rows(table, sibling, config, layout).content
        except PageTooLargeError:
            return []
