"""Ablations: each step of the method left out in turn, with everything else fitted again.

The models of lines, of steps and of the subtree's lines are fitted on FITTED and the demo portal
for each variant, and scored on these sets and on HELD, which no variant is fitted on. An article is
scored once, beside its sibling where that is of use. Scores are those of the fitted choice, as of
``python -m benchmarks fit``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.bootstrap import paired_difference
from benchmarks.fitting.features import FEATURES, PLAIN
from benchmarks.fitting.fit import FitOptions, fit, read_examples, score_example
from benchmarks.markdown import share, signed, table
from webclean_scrapy.cleaning.body.models import BodyConfig
from webclean_scrapy.cleaning.config import CleanConfig
from webclean_scrapy.cleaning.templates.alignment import AlignConfig
from webclean_scrapy.report.text_scores import set_score

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from benchmarks.data import Sets

    Pairs = dict[str, list[tuple[float, float]]]  # precision and recall of the articles of each set

FITTED = ("zh", "aeb", "intl", "portal", "wcxb")
HELD = ("langs", "blogs")
DEMO = "demo"  # fitted on too
WHOLE = "the method"

_TOP = """# Each step left out

What each step of the method is worth. Made by `python -m benchmarks ablations DATA -o docs/method/ablations.md`; nothing here is written by hand.

A step is left out, or something is in its place, and the three models (of lines, of steps, of the lines of the subtree) are fitted again, on {fitted}
and the demo portal; {held} are never fitted on. Figures are mean F1 as in [benchmarks.md](benchmarks.md), of the fitted choice alone, beside a sibling where that is of use: that of the method, then
differences to it; the last column their 95 % interval over all articles as one set (paired bootstrap).

"no walk": the last model alone selects from all lines. T = is a limit for all steps in place of one for each.
"""  # noqa: E501, a paragraph is a line


@dataclass(frozen=True, slots=True)
class Variant:
    """The method without a step, or with a replacement for one."""

    name: str
    config: CleanConfig = field(default_factory=CleanConfig)
    options: FitOptions = field(default_factory=FitOptions)


@dataclass(frozen=True, slots=True)
class Result:
    """Scores of a variant on the articles of each set."""

    name: str
    pairs: Pairs  # all articles, each beside its sibling where that is of use

    def mean(self, names: Iterable[str]) -> float:
        """Return the mean F1 of the sets with these names."""
        return float(np.mean([set_score(self.pairs[name]).f1 for name in names]))


def variants(only: str | None = None) -> list[Variant]:
    """Return the method and its variants, those with *only* in their names if given.

    Those with one configuration are in a row.
    """
    found = [
        Variant(WHOLE),
        Variant("no walk: the whole page", options=FitOptions(limit=-1.0)),
        *_evidence_variants(),
        *_step_variants(),
    ]
    return [v for v in found if v.name == WHOLE or (only or "") in v.name]


def _evidence_variants() -> Iterator[Variant]:
    kinds = {
        "title": ("title",),
        "marks of the article": ("marked", "article"),
        "the body declared in JSON-LD": ("declared",),
        "names of elements": ("named",),
        "tags of lines": ("p", "li", "cell", "quote", "pre", "figure"),
        "likeness of lines (signatures)": ("signature",),
        "posts with dates": ("post",),
        "what is before the heading": ("before heading",),
    }
    for kind, parts in kinds.items():
        out = {name for names in FEATURES.values() for name in names if _is_of(name, parts)}
        yield Variant(f"no features of {kind}", options=FitOptions(left_out=frozenset(out)))


def _is_of(name: str, parts: tuple[str, ...]) -> bool:
    return any(f" {part} " in f" {name} " for part in parts)


def _step_variants() -> Iterator[Variant]:
    yield Variant("weight: text outside links", options=FitOptions(weigh=PLAIN))
    for limit in (0.2, 0.34, 0.5):
        yield Variant(f"T = {share(limit)[:3]}", options=FitOptions(limit=limit))
    yield Variant("no link blocks, no streams", CleanConfig(body=BodyConfig(link_blocks=None)))
    yield Variant("no template", CleanConfig(denoise="off"))
    no_alignment = AlignConfig(max_cells=1)  # every pair is too large
    yield Variant("template by keys alone", CleanConfig(align=no_alignment))
    yield Variant("template by alignment alone", CleanConfig(denoise="lcs"))


def measure_ablations(sets: Sets, chosen: Sequence[Variant]) -> Iterator[Result]:
    """Yield the scores of each of *chosen*, the whole method first.

    Cost: less than a minute for each configuration, and some seconds for each fit.
    """
    for config, some in groupby(chosen, key=lambda variant: variant.config):
        examples = read_examples(sets, config)
        given = [example for example in examples if example.group not in HELD]
        last = {id(one.page): one for one in examples}  # a page's last example has the sibling
        for variant in some:
            fitted = fit(given, variant.options)
            result = Result(variant.name, {})
            for one in last.values():
                result.pairs.setdefault(one.group, []).append(score_example(one, fitted))
            yield result


def ablations_page(sets: Sets, chosen: Sequence[Variant]) -> Iterator[str]:
    """Yield the lines of the page as they are measured."""
    yield _TOP.format(
        fitted=", ".join(name for name in FITTED if name in sets) or "no other set",
        held=", ".join(name for name in HELD if name in sets) or "no sets",
    )
    width = max(len(variant.name) for variant in chosen)
    yield head(list(sets), width)
    results: list[Result] = []
    for result in measure_ablations(sets, chosen):
        results.append(result)
        yield line(result, results[0], width)


def head(sets: Sequence[str], width: int) -> str:
    """Return the head of the table over the *sets*, whose first column is *width* wide."""
    columns = ["without, or in its place".ljust(width), *map(", ".join, _parts(sets))]
    return table([*columns, "95 %, pooled".rjust(14)], [])


def line(result: Result, whole: Result, width: int) -> str:
    """Return the row of a variant: differences of mean F1 to the whole method; of that, mean F1."""
    cells = [result.name.ljust(width)]
    for names in _parts(result.pairs):
        mean, whole_mean = result.mean(names), whole.mean(names)
        shown = f"{mean:.4f}"[-5:] if result is whole else signed(mean - whole_mean)
        cells.append(shown.rjust(len(", ".join(names))))
    measured = [name for names in _parts(result.pairs) for name in names]
    ours, all_ours = ([p for name in measured for p in r.pairs[name]] for r in (result, whole))
    found = paired_difference(ours, all_ours)
    cells.append(f"[{signed(found.low)}, {signed(found.high)}]".rjust(14))
    return f"| {' | '.join(cells)} |"


def _parts(sets: Iterable[str]) -> list[list[str]]:
    """Return the fitted and the held-out sets, without the demo portal."""
    there = list(sets)
    parts = [[name for name in names if name in there] for names in (FITTED, HELD)]
    return [part for part in parts if part] or [there]
