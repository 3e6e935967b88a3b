"""Plain text of what `explain` found, for a terminal of any width."""

from __future__ import annotations

import textwrap
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webclean_scrapy.report.explain import CandidateView, Explanation, SiblingView
    from webclean_scrapy.report.explain_lines import LineView

MIN_WIDTH = 60  # columns; narrower text would be no text
LABEL = 12  # columns of the names on the left
_TIED = "\N{NO-BREAK SPACE}"
MAX_TERMS = 5  # of a candidate that are shown, the loudest

REFUSALS = {
    "identical": "it is the same page",
    "same_article": "it holds the same article",
    "unlike": "it is of another template",
    "not_article": "it is no article",
    "not_html": "it is no HTML",
    "too_large": "it is too large",
    "not_asked": "nothing is learned with this configuration",
}
COMPARED = {"template": "keys", "lcs": "alignment"}
STAGES = {
    "link_block": "link block",
    "clean_tree": "link density",
}  # the others are called what they are


def render_text(found: Explanation, width: int = 80) -> str:
    """Return the explanation as lines of at most *width* columns, a line break at the end."""
    width = max(width, MIN_WIDTH)
    parts = [_about(found, width), _body(found, width)]
    if found.siblings or found.requests:
        parts.append(_siblings(found, width))
    parts.append(_lines(found, width))
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
            return text[:at] + "…"
    return text  # pragma: no cover, it would have fitted


def _row(label: str, text: str, width: int) -> str:
    return f"{label:<{LABEL}}{cut(text, width - LABEL)}"


def _about(found: Explanation, width: int) -> list[str]:
    method = found.extractor
    if found.fallback:
        method += f", since the method asked for kept {found.fallback}"
    if found.denoised:
        method += f"; compared with other pages by {COMPARED.get(found.denoised, found.denoised)}"
    rows = {
        "kind": f"{found.kind}, sure to {found.confidence:.2f}: {found.kind_reason}",
        "title": found.title,
        "date": found.date_published,
        "authors": ", ".join(found.authors),
        "source": found.source,
        "language": found.language,
        "method": method,
    }
    return [cut(found.name, width)] + [
        _row(label, text or "-", width) for label, text in rows.items()
    ]


def _body(found: Explanation, width: int) -> list[str]:
    body = found.body
    kept = sum(line.kept for line in found.lines)
    lines = [
        "The body",
        _row("where", body.xpath or "nowhere: no text that could be one", width),
        _row("kept", f"{kept} of {len(found.lines)} lines of the page", width),
    ]
    if body.anchor is not None:
        text = found.lines[body.anchor - 1].text
        lines.append(_row("title at", f"line {body.anchor}: {text}", width))
    if body.decay_xpath is not None:
        lines.append(_row("decay", f"the walk down ends at {body.decay_xpath}", width))
    if body.candidates:
        shown = len(body.candidates)
        lines.append(
            f"Candidates, the best {shown} of {body.candidates_in_all}: score, belief, text (units)"
        )
        for candidate in body.candidates:
            lines += _candidate(candidate, width)
    if body.widened:
        lines.append("Widened to its parent: the body lies in several like it.")
    return lines


def _candidate(candidate: CandidateView, width: int) -> Iterator[str]:
    numbers = f"{candidate.score:8.2f} {candidate.probability:5.2f} {candidate.units:7}  "
    yield numbers + cut(candidate.xpath, width - len(numbers))
    terms = list(candidate.features.items())[:MAX_TERMS]
    text = ", ".join(f"{name} {adds:+.2f}".replace(" ", _TIED) for name, adds in terms)
    indent = " " * len(numbers)
    for line in textwrap.wrap(text, width, initial_indent=indent, subsequent_indent=indent):
        yield line.replace(_TIED, " ")


def _siblings(found: Explanation, width: int) -> list[str]:
    lines = ["Siblings"]
    for sibling in found.siblings:
        lines.append(cut(sibling.name, width))
        lines += textwrap.wrap(
            _sibling(sibling), width, initial_indent="  ", subsequent_indent="  "
        )
    if found.requests:
        counts = (f"{name} {count}" for name, count in sorted(found.requests.items()))
        lines.append(_row("requests", ", ".join(counts), width))
    return lines


def _sibling(sibling: SiblingView) -> str:
    if sibling.refused is not None:
        return f"no use: {REFUSALS.get(sibling.refused, sibling.refused)}"
    return (
        f"helped: {sibling.repeated} lines repeated, {sibling.foreign} where it has other text "
        f"that is not body (foreign), {sibling.familiar} where its body stands (familiar)"
    )


def _lines(found: Explanation, width: int) -> list[str]:
    """Return the lines of the page, each with its mark and reason before it."""
    reasons = [reason_of(line) for line in found.lines]
    said = ["+".join(line.sibling) for line in found.lines]
    why = min(max(map(len, reasons), default=0), width * 3 // 8)
    word = max(map(len, said), default=0)
    number = len(str(len(found.lines)))
    lines = ["Lines of the page: + kept, - removed and why" + (", sibling" if word else "")]
    for line, reason, about in zip(found.lines, reasons, said, strict=True):
        mark = "+" if line.kept else "-"
        left = f"{line.number:>{number}} {mark} {cut(reason, why):<{why}}  "
        left += f"{about:<{word}}  " if word else ""
        lines.append((left + cut(line.text, width - len(left))).rstrip())
    return lines


def reason_of(line: LineView) -> str:
    """Return in words why a line was removed; empty for one that was kept."""
    if line.step == "outside":
        return line.reason
    if line.step in STAGES:
        return STAGES[line.step]
    return f"{line.step}: {line.reason}" if line.step else ""
