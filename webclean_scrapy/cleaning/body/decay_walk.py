"""Walk from the root down to the subtree with the body: FindMT with learned weights and threshold.

Chen et al. 2012: from the root always to the child that weighs most; stop where a step would lose
more than the share T of the weight (the decay).

Deviation: a line weighs its length times the cube of how likely it is body, in place of its
length outside links. Sure lines count more than many unsure ones: comments, teasers, a sidebar.
Deviation: T is not a constant. Each step has its own, from a few features of what it would lose:
text that is body for sure, one paragraph of it, or what comes before the kept text makes T small;
a mark on the child, or a template whose body is there, makes it large. With one T for all steps
the walk scores less (docs/method/ablations.md).
Deviation: what is body on other pages of the template is not lost (`templates.roles`), nor are
further elements like the kept one: page builders put each part of a text into one.
Deviation: a step never ends in a paragraph or list, but in the element that holds it and more
(the authors' own failure case, one dominating paragraph).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.body.features import sigmoid
from webclean_scrapy.cleaning.page.row_flags import BODY_MARKED
from webclean_scrapy.cleaning.page.tags import BLOCK_TAGS, HEADING_TAGS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.body.evidence import Evidence
    from webclean_scrapy.cleaning.page.table import PageTable

STEP_FEATURES = (
    "one",
    "decay",  # share of the weight that the step loses
    "lost density",  # weight of the lost text by its length: its similarity to body
    "surest lost",  # how sure the surest paragraph is that is lost, however small its share
    "lost before",  # share of the weight in lost lines that come before the kept ones
    "marked",  # the child is marked as the article
    "title before",  # the title's line comes before the child
    "template path",  # other pages of the template have their body in the child
)
_PARAGRAPHS = HEADING_TAGS | {"p", "blockquote", "pre", "li", "dd", "dt", "td", "ul", "ol", "tr"}
_DECAY = STEP_FEATURES.index("decay")
#: Log-odds against a step that loses nothing but what is body on other pages of the template, or
#: is like what it keeps. From 4 to 16 the bodies of the development sets are the same.
_KNOWN_LOSS = 8.0
_LIKE = 0.4  # of the weight by length of what a step keeps
_SURE_UNITS = 80  # a shorter line is no paragraph that one can be sure of; it counts in proportion


@dataclass(frozen=True, slots=True)
class DecayWalk:
    """The path from the root, and the position on it where the body was found."""

    rows: list[int]  # from the root down; each holds fewer lines than the one before
    line_weights: NDArray[np.float64]  # of each line of the page, in units
    weights: NDArray[np.float64]  # of each row: the sum over its lines
    features: NDArray[np.float64]  # (rows - 1) x STEP_FEATURES: of the step to the next row
    limits: NDArray[np.float64]  # T of each step: it is taken while its decay is below
    go_on: NDArray[np.float64]  # how likely each step is right, 0..1

    @property
    def stop(self) -> int:
        """The place in *rows* of the body's subtree: before the first step that loses too much."""
        refused = (self.go_on <= 0.5).nonzero()[0]
        return int(refused[0]) if len(refused) else len(self.rows) - 1

    @property
    def row(self) -> int:
        """The body's subtree."""
        return self.rows[self.stop]


def walk_down(
    evidence: Evidence, probability: NDArray[np.float64], weights: NDArray[np.float64]
) -> DecayWalk:
    """Walk down. *probability* of each line to be body; *weights* of the step features.

    Cost: O(lines + children along the path).
    """
    table = evidence.table
    weight = table.columns.units * probability**3
    before = np.concatenate(([0.0], weight.cumsum()))
    of_row: list[float] = before[table.arrays.line_of].tolist()
    rows = _path(table, of_row)
    features = _step_features(evidence, rows, probability, before)
    loss = _known_loss(evidence, rows, weight) + _alike_lost(evidence, rows, of_row)
    log_odds = features @ weights - _KNOWN_LOSS * loss
    decay = max(-weights[_DECAY], 1e-9)  # without such a weight T is out of reach, or below 0
    limits = (log_odds + decay * features[:, _DECAY]) / decay
    sums = np.array([of_row[table.end[row]] - of_row[row] for row in rows])
    return DecayWalk(rows, weight, sums, features, limits, sigmoid(log_odds))


def _known_loss(
    evidence: Evidence, rows: list[int], weight: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return for each step the share of its lost text that is body on other pages."""
    template, table = evidence.template, evidence.table
    if template is None:
        return np.zeros(len(rows) - 1)
    ends = np.array([(inside.start, inside.stop) for inside in map(table.lines_in, rows)]).T
    losses = []
    is_body = template.walk_roles.is_body & template.inner_roles.is_body & ~template.repeated
    for counted in (weight * is_body, weight):
        start, stop = np.concatenate(([0.0], counted.cumsum()))[ends]
        losses.append(-np.diff(stop - start))
    shares: NDArray[np.float64] = losses[0] / np.maximum(losses[1], 1e-9)
    return shares


def _alike_lost(evidence: Evidence, rows: list[int], before: list[float]) -> list[float]:
    """Return for each step the share of its lost weight in elements like the one it leads to.

    They have the same tag and class, and nearly as much weight by their length. *before* has the
    weight before each row.
    """
    table, shares = evidence.table, []
    end, units = table.end, table.arrays.units

    def held(row: int) -> float:
        return before[end[row]] - before[row]

    for outer, row in pairwise(rows):
        least = _LIKE * held(row) / max(int(units[row]), 1)
        alike, one, stop = 0.0, table.parent[row] + 1, end[table.parent[row]]
        while one < stop:
            is_like = one != row and table.label[one] == table.label[row]
            if is_like and evidence.subtrees.of(one) and held(one) >= least * units[one]:
                alike += held(one)
            one = end[one]
        shares.append(alike / max(held(outer) - held(row), 1e-9))
    return shares


def _path(table: PageTable, before: list[float]) -> list[int]:
    """Return the containers from the root down, the child with the highest weight at each level.

    *before* has the weight before each row. Of nested ones with the same lines, the outermost.
    """
    path, row = [0], 0
    end, lines = table.end, table.lines_in(0)
    while True:
        most, child, stop = 0.0, row + 1, end[row]
        heaviest = None
        while child < stop:  # the first on ties
            held = before[end[child]] - before[child]
            if held > most:
                most, heaviest = held, child
            child = end[child]
        if heaviest is None:
            return path
        row = heaviest
        inside = table.lines_in(row)
        if inside != lines and not is_paragraph(table, row):
            path.append(row)
            lines = inside


def is_paragraph(table: PageTable, row: int) -> bool:
    """True if an element is a part of a text (paragraph, list, inline) and no container of texts.

    A cell of several lines is a container: old pages lie in tables.
    """
    tag = table.tag[row]
    if tag == "td" and len(table.lines_in(row)) > 2:
        return False
    return tag not in BLOCK_TAGS or tag in _PARAGRAPHS


def _step_features(
    evidence: Evidence,
    rows: list[int],
    probability: NDArray[np.float64],
    before: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the features of each step from one of *rows* to the next: steps x STEP_FEATURES."""
    table, title, template = evidence.table, evidence.signs.title_line, evidence.template
    lines = [table.lines_in(row) for row in rows]
    start = np.array([inside.start for inside in lines], np.int64)
    stop = np.array([inside.stop for inside in lines], np.int64)
    units = np.concatenate(([0], table.columns.units.cumsum()))
    held, text = before[stop] - before[start], units[stop] - units[start]
    lost, whole = held[:-1] - held[1:], np.maximum(held[:-1], 1e-9)
    density = lost / np.maximum(text[:-1] - text[1:], 1)
    columns = [
        np.ones(len(rows) - 1),
        lost / whole,
        density,
        _surest_lost(probability * np.minimum(table.columns.units / _SURE_UNITS, 1), start, stop),
        (before[start[1:]] - before[start[:-1]]) / whole,
        _is_marked(table, rows),
        start[1:] > (len(units) if title is None else title),
        [template is not None and row in template.body_rows for row in rows[1:]],
    ]
    return np.stack(columns, axis=1).astype(float)


def _surest_lost(
    sureness: NDArray[np.float64], start: NDArray[np.int64], stop: NDArray[np.int64]
) -> list[float]:
    """Return the highest *sureness* of the lines that each step loses; each line is lost once."""
    steps = zip(start, start[1:], stop[1:], stop, strict=False)
    return [
        max(sureness[outer:first].max(initial=0.0), sureness[last:end].max(initial=0.0))
        for outer, first, last, end in steps
    ]


def _is_marked(table: PageTable, rows: list[int]) -> NDArray[np.bool_]:
    """Mark each row but the first at which a marked article begins."""
    marked = table.flags.inside[rows] & BODY_MARKED > 0
    named = np.array([table.tag[row] in {"article", "main"} for row in rows])
    newly: NDArray[np.bool_] = (marked[1:] & ~marked[:-1]) | named[1:]
    return newly
