"""The interface of every published method, and the body of a page by one of them.

Deviation: the papers give some body in any case. Here a method that keeps next to nothing of a
page's paragraphs gives way to the default one, so that no page comes out empty.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Protocol

import numpy as np

from webclean_scrapy.cleaning.body.models import Body
from webclean_scrapy.cleaning.page.removals import KeptRows, Removal, line_spans
from webclean_scrapy.cleaning.page.table import without_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.body.evidence import Evidence
    from webclean_scrapy.cleaning.page.table import PageTable
    from webclean_scrapy.cleaning.parsed_page import ParsedPage
    from webclean_scrapy.cleaning.templates.learner import Comparison

_MIN_LEFT_SHARE = 0.3  # of the paragraph weight, that a template may leave for a method to look at


@dataclass(frozen=True, slots=True)
class Extraction:
    """A subtree with the body, and the removed rows inside it."""

    row: int
    removals: tuple[Removal, ...] = ()
    may_be_small: bool = False  # it counts, however little of the page's paragraphs is kept


class PaperMethod(Protocol):
    """One published method, from the table of a page to the body.

    It reads what its paper reads and nothing else: no title anchor, no words, no fitted weights.
    """

    name: ClassVar[str]  # one of method_names.EXTRACTORS
    aligns: ClassVar[bool] = False  # compares with a sibling itself: template lines stay in *table*

    def extract(
        self, page: ParsedPage, table: PageTable, comparison: Comparison
    ) -> Extraction | None:
        """Return the body of *page*; None if the method finds none.

        *table* is the page's, without the lines that its template has (unless the method aligns).
        """

    def learn(self, page: ParsedPage) -> None:
        """Learn from a page for later pages of its template; most methods do not learn."""
        return


def common_row(table: PageTable, rows: Sequence[int]) -> int:
    """Return the innermost row whose subtree holds all *rows*, which are sorted."""
    row, last = rows[0], rows[-1]
    while table.end[row] <= last:
        row = table.parent[row]
    return row


def body_by_paper(
    method: PaperMethod,
    page: ParsedPage,
    evidence: Evidence,
    comparison: Comparison,
    min_kept_share: float,
) -> Body | str:
    """Extract the body by *method*; return the reason if there is none ("nothing", "little")."""
    table = evidence.table
    shared = _template_lines(evidence, method)
    given = without_lines(table, shared) if shared.any() else table
    extraction = method.extract(page, given, comparison)
    if extraction is None:
        return "nothing"
    removals = list(extraction.removals)
    if spans := line_spans(table, np.flatnonzero(shared).tolist()):
        removals.append(Removal("template", "shared", spans))
    rows = KeptRows(table, removals)
    lines = tuple(line for line in table.lines_in(extraction.row) if rows.has_line(line))
    kept = sum(evidence.weights[line] for line in lines)
    least = 0.0 if extraction.may_be_small else min_kept_share * evidence.total
    if not lines or kept < least:
        return "little"
    return Body(
        row=extraction.row,
        lines=lines,
        paragraphs=sum(1 for line in lines if evidence.weights[line]),
        title_line=evidence.signs.title_line,
        removals=tuple(removals),
        extractor=method.name,
    )


def _template_lines(evidence: Evidence, method: PaperMethod) -> NDArray[np.bool_]:
    """Mark the lines shared with other pages of the template, by text or place.

    None, when too little of the page's paragraphs would be left: then the comparison is at fault.
    """
    template = evidence.template
    if template is not None and not method.aligns:
        shared = template.repeated | template.foreign
        weights = np.array(evidence.weights)
        if weights[~shared].sum() >= _MIN_LEFT_SHARE * weights.sum():
            return shared
    return np.zeros(len(evidence.weights), bool)
