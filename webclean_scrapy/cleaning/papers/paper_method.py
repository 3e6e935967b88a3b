"""The interface of every published method: its name, input and result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from webclean_scrapy.cleaning.page.removals import Removal
    from webclean_scrapy.cleaning.page.table import PageTable
    from webclean_scrapy.cleaning.parsed_page import ParsedPage
    from webclean_scrapy.cleaning.templates.learner import Comparison


@dataclass(frozen=True, slots=True)
class Extraction:
    """A subtree that holds the body, and what is no body inside it."""

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
        """Return the body of *page*, None where the method has no answer.

        *table* is the page's, without the lines that its template has (unless the method aligns).
        """

    def learn(self, page: ParsedPage) -> None:
        """Remember what later pages of the template can use; most methods use nothing."""
        return

    def to_data(self) -> list[dict[str, Any]]:
        """Return what was learned as plain values, which are saved beside the templates."""
        return []

    def add_data(self, data: Iterable[Any]) -> None:
        """Add what ``to_data`` returned.

        Raises:
            AttributeError, KeyError, TypeError, ValueError: data of another form; none is added.
        """
        return


def common_row(table: PageTable, rows: Sequence[int]) -> int:
    """Return the innermost row whose subtree holds all *rows*, which rise."""
    row, last = rows[0], rows[-1]
    while table.end[row] <= last:
        row = table.parent[row]
    return row
