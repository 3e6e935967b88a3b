"""The terms that judge lines and candidate subtrees: what each means is its line of code.

A line's terms are numbers of 0..1, mostly yes or no. ``judge`` multiplies them by the weights
of ``weights.json``, which ``benchmarks/fit_weights.py`` fits.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from webclean_scrapy.extract.evidence import (
    ARTICLE,
    ASIDE,
    BODY_MARKED,
    CODE,
    CREDIT,
    DATE,
    FIGURE,
    FORM,
    HEADER,
    HIDDEN,
    LINK_LINE,
    NAMED_BODY,
    NAMED_OTHER,
    NAV,
    PRE,
    PROMPT,
    QUOTE,
    Evidence,
)
from webclean_scrapy.extract.paragraphs import SENTENCE_END
from webclean_scrapy.page.tags import HEADING_TAGS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

LINE_TERMS = (
    "one", "under 10", "under 25", "under 60", "under 150", "over 400", "link share",
    "link line", "paragraph", "ends sentence", "colon", "date", "credit", "prompt", "code",
    "title", "is title", "repeats", "behind image", "short behind image", "behind end", "told",
    "told of others", "p", "li", "heading", "cell", "box",
    "quote", "pre", "figure", "named caption", "hidden", "article", "aside", "header", "form",
    "nav", "marked body", "named body",
    "named other", "near named body", "near named other", "at named other", "card",
    "parent links", "parent share", "grandparent share", "third share", "parent density",
    "behind paragraph", "before paragraph", "behind link line", "before link line",
    "paragraphs around", "before anchor", "behind anchor",
    "template", "template repeats", "template foreign", "template familiar", "template path",
)  # fmt: skip
_BOXES = frozenset({"div", "section", "article", "body", "main", "center"})


def line_terms(evidence: Evidence) -> NDArray[np.float32]:
    """Return the terms of each line: lines x LINE_TERMS. Cost: O(lines)."""
    lines = evidence.table.lines
    if not len(lines):
        return np.zeros((0, len(LINE_TERMS)), np.float32)
    around = _paragraphs_around(evidence)
    on_path = _on_template_path(evidence)
    tells = any(evidence.told)
    return np.array(
        [
            _text_terms(evidence, line, tells=tells)
            + _place_terms(evidence, line)
            + _neighbour_terms(evidence, line, around)
            + _template_terms(evidence, line, on_path)
            for line in range(len(lines))
        ],
        np.float32,
    )


SAME_TITLE = 0.8  # likeness above which a line is the title, 0..1


def _text_terms(evidence: Evidence, line: int, *, tells: bool) -> list[float]:
    lines = evidence.table.lines
    units, text = lines.units[line], lines.text[line]
    share = lines.link_units[line] / units if units else 0.0
    short = units < 150
    return [
        1.0,
        units < 10,
        10 <= units < 25,
        25 <= units < 60,
        60 <= units < 150,
        units >= 400,
        share,
        share > LINK_LINE,
        evidence.mass[line] > 0,
        SENTENCE_END.search(text[-4:]) is not None,
        text[-1:] in ":：",
        short and DATE.search(text) is not None,
        short and CREDIT.search(text) is not None,
        short and PROMPT.search(text) is not None,
        CODE.search(text[:400]) is not None,
        evidence.likeness[line],
        evidence.likeness[line] > SAME_TITLE,
        evidence.repeats[line],
        evidence.behind_image[line],
        short and evidence.behind_image[line],
        evidence.behind_end[line],
        evidence.told[line],
        units >= 60 and not evidence.told[line] and tells,
    ]


def _place_terms(evidence: Evidence, line: int) -> list[float]:
    table = evidence.table
    box = table.lines.container[line]
    tag, bits = table.tag[box], evidence.bits[box]
    up = table.parent
    second = up[box] if up[box] >= 0 else box
    third = up[second] if up[second] >= 0 else second
    fourth = up[third] if up[third] >= 0 else third
    inline = up[table.lines.first[line]]
    near = (box, second, third)
    total = evidence.total or 1
    text = table.text_length(second) or 1
    weight = evidence.rows.of(second)
    return [
        tag == "p",
        tag in {"li", "dd", "dt"},
        tag in HEADING_TAGS,
        tag in {"td", "th"},
        tag in _BOXES,
        bits & QUOTE > 0,
        bits & PRE > 0,
        bits & FIGURE > 0,
        any(evidence.says_caption[row] for row in (box, second, inline)),
        bits & HIDDEN > 0,
        bits & ARTICLE > 0,
        bits & ASIDE > 0,
        bits & HEADER > 0,
        bits & FORM > 0,
        bits & NAV > 0,
        bits & BODY_MARKED > 0,
        bits & NAMED_BODY > 0,
        bits & NAMED_OTHER > 0,
        any(evidence.says_body[row] and not evidence.says_other[row] for row in near),
        evidence.says_other[second] or evidence.says_other[third],
        evidence.says_other[box] or evidence.says_other[inline],
        any(evidence.card[row] for row in (*near, fourth)),
        table.link_length(second) / text,
        weight / total,
        evidence.rows.of(third) / total,
        evidence.rows.of(fourth) / total,
        weight / text,
    ]


def _neighbour_terms(evidence: Evidence, line: int, around: list[float]) -> list[float]:
    lines, mass, anchor = evidence.table.lines, evidence.mass, evidence.anchor
    last = len(mass) - 1
    before, behind = max(line - 1, 0), min(line + 1, last)
    return [
        line > 0 and mass[before] > 0,
        line < last and mass[behind] > 0,
        line > 0 and lines.link_units[before] > LINK_LINE * lines.units[before],
        line < last and lines.link_units[behind] > LINK_LINE * lines.units[behind],
        around[line],
        anchor is not None and line < anchor,
        anchor is not None and 0 <= line - anchor < 30,
    ]


def _paragraphs_around(evidence: Evidence) -> list[float]:
    """Return the share of the text within eight lines that is paragraphs, for each line."""
    units = np.array(evidence.table.lines.units, float)
    window = np.ones(17)
    weight = np.convolve(np.array(evidence.mass, float), window)[8:-8]
    text = np.convolve(units, window)[8:-8]
    shares: list[float] = (weight / np.maximum(text, 1)).tolist()
    return shares


def _template_terms(evidence: Evidence, line: int, on_path: bytearray | None) -> list[float]:
    template = evidence.template
    if template is None or on_path is None:
        return [0.0] * 5
    box = evidence.table.lines.container[line]
    return [
        1.0,
        template.repeated[line],
        template.foreign[line],
        template.familiar[line],
        on_path[box],
    ]


def _on_template_path(evidence: Evidence) -> bytearray | None:
    """Mark the rows inside the place where other pages of the template had their body."""
    template, table = evidence.template, evidence.table
    if template is None:
        return None
    inside = bytearray(len(table))
    for row, place in enumerate(template.places):
        if place in template.body_paths and table.tag[row][0] != "#":
            inside[row : table.end[row]] = b"\1" * (table.end[row] - row)
    return inside


CANDIDATE_TERMS = (
    "expected", "kept expected", "coverage", "density", "links", "direct", "direct coverage",
    "holds anchor", "behind anchor", "before anchor", "marked", "article", "whole page",
    "named body", "named other", "under other", "in aside", "outside in parent", "decay",
    "template path", "alike outside",
)  # fmt: skip


def candidate_terms(
    evidence: Evidence, candidates: list[int], chance: NDArray[np.float64], decayed: int
) -> NDArray[np.float64]:
    """Return the terms of each candidate subtree: candidates x CANDIDATE_TERMS.

    *chance* is the probability of each line to be body; *decayed* is the row that the decay walk
    chose. Cost: O(lines), and the children of each candidate.
    """
    units = np.array(evidence.table.lines.units, float)
    kept = chance > KEEP_CHANCE
    sums = [
        np.concatenate(([0.0], np.cumsum(column)))
        for column in (units * chance, units, units * chance * kept, units * kept)
    ]
    direct = _direct_mass(evidence)
    by_signature = _mass_by_signature(evidence)
    rows = [
        _share_terms(evidence, row, sums)
        + _shape_terms(evidence, row, direct, decayed)
        + [_alike_outside(evidence, row, by_signature)]
        for row in candidates
    ]
    return np.array(rows, float).reshape(-1, len(CANDIDATE_TERMS))


KEEP_CHANCE = 0.2  # a line less likely to be body counts as removed when candidates are compared


def _share_terms(evidence: Evidence, row: int, sums: list[NDArray[np.float64]]) -> list[float]:
    inside = evidence.table.lines_in(row)
    body, text, kept_body, kept = (s[inside.stop] - s[inside.start] for s in sums)
    total = sums[0][-1] + 1
    found = []
    for hits, size in ((body, text), (kept_body, kept)):
        found.append(2 * hits / (size + total))  # F1 of hits / size and hits / total
    return found


def _shape_terms(
    evidence: Evidence, row: int, direct: dict[int, float], decayed: int
) -> list[float]:
    table, rows = evidence.table, evidence.rows
    total, weight = evidence.total or 1, rows.of(row)
    text = table.text_length(row) or 1
    up = table.parent[row]
    bits = evidence.bits[row]
    above = evidence.bits[up] if up >= 0 else 0
    anchor = evidence.anchor
    at = -1 if anchor is None else table.lines.first[anchor]
    template = evidence.template
    return [
        weight / total,
        weight / text,
        table.link_length(row) / text,
        min(1.0, direct.get(row, 0) / (weight or 1)),
        min(1.0, direct.get(row, 0) / total),
        row <= at < table.end[row],
        at >= 0 and at < row,
        at >= table.end[row],
        bits & BODY_MARKED > above & BODY_MARKED,
        table.tag[row] in {"article", "main"},
        table.tag[row] in {"body", "html"},
        evidence.says_body[row] and not evidence.says_other[row],
        evidence.says_other[row],
        above & NAMED_OTHER > 0,
        bits & (ASIDE | NAV) > 0,
        (rows.of(up) - weight) / total if up >= 0 else 0.0,
        row == decayed,
        template is not None and template.places[row] in template.body_paths,
    ]


def _mass_by_signature(evidence: Evidence) -> dict[tuple[str, ...], int]:
    found: dict[tuple[str, ...], int] = {}
    for line, weight in enumerate(evidence.mass):
        if weight:
            key = signature(evidence, line)
            found[key] = found.get(key, 0) + weight
    return found


def _alike_outside(
    evidence: Evidence, row: int, by_signature: Mapping[tuple[str, ...], int]
) -> float:
    """Return the share of the page's paragraphs outside *row* that look like those inside."""
    inside: dict[tuple[str, ...], int] = {}
    for line in evidence.table.lines_in(row):
        if evidence.mass[line]:
            key = signature(evidence, line)
            inside[key] = inside.get(key, 0) + evidence.mass[line]
    outside = sum(by_signature[key] - weight for key, weight in inside.items())
    return outside / (evidence.total or 1)


def signature(evidence: Evidence, line: int) -> tuple[str, str, str, str]:
    """Return tag and class of the line's box and of its parent."""
    table = evidence.table
    box = table.lines.container[line]
    up = max(table.parent[box], 0)
    return table.tag[box], table.classes[box], table.tag[up], table.classes[up]


def _direct_mass(evidence: Evidence) -> dict[int, float]:
    """Return for each row the paragraph weight that stands in it directly, or nearly so."""
    table, direct = evidence.table, dict[int, float]()
    for line, weight in enumerate(evidence.mass):
        share = float(weight)
        row = table.lines.container[line]
        for _ in range(3):
            if not weight or row < 0:
                break
            direct[row] = direct.get(row, 0.0) + share
            share = share if row == table.lines.container[line] else share / 2
            row = table.parent[row]
    return direct


INNER_TERMS = (
    "chance", "group chance", "signature chance", "before first", "behind last", "own text",
    "section links", "section density", "section named other", "section named body",
    "section lines", "section share", "signature count", "signature paragraphs",
    "signature never", "signature share",
)  # fmt: skip


def inner_terms(
    evidence: Evidence, row: int, inside: range, chance: NDArray[np.float64]
) -> NDArray[np.float32]:
    """Return further terms of the lines *inside* the chosen subtree *row*: lines x INNER_TERMS.

    A *section* is the child of the subtree that holds the line; a *signature* is what tag and
    class of the line's box and its parent are.
    """
    mass = evidence.mass
    heavy = [line for line in inside if mass[line]]
    first = heavy[0] if heavy else inside.start
    last = heavy[-1] if heavy else inside.stop
    weight = sum(mass[line] for line in heavy) or 1
    signatures = _signatures(evidence, inside, weight)
    sections = _sections(evidence, row, weight)
    own = [1.0] + [0.0] * 6
    logit = (np.log(chance + 1e-6) - np.log(1 - chance + 1e-6)) / 4
    group = _mean_over(logit, evidence.group, inside)
    alike = _mean_over(logit, dict(zip(inside, signatures.keys, strict=True)), inside)
    rows = [
        [
            logit[line],
            group[line],
            alike[line],
            line < first,
            line > last,
            *sections.get(line, own),
            *signatures.terms[line - inside.start],
        ]
        for line in inside
    ]
    return np.array(rows, np.float32).reshape(-1, len(INNER_TERMS))


def _sections(evidence: Evidence, row: int, weight: int) -> dict[int, list[float]]:
    table, units = evidence.table, evidence.table.lines.units
    found: dict[int, list[float]] = {}
    for child in table.children(row):
        numbers = table.lines_in(child)
        text = sum(units[line] for line in numbers)
        if not text or table.tag[child][0] == "#":
            continue
        mass = evidence.rows.of(child)
        terms = [
            0.0,
            table.link_length(child) / text,
            mass / text,
            float(evidence.says_other[child]),
            float(evidence.says_body[child] and not evidence.says_other[child]),
            math.log1p(len(numbers)) / 4,
            mass / weight,
        ]
        found.update(dict.fromkeys(numbers, terms))
    return found


def _mean_over(
    logit: NDArray[np.float64], group: Mapping[int, object] | Sequence[int], inside: range
) -> dict[int, float]:
    """Return for each line the mean of *logit* over its group; its own when it has none (-1)."""
    members: dict[object, list[int]] = {}
    for line in inside:
        members.setdefault(group[line], []).append(line)
    found: dict[int, float] = {}
    for name, lines in members.items():
        if name == -1:
            found.update((line, float(logit[line])) for line in lines)
        else:
            found.update(dict.fromkeys(lines, float(logit[lines].mean())))
    return found


class _Signatures(NamedTuple):
    keys: Sequence[tuple[str, ...]]
    terms: list[list[float]]


def _signatures(evidence: Evidence, inside: range, weight: int) -> _Signatures:
    mass = evidence.mass
    keys, counts = [], dict[tuple[str, ...], list[int]]()
    for line in inside:
        key = signature(evidence, line)
        keys.append(key)
        count = counts.setdefault(key, [0, 0, 0])
        count[0] += 1
        count[1] += mass[line] > 0
        count[2] += mass[line]
    terms = [
        [min(n, 20) / 20, good / n, float(good == 0), heavy / weight]
        for n, good, heavy in map(counts.__getitem__, keys)
    ]
    return _Signatures(keys, terms)
