from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.extract.reading import (
    OTHER_PARAGRAPH,
    OTHER_SENTENCE,
    PARAGRAPH,
    SENTENCE,
    evidence_of,
    trees,
)
from webclean_scrapy.extract.shape import BodyShape, measure_shape

HEADLINE = "<p><a>A headline that leads elsewhere</a></p>"


def shape_of(html: str, kept: list[int] | None = None) -> BodyShape:
    evidence = evidence_of(html)
    return measure_shape(evidence, range(len(evidence.mass)) if kept is None else kept)


def test_the_run_is_the_longest_stretch_between_headlines() -> None:
    both = PARAGRAPH + OTHER_PARAGRAPH

    assert shape_of(both).run == len(SENTENCE) + len(OTHER_SENTENCE)
    assert shape_of(PARAGRAPH + HEADLINE + OTHER_PARAGRAPH).run == len(SENTENCE)
    assert shape_of(PARAGRAPH + "<p>Short</p>" + OTHER_PARAGRAPH).run == shape_of(both).run
    assert shape_of(PARAGRAPH + "<p><a>More</a></p>" + OTHER_PARAGRAPH).run == shape_of(both).run


def test_paragraphs_that_were_removed_are_no_part_of_the_run() -> None:
    assert shape_of(PARAGRAPH + OTHER_PARAGRAPH, [1]).run == len(OTHER_SENTENCE)


def test_teasers_are_paragraphs_with_a_headline_beside_them() -> None:
    assert shape_of((HEADLINE + PARAGRAPH) * 3).teaser_share == 1.0
    assert shape_of(HEADLINE + PARAGRAPH * 4).teaser_share == 0.5
    assert shape_of(PARAGRAPH * 4).teaser_share == 0.0
    assert shape_of("<p>Short</p>").teaser_share == 0.0


def test_card_share_is_the_part_of_the_lines_inside_cards() -> None:
    cards = "<li><h3><a>Head</a></h3><p>Some text</p>" * 3

    assert shape_of(f"<ul>{cards}</ul>").card_share == 1.0
    assert shape_of(f"<ul>{cards}</ul>" + "<p>Short</p>" * 6).card_share == 0.5
    assert shape_of("<p>Short</p>").card_share == 0.0


def test_a_card_far_above_a_line_is_none() -> None:
    deep = "<div>" * 6 + "<p>Some text</p>" + "</div>" * 6
    item = f"<li><a>Head</a>{deep}"

    assert shape_of(f"<ul>{item * 3}</ul>").card_share == 0.5


def post(date: str, text: str = SENTENCE) -> str:
    return f"<div class=post><i>{date}</i><p>{text}</p></div>"


def test_posts_are_like_elements_with_a_date_in_each() -> None:
    posts = post("2026-03-02 10:20") + post("2026-03-03 11:30")

    assert shape_of(posts).post_share == 1.0
    assert shape_of(post("2026-03-02")).post_share == 0.0
    assert shape_of(post("Ann") + post("Lee")).post_share == 0.0
    outside = shape_of(posts + PARAGRAPH).post_share
    assert 0.6 < outside < 0.75


def test_a_date_in_a_long_line_makes_no_post() -> None:
    long = f"On 2026-03-02 {SENTENCE} {OTHER_SENTENCE}"

    assert shape_of(f"<div class=post><p>{long}</p></div>" * 2).post_share == 0.0


def test_posts_count_only_where_text_of_two_is_kept() -> None:
    posts = post("2026-03-02 10:20") + post("2026-03-03 11:30")

    assert shape_of(posts, [0, 1]).post_share == 0.0


def test_a_body_without_lines_has_no_shape() -> None:
    assert shape_of(PARAGRAPH, []) == BodyShape(0, 0.0, 0.0, 0.0)


@given(trees(), st.integers(1, 3))
def test_a_shape_is_made_of_shares_on_any_tree(html: str, step: int) -> None:
    evidence = evidence_of(html)
    kept = range(0, len(evidence.mass), step)

    shape = measure_shape(evidence, kept)

    assert 0 <= shape.run <= sum(evidence.table.lines.units)
    for share in (shape.teaser_share, shape.card_share, shape.post_share):
        assert 0.0 <= share <= 1.0


@pytest.mark.parametrize("count", [2, 5])
def test_the_order_of_posts_does_not_matter(count: int) -> None:
    posts = [post(f"2026-03-0{n + 1}", SENTENCE[n:]) for n in range(count)]

    assert shape_of("".join(posts)) == shape_of("".join(reversed(posts)))
