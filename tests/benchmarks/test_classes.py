from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.feature_selection import mutual_info_classif

from benchmarks.classes import (
    METHODS,
    ClassPage,
    classes_section,
    fit_method,
    information_gain,
    measure_selection,
    mutual_information,
    section_of,
)
from tests.classify.labelled import records

# Three pages of class 0, three of class 1; columns: all of 0, one of each, two of 0 and one of 1.
FREQUENCIES = sparse.csr_array(
    np.array([[1, 2, 3], [4, 0, 1], [1, 0, 0], [0, 1, 0], [0, 0, 5], [0, 0, 0]], float)
)
CLASSES = np.array([0, 0, 0, 1, 1, 1])
PAGES = [
    ClassPage(one["class"], one["title"], one["text"], [(one["text"], 1.0)]) for one in records()
]


@pytest.mark.parametrize(
    ("url", "section"),
    [
        ("https://a.example/sport/2024/final.html", "sport"),
        ("https://sports.a.example/final.html", "sport"),
        ("https://a.example/2024/sci-tech/a.html", "technology"),
        ("http://a.example/news/health-22036778", "health"),
        ("https://a.example/music-of-the-town.html", None),
        ("https://a.sport/", None),
        ("", None),
    ],
)
def test_a_section_is_named_by_a_folder_or_the_host(url: str, section: str | None) -> None:
    assert section_of(url) == section


def test_information_gain_is_that_of_scikit_learn() -> None:
    theirs = mutual_info_classif(FREQUENCIES.sign(), CLASSES, discrete_features=True)
    np.testing.assert_allclose(information_gain(FREQUENCIES, CLASSES), theirs, atol=1e-12)


def test_mutual_information_is_that_of_a_term_and_its_best_class() -> None:
    expected = np.log([2.0, 1.0, 4 / 3])
    np.testing.assert_allclose(mutual_information(FREQUENCIES, CLASSES), expected)


@pytest.mark.parametrize("method", METHODS)
def test_each_method_keeps_as_many_terms_and_none_of_a_single_page(method: str) -> None:
    alone = sparse.hstack([FREQUENCIES, sparse.csr_array([[9.0]] + [[0.0]] * 5)], format="csr")
    for size, kept in ((1, 1), (2, 2), (None, 3)):
        support = fit_method(method, alone, CLASSES, size)[0].get_support()
        assert (support.sum(), support[3]) == (kept, False)


def test_easy_pages_are_told_apart_by_every_method() -> None:
    runs, by_class = measure_selection(PAGES, seeds=2, sizes=(8, None))
    assert len(runs) == 2 * len(METHODS)
    assert {run.mean for (size, _), run in runs.items() if size is None} == {(1.0, 1.0, 1.0)}
    assert {len(run.figures) for run in runs.values()} == {2}
    assert all(run.seconds > 0 for run in runs.values())
    assert by_class.confusion.sum() == 2 * len(PAGES)


def test_the_section_has_a_table_of_methods_one_of_classes_and_one_of_weights() -> None:
    methods, classes, weights, scores = classes_section(PAGES, seeds=1).split("\n\n")
    assert len(methods.splitlines()) == 2 + 5 * len(METHODS)
    assert [line.split(" | ")[0].strip("| ") for line in classes.splitlines()[2:]] == [
        "harbour", "kitchen", "铁路",
    ]  # fmt: skip
    assert len(weights.splitlines()) == 2 + 3
    assert scores.startswith("`train`: 1 of unseen pages are right, mean score ")
