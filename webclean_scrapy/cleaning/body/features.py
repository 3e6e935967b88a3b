"""Features of lines for the linear models; each is defined by the expression that computes it.

A feature is a number of 0..1, mostly yes or no. `models` multiplies them by the weights of
``weights.json``, which ``python -m benchmarks fit`` fits. `line_features` are those of every line,
`inner_features` further ones inside the selected subtree. There a *section* is the child of the
subtree that holds a line; a *signature* is what tag and class of a line's block and the element
above it are; a *group* is the table or list around it.
"""

from __future__ import annotations

import math
import re
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from webclean_scrapy.cleaning.body import wording
from webclean_scrapy.cleaning.body.amid import are_sentences_amid
from webclean_scrapy.cleaning.body.reasons.names import PROMPT
from webclean_scrapy.cleaning.body.signs import SAME_TITLE, before_heading
from webclean_scrapy.cleaning.body.wording import ends_sentence, is_prompt, match
from webclean_scrapy.cleaning.page import row_flags as f
from webclean_scrapy.cleaning.page.lines import LINK_UNITS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.body.evidence import Evidence

    Column = NDArray[Any]
    Columns = Iterator[tuple[str, Column]]  # names of features, each with a value per line

LINE_FEATURES = (
    "one", "under 10", "under 25", "under 60", "under 150", "over 400", "link share",
    "link line", "paragraph", "ends sentence", "colon", "date", "credit", "prompt",
    "beside prompt", "code", "title", "is title", "repeats", "after image", "short after image",
    "after end heading", "declared", "others declared", "p", "li", "heading", "cell", "box",
    "quote", "pre", "figure", "named caption", "hidden", "article", "aside", "header", "form",
    "nav", "marked body", "named body", "named other", "in comments", "in related",
    "near named body", "near named other", "at named other",
    "parent share", "grandparent share", "third share", "parent density", "after paragraph",
    "before paragraph", "paragraphs around",
    "before title", "after title", "template", "template repeats", "template foreign",
    "template familiar", "template path", "caption wording", "bare after image",
    "bare after caption", "centred", "centred and bare", "opens with link", "stream", "stream text",
    "labelled link", "named author", "named sharing", "named prompt",
    "leads on", "post", "post text",
    "below end heading", "before heading", "described",
)  # fmt: skip

_PLACE = {name: at for at, name in enumerate(LINE_FEATURES)}

# The flags of rows that are features, read at once.
_OWN = {
    "p": f.PARAGRAPH, "li": f.ITEM, "heading": f.HEADING, "cell": f.CELL, "box": f.BOX,
}  # fmt: skip
_INSIDE = {
    "quote": f.QUOTE, "pre": f.PRE, "figure": f.FIGURE, "hidden": f.HIDDEN, "article": f.ARTICLE,
    "aside": f.ASIDE, "header": f.HEADER, "form": f.FORM, "nav": f.NAV,
    "marked body": f.BODY_MARKED, "named body": f.NAMED_BODY, "named other": f.NAMED_OTHER,
    "in comments": f.COMMENTS, "in related": f.RELATED, "named author": f.NAMED_AUTHOR,
    "named sharing": f.NAMED_SHARING, "named prompt": f.NAMED_PROMPT,
}  # fmt: skip
_SHORT = 150  # units; a longer line is no credit, prompt or dateline
_PROMPT_BOX = 400  # units; a larger element is no box
_TEASER = 60  # units; a shorter line is no headline with a text
_LABEL = 40  # units; more is no label
_LABELLED = re.compile(r"[^:：]{2,24}[:：]").match
_AROUND = 8  # lines to each side
_AFTER_TITLE = 30  # lines


def line_features(evidence: Evidence) -> NDArray[np.float32]:
    """Return the features of each line: lines x LINE_FEATURES. Cost: O(lines)."""
    if not len(evidence.table.lines):
        return np.zeros((0, len(LINE_FEATURES)), np.float32)
    lines = zip(evidence.table.lines.text, evidence.excluded.tolist(), strict=True)
    ends = np.array([not excluded and ends_sentence(text) for text, excluded in lines])
    by_name = np.zeros((len(LINE_FEATURES), len(ends)), np.float32)
    for name, column in chain(
        _text_features(evidence, ends),
        _mark_features(evidence),
        _place_features(evidence),
        _template_features(evidence),
        _picture_features(evidence, ends),
        _teaser_features(evidence),
        _part_features(evidence),
    ):
        by_name[_PLACE[name]] = column
    return np.ascontiguousarray(by_name.T)


def _flag_features(flags: NDArray[np.int32], names: dict[str, int]) -> Columns:
    """Yield for each of *names* whether its flag is set, given the *flags* per line."""
    bits = np.array([*names.values()], np.int32)[:, None]
    return zip(names, flags & bits > 0, strict=True)


def _text_features(evidence: Evidence, ends: Column) -> Columns:
    """Yield the features of size and text; link lines are matched against prompts only.

    Nothing is read of lines that are excluded: no model decides about them.
    """
    lines, columns = evidence.table.lines, evidence.table.columns
    units, linked = columns.units, columns.linked
    yield "one", np.ones(len(units))
    yield "under 10", units < 10
    yield "under 25", (units >= 10) & (units < 25)
    yield "under 60", (units >= 25) & (units < 60)
    yield "under 150", (units >= 60) & (units < 150)
    yield "over 400", units >= 400
    yield "link share", linked / np.maximum(units, 1)
    yield "link line", ~columns.plain
    yield "paragraph", evidence.weight > 0
    yield "ends sentence", ends
    yield "colon", np.array([text[-1:] in ":：" for text in lines.text])
    read = evidence.excluded == 0
    short, plain = read & (units < _SHORT), read & columns.plain
    yield "date", evidence.signs.dated & read
    credit = match(wording.CREDIT.match, lines, short & plain)
    yield "credit", credit & ~are_sentences_amid(evidence.table, credit)
    prompt = match(is_prompt, lines, short & (units > 10))
    prompt |= match(wording.COOKIES.search, lines, evidence.signs.cookies & short & (units > 10))
    prompt |= evidence.excluded == PROMPT
    yield "prompt", prompt
    yield "beside prompt", _beside(evidence, prompt)
    yield "code", match(wording.is_code, lines, plain)


def _beside(evidence: Evidence, prompt: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Mark the lines of small boxes in which some line is a prompt: newsletters, app banners."""
    table = evidence.table
    beside = np.zeros(len(prompt), bool)
    for line in prompt.nonzero()[0].tolist():
        row = int(table.columns.second[line])
        if table.arrays.units[row] <= _PROMPT_BOX:
            inside = table.lines_in(row)
            beside[inside.start : inside.stop] = True
    return beside


def _mark_features(evidence: Evidence) -> Columns:
    """Yield the features of signs, tags and names."""
    signs, columns, own = evidence.signs, evidence.table.columns, evidence.table.flags.own
    similarity = np.array(signs.title_similarity)
    yield "title", similarity
    yield "is title", similarity > SAME_TITLE
    yield "repeats", np.array(signs.repeats)
    yield "after image", signs.after_image
    yield "short after image", signs.after_image & (columns.units < _SHORT)
    yield "after end heading", evidence.after_end_heading
    yield "declared", signs.declared
    others = ~signs.declared & (columns.units >= 60) & bool(signs.declared.any())
    yield "others declared", others
    block, inline = evidence.table.block_flags, own[columns.inline]
    second, third = own[columns.second], own[columns.third]
    yield from _flag_features(block, _OWN)
    yield from _flag_features(evidence.table.around_flags, _INSIDE)
    yield "named caption", (block | inline | second) & f.SAYS_CAPTION > 0
    yield "near named body", (block | second | third) & f.SAYS_BODY > 0
    yield "near named other", (second | third) & f.SAYS_OTHER > 0
    yield "at named other", (block | inline) & f.SAYS_OTHER > 0


def _place_features(evidence: Evidence) -> Columns:
    """Yield the shares of the elements around a line, and the features of the lines beside it."""
    columns, arrays = evidence.table.columns, evidence.table.arrays
    text = np.maximum(arrays.units[columns.second], 1)
    weight = evidence.subtrees.every
    total = evidence.total or 1
    yield "parent share", weight[columns.second] / total
    yield "grandparent share", weight[columns.third] / total
    yield "third share", weight[columns.fourth] / total
    # A line may begin in an element and end behind it.
    yield "parent density", np.minimum(weight[columns.second] / text, 1.0)
    weights = evidence.weight
    yield "after paragraph", np.concatenate(([False], weights[:-1] > 0))
    yield "before paragraph", np.concatenate((weights[1:] > 0, [False]))
    window = np.ones(2 * _AROUND + 1)
    text = np.convolve(columns.units, window)[_AROUND:-_AROUND]
    around = np.convolve(weights, window)[_AROUND:-_AROUND] / np.maximum(text, 1)
    yield "paragraphs around", around
    title = evidence.signs.title_line
    after = np.arange(len(weights)) - (np.inf if title is None else title)
    yield "before title", (after < 0) & (title is not None)
    yield "after title", (after >= 0) & (after < _AFTER_TITLE)


def _template_features(evidence: Evidence) -> Columns:
    """Yield the features that other pages of the template give; 0 without a template."""
    template = evidence.template
    if template is None:
        nothing = np.zeros(len(evidence.weights))
        names = ("template", "template repeats", "template foreign", "template familiar")
        yield from ((name, nothing) for name in (*names, "template path"))
        return
    yield "template", template.repeated | template.foreign | template.familiar
    yield "template repeats", template.repeated.view(np.uint8)
    yield "template foreign", template.foreign.view(np.uint8)
    yield "template familiar", template.familiar.view(np.uint8)
    inside = np.zeros(len(evidence.table), bool)
    for row in template.body_rows:
        inside[row : evidence.table.end[row]] = True
    yield "template path", inside[evidence.table.columns.block]


def _picture_features(evidence: Evidence, ends: Column) -> Columns:
    """Yield the features of lines under pictures: short, no sentence, centred."""
    columns, own = evidence.table.columns, evidence.table.flags.own
    block = evidence.table.block_flags
    bare = (columns.units < _SHORT) & columns.plain & (block & f.HEADING == 0)
    bare &= ~ends
    centred = (block | own[columns.inline] | own[columns.second]) & f.CENTRED > 0
    under = evidence.signs.after_image & bare
    yield "caption wording", evidence.signs.caption_worded
    yield "bare after image", under
    yield "bare after caption", np.concatenate(([False], under[:-1])) & bare
    yield "centred", centred
    yield "centred and bare", centred & bare


def _teaser_features(evidence: Evidence) -> Columns:
    """Yield the features of lines that a link begins, and of streams of headlines."""
    table, columns = evidence.table, evidence.table.columns
    first = np.array([table.link[row] for row in table.lines.first])
    yield "opens with link", first & columns.plain & (columns.units >= _TEASER)
    stream = evidence.signs.stream
    yield "stream", stream
    yield "stream text", stream & columns.plain
    # A few words, a colon and a link: "Read also: ..."; in tables and lists these are data.
    labelled = ~columns.plain & (columns.linked < columns.units) & (columns.linked >= LINK_UNITS)
    labelled &= columns.units - columns.linked <= _LABEL
    labelled &= table.block_flags & (f.ITEM | f.CELL) == 0
    yield "labelled link", match(_LABELLED, table.lines, labelled)


def _part_features(evidence: Evidence) -> Columns:
    """Yield the features of the parts close to a text: links onward, posts, its heading."""
    table, signs, columns = evidence.table, evidence.signs, evidence.table.columns
    linked = ~columns.plain & (columns.units < _SHORT) & (evidence.excluded == 0)
    yield "leads on", match(wording.LEADS_ON.match, table.lines, linked)
    yield "post", signs.post
    yield "post text", signs.post & (columns.units >= _TEASER)
    yield "below end heading", signs.below_end_heading
    yield "before heading", before_heading(table, signs.title_similarity, signs.title_line)
    yield "described", signs.described


#: How much one other page of the template counts beside the page itself for the log-odds of the
#: lines at a place: before the walk, and in the subtree where it ends. Chosen on `sites`, where
#: half and twice as much give the same within .003.
WALK_POOLING, INNER_POOLING = 4.0, 1.0


class LineEstimate(NamedTuple):
    """Estimates for the lines of a page, before a subtree is selected."""

    features: NDArray[np.float32]  # lines x LINE_FEATURES
    probability: NDArray[np.float64]  # of each line to be body, 0..1; 0 for excluded lines
    log_odds: NDArray[np.float64]  # of each line, by what this page alone says


def estimate_lines(evidence: Evidence, weights: NDArray[np.float64]) -> LineEstimate:
    """Estimate the probability of each line to be body. *weights* in order of LINE_FEATURES."""
    features = line_features(evidence)
    log_odds = features @ weights
    return LineEstimate(features, line_probabilities(evidence, log_odds), log_odds)


def line_probabilities(evidence: Evidence, log_odds: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the probability of each line to be body, 0..1, pooled with the template."""
    if evidence.template is not None:
        roles = evidence.template.walk_roles
        log_odds = roles.pool(log_odds, evidence.table.keys.numbers, WALK_POOLING)
    probability = sigmoid(log_odds)
    probability[evidence.excluded > 0] = 0.0
    return probability


def sigmoid(log_odds: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the probabilities of log-odds."""
    result: NDArray[np.float64] = 1 / (1 + np.exp(-np.clip(log_odds, -30, 30)))
    return result


INNER_FEATURES = (
    "log odds", "group log odds", "signature log odds", "before first", "after body", "own text",
    "section links", "section density", "section named other", "section named body",
    "section lines", "section share", "signature count", "signature paragraphs",
    "signature never", "signature share", "rights",
)  # fmt: skip
_LEAST_OF_MEAN = 0.5  # of the mean probability of likely text; .4 and .6 give the same within .001
_NOTICE = 600  # units; a longer line is more than a notice
#: Lines at each end of a subtree that are looked at for notices: these begin or end a text, and
#: no labelled page has a body of more lines than both.
_NOTICE_LINES = 1_500


def inner_features(
    evidence: Evidence, row: int, inside: range, probability: NDArray[np.float64]
) -> NDArray[np.float32]:
    """Return further features of the lines *inside* the subtree *row*: lines x INNER_FEATURES."""
    size = len(inside)
    if not size:
        return np.zeros((0, len(INNER_FEATURES)), np.float32)
    cut = slice(inside.start, inside.stop)
    weights = evidence.weight[cut]
    probability = probability[cut]
    log_odds = (np.log(probability + 1e-6) - np.log(1 - probability + 1e-6)) / 4
    weight = weights.sum() or 1.0
    names = evidence.table.signatures[cut]
    number_of: dict[int, int] = {}  # a line without a group has a number of its own
    named = (g if g >= 0 else -1 - at for at, g in enumerate(evidence.group[cut]))
    numbers = np.array([number_of.setdefault(group, len(number_of)) for group in named])
    count = np.bincount(names)
    good = np.bincount(names, weights > 0) / np.maximum(count, 1)
    at = np.arange(size)
    columns = {
        "log odds": log_odds,
        "group log odds": _mean_over(log_odds, numbers),
        "signature log odds": _mean_over(log_odds, names),
        "before first": at < next(iter(weights.nonzero()[0]), 0),
        "after body": at >= _end_of_body(probability, evidence.table.columns.units[cut]),
        **_section_features(evidence, row, inside, weight),
        "signature count": (np.minimum(count, 20) / 20)[names],
        "signature paragraphs": good[names],
        "signature never": (good == 0)[names],
        "signature share": (np.bincount(names, weights) / weight)[names],
        "rights": _states_rights(evidence, inside),
    }
    return np.stack([columns[name] for name in INNER_FEATURES], axis=1).astype(np.float32)


def _mean_over(log_odds: NDArray[np.float64], names: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return for each line the mean of *log_odds* over the lines of the same name."""
    means = np.bincount(names, log_odds) / np.maximum(np.bincount(names), 1)
    of_line: NDArray[np.float64] = means[names]
    return of_line


def _end_of_body(probability: NDArray[np.float64], units: NDArray[np.int64]) -> int:
    """Return the end of the run of lines with most likely text and least unlikely text.

    The maximum subsequence of Pasternack & Roth 2009. A unit of text counts by how much likelier
    it is than half of what the likely text of these lines is: on a page of which nothing is sure
    the run is no island of the surest lines.
    """
    likely = units * probability
    worth = likely - _LEAST_OF_MEAN * units * (likely @ probability) / max(likely.sum(), 1e-9)
    sums = np.concatenate(([0.0], worth.cumsum()))
    return int((sums - np.minimum.accumulate(sums)).argmax())


class _Section(NamedTuple):
    """The features of a section, named "section links" and so on."""

    links: float
    density: float
    named_other: bool
    named_body: bool
    lines: float
    share: float


def _section_features(
    evidence: Evidence, row: int, inside: range, weight: float
) -> dict[str, Column]:
    """Return the features of the section around each line, and "own text" for lines in none."""
    table, arrays = evidence.table, evidence.table.arrays
    sections, spans = [], []
    for child in table.children(row):
        numbers = table.lines_in(child)
        text = int(arrays.units[child])
        if not text or table.tag[child][0] == "#" or not numbers:
            continue
        own, weights = int(table.flags.own[child]), evidence.subtrees.of(child)
        spans.append((numbers.start - inside.start, len(numbers)))
        sections.append(
            _Section(
                links=arrays.link_units[child] / text,
                density=weights / text,
                named_other=own & f.SAYS_OTHER > 0,
                named_body=own & f.SAYS_BODY > 0,
                lines=math.log1p(len(numbers)) / 4,
                share=weights / weight,
            )
        )
    alone = np.ones(len(inside))
    features = np.zeros((len(_Section._fields), len(inside)))
    if spans:
        start, size = np.array(spans, np.int64).T
        at = np.repeat(start - np.concatenate(([0], size[:-1].cumsum())), size)
        at += np.arange(len(at))
        alone[at] = 0.0
        features[:, at] = np.repeat(np.array(sections, float).T, size, 1)
    names = (f"section {name.replace('_', ' ')}" for name in _Section._fields)
    return {"own text": alone, **dict(zip(names, features, strict=True))}


def _states_rights(evidence: Evidence, inside: range) -> NDArray[np.bool_]:
    """Mark lines that state copyright or a disclaimer.

    Articles speak of that too, so it is known of the lines of the subtree alone: it has no
    influence on where the walk goes.
    """
    lines, units = evidence.table.lines, evidence.table.columns.units
    looked_at = np.zeros(len(lines), bool)
    looked_at[inside.start : inside.start + _NOTICE_LINES] = True
    looked_at[max(inside.start, inside.stop - _NOTICE_LINES) : inside.stop] = True
    looked_at[inside.stop :] = False
    looked_at &= (units < _NOTICE) & (evidence.excluded == 0)
    return match(wording.states_rights, lines, looked_at)[inside.start : inside.stop]
