import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cleaning.templates.printed_similarity import similarity
from tests.reading import table_of
from webclean_scrapy.cleaning.page.layout import Layout
from webclean_scrapy.cleaning.page.table import PageTable
from webclean_scrapy.cleaning.page.walk import TEXT
from webclean_scrapy.cleaning.templates.alignment import (
    AlignConfig,
    FeatureTree,
    SimilarityConfig,
    align,
    build_features,
)
from webclean_scrapy.errors import PageTooLargeError

CONFIG = AlignConfig()

NODES = st.recursive(
    st.sampled_from(["word", "text 1", "text 2", "<p>text 2</p>", "<p>word</p>", "<i></i>"]),
    lambda inner: st.builds(
        lambda tag, mark, parts: f"<{tag}{mark}>{''.join(parts)}</{tag}>",
        st.sampled_from(["div", "ul", "span"]),
        st.sampled_from(["", " id=a", " class=c", " id=b class=d", " class=e"]),
        st.lists(inner, min_size=1, max_size=4),
    ),
    max_leaves=12,
)
PAGES = st.lists(NODES, max_size=4).map("".join)


def texts(table: PageTable, rows: list[int]) -> list[str]:
    """Return the name of each row: tag and id, or its text without an id."""
    return [f"{table.tag[row]}#{table.ident[row]}" for row in rows]


def trees_of(
    target: PageTable, sibling: PageTable, layouts: tuple[Layout, Layout] | None = None
) -> tuple[FeatureTree, FeatureTree]:
    one, other = layouts or (None, None)
    return (
        build_features(target, CONFIG.similarity, one),
        build_features(sibling, CONFIG.similarity, other),
    )


def boxes_of(table: PageTable) -> Layout:
    """Return boxes that follow from the text, so that equal parts of two pages have equal ones."""
    sizes = [float(table.text_length(row)) for row in range(len(table))]
    starts = [float(before) for before in table.text_before[:-1]]
    return Layout(sizes, sizes, starts, starts)


def dense_score(columns: FeatureTree, rows: FeatureTree) -> float:
    """Return S over all nodes of both trees, as printed, cell by cell."""
    above = [0.0] * (len(columns.rows) + 1)
    for i in range(len(rows.rows)):
        here = [0.0]
        for j in range(len(columns.rows)):
            weight = similarity(rows, i, columns, j, CONFIG.similarity)
            here.append(max(above[j] + weight, above[j + 1], here[j]))
        above = here
    return above[-1]


@given(PAGES, PAGES, st.booleans())
def test_it_scores_as_the_printed_recurrence_does(one: str, other: str, with_boxes: bool) -> None:
    target, sibling = table_of(one), table_of(other)
    layouts = (boxes_of(target), boxes_of(sibling)) if with_boxes else None
    columns, rows = trees_of(target, sibling, layouts)
    found = align(columns, rows, CONFIG)
    assert found.score == pytest.approx(dense_score(columns, rows))


@given(PAGES, PAGES)
def test_pairs_are_similar_rise_in_a_depth_and_leave_the_candidates(one: str, other: str) -> None:
    target, sibling = table_of(one), table_of(other)
    columns, rows = trees_of(target, sibling)
    found = align(columns, rows, CONFIG)
    for row, partner in found.pairs:
        place, at = columns.rows.tolist().index(row), rows.rows.tolist().index(partner)
        assert similarity(columns, place, rows, at, CONFIG.similarity) > 0.6
    by_depth = itertools.groupby(found.pairs, key=lambda pair: target.arrays.depth[pair[0]])
    for _, group in by_depth:
        pairs = list(group)
        assert pairs == sorted(pairs)
        assert len(dict(pairs)) == len({partner for _, partner in pairs}) == len(pairs)
    elements = [row for row in range(1, len(target)) if target.tag[row] != TEXT]
    assert found.candidates == sorted(set(elements) - {row for row, _ in found.pairs})


def test_what_only_the_target_has_is_a_candidate() -> None:
    target = table_of(
        "<div id=head><p>Site</p></div><div id=main><p id=t>News</p><p id=s>More</p></div>"
        "<div id=foot><p>Imprint 2024</p></div>"
    )
    sibling = table_of(
        "<div id=head><p>Site</p></div><div id=main><p>Other</p></div>"
        "<div id=foot><p>Imprint 2023</p></div>"
    )
    found = align(*trees_of(target, sibling), CONFIG)
    assert texts(target, found.candidates) == ["p#t", "p#s"]
    assert found.score == 6


def test_the_score_of_a_pair_worked_by_hand() -> None:
    """Song et al. 2011: S is 1 for the roots, 1 for each equal content node, 5/7 for the element.

    Of its seven features, height and top differ.
    """
    box = 'data-webclean-box="{}"'
    lines = "".join(f"<p {box.format('0 0 9 9')}>{name}</p>" for name in ("a", "b", "c", "d"))
    pages = [
        table_of(
            f"<html {box.format('0 0 9 9')}><body {box.format('0 0 9 9')}>"
            f"<div id=x class=y {box.format(size)}>{lines}</div>"
        )
        for size in ("0 90 600 900", "0 80 600 700")
    ]
    columns, rows = (build_features(page, CONFIG.similarity, page.layout) for page in pages)
    assert align(columns, rows, CONFIG).score == pytest.approx(5.714, abs=0.0005)


def test_a_pair_that_would_cost_too_much_is_refused_before_the_work() -> None:
    table = table_of("<p>x" * 100)
    trees = trees_of(table, table)
    with pytest.raises(PageTooLargeError, match="10,001 alignment cells, limit 10,000"):
        align(*trees, AlignConfig(max_cells=10_000))
    assert len(align(*trees, AlignConfig(max_cells=10_001)).pairs) == 101


def test_long_lists_and_deep_pages_stay_within_the_limit() -> None:
    one = table_of("".join(f"<li>line of page {chr(97 + n % 7)}</li>" for n in range(600)))
    two = table_of("".join(f"<li>line of page {chr(97 + n % 5)}</li>" for n in range(600)))
    assert len(align(*trees_of(one, two), CONFIG).pairs) > 200
    deep = table_of("<div>" * 1_900 + "end")
    assert align(*trees_of(deep, deep), CONFIG).candidates == []


def test_nodes_of_one_tag_that_share_neither_id_nor_class_are_similar_below_two_thirds() -> None:
    """The counter-example of Song et al.: an article's element beside an advertisement's.

    Without boxes, depth and the missing id are two equal features of three.
    """
    one = table_of("<div class=article><p>News</p></div>")
    other = table_of("<div class=banner><p>Buy</p></div>")
    columns, rows = trees_of(one, other)
    place = columns.rows.tolist().index(one.tag.index("div"))
    assert similarity(columns, place, rows, place, CONFIG.similarity) == pytest.approx(2 / 3)
    as_printed = AlignConfig(similarity=SimilarityConfig(similar_above=0.67))
    for config, pairs in ((CONFIG, 2), (as_printed, 1)):
        assert len(align(columns, rows, config).pairs) == pairs  # of bodies, and of the elements


def test_boxes_tell_such_nodes_apart_by_the_printed_features() -> None:
    boxes = {"article": "0 90 600 900", "banner": "700 40 300 250"}
    pages = [
        table_of(
            f'<html data-webclean-box="0 0 9 9"><body data-webclean-box="0 0 9 9">'
            f'<div class={name} data-webclean-box="{box}">{name}</div>'
        )
        for name, box in boxes.items()
    ]
    columns, rows = (build_features(page, CONFIG.similarity, page.layout) for page in pages)
    assert columns.boxes is not None
    assert len(align(columns, rows, CONFIG).pairs) == 1  # of bodies
