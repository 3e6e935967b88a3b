"""Select and weight terms by their uncertainty measure, as a transformer of scikit-learn.

Features 1 (papers.md): UM(t, c) = tf(t, c) / tf(t), the share of the occurrences of term t that are
in class c. The UM of a term is its largest over the classes; terms under the threshold are left
out, and UM is the weight of a term in the vector of a page.

Deviations: a term has to occur in *min_df* pages, because one that occurs once has a UM of 1; the
weight is multiplied by log(1 + frequency) (*sublinear_tf*).

Needs the extra ``classify``; nothing else of the package imports scikit-learn but `training`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, check_non_negative, validate_data

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from typing_extensions import Self


class UncertaintyMeasure(SelectorMixin, BaseEstimator):  # type: ignore[misc]
    """Turns term frequencies into vectors weighted by the uncertainty measure (UM).

    *threshold*: smallest UM of a term that is kept, 0..1. With c classes no UM is below 1 / c, so
    the published 0.3 filters only with four classes or more.
    *max_features*: keep only so many, those of largest UM; of equal ones the more frequent first.
    *min_df*: smallest number of pages that a term has to occur in.
    *sublinear_tf*: replace the frequency tf by log(1 + tf).

    Fitted attributes: ``classes_``; ``uncertainty_``, the UM of each feature, 0 for one that does
    not occur (shape: features).
    """

    def __init__(
        self,
        threshold: float = 0.3,
        *,
        max_features: int | None = None,
        min_df: int = 1,
        sublinear_tf: bool = True,
    ) -> None:
        self.threshold = threshold
        self.max_features = max_features
        self.min_df = min_df
        self.sublinear_tf = sublinear_tf

    def fit(self, X: Any, y: Any) -> Self:  # noqa: N803, names of scikit-learn
        """Learn the UM of each term from frequencies *X* (pages x terms, >= 0) and classes *y*.

        Cost: linear in the values of *X*, plus classes x terms.
        """
        frequencies, labels = validate_data(
            self, X, y, accept_sparse="csr", dtype=[np.float64, np.float32]
        )
        check_non_negative(frequencies, type(self).__name__)
        check_classification_targets(labels)
        self.classes_, numbers = np.unique(labels, return_inverse=True)
        pages = np.arange(len(numbers))
        members = sparse.csr_matrix((np.ones(len(numbers)), (numbers, pages)))  # classes x pages
        in_class = members @ frequencies
        if sparse.issparse(in_class):
            in_class = in_class.toarray()
        total = in_class.sum(axis=0)
        self.uncertainty_ = np.divide(
            in_class.max(axis=0), total, out=np.zeros_like(total), where=total > 0
        )
        pages_with = np.asarray((frequencies > 0).sum(axis=0)).ravel()
        support = (self.uncertainty_ >= self.threshold) & (total > 0) & (pages_with >= self.min_df)
        if self.max_features is not None:
            kept = support.nonzero()[0]
            order = np.lexsort((-total[kept], -self.uncertainty_[kept]))
            support[kept[order[self.max_features :]]] = False
        self._support: NDArray[np.bool_] = support
        return self

    def transform(self, X: Any) -> Any:  # noqa: N803
        """Return the weights of the terms that are kept: pages x terms kept, sparse if *X* is."""
        check_is_fitted(self)
        frequencies = validate_data(
            self, X, accept_sparse="csr", dtype=[np.float64, np.float32], reset=False
        )
        check_non_negative(frequencies, type(self).__name__)
        kept = frequencies[:, self._support]
        weights = self.uncertainty_[self._support].astype(kept.dtype)
        if self.sublinear_tf:
            kept = kept.log1p() if sparse.issparse(kept) else np.log1p(kept)
        return kept @ sparse.diags(weights) if sparse.issparse(kept) else kept * weights

    def _get_support_mask(self) -> NDArray[np.bool_]:
        check_is_fitted(self)
        return self._support

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.positive_only = True
        tags.input_tags.sparse = True
        return tags
