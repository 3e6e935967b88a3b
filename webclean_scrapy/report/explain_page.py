"""An `Inspection` as one page of HTML: what was kept, what was lost to which step, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from webclean_scrapy.cleaning.confidence.body_confidence import confidence_terms
from webclean_scrapy.report.explain import describe
from webclean_scrapy.report.explain_text import REFUSALS, cut, method_of, reason_of
from webclean_scrapy.report.line_measures import element_path, line_likelihoods, line_terms
from webclean_scrapy.report.page_drawing import OTHER, draw_page, style_of
from webclean_scrapy.report.shared_wording import compare_wording
from webclean_scrapy.report.sibling_drawing import draw_sibling
from webclean_scrapy.report.walk_drawing import draw_walk
from webclean_scrapy.report.web_page import render_page

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from webclean_scrapy.cleaning.result import CleanedPage, Trace
    from webclean_scrapy.dedup.config import DedupConfig
    from webclean_scrapy.report.explain import Explanation
    from webclean_scrapy.report.explain_lines import LineView
    from webclean_scrapy.report.inspection import Inspection

MAX_SIBLINGS = 3  # that are drawn beside the page
LIKELY, DOUBTFUL = 0.8, 0.5  # confidence from which a body is called so, and below which
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


class Compared(NamedTuple):
    """Another page to compare the wording with, cleaned."""

    page: CleanedPage
    name: str
    config: DedupConfig


def render_explanation(
    inspection: Inspection,
    requests: Mapping[str, int] | None = None,
    compared: Compared | None = None,
    known: str = "",
) -> str:
    """Return the page of HTML; *known* says what an index knows of the page.

    Cost: that of `describe`, and an alignment with each of the first MAX_SIBLINGS siblings.

    Raises:
        ConfigError: jinja2 is not installed.
    """
    explanation = describe(inspection, requests)
    cleaned = inspection.cleaned
    siblings = _side_by_sides(inspection)
    values = {
        "explanation": explanation,
        "refused": "",
        "address": _address(cleaned.url),
        "fields": _fields(explanation, cleaned),
        "verdict": _verdict(explanation),
        "signs": _signs(cleaned.trace),
        "shares": _shares(cleaned.trace, explanation.lines),
        "siblings": siblings,
        "refusals": REFUSALS,
        "known": known,
        "wording": compared and compare_wording(cleaned, *compared),
        **_drawing(inspection, explanation),
    }
    values["data"]["siblings"] = [_sibling_data(pair) for _, pair in siblings if pair]
    return render_page("explain", values)


def _drawing(inspection: Inspection, explanation: Explanation) -> dict[str, Any]:
    """Return what is drawn of the page and of the walk, and what the script knows of the lines."""
    trace, lines = inspection.cleaned.trace, explanation.lines
    table = trace.page.table
    parts = list(draw_page(table, lines, trace.body.row))
    drawn = [part.number for part in parts if part.kind == "line"]
    likely = line_likelihoods(trace)
    return {
        "parts": parts,
        "boxes": {part.number for part in parts if part.kind == "open"},
        "left_out": len(lines) - len(drawn),
        "lines_not_read": table.left_out,
        "notable": _notable(lines, trace, likely, frozenset(drawn)),
        "walk": trace.walk and draw_walk(table, trace.walk, explanation.body.steps),
        "data": {
            "steps": STEP_TEXTS,
            "lines": _line_data(inspection, explanation, drawn, likely),
        },
    }


def render_refusal(name: str, reason: str) -> str:
    """Return the page of HTML for a page that was refused. Raises ConfigError."""
    return render_page("explain", {"refused": reason, "name": name, "data": {}})


def _address(url: str | None) -> str | None:
    """Return an address that a link may have: of the web, and nothing else."""
    return url if url and url.startswith(("http://", "https://")) else None


def _fields(explanation: Explanation, cleaned: CleanedPage) -> list[tuple[str, str]]:
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


def _verdict(explanation: Explanation) -> dict[str, Any]:
    confidence = explanation.body.confidence
    kept = sum(line.kept for line in explanation.lines)
    if not kept:
        style, words = "bad", "no body was found"
    elif confidence >= LIKELY:
        style, words = "good", "the body is likely right"
    elif confidence >= DOUBTFUL:
        style, words = "warn", "the body is uncertain"
    else:
        style, words = "bad", "the body is doubtful"
    return {"style": style, "words": words, "confidence": confidence, "kept": kept}


def _signs(trace: Trace) -> list[tuple[str, str, float, float]]:
    """Return what the confidence comes from: words, sign, its value, what it adds to the log-odds.

    The largest first.
    """
    terms = confidence_terms(trace.page, trace.evidence, trace.body, trace.models)
    rows = [(_SIGNS.get(name, name), name, *term) for name, term in terms.items()]
    return sorted(rows, key=lambda row: -abs(row[3]))


def _shares(trace: Trace, lines: Sequence[LineView]) -> list[StepShare]:
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


def _notable(
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


def _side_by_sides(inspection: Inspection) -> list[tuple[Any, Any]]:
    """Return each sibling with its drawing; None of one that was refused, or is one too many."""
    pairs: list[tuple[Any, Any]] = []
    for look in inspection.siblings:
        drawn = sum(pair is not None for _, pair in pairs)
        is_one_more = drawn < MAX_SIBLINGS
        drawing = look.trace and is_one_more and draw_sibling(look.trace, inspection.config)
        pairs.append((look, drawing or None))
    return pairs


def _line_data(
    inspection: Inspection,
    explanation: Explanation,
    drawn: Sequence[int],
    likely: Sequence[float | None],
) -> dict[int, list[Any]]:
    """Return of each line that is drawn what the script shows of it, by its number.

    Reason, step, units, share of links, likelihood, log-odds, path, what siblings say, terms.
    """
    trace = inspection.cleaned.trace
    table = trace.page.table
    terms = line_terms(trace, inspection.config, [number - 1 for number in drawn])
    paths: dict[int, str] = {}
    data: dict[int, list[Any]] = {}
    for number in drawn:
        at, line = number - 1, explanation.lines[number - 1]
        block = table.lines.container[at]
        path = paths.get(block) or paths.setdefault(block, element_path(table, block))
        units = table.lines.units[at]
        data[number] = [
            reason_of(line), style_of(line), units,
            round(table.lines.link_units[at] / max(1, units), 2),
            likely[at], line.log_odds, path, list(line.sibling), terms.get(at, ()),
        ]  # fmt: skip
    return data


def _sibling_data(pair: Any) -> list[Iterator[Any]]:
    """Return the partners of the lines of both sides: first and last line, by number."""
    sides: list[Any] = []
    for side in ("page", "sibling"):
        lines = (getattr(row, side) for row in pair.rows)
        sides.append({o.number: [o.span[0] + 1, o.span[1]] for o in lines if o and any(o.span)})
    return sides
