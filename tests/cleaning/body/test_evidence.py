import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reading import (
    LONG_PARAGRAPH,
    OTHER_PARAGRAPH,
    PARAGRAPH,
    SENTENCE,
    evidence_of,
    row_of,
    table_of,
    template_of,
    template_page,
    trees,
)


def test_lines_of_the_template_weigh_nothing() -> None:
    page = template_page(PARAGRAPH, "New bridge opens") + LONG_PARAGRAPH
    table = table_of(page)
    template = template_of(table, template_page(PARAGRAPH, "Cup lost"), "text")

    evidence = evidence_of(table, template=template)

    assert [weights > 0 for weights in evidence.weights] == [False, False, False, True]


def test_cards_are_three_like_elements_with_link_and_text_in_most() -> None:
    card = "<div class=c><a>Head</a> text</div>"
    plain = "<div class=c>text alone</div>"

    def cards(html: str) -> int:
        return sum(map(bool, evidence_of(f"<section>{html}</section>").signs.card))

    assert cards(card * 3) == 3
    assert cards(card * 2) == 0
    assert cards(card * 3 + plain * 2) == 3
    assert cards(card * 3 + plain * 3) == 0
    assert cards("<div><a>Head</a> text</div>" * 3) == 0
    assert cards("<article><a>Head</a> text</article>" * 3) == 3
    assert cards("<div class=c><a>Head</a></div>" * 3) == 0
    assert cards(f"<div class=c><a>Head</a> {'text ' * 400}</div>" * 3) == 0


def test_lines_belong_to_the_innermost_table_or_list() -> None:
    evidence = evidence_of(
        f"<p>{SENTENCE * 9}</p><ul id=outer><li>One<ol id=inner><li>Two</ol><li>Three</ul><p>Four"
    )
    outer, inner = row_of(evidence.table, "outer"), row_of(evidence.table, "inner")

    assert list(evidence.group) == [-1, outer, inner, outer, -1]


def test_a_table_with_the_pages_paragraphs_in_it_is_its_layout() -> None:
    evidence = evidence_of(
        f"<table><tr><td>Menu<td>{LONG_PARAGRAPH}<ul id=list><li>One</ul></table>"
    )

    assert list(evidence.group) == [-1, -1, row_of(evidence.table, "list")]


@given(trees(), st.sampled_from(["<p>Same menu</p>", OTHER_PARAGRAPH]))
def test_a_template_never_takes_all_the_weight(html: str, common: str) -> None:
    table = table_of(f"<div id=text>{common}{html}</div>")
    if not any(table.lines.text):
        return
    template = template_of(table, f"<div id=text>{common}</div>", "text")

    before, after = evidence_of(table), evidence_of(table, template=template)

    assert (after.total > 0) == (before.total > 0)
    weighing = [
        bool(known)
        for known, weights in zip(template.repeated, after.weights, strict=True)
        if weights
    ]
    assert not any(weighing) or all(weighing)


@pytest.mark.parametrize(("within", "beside", "is_group"), [(2, 6, True), (3, 5, False)])
def test_a_list_of_a_third_of_the_text_is_no_group(
    within: int, beside: int, is_group: bool
) -> None:
    items = f"<li>{LONG_PARAGRAPH}</li>" * within
    evidence = evidence_of(f"<ul id=list>{items}</ul>{LONG_PARAGRAPH * beside}")

    row = row_of(evidence.table, "list") if is_group else -1
    assert evidence.group == [row] * within + [-1] * beside
