"""Gather the candidates of an alignment into clusters that stand together on the page.

Song, Zhi, Zhou, Luo, An: "LCS-based feature tree maximum similarity matching for web page
denoising", Video Engineering 2011(13): candidates inside another candidate are dropped; those with
the same parent, or whose grandparent is the other's parent, are one cluster.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from webclean_scrapy.cleaning.page.table import PageTable


def find_outermost(table: PageTable, rows: Iterable[int]) -> list[int]:
    """Return those of *rows* that lie in no other of them, rising. Cost: O(k log k)."""
    found: list[int] = []
    stop = 0
    for row in sorted(rows):
        if row >= stop:
            found.append(row)
            stop = table.end[row]
    return found


def find_clusters(table: PageTable, candidates: Iterable[int]) -> list[list[int]]:
    """Return the clusters of the outermost candidates; rows rising, clusters by their first row.

    Cost: O(k log k) for k candidates.
    """
    rows = find_outermost(table, candidates)
    first_below: dict[int, int] = {}  # parent -> its first candidate
    leader = {row: row for row in rows}
    for row in rows:
        _join(leader, first_below.setdefault(table.parent[row], row), row)
    for row in rows:
        parent = table.parent[row]
        above = table.parent[parent] if parent >= 0 else -1
        if above >= 0 and above in first_below:
            _join(leader, first_below[above], row)
    clusters: dict[int, list[int]] = {}
    for row in rows:
        clusters.setdefault(_find_leader(leader, row), []).append(row)
    return list(clusters.values())


def _find_leader(leader: dict[int, int], row: int) -> int:
    while leader[row] != row:
        leader[row] = leader[leader[row]]  # halve the way for the next one
        row = leader[row]
    return row


def _join(leader: dict[int, int], one: int, other: int) -> None:
    leader[_find_leader(leader, other)] = _find_leader(leader, one)
