"""What each set scores when every fitted number comes from the other sets only."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.markdown import share, signed, table

if TYPE_CHECKING:
    from collections.abc import Mapping

_SCRIPT = Path(__file__).with_name("fit_weights.py")
_SCORE = re.compile(r"(\S+) +(\d\.\d+)")
_WITH = "+"  # after a set's name: pages with a sibling that helps
_ROWS = ("fitted on all", "fitted on the others")


def run_leave_out(data: Path | None) -> str:
    """Return what ``fit_weights.py --leave-out`` prints. Costs a minute or two.

    Raises:
        SystemExit: the script failed; its own message is passed on.
    """
    if data is None:
        return ""
    done = subprocess.run(
        [sys.executable, str(_SCRIPT), str(data), "--leave-out"],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"fit_weights.py --leave-out failed:\n{done.stderr[-2000:]}")
    return done.stdout


def read_scores(printed: str) -> dict[str, dict[str, float]]:
    """Return F1 by set, by row, from the lines that the script prints.

    >>> read_scores("fitted on all:  zh 0.9750  zh+ 0.9801")
    {'fitted on all': {'zh': 0.975, 'zh+': 0.9801}}
    """
    found = {}
    for line in printed.splitlines():
        name, _, scores = line.partition(":")
        if scores:
            found[name.strip()] = {key: float(f1) for key, f1 in _SCORE.findall(scores)}
    return found


def leave_out_section(scores: Mapping[str, Mapping[str, float]]) -> str:
    """Return the scores side by side, pages with a sibling that helps apart."""
    whole, others = (scores.get(row, {}) for row in _ROWS)
    rows = [
        [
            name.removesuffix(_WITH) + (", with a sibling" if name.endswith(_WITH) else ""),
            share(whole[name]),
            share(others[name]),
            signed(others[name] - whole[name]),
        ]
        for name in whole
        if name in others
    ]
    return table(["", *_ROWS, "difference"], rows) if rows else "Not measured."
