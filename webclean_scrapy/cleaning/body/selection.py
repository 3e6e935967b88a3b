"""Select the body lines inside the subtree found by the walk, with reasons for the others.

The linear model gives each line its log-odds; rules that no model may overrule come after it. A
removed line has a reason that people read: the rule that excluded it, or the feature that weighed
most against it. A step that would leave too little is undone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.body.amid import find_inline_asides, find_lists_after_colon
from webclean_scrapy.cleaning.body.features import (
    INNER_FEATURES,
    INNER_POOLING,
    LINE_FEATURES,
    inner_features,
    sigmoid,
)
from webclean_scrapy.cleaning.body.like_elements import find_fact_tables
from webclean_scrapy.cleaning.body.models import Body
from webclean_scrapy.cleaning.body.reasons.about_page import find_page_words
from webclean_scrapy.cleaning.body.reasons.names import (
    ABOUT_PAGE,
    CAPTION,
    CREDIT,
    EXCLUSIONS,
    LINK_BLOCK,
    NOT,
    REPEATED,
    TAIL,
    TEMPLATE,
    TITLE,
    TOOLS,
    reasons,
)
from webclean_scrapy.cleaning.body.reasons.repeated import find_second_copy
from webclean_scrapy.cleaning.page.removals import Removal, removals_of
from webclean_scrapy.cleaning.page.row_flags import (
    ASIDE,
    FIGURE,
    HEADING,
    PRE,
    QUOTE,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.body.decay_walk import DecayWalk
    from webclean_scrapy.cleaning.body.evidence import Evidence
    from webclean_scrapy.cleaning.body.features import LineEstimate
    from webclean_scrapy.cleaning.body.models import Weights
    from webclean_scrapy.cleaning.page.table import PageTable

_IN_DOUBT = -0.6  # log-odds of a list above which one is
NEVER = -9.0  # log-odds of a line that a rule excludes


@dataclass(frozen=True, slots=True)
class Selection:
    """Features of the lines of the selected subtree."""

    lines: range  # all lines of the subtree
    features: NDArray[np.float32]  # lines x (LINE_FEATURES + INNER_FEATURES)
    log_odds: NDArray[np.float64]  # of each of them to be body
    own_log_odds: NDArray[np.float64]  # the same by what this page alone says, before the rules
    excluded: NDArray[np.uint8]  # why each of them is never body, an index of EXCLUSIONS
    threshold: float = 0.0  # log-odds above which one is taken for body

    @property
    def probability(self) -> NDArray[np.float64]:
        """The probability of each line to be body, 0..1; body lines are above .5."""
        return sigmoid(self.log_odds - self.threshold)


def select_lines(evidence: Evidence, row: int, lines: LineEstimate, weights: Weights) -> Selection:
    """Select the lines of the subtree of *row*; return them with their log-odds to be body."""
    inside = evidence.table.lines_in(row)
    extra = inner_features(evidence, row, inside, lines.probability)
    features = np.hstack([lines.features[inside.start : inside.stop], extra])
    own = pooled = features @ weights.inner
    if evidence.template is not None:
        roles, cut = evidence.template.inner_roles, slice(inside.start, inside.stop)
        # They take lines out alone: what this page has against a line, it knows better.
        pooled = np.minimum(own, roles.pool(own, evidence.table.keys.numbers, INNER_POOLING, cut))
    log_odds, excluded = apply_rules(pooled, evidence, inside)
    return Selection(inside, features, log_odds, own, excluded, weights.threshold)


def apply_rules(
    log_odds: NDArray[np.float64], evidence: Evidence, inside: range
) -> tuple[NDArray[np.float64], NDArray[np.uint8]]:
    """Return the *log_odds* of the lines *inside* after rules that override the model.

    And why each of them is never body, an index of EXCLUSIONS.

    A table or list stays or goes as a whole, by the mean of its lines: with half its cells it is
    worth less than none. Code, facts and numbered sources go as the text before and after them
    goes, and so does a list that a sentence leads to; a list of links to other sites half as much.
    Never body: what is excluded, a second copy of the body, and words about the page.
    """
    cut = slice(inside.start, inside.stop)
    table, excluded = evidence.table, evidence.excluded[cut]
    flags, ruled = table.around_flags[cut], log_odds.copy()
    is_excluded = _is_excluded(log_odds, evidence, inside)
    leads_away, introduced = _rule_lists(ruled, is_excluded, evidence, inside)
    is_excluded &= ~introduced
    _follow_text(ruled, flags & PRE > 0, 1.0)
    facts = find_fact_tables(table, evidence.signs.dated, inside)[cut]
    if ((flags & ASIDE > 0) & (excluded == NOT)).any():
        facts |= find_inline_asides(table, evidence.weight)[cut]
    facts |= evidence.signs.link_blocks.sources[cut]
    _follow_text(ruled, facts & (excluded == NOT), 1.0)
    ruled[is_excluded] = NEVER
    _keep_headings(ruled, log_odds, evidence, inside)
    _follow_text(ruled, leads_away, 0.5)
    _follow_text(ruled, introduced, 1.0)
    said = flags & (FIGURE | QUOTE)
    for at in ((said == FIGURE) & (excluded == NOT)).nonzero()[0].tolist():
        if at and said[at - 1] & QUOTE and said[at - 1] & FIGURE:  # who said what a figure quotes
            said[at], ruled[at] = said[at - 1], max(ruled[at], ruled[at - 1])
    why = excluded * (ruled == NEVER)
    amid = evidence.of_article  # other pages tell what to click and to download
    for reason, lines in (
        (ABOUT_PAGE, find_page_words(table, ruled, inside, amid=amid)),
        (REPEATED, find_second_copy(table, evidence.excluded, inside)),
    ):
        why[lines] = np.where(why[lines] == NOT, reason, why[lines])
        ruled[lines] = NEVER
    return ruled, why


def _rule_lists(
    ruled: NDArray[np.float64], is_excluded: NDArray[np.bool_], evidence: Evidence, inside: range
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Give lists the mean of their lines; mark those to other sites, those a sentence leads to."""
    cut, columns = slice(inside.start, inside.stop), evidence.table.columns
    groups: dict[int, list[int]] = {}
    for at, group in enumerate(evidence.group[cut]):
        if group >= 0:
            groups.setdefault(group, []).append(at)
    leads_away, in_doubt, body = np.zeros((3, len(columns.units)), bool)
    for row, lines in groups.items():
        ruled[lines] = mean = ruled[lines].mean()
        if mean <= 0 and ((is_away := evidence.leads_away(row)) or mean > _IN_DOUBT):
            leads_away[cut][lines] = is_away and not is_excluded[lines].any()
            in_doubt[cut][lines] = True
    body[cut] = ruled > 0
    lists = ~body & (in_doubt | (2 * columns.linked >= columns.units))
    lists &= (evidence.excluded == NOT) | (evidence.excluded == LINK_BLOCK)
    return leads_away[cut], find_lists_after_colon(evidence.table, lists, in_doubt, body)[cut]


_HEADINGS = 3  # one below the other, above a text
_SEVERAL, _LEAST_LIKELY = 3, -1.0  # headings of one markup; log-odds of each of them
_BESIDE_PICTURE = reasons(CAPTION, CREDIT)  # exclusions of lines between a heading and its text
#: Exclusions of lines for what they look like.
_BY_LOOKS = reasons(LINK_BLOCK, TITLE)
_MAY_BE_OVER = reasons(NOT, LINK_BLOCK, TOOLS)  # a section, of a heading: "Share" in a manual


def _is_excluded(
    log_odds: NDArray[np.float64], evidence: Evidence, inside: range
) -> NDArray[np.bool_]:
    """Mark excluded lines *inside*, except those whose markup is mostly used by body lines.

    What looks like the links or the title of a page is neither where it stands between lines of
    the body and is marked up as they are: a note that is a link, a heading that names the topic.
    """
    excluded = evidence.excluded[inside.start : inside.stop]
    body = (excluded == NOT) & (log_odds > 0)
    before = np.cumsum(body)
    alike = _BY_LOOKS[excluded] & (before > 0) & (before < before[-1:])
    if alike.any():
        names = evidence.table.signatures[inside.start : inside.stop]
        share = np.bincount(names, body) / np.maximum(np.bincount(names), 1)
        alike &= share[names] > 0.5
    found: NDArray[np.bool_] = (excluded != NOT) & ~alike
    return found


def _keep_headings(
    ruled: NDArray[np.float64],
    log_odds: NDArray[np.float64],
    evidence: Evidence,
    inside: range,
) -> None:
    """Keep end headings, and headings with the markup of kept ones, above body text.

    "Discussion" and "Related work" are over the sections of a paper, too. What is marked up as a
    heading that is kept is one, and so are several of one markup of which each is over a section:
    those of products, plants or schools may be links.
    """
    cut = slice(inside.start, inside.stop)
    table, excluded = evidence.table, evidence.excluded[cut]
    heading = table.block_flags[cut] & HEADING > 0
    ends = (excluded == TAIL) & (ruled == NEVER)
    low = heading & (ruled <= 0) & _MAY_BE_OVER[excluded]
    over: dict[int, int] = {}  # the line of text below each
    beside = _BESIDE_PICTURE[excluded]
    for at in (ends | low).nonzero()[0].tolist():
        below = at + 1
        while below < len(inside) and (heading[below] or beside[below]) and below < at + _HEADINGS:
            below += 1
        stop = next((n for n in range(below, len(inside)) if heading[n]), len(inside))
        kept = ruled[below:stop] > 0
        if kept[:1].any() and 2 * kept.sum() > len(kept):
            over[at] = below
    if not over:
        return
    names, stays = table.signatures[cut], heading & (ruled > 0)
    stays[list(over)] |= ends[list(over)]
    like = (np.bincount(names, stays) > 0)[names]
    sections = [
        at
        for at, below in over.items()
        if log_odds[at] > _LEAST_LIKELY and not heading[at + 1 : below + 2].any()
    ]
    if len(sections) >= _SEVERAL:
        like[sections] |= np.bincount(names[sections])[names[sections]] >= _SEVERAL
    for at, below in over.items():
        if ends[at] or like[at]:
            ruled[at] = max(log_odds[at], ruled[below])


def _follow_text(log_odds: NDArray[np.float64], lines: NDArray[np.bool_], share: float) -> None:
    """Raise *lines* by *share* of the distance to the mean of the lines around, if that is higher.

    Code and lists of links look like nothing that is fitted on prose, yet readers come for them.
    """
    if not lines.any() or lines.all():
        return
    text = (~lines).nonzero()[0]
    at = lines.nonzero()[0]
    next_text = np.searchsorted(text, at)
    before = log_odds[text[np.maximum(next_text - 1, 0)]]
    after = log_odds[text[np.minimum(next_text, len(text) - 1)]]
    raised = (1 - share) * log_odds[at] + share * (before + after) / 2
    log_odds[at] = np.maximum(log_odds[at], raised)


#: Step and reason of a removal, where they are not "line" and the reason of the exclusion.
_EXCLUDED = {
    LINK_BLOCK: ("link_block", "close_links"),
    TEMPLATE: ("template", "template"),
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
    "after body": "tail", "rights": "rights", "template repeats": "template",
    "template foreign": "template", "cell": "table", "heading": "heading", "li": "list",
}  # fmt: skip


def remove_excluded(evidence: Evidence, selection: Selection) -> list[Removal]:
    """Return the removals of excluded lines in the subtree, one per reason."""
    found = zip(selection.lines, selection.excluded.tolist(), strict=True)
    reasons = ((at, _EXCLUDED.get(why, ("line", EXCLUSIONS[why]))) for at, why in found if why)
    return removals_of(evidence.table, reasons)


def remove_lines(evidence: Evidence, selection: Selection, weights: Weights) -> list[Removal]:
    """Return the removals of lines with too low log-odds, one per reason."""
    start = selection.lines.start
    low = (selection.log_odds <= weights.threshold) & (selection.excluded == NOT)
    numbers = low.nonzero()[0]
    against = selection.features[numbers, 1:] * weights.inner[1:]
    worst = (against.argmin(1) + 1).tolist() if len(numbers) else []
    whys = (REASONS.get(_FEATURES[feature], "unlike the body") for feature in worst)
    steps = (("template" if why == "template" else "line", why) for why in whys)
    return removals_of(evidence.table, zip((numbers + start).tolist(), steps, strict=True))


def trim_body(
    evidence: Evidence,
    walk: DecayWalk,
    steps: Iterable[list[Removal]],
    min_kept_share: float,
) -> Body:
    """Return the body left of the walk's subtree after the removals of *steps*.

    Steps remove whole lines; one that leaves less than *min_kept_share* of the weight is undone.
    """
    inside = evidence.table.lines_in(walk.row)
    weights = walk.line_weights[inside.start : inside.stop]
    removals: list[Removal] = []
    stays = np.ones(len(inside), bool)
    for step in filter(None, steps):
        left = stays.copy()
        firsts = [first for removal in step for first, _ in removal.spans]
        left[evidence.table.arrays.line_of[firsts] - inside.start] = False
        if left.any() and _sum(weights[left]) >= min_kept_share * _sum(weights[stays]):
            removals += step
            stays = left
    lines = tuple((stays.nonzero()[0] + inside.start).tolist())
    return Body(
        row=walk.row,
        lines=lines,
        paragraphs=sum(map(bool, map(evidence.weights.__getitem__, lines))),
        title_line=evidence.signs.title_line,
        removals=tuple(removals),
    )


def alike_left(table: PageTable, kept: NDArray[np.int64]) -> float:
    """Return the removed share of the lines with the same shapes as the *kept* ones, 0..1."""
    if not len(kept):
        return 0.0
    units, shapes = np.maximum(table.columns.units, 1), table.signatures
    alike = np.bincount(shapes, units)[np.unique(shapes[kept])].sum()
    return float(1.0 - units[kept].sum() / alike)


def _sum(weights: NDArray[np.float64]) -> float:
    """Sum in document order, so that rounding is the same on every run."""
    return float(weights.cumsum()[-1]) if len(weights) else 0.0
