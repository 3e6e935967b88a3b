"""Evidence about the lines of a page: everything that the body's models read.

Nothing here selects a body. First the signs that the page shows, then which lines are excluded for
them, then what the others weigh.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.body.exclusions import OF_ANY_PAGE, TEMPLATE, find_exclusions
from webclean_scrapy.cleaning.body.headings import after_end_headings
from webclean_scrapy.cleaning.body.signs import read_signs
from webclean_scrapy.cleaning.page.paragraphs import SubtreeWeights
from webclean_scrapy.cleaning.page.row_flags import GROUP

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.body.link_blocks import LinkBlockConfig
    from webclean_scrapy.cleaning.body.signs import LineSigns
    from webclean_scrapy.cleaning.page.table import PageTable
    from webclean_scrapy.cleaning.parsed_page import ParsedPage
    from webclean_scrapy.cleaning.templates.template import TemplateEvidence

_GROUP_SHARE = 0.3  # of the page's paragraph weight; a table that holds more is its layout


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Evidence about one page's lines; one entry a line."""

    table: PageTable
    signs: LineSigns
    template: TemplateEvidence | None
    excluded: NDArray[np.uint8]  # why it is no body, an index of exclusions.REASONS
    weights: list[int]  # as a paragraph, in units
    subtrees: SubtreeWeights
    group: list[int]  # row of the innermost table or list around it, else -1
    after_end_heading: NDArray[np.bool_]  # a heading that ends an article, or close under it

    @property
    def total(self) -> int:
        """The weight of the page."""
        return self.subtrees.of(0)


def gather(
    page: ParsedPage, template: TemplateEvidence | None, link_blocks: LinkBlockConfig | None
) -> Evidence:
    """Return what is known of *page*'s lines. None for *link_blocks* finds none. Cost: O(rows)."""
    table = page.table
    signs = read_signs(page, link_blocks)
    weights = _weigh(table)
    excluded = find_exclusions(page, signs, template, weights)
    weights = _without_excluded(weights, excluded, template)
    subtrees = SubtreeWeights(table, weights)
    return Evidence(
        table=table,
        signs=signs,
        template=template,
        excluded=excluded,
        weights=weights,
        subtrees=subtrees,
        group=_groups(table, subtrees),
        after_end_heading=after_end_headings(table, weights, signs.end_heading),
    )


def evidence_of_any_page(evidence: Evidence) -> Evidence:
    """Return the evidence of a page that is not an article: less is excluded.

    What is beside an article is the text of other pages: posts, links, labels, data. Cost: O(rows).
    """
    table = evidence.table
    excluded = evidence.excluded * np.isin(evidence.excluded, OF_ANY_PAGE)
    weights = _without_excluded(_weigh(table), excluded, evidence.template)
    subtrees = SubtreeWeights(table, weights)
    return replace(
        evidence,
        excluded=excluded,
        weights=weights,
        subtrees=subtrees,
        group=_groups(table, subtrees),
    )


def _groups(table: PageTable, subtrees: SubtreeWeights) -> list[int]:
    """Return for each line the row of the table or list around it, -1 for none."""
    return subtrees.innermost(np.flatnonzero(table.flags.own & GROUP).tolist(), _GROUP_SHARE)


def _weigh(table: PageTable) -> list[int]:
    """Return the weight of each line; on a page without paragraphs whatever text there is."""
    weights = table.paragraph_weights
    if any(weights):
        return weights
    lines = table.lines
    return [max(0, u - 2 * n) for u, n in zip(lines.units, lines.link_units, strict=True)]


def _without(weights: list[int], lines: Iterable[int]) -> list[int]:
    """Return the weights without those of *lines* (per line: not 0), unless none is left."""
    left = [0 if without else w for w, without in zip(weights, lines, strict=True)]
    return left if any(left) else weights


def _without_excluded(
    weights: list[int], excluded: NDArray[np.uint8], template: TemplateEvidence | None
) -> list[int]:
    """Return the weights without those of excluded lines, and of all that the template repeats."""
    certain = (excluded > 0) & (excluded != TEMPLATE)
    weights = _without(weights, certain.tolist())
    return weights if template is None else _without(weights, template.repeated.tolist())
