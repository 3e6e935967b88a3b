"""What became of each line of a page: kept, or removed by which stage and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.body import exclusions as apart

if TYPE_CHECKING:
    from webclean_scrapy.cleaning.body.evidence import Evidence
    from webclean_scrapy.cleaning.body.linear_model import Choice
    from webclean_scrapy.cleaning.page.removals import Removal
    from webclean_scrapy.cleaning.page.table import PageTable
    from webclean_scrapy.cleaning.result import Source

APART, TEMPLATE, OUTSIDE = (
    "excluded",
    "template",
    "outside",
)  # stages without a removal of their own
_SAID = {"repeated": "repeated in sibling", "foreign": "other text in sibling"}


@dataclass(frozen=True, slots=True, kw_only=True)
class LineView:
    """One line that a reader sees; lines are numbered from 1.

    *stage* and *reason* are empty for a line that was kept. Stages: ``excluded`` (never body,
    whatever the numbers say), ``template``, ``outside`` (of the body's subtree), or that of the
    removal.
    """

    number: int
    text: str
    kept: bool
    stage: str
    reason: str
    odds: float | None  # log-odds to be body, of lines in the subtree
    sibling: tuple[str, ...]  # of "repeated", "foreign", "familiar"


def explain_lines(made: Source, evidence: Evidence, choice: Choice | None) -> tuple[LineView, ...]:
    """Return all lines of a page. *choice* is None when another method found the body."""
    table = made.living.table
    kept = frozenset(made.body.lines)
    inside = range(0) if made.body.row is None else table.lines_in(made.body.row)
    owners = _owners(table, made.body.removals)
    said = said_of_lines(made)
    views = []
    for line, text in enumerate(table.lines.text):
        stage = reason = ""
        if line not in kept:
            why_apart = apart.REASONS[evidence.apart[line]] if choice is not None else ""
            removal = owners[line] if line in inside else None
            stage, reason = _why_removed(removal, why_apart, said[line])
        odds = None
        if choice is not None and line in choice.lines:
            odds = round(float(choice.odds[line - choice.lines.start]), 2)
        views.append(
            LineView(
                number=line + 1,
                text=text,
                kept=line in kept,
                stage=stage,
                reason=reason,
                odds=odds,
                sibling=said[line],
            )
        )
    return tuple(views)


def _why_removed(removal: Removal | None, why_apart: str, said: tuple[str, ...]) -> tuple[str, str]:
    """Return stage and reason; a line that is set apart is so wherever the body is."""
    if removal is not None and removal.what not in {"line", TEMPLATE}:
        return removal.what, removal.why
    if why_apart not in {"", TEMPLATE}:
        return APART, why_apart
    if why_apart or (removal is not None and removal.what == TEMPLATE):
        return TEMPLATE, next((_SAID[word] for word in said if word in _SAID), "place in sibling")
    if removal is not None:
        return removal.what, removal.why
    return OUTSIDE, "outside the body"


def _owners(table: PageTable, removals: tuple[Removal, ...]) -> list[Removal | None]:
    """Return for each line the first removal that took text of it."""
    of_row: list[Removal | None] = [None] * len(table)
    for removal in removals:
        for start, stop in removal.spans:
            for row in range(start, stop):
                of_row[row] = of_row[row] or removal
    lines = table.lines
    return [
        next((found for found in of_row[first : last + 1] if found is not None), None)
        for first, last in zip(lines.first, lines.last, strict=True)
    ]


def said_of_lines(made: Source) -> list[tuple[str, ...]]:
    """Return for each line what siblings say of it.

    ``repeated``: they have it, in the same place or outside their bodies; ``foreign``: they have
    other text there, and it is not body; ``familiar``: their body stands there.
    """
    said = made.template
    if said is None:
        return [()] * len(made.living.table.lines)
    return [
        tuple(
            word
            for word, holds in (
                ("repeated", repeated),
                ("foreign", foreign and not repeated),
                ("familiar", familiar),
            )
            if holds
        )
        for repeated, foreign, familiar in zip(
            said.repeated, said.foreign, said.familiar, strict=True
        )
    ]
