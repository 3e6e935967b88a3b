"""Collect evidence about the lines of a page, the input of all models of the body.

Nothing here selects a body. First the signs that the page shows, then which lines are excluded for
them, then what the others weigh.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.body.reasons.names import (
    ADVERT,
    CONSENT,
    DIALOG,
    FORM,
    HIDDEN,
    NAVIGATION,
    NOT,
    PLACEHOLDER,
    TEMPLATE,
    TOOLS,
    reasons,
)
from webclean_scrapy.cleaning.body.reasons.page_lines import PageLines
from webclean_scrapy.cleaning.body.reasons.table import REASONS, find_exclusions
from webclean_scrapy.cleaning.body.signs import after_end_headings, read_signs
from webclean_scrapy.cleaning.page import row_flags as f
from webclean_scrapy.cleaning.page.weights import SubtreeWeights

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.body.link_blocks import LinkBlockConfig
    from webclean_scrapy.cleaning.body.reasons.table import Reason
    from webclean_scrapy.cleaning.body.signs import LineSigns
    from webclean_scrapy.cleaning.page.table import PageTable
    from webclean_scrapy.cleaning.parsed_page import ParsedPage
    from webclean_scrapy.cleaning.templates.template import TemplateEvidence

#: Reasons that hold on pages of every kind.
_OF_ANY_PAGE = reasons(
    CONSENT, NAVIGATION, ADVERT, TEMPLATE, TOOLS, HIDDEN, DIALOG, PLACEHOLDER, FORM
)
_GROUP_SHARE = 0.3  # of the page's paragraph weight; a table that holds more is its layout


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """Evidence about one page's lines; one entry a line."""

    table: PageTable
    url: str | None
    signs: LineSigns
    template: TemplateEvidence | None
    excluded: NDArray[np.uint8]  # why it is no body, an index of EXCLUSIONS
    weights: list[int]  # as a paragraph, in units
    after_end_heading: NDArray[np.bool_]  # a heading that ends an article, or close under it
    of_article: bool = True  # read as one

    @cached_property
    def weight(self) -> NDArray[np.int64]:
        """The weights as an array."""
        return np.fromiter(self.weights, np.int64, len(self.weights))

    @cached_property
    def subtrees(self) -> SubtreeWeights:
        return SubtreeWeights(self.table, self.weights)

    @cached_property
    def group(self) -> list[int]:
        """For each line the row of the innermost table or list around it, else -1."""
        groups = (self.table.flags.own & f.GROUP).nonzero()[0].tolist()
        return self.subtrees.innermost(groups, _GROUP_SHARE)

    @property
    def total(self) -> int:
        """The weight of the page."""
        return self.subtrees.of(0)

    @cached_property
    def _away(self) -> tuple[list[int], list[int]]:
        """The rows of the links, and before each how many lead to other sites than the page's."""
        own, hrefs = _site_of(self.url or ""), self.table.hrefs
        away = (bool(own and site) and site != own for site in map(_site_of, hrefs.values()))
        return list(hrefs), [0, *accumulate(away)]

    def leads_away(self, row: int) -> bool:
        """True if most links in the subtree of *row* lead to other sites than the page's."""
        rows, before = self._away
        first, stop = (bisect_left(rows, at) for at in (row, self.table.end[row]))
        return 2 * (before[stop] - before[first]) > stop - first


def _site_of(url: str) -> list[str]:
    """Return the last parts of the host, ``example.org`` or ``example.co.uk``; [] without one."""
    host = url.partition("//")[2].partition("/")[0].split(".") if "//" in url else []
    is_country = len(host) > 2 and len(host[-1]) == 2 and len(host[-2]) <= len("com")
    return host[-3 if is_country else -2 :]


def gather(
    page: ParsedPage,
    template: TemplateEvidence | None,
    link_blocks: LinkBlockConfig | None,
    reasons: tuple[Reason, ...] = REASONS,
) -> Evidence:
    """Collect the evidence of every line. Without *link_blocks* none are found. Cost: O(rows)."""
    table = page.table
    signs = read_signs(page, link_blocks)
    weights = _weigh(table)
    weight = np.fromiter(weights, np.int64, len(weights))
    excluded = find_exclusions(PageLines(page, signs, template, weight), reasons)
    weights = _without_excluded(weights, excluded, template)
    return Evidence(
        table=table,
        url=page.url,
        signs=signs,
        template=template,
        excluded=excluded,
        weights=weights,
        after_end_heading=after_end_headings(table, weights, signs.end_heading),
    )


def evidence_of_any_page(
    evidence: Evidence, beside: Iterable[tuple[int, NDArray[np.bool_]]] = ()
) -> Evidence:
    """Return the evidence for pages that are not articles: other reasons exclude a line.

    What is beside an article is the text of other pages: posts, links, labels, data. So are hidden
    lines whose words stand nowhere else, as of tabs. *beside* has further reasons of a kind of
    page, each with the lines that it excludes. Cost: O(rows).
    """
    table, texts = evidence.table, evidence.table.lines.text
    excluded = evidence.excluded * _OF_ANY_PAGE[evidence.excluded]
    counts = Counter(texts)
    hidden = (excluded == HIDDEN).nonzero()[0].tolist()
    excluded[[line for line in hidden if counts[texts[line]] == 1]] = NOT
    for reason, lines in beside:
        excluded[lines & (excluded == NOT)] = reason
    weights = _without_excluded(_weigh(table), excluded, evidence.template)
    return replace(evidence, excluded=excluded, weights=weights, of_article=False)


def _weigh(table: PageTable) -> list[int]:
    """Return the weight of each line; all text counts on a page without paragraphs."""
    weights = table.paragraph_weights
    if any(weights):
        return weights
    lines = table.lines
    return [max(0, u - 2 * n) for u, n in zip(lines.units, lines.link_units, strict=True)]


def _without(weights: list[int], lines: Iterable[int]) -> list[int]:
    """Return the weights with 0 for *lines* (0 = keep), or unchanged if all would be 0."""
    left = [0 if without else w for w, without in zip(weights, lines, strict=True)]
    return left if any(left) else weights


def _without_excluded(
    weights: list[int], excluded: NDArray[np.uint8], template: TemplateEvidence | None
) -> list[int]:
    """Return the weights with 0 for excluded lines and for texts repeated by the template."""
    certain = (excluded > 0) & (excluded != TEMPLATE)
    weights = _without(weights, certain.tolist())
    return weights if template is None else _without(weights, template.repeated.tolist())
