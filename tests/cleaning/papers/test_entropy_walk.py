from __future__ import annotations

from statistics import pvariance

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reading import table_of
from webclean_scrapy.cleaning.page.layout import Layout, estimate_layout
from webclean_scrapy.cleaning.papers.entropy_walk import (
    EntropyConfig,
    find_important,
    rank_children,
    weigh_children,
)
from webclean_scrapy.errors import ConfigError

TEXT = "A sentence of the report, as long as sentences of reports are. "
MENU = "".join(f"<li><a>Story number {n} of this week</a></li>" for n in range(9))

# The printed example: focus, searchDiv02, main, links, chaFooter
HEIGHTS = [501, 53, 10_986, 2_245, 76]
WIDTHS = [1_265, 676, 676, 676, 676]
UNITS = [86, 21, 1_409, 54, 9]
PRINTED = [0.040, 0.007, 0.612, 0.085, 0.008]


def found(html: str, config: EntropyConfig | None = None, *, boxes: bool = False) -> str:
    table = table_of(html)
    row = find_important(table, config, estimate_layout(table) if boxes else None)
    return "" if row is None else table.ident[row] or table.tag[row]


def test_the_printed_example_keeps_its_order_but_not_its_numbers() -> None:
    shares = weigh_children([HEIGHTS, WIDTHS, UNITS])
    assert [round(share, 3) for share in shares] == [0.051, 0.012, 0.835, 0.094, 0.009]
    assert sum(shares) == pytest.approx(1)
    order = sorted(range(5), key=shares.__getitem__)
    assert order == [4, 1, 0, 3, 2]
    assert sorted(range(5), key=PRINTED.__getitem__) == [1, 4, 0, 3, 2]
    assert sum(PRINTED) == pytest.approx(0.752)  # no weights with the sum 1 give that


def test_the_printed_variance_is_that_of_the_printed_importances() -> None:
    assert pvariance(PRINTED) == pytest.approx(0.0539, abs=0.0003)
    assert pvariance(weigh_children([HEIGHTS, WIDTHS, UNITS])) == pytest.approx(0.1016, abs=0.0001)


def test_a_measure_that_tells_the_children_apart_weighs_more() -> None:
    assert weigh_children([[1, 1], [9, 1]]) == pytest.approx([0.9, 0.1])


def test_measures_that_all_are_even_weigh_the_same() -> None:
    assert weigh_children([[1, 1, 1], [7, 7, 7]]) == pytest.approx([1 / 3] * 3)


def test_a_single_child_is_all_and_nothing_is_nothing() -> None:
    assert weigh_children([[3], [5]]) == [1.0]
    assert weigh_children([[0, 0], [0, 0]]) == [0.0, 0.0]
    assert weigh_children([[], []]) == weigh_children([]) == []


@given(
    st.integers(1, 6).flatmap(
        lambda size: st.lists(
            st.lists(st.floats(0, 1e6), min_size=size, max_size=size), min_size=1, max_size=3
        )
    )
)
def test_importances_are_shares(measures: list[list[float]]) -> None:
    shares = weigh_children(measures)
    assert len(shares) == len(measures[0])
    assert all(-1e-9 <= share <= 1 + 1e-9 for share in shares)
    assert sum(shares) == pytest.approx(1 if any(map(any, measures)) else 0, abs=1e-6)


@given(st.lists(st.integers(0, 50), min_size=2, max_size=5))
def test_the_order_of_children_has_no_say(values: list[int]) -> None:
    even = [1] * len(values)
    turned = weigh_children([values[::-1], even])
    assert turned[::-1] == pytest.approx(weigh_children([values, even]))


@pytest.mark.parametrize("boxes", [False, True])
def test_the_walk_ends_where_no_child_dominates(boxes: bool) -> None:
    page = (
        f"<div id=head><ul>{MENU}</ul></div>"
        f"<div id=page><div id=main><p>{TEXT * 3}</p><p>{TEXT * 3}</p><p>{TEXT * 3}</p></div>"
        "<div id=meta>Today</div></div><div id=foot>Imprint</div>"
    )
    assert found(page, boxes=boxes) == "main"


def test_one_child_is_gone_on_with() -> None:
    assert (
        found(f"<div><section><div id=in><p>{TEXT}</p><p>{TEXT}</p></div></section></div>") == "in"
    )


def test_a_large_loss_stops_the_walk_earlier() -> None:
    page = f"<div id=a>{TEXT * 3}</div><div id=b>{TEXT}</div>"
    assert found(page, EntropyConfig(max_loss=0.1)) == "body"
    assert found(page, EntropyConfig(max_loss=0.5)) == "a"


def test_text_directly_in_a_node_is_not_left_behind() -> None:
    page = f"<div id=main>{TEXT}<br>{TEXT}<p>{TEXT}</p></div>"
    assert found(page) == "main"
    assert found(f"<div id=main>By us<p id=p>{TEXT * 3}</p></div>") == "p"


def test_pruned_tags_are_no_children() -> None:
    table = table_of("<div><a>x</a><img><h2>y</h2><ul><li>z</ul><div></div></div>")
    ranked = rank_children(table, table.tag.index("div"))
    assert [table.tag[row] for row, _ in ranked] == ["h2", "ul"]


def test_what_has_a_box_but_no_text_is_a_child_and_what_has_none_is_not() -> None:
    table = table_of("<div id=a></div><div id=b></div><div id=c>x</div>")
    size, a = len(table), table.ident.index("a")
    layout = Layout([0.0] * size, [0.0] * size, [0.0] * size, [0.0] * size, source="rendered")
    layout.height[a] = 900.0
    ranked = rank_children(table, table.tag.index("body"), layout)
    assert [table.ident[row] for row, _ in ranked] == ["a", "c"]
    assert sum(share for _, share in ranked) == pytest.approx(1)
    layout.height[a] = layout.width[a] = 1e9
    layout.height[-3:], layout.width[-3:] = [1.0] * 3, [1.0] * 3
    assert find_important(table, EntropyConfig(max_loss=0.5), layout) != a  # it holds no text


def test_the_boxes_of_a_rendered_page_are_read_without_being_asked_for() -> None:
    blocks = "".join(
        f'<div id={name} data-webclean-box="0 0 {size}">{TEXT}</div>'
        for name, size in {"a": "300 40", "b": "900 4000"}.items()
    )
    page = f'<html><body data-webclean-box="0 0 1280 4000">{blocks}</body></html>'
    assert found(page) == "b"
    assert found(page.replace("data-webclean-box", "data-other")) == "body"


def test_a_page_of_links_or_of_nothing_has_no_body() -> None:
    assert found(f"<ul>{MENU}</ul>") == ""
    assert found("") == ""
    assert found("<frameset><frame src=a></frameset>") == ""


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_a_loss_that_means_nothing_is_refused(value: float) -> None:
    with pytest.raises(ConfigError, match="max_loss"):
        EntropyConfig(max_loss=value)


@pytest.mark.cpu_seconds(20)
def test_deep_and_wide_pages_are_walked_in_linear_time() -> None:
    assert found("<div>" * 1_800 + f"<p id=end>{TEXT}</p>") == "end"
    assert found(f"<div>{TEXT}</div>" * 20_000, boxes=True) == "body"
