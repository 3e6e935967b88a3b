"""Gives all reasons one view of the lines of a page, and finds once what several of them ask."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.body.amid import find_inline_asides, find_lists_after_colon
from webclean_scrapy.cleaning.body.boxes import find_buttons
from webclean_scrapy.cleaning.page import row_flags as f

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.body.signs import LineSigns
    from webclean_scrapy.cleaning.page.table import PageTable
    from webclean_scrapy.cleaning.parsed_page import ParsedPage
    from webclean_scrapy.cleaning.templates.template import TemplateEvidence

MIN_OUTSIDE_UNITS = 300  # of paragraphs outside of what is excluded
MIN_OUTSIDE_SHARE = 0.25  # of the page's, 0..1
MIN_SHOWN_SHARE = 0.75  # the same for hidden elements: scripts show whole articles later


def leaves_text(left: int, whole: int, share: float) -> bool:
    """True if enough paragraphs are left of the *whole* page, both in units."""
    return left >= MIN_OUTSIDE_UNITS and left >= share * whole


@dataclass(frozen=True)
class PageLines:
    """The lines of a page, with what several reasons ask about them; one entry a line."""

    page: ParsedPage
    signs: LineSigns
    template: TemplateEvidence | None
    weight: NDArray[np.int64]  # as paragraphs, in units

    @cached_property
    def buttons(self) -> NDArray[np.bool_]:
        return find_buttons(self.page)

    @property
    def table(self) -> PageTable:
        return self.page.table

    @property
    def units(self) -> NDArray[np.int64]:
        return self.table.columns.units

    @cached_property
    def own(self) -> NDArray[np.int32]:
        """The flags of the element of each line."""
        return self.table.block_flags

    @cached_property
    def around(self) -> NDArray[np.int32]:
        """The flags of the elements around each line; an aside amid a text is none."""
        around = self.table.around_flags.copy()
        weight, title = self.weight.copy(), self.signs.title_line
        if title is not None:
            weight[title] = 1  # the first paragraph may be in an aside
        around[find_inline_asides(self.table, weight)] &= ~f.ASIDE
        return around

    @cached_property
    def named(self) -> int:
        """The flags that any line has around it."""
        return int(np.bitwise_or.reduce(self.around, initial=0))

    @cached_property
    def code(self) -> NDArray[np.bool_]:
        return self.around & f.PRE > 0

    @cached_property
    def in_link_block(self) -> NDArray[np.bool_]:
        """Lines of link blocks, if they leave a text; a linked title is no link block."""
        links: NDArray[np.bool_] = self.signs.link_blocks.lines.copy()
        links &= np.arange(len(links)) != self.signs.title_line
        links &= ~find_lists_after_colon(self.table, links, links, (self.weight > 0) & ~links)
        left, whole = int(self.weight[~links].sum()), int(self.weight.sum())
        links &= leaves_text(left, whole, MIN_OUTSIDE_SHARE)
        return links

    @cached_property
    def asked(self) -> NDArray[np.bool_]:
        """Lines whose wording may exclude them: all outside of link blocks."""
        return ~self.in_link_block
