"""A trained model: predicts the class of a page, and is kept as a file of JSON.

Features 1 (papers.md): the vector of a page is multiplied by the weights of a linear support vector
machine, one column for each class. Prediction needs numpy alone.

Our choice: the margins of the classes become scores by ``softmax(slope x margins)``, with one slope
for the model, fitted on pages that the machine had not seen ("temperature scaling", Guo et al.
2017, papers.md). The class with the largest margin keeps the largest score.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from webclean_scrapy.errors import ModelFileError
from webclean_scrapy.json_files import read_json, write_json
from webclean_scrapy.keywords.segment import cut_words, fold_simplified, simplify
from webclean_scrapy.keywords.tag_weights import BODY, TITLE
from webclean_scrapy.keywords.tfidf import clean_text

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from numpy.typing import NDArray
    from typing_extensions import Self

FORM = "webclean-classes", 2  # of a file: its name and version


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
        write_json(path, FORM, self.to_data())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Return the model in *path*. Raises: ModelFileError."""
        return cls.from_data(read_json(path, FORM, ModelFileError))

    def to_data(self) -> dict[str, Any]:
        """Return the model as plain values: each term has its UM and its weight in each class."""
        rows = np.column_stack([self.uncertainty, self.weights]).tolist()
        return {
            "classes": dict(zip(self.classes, self.pages, strict=True)),
            "parameters": asdict(self.parameters),
            "slope": self.slope,
            "intercepts": self.intercepts.tolist(),
            "terms": dict(zip(self.terms, rows, strict=True)),
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """Return the model of plain values."""
        rows = np.array(list(data["terms"].values()), np.float64)
        return cls(
            classes=tuple(data["classes"]),
            pages=tuple(data["classes"].values()),
            terms=tuple(data["terms"]),
            uncertainty=rows[:, 0].copy(),
            weights=rows[:, 1:].copy(),
            intercepts=np.array(data["intercepts"], np.float64),
            slope=data["slope"],
            parameters=TrainingParameters(**data["parameters"]),
        )


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
