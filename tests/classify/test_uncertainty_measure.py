import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

from webclean_scrapy.classify.uncertainty_measure import UncertaintyMeasure

# Three classes; columns: only in a, as often in all, mostly in b, nowhere, once in c.
FREQUENCIES = np.array([[4.0, 2, 1, 0, 0], [2, 0, 0, 0, 0], [0, 2, 6, 0, 0], [0, 2, 1, 0, 1]])
CLASSES = ["a", "a", "b", "c"]


def test_it_passes_every_check_of_scikit_learn() -> None:
    code = (
        "from sklearn.utils.estimator_checks import check_estimator\n"
        "from webclean_scrapy.classify.uncertainty_measure import UncertaintyMeasure\n"
        "done = check_estimator(UncertaintyMeasure(), on_skip=None)\n"
        "print(len(done), {one['status'] for one in done})"
    )
    environment = {**os.environ, "SCIPY_ARRAY_API": "1"}  # without it one check is skipped
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    count, statuses = done.stdout.split(maxsplit=1)
    assert int(count) >= 40
    assert statuses.strip() == "{'passed'}"


def test_the_measure_is_the_largest_share_of_a_term_in_a_class() -> None:
    made = UncertaintyMeasure().fit(FREQUENCIES, CLASSES)
    np.testing.assert_allclose(made.uncertainty_, [1, 1 / 3, 6 / 8, 0, 1])
    assert made.classes_.tolist() == CLASSES[1:]


@pytest.mark.parametrize(
    ("options", "kept"),
    [
        ({}, [0, 1, 2, 4]),
        ({"threshold": 0.34}, [0, 2, 4]),
        ({"threshold": 0.0}, [0, 1, 2, 4]),
        ({"min_df": 2}, [0, 1, 2]),
        ({"max_features": 1}, [0]),  # of the measure 1 it is the more frequent
    ],
)
def test_the_terms_that_are_kept(options: dict[str, Any], kept: list[int]) -> None:
    made = UncertaintyMeasure(**options).fit(FREQUENCIES, CLASSES)
    assert made.get_support(indices=True).tolist() == kept
    names = made.get_feature_names_out(["t0", "t1", "t2", "t3", "t4"])
    assert names.tolist() == [f"t{column}" for column in kept]
    assert made.transform(FREQUENCIES).shape == (4, len(kept))


def test_the_measure_is_the_weight_of_a_term_in_the_vector() -> None:
    plain = UncertaintyMeasure(sublinear_tf=False).fit_transform(FREQUENCIES, CLASSES)
    np.testing.assert_allclose(plain[2], [0, 2 / 3, 6 * 6 / 8, 0])
    vector = UncertaintyMeasure().fit_transform(FREQUENCIES, CLASSES)[2]
    np.testing.assert_allclose(vector, [0, np.log(3) / 3, np.log(7) * 6 / 8, 0])


@given(
    arrays(np.float64, (6, 5), elements=st.integers(0, 9).map(float)),
    st.lists(st.sampled_from("abc"), min_size=6, max_size=6),
    st.booleans(),
)
def test_whatever_the_frequencies(
    frequencies: np.ndarray[tuple[int, int], np.dtype[np.float64]], classes: list[str], log: bool
) -> None:
    made = UncertaintyMeasure(0.0, sublinear_tf=log).fit(frequencies, classes)
    occurs = frequencies.any(axis=0)
    assert (made.get_support() == occurs).all()
    least = 1 / len(set(classes))
    assert (made.uncertainty_[occurs] >= least - 1e-12).all()
    assert (made.uncertainty_ <= 1).all()
    if not occurs.any():
        return
    packed = UncertaintyMeasure(0.0, sublinear_tf=log).fit(sparse.csr_array(frequencies), classes)
    np.testing.assert_allclose(packed.uncertainty_, made.uncertainty_)
    vectors = made.transform(frequencies)
    np.testing.assert_allclose(packed.transform(sparse.csr_array(frequencies)).toarray(), vectors)
    back = made.inverse_transform(vectors)
    np.testing.assert_allclose(back[:, made.get_support()], vectors)
    assert not back[:, ~made.get_support()].any()
