"""Bars of a chart as numbers, in the units of an SVG: templates draw them.

No library for charts: those that draw SVG (matplotlib, pygal) write style attributes, which the
policy of the page forbids, and fixed colours, which a dark page cannot change; plotly takes 3 MB.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

WIDTH, HEIGHT, BASE = 340, 150, 126  # of the picture; where the bars stand
GAP = 2  # between bars
MAX_BARS = 36
MAX_ROWS = 8  # of a chart with a name for each bar; the rest is one bar
YEAR_DAYS = 366


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One bar: what it stands for, how often, and where it is drawn."""

    label: str
    count: int
    share: float  # of all, 0..1
    x: float = 0
    y: float = 0
    width: float = 0
    height: float = 0
    marked: bool = False  # drawn in the colour of a warning


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """Bars in order; upright with a few labels under them, or lying with a name each."""

    name: str  # for anchors
    title: str
    unit: str
    bars: tuple[Bar, ...]
    ticks: tuple[tuple[float, str], ...] = ()  # (x, label) under upright bars
    note: str = ""
    is_upright: bool = True

    @property
    def total(self) -> int:
        """The sum of all bars."""
        return sum(bar.count for bar in self.bars)

    @property
    def highest(self) -> int:
        """The count of the longest bar."""
        return max((bar.count for bar in self.bars), default=0)


def upright(
    labels: Sequence[str], counts: Sequence[int], marks: Callable[[int], bool] = lambda _: False
) -> tuple[Bar, ...]:
    """Return bars side by side, the highest as high as the picture; *marks* says which differ."""
    most, total = max(counts, default=0) or 1, sum(counts) or 1
    step = WIDTH / max(len(counts), 1)
    bars = []
    for place, (label, count) in enumerate(zip(labels, counts, strict=True)):
        # The least bar can still be seen.
        height = max((BASE - 14) * count / most, 2.0) if count else 0.0
        bars.append(
            Bar(
                label=label, count=count, share=count / total, marked=marks(place),
                x=round(place * step + GAP / 2, 1), width=round(max(step - GAP, 1), 1),
                y=round(BASE - height, 1), height=round(height, 1),
            )
        )  # fmt: skip
    return tuple(bars)


def lying(counts: Mapping[str, int]) -> tuple[Bar, ...]:
    """Return a bar for each name, the longest first; widths are percentages of the picture."""
    ranked = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    if len(ranked) > MAX_ROWS:
        rest = sum(count for _, count in ranked[MAX_ROWS - 1 :])
        names = len(ranked) - MAX_ROWS + 1
        ranked = [*ranked[: MAX_ROWS - 1], (f"{names} others", rest)]
    most, total = max(counts.values(), default=0) or 1, sum(counts.values()) or 1
    return tuple(
        Bar(label=name, count=count, share=count / total, width=round(100 * count / most, 1))
        for name, count in ranked
    )


def time_bars(days: Mapping[str, int]) -> tuple[tuple[Bar, ...], str]:
    """Return the bars of dates, "YYYY-MM-DD", and what each of them is.

    Steps are days, weeks, months or years: the finest with at most `MAX_BARS` bars. What is older
    than the latest MAX_BARS years is left out.
    """
    if not days:
        return (), ""
    dates = {date.fromisoformat(day): count for day, count in days.items()}
    first, last = min(dates), max(dates)
    for step in _STEPS:
        names = list(dict.fromkeys(map(step, _every_day(first, last))))
        if len(names) <= MAX_BARS:
            break
    names = names[-MAX_BARS:]
    counts = Counter[str]()
    for one, count in dates.items():
        counts[step(one)] += count
    return upright(names, [counts[name] for name in names]), _STEPS[step]


def ticks_of(bars: Sequence[Bar], count: int) -> tuple[tuple[float, str], ...]:
    """Return *count* labels, spread evenly over the bars, the first and the last among them."""
    if len(bars) <= count:
        chosen: Iterable[int] = range(len(bars))
    else:
        chosen = [round(place * (len(bars) - 1) / (count - 1)) for place in range(count)]
    return tuple((round(bars[at].x + bars[at].width / 2, 1), bars[at].label) for at in chosen)


def median_step(counts: Sequence[int]) -> int | None:
    """Return the place of the step in which the median lies; None without counts."""
    half = sum(counts) / 2
    sums = accumulate(counts)
    return (
        next((place for place, so_far in enumerate(sums) if so_far >= half), None) if half else None
    )


def _every_day(first: date, last: date) -> Iterable[date]:
    """Yield days from *first* to *last*: each of a year, else some of each month."""
    span = (last - first).days
    step = 1 if span <= YEAR_DAYS else 15
    yield from (first + timedelta(days) for days in range(0, span, step))
    yield last


def _day(one: date) -> str:
    return one.isoformat()


def _week(one: date) -> str:
    return f"{one - timedelta(one.weekday())}"


def _month(one: date) -> str:
    return f"{one:%Y-%m}"


def _year(one: date) -> str:
    return f"{one:%Y}"


_STEPS = {
    _day: "A bar is a day",
    _week: "A bar is a week, named by its Monday",
    _month: "A bar is a month",
    _year: "A bar is a year",
}
