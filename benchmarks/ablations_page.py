"""The page of the ablations, printed row by row or written to a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from benchmarks.ablations import FITTED, HELD, measure_ablations
from benchmarks.bootstrap import paired_difference
from benchmarks.markdown import share, signed, table
from benchmarks.scoring import set_score

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from benchmarks.ablations import Result, Variant
    from benchmarks.data import Sets

_TOP = """# Each step left out

What each step of the method is worth. Made by `python -m benchmarks ablations DATA -o docs/method/ablations.md`; nothing here is written by hand.

A step is left out, or something is in its place, and the three models (of lines, of steps, of the lines of the subtree) are fitted again. They are fitted on {fitted}
and the demo portal; {held} are never fitted on. An article is scored once, beside its sibling where that is of use. Figures are F1 as in [benchmarks.md](benchmarks.md),
of the fitted choice alone. "diff." is the mean over the sets minus that of the whole method. The last column is the 95 % interval of the difference in F1 over all articles
as one set (paired bootstrap): where it holds 0, these pages do not tell the two apart.

"no walk": no step down is taken, so that the last model alone selects from all lines. T = is a limit for all steps in place of one for each.
dt and Ct are those of link blocks. The template of a site is known by keys of lines, and by the alignment of one page with the sibling, whose limit is Ts (.6 by default).
"""  # noqa: E501, a paragraph is a line
_BESIDE = """
## Pages with a sibling

The same variants on the articles whose sibling is of use alone, with their number.
"""


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
    if results[0].beside:
        yield _BESIDE
        yield beside_section(results)


def head(sets: Sequence[str], width: int) -> str:
    """Return the head of the table over the *sets*, whose first column is *width* wide."""
    columns = ["without, or in its place".ljust(width)]
    for names in _parts(sets):
        columns += [*(name.rjust(5) for name in names), " mean", "diff."]
    return table([*columns, "95 %, pooled".rjust(14)], [])


def line(result: Result, whole: Result, width: int) -> str:
    """Return the row of a variant: F1 by set, means, and differences to the whole method."""
    cells = [result.name.ljust(width)]
    for names in _parts(result.pairs):
        cells += [share(set_score(result.pairs[n]).f1).rjust(max(5, len(n))) for n in names]
        mean = result.mean(names)
        cells += [f"{mean:.4f}"[-5:], signed(mean - whole.mean(names)).rjust(5)]
    measured = [name for names in _parts(result.pairs) for name in names]
    ours, all_ours = ([p for name in measured for p in r.pairs[name]] for r in (result, whole))
    found = paired_difference(ours, all_ours)
    cells.append(f"[{signed(found.low)}, {signed(found.high)}]".rjust(14))
    return f"| {' | '.join(cells)} |"


def beside_section(results: Sequence[Result]) -> str:
    """Return F1 of the *results* on the pages whose sibling is of use alone."""
    whole = results[0].beside
    rows = []
    for result in results:
        scores = {name: set_score(pairs).f1 for name, pairs in result.beside.items()}
        differences = [f1 - set_score(whole[name]).f1 for name, f1 in scores.items()]
        rows.append(
            [result.name, *map(share, scores.values()), signed(float(np.mean(differences)))]
        )
    return table(["", *(f"{name}, {len(pairs)}" for name, pairs in whole.items()), "diff."], rows)


def _parts(sets: Iterable[str]) -> list[list[str]]:
    """Return the sets that are fitted on and those that are not, without the demo portal."""
    there = list(sets)
    parts = [[name for name in names if name in there] for names in (FITTED, HELD)]
    return [part for part in parts if part] or [there]
