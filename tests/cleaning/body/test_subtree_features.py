from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given

from tests.reading import (
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
from webclean_scrapy.cleaning.body.subtree_features import (
    SUBTREE_FEATURES,
    candidates,
    subtree_features,
)

if TYPE_CHECKING:
    from webclean_scrapy.cleaning.body.evidence import Evidence


def of_row(evidence: Evidence, ident: str, decay_row: int = 0) -> dict[str, float]:
    row = row_of(evidence.table, ident)
    probability = np.full(len(evidence.table.lines), 0.5)
    (features,) = subtree_features(evidence, [row], probability, decay_row).tolist()
    return dict(zip(SUBTREE_FEATURES, features, strict=True))


CANDIDATE_CASES = [
    ("marked", "<div itemprop=articleBody><p id=no>a<i id=no2>b</i></p></div>", "itemprop"),
    ("article", "<article id=yes>a</article><main id=yes2>b</main><div id=no>c</div>", ""),
    ("whole page", "<html id=yes><body id=yes2><div id=no>a</div></body></html>", ""),
    (
        "named body",
        (
            "<div id=yes class=content>a</div><div id=no class='content ad'>b</div>"
            "<div id=no2>c</div>"
        ),
        "",
    ),
    ("named other", "<div id=yes class=sidebar>a</div><div id=no class=x>b</div>", ""),
    ("under other", "<div class=sidebar id=no><div id=yes><p id=yes2>a</p></div></div>", ""),
    ("in comments", "<div id=yes class=comments><p id=yes2>a</p></div><div id=no>b</div>", ""),
    ("in related", "<div id=yes class=related-news><p id=yes2>a</p></div><div id=no>b</div>", ""),
    (
        "in aside",
        ("<aside id=yes><div id=yes2>a</div></aside><nav id=yes3>b</nav><div id=no>c</div>"),
        "",
    ),
]


@pytest.mark.parametrize(
    ("name", "html"), [case[:2] for case in CANDIDATE_CASES], ids=[c[0] for c in CANDIDATE_CASES]
)
def test_a_candidates_feature_is_one_where_its_meaning_says_so(name: str, html: str) -> None:
    evidence = evidence_of(html)
    idents = [ident for ident in evidence.table.ident if ident]

    found = {ident: of_row(evidence, ident)[name] for ident in idents}

    assert found == {ident: float(ident.startswith("yes")) for ident in idents}


def test_the_element_that_is_marked_as_body_is_told_from_those_inside() -> None:
    evidence = evidence_of("<div id=yes itemprop=articleBody>a<p id=no>b</p></div>")

    assert of_row(evidence, "yes")["marked"] == 1
    assert of_row(evidence, "no")["marked"] == 0


@pytest.mark.parametrize(
    ("ident", "expected"),
    [("before", "before title"), ("around", "holds title"), ("behind", "after title")],
)
def test_a_candidate_lies_before_around_or_behind_the_title(ident: str, expected: str) -> None:
    evidence = evidence_of(
        "<div id=before>a</div><div id=around><h1>Crack closes the pier</h1></div>"
        "<div id=behind>b</div>",
        titles=["Crack closes the pier"],
    )

    features = of_row(evidence, ident)

    assert [name for name in features if name.endswith("title") and features[name]] == [expected]


def test_without_a_title_no_candidate_lies_beside_it() -> None:
    features = of_row(evidence_of("<div id=a>b</div>"), "a")

    assert not any(features[name] for name in features if name.endswith("title"))


def test_coverage_density_and_links_are_shares() -> None:
    weight = len(SENTENCE)
    link = "x" * weight
    evidence = evidence_of(
        f"<div id=top><div id=half><p>{SENTENCE}</p><p><a>{link}</a></p></div><p>{SENTENCE}</p>"
        "</div>"
    )

    features = of_row(evidence, "half")

    assert features["coverage"] == 0.5
    assert features["density"] == 0.5
    assert features["links"] == 0.5
    assert features["outside in parent"] == 0.5
    assert of_row(evidence, "top")["outside in parent"] == 0.0


def test_direct_is_the_part_that_no_deeper_element_holds() -> None:
    evidence = evidence_of(
        f"<div id=deep><div><div><div>{PARAGRAPH}</div></div></div></div>"
        f"<div id=flat>{PARAGRAPH}</div>"
    )

    assert of_row(evidence, "flat")["direct"] == 1.0
    assert of_row(evidence, "flat")["direct coverage"] == 0.5
    assert of_row(evidence, "deep")["direct"] == 0.0


def test_what_lies_directly_one_element_further_down_counts_half() -> None:
    evidence = evidence_of(f"<div id=far><div><p>{SENTENCE}</p></div></div>")

    assert of_row(evidence, "far")["direct"] == 0.5


def test_alike_outside_finds_paragraphs_of_the_same_kind_elsewhere() -> None:
    same = f"<section class=t>{PARAGRAPH}</section>"
    evidence = evidence_of(
        f"<div id=part>{same}</div>{same}<div id=own><blockquote>{PARAGRAPH}</blockquote></div>"
        "<div id=none>Menu</div>"
    )

    assert of_row(evidence, "part")["alike outside"] == pytest.approx(1 / 3)
    assert of_row(evidence, "own")["alike outside"] == 0.0
    assert of_row(evidence, "none")["alike outside"] == 0.0


def test_expected_is_the_f1_of_the_chances() -> None:
    table = table_of(f"<div id=body>{PARAGRAPH}</div><div id=rest>{PARAGRAPH}</div>")
    evidence = evidence_of(table)
    weight = len(SENTENCE)
    rows = [row_of(table, "body"), row_of(table, "rest"), 0]

    body, rest, both = subtree_features(evidence, rows, np.array([1.0, 0.0]), 0)[:, 0].tolist()

    assert body == pytest.approx(2 * weight / (2 * weight + 1))
    assert rest == 0.0
    assert both == pytest.approx(2 * weight / (3 * weight + 1))


def test_kept_expected_counts_unlikely_lines_as_removed() -> None:
    table = table_of(f"<div id=body>{PARAGRAPH}<p>{SENTENCE[::-1]}</p></div>")
    evidence = evidence_of(table)
    probability = np.array([1.0, 0.1])

    (features,) = subtree_features(evidence, [row_of(table, "body")], probability, 0).tolist()

    weight = len(SENTENCE)
    assert features[0] == pytest.approx(2 * 1.1 * weight / (2 * weight + 1.1 * weight + 1))
    assert features[1] == pytest.approx(2 * weight / (weight + 1.1 * weight + 1))


def test_the_row_of_the_decay_walk_and_the_templates_path_are_told() -> None:
    table = table_of(template_page(PARAGRAPH, "New bridge opens"))
    template = template_of(table, template_page(OTHER_PARAGRAPH, "Cup final lost"), "text")
    row = row_of(table, "text")

    with_template = of_row(evidence_of(table, template=template), "text", decay_row=row)
    without = of_row(evidence_of(table), "text", decay_row=row - 1)

    assert (with_template["decay"], with_template["template path"]) == (1, 1)
    assert (without["decay"], without["template path"]) == (0, 0)


def test_every_candidate_feature_has_a_test() -> None:
    others = {
        "expected", "kept expected", "coverage", "density", "links", "direct", "direct coverage",
        "holds title", "after title", "before title", "outside in parent", "decay",
        "template path", "alike outside",
    }  # fmt: skip

    assert {case[0] for case in CANDIDATE_CASES} | others >= set(SUBTREE_FEATURES)


@given(trees())
def test_candidate_features_are_finite_shares_on_any_tree(html: str) -> None:
    evidence = evidence_of(html, titles=["The northern pier"])
    rows = candidates(evidence)

    features = subtree_features(evidence, rows, np.full(len(evidence.table.lines), 0.7), 0)

    assert features.shape == (len(rows), len(SUBTREE_FEATURES))
    assert np.isfinite(features).all()
    assert features.min() >= 0.0
    assert features.max() <= 1.0
