"""Remove the lines of the body's subtree that are not body, each with a reason that people read.

The linear model gives each line its log-odds; the reason is the feature that weighed most against
it, or the rule that excluded it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.body import exclusions
from webclean_scrapy.cleaning.body.inner_features import INNER_FEATURES
from webclean_scrapy.cleaning.body.line_features import LINE_FEATURES
from webclean_scrapy.cleaning.page.removals import Removal, line_spans

if TYPE_CHECKING:
    from webclean_scrapy.cleaning.body.evidence import Evidence
    from webclean_scrapy.cleaning.body.linear_model import Selection, Weights

#: Step and reason of a removal, where they are not "line" and the reason of the exclusion.
_EXCLUDED = {
    exclusions.LINK_BLOCK: ("link_block", "close_links"),
    exclusions.TEMPLATE: ("template", "template"),
}
_FEATURES = LINE_FEATURES + INNER_FEATURES
#: What the features against a line are called in a reason; all others: "unlike the body".
REASONS = {
    "under 10": "short", "under 25": "short", "under 60": "short",
    "link share": "links", "link line": "links", "section links": "links",
    "date": "date", "credit": "credit", "prompt": "prompt",
    "beside prompt": "prompt", "code": "code", "title": "title",
    "repeats": "repeated", "figure": "caption", "hidden": "hidden", "aside": "aside",
    "nav": "navigation", "near named other": "named", "at named other": "named",
    "named other": "named", "in comments": "comments", "in related": "related",
    "section named other": "named", "stream": "teasers", "stream text": "teasers",
    "before title": "head", "before first": "head", "is title": "title",
    "after image": "caption", "short after image": "caption", "after end heading": "tail",
    "others declared": "not in JSON-LD",
    "after last": "tail", "rights": "rights", "template repeats": "template",
    "template foreign": "template", "cell": "table", "heading": "heading", "li": "list",
}  # fmt: skip


def remove_excluded(evidence: Evidence, selection: Selection) -> list[Removal]:
    """Return the lines of the subtree that are excluded, one removal per reason."""
    by_reason: dict[int, list[int]] = {}
    for line in selection.lines:
        if reason := int(evidence.excluded[line]):
            by_reason.setdefault(reason, []).append(line)
    return [
        Removal(*_EXCLUDED.get(reason, ("line", exclusions.REASONS[reason])), spans)
        for reason, lines in by_reason.items()
        for spans in [line_spans(evidence.table, lines)]
    ]


def remove_lines(evidence: Evidence, selection: Selection, weights: Weights) -> list[Removal]:
    """Return the other lines whose log-odds are too low, one removal per reason."""
    by_reason: dict[str, list[int]] = {}
    start, stop = selection.lines.start, selection.lines.stop
    low = (selection.log_odds <= weights.threshold) & (evidence.excluded[start:stop] == 0)
    numbers = np.flatnonzero(low)
    against = selection.features[numbers, 1:] * weights.inner[1:]
    worst = (against.argmin(1) + 1).tolist() if len(numbers) else []
    for at, feature in zip(numbers.tolist(), worst, strict=True):
        why = REASONS.get(_FEATURES[feature], "unlike the body")
        by_reason.setdefault(why, []).append(start + at)
    return [
        Removal("template" if why == "template" else "line", why, line_spans(evidence.table, lines))
        for why, lines in by_reason.items()
    ]
