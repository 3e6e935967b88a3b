"""The tables of three papers on bodies: information decay, alignment with a page, entropy path."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from benchmarks.data import ARTICLE
from benchmarks.markdown import share, table, times
from benchmarks.paper_runs import ALONE, CRAWL, RIGHT, SIBLING, Way, join, run_ways
from webclean_scrapy.cleaning.config import CleanConfig, PapersConfig
from webclean_scrapy.cleaning.papers.decay import DecayConfig
from webclean_scrapy.cleaning.templates.alignment import AlignConfig
from webclean_scrapy.cleaning.templates.feature_tree import SimilarityConfig

if TYPE_CHECKING:
    from collections.abc import Mapping

    from benchmarks.data import Sets
    from benchmarks.paper_runs import PaperRun

DECAYS = (0.2, 0.25, 0.3, 0.34, 0.4, 0.45, 0.5, 0.66)  # T; Chen et al. tested .20 to .50
SIMILARITIES = (0.5, 0.6, 0.7, 0.8)  # Ts
DEFAULT = "the default method"
SITE_PAGES = 3  # articles; smaller sites are one row


def decay_table(sets: Sets) -> str:
    """Return F1 and the share of right pages over T, by the text of a page alone."""
    ways = {f"`decay`, T = {limit:.2f}": Way(_decay(limit), ALONE) for limit in DECAYS}
    ways |= {f"{DEFAULT}, T of each step": Way(knows=ALONE)}
    return _score_table({name: run_ways(pages, ways) for name, pages in sets.items()})


def _decay(limit: float) -> CleanConfig:
    papers = PapersConfig(decay=DecayConfig(max_decay=limit))
    return CleanConfig(extractor="decay", papers=papers)


def _score_table(runs: Mapping[str, Mapping[str, PaperRun]]) -> str:
    """Return F1 by set and the share of all pages that are right, of runs by set and way."""
    rows = []
    for way in next(iter(runs.values())):
        whole = join(of_set[way] for of_set in runs.values())
        cells = [share(of_set[way].f1) for of_set in runs.values()]
        cells += [share(whole.right(least)) for least in RIGHT]
        rows.append([way, *cells, str(whole.given_way)])
    pages = sum(len(next(iter(of_set.values())).pairs) for of_set in runs.values())
    right = [f"F1 ≥ {share(least)}"[:8] for least in RIGHT]
    return table([f"{pages} pages", *runs, *right, "given way"], rows)


def alignment_table(sets: Sets) -> str:
    """Return the share of right pages by site, of the articles that have a sibling, over Ts."""
    ways = {f"`lcs`, Ts = {limit:.1f}": Way(_alignment(limit)) for limit in SIMILARITIES}
    ways |= {DEFAULT: Way(), f"{DEFAULT}, {ALONE}": Way(knows=ALONE)}
    found = [
        run_ways(pages, ways, keys)
        for pages in sets.values()
        if (keys := [key for key, page in pages.items() if page.siblings and page.kind == ARTICLE])
    ]
    if not found:
        return "No article of these sets has another page of its site."
    runs = {way: join(of_set[way] for of_set in found) for way in ways}
    return _sites_table(runs)


def _alignment(limit: float) -> CleanConfig:
    similarity = SimilarityConfig(similar_above=limit)
    return CleanConfig(extractor="lcs", align=AlignConfig(similarity=similarity))


def _sites_table(runs: Mapping[str, PaperRun]) -> str:
    """Return the share of right pages of each site, then of all, F1 and pages given way."""
    some = next(iter(runs.values()))
    rows = [
        [f"{site}, {count}", *(share(run.right(RIGHT[0], site)) for run in runs.values())]
        for site, count in Counter(some.sites).most_common()
        if count >= SITE_PAGES and site
    ]
    pages = f"all, {len(some.pairs)}"
    for least in RIGHT:
        cells = [share(run.right(least)) for run in runs.values()]
        rows.append([f"{pages}: F1 ≥ {share(least)}", *cells])
    rows.append([f"{pages}: F1", *(share(run.f1) for run in runs.values())])
    rows.append(["given way", *(str(run.given_way) for run in runs.values())])
    return table(["site, pages", *runs], rows)


def entropy_tables(sets: Sets) -> str:
    """Return F1 and CPU of the entropy path, the alignment and the default, by what they know."""
    ways = {
        f"`{extractor}`, {knows}": Way(CleanConfig(extractor=extractor), knows)
        for extractor in ("entropy", "lcs", "webclean")
        for knows in (ALONE, SIBLING, CRAWL)
        if (extractor, knows) != ("lcs", ALONE)
    }
    runs = {name: run_ways(pages, ways) for name, pages in sets.items()}
    base = f"`webclean`, {ALONE}"
    costs = [
        [way, *(times(of_set[way].seconds / of_set[base].seconds) for of_set in runs.values())]
        for way in ways
    ]
    return f"{_score_table(runs)}\n\n{table([f'CPU, {base} = 1', *runs], costs)}"
