from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.commands.running import printed_by
from webclean_scrapy.classify.class_model import ClassModel, TrainingParameters, to_scores
from webclean_scrapy.errors import ModelFileError

SMALL: dict[str, Any] = {
    "classes": {"harbour": 3, "kitchen": 2},
    "parameters": {
        "threshold": 0.3, "max_terms": None, "min_pages": 2, "title_weight": 5.0, "penalty": 1.0,
    },
    "slope": 2.0,
    "intercepts": [0.1, -0.1],
    "terms": {"ferry": [1.0, 2.0, -2.0], "oven": [0.8, -1.5, 1.5]},
}  # fmt: skip

names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
numbers = st.floats(-1e6, 1e6, allow_subnormal=False)


@st.composite
def models(draw: st.DrawFn) -> ClassModel:
    classes = draw(st.lists(names, min_size=2, max_size=4, unique=True))
    terms = draw(st.lists(names, min_size=1, max_size=5, unique=True))
    shares = st.floats(0.001, 1)
    return ClassModel(
        classes=tuple(classes),
        pages=tuple(draw(st.integers(1, 10**6)) for _ in classes),
        terms=tuple(terms),
        uncertainty=np.array([draw(shares) for _ in terms]),
        weights=np.array([[draw(numbers) for _ in classes] for _ in terms]),
        intercepts=np.array([draw(numbers) for _ in classes]),
        slope=draw(st.floats(0.01, 100)),
        parameters=TrainingParameters(
            threshold=draw(shares), max_terms=draw(st.none() | st.integers(1, 9))
        ),
    )


def test_a_page_has_the_class_of_its_words() -> None:
    model = ClassModel.from_data(SMALL)
    found = model.predict("The OVEN is hot.")
    assert found is not None
    margins = np.array([-1.5 + 0.1, 1.5 - 0.1])
    assert found.name == "kitchen"
    assert found.scores == pytest.approx(
        dict(zip(model.classes, to_scores(margins, 2.0), strict=True))
    )
    assert sum(found.scores.values()) == pytest.approx(1)


def test_a_word_of_the_title_weighs_more() -> None:
    model = ClassModel.from_data(SMALL)
    plain = model.predict("ferry oven")
    titled = model.predict("ferry oven", title="Oven")
    assert plain is not None
    assert titled is not None
    assert plain.name == "harbour"
    assert titled.name == "kitchen"


def test_as_printed_a_word_counts_once_and_the_title_is_text() -> None:
    made = {**SMALL["parameters"], "title_weight": 1.0, "log_counts": False}
    printed = ClassModel.from_data({**SMALL, "parameters": made})
    once, often = printed.predict("ferry oven"), printed.predict("oven oven oven", title="ferry")
    assert once == often
    assert ClassModel.from_data(SMALL).predict("oven oven oven", title="ferry") != once


@pytest.mark.parametrize("text", ["", "nothing known", "\ud800 \0", "。"])
def test_a_text_without_a_term_of_the_model_has_no_class(text: str) -> None:
    assert ClassModel.from_data(SMALL).predict(text) is None


@given(models(), st.text(max_size=50))
def test_a_file_gives_the_model_again(
    tmp_path_factory: pytest.TempPathFactory, model: ClassModel, text: str
) -> None:
    path = tmp_path_factory.mktemp("models") / "m.json"
    model.save(path)
    again = ClassModel.load(path)
    assert again.to_data() == model.to_data()
    assert again.predict(text) == model.predict(text)
    for term in model.terms:
        found = again.predict(term)
        assert found == model.predict(term)
        if found is not None:
            assert sum(found.scores.values()) == pytest.approx(1)
            assert found.scores[found.name] == max(found.scores.values())


def test_a_file_that_was_changed_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    ClassModel.from_data(SMALL).save(path)
    path.write_text(path.read_text().replace("ferry", "fairy"))
    with pytest.raises(ModelFileError, match=r"m\.json"):
        ClassModel.load(path)


def test_a_model_predicts_without_scikit_learn_and_scipy(tmp_path: Path) -> None:
    ClassModel.from_data(SMALL).save(tmp_path / "m.json")
    code = (
        "import sys; sys.modules.update(sklearn=None, scipy=None)\n"
        "from webclean_scrapy import ClassModel\n"
        "print(ClassModel.load('m.json').predict('a ferry').name)"
    )
    assert printed_by(code, tmp_path) == "harbour"
