"""What is seen first of an explained page: whether the body is right, and what was lost to what."""

from __future__ import annotations

from itertools import accumulate, groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from webclean_scrapy.cleaning.confidence.body_confidence import confidence_terms
from webclean_scrapy.cleaning.method_names import LOW_CONFIDENCE
from webclean_scrapy.report.explain_text import cut, method_of, reason_of
from webclean_scrapy.report.page_drawing import OTHER, style_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webclean_scrapy.cleaning.result import CleanedPage, Trace
    from webclean_scrapy.report.explain import Explanation
    from webclean_scrapy.report.explain_lines import LineView

_CELLS = 300  # of the strip that shows the page from top to bottom
LIKELY = 0.8  # confidence from which a body is called so
_NOTABLE = 40  # units; a removed line that weighs less is no loss
_UNSURE = 0.75  # a kept line that is less likely body is worth a look
_MOST_REMOVED, _MOST_KEPT = 4, 2  # lines that are worth a look
_CUT = 100  # columns of their texts
_MAX_FIELD = 300  # columns of a field of the record

#: What people read of each style: its name, and what the step does.
STEP_TEXTS = {
    "kept": ("Kept", "the article"),
    "outside": ("Outside the body", "not in the subtree where the decay walk stopped"),
    "template": ("Template", "other pages of the site have it too, or other text in its place"),
    "links": ("Link block", "a run of links that stand close together"),
    "excluded": ("Never body", "captions, forms, navigation, notices: rules that hold everywhere"),
    "unlike": ("Unlike the body", "in the body's subtree, and the model of lines is against it"),
    OTHER: ("Other method", "a step of the method of the settings"),
}
_SIGNS = {
    "one": "where every page begins",
    "expected loss": "what the model of lines expects to be wrong in the kept lines",
    "left in subtree": "what of the body's subtree was not kept",
    "last step": "how sure the walk is not to go further",
    "other walk": "how far the printed decay walk finds another body",
    "outside": "text in paragraphs outside the body",
    "figures": "kept text that stands in figures",
    "stretches": "holes in the kept text",
    "shapes": "how many different elements the kept text is in",
    "described": "the page's own description is in the body",
}


class StepShare(NamedTuple):
    """How much of the page's text a step took."""

    style: str
    name: str
    meaning: str
    lines: int
    units: int
    share: float  # of the page's text, 0..1
    x: float  # where its part of the bar begins, 0..100
    width: float


class Notable(NamedTuple):
    """A line that is worth a look."""

    number: int
    text: str
    style: str
    why: str
    is_drawn: bool


def find_fields(explanation: Explanation, cleaned: CleanedPage) -> list[tuple[str, str]]:
    """Return the fields of the record, in words."""
    kind = f"{explanation.kind} ({explanation.kind_confidence:.2f}): {explanation.kind_reason}"
    fields = {
        "Title": explanation.title,
        "Date": explanation.date_published,
        "Authors": ", ".join(explanation.authors),
        "Source": explanation.source,
        "Language": explanation.language,
        "Keywords": ", ".join(cleaned.keywords),
        "Kind": kind,
        "Body at": explanation.body.xpath,
        "Method": method_of(explanation),
    }
    return [(name, cut(text, _MAX_FIELD) if text else "") for name, text in fields.items()]


def find_verdict(explanation: Explanation) -> dict[str, Any]:
    confidence = explanation.body.confidence
    kept = sum(line.kept for line in explanation.lines)
    if not kept:
        style, words = "bad", "no body was found"
    elif confidence >= LIKELY:
        style, words = "good", "the body is likely right"
    elif confidence >= LOW_CONFIDENCE:
        style, words = "warn", "the body is uncertain"
    else:
        style, words = "bad", "the body is doubtful"
    return {"style": style, "words": words, "confidence": confidence, "kept": kept}


def find_signs(trace: Trace) -> list[tuple[str, str, float, float]]:
    """Return what the confidence comes from: words, sign, its value, what it adds to the log-odds.

    The largest first.
    """
    terms = confidence_terms(trace.page, trace.evidence, trace.body, trace.models)
    rows = [(_SIGNS.get(name, name), name, *term) for name, term in terms.items()]
    return sorted(rows, key=lambda row: -abs(row[3]))


def find_shares(trace: Trace, lines: Sequence[LineView]) -> list[StepShare]:
    """Return what each step took, in the order of STEP_TEXTS, without steps that took nothing."""
    units = trace.page.table.lines.units
    total = max(1, sum(units))
    counts, sizes = dict.fromkeys(STEP_TEXTS, 0), dict.fromkeys(STEP_TEXTS, 0)
    for line, size in zip(lines, units, strict=True):
        counts[style_of(line)] += 1
        sizes[style_of(line)] += size
    shares, x = [], 0.0
    for style, (name, meaning) in STEP_TEXTS.items():
        if not counts[style]:
            continue
        share = sizes[style] / total
        width = round(100 * share, 2)
        shares.append(StepShare(style, name, meaning, counts[style], sizes[style], share, x, width))
        x = round(x + width, 2)
    return shares


def find_notable(
    lines: Sequence[LineView],
    trace: Trace,
    likely: Sequence[float | None],
    drawn: frozenset[int],
) -> list[Notable]:
    """Return the removed lines that weigh most, and the kept lines that are least likely body."""
    units = trace.page.table.lines.units
    weights = [size if p is None else size * p**3 for size, p in zip(units, likely, strict=True)]
    removed = sorted(
        (line for line in lines if not line.kept), key=lambda o: -weights[o.number - 1]
    )
    removed = [line for line in removed[:_MOST_REMOVED] if weights[line.number - 1] >= _NOTABLE]
    unsure = [
        (p, line)
        for line, p in zip(lines, likely, strict=True)
        if line.kept and p is not None and p < _UNSURE
    ]
    unsure.sort(key=lambda pair: pair[0])
    found = [(line, f"removed, {reason_of(line)}") for line in removed]
    found += [(line, f"kept, likely body: {p:.2f}") for p, line in unsure[:_MOST_KEPT]]
    return [
        Notable(line.number, cut(line.text, _CUT), style_of(line), why, line.number in drawn)
        for line, why in found
    ]


class Stretch(NamedTuple):
    """A part of the page in a row that one step took. Percent of its text."""

    style: str
    x: float
    width: float


def find_stretches(trace: Trace, lines: Sequence[LineView]) -> list[Stretch]:
    """Return the page from top to bottom, in _CELLS cells: of each cell the step at its middle."""
    ends = list(accumulate(trace.page.table.lines.units))
    if not ends or not ends[-1]:
        return []
    styles, line = [], 0
    for cell in range(_CELLS):
        middle = (cell + 0.5) * ends[-1] / _CELLS
        while ends[line] < middle:
            line += 1
        styles.append(style_of(lines[line]))
    stretches, x = [], 0.0
    for style, run in groupby(styles):
        width = 100 * sum(1 for _ in run) / _CELLS
        stretches.append(Stretch(style, round(x, 2), round(width, 2)))
        x += width
    return stretches
