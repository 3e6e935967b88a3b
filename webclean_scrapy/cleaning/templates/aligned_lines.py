"""The lines of a page that the published alignment with similar pages pairs.

Song et al. 2011: Song, Zhi, Zhou, Luo, An: "LCS-based feature tree maximum similarity matching for
web page denoising", Video Engineering 2011(13): nodes that the alignment pairs are template.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.templates.alignment import AlignConfig, align
from webclean_scrapy.errors import PageTooLargeError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.page.table import PageTable
    from webclean_scrapy.cleaning.templates.feature_tree import FeatureTree


def paired_lines(
    table: PageTable, features: FeatureTree, siblings: Iterable[FeatureTree], config: AlignConfig
) -> NDArray[np.bool_] | None:
    """Return for each line whether an alignment with one of *siblings* pairs it.

    *features* are those of the page. None when no pair of pages is within ``max_cells``.
    """
    lines: NDArray[np.bool_] | None = None
    for sibling in siblings:
        try:
            pairs = align(features, sibling, config).pairs
        except PageTooLargeError:
            continue
        paired = _lines_in(table, features, pairs)
        lines = paired if lines is None else lines | paired
    return lines


def _lines_in(
    table: PageTable, features: FeatureTree, pairs: list[tuple[int, int]]
) -> NDArray[np.bool_]:
    """Mark the lines inside paired content nodes: structure nodes are paired for their looks."""
    content = set(features.rows[features.inner > 0].tolist())
    inside = np.zeros(len(table), bool)
    for row, _ in pairs:
        if row in content:
            inside[row : table.end[row]] = True
    return inside[np.array(table.lines.first, np.int64)]
