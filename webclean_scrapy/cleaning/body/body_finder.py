"""The body of a page: its subtree and its lines, with all that was removed on the way."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.body.decay import DecayConfig, clean_tree, find_body
from webclean_scrapy.cleaning.body.evidence import Evidence, gather
from webclean_scrapy.cleaning.body.line_removal import remove_lines
from webclean_scrapy.cleaning.body.linear_model import Weights, choose, default_weights
from webclean_scrapy.cleaning.body.link_blocks import LinkBlockConfig, remove_link_blocks
from webclean_scrapy.cleaning.kind.body_shape import NO_SHAPE, BodyShape, measure_shape
from webclean_scrapy.cleaning.page.paragraphs import ParagraphConfig
from webclean_scrapy.cleaning.page.removals import Living, Removal, line_spans
from webclean_scrapy.cleaning.page.table import without_lines
from webclean_scrapy.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.page.table import PageTable
    from webclean_scrapy.cleaning.papers.method import Mode
    from webclean_scrapy.cleaning.templates.template import TemplateEvidence


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyConfig:
    paragraphs: ParagraphConfig = field(default_factory=ParagraphConfig)
    decay: DecayConfig = field(default_factory=DecayConfig)
    link_blocks: LinkBlockConfig | None = field(default_factory=LinkBlockConfig)
    weights: Weights = field(default_factory=default_weights)
    min_kept_share: float = 0.3  # a stage that leaves less of the paragraphs is passed over, 0..1

    def __post_init__(self) -> None:
        if not 0.0 <= self.min_kept_share <= 1.0:
            raise ConfigError(
                f"min_kept_share must be between 0 and 1, got {self.min_kept_share!r}"
            )


@dataclass(frozen=True, slots=True)
class Body:
    """Where the body is and which of its lines live."""

    row: int | None  # of the subtree; None when the page has no text
    lines: tuple[int, ...]  # rising
    paragraphs: int  # good paragraphs among the lines
    anchor: int | None  # line that repeats the title
    shape: BodyShape
    confidence: float  # that the subtree is the right one, 0..1
    removals: tuple[Removal, ...]
    extractor: str = "webclean"  # the method that found it
    fallback: str | None = None  # why the method asked for did not: "nothing" or "little" found


def extract_body(
    table: PageTable,
    titles: Sequence[str],
    template: TemplateEvidence | None,
    config: BodyConfig,
    told: Sequence[str] = (),
    *,
    mode: Mode | None = None,
) -> Body:
    """Return the body of the page. *told* are bodies that its JSON-LD gives. Cost: O(rows).

    *mode* is another method to find it by; where that finds nothing the default one does.
    """
    evidence = gather(table, titles, template, config.paragraphs, told)
    if mode is None:
        return _judge_body(evidence, config)
    found = _body_by(mode, evidence)
    return (
        replace(_judge_body(evidence, config), fallback=found) if isinstance(found, str) else found
    )


def _body_by(mode: Mode, evidence: Evidence) -> Body | str:
    """Return the body that *mode* finds, or why there is none."""
    table = evidence.table
    dead = _template_lines(evidence, mode)
    finding = mode.find(without_lines(table, dead) if dead.any() else table)
    if finding is None:
        return "nothing"
    removals = list(finding.removals)
    if spans := line_spans(table, np.flatnonzero(dead).tolist()):
        removals.append(Removal("template", "shared", spans))
    living = Living(table)
    living.remove(removals)
    lines = tuple(line for line in table.lines_in(finding.row) if living.has_line(line))
    kept = sum(evidence.mass[line] for line in lines)
    if not lines or kept < mode.min_kept_share * evidence.total:
        return "little"
    return Body(
        row=finding.row,
        lines=lines,
        paragraphs=sum(1 for line in lines if evidence.mass[line]),
        anchor=evidence.anchor,
        shape=measure_shape(evidence, lines),
        confidence=kept / evidence.total if evidence.total else 0.0,
        removals=tuple(removals),
        extractor=mode.name,
    )


def _template_lines(evidence: Evidence, mode: Mode) -> NDArray[np.bool_]:
    """Mark the lines that other pages of the template share, in words or in place.

    None, when without them less than a share of the page's paragraphs is left: then the comparison
    is at fault.
    """
    template = evidence.template
    if template is not None and not mode.compares:
        dead = template.repeated | template.foreign
        mass = np.array(evidence.mass)
        if mass[~dead].sum() >= mode.min_left_share * mass.sum():
            return dead
    return np.zeros(len(evidence.mass), bool)


def _judge_body(evidence: Evidence, config: BodyConfig) -> Body:
    """Return the body by the sum of all evidence."""
    table = evidence.table
    if not evidence.total:
        return Body(None, (), 0, evidence.anchor, NO_SHAPE, 0.0, ())
    choice = choose(evidence, decayed_row(evidence, config), config.weights)
    living = Living(table)
    removals: list[Removal] = []
    stages = [
        clean_tree(table, choice.row, config.decay),
        remove_lines(evidence, choice, config.weights),
    ]
    if config.link_blocks is not None:
        span = (choice.row, table.end[choice.row])
        stages.insert(0, remove_link_blocks(table, *span, config.link_blocks))
    for stage in stages:
        removals += _apply(living, stage, evidence, choice.lines, config.min_kept_share)
    lines = tuple(line for line in choice.lines if living.has_line(line))
    return Body(
        row=choice.row,
        lines=lines,
        paragraphs=sum(1 for line in lines if evidence.mass[line]),
        anchor=evidence.anchor,
        shape=measure_shape(evidence, lines),
        confidence=choice.confidence,
        removals=tuple(removals),
    )


def decayed_row(evidence: Evidence, config: BodyConfig) -> int:
    """Return the row that the decay walk with the title anchor chooses."""
    anchor = evidence.anchor
    return find_body(
        evidence.table,
        evidence.rows.of,
        config.decay,
        anchor=None if anchor is None else evidence.table.lines.first[anchor],
    )


def _apply(
    living: Living, stage: list[Removal], evidence: Evidence, inside: range, min_kept: float
) -> list[Removal]:
    """Carry a stage out and return it; undo it and return nothing when it leaves too little."""
    if not stage:
        return []
    before = bytes(living.mask)
    weight = _weight(living, evidence, inside)
    living.remove(stage)
    left = _weight(living, evidence, inside)
    if left >= min_kept * weight and any(map(living.has_line, inside)):
        return stage
    living.mask[:] = before
    return []


def _weight(living: Living, evidence: Evidence, inside: range) -> int:
    mass = evidence.mass
    return sum(mass[line] for line in inside if mass[line] and living.has_line(line))
