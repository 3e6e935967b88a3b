"""Explain each line of a page: kept, or removed by which step, with its measures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.body.features import INNER_FEATURES, LINE_FEATURES
from webclean_scrapy.cleaning.body.reasons.names import EXCLUSIONS, NOT
from webclean_scrapy.cleaning.metadata.nearby_lines import find_nearby
from webclean_scrapy.safe_text import CUT, truncate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.config import CleanConfig
    from webclean_scrapy.cleaning.page.removals import Removal
    from webclean_scrapy.cleaning.page.table import PageTable
    from webclean_scrapy.cleaning.result import CleanedPage
    from webclean_scrapy.cleaning.trace import Trace

EXCLUDED, TEMPLATE, OUTSIDE, RECORD = "excluded", "template", "outside", "record"
_TEMPLATE_REASONS = {"repeated": "repeated in sibling", "foreign": "other text in sibling"}
_FEATURES = LINE_FEATURES + INNER_FEATURES
_MAX_TERMS = 6  # that are named
_LEAST_TERM = 0.15  # log-odds; a smaller term says nothing
_MAX_RECORD = 120  # characters of a line with author or date
_MAX_PATH, _MAX_NAME = 3, 40  # elements of a path, the innermost last; characters of one


@dataclass(frozen=True, slots=True, kw_only=True)
class LineView:
    """A visible line; numbered from 1.

    *step* and *reason* are empty for a line that was kept. Steps: ``excluded`` (never body,
    whatever the model says), ``record`` (title, authors or date: fields of their own),
    ``template``, ``outside`` (of the body's subtree), or that of the removal.
    """

    number: int
    text: str
    kept: bool
    step: str
    reason: str
    sibling: tuple[str, ...]  # of "repeated", "foreign", "familiar"
    tag: str  # of its block
    path: str  # names of the innermost elements
    units: int
    link_share: float  # 0..1
    likely: float | None  # to be body, 0..1; outside the subtree as the decay walk saw it
    log_odds: float | None  # the same, of lines in the subtree
    terms: tuple[tuple[str, float], ...]  # features that weighed most for and against

    @property
    def why(self) -> str:
        """Step and reason in words; empty for a line that was kept."""
        if self.step in {"", OUTSIDE}:
            return self.reason
        return "link block" if self.step == "link_block" else f"{self.step}: {self.reason}"


def explain_lines(cleaned: CleanedPage, config: CleanConfig) -> tuple[LineView, ...]:
    """Return all lines of a page. Cost: O(lines * features)."""
    trace = cleaned.trace
    table, body, selection = trace.page.table, trace.body, trace.selection
    kept = frozenset(body.lines)
    inside = range(0) if body.row is None else table.lines_in(body.row)
    removed_by = _removals_of_lines(table, body.removals)
    notes, record, likely = sibling_notes(trace), _record_lines(cleaned), _likelihoods(trace)
    terms = _heaviest_terms(trace, config)
    views = []
    for line, text in enumerate(table.lines.text):
        step = reason = ""
        if line not in kept:
            excluded = _excluded_by(trace, line)
            removal = removed_by[line] if line in inside else None
            step, reason = _why_removed(removal, EXCLUSIONS[excluded], notes[line])
            if line in record:
                step, reason = RECORD, record[line]
        block, units = table.lines.container[line], table.lines.units[line]
        at = selection.lines.index(line) if selection and line in selection.lines else -1
        views.append(
            LineView(
                number=line + 1,
                text=text,
                kept=line in kept,
                step=step,
                reason=reason,
                sibling=notes[line],
                tag=table.tag[block],
                path=_element_path(table, block),
                units=units,
                link_share=round(table.lines.link_units[line] / max(1, units), 2),
                likely=likely[line],
                log_odds=round(float(selection.log_odds[at]), 2) if selection and at >= 0 else None,
                terms=terms[at] if at >= 0 else (),
            )
        )
    return tuple(views)


def _excluded_by(trace: Trace, line: int) -> int:
    """Return why a line is never body: inside of the body's subtree what acted there."""
    if trace.selection is None:
        return NOT
    inside = trace.selection.lines
    if line in inside:
        return int(trace.selection.excluded[line - inside.start])
    return int(trace.evidence.excluded[line])


def _why_removed(
    removal: Removal | None, excluded_by: str, notes: tuple[str, ...]
) -> tuple[str, str]:
    """Return step and reason; an excluded line is so inside and outside of the body."""
    what, why = (removal.what, removal.why) if removal else (OUTSIDE, "outside the body")
    if removal and what not in {"line", TEMPLATE}:
        return what, why
    if excluded_by not in {"", TEMPLATE}:
        return EXCLUDED, excluded_by
    if TEMPLATE in {excluded_by, what}:
        reasons = (_TEMPLATE_REASONS[note] for note in notes if note in _TEMPLATE_REASONS)
        return TEMPLATE, next(reasons, "place in sibling")
    return what, why


def _record_lines(cleaned: CleanedPage) -> dict[int, str]:
    body, lines = cleaned.trace.body, cleaned.trace.page.table.lines.text
    fields = {} if body.title_line is None else {body.title_line: "title"}
    date = cleaned.date_published or ""
    year, day = date[:4], date[8:10].lstrip("0")
    for line in find_nearby(lines, body.title_line, body.lines).numbers:
        text = lines[line]
        names = ["author"] if any(name and name in text for name in cleaned.authors) else []
        if day and year in text and day in text.replace(year, ""):
            names.append("date")
        if names and len(text) <= _MAX_RECORD:
            fields.setdefault(line, " and ".join(names))
    return fields


def _removals_of_lines(table: PageTable, removals: tuple[Removal, ...]) -> list[Removal | None]:
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
    """Return for each line its relation to siblings.

    ``repeated``: they have it, in the same place or outside their bodies; ``foreign``: they have
    other text there, and it is not body; ``familiar``: their body is there.
    """
    template = trace.comparison.template
    if template is None:
        return [()] * len(trace.page.table.lines)
    foreign = template.foreign & ~template.repeated
    notes = {"repeated": template.repeated, "foreign": foreign, "familiar": template.familiar}
    return [
        tuple(name for name, column in notes.items() if column[line])
        for line in range(len(foreign))
    ]


def _likelihoods(trace: Trace) -> list[float | None]:
    """Return the probability of each line to be body; None without model or text."""
    walk, selection = trace.walk, trace.selection
    units = trace.page.table.columns.units
    if walk is None:
        return [None] * len(trace.page.table.lines)
    # A weight is length * likely³.
    likely: NDArray[np.floating] = np.cbrt(walk.line_weights / np.maximum(units, 1))
    if selection is not None:
        likely[selection.lines.start : selection.lines.stop] = selection.probability
    return [round(float(p), 3) if n else None for p, n in zip(likely, units, strict=True)]


def _heaviest_terms(trace: Trace, config: CleanConfig) -> list[tuple[tuple[str, float], ...]]:
    """Return for each selected line the features with the strongest weights."""
    selection = trace.selection
    if selection is None:
        return []
    features, log_odds = selection.features, selection.log_odds
    models = (config.body.weights.inner, config.body.page_weights.inner)
    # A few rules change single lines afterwards, so it is the model that most lines agree with.
    added = features * max(
        models, key=lambda inner: np.isclose(features @ inner, log_odds, atol=1e-3).sum()
    )
    added[:, 0] = 0.0  # the constant
    heaviest = np.argsort(-abs(added), axis=1, kind="stable")[:, :_MAX_TERMS]
    return [
        tuple((_FEATURES[n], round(float(line[n]), 2)) for n in of if abs(line[n]) >= _LEAST_TERM)
        for line, of in zip(added, heaviest, strict=True)
    ]


def element_name(table: PageTable, row: int) -> str:
    """Return a short name of an element: tag, and id or first class."""
    ident, classes = table.ident[row].strip(), table.classes[row].split(None, 1)
    mark = f"#{ident}" if ident else f".{classes[0]}" if classes else ""
    return truncate(f"{table.tag[row]}{mark}", _MAX_NAME)


def _element_path(table: PageTable, row: int) -> str:
    names: list[str] = []
    while row >= 0 and len(names) < _MAX_PATH:
        names.append(element_name(table, row))
        row = table.parent[row]
    return " › ".join(reversed([*names, CUT] if row >= 0 else names))
