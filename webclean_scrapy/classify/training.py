"""Train a model on labelled pages, and measure it on pages that it has not seen.

Features 1 (papers.md): terms by their uncertainty measure, and a linear support vector machine.

Our choice: the machine is scikit-learn's ``LinearSVC``, one class against the others; vectors are
divided by their length; classes with few pages weigh as much as those with many.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax
from sklearn.feature_extraction import DictVectorizer
from sklearn.metrics import confusion_matrix, precision_recall_fscore_support
from sklearn.model_selection import StratifiedKFold, StratifiedShuffleSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer
from sklearn.svm import LinearSVC

from webclean_scrapy.classify.class_model import ClassModel, TrainingParameters, count_terms
from webclean_scrapy.classify.uncertainty_measure import UncertaintyMeasure
from webclean_scrapy.errors import ConfigError, TrainingError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]  # of classes

FOLDS = 5
DIGITS = 6  # after the point, of the numbers of a model
SEED = 0  # of the folds and the machine: the same pages give the same model
_SLOPES = (-5.0, 5.0)  # logarithms of the smallest and largest


class LabelledPage(NamedTuple):
    """A page whose class is known."""

    label: str
    text: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Precision, recall, F1 and confusion of held-out pages; arrays by class."""

    classes: tuple[str, ...]
    precision: NDArray[np.float64]
    recall: NDArray[np.float64]
    f1: NDArray[np.float64]
    confusion: NDArray[np.int64]  # pages by their class (rows) and the predicted one (columns)


class Trained(NamedTuple):
    """A model of all pages, and the evaluation of models of a part of them."""

    model: ClassModel
    evaluation: Evaluation


def train(
    pages: Iterable[LabelledPage],
    parameters: TrainingParameters | None = None,
    *,
    folds: int = FOLDS,
    held_out: float | None = None,
) -> Trained:
    """Return a model of *pages*, and an evaluation by models that held pages out.

    *folds*: each page is held out once (stratified cross-validation), in fewer folds when a class
    has fewer pages. *held_out*: this share of the pages is held out once instead.

    Raises: ConfigError for a parameter out of its range; TrainingError for fewer than two classes,
    for a class of one page, and when no term is left.
    """
    given = parameters or TrainingParameters()
    _check(given, folds, held_out)
    labels: list[str] = []
    vectorizer = DictVectorizer()
    frequencies = vectorizer.fit_transform(_count(pages, given, labels))
    names, numbers = np.unique(np.array(labels, object), return_inverse=True)
    classes, counts = tuple(names.tolist()), np.bincount(numbers)
    if counts.min() < 2:
        name = classes[counts.argmin()]
        raise TrainingError(f"class {name!r} has one page; each class needs two or more")
    truth, margins = [], []
    for seen, unseen in _splits(numbers, folds, held_out):
        machine = fit_machine(frequencies[seen], numbers[seen], given)
        truth.append(numbers[unseen])
        margin = machine.decision_function(frequencies[unseen])
        # Pages x classes: how far each page is on the side of each class.
        margins.append(np.column_stack([-margin, margin]) if margin.ndim == 1 else margin)
    true, found = np.concatenate(truth), np.concatenate(margins)
    model = ClassModel(
        classes=classes,
        pages=tuple(counts.tolist()),
        slope=_fit_slope(true, found),
        parameters=given,
        **_read_machine(fit_machine(frequencies, numbers, given), vectorizer),
    )
    return Trained(model, evaluate(classes, true, found.argmax(axis=1)))


def fit_machine(frequencies: Any, numbers: Numbers, given: TrainingParameters) -> Any:
    """Return the fitted pipeline: `UncertaintyMeasure`, ``Normalizer``, ``LinearSVC``.

    *frequencies*: pages x terms, sparse; *numbers*: the class of each page.
    Raises: TrainingError when no term is left.
    """
    selector = UncertaintyMeasure(
        given.threshold, max_features=given.max_terms, min_df=given.min_pages
    )
    svm = LinearSVC(C=given.penalty, class_weight="balanced", random_state=SEED, max_iter=10_000)
    has_terms = frequencies.shape[1] > 0
    if not has_terms or not selector.fit(frequencies, numbers).get_support().any():
        raise TrainingError(
            f"no term occurs in {given.min_pages} pages and has an uncertainty measure of at "
            f"least {given.threshold:g}"
        )
    machine = make_pipeline(selector, Normalizer(), svm)
    svm.fit(machine[:-1].transform(frequencies), numbers)  # all else is fitted
    return machine


def evaluate(classes: Sequence[str], true: Numbers, predicted: Numbers) -> Evaluation:
    """Return precision, recall, F1 (0 where there is nothing to divide by) and the confusion."""
    known = range(len(classes))
    precision, recall, f1, _ = precision_recall_fscore_support(
        true, predicted, labels=known, zero_division=0.0
    )
    confusion = confusion_matrix(true, predicted, labels=known)
    return Evaluation(tuple(classes), precision, recall, f1, confusion)


def _check(given: TrainingParameters, folds: int, held_out: float | None) -> None:
    if not 0 <= given.threshold <= 1:
        raise ConfigError(f"threshold must be a number from 0 to 1, got {given.threshold:g}")
    if given.max_terms is not None and given.max_terms < 1:
        raise ConfigError(f"max_terms must be a whole number of at least 1, got {given.max_terms}")
    if folds < 2:
        raise ConfigError(f"folds must be a whole number of at least 2, got {folds}")
    if held_out is not None and not 0 < held_out < 1:
        raise ConfigError(f"held_out must be a number between 0 and 1, got {held_out:g}")


def _count(
    pages: Iterable[LabelledPage], given: TrainingParameters, labels: list[str]
) -> Iterator[dict[str, float]]:
    """Yield the term frequencies of each page; add its label to *labels*."""
    for page in pages:
        labels.append(page.label)
        yield count_terms(page.text, page.title, title_weight=given.title_weight)
    if len(set(labels)) < 2:
        raise TrainingError(f"two classes or more are needed, found {len(set(labels))}")


def _splits(
    numbers: Numbers, folds: int, held_out: float | None
) -> Iterator[tuple[Numbers, Numbers]]:
    """Yield the pages to train with and those held out, each class in both where it can be."""
    kind: Any = StratifiedKFold(
        min(folds, np.bincount(numbers).min()), shuffle=True, random_state=SEED
    )
    if held_out is not None:
        kind = StratifiedShuffleSplit(1, test_size=held_out, random_state=SEED)
    try:
        for seen, unseen in kind.split(np.zeros(len(numbers)), numbers):
            if len(np.unique(numbers[seen])) < len(np.unique(numbers)):
                raise TrainingError("a class has too few pages to hold out so large a share")
            yield seen, unseen
    except ValueError as error:  # a share of fewer pages than classes
        raise TrainingError(f"cannot hold out this share of the pages: {error}") from error


def _read_machine(machine: Any, vectorizer: DictVectorizer) -> dict[str, Any]:
    """Return the terms and numbers of a fitted pipeline, as fields of a `ClassModel`."""
    selector, _, svm = (step for _, step in machine.steps)
    weights, intercepts = svm.coef_, svm.intercept_
    if len(weights) == 1:  # two classes: the one margin is that of the second
        weights = np.vstack([-weights, weights])
        intercepts = np.concatenate([-intercepts, intercepts])
    kept = selector.get_support()
    return {
        "terms": tuple(vectorizer.get_feature_names_out()[kept].tolist()),
        "uncertainty": selector.uncertainty_[kept].round(DIGITS),
        "weights": weights.T.round(DIGITS),
        "intercepts": intercepts.round(DIGITS),
    }


def _fit_slope(true: Numbers, margins: NDArray[np.float64]) -> float:
    """Return the slope whose scores make the classes of held-out pages most likely.

    One more page is shared by all classes, so that the target of the true class is below 1 (as in
    Platt 1999): pages that are all classified right would have no best slope.
    """
    pages, classes = margins.shape
    targets = np.full(margins.shape, 1.0 / (pages + classes))
    targets[np.arange(pages), true] *= pages + 1

    def loss(logarithm: float) -> float:
        return -float((targets * log_softmax(np.exp(logarithm) * margins, axis=1)).sum())

    best = minimize_scalar(loss, bounds=_SLOPES, method="bounded")
    return round(float(np.exp(best.x)), DIGITS)
