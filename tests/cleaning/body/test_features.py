from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given

from tests.reading import (
    LONG_PARAGRAPH,
    OTHER_PARAGRAPH,
    OTHER_SENTENCE,
    PARAGRAPH,
    SENTENCE,
    evidence_of,
    marked_lines,
    page_of,
    row_of,
    table_of,
    template_of,
    template_page,
    trees,
)
from tests.toml_files import read_toml
from webclean_scrapy.cleaning.body.evidence import Evidence, gather
from webclean_scrapy.cleaning.body.features import (
    INNER_FEATURES,
    LINE_FEATURES,
    inner_features,
    line_features,
)

YES_OR_NO = read_toml(Path(__file__).with_name("line_features.toml"))


def column(evidence: Evidence, name: str) -> list[float]:
    found: list[float] = line_features(evidence)[:, LINE_FEATURES.index(name)].tolist()
    return found


@pytest.mark.parametrize("name", YES_OR_NO)
def test_a_feature_is_one_where_its_meaning_says_so_and_zero_elsewhere(name: str) -> None:
    case = YES_OR_NO[name]
    evidence = evidence_of(case["page"], titles=[case["title"]] if "title" in case else [])

    found = column(evidence, name.partition(":")[0])

    assert dict(enumerate(found)) == dict(enumerate(map(float, marked_lines(evidence.table))))


def test_a_line_that_the_description_begins_with_or_holds_is_described() -> None:
    page = page_of(f"<p>{SENTENCE} {OTHER_SENTENCE}</p><p>{OTHER_SENTENCE}</p><p>Menu</p>")
    page = replace(page, head=replace(page.head, description=f"{SENTENCE} ..."))
    evidence = gather(page, None, None)

    assert column(evidence, "described") == [1, 0, 0]


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


def test_template_features_say_what_other_pages_have_in_a_lines_place() -> None:
    table = table_of(template_page(PARAGRAPH, "New bridge opens"))
    template = template_of(table, template_page(OTHER_PARAGRAPH, "Cup final lost"), "text")

    evidence = evidence_of(table, template=template)

    assert column(evidence, "template") == [1, 1, 1]
    assert column(evidence, "template repeats") == [0, 0, 1]
    assert column(evidence, "template foreign") == [0, 1, 1]
    assert column(evidence, "template familiar") == [1, 0, 0]
    assert column(evidence, "template path") == [1, 0, 0]


@example("<b><div>one</div><img>one</img></b><img>one</img>")  # a line ends behind its element
@given(trees())
def test_line_features_are_finite_and_between_zero_and_one_on_any_tree(html: str) -> None:
    evidence = evidence_of(html, titles=["The northern pier"])

    features = line_features(evidence)

    assert features.shape == (len(evidence.table.lines), len(LINE_FEATURES))
    assert np.isfinite(features).all()
    assert features.min(initial=0.0) >= 0.0
    assert features.max(initial=0.0) <= 1.0


def inner_column(evidence: Evidence, ident: str, name: str, *chances: float) -> list[float]:
    row = row_of(evidence.table, ident)
    probability = np.array(chances or np.linspace(0.2, 0.8, len(evidence.table.lines)))
    features = inner_features(evidence, row, evidence.table.lines_in(row), probability)
    found: list[float] = features[:, INNER_FEATURES.index(name)].tolist()
    return found


PIECES = (
    "<p>Outside</p><div id=body>Own text<div class=related><p><a>A link line</a></p></div>"
    f"<div class=content>{PARAGRAPH}<p>Short</p>{LONG_PARAGRAPH}</div><p>Tail</p></div>"
)


@pytest.mark.parametrize("sure", [1.0, 0.4])
def test_lines_before_the_first_paragraph_and_after_the_body_are_marked(sure: float) -> None:
    """However sure the page is of its body: a line counts beside what is likely on it."""
    long, chances = f"<p>{SENTENCE}</p>", [0.9, 0.1, 0.9, 0.1, 0.1, 0.1, 0.9, 0.1]
    ends = evidence_of(f"<div id=body>{long * 6}<p>Short</p>{long}</div>")

    found = inner_column(ends, "body", "after body", *(sure * chance for chance in chances))

    assert found == [0, 0, 0, 1, 1, 1, 1, 1]
    assert inner_column(evidence_of(PIECES), "body", "before first") == [1, 1, 0, 0, 0, 0]


def test_sections_are_the_children_of_the_subtree() -> None:
    evidence = evidence_of(PIECES)
    weight = evidence.total

    assert inner_column(evidence, "body", "own text") == [1, 0, 0, 0, 0, 0]
    assert inner_column(evidence, "body", "section links") == [0, 1, 0, 0, 0, 0]
    assert inner_column(evidence, "body", "section named other") == [0, 1, 0, 0, 0, 0]
    assert inner_column(evidence, "body", "section named body") == [0, 0, 1, 1, 1, 0]
    density = weight / (weight + len("Short"))
    assert inner_column(evidence, "body", "section density") == pytest.approx(
        [0, 0, density, density, density, 0]
    )
    assert inner_column(evidence, "body", "section share") == [0, 0, 1, 1, 1, 0]
    one, three = np.log1p(1) / 4, np.log1p(3) / 4
    assert inner_column(evidence, "body", "section lines") == pytest.approx(
        [0, one, three, three, three, one]
    )


def test_lines_about_rights_are_marked_in_any_language() -> None:
    notices = (
        "The Harbour Post. All rights reserved.",
        "無断転載を禁じます",
        "We may earn a commission from affiliate links.",
        "P. IVA 01234567890",
    )
    texts = "".join(f"<p>{notice}</p>" for notice in notices)
    evidence = evidence_of(
        f"<div id=body>{PARAGRAPH}{texts}<p>Impressum {SENTENCE * 9}</p><p>Right.</p></div>"
    )

    assert inner_column(evidence, "body", "rights") == [0] + [1] * len(notices) + [0, 0]


@given(trees())
def test_inner_features_are_finite_on_any_tree_whatever_the_chances(html: str) -> None:
    evidence = evidence_of(html)
    probability = np.arange(len(evidence.table.lines)) % 2  # sure one way or the other
    for row in range(len(evidence.table)):
        inside = evidence.table.lines_in(row)

        features = inner_features(evidence, row, inside, probability.astype(float))

        assert features.shape == (len(inside), len(INNER_FEATURES))
        assert np.isfinite(features).all()
