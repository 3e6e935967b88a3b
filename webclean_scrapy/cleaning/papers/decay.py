"""FindMT (information decay) and CleanTree as printed: the body's subtree, and removals in it.

Chen et al. 2012: Chen Yang, Chen Xingshu, Wu Qi: "Main text extraction by information decay
amplitude", 2012. Walk down from the root to the child that holds most of the text; stop where going
on would lose more than the share T of it. T = .34 (tested .20-.50 on 700 pages), DLmax = .65. The
default method walks over another weight.

Deviation: T = .46, with which more pages of today come out right (docs/method/papers.md).

Deviation: the printed code returns the child ``m``; prose, figure and results need ``i``.
Deviation: a chosen paragraph is widened to its parent, so that one dominating paragraph does not
take its siblings with it (the authors' own failure case).
Deviation: CleanTree tests block elements with two links or more; a single inline link has DL = 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.body.decay_walk import is_paragraph
from webclean_scrapy.cleaning.page.removals import Removal
from webclean_scrapy.cleaning.page.tags import BLOCK_TAGS
from webclean_scrapy.cleaning.papers.paper_method import Extraction, PaperMethod
from webclean_scrapy.options import CheckedOptions, constant

if TYPE_CHECKING:
    from webclean_scrapy.cleaning.page.table import PageTable
    from webclean_scrapy.cleaning.parsed_page import ParsedPage
    from webclean_scrapy.cleaning.templates.learner import Comparison


@dataclass(frozen=True, slots=True, kw_only=True)
class DecayConfig(CheckedOptions):
    # fmt: off
    max_decay: float = constant(
        0.46, "share", "T, the share of the text that a step down may lose.", key="decay_t",
        printed="0.34")
    max_link_density: float = constant(
        0.65, "share", "DLmax: a block with a larger share of its text inside links is removed.",
        key="decay_dlmax", printed="0.65")
    min_links: int = constant(
        2, "links", "A block with fewer links is not removed.", key="decay_min_links", low=1,
        high=100, printed="1")
    # fmt: on


class DecayMethod(PaperMethod):
    """FindMT, weighing all text outside links, and CleanTree below its result."""

    name = "decay"

    def __init__(self, config: DecayConfig) -> None:
        self._config = config

    def extract(
        self, page: ParsedPage, table: PageTable, comparison: Comparison
    ) -> Extraction | None:
        if not table.plain_length(0):
            return None
        row = find_body(table, self._config)
        return Extraction(row, tuple(clean_tree(table, row, self._config)))


def find_body(table: PageTable, config: DecayConfig) -> int:
    """Return the row of the body subtree. Cost: O(children along the path)."""
    weight = table.plain_length
    row = 0
    while True:
        total = weight(row)
        children = [child for child in table.children(row) if table.text_length(child)]
        if not children or not total:
            break
        best = max(children, key=weight)  # the first on ties
        if total - weight(best) > config.max_decay * total:
            break
        row = best
    while row and is_paragraph(table, row):
        row = table.parent[row]
    return row


def clean_tree(table: PageTable, row: int, config: DecayConfig) -> list[Removal]:
    """Return the blocks under *row* whose link density is above DLmax, outermost, in order."""
    spans = []
    at, stop = row + 1, table.end[row]
    while at < stop:
        if table.tag[at] in BLOCK_TAGS and _is_link_block(table, at, config):
            spans.append((at, table.end[at]))
            at = table.end[at]
        else:
            at += 1
    return [Removal("clean_tree", "link_density", tuple(spans))] if spans else []


def _is_link_block(table: PageTable, row: int, config: DecayConfig) -> bool:
    if table.link_length(row) <= config.max_link_density * table.text_length(row):
        return False
    return table.tag[row : table.end[row]].count("a") >= config.min_links
