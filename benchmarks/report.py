"""The results page: everything measured in one go, as docs/method/benchmarks.md shows it."""

from __future__ import annotations

import platform
import sys
import time
from typing import TYPE_CHECKING

from benchmarks import sections
from benchmarks.bodies import measure_bodies
from benchmarks.data import load_articles
from benchmarks.facts import measure_facts
from benchmarks.peers import FACT_PEERS, installed, version_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from benchmarks.data import Sets

_PAGE = """# Measured against others

What the body, its metadata and its cost are worth beside other extractors, on labelled sets.

Made by `python -m benchmarks report{data} -o docs/method/benchmarks.md`; nothing here is written by hand. {machine}
{reproduce}

Peers run at their defaults, without comments, and get each page decoded by the project's own decoder.

## Bodies

Precision and recall are over multisets of 4-token shingles (a word or one Chinese character is a token), as in scrapinghub/article-extraction-benchmark;
F1 is that of the mean precision and the mean recall over a set's articles. Siblings are other pages of the site, those of the same template first.
A crash counts as an empty text. [Left out](#left-out) shows what a set scores that had no part in the fit of the project's weights.

{bodies}

### Differences in F1, with 95 % intervals

Paired bootstrap over pages, 10,000 rounds, for each tool that is ahead of the other tools on a set. An interval above zero:
more pages of the same kind would show the same order.

{differences}

### Cost on these pages

CPU time of the runs above, in one process, whose turns alternate on every page. A sibling is learned anew for each page; a crawl
does that once for a template.

{costs}

## Metadata

Exactly matching facts of the labelled articles that have them; after the comma, facts given for pages that have none. The source of
trafilatura and newspaper4k is their name of the site. The project's rules were made with pages of this kind in view.

{facts}

## Left out

Every set scored with numbers that were fitted on the other sets only, beside those fitted on all. "demo" is the bundled portal.
Scores are of the fitted choice alone, without the steps that have no fitted numbers.

{left_out}
"""  # noqa: E501, a paragraph is a line
_WITH_DATA = """DATA is a folder of labelled pages as `benchmarks/data.py` describes it.
The pages are others' and are not passed on; without DATA the same is measured on the bundled demo portal."""  # noqa: E501
_WITHOUT = "DATA was not given, so the pages are those of the bundled demo portal."


def write_report(
    data: Path | None, names: Sequence[str] | None, peers: Sequence[str] | None, siblings: int
) -> str:
    """Return the results page as Markdown; progress is printed on stderr."""
    from benchmarks.fitting.fit import FitOptions
    from benchmarks.leave_out import leave_out_section, measure_leave_out  # needs SciPy

    sets = load_articles(data, names)
    there = installed(peers)
    results = {}
    for name, pages in sets.items():
        _say(f"bodies of {name}")
        results[name] = measure_bodies(pages, there, siblings=siblings)
    _say("metadata")
    facts = facts_of(sets, there)
    _say("leaving sets out")
    left_out = leave_out_section(measure_leave_out(sets, FitOptions())[1] if data else {})
    return _PAGE.format(
        data=" DATA" if data else "",
        machine=_machine(there),
        reproduce=_WITH_DATA if data else _WITHOUT,
        bodies=sections.bodies_section(results, siblings),
        differences=sections.differences_section(results),
        costs=sections.costs_section(results),
        facts=facts,
        left_out=left_out,
    )


def facts_of(sets: Sets, peers: Sequence[str]) -> str:
    """Return the metadata section of sets with labelled metadata."""
    known = {name: p for name, p in sets.items() if any(page.facts for page in p.values())}
    asked = [peer for peer in FACT_PEERS if peer in peers]
    return sections.facts_section({n: measure_facts(pages, asked) for n, pages in known.items()})


def _machine(peers: Sequence[str]) -> str:
    named = dict.fromkeys(("lxml", *peers))
    versions = {name.split("_")[0]: version_of(name) for name in named}
    listed = ", ".join(f"{name} {number}" for name, number in versions.items())
    return f"Python {platform.python_version()}, {listed}."


def _say(what: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {what}", file=sys.stderr, flush=True)
