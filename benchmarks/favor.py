"""Favors: what the bodies gain and lose in precision and in recall at each choice of thresholds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.data import load_articles
from benchmarks.markdown import share, table
from benchmarks.scoring import SetScore, harmonic
from benchmarks.templates import score_pages
from webclean_scrapy.cleaning.config import CleanConfig
from webclean_scrapy.cleaning.method_names import FAVORS

if TYPE_CHECKING:
    import argparse

    from benchmarks.data import Sets

#: The same of each set and favor.
Scores = dict[str, dict[str, SetScore]]


def run_favor(options: argparse.Namespace) -> None:
    """Print the table; *options* have the folder of sets and the names of those to measure."""
    print(favors_section(measure_favors(load_articles(options.data, options.sets))))


def measure_favors(sets: Sets) -> Scores:
    """Return the score of each favor by set; each article is given one sibling."""
    return {
        name: {favor: score_pages(CleanConfig(favor=favor), pages) for favor in FAVORS}
        for name, pages in sets.items()
    }


def favors_section(scores: Scores) -> str:
    """Return the table of precision, recall and F1 by set and favor, and their means over sets."""
    rows = [
        [name, *(_cell(score.precision, score.recall) for score in of_set.values())]
        for name, of_set in scores.items()
    ]
    means = [
        tuple(sum(values) / len(scores) for values in zip(*pairs, strict=True))
        for favor in FAVORS
        for pairs in [[(s[favor].precision, s[favor].recall) for s in scores.values()]]
    ]
    rows.append(["mean", *(_cell(*mean) for mean in means)])
    return table(["precision / recall / F1", *FAVORS], rows)


def _cell(precision: float, recall: float) -> str:
    return " / ".join(map(share, (precision, recall, harmonic(precision, recall))))
