"""Score the clusters of candidates; the best are the page's content.

Song, Zhi, Zhou, Luo, An: "LCS-based feature tree maximum similarity matching for web page
denoising", Video Engineering 2011(13): six measures, the top three of each get 5, 3 and 1 points,
of the link rate -5, -3 and -1; content are the clusters whose scores are close to the best.

Reconstructed: equal values get equal points, a value of 0 gets none; "close" is a share of the
best score; the main visual area is the middle of the page in both directions.
Deviation: code is not the page's source but what the table knows of it: two tags of an element
with five signs of punctuation, its id and class, and its text in units. Addresses of links are
left out, because tracking parameters and not the page decide how long they are. The two areas are
left out where there is no layout. Estimated boxes score clusters but do not compare nodes: they
follow from the text, so that other text moved its wrappers among the candidates (F1 on 22 pairs
of Chinese portal pages .675 without, .545 with).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.page.table import TEXT
from webclean_scrapy.cleaning.papers.clusters import find_clusters, find_outermost
from webclean_scrapy.cleaning.templates.alignment import AlignConfig, align
from webclean_scrapy.cleaning.templates.feature_tree import (
    CONTENT_TAGS,
    FeatureTree,
    build_features,
)
from webclean_scrapy.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webclean_scrapy.cleaning.page.layout import Layout
    from webclean_scrapy.cleaning.page.table import PageTable

POINTS = (5, 3, 1)  # Song et al.: of the best, second and third value of a measure


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreConfig:
    """Which clusters are close to the best, and where the middle of the page is."""

    # share of the best score from which a cluster is content, 0..1; 43 pairs of Chinese portal
    # pages: F1 .698 at .5, .699 at .6, .691 at .8
    close: float = 0.6
    middle: float = 0.6  # share of the page's width and height that is its main visual area

    def __post_init__(self) -> None:
        for name in ("close", "middle"):
            value = getattr(self, name)
            if not 0.0 < value <= 1.0:
                raise ConfigError(f"{name} must be above 0 and at most 1, got {value!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class DenoiseConfig:
    """Both halves of the method: what is a candidate, and which candidates are content."""

    align: AlignConfig = field(default_factory=AlignConfig)
    score: ScoreConfig = field(default_factory=ScoreConfig)


@dataclass(frozen=True, slots=True)
class Measures:
    """The six measures of one cluster; the areas are None without a layout."""

    text: int  # units
    content_tags: int  # elements
    link_rate: float  # code of links / code, 0..1
    text_rate: float  # text / code, 0..1
    area: float | None = None  # square px
    effective_area: float | None = None  # square px within the middle of the page


@dataclass(frozen=True, slots=True)
class Cluster:
    """A cluster of candidates with its score."""

    rows: list[int]  # outermost candidates, rising
    measures: Measures
    score: int


@dataclass(frozen=True, slots=True)
class ContentRows:
    """What the comparison with a similar page says of a page; all rows outermost and rising."""

    content: list[int]  # candidates of the best clusters
    rejected: list[int]  # candidates of the other clusters
    template: list[int]  # subtrees that the similar page has too, without any candidate
    clusters: list[Cluster]  # in document order


def content_rows(
    target: PageTable,
    sibling: PageTable | FeatureTree,
    config: DenoiseConfig | None = None,
    layout: Layout | None = None,
    sibling_layout: Layout | None = None,
) -> ContentRows:
    """Return the rows of *target* that are content, and those that are not, against *sibling*.

    *layout* is of the target; nodes are compared by their boxes too if both pages are rendered.
    A page without candidates (its own copy) has no content. Cost: that of ``align``.

    Raises:
        PageTooLargeError: the pair takes more cells than ``config.align`` allows.
    """
    config = config or DenoiseConfig()
    columns, rows = (
        page
        if isinstance(page, FeatureTree)
        else build_features(page, config.align.similarity, _rendered(boxes))
        for page, boxes in ((target, layout), (sibling, sibling_layout))
    )
    alignment = align(columns, rows, config.align)
    groups = find_clusters(target, alignment.candidates)
    clusters = score_clusters(target, groups, config.score, layout)
    best = max((cluster.score for cluster in clusters), default=0)
    least = best - (1 - config.score.close) * abs(best)  # also where no score is above 0
    content: list[int] = []
    rejected: list[int] = []
    for cluster in clusters:
        (content if cluster.score >= least else rejected).extend(cluster.rows)
    template = _find_template(target, alignment.pairs, alignment.candidates)
    return ContentRows(sorted(content), sorted(rejected), template, clusters)


def _rendered(layout: Layout | None) -> Layout | None:
    return layout if layout is not None and layout.source == "rendered" else None


def _find_template(
    table: PageTable, pairs: list[tuple[int, int]], candidates: list[int]
) -> list[int]:
    """Return the outermost paired subtrees that neither hold a candidate nor lie in one.

    A node in a candidate can be paired: its parents only have to be similar to the partner's.
    """
    marks = [0] * len(table)
    for row in candidates:
        marks[row] = 1
    before = [0, *accumulate(marks)]
    pure = [row for row, _ in pairs if before[table.end[row]] == before[row]]
    return [row for row in find_outermost(table, pure + candidates) if not marks[row]]


def score_clusters(
    table: PageTable,
    clusters: Sequence[list[int]],
    config: ScoreConfig,
    layout: Layout | None = None,
) -> list[Cluster]:
    """Return the clusters with their measures and scores, in the given order. Cost: O(rows)."""
    measures = measure_clusters(table, clusters, config, layout)
    scores = [0] * len(clusters)
    for name in ("text", "area", "effective_area", "content_tags", "link_rate", "text_rate"):
        sign = -1 if name == "link_rate" else 1
        values = [getattr(found, name) for found in measures]
        for number, points in enumerate(_give_points(values)):
            scores[number] += sign * points
    return [
        Cluster(rows, found, score)
        for rows, found, score in zip(clusters, measures, scores, strict=True)
    ]


def _give_points(values: Sequence[float | None]) -> list[int]:
    """Return the points of each value; those that were not measured, and 0, get none."""
    best = sorted({value for value in values if value}, reverse=True)
    points: dict[float | None, int] = dict(zip(best, POINTS, strict=False))
    return [points.get(value, 0) for value in values]


def measure_clusters(
    table: PageTable,
    clusters: Sequence[list[int]],
    config: ScoreConfig,
    layout: Layout | None = None,
) -> list[Measures]:
    """Return the measures of each cluster, whose rows must not lie in each other."""
    code_before, link_before, tags_before = _sum_code(table)
    found = []
    for rows in clusters:
        spans = [(row, table.end[row]) for row in rows]
        code = sum(code_before[stop] - code_before[row] for row, stop in spans)
        links = sum(link_before[stop] - link_before[row] for row, stop in spans)
        text = sum(table.text_length(row) for row in rows)
        tags = sum(tags_before[stop] - tags_before[row] for row, stop in spans)
        areas: tuple[float, ...] = ()
        if layout is not None:
            middle = sum(_overlap_middle(layout, row, config.middle) for row in rows)
            areas = (sum(layout.area(row) for row in rows), middle)
        rate = links / code if code else 0.0
        found.append(Measures(text, tags, rate, text / code if code else 0.0, *areas))
    return found


def _sum_code(table: PageTable) -> tuple[list[int], list[int], list[int]]:
    """Return code, code of links and number of content tags before each row."""
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
    """Return the area of the row's box within the middle of the page, in square px."""
    overlap = 1.0
    for at, size, page in (
        (layout.left[row], layout.width[row], layout.width[0]),
        (layout.top[row], layout.height[row], layout.height[0]),
    ):
        first, last = page * (1 - share) / 2, page * (1 + share) / 2
        overlap *= max(0.0, min(at + size, last) - max(at, first))
    return overlap
