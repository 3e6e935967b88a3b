from statistics import pvariance

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.growth import assert_linear
from tests.reading import table_of
from webclean_scrapy.cleaning.page.table import PageTable
from webclean_scrapy.cleaning.papers.entropy_path import (
    EntropyConfig,
    EntropyMethod,
    find_important,
    find_path,
    path_of,
    rank_children,
    weigh_children,
)

TEXT = "A sentence of the report, as long as sentences of reports are. "
MENU = "".join(f"<li><a>Story number {n} of this week</a></li>" for n in range(9))

# The printed example: focus, searchDiv02, main, links, chaFooter
HEIGHTS = [501, 53, 10_986, 2_245, 76]
WIDTHS = [1_265, 676, 676, 676, 676]
UNITS = [86, 21, 1_409, 54, 9]
PRINTED = [0.040, 0.007, 0.612, 0.085, 0.008]


def body_of(html: str, config: EntropyConfig = EntropyConfig()) -> str:  # noqa: B008
    table = table_of(html)
    row = find_important(table, config)
    return "" if row is None else table.ident[row] or table.tag[row]


ALL_TEXT = 2_950  # of the page, links included: not printed, found from the example


def test_the_printed_example_of_importance_and_variance() -> None:
    shares = weigh_children([HEIGHTS, WIDTHS, UNITS], ALL_TEXT)
    assert shares == pytest.approx(PRINTED, abs=0.003)
    assert pvariance(shares) == pytest.approx(0.0539, abs=0.001)
    assert sum(weigh_children([HEIGHTS, WIDTHS, UNITS])) == pytest.approx(1)  # printed: .752


def rendered(*children: str) -> PageTable:
    """Return a page whose elements have boxes, one for each of "width height text"."""
    parts = []
    for number, child in enumerate(children):
        width, height, units = map(int, child.split())
        box = f'data-webclean-box="0 0 {width} {height}"'
        parts.append(f"<div id=c{number} {box}>{'x' * units}</div>")
    return table_of(
        f'<html data-webclean-box="0 0 9 9"><body data-webclean-box="0 0 9 9">'
        f"{''.join(parts)}</body></html>"
    )


def kept(table: PageTable) -> list[str]:
    return [table.ident[row] for row, _ in rank_children(table, table.tag.index("body"))]


def test_children_without_width_height_or_text_are_pruned_of_a_rendered_page() -> None:
    sizes = ["600 90 50", "0 90 50", "600 0 50", "600 90 0", "0 0 50", "0 0 0", "9 9 9"]
    assert kept(rendered(*sizes)) == ["c0", "c6"]
    plain = "".join(f"<div id=c{n}>{'x' * units}</div>" for n, units in enumerate((50, 0, 9)))
    assert kept(table_of(f"<body>{plain}")) == ["c0", "c2"]


def test_links_count_as_text_of_the_page_but_not_of_the_child() -> None:
    one, two = "600 90 50", "600 90 40"
    alone = rank_children(table := rendered(one, two), table.tag.index("body"))
    link = f"<a data-webclean-box='0 0 9 9' href=/x>{'x' * 90}</a>"
    html = "".join(
        f'<div id=c{n} data-webclean-box="0 0 600 90">{"x" * units}{link * (n == 1)}</div>'
        for n, units in enumerate((50, 40))
    )
    table = table_of(f'<body data-webclean-box="0 0 9 9">{html}</body>')
    linked = rank_children(table, table.tag.index("body"))
    assert sum(share for _, share in alone) == pytest.approx(1)
    assert sum(share for _, share in linked) == pytest.approx(90 / 180)  # the text decides alone


def test_the_walk_ends_where_no_child_dominates() -> None:
    page = (
        f"<div id=head><ul>{MENU}</ul></div>"
        f"<div id=page><div id=main><p>{TEXT * 3}</p><p>{TEXT * 3}</p><p>{TEXT * 3}</p></div>"
        "<div id=meta>Today</div></div><div id=foot>Imprint</div>"
    )
    assert body_of(page) == "main"


def test_the_printed_rule_stops_where_one_child_stands_out() -> None:
    printed = EntropyConfig(stop_variance=0.1)
    html = (
        "<body><div id=page><div id=top>Top.</div>"
        f"<div id=main><p>{TEXT * 9}</p></div><div id=end>End.</div></div>"
    )
    assert body_of(html) == "p"
    assert body_of(html, printed) == "page"  # a single child has no variance, its children have
    even = f"<body><div id=one>{TEXT}</div><div id=two>{TEXT}{TEXT}</div><div id=end>End.</div>"
    assert body_of(even) == "body"  # the largest is below 1 - T
    assert body_of(even, printed) == "two"  # by the printed rule the walk goes on


def test_the_boxes_of_a_rendered_page_are_read_without_being_asked_for() -> None:
    blocks = "".join(
        f'<div id={name} data-webclean-box="0 0 {size}">{TEXT}</div>'
        for name, size in {"a": "300 40", "b": "900 4000"}.items()
    )
    page = f'<html><body data-webclean-box="0 0 1280 4000">{blocks}</body></html>'
    assert body_of(page) == "b"
    assert body_of(page.replace("data-webclean-box", "data-other")) == "body"


def test_a_page_of_links_or_of_nothing_has_no_body() -> None:
    assert body_of(f"<ul>{MENU}</ul>") == ""
    assert body_of("") == ""
    assert body_of("<frameset><frame src=a></frameset>") == ""


def test_deep_and_wide_pages_are_walked_in_linear_time() -> None:
    assert body_of("<div>" * 1_800 + f"<p id=end>{TEXT}</p>") == "end"
    assert body_of(f"<div>{TEXT}</div>" * 1_000) == "body"
    assert_linear(body_of, lambda size: "<div>" * size + f"<p id=end>{TEXT}</p>", 230)
    assert_linear(body_of, lambda size: f"<div>{TEXT}</div>" * size, 500)


def page(words: str = TEXT * 9, *, ident: str = "main", rest: str = "Imprint") -> PageTable:
    return table_of(f"<div id={ident}><h1>Title</h1><div class=text>{words}</div></div><p>{rest}")


def test_a_path_names_id_or_classes_or_the_tag_alone() -> None:
    table = table_of(
        "<body id=p7 class=single><div id=post-123 class=x><section class=' b2  a b7 '><ul><li>x"
    )
    assert path_of(table, table.tag.index("li")) == "body > div#post-0 > section.a.b0 > ul > li"
    assert path_of(table, 0) == ""


@given(
    st.recursive(
        st.sampled_from(["x", "<p>y</p>", "<p class='b a'>z</p>"]),
        lambda inner: st.builds(
            lambda mark, parts: f"<div {mark}>{''.join(parts)}</div>",
            st.sampled_from(["", "id=a1", "class='c d'", 'id="e f"', "id=x.y#z"]),
            st.lists(inner, max_size=3),
        ),
        max_leaves=12,
    )
)
def test_every_path_leads_to_a_row_of_this_path(html: str) -> None:
    table = table_of(html)
    for row in range(1, len(table)):
        if table.tag[row] not in {"#text", "html"}:
            at = find_path(table, path_of(table, row))
            assert at is not None
            assert path_of(table, at) == path_of(table, row)
            assert table.plain_length(at) >= table.plain_length(row)


def test_a_site_with_a_new_path_on_each_page_takes_no_more_memory() -> None:
    book = EntropyMethod(EntropyConfig(same_from=0.1), 9)
    for number in range(100):
        table = page(ident="m" * (number + 1))
        book.vote(f"http://a.example/{number}", table, table.classes.index("text"))
    (cluster,) = book.clusters
    assert len(cluster.votes) == len(cluster.shares) == 16
    assert cluster.misses == 84
