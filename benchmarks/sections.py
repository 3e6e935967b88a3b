"""The sections of the results page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks import bodies
from benchmarks.bootstrap import paired_difference
from benchmarks.data import FACTS
from benchmarks.markdown import share, signed, table, times
from webclean_scrapy.report.text_scores import harmonic

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from benchmarks.bodies import SetResult
    from benchmarks.facts import FactCounts

    Bodies = Mapping[str, SetResult]


def bodies_section(results: Bodies, siblings: int) -> str:
    """Return how close the bodies of all extractors are: F1, precision and recall by set."""
    head = ["F1 (precision, recall)", *(f"{name}, {one.articles}" for name, one in results.items())]
    rows = []
    for extractor in _extractors(results):
        scores = [one.runs[extractor].score for one in results.values()]
        cells = [f"{share(s.f1)} ({share(s.precision)}, {share(s.recall)})" for s in scores]
        rows.append([_label(extractor, siblings), *cells])
    return f"{table(head, rows)}\n\n{_kinds(results)}"


def differences_section(results: Bodies) -> str:
    """Return F1 of the project minus F1 of each peer that leads on a set, with the interval."""
    rows = []
    peers = [one for one in _extractors(results) if one not in {bodies.OURS, bodies.ALONE}]
    leading = {_leader(one, peers) for one in results.values()} if peers else set()
    for peer in peers:
        if peer not in leading:
            continue
        cells = []
        for result in results.values():
            found = paired_difference(result.runs[bodies.OURS].pairs, result.runs[peer].pairs)
            interval = f"[{signed(found.low)}, {signed(found.high)}]"
            cells.append(f"{signed(found.value)} {interval}")
        rows.append([peer, *cells])
    return table([f"{bodies.OURS}, minus", *results], rows) if rows else "No peer was run."


def _leader(result: SetResult, peers: Sequence[str]) -> str:
    return max(peers, key=lambda peer: result.runs[peer].score.f1)


def costs_section(results: Bodies) -> str:
    """Return the CPU of each extractor over a set, as a multiple of the first peer's."""
    names = [name for name in _extractors(results) if name != bodies.OURS]
    base = next((name for name in names if name != bodies.ALONE), bodies.ALONE)
    rows = [
        [name, *(times(r.runs[name].seconds / r.runs[base].seconds) for r in results.values())]
        for name in names
    ]
    more = [
        times(max(0.0, r.sibling_seconds) / r.runs[bodies.ALONE].seconds) for r in results.values()
    ]
    rows.append(["what siblings add, in costs of a page", *more])
    return table([f"CPU, {base} = 1", *results], rows)


def low_pages(result: SetResult, below: float) -> str:
    """Return the articles whose body has F1 under *below*, one a line, the lowest first.

    F1, precision and recall with siblings, F1 without any, key. The scores with siblings decide.
    """
    rows = []
    runs = (result.runs[bodies.OURS].pairs, result.runs[bodies.ALONE].pairs)
    for key, near, alone in zip(result.scored, *runs, strict=True):
        if harmonic(*near) < below:
            p, r = near
            rows.append((harmonic(p, r), f"P {p:.3f} R {r:.3f} alone {harmonic(*alone):.3f} {key}"))
    return "\n".join(f"F1 {f1:.3f} {rest}" for f1, rest in sorted(rows))


def facts_section(runs: Mapping[str, Mapping[str, FactCounts]]) -> str:
    """Return how many labelled facts each extractor gives exactly, and how many it invents."""
    parts = []
    for name, of_set in runs.items():
        if any(of_set.values()):
            rows = [[extractor, *_fact_cells(counts)] for extractor, counts in of_set.items()]
            parts.append(table([name, *FACTS], rows))
    return "\n\n".join(parts) or "No page is labelled with facts."


def _fact_cells(counts: FactCounts) -> list[str]:
    cells = []
    for fact in FACTS:
        count = counts.get(fact)
        if count is None:
            cells.append("-")
            continue
        right = f"{count.right}/{count.known}" if count.known else "-"
        cells.append(right + (f", {count.invented}/{count.absent}" if count.absent else ""))
    return cells


def _label(extractor: str, siblings: int) -> str:
    if extractor != bodies.OURS:
        return extractor
    return f"{extractor}, {siblings} sibling{'s' if siblings != 1 else ''}"


def _kinds(results: Bodies) -> str:
    said = []
    for kind, name in ((True, "articles"), (False, "other pages")):
        pages = sum(one.of_kind[kind] for one in results.values())
        if pages:
            called = sum(one.called_articles[kind] for one in results.values())
            said.append(f"{called} of {pages} {name}")
    return f"webclean says `is_article` of {' and of '.join(said)}."


def _extractors(results: Bodies) -> list[str]:
    return list(next(iter(results.values())).runs)
