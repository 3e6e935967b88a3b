from __future__ import annotations

from itertools import groupby

import numpy as np
import pytest

from benchmarks.ablations import WHOLE, Variant, measure_ablations, variants
from benchmarks.ablations_page import ablations_page
from benchmarks.data import load_demo
from benchmarks.fitting.features import FEATURES, LEARNED, PARAGRAPHS, PLAIN
from benchmarks.fitting.fit import Example, FitOptions, fit, read_examples
from webclean_scrapy import CleanConfig

SETS = {"one": dict(list(load_demo().items())[:24])}


@pytest.fixture(scope="module")
def examples() -> list[Example]:
    return read_examples(SETS)


def test_a_fixed_limit_takes_the_steps_that_lose_less(examples: list[Example]) -> None:
    taken, refused = [], []
    for limit in (0.1, 0.2):
        fitted = fit(examples, FitOptions(limit=limit, weigh=PLAIN))
        for example in examples:
            features = example.features
            walk = features.walk(features.probability(fitted.line), fitted.step, fitted.weigh)
            decay = walk.features[:, FEATURES["step"].index("decay")]
            taken += (decay[: walk.stop] / limit).tolist()
            refused += (decay[walk.stop : walk.stop + 1] / limit).tolist()

    assert max(taken) < 1 <= min(refused)


def test_without_the_walk_the_body_is_selected_from_the_whole_page(
    examples: list[Example],
) -> None:
    fitted = fit(examples, FitOptions(limit=-1.0))

    for example in examples:
        features = example.features
        assert features.walk(features.probability(fitted.line), fitted.step).row == 0


def test_lines_weigh_what_is_asked_for(examples: list[Example]) -> None:
    page = examples[0].features
    columns = page.evidence.table.columns
    none = np.zeros(len(columns.units))

    plain, paragraphs, learned = (
        page.walk(none, weigh=weigh).line_weights for weigh in (PLAIN, PARAGRAPHS, LEARNED)
    )

    assert np.allclose(plain, columns.units - columns.linked)
    assert np.allclose(paragraphs, page.evidence.weights)
    assert not learned.any()
    assert plain.sum() > paragraphs.sum() > 0


def test_features_that_are_left_out_weigh_nothing(examples: list[Example]) -> None:
    whole = fit(examples, FitOptions())
    used = {
        names[int(np.flatnonzero(getattr(whole, model))[-1])] for model, names in FEATURES.items()
    }

    fitted = fit(examples, FitOptions(left_out=frozenset(used)))

    for model, names in FEATURES.items():
        at = [at for at, name in enumerate(names) if name in used]
        assert getattr(whole, model)[at].any()
        assert not getattr(fitted, model)[at].any()


def test_variants_have_names_of_their_own_and_are_read_once_a_configuration() -> None:
    found = variants()

    assert found[0].name == WHOLE
    assert len({variant.name for variant in found}) == len(found)
    assert len(list(groupby(found, key=lambda variant: variant.config))) == len(
        {repr(variant.config) for variant in found}
    )
    assert [variant.name for variant in variants("Ct =")] == [WHOLE, "Ct = 3", "Ct = 10"]


def test_features_of_an_evidence_are_known_to_the_models() -> None:
    known = {name for names in FEATURES.values() for name in names}

    for variant in variants("no features"):
        assert variant.name == WHOLE or variant.options.left_out
        assert variant.options.left_out < known


def test_each_variant_is_scored_on_the_same_articles() -> None:
    chosen = [
        Variant(WHOLE),
        Variant("no body", options=FitOptions(threshold=1e9)),
        Variant("alone", CleanConfig(denoise="off")),
    ]

    whole, empty, alone = measure_ablations(SETS, chosen)

    assert (whole.name, empty.name, alone.name) == (WHOLE, "no body", "alone")
    assert len(whole.pairs["one"]) == len(empty.pairs["one"]) == len(alone.pairs["one"])
    assert len(whole.beside["one"]) == len(alone.beside["one"]) > 0
    assert whole.mean(["one"]) > 0.97
    assert empty.mean(["one"]) == 0


def test_the_page_has_a_row_for_each_variant() -> None:
    chosen = [v for v in variants() if v.name in (WHOLE, "T = .66")]

    rows = [part for part in "\n".join(ablations_page(SETS, chosen)).split("\n") if "| T =" in part]

    assert len(rows) == 2  # of all articles, and of those with a sibling
    assert rows[0].count("|") == 6
