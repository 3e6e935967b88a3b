"""What the published alignment with a similar page says about a page, as evidence per line.

Song et al. 2011: Song, Zhi, Zhou, Luo, An: "LCS-based feature tree maximum similarity matching for
web page denoising", Video Engineering 2011(13): nodes that the alignment pairs are template. The
form for ``denoise="lcs"``; ``template_evidence`` is the one by keys.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.templates.alignment import AlignConfig, align
from webclean_scrapy.cleaning.templates.feature_tree import build_features
from webclean_scrapy.errors import PageTooLargeError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.page.table import PageTable
    from webclean_scrapy.cleaning.templates.feature_tree import FeatureTree
    from webclean_scrapy.cleaning.templates.template import TemplateEvidence


def aligned_evidence(
    table: PageTable,
    siblings: Iterable[FeatureTree],
    evidence: TemplateEvidence,
    config: AlignConfig,
) -> TemplateEvidence | None:
    """Return *evidence* with the lines marked as repeated that an alignment with a sibling pairs.

    The places stay as the keys have them. None when no pair of pages is within ``max_cells``.
    """
    features = build_features(table, config.similarity, table.layout)
    repeated: NDArray[np.bool_] | None = None
    for sibling in siblings:
        try:
            pairs = align(features, sibling, config).pairs
        except PageTooLargeError:
            continue
        paired = _find_repeated(table, features, pairs)
        repeated = paired if repeated is None else repeated | paired
    return None if repeated is None else replace(evidence, repeated=repeated)


def _find_repeated(
    table: PageTable, features: FeatureTree, pairs: list[tuple[int, int]]
) -> NDArray[np.bool_]:
    """Mark the lines inside paired content nodes: structure nodes are paired for their looks."""
    content = set(features.rows[features.inner > 0].tolist())
    inside = np.zeros(len(table), bool)
    for row, _ in pairs:
        if row in content:
            inside[row : table.end[row]] = True
    return inside[np.array(table.lines.first, np.int64)]
