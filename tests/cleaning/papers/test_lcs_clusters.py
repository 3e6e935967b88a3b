from __future__ import annotations

import dataclasses
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reading import table_of
from webclean_scrapy.cleaning.page.layout import Layout, estimate_layout
from webclean_scrapy.cleaning.page.parse import parse
from webclean_scrapy.cleaning.page.table import PageTable, build_table
from webclean_scrapy.cleaning.papers.lcs_clusters import (
    DenoiseConfig,
    ScoreConfig,
    content_rows,
    measure_clusters,
    score_clusters,
)
from webclean_scrapy.cleaning.templates.alignment import AlignConfig
from webclean_scrapy.errors import ConfigError, PageTooLargeError

CONFIG = ScoreConfig()
HEAD = "<div id=head class=bar><ul><li><a>Home</a><li><a>World</a></ul></div>"
FOOT = "<div id=foot class=end><p>Imprint</p></div>"
FERRY = "<p>The ferry left the island at noon.</p><p>Nobody was hurt, said the captain.</p>"
MARKET = "<p>The market will open again in May.</p><p>Traders are content with the date.</p>"


def page(body: str, related: str) -> PageTable:
    side = "".join(f"<li><a>{title}</a></li>" for title in related.split("|"))
    html = f"{HEAD}<div id=main><div id=text>{body}</div></div><div id=side><ul>{side}</ul></div>"
    return table_of(html + FOOT)


def names(table: PageTable, rows: list[int]) -> list[str]:
    return [table.ident[row] or table.tag[row] for row in rows]


def rendered(table: PageTable, height: float) -> Layout:
    size = len(table)
    return Layout([100.0] * size, [height] * size, [0.0] * size, [0.0] * size, source="rendered")


def test_what_both_pages_have_is_template_and_the_body_is_content() -> None:
    target = page(FERRY, "Ten ideas for June|A new bridge")
    found = content_rows(target, page(MARKET, "Storm in the north|Cup final"))
    assert names(target, found.content) == ["p", "p"]
    assert names(target, found.template) == ["head", "foot"]
    assert names(target, found.rejected) == ["a", "a"]
    assert [cluster.score for cluster in found.clusters] == [15, 1, -3]


def test_clusters_of_equal_measures_score_the_same() -> None:
    table = table_of("<p>same</p>" * 4 + "<p>a longer one</p>")
    rows = [row for row, tag in enumerate(table.tag) if tag == "p"]
    scores = [found.score for found in score_clusters(table, [[row] for row in rows], CONFIG)]
    assert scores == [3 + 5 + 3] * 4 + [5 + 5 + 5]


def test_a_measure_of_nothing_gives_no_points() -> None:
    table = table_of("<div id=a></div><div id=b></div>")
    found = score_clusters(table, [[table.ident.index("a")], [table.ident.index("b")]], CONFIG)
    assert [cluster.score for cluster in found] == [0, 0]


def test_the_fourth_best_value_gets_no_points() -> None:
    table = build_table(parse("".join(f"<div>{'x' * n}</div>" for n in range(1, 5))))
    rows = [[row] for row, tag in enumerate(table.tag) if tag == "div"]
    scores = [found.score for found in score_clusters(table, rows, CONFIG)]
    assert scores == [0, 2, 6, 10]  # text and text by code


def test_code_is_tags_marks_and_text() -> None:
    table = table_of("<div id=ab class=cde>four<a>link</a><b></b></div>")
    (found,) = measure_clusters(table, [[table.tag.index("div")]], CONFIG)
    link = 2 * 1 + 5 + 4
    code = (2 * 3 + 5 + 2 + 3) + 4 + link + (2 * 1 + 5)
    assert (found.text, found.content_tags) == (8, 1)
    assert found.link_rate == pytest.approx(link / code)
    assert found.text_rate == pytest.approx(8 / code)
    assert found.area is None is found.effective_area


def test_areas_count_where_there_is_a_layout() -> None:
    table = table_of("<div id=a>x</div><div id=b>y</div>")
    size, a, b = len(table), table.ident.index("a"), table.ident.index("b")
    layout = Layout([100.0] * size, [100.0] * size, [0.0] * size, [0.0] * size)
    layout.width[a], layout.left[a], layout.height[a], layout.top[a] = 50.0, 50.0, 10.0, 15.0
    layout.width[b] = layout.height[b] = 20.0  # in the corner
    found = measure_clusters(table, [[a], [b]], CONFIG, layout)
    assert [(one.area, one.effective_area) for one in found] == [
        (500.0, pytest.approx(30.0 * 5.0)),
        (400.0, 0.0),
    ]
    scores = [cluster.score for cluster in score_clusters(table, [[a], [b]], CONFIG, layout)]
    assert scores == [5 + 5 + 5 + 5, 5 + 5 + 3]


def test_rendered_boxes_of_both_pages_compare_nodes_and_estimated_ones_do_not() -> None:
    target, sibling = page(FERRY, "a|b"), page(MARKET * 9, "c|d")
    plain = content_rows(target, sibling)
    guess = estimate_layout(sibling)
    one, other = rendered(target, 10.0), rendered(sibling, 20.0)
    assert content_rows(target, sibling, None, one, other).template == plain.template
    for at in (one.width, one.top, one.left):
        at[:] = [side + 7.0 for side in at]
    assert content_rows(target, sibling, None, one, other).template == []
    both = (dataclasses.replace(layout, source="estimated") for layout in (one, other))
    assert content_rows(target, sibling, None, *both).template == plain.template
    assert content_rows(target, sibling, None, one, guess).template == plain.template


def test_the_config_says_how_close_to_the_best_is_close() -> None:
    target = page(FERRY, "Ten ideas for June|A new bridge")
    sibling = page(MARKET, "Storm in the north|Cup final")
    found = content_rows(target, sibling, DenoiseConfig(score=ScoreConfig(close=0.05)))
    assert names(target, found.content) == ["p", "p", "a"]
    assert names(target, content_rows(target, sibling).content) == ["p", "p"]


def test_the_best_cluster_is_content_even_with_a_score_below_zero() -> None:
    target = table_of("<ul><li><a id=x><i></i></a></li></ul>")
    found = content_rows(target, table_of("<ul><li></li></ul>"))
    assert [cluster.score for cluster in found.clusters] == [-5]
    assert names(target, found.content) == ["x"]


def test_a_copy_of_the_page_leaves_nothing_to_choose_from() -> None:
    target = page(FERRY, "a|b")
    found = content_rows(target, target)
    assert found.content == found.rejected == []
    assert names(target, found.template) == ["body"]


def test_the_limit_of_the_alignment_holds() -> None:
    target = page(FERRY, "a|b")
    with pytest.raises(PageTooLargeError):
        content_rows(target, target, DenoiseConfig(align=AlignConfig(max_cells=3)))


@pytest.mark.parametrize("field", ["close", "middle"])
@pytest.mark.parametrize("value", [0.0, -1, 1.01])
def test_shares_that_mean_nothing_are_refused(field: str, value: float) -> None:
    with pytest.raises(ConfigError, match=field):
        ScoreConfig(**{field: value})


@given(st.lists(st.sampled_from([FERRY, MARKET, HEAD, FOOT, "text", "<i>x</i>"]), max_size=5))
def test_content_rejected_and_template_never_overlap(parts: list[str]) -> None:
    target = table_of("".join(parts))
    found = content_rows(target, page(MARKET, "a|b"))
    spans = sorted(
        (row, target.end[row])
        for rows in (found.content, found.rejected, found.template)
        for row in rows
    )
    assert all(one[1] <= other[0] for one, other in itertools.pairwise(spans))
