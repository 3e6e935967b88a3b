"""The terms that judge a subtree as the place of the body."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.extract import facts as f

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from webclean_scrapy.extract.evidence import Evidence

CANDIDATE_TERMS = (
    "expected", "kept expected", "coverage", "density", "links", "direct", "direct coverage",
    "holds anchor", "behind anchor", "before anchor", "marked", "article", "whole page",
    "named body", "named other", "under other", "in aside", "in comments", "in related",
    "outside in parent", "decay", "template path", "alike outside",
)  # fmt: skip

KEEP_CHANCE = 0.2  # a line less likely to be body counts as removed when candidates are compared


def candidate_terms(
    evidence: Evidence, candidates: list[int], chance: NDArray[np.float64], decayed: int
) -> NDArray[np.float64]:
    """Return the terms of each candidate subtree: candidates x CANDIDATE_TERMS.

    *chance* is the probability of each line to be body; *decayed* is the row that the decay walk
    chose. Cost: O(lines x candidates) at worst, for the signatures of nested candidates.
    """
    units = evidence.columns.units
    kept = chance > KEEP_CHANCE
    sums = [
        np.concatenate(([0.0], np.cumsum(column)))
        for column in (units * chance, units, units * chance * kept, units * kept)
    ]
    direct = _direct_mass(evidence)
    alike = _Alike(evidence)
    rows = [
        _expected(evidence, row, sums) + _shape(evidence, row, direct, decayed) + [alike.of(row)]
        for row in candidates
    ]
    return np.array(rows, float).reshape(-1, len(CANDIDATE_TERMS))


def _expected(evidence: Evidence, row: int, sums: list[NDArray[np.float64]]) -> list[float]:
    """Return the F1 that the subtree would have, with all its lines and with the likely ones."""
    inside = evidence.table.lines_in(row)
    body, text, kept_body, kept = (s[inside.stop] - s[inside.start] for s in sums)
    total = sums[0][-1] + 1
    return [2 * hits / (size + total) for hits, size in ((body, text), (kept_body, kept))]


def _shape(evidence: Evidence, row: int, direct: Mapping[int, float], decayed: int) -> list[float]:
    table, rows, facts = evidence.table, evidence.rows, evidence.facts
    total, weight = evidence.total or 1, rows.of(row)
    text = table.text_length(row) or 1
    up = table.parent[row]
    bits, own = int(facts.bits[row]), int(facts.own[row])
    above = int(facts.bits[up]) if up >= 0 else 0
    anchor, template = evidence.anchor, evidence.template
    at = -1 if anchor is None else table.lines.first[anchor]
    return [
        weight / total,
        weight / text,
        table.link_length(row) / text,
        min(1.0, direct.get(row, 0) / (weight or 1)),
        min(1.0, direct.get(row, 0) / total),
        row <= at < table.end[row],
        at >= 0 and at < row,
        at >= table.end[row],
        bits & f.BODY_MARKED > above & f.BODY_MARKED,
        table.tag[row] in {"article", "main"},
        own & f.WHOLE > 0,
        own & f.SAYS_BODY > 0,
        own & f.SAYS_OTHER > 0,
        above & f.NAMED_OTHER > 0,
        bits & (f.ASIDE | f.HEADER | f.FORM | f.NAV) > 0,
        bits & f.COMMENTS > 0,
        bits & f.RELATED > 0,
        (rows.of(up) - weight) / total if up >= 0 else 0.0,
        row == decayed,
        template is not None and template.places[row] in template.body_paths,
    ]


def _direct_mass(evidence: Evidence) -> dict[int, float]:
    """Return for each row the paragraph weight that stands in it directly, or nearly so."""
    columns, mass = evidence.columns, evidence.mass
    direct: dict[int, float] = {}
    for line in np.flatnonzero(mass).tolist():
        row, up = int(columns.box[line]), int(columns.second[line])
        shares = [(row, 1.0)]
        if up != row:
            shares.append((up, 1.0))
            if (third := int(columns.third[line])) != up:
                shares.append((third, 0.5))
        for at, share in shares:
            direct[at] = direct.get(at, 0.0) + share * mass[line]
    return direct


def signatures(evidence: Evidence, lines: slice) -> NDArray[np.int64]:
    """Return a number for tag and class of each line's box and of the element above it."""
    tag, classes = evidence.table.tag, evidence.table.classes
    columns = evidence.columns
    numbers: dict[tuple[int, int], int] = {}  # the same elements need not be looked at twice
    names: dict[tuple[str, str, str, str], int] = {}
    found = []
    for pair in zip(columns.box[lines].tolist(), columns.second[lines].tolist(), strict=True):
        number = numbers.get(pair)
        if number is None:
            box, up = pair
            name = (tag[box], classes[box], tag[up], classes[up])
            number = numbers[pair] = names.setdefault(name, len(names))
        found.append(number)
    return np.array(found, np.int64)


class _Alike:
    """How much of the page's paragraphs lies outside a subtree but looks like those inside."""

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence
        self._heavy = np.flatnonzero(evidence.mass)
        mass = np.array(evidence.mass, float)[self._heavy]
        kinds = signatures(evidence, slice(None))[self._heavy]
        self._mass, self._kinds = mass, kinds
        self._total = np.bincount(kinds, mass)

    def of(self, row: int) -> float:
        """Return the share of the page's paragraph weight, 0..1."""
        inside = self._evidence.table.lines_in(row)
        start, stop = np.searchsorted(self._heavy, (inside.start, inside.stop))
        if start == stop:
            return 0.0
        held = np.bincount(self._kinds[start:stop], self._mass[start:stop], len(self._total))
        outside = (self._total - held)[held > 0].sum()
        return float(outside / (self._evidence.total or 1))
