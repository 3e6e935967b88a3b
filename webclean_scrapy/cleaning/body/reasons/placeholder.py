"""Finds places that a template left empty."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.body import wording
from webclean_scrapy.cleaning.body.wording import match

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.body.reasons.page_lines import PageLines


def find_placeholders(lines: PageLines) -> NDArray[np.bool_]:
    """Mark the variables of templates, outside of code."""
    table, texts = lines.table, lines.table.lines
    found = match(wording.is_unfilled, texts, lines.asked & ~lines.code)
    for at in found.nonzero()[0].tolist():
        found[at] = {"code", "samp"}.isdisjoint(table.tag[texts.first[at] - 1 : texts.last[at]])
    return found
