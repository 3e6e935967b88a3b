"""Measures what each reason that leaves lines out is worth, by taking it out of the table.

Single pages, with the weights of the package: what a fit without the reason would win back is not
counted, so the figures are its upper limits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.markdown import table
from webclean_scrapy.cleaning.body.models import BodyConfig
from webclean_scrapy.cleaning.body.reasons.names import EXCLUSIONS
from webclean_scrapy.cleaning.body.reasons.table import REASONS
from webclean_scrapy.cleaning.cleaner import Cleaner
from webclean_scrapy.cleaning.config import CleanConfig

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from benchmarks.data import Page, Sets
    from webclean_scrapy.cleaning.body.reasons.table import Reason

SEEN = 0.002  # a smaller difference of a page's F1 is none


@dataclass(frozen=True, slots=True)
class Worth:
    """Pages whose text is another one without a reason, and how their F1 changes."""

    name: str
    changed: int
    better: int
    worse: int
    f1: float  # the mean over all pages, without it minus with it


def measure_reasons(sets: Sets) -> Iterator[Worth]:
    """Yield the worth of each row of the table, in its order. Cost: 15 ms a page that it marks."""
    pages = [page for one in sets.values() for page in one.values()]
    cleaner = Cleaner()
    whole = [_read(cleaner, page) for page in pages]
    for reason in REASONS:
        without = tuple(one for one in REASONS if one is not reason)
        cleaner = Cleaner(CleanConfig(body=BodyConfig(reasons=without)))
        marked = (
            (page, before)
            for page, before in zip(pages, whole, strict=True)
            if reason.number in before.reasons
        )
        pairs = [(page, before, _read(cleaner, page)) for page, before in marked]
        changes = [
            page.f1(after.title, after.text) - page.f1(before.title, before.text)
            for page, before, after in pairs
            if after.text != before.text
        ]
        yield Worth(
            name=f"{EXCLUSIONS[reason.number]}: {_finder(reason)}",
            changed=len(changes),
            better=sum(change > SEEN for change in changes),
            worse=sum(change < -SEEN for change in changes),
            f1=sum(changes) / len(pages),
        )


class _Read(NamedTuple):
    """Holds the results of a clean page without its tree, which takes far more memory."""

    title: str
    text: str
    reasons: frozenset[int]  # that mark a line


def _read(cleaner: Cleaner, page: Page) -> _Read:
    cleaned = cleaner.inspect(page.raw)
    excluded = frozenset(cleaned.trace.evidence.excluded.tolist())
    return _Read(cleaned.title or "", cleaned.text, excluded)


def _finder(reason: Reason) -> str:
    name: str = getattr(reason.find, "func", reason.find).__name__
    return name.strip("_").replace("_", " ")


def reasons_section(found: Iterable[Worth]) -> str:
    rows = [
        [one.name, *map(str, (one.changed, one.better, one.worse)), f"{one.f1:+.5f}"]
        for one in found
    ]
    return table(["without", "pages changed", "better", "worse", "mean F1"], rows)
