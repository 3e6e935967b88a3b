"""Score each set with weights that were fitted on the other sets only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.data import load_demo
from benchmarks.fitting.fit import FitOptions, fit, read_examples, score_sets
from benchmarks.markdown import share, signed, table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from benchmarks.data import Sets
    from benchmarks.fitting.fit import Example, Fitted

    Scores = Mapping[str, Mapping[bool, float]]  # F1 by whether a sibling helps, by set

ON_ALL, ON_OTHERS = "fitted on all", "fitted on the others"


def measure_leave_out(sets: Sets, options: FitOptions) -> tuple[Fitted, dict[str, Scores]]:
    """Return the fit on the sets and the demo portal, and F1 by it and by fits on other sets.

    Costs a minute or two.
    """
    examples = read_examples({**sets, "demo": load_demo()})
    whole = fit(examples, options)
    others = fit_on_others(examples, options)
    return whole, {
        ON_ALL: score_sets(examples, dict.fromkeys(others, whole)),
        ON_OTHERS: score_sets(examples, others),
    }


def fit_on_others(examples: Sequence[Example], options: FitOptions) -> dict[str, Fitted]:
    """Return for each set the weights that fit the examples of all other sets."""
    names = dict.fromkeys(example.group for example in examples)
    return {name: fit([e for e in examples if e.group != name], options) for name in names}


def leave_out_section(measured: Mapping[str, Scores]) -> str:
    """Return the scores side by side, pages with a sibling that helps apart."""
    if not measured:
        return "Not measured."
    whole, others = measured[ON_ALL], measured[ON_OTHERS]
    rows = [
        [
            name + (", with a sibling" if helped else ""),
            share(f1),
            share(others[name][helped]),
            signed(others[name][helped] - f1),
        ]
        for name, both in sorted(whole.items())
        for helped, f1 in both.items()
    ]
    return table(["", ON_ALL, ON_OTHERS, "difference"], rows)
