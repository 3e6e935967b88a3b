"""Features of a subtree that may hold the body."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.page import row_flags as f

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.body.evidence import Evidence

    Column = NDArray[Any]  # one value per candidate

SUBTREE_FEATURES = (
    "expected", "kept expected", "coverage", "density", "links", "direct", "direct coverage",
    "holds title", "after title", "before title", "marked", "article", "whole page",
    "named body", "named other", "under other", "in aside", "in comments", "in related",
    "outside in parent", "decay", "template path", "alike outside",
)  # fmt: skip

MIN_PROBABILITY = 0.2  # a line less likely to be body counts as removed when subtrees are compared

MIN_SHARE = 0.05  # of the page's paragraph weight that a candidate must hold, 0..1


def candidates(evidence: Evidence) -> list[int]:
    """Return the containers that may hold the body: of nested ones with equal lines the outermost.

    Containers with next to no paragraph weight are left out, and so are headers, navigation and
    asides where there are others; the root is always a candidate.
    """
    table, flags = evidence.table, evidence.table.flags
    fits = (flags.own & f.CONTAINER > 0) & (table.arrays.units > 0)
    fits &= evidence.subtrees.every >= MIN_SHARE * evidence.total
    inside = fits & (flags.inside & (f.ASIDE | f.HEADER | f.NAV) == 0) & (flags.own & f.WHOLE == 0)
    if inside.any():
        fits = inside | (fits & (flags.own & f.WHOLE > 0))
    outermost: dict[tuple[int, int], int] = {}
    for row in np.flatnonzero(fits).tolist():
        lines = table.lines_in(row)
        if len(lines):
            outermost.setdefault((lines.start, lines.stop), row)
    return sorted(outermost.values()) or [0]


def subtree_features(
    evidence: Evidence, candidates: list[int], probability: NDArray[np.float64], decay_row: int
) -> NDArray[np.float64]:
    """Return the features of each candidate subtree: candidates x SUBTREE_FEATURES.

    *probability* is that of each line to be body; *decay_row* is where the decay walk ended.
    Cost: O(lines x candidates) at worst, for the signatures of nested candidates.
    """
    rows = np.array(candidates, np.int64)
    columns = [
        *_expected(evidence, rows, probability),
        *_weights(evidence, rows),
        *_places(evidence, rows),
        *_marks(evidence, rows),
        _outside(evidence, rows),
        rows == decay_row,
        _on_template_path(evidence, rows),
        _alike_outside(evidence, rows),
    ]
    return np.stack(columns, axis=1).astype(float)


def _expected(
    evidence: Evidence, rows: NDArray[np.int64], probability: NDArray[np.float64]
) -> Iterator[Column]:
    """Yield the F1 that each subtree would have, with all its lines and with the likely ones."""
    units = evidence.table.columns.units
    kept = probability > MIN_PROBABILITY
    start, stop = _lines_of(evidence, rows)
    before = np.zeros((4, len(units) + 1))
    np.cumsum(
        [units * probability, units, units * probability * kept, units * kept], 1, out=before[:, 1:]
    )
    body, text, kept_body, kept_text = before[:, stop] - before[:, start]
    total = before[0, -1] + 1
    yield 2 * body / (text + total)
    yield 2 * kept_body / (kept_text + total)


def _lines_of(
    evidence: Evidence, rows: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the first line inside each row, and the first after it."""
    arrays = evidence.table.arrays
    return arrays.line_of[rows], arrays.line_of[arrays.end[rows]]


def _weights(evidence: Evidence, rows: NDArray[np.int64]) -> Iterator[Column]:
    """Yield coverage, density, links, direct and direct coverage."""
    arrays, total = evidence.table.arrays, evidence.total or 1
    weight, text = evidence.subtrees.every[rows], np.maximum(arrays.units[rows], 1)
    direct = _direct_weight(evidence)[rows]
    yield weight / total
    yield weight / text
    yield arrays.link_units[rows] / text
    yield np.minimum(1.0, direct / np.maximum(weight, 1))
    yield np.minimum(1.0, direct / total)


def _places(evidence: Evidence, rows: NDArray[np.int64]) -> Iterator[Column]:
    """Yield whether the line of the title is inside, before or after."""
    line, end = evidence.title_line, evidence.table.arrays.end[rows]
    at = -1 if line is None else evidence.table.lines.first[line]
    yield (rows <= at) & (at < end)
    yield (at >= 0) & (at < rows)
    yield at >= end


def _marks(evidence: Evidence, rows: NDArray[np.int64]) -> Iterator[Column]:
    """Yield what the subtrees are, are named and lie in."""
    table, flags = evidence.table, evidence.table.flags
    inside, own, up = flags.inside[rows], flags.own[rows], table.arrays.parent[rows]
    above = np.where(up >= 0, flags.inside[up], 0)
    yield inside & f.BODY_MARKED > above & f.BODY_MARKED
    yield np.array([table.tag[row] in {"article", "main"} for row in rows.tolist()])
    for bit in (f.WHOLE, f.SAYS_BODY, f.SAYS_OTHER):
        yield own & bit > 0
    yield above & f.NAMED_OTHER > 0
    for bit in (f.ASIDE | f.HEADER | f.FORM | f.NAV, f.COMMENTS, f.RELATED):
        yield inside & bit > 0


def _outside(evidence: Evidence, rows: NDArray[np.int64]) -> Column:
    """Return how much of the page's weight the elements around hold beside the subtrees."""
    weight, up = evidence.subtrees.every, evidence.table.arrays.parent[rows]
    return np.where(up >= 0, weight[up] - weight[rows], 0) / (evidence.total or 1)


def _on_template_path(evidence: Evidence, rows: NDArray[np.int64]) -> Column:
    template = evidence.template
    if template is None:
        return np.zeros(len(rows))
    return np.array([row in template.body_rows for row in rows.tolist()])


def _direct_weight(evidence: Evidence) -> NDArray[np.float64]:
    """Return for each row the paragraph weight that stands in it directly, or nearly so."""
    columns, size = evidence.table.columns, len(evidence.table)
    weights = np.array(evidence.weights, float)
    above = columns.second != columns.block
    further = above & (columns.third != columns.second)
    return (
        np.bincount(columns.block, weights, size)
        + np.bincount(columns.second, weights * above, size)
        + np.bincount(columns.third, weights * further, size) / 2
    )


def _alike_outside(evidence: Evidence, rows: NDArray[np.int64]) -> Column:
    """Return how much of the page's paragraphs lies outside but looks like those inside, 0..1."""
    heavy = np.flatnonzero(evidence.weights)
    weights = np.array(evidence.weights, float)[heavy]
    kinds = evidence.table.columns.signatures(evidence.table, heavy)
    of_kind = np.bincount(kinds, weights)
    alike = []
    spans = (np.searchsorted(heavy, lines).tolist() for lines in _lines_of(evidence, rows))
    for start, stop in zip(*spans, strict=True):
        held = np.bincount(kinds[start:stop], weights[start:stop], len(of_kind))
        alike.append(of_kind[held > 0].sum() - held.sum())
    return np.array(alike) / (evidence.total or 1)
