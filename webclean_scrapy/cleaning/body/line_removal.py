"""Lines of the body's subtree that are not body: what is removed, and the reason that people read.

Head and tail lines, credits, captions, prompts, teasers: ``judge`` gives each line its odds; the
reason is the term that spoke loudest against it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.body import exclusions as apart
from webclean_scrapy.cleaning.body.inner_features import INNER_TERMS
from webclean_scrapy.cleaning.body.line_features import LINE_TERMS
from webclean_scrapy.cleaning.page.removals import Removal, line_spans

if TYPE_CHECKING:
    from webclean_scrapy.cleaning.body.evidence import Evidence
    from webclean_scrapy.cleaning.body.linear_model import Choice, Weights

_TERMS = LINE_TERMS + INNER_TERMS
#: What the terms against a line are called in a reason; the rest count as "unlike the body".
REASONS = {
    "under 10": "short", "under 25": "short", "under 60": "short",
    "link share": "links", "link line": "links", "parent links": "links",
    "section links": "links", "behind link line": "links", "before link line": "links",
    "date": "date", "credit": "credit", "prompt": "prompt",
    "beside prompt": "prompt", "code": "code", "title": "title",
    "repeats": "repeated", "figure": "caption", "hidden": "hidden", "aside": "aside",
    "nav": "navigation", "near named other": "named", "at named other": "named",
    "named other": "named", "in comments": "comments", "in related": "related",
    "section named other": "named", "card": "card",
    "before anchor": "head", "before first": "head", "is title": "title",
    "behind image": "caption", "short behind image": "caption", "behind end": "tail",
    "told of others": "not in JSON-LD",
    "behind last": "tail", "template repeats": "template",
    "template foreign": "template", "cell": "table", "heading": "heading", "li": "list",
}  # fmt: skip


def remove_lines(evidence: Evidence, choice: Choice, weights: Weights) -> list[Removal]:
    """Return the lines of the chosen subtree whose odds are too low, one removal per reason."""
    found: dict[str, list[int]] = {}
    for at, line in enumerate(choice.lines):
        if choice.odds[at] <= weights.threshold:
            against = choice.terms[at] * weights.inner
            why = REASONS.get(_TERMS[int(against[1:].argmin()) + 1], "unlike the body")
            if evidence.apart[line]:
                why = apart.REASONS[evidence.apart[line]]
            found.setdefault(why, []).append(line)
    return [
        Removal("template" if why == "template" else "line", why, line_spans(evidence.table, lines))
        for why, lines in found.items()
    ]
