from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given

from tests.cleaning.body.line_feature_cases import YES_OR_NO
from tests.reading import (
    OTHER_PARAGRAPH,
    OTHER_SENTENCE,
    PARAGRAPH,
    SENTENCE,
    evidence_of,
    line_of,
    marked_lines,
    page_of,
    table_of,
    template_of,
    template_page,
    trees,
)
from webclean_scrapy.cleaning.body.evidence import gather
from webclean_scrapy.cleaning.body.features import LINE_FEATURES, estimate_lines, line_features

if TYPE_CHECKING:
    from webclean_scrapy.cleaning.body.evidence import Evidence


def column(evidence: Evidence, name: str) -> list[float]:
    found: list[float] = line_features(evidence)[:, LINE_FEATURES.index(name)].tolist()
    return found


def of_line(evidence: Evidence, name: str, begin: str) -> float:
    return column(evidence, name)[line_of(evidence.table, begin)]


@pytest.mark.parametrize(("name", "title", "html"), YES_OR_NO, ids=[case[0] for case in YES_OR_NO])
def test_a_feature_is_one_where_its_meaning_says_so_and_zero_elsewhere(
    name: str, title: str, html: str
) -> None:
    evidence = evidence_of(html, titles=[title] if title else [])

    found = column(evidence, name)

    assert dict(enumerate(found)) == dict(enumerate(map(float, marked_lines(evidence.table))))


def test_a_style_in_capitals_hides_too() -> None:
    assert column(evidence_of("<p style='DISPLAY:NONE'>a</p>"), "hidden") == [1]


SHARES = {
    "link share",
    "title",
    "parent share",
    "grandparent share",
    "third share",
    "parent density",
    "paragraphs around",
}
OF_OTHERS = {
    "declared",
    "others declared",
    "template",
    "template repeats",
    "template foreign",
    "template familiar",
    "template path",
    "described",
}


def test_every_line_feature_has_a_test() -> None:
    assert {case[0] for case in YES_OR_NO} | SHARES | OF_OTHERS >= set(LINE_FEATURES)
    assert len(set(LINE_FEATURES)) == len(LINE_FEATURES)


def test_link_share_is_the_part_of_a_line_inside_links() -> None:
    evidence = evidence_of("<p>half<a>half</a></p><p>none</p><p><a>whole</a></p>")

    assert column(evidence, "link share") == [0.5, 0.0, 1.0]


def test_a_line_that_the_description_begins_with_or_holds_is_described() -> None:
    page = page_of(f"<p>{SENTENCE} {OTHER_SENTENCE}</p><p>{OTHER_SENTENCE}</p><p>Menu</p>")
    page = replace(page, head=replace(page.head, description=f"{SENTENCE} ..."))
    evidence = gather(page, None, None)

    assert column(evidence, "described") == [1, 0, 0]


def test_title_is_the_likeness_to_the_title() -> None:
    evidence = evidence_of("<p>crack closes bridge</p><p>none</p>", titles=["Crack closes pier"])

    assert column(evidence, "title") == [0.5, 0.0]


def test_shares_of_the_elements_above_are_shares_of_the_page() -> None:
    weight = len(SENTENCE)
    evidence = evidence_of(
        f"<div><div><div><p>{SENTENCE}</p></div><p>{SENTENCE}</p></div><p>{SENTENCE}</p></div>"
        f"<p>{SENTENCE}</p>"
    )

    assert evidence.total == 4 * weight
    first = [
        column(evidence, name)[0] for name in ("parent share", "grandparent share", "third share")
    ]
    assert first == [0.25, 0.5, 0.75]


def test_parent_density_measures_the_element_above_the_lines_own() -> None:
    link = "x" * len(SENTENCE)
    evidence = evidence_of(f"<div><p>{SENTENCE}</p><p><a>{link}</a></p></div><p>Outside</p>")

    assert of_line(evidence, "parent density", "The") == 0.5


def test_paragraphs_around_looks_eight_lines_to_each_side() -> None:
    evidence = evidence_of("<p>short</p>" * 9 + PARAGRAPH + "<p>short</p>" * 9)
    found = column(evidence, "paragraphs around")

    assert [share > 0 for share in found] == [False] + [True] * 17 + [False]
    assert found[1] == pytest.approx(len(SENTENCE) / (len(SENTENCE) + 9 * len("short")))


def test_declared_marks_what_the_json_ld_holds_and_others_declared_the_rest() -> None:
    body = f"{SENTENCE} {OTHER_SENTENCE} The fair goes on, and so does the work."
    body += " The engineers will come back in May, when the water is warm and clear again."
    spaced = SENTENCE.replace(" ", "  ").upper()  # neither case nor blanks count
    stranger = "A bridge over the river is older than anybody in the town can remember now."
    html = f"<p>{spaced}</p>{OTHER_PARAGRAPH}<p>{stranger}</p><p>the</p><p>Not in there</p>"

    evidence = evidence_of(html, declared=[body])

    assert column(evidence, "declared") == [1, 1, 0, 0, 0]
    assert column(evidence, "others declared") == [0, 0, 1, 0, 0]


def test_a_short_articlebody_declares_nothing() -> None:
    evidence = evidence_of(PARAGRAPH + OTHER_PARAGRAPH, declared=[SENTENCE])

    assert not any(column(evidence, "declared") + column(evidence, "others declared"))


def test_template_features_say_what_other_pages_have_in_a_lines_place() -> None:
    table = table_of(template_page(PARAGRAPH, "New bridge opens"))
    template = template_of(table, template_page(OTHER_PARAGRAPH, "Cup final lost"), "text")

    evidence = evidence_of(table, template=template)

    assert column(evidence, "template") == [1, 1, 1]
    assert column(evidence, "template repeats") == [0, 0, 1]
    assert column(evidence, "template foreign") == [0, 1, 1]
    assert column(evidence, "template familiar") == [1, 0, 0]
    assert column(evidence, "template path") == [1, 0, 0]


def test_without_a_template_its_features_are_zero() -> None:
    evidence = evidence_of(template_page(PARAGRAPH, "New bridge opens"))

    for name in LINE_FEATURES:
        if name.startswith("template"):
            assert not any(column(evidence, name))


def test_an_estimate_is_the_probability_of_each_line_and_zero_for_excluded_ones() -> None:
    evidence = evidence_of(f"{PARAGRAPH}<p>Menu</p><img><p class=caption>Pier</p>")
    weights = np.array([{"one": -1.0, "paragraph": 3.0}.get(name, 0.0) for name in LINE_FEATURES])

    estimate = estimate_lines(evidence, weights)

    assert np.array_equal(estimate.features, line_features(evidence))
    assert estimate.probability.tolist() == pytest.approx(
        [1 / (1 + np.exp(-2.0)), 1 / (1 + np.exp(1.0)), 0.0]
    )


def test_an_empty_page_has_no_lines_and_all_the_terms() -> None:
    assert line_features(evidence_of("")).shape == (0, len(LINE_FEATURES))


@given(trees())
def test_line_features_are_finite_and_between_zero_and_one_on_any_tree(html: str) -> None:
    evidence = evidence_of(html, titles=["The northern pier"])

    features = line_features(evidence)

    assert features.shape == (len(evidence.table.lines), len(LINE_FEATURES))
    assert np.isfinite(features).all()
    assert features.min(initial=0.0) >= 0.0
    assert features.max(initial=0.0) <= 1.0
