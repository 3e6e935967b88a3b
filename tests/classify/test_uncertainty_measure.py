from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

from webclean_scrapy.classify.class_model import AS_PRINTED, TrainingParameters
from webclean_scrapy.classify.training import UncertaintyMeasure

# Three classes; columns: only in a, as often in all, mostly in b, nowhere, once in c.
FREQUENCIES = sparse.csr_matrix(
    [[4.0, 2, 1, 0, 0], [2, 0, 0, 0, 0], [0, 2, 6, 0, 0], [0, 2, 1, 0, 1]]
)
CLASSES = np.array([0, 0, 1, 2])


def fitted(frequencies: Any = FREQUENCIES, classes: Any = CLASSES, **options: Any) -> Any:
    parameters = TrainingParameters(**{"min_pages": 1, **options})
    return UncertaintyMeasure(parameters).fit(frequencies, classes)


def test_the_measure_is_the_largest_share_of_a_term_in_a_class() -> None:
    np.testing.assert_allclose(fitted().uncertainty, [1, 1 / 3, 6 / 8, 0, 1])


@pytest.mark.parametrize(
    ("options", "kept"),
    [
        ({}, [0, 1, 2, 4]),
        ({"threshold": 0.34}, [0, 2, 4]),
        ({"threshold": 0.0}, [0, 1, 2, 4]),
        ({"min_pages": 2}, [0, 1, 2]),
        ({"max_terms": 1}, [0]),  # of the measure 1 it is the more frequent
    ],
)
def test_the_terms_that_are_kept(options: dict[str, Any], kept: list[int]) -> None:
    made = fitted(**options)
    assert made.support.nonzero()[0].tolist() == kept
    assert made.transform(FREQUENCIES).shape == (4, len(kept))


def test_the_measure_is_the_weight_of_a_term_in_the_vector() -> None:
    vector = fitted().transform(FREQUENCIES).toarray()[2]
    np.testing.assert_allclose(vector, [0, np.log(3) / 3, np.log(7) * 6 / 8, 0])


def test_as_printed_the_measure_alone_is_the_weight_of_every_term() -> None:
    made = UncertaintyMeasure(AS_PRINTED).fit(FREQUENCIES, CLASSES)
    np.testing.assert_allclose(made.transform(FREQUENCIES).toarray()[3], [0, 1 / 3, 6 / 8, 1])


@given(
    arrays(np.float64, (6, 5), elements=st.integers(0, 9).map(float)),
    st.lists(st.integers(0, 2), min_size=6, max_size=6),
)
def test_whatever_the_frequencies(
    frequencies: np.ndarray[tuple[int, int], np.dtype[np.float64]], classes: list[int]
) -> None:
    made = fitted(sparse.csr_matrix(frequencies), np.array(classes), threshold=0.0)
    occurs = frequencies.any(axis=0)
    assert (made.support == occurs).all()
    assert (made.uncertainty[occurs] >= 1 / len(set(classes)) - 1e-12).all()
    assert (made.uncertainty <= 1).all()


def test_two_of_three_occurrences_in_a_class_worked_by_hand() -> None:
    """Features 1: UM(t, c) = tf(t, c) / tf(t)."""
    frequencies = sparse.csr_matrix(np.array([[2.0], [1.0]]))
    found = UncertaintyMeasure(TrainingParameters()).fit(frequencies, np.array([0, 1]))
    assert found.uncertainty == pytest.approx([2 / 3])
