"""Plain text of an `Explanation`, for a terminal of any width."""

from __future__ import annotations

import textwrap
import unicodedata
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.method_names import SOURCE, TOO_MANY_LINES
from webclean_scrapy.report.wording import CUT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webclean_scrapy.report.explain import Explanation, SiblingView, StepView
    from webclean_scrapy.report.explain_lines import LineView

MIN_WIDTH = 60  # columns; narrower lines cannot be read
LABEL = 12  # columns of the names on the left
_TIED = "\N{NO-BREAK SPACE}"

REFUSALS = {
    "identical": "it is the same page",
    "same_article": "it contains the same article",
    "unlike": "it has another template",
    "not_article": "it is not an article",
    "not_html": "it is not HTML",
    "too_large": "it, or the page, exceeds a limit",
    "not_asked": "learning is off (denoise)",
}
COMPARED = {"template": "keys", "aligned": "keys and alignment", "lcs": "alignment"}
STAGES = {"link_block": "link block"}  # the others are shown by their names
_SHOWN = frozenset({"one", "decay"})  # of a step's features, in its first line or in every one


def render_text(explanation: Explanation, width: int = 80) -> str:
    """Return the explanation as lines of at most *width* columns, a line break at the end."""
    width = max(width, MIN_WIDTH)
    parts = [_about(explanation, width), _body(explanation, width)]
    if explanation.siblings or explanation.requests:
        parts.append(_siblings(explanation, width))
    parts.append(_lines(explanation, width))
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def columns_of(text: str) -> int:
    """Return how many columns a terminal needs; Chinese characters take two.

    >>> columns_of("ab"), columns_of("中文")
    (2, 4)
    """
    return sum(_columns(character) for character in text)


def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def cut(text: str, width: int) -> str:
    """Return *text* in at most *width* columns, on one line.

    >>> cut("a long line", 6), cut("中文的", 5)
    ('a lon…', '中文…')
    """
    text = "".join(c if c.isprintable() else " " for c in text)
    if columns_of(text) <= width:
        return text
    left = width - 1
    for at, character in enumerate(text):
        left -= _columns(character)
        if left < 0:
            return text[:at] + CUT
    return text  # pragma: no cover, the loop always returns


def _row(label: str, text: str, width: int) -> str:
    return f"{label:<{LABEL}}{cut(text, width - LABEL)}"


def method_of(explanation: Explanation) -> str:
    """Return in words by which method the body was found."""
    method = explanation.extractor
    if explanation.extractor == SOURCE:
        method += f" (the page was not parsed, by its {explanation.fallback})"
    elif explanation.fallback == TOO_MANY_LINES:
        method += " (the page has too many lines: the longest were read)"
    elif explanation.fallback:
        method += f" (fallback: the configured method kept {explanation.fallback})"
    if denoised := explanation.denoised:
        method += f"; compared with other pages by {COMPARED.get(denoised, denoised)}"
    return method


def _about(explanation: Explanation, width: int) -> list[str]:
    kind = f"{explanation.kind} ({explanation.kind_confidence:.2f})"
    rows = {
        "kind": f"{kind}: {explanation.kind_reason}",
        "title": explanation.title,
        "date": explanation.date_published,
        "authors": ", ".join(explanation.authors),
        "source": explanation.source,
        "language": explanation.language,
        "method": method_of(explanation),
    }
    return [cut(explanation.name, width)] + [
        _row(label, text or "-", width) for label, text in rows.items()
    ]


def _body(explanation: Explanation, width: int) -> list[str]:
    body = explanation.body
    kept = sum(line.kept for line in explanation.lines)
    why = "no text looks like a body"
    if explanation.extractor == SOURCE and kept:
        why = "the page was not parsed"
    lines = [
        "Body",
        _row("xpath", body.xpath or f"none: {why}", width),
        _row("kept", f"{kept} of {len(explanation.lines)} lines of the page", width),
        _row("confidence", f"{body.confidence:.2f}", width),
    ]
    if body.anchor is not None:
        text = explanation.lines[body.anchor - 1].text
        lines.append(_row("title line", f"{body.anchor}: {text}", width))
    if body.link_blocks:
        links, code = body.link_block_links, body.link_block_code
        share = f"{body.link_blocks}, with {links:.0%} of the links and {code:.0%} of the code"
        lines.append(_row("link blocks", share, width))
    if body.steps:
        lines.append("Decay walk: weight; decay, limit of the next step; * body")
        for at, step in enumerate(body.steps):
            lines += _step(step, width, is_body=at == body.stop)
    return lines


def _step(step: StepView, width: int, *, is_body: bool) -> Iterator[str]:
    limits = "            "
    if step.decay is not None and step.limit is not None:
        limits = f"{step.decay:5.2f} {step.limit:5.2f} "
    left = f"{'*' if is_body else ' '} {step.weight:7} {limits} "
    yield left + cut(step.xpath, width - len(left))
    terms = (f"{name} {value:.2f}" for name, value in step.features.items() if name not in _SHOWN)
    text = ", ".join(term.replace(" ", _TIED) for term in terms)
    indent = " " * len(left)
    for line in textwrap.wrap(text, width, initial_indent=indent, subsequent_indent=indent):
        yield line.replace(_TIED, " ")


def _siblings(explanation: Explanation, width: int) -> list[str]:
    lines = ["Siblings"]
    for sibling in explanation.siblings:
        lines.append(cut(sibling.name, width))
        lines += textwrap.wrap(
            _sibling(sibling), width, initial_indent="  ", subsequent_indent="  "
        )
    if explanation.requests:
        counts = (f"{name} {count}" for name, count in sorted(explanation.requests.items()))
        lines.append(_row("requests", ", ".join(counts), width))
    return lines


def _sibling(sibling: SiblingView) -> str:
    if sibling.refused is not None:
        return f"refused: {REFUSALS.get(sibling.refused, sibling.refused)}"
    return (
        f"used: {sibling.repeated} lines repeated, {sibling.foreign} where it has other text "
        f"outside its body (foreign), {sibling.familiar} where it has its body (familiar)"
    )


def _lines(explanation: Explanation, width: int) -> list[str]:
    """Return the lines of the page, each after its mark and reason."""
    reasons = [reason_of(line) for line in explanation.lines]
    evidence = ["+".join(line.sibling) for line in explanation.lines]
    why = min(max(map(len, reasons), default=0), width * 3 // 8)
    evidence_width = max(map(len, evidence), default=0)
    number = len(str(len(explanation.lines)))
    lines = ["Lines: + kept, - removed (reason)" + (", in siblings" if evidence_width else "")]
    for line, reason, about in zip(explanation.lines, reasons, evidence, strict=True):
        mark = "+" if line.kept else "-"
        left = f"{line.number:>{number}} {mark} {cut(reason, why):<{why}}  "
        left += f"{about:<{evidence_width}}  " if evidence_width else ""
        lines.append((left + cut(line.text, width - len(left))).rstrip())
    return lines


def reason_of(line: LineView) -> str:
    """Return in words why a line was removed; empty for one that was kept."""
    if line.step == "outside":
        return line.reason
    if line.step in STAGES:
        return STAGES[line.step]
    return f"{line.step}: {line.reason}" if line.step else ""
