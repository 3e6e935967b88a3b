"""An `Inspection` as one page of HTML: what was kept, what was lost to which step, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from webclean_scrapy.report.explain import describe
from webclean_scrapy.report.explain_summary import (
    STEP_TEXTS,
    find_fields,
    find_notable,
    find_shares,
    find_signs,
    find_stretches,
    find_verdict,
)
from webclean_scrapy.report.explain_text import REFUSALS, reason_of
from webclean_scrapy.report.line_measures import element_path, line_likelihoods, line_terms
from webclean_scrapy.report.page_drawing import draw_page, style_of
from webclean_scrapy.report.shared_wording import compare_wording
from webclean_scrapy.report.sibling_drawing import draw_sibling
from webclean_scrapy.report.walk_drawing import draw_walk
from webclean_scrapy.report.web_page import render_page

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from webclean_scrapy.cleaning.result import CleanedPage
    from webclean_scrapy.dedup.config import DedupConfig
    from webclean_scrapy.report.explain import Explanation
    from webclean_scrapy.report.inspection import Inspection

MAX_SIBLINGS = 3  # that are drawn beside the page


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
        "fields": find_fields(explanation, cleaned),
        "verdict": find_verdict(explanation),
        "signs": find_signs(cleaned.trace),
        "shares": find_shares(cleaned.trace, explanation.lines),
        "stretches": find_stretches(cleaned.trace, explanation.lines),
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
        "notable": find_notable(lines, trace, likely, frozenset(drawn)),
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
