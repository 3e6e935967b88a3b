"""Train a model on labelled pages, and measure it on pages that it has not seen.

Features 1 (papers.md): UM(t, c) = tf(t, c) / tf(t), the share of the occurrences of term t that are
in class c. The uncertainty measure (UM) of a term is its largest over the classes; terms under the
threshold are left out, and UM is the weight of a term in the vector of a page, for a linear support
vector machine. With c classes no UM is below 1 / c, so the published threshold of 0.3 filters only
with four classes or more.

Deviations: a term has to occur in several pages, because one that occurs once has a UM of 1; the
weight is multiplied by log(1 + frequency); words of the title count more. ``AS_PRINTED`` has none
of these.

Our choice: the machine is scikit-learn's ``LinearSVC``, one class against the others; vectors are
divided by their length; classes with few pages weigh as much as those with many.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy import sparse
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax
from sklearn.base import BaseEstimator
from sklearn.feature_extraction import DictVectorizer
from sklearn.metrics import confusion_matrix, precision_recall_fscore_support
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer
from sklearn.svm import LinearSVC

from webclean_scrapy.classify.class_model import ClassModel, TrainingParameters, count_terms
from webclean_scrapy.errors import ConfigError, TrainingError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray
    from typing_extensions import Self

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
) -> Trained:
    """Return a model of *pages*, and an evaluation by models that held pages out.

    *folds*: each page is held out once (stratified cross-validation), in fewer folds when a class
    has fewer pages.

    Raises: ConfigError for a parameter out of its range; TrainingError for fewer than two classes,
    for a class of one page, and when no term is left.
    """
    given = parameters or TrainingParameters()
    _check(given, folds)
    labels: list[str] = []
    vectorizer = DictVectorizer()
    frequencies = vectorizer.fit_transform(_count(pages, given, labels))
    names, numbers = np.unique(np.array(labels, object), return_inverse=True)
    classes, counts = tuple(names.tolist()), np.bincount(numbers)
    if counts.min() < 2:
        name = classes[counts.argmin()]
        raise TrainingError(f"class {name!r} has one page; each class needs two or more")
    machine = make_machine(given)
    splits = StratifiedKFold(min(folds, counts.min()), shuffle=True, random_state=SEED)
    # Pages x classes: how far each page is on the side of each class.
    margins = cross_val_predict(
        machine, frequencies, numbers, cv=splits, method="decision_function"
    )
    if margins.ndim == 1:
        margins = np.column_stack([-margins, margins])
    model = ClassModel(
        classes=classes,
        pages=tuple(counts.tolist()),
        slope=_fit_slope(numbers, margins),
        parameters=given,
        **_read_machine(machine.fit(frequencies, numbers), vectorizer),
    )
    return Trained(model, evaluate(classes, numbers, margins.argmax(axis=1)))


class UncertaintyMeasure(BaseEstimator):  # type: ignore[misc]
    """The step of a pipeline that selects terms by their UM and weighs them by it.

    Fitted attributes: ``uncertainty``, the UM of each term, 0 for one that does not occur, and
    ``support``, whether it is kept.
    """

    def __init__(self, given: TrainingParameters) -> None:
        self.given = given

    def fit(self, frequencies: Any, numbers: Numbers) -> Self:
        """Learn from *frequencies* (pages x terms, sparse) and the *numbers* of their classes."""
        pages = np.arange(len(numbers))
        members = sparse.csr_matrix((np.ones(len(numbers)), (numbers, pages)))  # classes x pages
        in_class = (members @ frequencies).toarray()
        total = in_class.sum(axis=0)
        self.uncertainty = np.divide(
            in_class.max(axis=0), total, out=np.zeros_like(total), where=total > 0
        )
        pages_with = np.asarray((frequencies > 0).sum(axis=0)).ravel()
        self.support = (self.uncertainty >= self.given.threshold) & (total > 0)
        self.support &= pages_with >= self.given.min_pages
        if self.given.max_terms is not None:
            kept = self.support.nonzero()[0]
            order = np.lexsort((-total[kept], -self.uncertainty[kept]))  # the more frequent first
            self.support[kept[order[self.given.max_terms :]]] = False
        return self

    def transform(self, frequencies: Any) -> Any:
        """Return the weights of the terms that are kept: pages x terms kept, sparse.

        Raises: TrainingError when no term is.
        """
        if not self.support.any():
            raise TrainingError(
                f"no term occurs in {self.given.min_pages} pages and has an uncertainty measure of "
                f"at least {self.given.threshold:g}"
            )
        kept = frequencies[:, self.support]
        counts = kept.log1p() if self.given.log_counts else kept.sign()
        return counts @ sparse.diags(self.uncertainty[self.support])


def make_machine(given: TrainingParameters) -> Any:
    """Return the pipeline to fit: `UncertaintyMeasure`, ``Normalizer``, ``LinearSVC``."""
    svm = LinearSVC(C=given.penalty, class_weight="balanced", random_state=SEED, max_iter=10_000)
    return make_pipeline(UncertaintyMeasure(given), Normalizer(), svm)


def evaluate(classes: Sequence[str], true: Numbers, predicted: Numbers) -> Evaluation:
    """Return precision, recall, F1 (0 where there is nothing to divide by) and the confusion."""
    known = range(len(classes))
    precision, recall, f1, _ = precision_recall_fscore_support(
        true, predicted, labels=known, zero_division=0.0
    )
    confusion = confusion_matrix(true, predicted, labels=known)
    return Evaluation(tuple(classes), precision, recall, f1, confusion)


def _check(given: TrainingParameters, folds: int) -> None:
    if not 0 <= given.threshold <= 1:
        raise ConfigError(f"threshold must be a number from 0 to 1, got {given.threshold:g}")
    if given.max_terms is not None and given.max_terms < 1:
        raise ConfigError(f"max_terms must be a whole number of at least 1, got {given.max_terms}")
    if folds < 2:
        raise ConfigError(f"folds must be a whole number of at least 2, got {folds}")


def _count(
    pages: Iterable[LabelledPage], given: TrainingParameters, labels: list[str]
) -> Iterator[dict[str, float]]:
    """Yield the term frequencies of each page; add its label to *labels*."""
    for page in pages:
        labels.append(page.label)
        yield count_terms(page.text, page.title, title_weight=given.title_weight)
    if len(set(labels)) < 2:
        raise TrainingError(f"two classes or more are needed, found {len(set(labels))}")


def _read_machine(machine: Any, vectorizer: DictVectorizer) -> dict[str, Any]:
    """Return the terms and numbers of a fitted pipeline, as fields of a `ClassModel`."""
    selector, _, svm = (step for _, step in machine.steps)
    weights, intercepts = svm.coef_, svm.intercept_
    if len(weights) == 1:  # two classes: the margin is the second one's
        weights = np.vstack([-weights, weights])
        intercepts = np.concatenate([-intercepts, intercepts])
    kept = selector.support
    return {
        "terms": tuple(vectorizer.get_feature_names_out()[kept].tolist()),
        "uncertainty": selector.uncertainty[kept].round(DIGITS),
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
