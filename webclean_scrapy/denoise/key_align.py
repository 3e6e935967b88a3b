"""Align two pages by one number per node: the fast form of ``align``, to learn a template cheaply.

Hunt, Szymanski: "A fast algorithm for computing longest common subsequences", Communications of
the ACM 20(5), 1977, for the alignment of Song, Zhi, Zhou, Luo, An: "LCS-based feature tree maximum
similarity matching for web page denoising", Video Engineering 2011(13).

Deviation: keys are equal or not, there is no weak similarity; frequent keys are paired without a
search, so that the work is bounded.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_LOOK_AHEAD = 32  # keys: longer than an entry of most lists


def align_keys(
    one: Sequence[int], other: Sequence[int], *, max_repeats: int = 8
) -> list[tuple[int, int]]:
    """Return a longest common subsequence of two key sequences as index pairs, both rising.

    It is the longest if no key occurs more than *max_repeats* times in both. Keys that do are left
    out of the search, so that a list of a thousand equal nodes is no million of matches; between
    the pairs that were found they are paired by a walk that looks a few keys ahead. Cost:
    O((r + n) log n) with r <= max_repeats * n.

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
    return _fill(one, other, pairs[::-1])


def _fill(
    one: Sequence[int], other: Sequence[int], pairs: list[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Add pairs of the keys that were left out, gap by gap; cost O(n * _LOOK_AHEAD)."""
    filled: list[tuple[int, int]] = []
    i, j = 0, 0
    for stop_i, stop_j in [*pairs, (len(one), len(other))]:
        end_i, end_j = stop_i, stop_j
        while end_i > i and end_j > j and one[end_i - 1] == other[end_j - 1]:
            end_i, end_j = end_i - 1, end_j - 1
        filled += _walk_gap(one[i:end_i], other[j:end_j], i, j)
        filled += zip(range(end_i, stop_i + 1), range(end_j, stop_j + 1), strict=True)
        i, j = stop_i + 1, stop_j + 1
    return filled[:-1]  # the last is the end of both


def _walk_gap(
    one: Sequence[int], other: Sequence[int], first: int, second: int
) -> list[tuple[int, int]]:
    """Return the pairs of a walk that skips, where keys differ, to the nearest equal ones."""
    found = []
    i = j = 0
    while i < len(one) and j < len(other):
        if one[i] == other[j]:
            found.append((first + i, second + j))
            i, j = i + 1, j + 1
            continue
        for step in range(1, _LOOK_AHEAD):
            if i + step < len(one) and one[i + step] == other[j]:
                i += step
                break
            if j + step < len(other) and one[i] == other[j + step]:
                j += step
                break
        else:
            i, j = i + 1, j + 1
    return found
