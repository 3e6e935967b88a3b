"""Bars of a chart as numbers, in the units of an SVG: templates draw them.

No library for charts: what matplotlib and pygal draw as SVG has style attributes (pygal's scripts,
too), which the policy of the page forbids, and fixed colours, which a dark page cannot change; the
script of plotly has 4.8 MB.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

WIDTH, HEIGHT, BASE = 340, 150, 126  # of the picture; where the bars stand
GAP = 2  # between bars
MAX_BARS = 36
MAX_ROWS = 8  # of a chart with a name for each bar; the rest is one bar


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
        if (last - first).days > MAX_BARS * step.days:
            continue
        names = list(dict.fromkeys(map(step.name_of, _some_days(first, last, step.days))))
        if len(names) <= MAX_BARS:
            break
    else:
        step = _STEPS[-1]
        names = [str(year) for year in range(first.year, last.year + 1)]
    names = names[-MAX_BARS:]
    counts = Counter[str]()
    for one, count in dates.items():
        counts[step.name_of(one)] += count
    return upright(names, [counts[name] for name in names]), step.note


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


def _some_days(first: date, last: date, step: int) -> Iterable[date]:
    """Yield days from *first* to *last*, at least one of each step of so many days."""
    span = (last - first).days
    yield from (first + timedelta(days) for days in range(0, span, max(step // 2, 1)))
    yield last


class _Step(NamedTuple):
    """How long a bar of a chart of dates may be."""

    days: int
    name_of: Callable[[date], str]  # the bar to which a day belongs
    note: str


_STEPS = (
    _Step(1, date.isoformat, "A bar is a day"),
    _Step(
        7,
        lambda day: (day - timedelta(day.weekday())).isoformat(),
        "A bar is a week, named by its Monday",
    ),
    _Step(31, lambda day: f"{day:%Y-%m}", "A bar is a month"),
    _Step(366, lambda day: f"{day:%Y}", "A bar is a year"),
)
