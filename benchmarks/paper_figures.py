"""The figures of docs/method/papers.md, measured again and looked up on the page.

Each is yielded as the page words it; what the page does not say was measured otherwise today. Those
of other pages have their own commands there.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import stopwordsiso
from sklearn.feature_extraction import DictVectorizer

from benchmarks import classes, duplicates, keywords, links, papers
from benchmarks.data import load_articles, load_sets
from benchmarks.markdown import share
from webclean_scrapy.classify.class_model import count_terms
from webclean_scrapy.classify.training import evaluate
from webclean_scrapy.cleaning.cleaner import CleanConfig, Cleaner
from webclean_scrapy.cleaning.papers.decay import DecayConfig
from webclean_scrapy.keywords.ranker import make_ranker
from webclean_scrapy.keywords.stop_words import stop_words
from webclean_scrapy.keywords.tag_weights import TITLE
from webclean_scrapy.report.text_scores import BAD, GOOD, right_share

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

PAGE = Path(__file__).parents[1] / "docs" / "method" / "papers.md"
SETS = ("aeb", "portal", "sites", "wcxb", "zh")
SEEDS = 5


def check_figures(data: Path, only: str | None) -> Iterator[tuple[str, bool]]:
    """Yield each figure as it is today, and whether the page says so."""
    said = " ".join(PAGE.read_text(encoding="utf-8").split())
    for measure in FIGURES:
        if only is None or only in measure.__name__:
            for figure in measure(data):
                yield figure, figure in said


def right_pages(data: Path) -> Iterator[str]:
    sets = load_articles(data, SETS)
    for limit in (0.2, 0.34, 0.46, 0.56):
        by_set, _ = papers.score_pages(papers.decay_config(limit), sets, 0)
        name = f"{limit:.2f}".removeprefix("0") + (
            ", ours" if limit == DecayConfig().max_decay else ""
        )
        yield _row(name, (share(right_share(f1, GOOD)) for f1 in by_set.values()))
    for method in papers.METHODS:
        by_set, _ = papers.score_pages(CleanConfig(extractor=method), sets, 1)
        cells = {
            name: f"{share(right_share(found, GOOD))} ({share(right_share(found, BAD))})"
            for name, found in by_set.items()
        }
        yield _row(method, (cells | {"wcxb": "-"} if method == "lcs" else cells).values())


def similarity_of_nodes(data: Path) -> Iterator[str]:
    sets = load_articles(data, ("aeb", "intl", "portal", "zh"))
    ours, other = (papers.score_pages(papers.lcs_config(ts), sets, 1)[0] for ts in (0.6, 0.67))
    falls = {name: float(np.mean(ours[name]) - np.mean(other[name])) for name in sets}
    right = {name: share(right_share(found, GOOD)) for name, found in other.items()}
    yield f"falls by {share(falls['aeb'])} on aeb and {share(falls['intl'])} on intl"
    yield f"at .67 {right['aeb']} aeb, {right['portal']} portal, {right['zh']} zh"


def sibling_links(data: Path) -> Iterator[str]:
    cleaner = Cleaner()
    pages = load_articles(data, ["aeb"])["aeb"].values()
    found = [bool(cleaner.sibling_links(page.raw)) for page in pages]
    yield f"{share(float(np.mean(found)))} of the {len(found)} articles of aeb link one"


def link_shares(data: Path) -> Iterator[str]:
    sets = load_sets(data, ("aeb", "intl", "portal", "types", "wcxb", "zh"))
    found = links.measure_link_blocks(sets)
    lcr, ccr = (
        [
            share(np.mean(found[kind]["text", 10, 5], axis=0)[at])
            for kind in ("index pages", "articles")
        ]
        for at in (0, 1)
    )
    yield f"LCR is {lcr[0]} on index pages and {lcr[1]} on articles, CCR {ccr[0]} and {ccr[1]}"


def stop_words_as_terms(data: Path) -> Iterator[str]:
    pages = classes.load_class_pages(data)["page types and articles"]
    names, labels = np.unique([page.label for page in pages], return_inverse=True)
    known = frozenset().union(*map(stop_words, stopwordsiso.langs()))
    every = [count_terms(page.text, page.title, title_weight=TITLE) for page in pages]
    fewer = [{term: n for term, n in counts.items() if term not in known} for counts in every]
    means = []
    for counts in (every, fewer):
        frequencies, scores = DictVectorizer().fit_transform(counts), []
        for seed in range(SEEDS):
            guessed = np.empty_like(labels)
            for seen, unseen in classes.folds_of(labels, seed):
                machine = classes.fit_method("UM", frequencies[seen], labels[seen], None)
                guessed[unseen] = machine.predict(frequencies[unseen])
            scores.append(evaluate(tuple(names), labels, guessed).f1.mean())
        means.append(share(float(np.mean(scores))))
    yield f"F1 {means[0]}, {means[1]} without"


def synonyms(data: Path) -> Iterator[str]:
    good = asked = 0
    for texts in duplicates.load_texts(data).values():
        (outcome,) = duplicates.measure_duplicates(texts, ("codes",)).values()
        edited = [t for t in texts if t["role"] in duplicates.INDEXED or t["kind"] == "edit_30pct"]
        counted = duplicates.count(edited, outcome.answers)
        good, asked = good + counted["good"], asked + counted["pos"]
    yield f"{good} of {asked}"


def description(data: Path) -> Iterator[str]:
    pages = [page for one in keywords.load_keyword_pages(data, None).values() for page in one]
    ranker, recalls = make_ranker("tfidf"), []
    for weight in (0.5, 0.0, 1.0, 2.0):
        changed = [
            keywords.KeywordPage(
                {"": [*page.blocks[""][:-1], (page.blocks[""][-1][0], weight)]}, page.gold
            )
            for page in pages
        ]
        recalls.append(share(keywords.rank_pages(ranker, changed).recall))
    half, none, one, two = recalls
    yield f"{half}, with none {none}, with a weight of 1 {one}, of 2 {two} ({len(pages)} pages)"


def _row(name: str, cells: Iterable[str]) -> str:
    return f"| {' | '.join([name, *cells])} |"


FIGURES: tuple[Callable[[Path], Iterator[str]], ...] = (
    synonyms, sibling_links, link_shares, description, stop_words_as_terms, similarity_of_nodes,
    right_pages,
)  # fmt: skip
