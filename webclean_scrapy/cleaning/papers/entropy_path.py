"""One path to the body for all pages of a template, by the importance of children.

Entropy path: "Pre-pruned trees and information entropy for news text extraction" (authors and year
not known to us). Each child c of a node has the measures x_d: height, width and text outside links;

    p_d(c) = x_d(c) / sum x_d      e_d = - sum p ln p / ln k
    w_d = (1 - e_d) / sum (1 - e)  importance(c) = sum w_d p_d(c)

for k children (reconstructed: the paper does not print it). The text's share is of all the node's
text, links included: with a total text of 2,950, which the paper does not print, its example
follows within .003. The walk goes on with a single child; if all e = 1, the weights are equal. A
path names tag with id or class of each level; the path of one page serves all of its template.

Pages whose `simple_trees` are alike from .80 on are one cluster, by its first page. Pages of other
hosts are never compared.

Measured: T .2/.34/.5 on text alone, F1 on 32 pages of Chinese portals .67/.75/.81, on 49 of English
news .81/.83/.87.

Deviation: "stop when the variance exceeds 0.1" is backwards, one dominating child has the largest
variance. The walk stops where the largest importance is below 1 - T of all (our choice), and
where the text directly in a node is more than T of its text, which would be lost one level below.
``stop_variance`` = .1 is the printed rule, in place of both.
Deviation: of the tags to prune, ``h2`` and ``ul`` are kept (sub-headings and lists are body), and
``a`` may hold text but is no child to walk into; whole lines of links are taken out at the end.
Deviation: without a layout the text alone decides; height and width are left out, not made up.
Deviation: the paper takes one sample of a finished cluster; a crawl has none, and a path copied
from one page copies that page's error (F1 .831 alone, .819 shared). The first page of a cluster
stands for its template, and every page votes once on the path; one on which it finds nothing or
much less than usual votes against it. It is used only while the pages agree.
Deviation: the cluster used last is the last to go, and a host's newest few are compared.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from math import log
from statistics import pvariance
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.page.removals import Removal, line_spans
from webclean_scrapy.cleaning.page.walk import TEXT
from webclean_scrapy.cleaning.papers.paper_method import Extraction, PaperMethod
from webclean_scrapy.cleaning.papers.simple_trees import (
    SimpleTree,
    are_alike,
    build_simple_tree,
    zero_digits,
)
from webclean_scrapy.options import CheckedOptions, constant
from webclean_scrapy.web_addresses import host_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from webclean_scrapy.cleaning.page.table import PageTable
    from webclean_scrapy.cleaning.parsed_page import ParsedPage
    from webclean_scrapy.cleaning.templates.learner import Comparison

#: Pruned while the children are gathered; scripts and the like are in no table.
PRUNED_TAGS = frozenset({"a", "head", "img", "link", "meta", "picture", "title"})

CLUSTERS_COMPARED = 16  # of a host, the ones used last first
_MIN_AGREEMENT = 0.7  # share of the votes that the path must have; two could both have half
_MIN_SHARE = 0.5  # of its usual share of a page's text, that a path must find
_MAX_PATHS = 16  # kept of a template; with more, its pages do not agree
_MAX_VOTERS = 100  # pages of a cluster that vote; more would not change what they agree on

_SEPARATOR = " > "  # a step holds no blank, not even in an id


@dataclass(frozen=True, slots=True, kw_only=True)
class EntropyConfig(CheckedOptions):
    """The end of the walk, clusters of pages of one template, and agreement on a path."""

    # fmt: off
    same_from: float = constant(
        0.8, "share", "Similarity of two simple trees from which two pages are of one cluster.",
        key="entropy_similarity", low=0.01, printed="0.8")
    depth: int = constant(
        3, "levels", "Levels of a simple tree below the body.", key="entropy_depth", low=1,
        high=100, printed="1")
    max_loss: float = constant(
        0.34, "share", "T, the importance that a step down may leave behind.", key="entropy_t",
        low=0.01, high=0.99)
    stop_variance: float = constant(
        0.0, "variance", "Variance of the children's importance above which the walk stops, in "
        "place of T; 0: T is used.", key="entropy_variance", printed="0.1")
    min_pages: int = constant(
        3, "pages", "Pages of a cluster that must have voted before their path is used.",
        key="entropy_pages", low=1, high=100, printed="1")
    # fmt: on


class EntropyMethod(PaperMethod):
    """The path agreed on by a template's pages, else the page's own walk by importance."""

    name = "entropy"

    def __init__(self, config: EntropyConfig, max_clusters: int) -> None:
        self._max_clusters, self._config = max_clusters, config
        self.clusters: list[Cluster] = []  # the one used last at the end

    def __len__(self) -> int:
        return len(self.clusters)

    def extract(
        self, page: ParsedPage, table: PageTable, comparison: Comparison
    ) -> Extraction | None:
        rows = ((one.table, find_important(one.table, self._config)) for one in comparison.siblings)
        votes = [(sibling, row) for sibling, row in rows if row is not None]
        agreed = self.follow(host_of(page.url or ""), page.table, votes)
        row = find_important(table, self._config) if agreed is None else agreed
        if row is None:
            return None
        # An agreed row may hold little of its page: a short article beside a long feed.
        lines = table.lines
        links = [n for n in table.lines_in(row) if lines.link_units[n] >= lines.units[n] > 0]
        removals = (Removal("entropy", "links", line_spans(table, links)),) if links else ()
        return Extraction(row, removals, may_be_small=agreed is not None)

    def learn(self, page: ParsedPage) -> None:
        """Let the page vote on the path of its template; one without a URL does not vote."""
        if page.url and (row := find_important(page.table, self._config)) is not None:
            self.vote(page.url, page.table, row)

    def follow(
        self, host: str, table: PageTable, others: Iterable[tuple[PageTable, int]] = ()
    ) -> int | None:
        """Return the row at the agreed path of the page's template, or None.

        *others* are further pages of the site with the rows of their bodies; they vote this once.
        Nothing is remembered. Cost: at most CLUSTERS_COMPARED matchings of trees.
        """
        tree = build_simple_tree(table, self._config.depth)
        cluster = self._find(host, tree) or Cluster(host, tree)
        cluster = replace(cluster, votes=dict(cluster.votes), shares=dict(cluster.shares))
        least = self._config.same_from
        for other, row in others:
            if are_alike(build_simple_tree(other, self._config.depth), cluster.first, least):
                cluster.add(other, row)
        return cluster.follow(table, self._config)

    def vote(self, url: str, table: PageTable, row: int) -> None:
        """Add the vote of a page whose own walk ends at *row*.

        Where the path agreed on so far finds too little of the page, that is its vote.
        """
        tree = build_simple_tree(table, self._config.depth)
        host = host_of(url)
        cluster = self._find(host, tree) or self._add(Cluster(host, tree))
        if url in cluster.voters or len(cluster.voters) >= _MAX_VOTERS:
            return
        cluster.voters.add(url)
        misses = cluster.misses
        cluster.follow(table, self._config)  # counts a miss
        if cluster.misses == misses:
            cluster.add(table, row)

    def _find(self, host: str, tree: SimpleTree) -> Cluster | None:
        own = [cluster for cluster in reversed(self.clusters) if cluster.host == host]
        for cluster in own[:CLUSTERS_COMPARED]:
            if are_alike(tree, cluster.first, self._config.same_from):
                self.clusters.remove(cluster)
                return self._add(cluster)
        return None

    def _add(self, cluster: Cluster) -> Cluster:
        self.clusters.append(cluster)
        del self.clusters[: -self._max_clusters]
        return cluster


def path_of(table: PageTable, row: int) -> str:
    """Return the path from below the root to *row*; equal for equal places of a template.

    >>> from webclean_scrapy.cleaning.page.parse import parse
    >>> from webclean_scrapy.cleaning.page.table import build_table
    >>> table = build_table(parse("<div id=main><p class='lead big'>x"))
    >>> path_of(table, table.tag.index("p"))
    'body > div#main > p.big.lead'
    """
    steps = [_step(table, at) for at in [row, *table.ancestors(row)][:-1]]
    return _SEPARATOR.join(reversed(steps))


def _step(table: PageTable, row: int) -> str:
    """Return tag and id, else tag and sorted classes, else the tag."""
    if table.tag[row] == "body":
        return "body"
    ident = "".join(table.ident[row].split())
    if ident:
        return f"{table.tag[row]}#{zero_digits(ident)}"
    classes = sorted(set(zero_digits(table.classes[row]).split()))
    return ".".join([table.tag[row], *classes])


def find_path(table: PageTable, path: str) -> int | None:
    """Return the row at the end of *path*, or None.

    Of several, the one with the most text outside links, the first on ties. Cost: O(children along
    the way), at most O(rows).
    """
    rows = [0]
    for step in path.split(_SEPARATOR):
        tag = re.split(r"[#.]", step, maxsplit=1)[0]
        rows = [
            child
            for row in rows
            for child in table.children(row)
            if table.tag[child] == tag != TEXT and _step(table, child) == step
        ]
    return max(rows, key=table.plain_length, default=None)


@dataclass(slots=True, eq=False)
class Cluster:
    """The pages of a template: its first page, and the votes of all for a path."""

    host: str
    first: SimpleTree
    votes: dict[str, int] = field(default_factory=dict)  # path -> pages
    shares: dict[str, float] = field(default_factory=dict)  # path -> sum of its shares of the text
    misses: int = 0  # pages that voted against every path kept
    voters: set[str] = field(default_factory=set)  # their URLs: none votes twice

    def add(self, table: PageTable, row: int) -> None:
        """Count the page's vote: its own walk ends at *row*."""
        path = path_of(table, row)
        if path not in self.votes and len(self.votes) >= _MAX_PATHS:
            self.misses += 1
            return
        self.votes[path] = self.votes.get(path, 0) + 1
        self.shares[path] = self.shares.get(path, 0.0) + _share_of_page(table, row)

    def agreed(self, config: EntropyConfig) -> str | None:
        """Return the path the pages agree on, or None: too few pages, or they disagree."""
        pages = sum(self.votes.values()) + self.misses
        path = max(self.votes, key=lambda each: self.votes[each], default="")
        if pages < config.min_pages or self.votes.get(path, 0) < _MIN_AGREEMENT * pages:
            return None
        return path or None

    def follow(self, table: PageTable, config: EntropyConfig) -> int | None:
        """Return the body's row by the agreed path; None if the page has to walk itself.

        A path that finds nothing, or much less of the page's text than usual, is counted against.
        """
        path = self.agreed(config)
        if path is None:
            return None
        row = find_path(table, path)
        share = 0.0 if row is None else _share_of_page(table, row)
        if share > 0 and share >= _MIN_SHARE * self.shares[path] / self.votes[path]:
            return row
        self.misses += 1
        return None


def _share_of_page(table: PageTable, row: int) -> float:
    whole = table.plain_length(0)
    return table.plain_length(row) / whole if whole else 0.0


def weigh_children(
    measures: Sequence[Sequence[float]], all_text: float | None = None
) -> list[float]:
    """Return the importance of each child; they sum to 1 if any measure is above 0.

    *measures* holds one sequence for each measure, with one value, at least 0, for each child. A
    measure that is 0 for all children is left out. The last one is the text outside links, whose
    share is of *all_text*, if that is given: then the sum is less than 1.

    >>> [round(share, 2) for share in weigh_children([[90, 5, 5], [1, 1, 1]])]
    [0.9, 0.05, 0.05]
    """
    sums = [(row, sum(row)) for row in measures]
    shares = [[value / whole for value in row] for row, whole in sums if whole > 0]
    if not shares:
        return [0.0] * (len(measures[0]) if measures else 0)
    gains = [max(0.0, 1 - _entropy(row)) for row in shares]
    if sum(gains) < 1e-12:  # rounding: no measure differs between the children
        gains = [1.0] * len(gains)
    weights = [gain / sum(gains) for gain in gains]
    if all_text and (text := sums[-1][1]):
        weights[-1] *= text / all_text
    return [
        sum(weight * share for weight, share in zip(weights, column, strict=True))
        for column in zip(*shares, strict=True)
    ]


def _entropy(shares: Sequence[float]) -> float:
    if len(shares) < 2:
        return 0.0
    return -sum(share * log(share) for share in shares if share > 0) / log(len(shares))


def _walkable(table: PageTable, row: int) -> list[int]:
    pruned = {TEXT, *PRUNED_TAGS}
    return [child for child in table.children(row) if table.tag[child] not in pruned]


def rank_children(table: PageTable, row: int) -> list[tuple[int, float]]:
    """Return the children left after pruning with their importance, in document order."""
    layout = table.layout
    children = [
        child
        for child in _walkable(table, row)  # as printed: of width, height and text none is 0
        if table.text_length(child) and (layout is None or layout.area(child))
    ]
    text = [float(table.plain_length(child)) for child in children]
    if layout is None:
        return list(zip(children, weigh_children([text]), strict=True))
    sizes = [[of[child] for child in children] for of in (layout.height, layout.width)]
    return list(zip(children, weigh_children([*sizes, text], table.text_length(row)), strict=True))


def find_important(table: PageTable, config: EntropyConfig) -> int | None:
    """Return the row of the body subtree, or None on a page without text outside links.

    Cost: O(children along the way).
    """
    row = table.tag.index("body") if "body" in table.tag else 0
    if not table.plain_length(row):
        return None
    while True:
        ranked = rank_children(table, row)
        child = max(ranked, key=lambda pair: pair[1])[0] if ranked else row  # the first on ties
        if _stops(table, row, ranked, config) or not table.plain_length(child):
            return row
        row = child


def _stops(
    table: PageTable, row: int, ranked: Sequence[tuple[int, float]], config: EntropyConfig
) -> bool:
    """True if the walk ends at *row*, whose children and their importance are *ranked*."""
    if not ranked:
        return True
    shares = [share for _, share in ranked]
    if config.stop_variance:
        return pvariance(shares) > config.stop_variance
    below = sum(map(table.plain_length, _walkable(table, row)))
    if table.plain_length(row) - below > config.max_loss * table.plain_length(row):
        return True
    return max(shares) < (1 - config.max_loss) * sum(shares)
