"""The body by information decay, as printed: FindMT on the text outside links, then CleanTree.

Chen et al. 2012: Chen Yang, Chen Xingshu, Wu Qi: "Main text extraction by information decay
amplitude", 2012. ``papers.decay`` holds both algorithms and says where they depart from the paper;
the default method walks over another weight.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.papers.decay import DecayConfig, clean_tree, find_body
from webclean_scrapy.cleaning.papers.paper_method import Extraction, PaperMethod

if TYPE_CHECKING:
    from webclean_scrapy.cleaning.page.table import PageTable
    from webclean_scrapy.cleaning.parsed_page import ParsedPage
    from webclean_scrapy.cleaning.templates.learner import Comparison


class DecayMethod(PaperMethod):
    """FindMT, weighing all text outside links, and CleanTree below the row it returns."""

    name = "decay"

    def __init__(self, config: DecayConfig, min_kept_share: float) -> None:
        self._config, self._min_kept_share = config, min_kept_share

    def extract(
        self, page: ParsedPage, table: PageTable, comparison: Comparison
    ) -> Extraction | None:
        if not table.plain_length(0):
            return None
        row = find_body(table, self._config)
        removals = tuple(clean_tree(table, row, self._config))
        return Extraction(row=row, removals=removals, min_kept_share=self._min_kept_share)
