from __future__ import annotations

import json
from importlib import resources

import numpy as np
import pytest

from webclean_scrapy.cleaning.kind.kind_model import (
    FEATURES,
    KINDS,
    KindWeights,
    default_kind_weights,
    softmax,
)

NONE = dict.fromkeys(FEATURES[1:], 0.0)


def test_the_reason_is_what_weighs_most_for_this_kind_and_not_for_all() -> None:
    model = KindWeights.from_dict(
        {
            "threshold": 0.1,
            "weights": {
                **{kind: {"buttons": 4.0} for kind in KINDS},
                "forum": {"one": 9.0, "buttons": 4.5, "dates": 1.0, "posts": 5.0},
            },
        }
    )
    signs = NONE | {"buttons": 1.0, "dates": 0.8, "posts": 0.0}

    assert model.reason(signs, "forum") == "dates"
    assert model.probabilities(signs)["forum"] > 0.99


def test_softmax_bears_large_numbers() -> None:
    assert softmax(np.array([1e6, 0.0])).tolist() == [1.0, 0.0]
    assert softmax(np.array([[0.0, 0.0], [0.0, np.log(3)]])) == pytest.approx(
        np.array([[0.5, 0.5], [0.25, 0.75]])
    )


def test_the_weights_of_the_package_are_read_once_and_cover_every_kind() -> None:
    file = resources.files("webclean_scrapy.cleaning.kind").joinpath("weights.json")
    data = json.loads(file.read_text("utf-8"))

    assert default_kind_weights() is default_kind_weights()
    assert set(data["weights"]) == set(KINDS)
    assert 0.0 < data["threshold"] < 0.5
