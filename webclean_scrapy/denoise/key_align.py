"""Align two pages by one number per node: the fast form of ``align``, to learn a template cheaply.

Hunt, Szymanski: "A fast algorithm for computing longest common subsequences", Communications of
the ACM 20(5), 1977, for the alignment of Song, Zhi, Zhou, Luo, An: "LCS-based feature tree maximum
similarity matching for web page denoising", Video Engineering 2011(13).

Deviation: keys are equal or not, there is no weak similarity; frequent keys are left out of the
search, so that its work is bounded.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def align_keys(
    one: Sequence[int], other: Sequence[int], *, max_repeats: int = 8
) -> list[tuple[int, int]]:
    """Return a longest common subsequence of two key sequences as index pairs, both rising.

    It is the longest if no key occurs more than *max_repeats* times in both. Keys that do are left
    out of the search, so that a list of a thousand equal nodes is no million of matches, and are
    paired afterwards where they stand next to a pair or at an end. Cost: O((r + n) log n) with
    r <= max_repeats * n.

    >>> align_keys([1, 2, 3, 4], [2, 9, 4])
    [(1, 0), (3, 2)]
    """
    places: dict[int, list[int]] = {}
    for at, key in enumerate(other):
        places.setdefault(key, []).append(at)
    counts = Counter(one)
    tails: list[int] = []  # least last index of a common subsequence of each length
    ends: list[int] = []  # the match that stands there
    matches: list[tuple[int, int, int]] = []  # indexes, and the match before
    for i, key in enumerate(one):
        found = places.get(key, ())
        if len(found) > max_repeats and counts[key] > max_repeats:
            continue
        for j in reversed(found):  # else one node could be paired twice
            length = bisect_left(tails, j)
            if length == len(tails):
                tails.append(j)
                ends.append(0)
            elif tails[length] == j:
                continue
            tails[length], ends[length] = j, len(matches)
            matches.append((i, j, ends[length - 1] if length else -1))
    pairs = []
    at = ends[-1] if ends else -1
    while at >= 0:
        i, j, at = matches[at]
        pairs.append((i, j))
    return _grow(one, other, pairs[::-1])


def _grow(
    one: Sequence[int], other: Sequence[int], pairs: list[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Add the equal keys that stand side by side with a pair or an end; cost O(n)."""
    grown: list[tuple[int, int]] = []
    i, j = 0, 0
    for stop_i, stop_j in [*pairs, (len(one), len(other))]:
        while i < stop_i and j < stop_j and one[i] == other[j]:
            grown.append((i, j))
            i, j = i + 1, j + 1
        tail = []
        back_i, back_j = stop_i - 1, stop_j - 1
        while back_i >= i and back_j >= j and one[back_i] == other[back_j]:
            tail.append((back_i, back_j))
            back_i, back_j = back_i - 1, back_j - 1
        grown += tail[::-1]
        grown.append((stop_i, stop_j))
        i, j = stop_i + 1, stop_j + 1
    return grown[:-1]
