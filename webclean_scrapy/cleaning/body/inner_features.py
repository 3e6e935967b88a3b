"""Further terms of the lines inside the subtree that was chosen: how each lies among the others.

A *section* is the child of the subtree that holds a line; a *signature* is what tag and class of
a line's box and the element above it are; a *group* is the table or list around it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.body.subtree_features import signatures
from webclean_scrapy.cleaning.page import row_flags as f

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.body.evidence import Evidence

INNER_TERMS = (
    "chance", "group chance", "signature chance", "before first", "behind last", "own text",
    "section links", "section density", "section named other", "section named body",
    "section lines", "section share", "signature count", "signature paragraphs",
    "signature never", "signature share",
)  # fmt: skip


def inner_terms(
    evidence: Evidence, row: int, inside: range, chance: NDArray[np.float64]
) -> NDArray[np.float32]:
    """Return further terms of the lines *inside* the chosen subtree *row*: lines x INNER_TERMS."""
    size = len(inside)
    if not size:
        return np.zeros((0, len(INNER_TERMS)), np.float32)
    cut = slice(inside.start, inside.stop)
    mass = np.array(evidence.mass[cut], float)
    chance = chance[cut]
    odds = (np.log(chance + 1e-6) - np.log(1 - chance + 1e-6)) / 4
    heavy = np.flatnonzero(mass)
    first, last = (heavy[0], heavy[-1]) if len(heavy) else (0, size)
    at = np.arange(size)
    weight = mass.sum() or 1.0
    names = signatures(evidence, cut)
    alone = len(evidence.table)  # above every row: the name of a line without a group
    groups = [g if g >= 0 else alone + at for at, g in enumerate(evidence.group[cut])]
    numbers = np.unique(groups, return_inverse=True)[1]
    columns = [
        odds,
        _mean_over(odds, numbers),
        _mean_over(odds, names),
        at < first,
        at > last,
        *_section_terms(evidence, row, inside, weight),
        *_signature_terms(names, mass, weight),
    ]
    return np.stack(columns, axis=1).astype(np.float32)


def _mean_over(odds: NDArray[np.float64], names: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return for each line the mean of *odds* over the lines of the same name."""
    found: NDArray[np.float64] = (np.bincount(names, odds) / np.maximum(np.bincount(names), 1))[
        names
    ]
    return found


def _section_terms(
    evidence: Evidence, row: int, inside: range, weight: float
) -> NDArray[np.float64]:
    """Return own text, links, density, named other, named body, lines, share: 7 x lines."""
    table, facts = evidence.table, evidence.facts
    found = np.zeros((7, len(inside)))
    found[0] = 1.0
    for child in table.children(row):
        numbers = table.lines_in(child)
        text = int(facts.text[child])
        if not text or table.tag[child][0] == "#":
            continue
        own, mass = int(facts.own[child]), evidence.rows.of(child)
        found[:, numbers.start - inside.start : numbers.stop - inside.start] = np.array(
            [
                0.0,
                facts.links[child] / text,
                mass / text,
                own & f.SAYS_OTHER > 0,
                own & f.SAYS_BODY > 0,
                math.log1p(len(numbers)) / 4,
                mass / weight,
            ]
        )[:, None]
    return found


def _signature_terms(
    names: NDArray[np.int64], mass: NDArray[np.float64], weight: float
) -> list[NDArray[np.float64]]:
    """Return count, share of paragraphs, never a paragraph, share of the weight: 4 x lines."""
    count = np.bincount(names)
    good = np.bincount(names, mass > 0) / np.maximum(count, 1)
    share = np.bincount(names, mass) / weight
    return [
        (np.minimum(count, 20) / 20)[names],
        good[names],
        (good == 0)[names],
        share[names],
    ]
