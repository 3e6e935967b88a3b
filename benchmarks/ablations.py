"""What each step of the method is worth: each left out in turn, with everything else fitted again.

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

from benchmarks.fitting.features import FEATURES, PARAGRAPHS, PLAIN
from benchmarks.fitting.fit import FitOptions, fit, read_examples, score_example
from benchmarks.markdown import share
from benchmarks.scoring import set_score
from webclean_scrapy.cleaning.body.body import BodyConfig
from webclean_scrapy.cleaning.body.link_blocks import LinkBlockConfig
from webclean_scrapy.cleaning.config import CleanConfig
from webclean_scrapy.cleaning.templates.alignment import AlignConfig
from webclean_scrapy.cleaning.templates.feature_tree import SimilarityConfig

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from benchmarks.data import Sets

    Pairs = dict[str, list[tuple[float, float]]]  # precision and recall of the articles of each set

FITTED = ("zh", "aeb", "intl", "portal", "wcxb")
HELD = ("langs", "blogs")
DEMO = "demo"  # fitted on too
WHOLE = "the method"
_NEVER = 1_000_000  # links; no run has so many


@dataclass(frozen=True, slots=True)
class Variant:
    """The method without something, or with something in its place."""

    name: str
    config: CleanConfig = field(default_factory=CleanConfig)
    options: FitOptions = field(default_factory=FitOptions)


@dataclass(frozen=True, slots=True)
class Result:
    """What a variant scores on the articles of each set."""

    name: str
    pairs: Pairs  # all articles, each beside its sibling where that is of use
    beside: Pairs  # those whose sibling is of use to the whole method

    def mean(self, names: Iterable[str]) -> float:
        """Return the mean F1 of the sets with these names."""
        return float(np.mean([set_score(self.pairs[name]).f1 for name in names]))


def variants(only: str | None = None) -> list[Variant]:
    """Return the method itself, then its variants, those with *only* in their names if given.

    Those with one configuration are in a row.
    """
    found = [
        Variant(WHOLE),
        Variant("no walk: the whole page", options=FitOptions(limit=-1.0)),
        *_evidence_variants(),
        *_walk_variants(),
        *_block_variants(),
        *_template_variants(),
    ]
    return [v for v in found if v.name == WHOLE or (only or "") in v.name]


def _evidence_variants() -> Iterator[Variant]:
    kinds = {
        "title": ("title",),
        "marks of the article": ("marked", "article"),
        "the body declared in JSON-LD": ("declared",),
        "names of elements": ("named",),
        "tags of lines": ("p", "li", "cell", "quote", "pre", "figure"),
        "likeness of lines (signatures)": ("signature", "alike"),
        "posts with dates": ("post",),
        "headings that end an article": ("end heading",),
        "what is before the heading": ("before heading",),
        "the description": ("described",),
        "rights": ("rights",),
    }
    for kind, parts in kinds.items():
        out = {name for names in FEATURES.values() for name in names if _is_of(name, parts)}
        yield Variant(f"no features of {kind}", options=FitOptions(left_out=frozenset(out)))


def _is_of(name: str, parts: tuple[str, ...]) -> bool:
    """Whether a feature's name is one of *parts* or has it among its words."""
    return any(f" {part} " in f" {name} " for part in parts)


def _walk_variants() -> Iterator[Variant]:
    yield Variant("weight: text outside links", options=FitOptions(weigh=PLAIN))
    yield Variant("weight: paragraphs", options=FitOptions(weigh=PARAGRAPHS))
    for limit in (0.1, 0.2, 0.34, 0.5, 0.66):
        yield Variant(f"T = {share(limit)[:3]}", options=FitOptions(limit=limit))
    for limit in (0.34, 0.5):
        name = f"weight: text outside links, T = {share(limit)[:3]}"
        yield Variant(name, options=FitOptions(limit=limit, weigh=PLAIN))


def _block_variants() -> Iterator[Variant]:
    yield Variant("no link blocks, no streams", CleanConfig(body=BodyConfig(link_blocks=None)))
    for name, config in {
        "no link blocks": LinkBlockConfig(min_links=_NEVER),
        "no streams of headlines": LinkBlockConfig(min_headlines=_NEVER),
        "dt = 2": LinkBlockConfig(max_distance=2),
        "dt = 10": LinkBlockConfig(max_distance=10),
        "dt = 20": LinkBlockConfig(max_distance=20),
        "dt = 40": LinkBlockConfig(max_distance=40),
        "Ct = 3": LinkBlockConfig(min_links=3),
        "Ct = 10": LinkBlockConfig(min_links=10),
    }.items():
        yield Variant(name, CleanConfig(body=BodyConfig(link_blocks=config)))


def _template_variants() -> Iterator[Variant]:
    yield Variant("no template", CleanConfig(denoise="off"))
    no_alignment = AlignConfig(max_cells=1)  # every pair is too large
    yield Variant("template by keys alone", CleanConfig(align=no_alignment))
    yield Variant("template by alignment alone", CleanConfig(denoise="lcs"))
    for limit in (0.5, 0.7, 0.8):
        align = AlignConfig(similarity=SimilarityConfig(similar_above=limit))
        yield Variant(f"Ts = {limit:.1f}", CleanConfig(align=align))


def measure_ablations(sets: Sets, chosen: Sequence[Variant]) -> Iterator[Result]:
    """Yield what each of *chosen*, the whole method first, scores.

    Cost: less than a minute for each configuration, and some seconds for each fit.
    """
    helped: set[int] | None = None
    for config, some in groupby(chosen, key=lambda variant: variant.config):
        examples = read_examples(sets, config)
        if helped is None:
            helped = {id(one.page) for one in examples if one.features.has_template}
        given = [example for example in examples if example.group not in HELD]
        last = {id(one.page): one for one in examples}  # a page's last example has the sibling
        for variant in some:
            fitted = fit(given, variant.options)
            result = Result(variant.name, {}, {})
            for key, one in last.items():
                pair = score_example(one, fitted)
                result.pairs.setdefault(one.group, []).append(pair)
                if key in helped:
                    result.beside.setdefault(one.group, []).append(pair)
            yield result
