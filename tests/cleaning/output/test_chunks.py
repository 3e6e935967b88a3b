from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webclean_scrapy import Cleaner
from webclean_scrapy.cleaning.output.chunks import cut_text
from webclean_scrapy.cleaning.page.units import text_units

# The constants of the package, by value: a change of one fails here.
UNITS_OF_TOKEN = 4

LONG = "The old bridge was opened again by Dr. Vos of the U.S. Army today. "
BODIES = ["One line.", LONG * 3, "旧桥今天重新开放了。" * 9, "word " * 40, "a = 1\nb = 2\n" * 9]
LINES = st.lists(
    st.sampled_from(BODIES).map(lambda text: (0, text.strip()))
    | st.integers(1, 3).map(lambda level: (level, "Head")),
    max_size=12,
)


@given(LINES, st.integers(1, 90))
def test_the_pieces_are_the_text_in_order_and_no_longer_than_asked(lines: Any, tokens: int) -> None:
    text = "\n".join(line for _, line in lines)
    pieces = cut_text(lines, tokens)
    assert [piece.text for piece in pieces] == [text[one.start : one.end] for one in pieces]
    bounds = [0, *(place for one in pieces for place in (one.start, one.end)), len(text)]
    between = zip(bounds[::2], bounds[1::2], strict=True)
    assert not "".join(text[before:after] for before, after in between).strip()
    for piece in pieces:
        body = piece.text.replace("Head", "").strip()
        is_sentence = len(cut_text([(0, body)], 1)) <= 1
        assert is_sentence or text_units(piece.text) <= tokens * UNITS_OF_TOKEN


def test_a_piece_knows_its_headings_and_begins_with_them() -> None:
    text = (0, LONG * 2)
    lines = [(2, "A"), (3, "A1"), text, text, (2, "B"), text, (3, "B1"), (3, "B2"), text]
    found = cut_text(lines, 40)
    assert [one.headings for one in found] == [("A", "A1"), ("A", "A1"), ("B",), ("B", "B2")]
    assert [one.text.splitlines()[0] for one in found] == ["A", LONG * 2, "B", "B1"]
    short = [(2, "A"), (3, "A1"), (0, "Few."), (3, "A2"), (0, "Few."), (2, "end")]
    assert [(one.headings, one.start) for one in cut_text(short, 40)] == [((), 0)]


@pytest.mark.parametrize("sentence", [LONG, "他说：“旧桥今天重新开放了！”然后走了。", "क्या हुआ। "])
def test_no_sentence_is_cut(sentence: str) -> None:
    found = cut_text([(0, sentence * 30)], 30)
    assert len(found) > 2
    assert {one.text.replace(sentence.strip(), "").strip() for one in found} == {""}


def test_a_page_has_chunks_only_when_the_configuration_says_how_long() -> None:
    html = f"<article><h1>The bridge</h1><h2>Today</h2><p>{LONG * 9}</p></article>"
    page = Cleaner(chunks=50).clean(html)
    assert len(page.chunks) > 2
    assert page.to_dict(["chunks"])["chunks"][0]["headings"][-1] == "Today"
    assert Cleaner().clean(html).chunks == []
    assert "chunks" not in page.to_dict()
