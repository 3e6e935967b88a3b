"""The papers' methods as printed: the settings of docs/method/constants.md, and their bodies."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.settings import Settings

from benchmarks.markdown import share, signed, table
from benchmarks.templates import score_config
from webclean_scrapy.settings import WebcleanConfig

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from benchmarks.data import Sets

CONSTANTS = Path(__file__).parents[1] / "docs" / "method" / "constants.md"
_METHOD = ("WEBCLEAN_EXTRACTOR", "WEBCLEAN_DENOISE", "WEBCLEAN_LINK_BLOCKS")


def read_printed() -> dict[str, dict[str, Any]]:
    """Return the settings that run the method of each paper as printed, by its short name."""
    text = CONSTANTS.read_text(encoding="utf-8")
    found = {}
    for paper, source in re.findall(
        r"^### ([^\n]+)\n[^#]*?^```python\n([^`]*)```", text, re.MULTILINE
    ):
        scope: dict[str, Any] = {}
        exec(source, scope)  # noqa: S102, a block of our own documents, and a test
        found[paper] = {name: scope[name] for name in scope if name.startswith("WEBCLEAN_")}
    return found


def measure_printed(sets: Sets) -> Iterator[tuple[str, dict[str, tuple[float, float]]]]:
    """Yield each method of cleaning with its F1 on each set: as printed, and with our constants.

    Each page is given one sibling. One that is left to the default extractor counts as empty.
    """
    for paper, printed in read_printed().items():
        ours = {name: value for name, value in printed.items() if name in _METHOD}
        if ours:  # else a method of de-duplication
            one, other = (
                WebcleanConfig.from_settings(Settings(given)).clean_config()
                for given in (printed, ours)
            )
            yield (
                paper,
                {
                    name: (
                        score_config(one, pages, alone=True),
                        score_config(other, pages, alone=True),
                    )
                    for name, pages in sets.items()
                },
            )


def printed_section(scores: Mapping[str, Mapping[str, tuple[float, float]]]) -> str:
    """Return the table of F1 as printed, and how much more our constants give."""
    names = list(next(iter(scores.values())))
    rows = [
        [paper, *(f"{share(each[n][0])} ({signed(each[n][1] - each[n][0])})" for n in names)]
        for paper, each in scores.items()
    ]
    return table(["as printed", *names], rows)
