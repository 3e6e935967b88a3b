"""Clusters of nodes that a similar page lacks; the best ones are the content.

Song et al. 2011 (see `templates.alignment`): candidates of the alignment inside another
candidate are dropped; those with the same parent, or whose grandparent is the other's parent, are
one cluster. Of six measures, the top three clusters get 5, 3 and 1 points, of the link rate -5, -3
and -1; content are the clusters whose scores are close to the best.

Our choice (reconstructed: the paper does not print it): equal values get equal points, a value of 0
gets none; "close" is a share of the best score; the main visual area is the middle of the page in
both directions.
Deviation: code is not the page's source but what the table knows of it: two tags of an element
with five signs of punctuation, its id and class, and its text in units. Addresses of links are
left out, because tracking parameters and not the page decide how long they are. The two areas are
left out where there is no layout.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from webclean_scrapy.cleaning.page.removals import Removal
from webclean_scrapy.cleaning.page.walk import TEXT
from webclean_scrapy.cleaning.papers.paper_method import Extraction, PaperMethod, common_row
from webclean_scrapy.cleaning.templates.alignment import (
    CONTENT_TAGS,
    AlignConfig,
    align,
    build_features,
)
from webclean_scrapy.errors import PageTooLargeError
from webclean_scrapy.options import CheckedOptions, constant

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from webclean_scrapy.cleaning.page.layout import Layout
    from webclean_scrapy.cleaning.page.table import PageTable
    from webclean_scrapy.cleaning.parsed_page import ParsedPage
    from webclean_scrapy.cleaning.templates.alignment import FeatureTree
    from webclean_scrapy.cleaning.templates.learner import Comparison

POINTS = (5, 3, 1)  # Song et al.: of the best, second and third value of a measure


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreConfig(CheckedOptions):
    """Limits for clusters close to the best one, and the middle of the page."""

    # fmt: off
    # 43 pairs of Chinese portal pages: F1 .698 at .5, .699 at .6, .691 at .8
    close: float = constant(
        0.6, "share", "Share of the best score from which a cluster is content.",
        key="lcs_close", low=0.01)
    middle: float = constant(
        0.6, "share", "Share of the page's width and height that is its main visual area.",
        key="lcs_middle", low=0.01)
    # fmt: on


@dataclass(frozen=True, slots=True)
class Measures:
    """The six measures of a cluster; the areas are None without a layout."""

    text: int  # units
    content_tags: int  # elements
    link_rate: float  # code of links / code, 0..1
    text_rate: float  # text / code, 0..1
    area: float | None = None  # square px
    effective_area: float | None = None  # square px within the middle of the page


class Cluster(NamedTuple):
    """A cluster of candidates with its score."""

    rows: list[int]  # outermost candidates, rising
    score: int


class LcsMethod(PaperMethod):
    """The innermost subtree with all content clusters, without other clusters in it."""

    name = "lcs"
    aligns = True

    def __init__(self, score: ScoreConfig, align: AlignConfig) -> None:
        self._score, self._align = score, align

    def extract(
        self, page: ParsedPage, table: PageTable, comparison: Comparison
    ) -> Extraction | None:
        if comparison.features is None:
            return None
        try:
            clusters = content_clusters(table, comparison.features, self._score, self._align)
        except PageTooLargeError:
            return None
        rows = sorted(row for cluster in clusters for row in cluster.rows)
        rows = [row for row in rows if table.text_length(row)]
        if not rows:
            return None
        row = common_row(table, rows)
        return Extraction(row, other_clusters(table, row, rows))


def other_clusters(table: PageTable, row: int, kept: Sequence[int]) -> tuple[Removal, ...]:
    """Return the rows under *row* outside of the disjoint, sorted rows *kept*."""
    if list(kept) == [row]:
        return ()
    behind = [row, *(table.end[at] for at in kept)]
    gaps = zip(behind, [*kept, table.end[row]], strict=True)
    spans = tuple((first, stop) for first, stop in gaps if first < stop)
    return (Removal("lcs", "other cluster", spans),)


def content_clusters(
    target: PageTable, sibling: FeatureTree, score: ScoreConfig, alignment: AlignConfig
) -> list[Cluster]:
    """Return the clusters of *target* that are content compared to *sibling*, in document order.

    Nodes are compared by their boxes too if both pages are rendered. A page without candidates (its
    own copy) has no content. Cost: that of ``align``. Raises PageTooLargeError as `align` does.
    """
    features = build_features(target, alignment.similarity, target.layout)
    groups = find_clusters(target, align(features, sibling, alignment).candidates)
    clusters = score_clusters(target, groups, score)
    best = max((cluster.score for cluster in clusters), default=0)
    least = best - (1 - score.close) * abs(best)  # also where no score is above 0
    return [cluster for cluster in clusters if cluster.score >= least]


def find_clusters(table: PageTable, candidates: Iterable[int]) -> list[list[int]]:
    """Return the clusters of the outermost candidates; rows rising, clusters by their first row.

    Cost: O(k log k) for k candidates.
    """
    rows: list[int] = []  # those that lie in no other
    for row in sorted(candidates):
        if not rows or row >= table.end[rows[-1]]:
            rows.append(row)
    top: dict[int, int] = {}  # parent of candidates -> the outermost of its cluster's parents
    for parent in sorted({table.parent[row] for row in rows}):
        above = table.parent[parent] if parent >= 0 else -1
        top[parent] = top.get(above, parent)
    clusters: dict[int, list[int]] = {}
    for row in rows:
        clusters.setdefault(top[table.parent[row]], []).append(row)
    return list(clusters.values())


def score_clusters(
    table: PageTable, clusters: Sequence[list[int]], config: ScoreConfig
) -> list[Cluster]:
    """Return the clusters with their scores, in the given order. Cost: O(rows)."""
    measures = measure_clusters(table, clusters, config)
    scores = [0] * len(clusters)
    for name in ("text", "area", "effective_area", "content_tags", "link_rate", "text_rate"):
        sign = -1 if name == "link_rate" else 1
        values = [getattr(measured, name) for measured in measures]
        best = sorted({value for value in values if value}, reverse=True)
        points = dict(zip(best, POINTS, strict=False))
        for number, value in enumerate(values):
            scores[number] += sign * points.get(value, 0)
    return [Cluster(*pair) for pair in zip(clusters, scores, strict=True)]


def measure_clusters(
    table: PageTable, clusters: Sequence[list[int]], config: ScoreConfig
) -> list[Measures]:
    """Return the measures of each of the disjoint clusters."""
    code_before, link_before, tags_before = _sum_code(table)
    measures = []
    for rows in clusters:
        spans = [(row, table.end[row]) for row in rows]
        code = sum(code_before[stop] - code_before[row] for row, stop in spans)
        links = sum(link_before[stop] - link_before[row] for row, stop in spans)
        text = sum(table.text_length(row) for row in rows)
        tags = sum(tags_before[stop] - tags_before[row] for row, stop in spans)
        areas: tuple[float, ...] = ()
        if (layout := table.layout) is not None:
            middle = sum(_overlap_middle(layout, row, config.middle) for row in rows)
            areas = (sum(layout.area(row) for row in rows), middle)
        rate = links / code if code else 0.0
        measures.append(Measures(text, tags, rate, text / code if code else 0.0, *areas))
    return measures


def _sum_code(table: PageTable) -> tuple[list[int], list[int], list[int]]:
    """Return prefix sums of markup length, markup length of links, and content tags."""
    code, links, tags = [0], [0], [0]
    for row, tag in enumerate(table.tag):
        if tag == TEXT:
            size = table.text_before[row + 1] - table.text_before[row]
        else:
            size = 2 * len(tag) + 5 + len(table.ident[row]) + len(table.classes[row])
        code.append(code[-1] + size)
        links.append(links[-1] + (size if tag == "a" or table.link[row] else 0))
        tags.append(tags[-1] + (tag in CONTENT_TAGS))
    return code, links, tags


def _overlap_middle(layout: Layout, row: int, share: float) -> float:
    overlap = 1.0
    for at, size, page in (
        (layout.left[row], layout.width[row], layout.width[0]),
        (layout.top[row], layout.height[row], layout.height[0]),
    ):
        first, last = page * (1 - share) / 2, page * (1 + share) / 2
        overlap *= max(0.0, min(at + size, last) - max(at, first))
    return overlap
