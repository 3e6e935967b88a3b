"""Accuracy of classes by the uncertainty measure (UM), beside other ways to select terms.

The classes are page types: the kinds of the set ``types``, alone and with the articles of ``wcxb``.
Every page is cleaned, and its
title and text are classified, as in a crawl. Cross-validation of five folds, repeated with several
seeds; figures are means of the classes. Training time is CPU time from the term frequencies to the
fitted machine, and a ratio within the run.

The others weigh their terms by TF-IDF, as is usual; "UM, TF-IDF" does so too, and tells what
UM is worth as a weight. All need a term to occur in two pages, and all end in the same machine.
Mutual information and odds ratio are those of a term and a class, the largest over the classes;
information gain and cross entropy those of a term and all classes.
"""

from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.feature_selection import SelectKBest, chi2
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from benchmarks.data import load_sets
from benchmarks.markdown import share, table, times
from webclean_scrapy.classify.class_model import AS_PRINTED, TrainingParameters, count_terms
from webclean_scrapy.classify.training import UncertaintyMeasure, evaluate, make_machine
from webclean_scrapy.cleaning.cleaner import Cleaner
from webclean_scrapy.errors import PageError
from webclean_scrapy.keywords.tag_weights import TITLE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from webclean_scrapy.classify.training import Evaluation

    Scores = NDArray[np.float64]

SIZES = (200, 500, 1000, 2000, None)  # terms; None: all
FOLDS = 5
MIN_PAGES = 2  # that a term occurs in


class ClassPage(NamedTuple):
    """A clean page with a class."""

    label: str
    title: str
    text: str


@dataclass(slots=True)
class ClassRun:
    """Figures of one method for one number of terms."""

    terms: list[int] = field(default_factory=list)  # kept, by fold
    figures: list[tuple[float, float, float]] = field(default_factory=list)  # P, R, F1 by seed
    seconds: float = 0.0  # CPU, to train

    @property
    def mean(self) -> tuple[float, float, float]:
        """Precision, recall and F1."""
        precision, recall, f1 = np.mean(self.figures, axis=0).tolist()
        return precision, recall, f1


Runs = dict[tuple[int | None, str], ClassRun]


def load_class_pages(data: Path) -> dict[str, list[ClassPage]]:
    """Return the pages of each task that can be cleaned and have a text."""
    cleaner = Cleaner()
    tasks: dict[str, list[ClassPage]] = {"page types": [], "page types and articles": []}
    for name, pages in load_sets(data, ["types", "wcxb"]).items():
        for page in pages.values():
            try:
                found = cleaner.clean(page.html, page.url)
            except PageError:
                continue
            if found.text:
                made = ClassPage(page.kind, found.title, found.text)
                tasks["page types and articles"].append(made)
                if name == "types":
                    tasks["page types"].append(made)
    return tasks


def mutual_information(frequencies: Any, classes: Any) -> Scores:
    """Return log(P(t, c) / (P(t) P(c))), the largest over the classes, of each term."""
    joint, terms, members = _page_shares(frequencies, classes)
    with np.errstate(divide="ignore", invalid="ignore"):  # a term may be in none of these pages
        scores: Scores = np.log(joint / (terms * members[:, None])).max(axis=0)
    return scores


def information_gain(frequencies: Any, classes: Any) -> Scores:
    """Return by how many nats the presence of each term lowers the entropy of the classes."""
    joint, terms, members = _page_shares(frequencies, classes)
    gain = np.zeros(joint.shape[1])
    for shares, whole in ((joint, terms), (members[:, None] - joint, 1 - terms)):
        with np.errstate(divide="ignore", invalid="ignore"):
            parts = shares * np.log(shares / (whole * members[:, None]))
        gain += np.nan_to_num(parts, nan=0.0, posinf=0.0, neginf=0.0).sum(axis=0)
    return gain


def cross_entropy(frequencies: Any, classes: Any) -> Scores:
    """Return the expected cross entropy: the sum of P(t, c) log(P(c|t) / P(c)) over classes."""
    joint, terms, members = _page_shares(frequencies, classes)
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = joint * np.log(joint / (terms * members[:, None]))
    scores: Scores = np.nan_to_num(parts, nan=0.0, posinf=0.0, neginf=0.0).sum(axis=0)
    return scores


def odds_ratio(frequencies: Any, classes: Any) -> Scores:
    """Return log(odds of the term in a class / odds elsewhere), the largest over the classes."""
    joint, terms, members = _page_shares(frequencies, classes)
    least = 1 / (2 * len(classes))  # half a page, so that no odds are 0 or infinite
    inside = np.clip(joint / members[:, None], least, 1 - least)
    outside = np.clip((terms - joint) / (1 - members[:, None]), least, 1 - least)
    scores: Scores = np.log(inside * (1 - outside) / ((1 - inside) * outside)).max(axis=0)
    return scores


def _page_shares(frequencies: Any, classes: Any) -> tuple[Scores, Scores, Scores]:
    is_in = np.equal.outer(np.unique(classes), classes).astype(float)
    joint = (frequencies.sign().T @ is_in.T).T / len(classes)
    return joint, joint.sum(axis=0), is_in.mean(axis=1)


def uncertainty(frequencies: Any, classes: Any) -> Scores:
    """Return the UM of each term, and a little more for the more frequent of two equal ones."""
    measure: Scores = UncertaintyMeasure(TrainingParameters()).fit(frequencies, classes).uncertainty
    total = np.asarray(frequencies.sum(axis=0)).ravel()
    scores: Scores = measure + 1e-9 * total / total.max()
    return scores


SELECTORS: dict[str, Callable[[Any, Any], Scores]] = {
    "UM, TF-IDF": uncertainty,
    "chi-square": lambda frequencies, classes: chi2(frequencies, classes)[0],
    "information gain": information_gain,
    "mutual information": mutual_information,
    "cross entropy": cross_entropy,
    "odds ratio": odds_ratio,
}
PRINTED = "UM as printed"
METHODS = ("UM", PRINTED, *SELECTORS)


def fit_method(method: str, frequencies: Any, classes: Any, size: int | None) -> Any:
    """Return a fitted pipeline that predicts the numbers of classes; its first step selects."""
    if method in {"UM", PRINTED}:
        given = AS_PRINTED if method == PRINTED else TrainingParameters()
        return make_machine(replace(given, max_terms=size)).fit(frequencies, classes)
    allowed = np.asarray((frequencies > 0).sum(axis=0)).ravel() >= MIN_PAGES

    def scores(of: Any, classes: Any) -> Scores:
        return np.where(allowed, SELECTORS[method](of, classes), -np.inf)

    return make_pipeline(
        SelectKBest(scores, k=min(size or allowed.sum(), allowed.sum())),
        TfidfTransformer(sublinear_tf=True),
        LinearSVC(class_weight="balanced", random_state=0, max_iter=10_000),
    ).fit(frequencies, classes)


def measure_selection(
    pages: Sequence[ClassPage], seeds: int, sizes: Sequence[int | None] = SIZES
) -> tuple[Runs, Evaluation]:
    """Return the scores of each method by number of terms, and UM of all terms by class."""
    counted = {weight: count_pages(pages, weight) for weight in (TITLE, AS_PRINTED.title_weight)}
    names, classes = np.unique([page.label for page in pages], return_inverse=True)
    runs: Runs = {(size, method): ClassRun() for size in sizes for method in METHODS}
    found: dict[tuple[int | None, str], list[Any]] = defaultdict(list)
    for seed in range(seeds):
        splits = list(folds_of(classes, seed))
        for key, run in runs.items():
            guessed = np.empty_like(classes)
            for seen, unseen in splits:
                begin = time.process_time()
                frequencies = counted[AS_PRINTED.title_weight if key[1] == PRINTED else TITLE]
                machine = fit_method(key[1], frequencies[seen], classes[seen], key[0])
                run.seconds += time.process_time() - begin
                run.terms.append(machine[:-1].transform(frequencies[:1]).shape[1])
                guessed[unseen] = machine.predict(frequencies[unseen])
            run.figures.append(_means(evaluate(tuple(names), classes, guessed)))
            found[key].append(guessed)
    pooled = np.concatenate(found[sizes[-1], "UM"])
    return runs, evaluate(tuple(names), np.tile(classes, seeds), pooled)


def count_pages(pages: Sequence[ClassPage], title_weight: float) -> Any:
    """Return the term frequencies of the pages, sparse: pages x terms."""
    rows = [count_terms(p.text, p.title, title_weight=title_weight) for p in pages]
    return DictVectorizer().fit_transform(rows)


def classes_section(pages: Sequence[ClassPage], seeds: int) -> str:
    """Return the tables of one task."""
    runs, by_class = measure_selection(pages, seeds)
    rows = []
    for (size, method), run in runs.items():
        precision, recall, f1 = map(share, run.mean)
        spread = float(np.std([one[2] for one in run.figures]))
        base = runs[size, "UM"].seconds
        kept = f"{np.mean(run.terms):,.0f}"
        name = f"{size or 'all'}: {method}"
        rows.append([name, kept, precision, recall, f1, share(spread), times(run.seconds / base)])
    head = ["terms: method", "kept", "precision", "recall", "F1", "±", "time, UM = 1"]
    classes = [
        [name, f"{count // seeds}", *map(share, figures)]
        for name, count, *figures in zip(
            by_class.classes, by_class.confusion.sum(axis=1),
            by_class.precision, by_class.recall, by_class.f1, strict=True,
        )
    ]  # fmt: skip
    head_of_classes = ["UM, all terms", "pages", "precision", "recall", "F1"]
    return f"{table(head, rows)}\n\n{table(head_of_classes, classes)}"


def folds_of(classes: Any, seed: int) -> Iterator[tuple[Any, Any]]:
    """Yield the pages to learn from and those to guess, by number."""
    kind = StratifiedKFold(FOLDS, shuffle=True, random_state=seed)
    yield from kind.split(np.zeros(len(classes)), classes)


def _means(found: Evaluation) -> tuple[float, float, float]:
    return float(found.precision.mean()), float(found.recall.mean()), float(found.f1.mean())
