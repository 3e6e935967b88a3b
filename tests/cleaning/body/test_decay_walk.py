import itertools
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.growth import assert_linear
from tests.reading import (
    OTHER_PARAGRAPH,
    PARAGRAPH,
    evidence_of,
    table_of,
    template_of,
    template_page,
    trees,
)
from webclean_scrapy.cleaning.body.decay_walk import (
    STEP_FEATURES,
    DecayWalk,
    is_paragraph,
    walk_down,
)
from webclean_scrapy.cleaning.body.evidence import Evidence
from webclean_scrapy.cleaning.page.table import PageTable

Floats = NDArray[np.float64]


def weights_of(given: dict[str, float]) -> Floats:
    return np.array([given.get(name, 0.0) for name in STEP_FEATURES])


def fixed(limit: float) -> dict[str, float]:
    """Return weights with this limit for every step, as in the paper."""
    return {"one": limit, "decay": -1.0}


def walk(
    page: str | Evidence,
    weights: dict[str, float] | None = None,
    likely: Callable[[str], float] = lambda _: 1.0,
) -> tuple[list[str], str, DecayWalk]:
    """Return the names of the walk's rows, the name of its end, and the walk.

    *likely* gives the probability of a line by its text.
    """
    evidence = evidence_of(page) if isinstance(page, str) else page
    table = evidence.table
    probability = np.array([likely(text) for text in table.lines.text], float)
    found = walk_down(
        evidence, probability, weights_of(fixed(0.34) if weights is None else weights)
    )
    names = [table.ident[row] or table.tag[row] for row in found.rows]
    return names, names[found.stop], found


def step(
    page: str | Evidence, child: str, likely: Callable[[str], float] = lambda _: 1.0
) -> dict[str, float]:
    """Return the features of the step down to the row *child*."""
    names, _, found = walk(page, {}, likely)
    features: list[float] = found.features[names.index(child) - 1].tolist()
    return dict(zip(STEP_FEATURES, features, strict=True))


def text(units: int, ident: str = "") -> str:
    return f"<div id={ident or 'x'}><p>{'x' * units}</p></div>"


def test_the_walk_goes_on_to_the_heaviest_child() -> None:
    html = f"<div id=a>{text(10)}{text(20)}</div><div id=b>{text(25, 'c')}{text(15, 'd')}</div>"

    names, _, found = walk(html)

    assert names == ["html", "b", "c"]
    assert found.weights.tolist() == [70, 40, 25]
    assert found.line_weights.tolist() == [10, 20, 25, 15]


def test_a_line_weighs_its_units_by_the_cube_of_how_likely_it_is() -> None:
    html = (
        f"<div id=sure><p>{'s' * 40}</p><p>{'s' * 30}</p></div>"
        f"<div id=unsure><p>{'u' * 100}</p><p>{'u' * 100}</p></div>"
    )

    names, _, found = walk(html, likely=lambda text: 1.0 if text[0] == "s" else 0.5)

    assert found.line_weights.tolist() == [40, 30, 12.5, 12.5]
    assert names == ["html", "sure"]


@pytest.mark.parametrize(
    "inside",
    [
        f"<p>{'x' * 20}</p><p>{'x' * 900}</p>",
        f"<p>{'x' * 20}</p><ul><li>{'x' * 900}<li>{'x' * 9}</ul>",
        f"<h2>{'x' * 20}</h2>{'x' * 900}",
    ],
)
def test_a_step_ends_in_no_paragraph_however_much_it_holds(inside: str) -> None:
    assert walk(f"<p>Menu</p><div id=text>{inside}</div>")[0] == ["html", "text"]


def test_the_limit_is_each_steps_own() -> None:
    html = f"<div id=out><main id=main>{text(60, 'one')}{text(20)}</main>{text(20)}</div>{text(1)}"

    _, plain_end, _ = walk(html, fixed(0.15))
    names, end, found = walk(html, {**fixed(0.15), "marked": 0.1})

    assert plain_end == "out"
    assert (names, end) == (["html", "out", "main", "one"], "main")
    assert found.limits.tolist() == pytest.approx([0.15, 0.25, 0.15])


def test_decay_and_what_is_lost_are_shares() -> None:
    html = f"<div id=all>{text(75, 'kept')}{text(25)}</div>{text(60)}"

    found = step(html, "kept", lambda text: 0.5 if len(text) == 25 else 1.0)

    lost = 25 / 8
    assert found["one"] == 1
    assert found["decay"] == pytest.approx(lost / (75 + lost))
    assert found["lost density"] == pytest.approx(1 / 8)


@pytest.mark.parametrize(
    ("name", "likely", "end"),
    [("part", 0.9, "out"), ("box", 0.9, "section"), ("part", 0.6, "section")],
)
def test_a_step_loses_no_text_in_elements_like_the_one_it_keeps(
    name: str, likely: float, end: str
) -> None:
    long = f"<section class=part>{text(900, 'a')}{text(900, 'b')}</section>"
    short = f"<section class={name}>{text(100)}{text(100)}</section>"
    html = f"<p>Menu</p><div id=out>{long}{short}</div>"

    assert walk(html, likely=lambda of: 1.0 if len(of) == 900 else likely)[1] == end


def test_lost_before_is_the_share_that_comes_before_the_kept_lines() -> None:
    html = f"{text(10)}{text(60, 'kept')}{text(30)}"

    assert step(html, "kept")["lost before"] == pytest.approx(0.1)


def test_surest_lost_is_how_sure_one_lost_paragraph_is_however_small_its_share() -> None:
    lead, short = text(80), text(20)

    def surest_lost(before: str, after: str) -> float:
        html = f"{before}<div id=kept>{text(3000)}{text(3000)}</div>{after}"
        return step(html, "kept", lambda line: 0.9 if len(line) == 80 else 1.0)["surest lost"]

    assert surest_lost(lead + short, short) == surest_lost(short, lead) == pytest.approx(0.9)
    assert surest_lost(short, "") == pytest.approx(0.25)  # less than a paragraph is less sure


@pytest.mark.parametrize(
    ("child", "inside", "marked"),
    [
        ("<div id=to itemprop=articleBody>", "<div id=in>", (1, 0)),
        ("<main id=to>", "<article id=in>", (1, 1)),
        ("<div id=to>", "<div id=in class=content>", (0, 0)),
    ],
)
def test_marked_is_a_step_to_an_element_that_says_it_is_the_article(
    child: str, inside: str, marked: tuple[int, int]
) -> None:
    html = f"<p>Menu</p>{child}<p>By Ann</p>{inside}{text(30)}{text(30)}"

    assert (step(html, "to")["marked"], step(html, "in")["marked"]) == marked


@pytest.mark.parametrize(
    ("head", "before"), [("<h1>Crack closes the pier</h1>", 1), ("<h1>Else</h1>", 0)]
)
def test_title_before_is_a_step_past_the_title(head: str, before: int) -> None:
    html = f"{head}<div id=kept>{text(30)}{text(30)}</div>"
    inside = f"<p>Menu</p><div id=kept>{head}{text(30)}{text(30)}</div>"
    titles = ["Crack closes the pier"]

    assert step(evidence_of(html, titles=titles), "kept")["title before"] == before
    assert step(evidence_of(inside, titles=titles), "kept")["title before"] == 0
    assert step(evidence_of(html), "kept")["title before"] == 0


def test_template_path_is_a_step_to_where_other_pages_have_their_body() -> None:
    table = table_of(template_page(PARAGRAPH, "New bridge opens"))
    template = template_of(table, template_page(OTHER_PARAGRAPH, "Cup final lost"), "text")

    assert step(evidence_of(table, template=template), "text")["template path"] == 1
    assert step(evidence_of(table), "text")["template path"] == 0


def random_walk(html: str, seed: int, weights: Sequence[float]) -> tuple[Evidence, DecayWalk]:
    evidence = evidence_of(html, titles=["The northern pier"])
    probability = np.random.default_rng(seed).random(len(evidence.table.lines))
    return evidence, walk_down(evidence, probability, np.array(weights))


SEEDS = st.integers(0, 1_000)
WEIGHTS = st.lists(st.floats(-9, 9), min_size=len(STEP_FEATURES), max_size=len(STEP_FEATURES))


@given(trees(), SEEDS, WEIGHTS)
def test_each_row_of_a_walk_is_in_the_one_before_and_holds_fewer_lines(
    html: str, seed: int, weights: list[float]
) -> None:
    evidence, found = random_walk(html, seed, weights)
    table = evidence.table

    assert found.rows[0] == 0
    for outer, inner in itertools.pairwise(found.rows):
        assert outer < inner < table.end[inner] <= table.end[outer]
        assert 0 < len(table.lines_in(inner)) < len(table.lines_in(outer))
        assert not is_paragraph(table, inner)
    assert (np.diff(found.weights) <= 0).all()
    for row, weight in zip(found.rows, found.weights, strict=True):
        inside = table.lines_in(row)
        assert weight == pytest.approx(found.line_weights[inside.start : inside.stop].sum())
    assert found.row == found.rows[found.stop]


def test_a_deep_page_is_walked_in_one_look_at_each_line() -> None:
    def page(levels: int) -> PageTable:
        lines = "<p>The pier is closed now.</p>" * 10 * levels
        return table_of("<div><p>short</p>" * levels + lines)

    deep = page(levels := 900)
    names, _, found = walk(evidence_of(deep), fixed(0.5))

    assert len(names) == levels  # the root and the first element hold the same lines
    assert found.stop == len(names) - 1
    assert deep.lines_in(found.row) == range(levels - 1, 11 * levels)
    assert_linear(lambda of: walk(of, fixed(0.5)), lambda size: evidence_of(page(size)), 230)
