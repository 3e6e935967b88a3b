from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.data import load_demo
from benchmarks.fitting import kind_weights
from benchmarks.fitting.kind_examples import FOLDS, KindExample, read_kind_examples
from benchmarks.fitting.kind_weights import example_weights, fit_kinds, to_dict
from benchmarks.kinds import kinds_page
from webclean_scrapy.cleaning.kind.kind_model import FEATURES, KindWeights
from webclean_scrapy.cleaning.kind.kind_names import ARTICLE, KINDS, LISTING


@pytest.fixture(scope="module")
def examples() -> list[KindExample]:
    pages = load_demo()
    wanted = [key for key, page in pages.items() if page.kind == ARTICLE][:12]
    wanted += [key for key, page in pages.items() if page.kind != ARTICLE][:8]
    few = read_kind_examples({"own": {key: pages[key] for key in wanted}})
    return [replace(one, site=f"{number}.example") for number, one in enumerate(few)]


def test_labels_become_the_kinds_of_the_package(examples: list[KindExample]) -> None:
    assert {(one.label, one.kind) for one in examples} == {(ARTICLE, ARTICLE), ("list", LISTING)}
    pages = {"ad": replace(next(iter(load_demo().values())), kind="ad")}
    assert read_kind_examples({"own": pages}) == []


def test_pages_of_one_site_are_in_one_fold() -> None:
    pages = dict(list(load_demo().items())[:3])

    folds = {one.fold for one in read_kind_examples({"own": pages})}

    assert len(folds) == 1
    assert folds <= set(range(FOLDS))


def test_articles_and_other_pages_share_the_weight(examples: list[KindExample]) -> None:
    weights = example_weights(examples)
    articles = np.array([one.kind == ARTICLE for one in examples])

    assert weights[articles].sum() == pytest.approx(kind_weights.ARTICLES)
    assert weights.sum() == pytest.approx(1.0)


def test_a_fit_tells_lists_from_articles_of_sites_that_were_left_out(
    examples: list[KindExample],
) -> None:
    fitted = fit_kinds(examples)

    right = [kind.name == one.kind for one, kind in zip(examples, fitted.by_site, strict=True)]
    assert np.mean(right) > 0.8
    page = "\n\n".join(kinds_page(examples, fitted))
    assert "said article" in page
    assert "set left out" in page


def test_weights_survive_their_file() -> None:
    weights = np.round(np.random.default_rng(1).normal(size=(len(FEATURES), len(KINDS))), 3)

    again = KindWeights.from_dict(json.loads(json.dumps(to_dict(KindWeights(weights, 0.125)))))

    assert again.threshold == 0.125
    assert np.array_equal(again.weights, weights)
