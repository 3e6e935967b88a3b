"""The templates of a crawl as the entropy path sees them: clusters of pages, each with its path.

"Pre-pruned trees and information entropy for news text extraction": pages are gathered by simple
tree matching (``simple_tree``), and a cluster has one path to the body (``body_path``). Pages of
other hosts are never compared.

Deviation: the paper takes one sample of a finished cluster; a crawl has no finished clusters. The
first page of a cluster stands for its template, every page votes once on the path, a page on which
the path fails votes against it, and it is used only while the pages agree.
Bounded: the cluster used last is the last to go, and a host's newest few are compared.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from typing import TYPE_CHECKING, Any
from zlib import crc32

from webclean_scrapy.cleaning.papers.entropy_path import PathConfig, PathVote
from webclean_scrapy.cleaning.papers.simple_tree import (
    SimpleTree,
    SimpleTreeConfig,
    build_simple_tree,
    find_cluster,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from webclean_scrapy.cleaning.page.table import PageTable

CLUSTERS_COMPARED = 16  # of a host, the ones used last first
_MAX_VOTERS = 100  # pages of a cluster that vote; more would not change what they agree on


@dataclass(slots=True)
class _Cluster:
    host: str
    first: SimpleTree
    vote: PathVote = field(default_factory=PathVote)
    voters: set[int] = field(default_factory=set)  # marks of their addresses: none votes twice


class PathBook:
    """Clusters of pages, found by host and simple tree."""

    def __init__(
        self, max_clusters: int, tree: SimpleTreeConfig | None = None,
        path: PathConfig | None = None,
    ) -> None:  # fmt: skip
        self._max_clusters = max_clusters
        self._tree = tree or SimpleTreeConfig()
        self._path = path or PathConfig()
        self._clusters: OrderedDict[int, _Cluster] = OrderedDict()  # the one used last at the end
        self._next = 0

    def __len__(self) -> int:
        return len(self._clusters)

    def follow(
        self, host: str, table: PageTable, others: Iterable[tuple[PageTable, int]] = ()
    ) -> int | None:
        """Return the row that the agreed path of the page's template leads to, or None.

        *others* are further pages of the site with the rows of their bodies; they vote this once.
        Nothing is remembered. Cost: at most CLUSTERS_COMPARED matchings of trees.
        """
        tree = build_simple_tree(table, self._tree)
        cluster = self._find(host, tree)
        vote = _copy(cluster.vote) if cluster else PathVote()
        first = cluster.first if cluster else tree
        for other, row in others:
            if find_cluster(build_simple_tree(other, self._tree), [first], self._tree) == 0:
                vote.add(other, row)
        return vote.follow(table, self._path)

    def learn(self, host: str, url: str, table: PageTable, row: int) -> None:
        """Let a page vote, whose own extraction finds the body at *row*.

        Where the path agreed on so far finds too little of the page, that is its vote.
        """
        cluster = self._find_or_begin(host, build_simple_tree(table, self._tree))
        voter = crc32(url.encode("utf-8", "replace"))
        if voter in cluster.voters or len(cluster.voters) >= _MAX_VOTERS:
            return
        cluster.voters.add(voter)
        misses = cluster.vote.misses
        cluster.vote.follow(table, self._path)  # counts a miss
        if cluster.vote.misses == misses:
            cluster.vote.add(table, row)

    def _find(self, host: str, tree: SimpleTree) -> _Cluster | None:
        newest = reversed(self._clusters.items())
        own = list(islice((pair for pair in newest if pair[1].host == host), CLUSTERS_COMPARED))
        at = find_cluster(tree, [cluster.first for _, cluster in own], self._tree)
        if at is None:
            return None
        key, cluster = own[at]
        self._clusters.move_to_end(key)
        return cluster

    def _find_or_begin(self, host: str, tree: SimpleTree) -> _Cluster:
        return self._find(host, tree) or self._add(_Cluster(host, tree))

    def _add(self, cluster: _Cluster) -> _Cluster:
        self._clusters[self._next] = cluster
        self._next += 1
        if len(self._clusters) > self._max_clusters:
            self._clusters.popitem(last=False)
        return cluster

    def to_data(self) -> list[dict[str, Any]]:
        """Return every cluster as plain values, the one used last at the end."""
        return [
            {
                "host": cluster.host,
                "labels": [list(label) for label in cluster.first.labels],
                "children": [list(children) for children in cluster.first.children],
                "votes": dict(cluster.vote.votes),
                "shares": dict(cluster.vote.shares),
                "misses": cluster.vote.misses,
                "voters": sorted(cluster.voters),
            }
            for cluster in self._clusters.values()
        ]

    def add_data(self, data: Iterable[Mapping[str, Any]]) -> None:
        """Add the clusters of ``to_data``.

        Raises:
            AttributeError, KeyError, TypeError, ValueError: data of another form; none is added.
        """
        for cluster in [_from_data(each) for each in data]:
            self._add(cluster)


def _copy(vote: PathVote) -> PathVote:
    return replace(vote, votes=dict(vote.votes), shares=dict(vote.shares))


def _from_data(data: Mapping[str, Any]) -> _Cluster:
    labels = tuple((str(tag), str(ident), str(names)) for tag, ident, names in data["labels"])
    children = tuple(tuple(map(int, row)) for row in data["children"])
    # Each child once and behind its parent: else a file could make a walk go round in circles.
    if len(children) != len(labels) or list(chain(*children)) != list(range(1, len(labels))):
        raise ValueError("the nodes of a saved path cluster form no tree")
    if any(row and row[0] <= at for at, row in enumerate(children)):
        raise ValueError("a node of a saved path cluster's tree precedes its parent")
    votes = {str(path): int(count) for path, count in data["votes"].items()}
    shares = {str(path): float(data["shares"][path]) for path in votes}
    if any(count < 1 for count in votes.values()):
        raise ValueError("a path of a saved path cluster has no votes")
    vote = PathVote(votes, shares, int(data["misses"]))
    return _Cluster(
        str(data["host"]), SimpleTree(labels, children), vote, set(map(int, data["voters"]))
    )
