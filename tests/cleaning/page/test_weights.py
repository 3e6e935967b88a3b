from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.growth import assert_linear
from tests.reading import table_of
from tests.toml_files import read_toml
from webclean_scrapy.cleaning.page.lines import SENTENCE_END
from webclean_scrapy.cleaning.page.weights import SubtreeWeights

TABLES = read_toml(Path(__file__).with_name("tables.toml"))
SENTENCE = "The ferry sails at noon again."
PIECES = st.lists(
    st.sampled_from([SENTENCE, "Menu", f"<a href=x>{SENTENCE}</a>", "<div>", "</div>", "<p>"]),
    max_size=12,
)


@pytest.mark.parametrize(("html", "weight"), TABLES["weights"])
def test_a_paragraph_weighs_its_plain_text_and_other_lines_nothing(html: str, weight: int) -> None:
    assert table_of(html).paragraph_weights == [weight]


def test_sentences_end_but_not_at_every_point() -> None:
    for text in ("One. Two", "“Really?” she", "一。二", "كيف؟"):
        assert SENTENCE_END.search(text)
    for text in ("3.5", "One, two; three", ""):
        assert not SENTENCE_END.search(text), text


@given(PIECES)
def test_the_weight_of_a_subtree_is_that_of_the_lines_in_it(pieces: list[str]) -> None:
    table = table_of("".join(pieces))
    weights = table.paragraph_weights
    subtrees = SubtreeWeights(table, weights)
    for row in range(len(table)):
        expected = sum(weights[line] for line in table.lines_in(row))
        assert subtrees.of(row) == subtrees.every[row] == expected
    assert all(
        0 <= weight <= units for weight, units in zip(weights, table.lines.units, strict=True)
    )


@pytest.mark.parametrize("marks", [".{}x", "{}"])
@pytest.mark.parametrize("unit", ["”", ".x", "."])
def test_marks_without_end_take_time_in_proportion(marks: str, unit: str) -> None:
    assert_linear(SENTENCE_END.search, lambda size: marks.format(unit * size), 10_000)
