"""An `Explanation` as an HTML page: the article beside its source page, with reasons."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from webclean_scrapy.cleaning.body.reasons.names import EXCLUSIONS, LINK_BLOCK
from webclean_scrapy.report.explain import REFUSALS
from webclean_scrapy.report.web_page import render_page
from webclean_scrapy.safe_text import truncate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from webclean_scrapy.report.explain import Explanation
    from webclean_scrapy.report.explain_lines import LineView

MAX_LINES, MAX_RUN = 2_000, 100  # lines of a run that are shown, kept and removed ones
MAX_ARTICLE = 300  # lines of the article
_FOLDED = 3  # removed lines in a row for one reason, from which on they are folded
_LIKELY_RIGHT = 0.6  # confidence from which a body needs no look
_UNSURE = 0.75  # likelihood of a kept line below which it is worth a look
_MAX_TEXT, _MAX_NOTABLE = 1_500, 100  # characters of a line
_NOTABLE = 40  # units; a removed line that weighs less is no loss
_LINK_BLOCK = EXCLUSIONS[LINK_BLOCK]
#: The steps: name of the style, title, meaning.
STEPS = {
    "": ("kept", "Kept", "the article"),
    "record": ("record", "Record", "title, authors and date: fields of their own"),
    "outside": ("outside", "Outside the body", "not in the subtree where the walk stopped"),
    "template": ("template", "Template", "other pages have it too, or other text in its place"),
    "link_block": ("links", "Link block", "a run of links that stand close together"),
    "excluded": ("excluded", "Never body", "captions, forms, navigation, notices"),
    "line": ("unlike", "Unlike the body", "in the body's subtree, but unlikely to be body"),
}
_OTHER = ("other", "Other method", "a step of the method of the settings")
#: Meanings of the signs of a confidence.
SIGNS = {
    "one": "where every page begins",
    "expected loss": "errors in the kept lines by the model of lines",
    "left in subtree": "text of the body's subtree that was not kept",
    "last step": "how clear the end of the body is",
    "other walk": "distance to the body of the printed decay walk",
    "outside": "text in paragraphs outside the body",
    "figures": "kept text in figures",
    "stretches": "holes in the kept text",
    "shapes": "number of different elements with kept text",
    "described": "the page's own description is in the body",
    "likely outside": "likely lines outside the body's subtree",
    "alike left": "lines like kept ones that were not kept",
}


class Run(NamedTuple):
    """Consecutive lines that were kept, or removed."""

    lines: list[tuple[LineView, str, str]]  # that are shown: style, and reason where it changes
    reasons: list[tuple[str, str]]  # style and reason, each once
    left_out: int
    is_folded: bool


def render_explanation(view: Explanation) -> str:
    """Render the HTML page."""
    first, last = view.body.lines or (1, 0)
    parts = groupby(view.lines, lambda line: first <= line.number <= last)
    values = {
        "view": view,
        "shares": _shares(view.lines),
        "sections": [(is_body, list(_runs(lines))) for is_body, lines in parts],
        "article": [line for line in view.lines if line.kept][:MAX_ARTICLE],
        "notable": _notable(view.lines),
        "signs": SIGNS,
        "likely_right": _LIKELY_RIGHT,
        "refusals": REFUSALS,
        "max_text": _MAX_TEXT,
    }
    return render_page("explain", values)


def step_of(line: LineView) -> tuple[str, str, str]:
    """Return the entry of STEPS for a line."""
    step = "link_block" if line.reason == _LINK_BLOCK else line.step
    return STEPS.get(step, _OTHER)


def _runs(lines: Iterable[LineView]) -> Iterator[Run]:
    """Yield *lines* in runs, each cut after its first lines."""
    for is_removed, members in groupby(lines, lambda line: line.step not in {"", "record"}):
        run = list(members)
        shown = run[: MAX_RUN if is_removed else MAX_LINES]
        reasons = [(step_of(line)[0], line.why) for line in run]
        before = [("", ""), *reasons]
        views = [
            (line, style, reason if (style, reason) != before[at] else "")
            for at, (line, (style, reason)) in enumerate(zip(shown, reasons, strict=False))
        ]
        is_folded = is_removed and len(run) >= _FOLDED
        yield Run(views, list(dict.fromkeys(reasons)), len(run) - len(shown), is_folded)


def _shares(lines: Sequence[LineView]) -> list[tuple[str, str, str, int, float]]:
    """Return style, title, meaning, lines and text share of each step with removals."""
    total = max(1, sum(line.units for line in lines))
    return [
        (*step, len(of_step), sum(line.units for line in of_step) / total)
        for step in (*STEPS.values(), _OTHER)
        if (of_step := [line for line in lines if step_of(line) == step])
    ]


def _notable(lines: Sequence[LineView]) -> list[tuple[int, str, str]]:
    """Return number, reason and text of the likeliest removed lines, and unlikeliest kept ones."""

    def weight(line: LineView) -> float:
        return line.units * (1.0 if line.likely is None else line.likely**3)

    removed = [line for line in lines if not line.kept and weight(line) >= _NOTABLE]
    removed = sorted((line for line in removed if line.step != "record"), key=weight)[:-5:-1]
    unsure = sorted(
        (line.likely, line.number, line)
        for line in lines
        if line.kept and line.likely is not None and line.likely < _UNSURE
    )
    notable = [(line, f"removed, {line.why}") for line in removed]
    notable += [(line, f"kept, likely body: {likely:.2f}") for likely, _, line in unsure[:2]]
    return [(line.number, why, truncate(line.text, _MAX_NOTABLE)) for line, why in notable]
