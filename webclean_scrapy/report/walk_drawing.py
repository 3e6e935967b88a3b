"""The decay walk as a chart: the weight that is left at each step, and how far it may fall.

A step is taken while its point is inside the band that its limit allows; the first one below it is
not, and the walk stops where it was.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from webclean_scrapy.report.line_measures import element_name
from webclean_scrapy.report.wording import shorten

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webclean_scrapy.cleaning.body.decay_walk import DecayWalk
    from webclean_scrapy.cleaning.page.table import PageTable
    from webclean_scrapy.report.explain import StepView

MAX_STEPS = 24  # that are drawn; of more, those around the body
_BELOW = 8  # steps below the body that are drawn of a long walk
LEFT, TOP, HEIGHT, BOTTOM = 64, 30, 180, 64  # pixels
_WIDTH, _LEAST, _MOST = 960, 104, 190  # of the chart; from one step to the next
_LABEL = 13  # characters


class WalkPoint(NamedTuple):
    """A subtree of the walk, and where its point is. Pixels from the upper left corner."""

    number: int  # from 1
    row: int
    name: str
    label: str  # the name in a few characters
    xpath: str
    lines: int
    weight: int  # units
    share: float  # of the root's weight, 0..1
    x: float
    y: float
    fate: str  # "taken", "chosen", "beyond"
    decay: float | None  # of the step that leads here, 0..1; None of the first
    limit: float | None  # of that step
    floor: float | None  # y: the lowest that this point may be
    roof: float | None  # y of the point before
    is_refused: bool  # the step that leads here is the first that is not taken
    features: tuple[tuple[str, float], ...]  # of the step that leads here, without its decay


class WalkChart(NamedTuple):
    """All that is drawn."""

    points: tuple[WalkPoint, ...]
    way: str  # points of the line down to the body: "x,y x,y"
    beyond: str  # of the line from the body on
    width: int
    height: int
    left_out: int  # steps above the first, or below the last, that are not drawn


def draw_walk(table: PageTable, walk: DecayWalk, steps: Sequence[StepView]) -> WalkChart:
    """Return the chart of *walk*, whose *steps* say the same for people."""
    first = max(0, min(walk.stop + _BELOW + 1, len(steps)) - MAX_STEPS)
    drawn = range(first, min(len(steps), first + MAX_STEPS))
    apart = min(max(_WIDTH // max(len(drawn) - 1, 1), _LEAST), _MOST)
    points = tuple(
        _point(table, walk, steps, (at, LEFT + apart * place)) for place, at in enumerate(drawn)
    )
    reached = [point for point in points if point.fate != "beyond"]
    below = [point for point in points if point.fate != "taken"]
    return WalkChart(
        points=points,
        way=" ".join(f"{point.x:g},{point.y:g}" for point in reached),
        beyond=" ".join(f"{point.x:g},{point.y:g}" for point in below),
        width=2 * LEFT + apart * (len(points) - 1),
        height=TOP + HEIGHT + BOTTOM,
        left_out=len(steps) - len(points),
    )


def _point(
    table: PageTable,
    walk: DecayWalk,
    steps: Sequence[StepView],
    place: tuple[int, int],
) -> WalkPoint:
    at, x = place
    whole = max(float(walk.weights[0]), 1e-9)
    row, step = walk.rows[at], steps[at]
    share = float(walk.weights[at]) / whole
    before = steps[at - 1] if at else None
    decay, limit = (before.decay, before.limit) if before else (None, None)
    roof = float(walk.weights[at - 1]) / whole if at and x > LEFT else None
    lowest = None if roof is None or limit is None else roof * (1 - min(max(limit, 0.0), 1.0))
    name = element_name(table, row)
    features = before.features.items() if before else ()
    return WalkPoint(
        number=at + 1,
        row=row,
        name=name,
        label=shorten(name, _LABEL),
        xpath=step.xpath,
        lines=len(table.lines_in(row)),
        weight=step.weight,
        share=round(share, 3),
        x=x,
        y=_y(share),
        fate="taken" if at < walk.stop else "chosen" if at == walk.stop else "beyond",
        decay=decay,
        limit=limit,
        floor=None if lowest is None else _y(lowest),
        roof=None if roof is None else _y(roof),
        is_refused=at == walk.stop + 1,
        features=tuple((n, v) for n, v in features if n not in {"one", "decay"}),
    )


def _y(share: float) -> float:
    return round(TOP + HEIGHT * (1 - min(max(share, 0.0), 1.0)), 1)
