import random

import numpy as np
import pytest

from tests.classify.labelled import page_text, records
from webclean_scrapy.classify.class_model import ClassModel, TrainingParameters
from webclean_scrapy.classify.training import LabelledPage, train
from webclean_scrapy.errors import ConfigError, TrainingError

PAGES = [LabelledPage(one["class"], one["text"], one["title"]) for one in records()]
TWO = [page for page in PAGES if page.label != "kitchen"]


@pytest.mark.parametrize("pages", [PAGES, TWO], ids=["three classes", "two classes"])
def test_unseen_pages_are_given_their_class(pages: list[LabelledPage]) -> None:
    model, evaluation = train(pages)
    labels = sorted({page.label for page in pages})
    assert list(evaluation.classes) == list(model.classes) == labels
    assert (evaluation.confusion == np.diag([6] * len(labels))).all()
    assert evaluation.f1.tolist() == [1.0] * len(labels)
    for label in labels:
        found = model.predict(page_text(label, seed=99))
        assert found is not None
        assert found.name == label
        assert found.scores[label] > 0.6


def test_words_that_all_classes_share_are_no_terms() -> None:
    model = train(PAGES, TrainingParameters(threshold=0.8)).model
    assert {"ferry", "oven", "列车"} <= set(model.terms)
    assert not {"the", "town", "people"} & set(model.terms)
    assert dict(zip(model.terms, model.uncertainty, strict=True))["oven"] == 1.0


def test_a_model_is_of_all_pages_and_remembers_how_it_was_made() -> None:
    given = TrainingParameters(threshold=0.4, max_terms=30)
    model = train(PAGES, given, folds=2).model
    assert model.pages == (6, 6, 6)
    assert ClassModel.from_data(model.to_data()).parameters == given


def test_scores_are_less_sure_where_held_out_pages_are_confused() -> None:
    labels = random.Random(2).sample([page.label for page in PAGES], k=len(PAGES))
    chance = [page._replace(label=label) for page, label in zip(PAGES, labels, strict=True)]
    sure, unsure = train(PAGES).model, train(chance).model
    assert sure.slope > 3 * unsure.slope
    text = "ferry quay buoy"
    scores = [max(found.scores.values()) for m in (sure, unsure) if (found := m.predict(text))]
    assert scores[0] > 0.75
    assert scores[1] < 0.6


def test_classes_with_few_pages_weigh_as_much_as_those_with_many() -> None:
    many = [LabelledPage("harbour", page_text("harbour", seed, 8)) for seed in range(60)]
    few = [LabelledPage("kitchen", page_text("kitchen", seed, 8)) for seed in range(4)]
    model = train([*many, *few]).model
    assert abs(model.intercepts).max() < 0.3


@pytest.mark.parametrize(
    ("pages", "options", "error", "message"),
    [
        (PAGES[:6], {}, TrainingError, "two classes or more are needed, found 1"),
        (PAGES[:7], {}, TrainingError, "class 'kitchen' has one page"),
        ([LabelledPage(n, "。") for n in "aabb"], {}, TrainingError, "no term occurs in 2 pages"),
        (PAGES, {"folds": 1}, ConfigError, "folds must be a whole number of at least 2"),
    ],
)
def test_what_cannot_be_learned_is_said(
    pages: list[LabelledPage], options: dict[str, float], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        train(pages, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"threshold": 1.1}, "threshold must be a number from 0 to 1, got 1.1"),
        ({"max_terms": 0}, "max_terms must be a whole number of at least 1"),
    ],
)
def test_a_wrong_parameter_is_named(parameters: dict[str, float], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        train(PAGES, TrainingParameters(**parameters))  # type: ignore[arg-type]
