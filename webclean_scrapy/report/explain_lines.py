"""What became of each line of a page: kept, or removed by which step and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.body import exclusions

if TYPE_CHECKING:
    from webclean_scrapy.cleaning.page.removals import Removal
    from webclean_scrapy.cleaning.page.table import PageTable
    from webclean_scrapy.cleaning.result import Trace

EXCLUDED, TEMPLATE, OUTSIDE = "excluded", "template", "outside"  # steps without removals
_NOTES = {"repeated": "repeated in sibling", "foreign": "other text in sibling"}


@dataclass(frozen=True, slots=True, kw_only=True)
class LineView:
    """One line that a reader sees; lines are numbered from 1.

    *step* and *reason* are empty for a line that was kept. Steps: ``excluded`` (never body,
    whatever the model says), ``template``, ``outside`` (of the body's subtree), or that of the
    removal.
    """

    number: int
    text: str
    kept: bool
    step: str
    reason: str
    log_odds: float | None  # to be body, of lines in the subtree
    sibling: tuple[str, ...]  # of "repeated", "foreign", "familiar"


def explain_lines(trace: Trace) -> tuple[LineView, ...]:
    """Return all lines of a page."""
    table, body, selection = trace.page.table, trace.body, trace.selection
    kept = frozenset(body.lines)
    inside = range(0) if body.row is None else table.lines_in(body.row)
    removed_by = _removals_of_lines(table, body.removals)
    notes = sibling_notes(trace)
    views = []
    for line, text in enumerate(table.lines.text):
        step = reason = ""
        if line not in kept:
            excluded = exclusions.NOT if selection is None else trace.evidence.excluded[line]
            excluded_by = exclusions.REASONS[excluded]
            removal = removed_by[line] if line in inside else None
            step, reason = _why_removed(removal, excluded_by, notes[line])
        log_odds = None
        if selection is not None and line in selection.lines:
            log_odds = round(float(selection.log_odds[line - selection.lines.start]), 2)
        views.append(
            LineView(
                number=line + 1,
                text=text,
                kept=line in kept,
                step=step,
                reason=reason,
                log_odds=log_odds,
                sibling=notes[line],
            )
        )
    return tuple(views)


def _why_removed(
    removal: Removal | None, excluded_by: str, notes: tuple[str, ...]
) -> tuple[str, str]:
    """Return step and reason; a line that is excluded is so wherever the body is."""
    if removal is not None and removal.what not in {"line", TEMPLATE}:
        return removal.what, removal.why
    if excluded_by not in {"", TEMPLATE}:
        return EXCLUDED, excluded_by
    if excluded_by or (removal is not None and removal.what == TEMPLATE):
        return TEMPLATE, next(
            (_NOTES[note] for note in notes if note in _NOTES), "place in sibling"
        )
    if removal is not None:
        return removal.what, removal.why
    return OUTSIDE, "outside the body"


def _removals_of_lines(table: PageTable, removals: tuple[Removal, ...]) -> list[Removal | None]:
    """Return for each line the first removal that took text of it."""
    of_row: list[Removal | None] = [None] * len(table)
    for removal in removals:
        for start, stop in removal.spans:
            for row in range(start, stop):
                of_row[row] = of_row[row] or removal
    lines = table.lines
    return [
        next(filter(None, of_row[first : last + 1]), None)
        for first, last in zip(lines.first, lines.last, strict=True)
    ]


def sibling_notes(trace: Trace) -> list[tuple[str, ...]]:
    """Return for each line what siblings say of it.

    ``repeated``: they have it, in the same place or outside their bodies; ``foreign``: they have
    other text there, and it is not body; ``familiar``: their body is there.
    """
    template = trace.comparison.template
    if template is None:
        return [()] * len(trace.page.table.lines)
    columns = {
        "repeated": template.repeated,
        "foreign": template.foreign & ~template.repeated,
        "familiar": template.familiar,
    }
    lines = zip(*(column.tolist() for column in columns.values()), strict=True)
    return [
        tuple(name for name, holds in zip(columns, line, strict=True) if holds) for line in lines
    ]
