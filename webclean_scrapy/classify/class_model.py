"""A trained model: predicts the class of a page, and is kept as a file of JSON.

Features 1 (papers.md): the vector of a page is multiplied by the weights of a linear support vector
machine, one column for each class. Prediction needs numpy alone.

Our choice: the margins of the classes become scores by ``softmax(slope x margins)``, with one slope
for the model, fitted on pages that the machine had not seen ("temperature scaling", Guo et al.
2017, papers.md). The class with the largest margin keeps the largest score.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from webclean_scrapy.errors import ModelFileError
from webclean_scrapy.file_modes import replace_text
from webclean_scrapy.keywords.segment import cut_words, fold_simplified, simplify
from webclean_scrapy.keywords.tag_weights import BODY, TITLE
from webclean_scrapy.keywords.tfidf import clean_text

if TYPE_CHECKING:
    import os

    from numpy.typing import NDArray
    from typing_extensions import Self

FILE_FORMAT = "webclean-classes"
FILE_VERSION = 1
LARGEST = 1e9  # no number of a model is near it; the sums of smaller ones do not overflow


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingParameters:
    """Parameters that a model was trained with."""

    threshold: float = 0.3  # smallest UM of a term
    max_terms: int | None = None  # with the largest UM; None: all
    min_pages: int = 2  # smallest number of pages that a term occurs in
    title_weight: float = TITLE  # of a word of the title; one of the text has 1
    penalty: float = 1.0  # C of the support vector machine
    log_counts: bool = True  # a term counts UM x log(1 + frequency); else UM, however frequent


AS_PRINTED = TrainingParameters(min_pages=1, title_weight=BODY, log_counts=False)


@dataclass(frozen=True, slots=True)
class Prediction:
    """The most likely class of a page, and the score of every class, 0..1, summing to 1."""

    name: str
    scores: dict[str, float]


@dataclass(frozen=True, eq=False)
class ClassModel:
    """A trained model. Threads may share one."""

    classes: tuple[str, ...]
    pages: tuple[int, ...]  # labelled pages of each class
    terms: tuple[str, ...]
    uncertainty: NDArray[np.float64]  # UM of each term, 0..1
    weights: NDArray[np.float64]  # terms x classes
    intercepts: NDArray[np.float64]  # of each class
    slope: float  # > 0, from margins to scores
    parameters: TrainingParameters

    @cached_property
    def _columns(self) -> dict[str, int]:
        return {term: number for number, term in enumerate(self.terms)}

    def predict(self, text: str, *, title: str = "") -> Prediction | None:
        """Return the class of a page; None when no term of the model is in it. Cost: linear."""
        weight = self.parameters.title_weight
        counts = count_terms(text, title, title_weight=weight)
        found = [(self._columns[t], n) for t, n in counts.items() if t in self._columns]
        if not found:
            return None
        at = np.array([column for column, _ in found])
        vector = self.uncertainty[at]
        if self.parameters.log_counts:
            vector = vector * np.log1p([count for _, count in found])
        margins = vector @ self.weights[at] / np.linalg.norm(vector) + self.intercepts
        scores = to_scores(margins, self.slope)
        named = dict(zip(self.classes, scores.tolist(), strict=True))
        return Prediction(self.classes[int(margins.argmax())], named)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to *path*. A crash leaves the file unchanged. Raises: OSError."""
        replace_text(path, json.dumps(self.to_data(), ensure_ascii=False) + "\n")

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Return the model in *path*. Raises: ModelFileError."""
        try:
            return cls.from_data(json.loads(Path(path).read_text(encoding="utf-8")))
        except (OSError, ValueError, RecursionError, MemoryError) as error:
            raise ModelFileError(f"cannot read a model from {path}: {error}") from error

    def to_data(self) -> dict[str, Any]:
        """Return the model as plain values: each term has its UM and its weight in each class."""
        rows = np.column_stack([self.uncertainty, self.weights]).tolist()
        return {
            "format": FILE_FORMAT,
            "version": FILE_VERSION,
            "classes": dict(zip(self.classes, self.pages, strict=True)),
            "parameters": asdict(self.parameters),
            "slope": self.slope,
            "intercepts": self.intercepts.tolist(),
            "terms": dict(zip(self.terms, rows, strict=True)),
        }

    @classmethod
    def from_data(cls, data: Any) -> Self:
        """Return the model of plain values. Raises: ValueError, for wrong or missing ones."""
        if not isinstance(data, dict) or data.get("format") != FILE_FORMAT:
            raise ValueError(f"it is not a {FILE_FORMAT} file")
        if data.get("version") != FILE_VERSION:
            raise ValueError(f"it has version {data.get('version')!r}, expected {FILE_VERSION}")
        try:
            rows = np.array(list(data["terms"].values()), np.float64)
            model = cls(
                classes=tuple(data["classes"]),
                pages=tuple(map(int, data["classes"].values())),
                terms=tuple(data["terms"]),
                uncertainty=rows[:, 0].copy(),
                weights=rows[:, 1:].copy(),
                intercepts=np.array(data["intercepts"], np.float64),
                slope=float(data["slope"]),
                parameters=TrainingParameters(**data["parameters"]),
            )
            model._check()
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise ValueError(f"it is damaged: {error!r}") from error
        return model

    def _check(self) -> None:
        """Raise ValueError unless all numbers are there and in their range."""
        size = (len(self.terms), len(self.classes))
        weight = self.parameters.title_weight
        numbers = [*self.weights.flat, *self.intercepts.flat, self.slope, weight]
        if not (
            self.weights.shape == size
            and self.intercepts.shape == size[1:]
            and len(self.classes) >= 2
            and min(self.pages) > 0
            and bool(((self.uncertainty > 0) & (self.uncertainty <= 1)).all())
            and bool((np.abs(numbers) < LARGEST).all())  # not a number is not below it
            and min(self.slope, weight) > 0
        ):
            raise ValueError("a number is out of its range, or one is missing")


def count_terms(text: str, title: str = "", *, title_weight: float) -> dict[str, float]:
    """Return the weighted frequency of each term; a word of *title* counts *title_weight* times.

    A term is a word without case and accents, Chinese simplified. Cost: linear.

    >>> count_terms("The café", "Cafe", title_weight=5.0)
    {'cafe': 6.0, 'the': 1.0}
    """
    counts: dict[str, float] = defaultdict(float)
    for block, weight in ((title, title_weight), (text, BODY)):
        for word, count in Counter(cut_words(simplify(clean_text(block)))).items():
            counts[fold_simplified(word)] += count * weight
    return dict(counts)


def to_scores(margins: NDArray[np.float64], slope: float) -> NDArray[np.float64]:
    """Return the scores of margins, 0..1, summing to 1 over the last axis."""
    powers = np.exp(slope * (margins - margins.max(axis=-1, keepdims=True)))
    scores: NDArray[np.float64] = powers / powers.sum(axis=-1, keepdims=True)
    return scores
