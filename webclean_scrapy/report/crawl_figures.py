"""The main figures of a crawl, from the data of its report, and its funnel."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from webclean_scrapy import stats
from webclean_scrapy.cleaning.method_names import LOW_CONFIDENCE
from webclean_scrapy.report.crawl_tally import (
    ARTICLE,
    CONFIDENCE_STEPS,
    EXPORTED,
    OTHER,
    UNCLEANED,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

GROUPS = {
    ARTICLE: "articles",
    OTHER: "pages of other kinds",
    UNCLEANED: "without a cleaned page",
}
#: What an item was lost for, and at which step; all others at the last one.
NOT_ARTICLES = {"not_article": "not an article", "low_confidence": "of low confidence"}
COPIES = {
    "duplicate": "near-duplicates",
    "update": "longer versions of a page",
    "seen_before": "exported before, with the same text",
    "short": "too short to compare",
}


@dataclass(frozen=True, slots=True)
class Loss:
    """How many left the funnel, and why."""

    count: int
    why: str
    place: str = ""  # anchor of the section that says more


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a step; start and width in percent of the largest step."""

    group: str
    count: int
    start: float
    width: float


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the funnel, what it consists of, and what left before it."""

    name: str
    count: int
    segments: tuple[Segment, ...]
    losses: tuple[Loss, ...] = ()
    aside: str = ""  # what is among them though the name does not say so


class Figures:
    """Sums over the data of one crawl. Items are those that are articles or could be."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.stats: dict[str, Any] = dict(data["stats"])
        self.fates: dict[str, dict[str, int]] = {name: data["fates"][name] for name in GROUPS}
        self.statuses: dict[str, int] = data["statuses"]
        self.confidence: list[int] = data["confidence"]

    def stat(self, name: str) -> int:
        """Return a count of the stats; 0 without one."""
        value = self.stats.get(name, 0)
        return value if isinstance(value, int) else 0

    def family(self, name: str) -> int:
        """Return the count called *name* and of the family that begins with it."""
        return stats.total_of(self.stats, name)

    @cached_property
    def fetched(self) -> int:
        """Responses that were meant for the spider."""
        return sum(self.statuses.values())

    @cached_property
    def refused(self) -> int:
        """Of these, those with a status of 400 and above."""
        return sum(count for status, count in self.statuses.items() if int(status) >= 400)

    @cached_property
    def failures(self) -> dict[str, int]:
        """Requests for pages that got no response, by the name of the error: not retried ones."""
        start, again = "downloader/exception_type_count/", "retry/reason_count/"
        found: dict[str, int] = {}
        for name in (each.removeprefix(start) for each in self.stats if each.startswith(start)):
            short = name.rpartition(".")[2]
            count = self.stat(start + name) - self.stat(again + name)
            count -= self.stat(f"{stats.SIBLING_FAILED}/{short}")
            if count > 0 and short != "IgnoreRequest":  # that one was not sent: robots.txt
                found[short] = found.get(short, 0) + count
        return found

    @property
    def failed(self) -> int:
        """The sum of `failures`."""
        return sum(self.failures.values())

    def of_group(self, group: str) -> int:
        """Return the items whose page is of *group*."""
        return sum(self.fates[group].values())

    def of_fate(self, fate: str) -> int:
        """Return the items with this end."""
        return sum(fates.get(fate, 0) for fates in self.fates.values())

    @cached_property
    def entered(self) -> int:
        """Items that were to be filled and compared."""
        return sum(map(self.of_group, GROUPS))

    @cached_property
    def unwritten(self) -> int:
        """Items that passed all pipelines, and that a feed could not write."""
        return self.family(stats.DEDUP_NOT_EXPORTED)

    @cached_property
    def exported(self) -> int:
        """Items that passed all pipelines, and that a feed did not refuse."""
        return max(self.of_fate(EXPORTED) - self.unwritten, 0)

    @cached_property
    def uncleaned(self) -> int:
        """Exported items without a cleaned page."""
        return self.fates[UNCLEANED].get(EXPORTED, 0)

    @cached_property
    def copies(self) -> int:
        """Items dropped as they repeat another page of any crawl."""
        return sum(map(self.of_fate, ("duplicate", "update", "seen_before")))

    @cached_property
    def rated(self) -> int:
        """Exported articles with a confidence."""
        return sum(self.confidence)

    @cached_property
    def low(self) -> int:
        """Of these, those below `LOW_CONFIDENCE`."""
        return sum(self.confidence[: int(LOW_CONFIDENCE * CONFIDENCE_STEPS)])

    @cached_property
    def errors(self) -> int:
        """Items that a pipeline failed on, and pages that a callback failed on."""
        items = sum(
            count
            for fates in self.fates.values()
            for fate, count in fates.items()
            if fate.startswith("error/")
        )
        return items + self.family("spider_exceptions") - self.stat("spider_exceptions/count")

    @property
    def siblings(self) -> int:
        """Sibling requests."""
        return self.stat(stats.SIBLING_REQUESTED)

    @property
    def siblings_learned(self) -> int:
        """Of these, those that taught a template."""
        return self.stat(stats.SIBLING_LEARNED)


def make_funnel(figures: Figures) -> list[Step]:
    """Return the steps from what was fetched to what was exported."""
    most = max(figures.fetched, figures.entered, 1)
    remaining = {group: figures.of_group(group) for group in GROUPS}
    steps = [_step("Fetched", {"": figures.fetched}, most)]
    steps.append(_step("Cleaned", remaining, most, _without_item(figures)))
    if uncleaned := remaining[UNCLEANED]:
        aside = f"of these {uncleaned:,} without a cleaned page, which pass as they are"
        steps[-1] = replace(steps[-1], aside=aside)
    for name, reasons, place in (("Articles", NOT_ARTICLES, "lost"), ("Unique", COPIES, "copies")):
        losses = [Loss(figures.of_fate(fate), why, place) for fate, why in reasons.items()]
        remaining = {
            group: count - sum(figures.fates[group].get(fate, 0) for fate in reasons)
            for group, count in remaining.items()
        }
        steps.append(_step(name, remaining, most, losses))
    known = {*NOT_ARTICLES, *COPIES, EXPORTED}
    others: dict[str, int] = {}
    for group, fates in figures.fates.items():
        for fate in set(fates) - known:
            others[fate] = others.get(fate, 0) + fates[fate]
            remaining[group] -= fates[fate]
    losses = [Loss(count, _say_fate(fate), "lost") for fate, count in sorted(others.items())]
    losses.append(Loss(figures.unwritten, "a feed could not write them", "lost"))
    remaining[ARTICLE] = max(remaining[ARTICLE] - figures.unwritten, 0)
    steps.append(_step("Exported", remaining, most, losses))
    return steps


def _step(name: str, parts: Mapping[str, int], most: int, losses: list[Loss] | None = None) -> Step:
    segments, start = [], 0.0
    for group, count in parts.items():
        if count:
            width = round(100 * count / most, 2)
            segments.append(Segment(group, count, round(start, 2), width))
            start += width
    left = tuple(loss for loss in losses or () if loss.count)
    return Step(name, sum(parts.values()), tuple(segments), left)


def _without_item(figures: Figures) -> list[Loss]:
    """Return why fetched pages made no item: a status that is none of success, or the spider."""
    pages = figures.stat(stats.CLEAN_PAGES)
    missing = max(figures.fetched - pages, 0)
    losses = []
    for status, count in sorted(figures.statuses.items()):
        if int(status) >= 300 and missing:
            losses.append(Loss(min(count, missing), f"status {status}", "lost"))
            missing -= losses[-1].count
    return [*losses, Loss(missing, "the spider made no article of them")]


def _say_fate(fate: str) -> str:
    what, _, name = fate.partition("/")
    return f"dropped by another pipeline ({name})" if what == "dropped" else f"failed ({name})"
