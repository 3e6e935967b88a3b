import pytest

from tests.cleaning.templates.printed_similarity import similarity
from tests.growth import assert_linear
from tests.reading import table_of
from webclean_scrapy.cleaning.page.layout import Layout
from webclean_scrapy.cleaning.page.table import PageTable
from webclean_scrapy.cleaning.templates.alignment import (
    SimilarityConfig,
    build_features,
    find_content_nodes,
    root_row,
)

CONFIG = SimilarityConfig()
FILL = "<i>filler</i>"  # a child with text, so that its parent is a structure node


def compare(
    one: str, other: str, config: SimilarityConfig = CONFIG, *, boxes: bool = False
) -> float:
    """Return the similarity of the elements of both pages that are marked with ``title=x``."""
    trees, places = [], []
    for html in (one, other):
        table = table_of(html)
        zeros, tops = [0.0] * len(table), [float(units) for units in table.text_before[:-1]]
        layout = Layout(zeros, zeros, tops, zeros) if boxes else None
        tree = build_features(table, config, layout)
        trees.append(tree)
        places += [at for at, row in enumerate(tree.rows) if table.node[row].get("title")]
    return similarity(trees[0], places[0], trees[1], places[1], config)


def test_a_node_is_content_by_its_tag_or_by_its_own_text() -> None:
    table = table_of(
        "<div id=prose>Much text of its own here, and <a>link</a></div>"
        "<div id=half>Half of it <a>is a link</a></div><h2 id=h></h2><div id=void></div>"
    )
    content = find_content_nodes(table, CONFIG)
    found = {table.ident[row] for row, is_content in enumerate(content) if is_content}
    assert found - {""} == {"prose", "h"}


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (f"<div title=x>{FILL}</div>", f"<section title=x>{FILL}</section>", 0.0),
        (f"<div title=x>{FILL}</div>", f"<div><div title=x>{FILL}</div></div>", 0.0),
        # features are id, class and depth
        (f"<div id=a title=x>{FILL}</div>", f"<div id=a class=c title=x>{FILL}</div>", 2 / 3),
        (f"<div id=a title=x>{FILL}</div>", f"<div id=b class=c title=x>{FILL}</div>", 1 / 3),
        # content nodes
        ("<p title=x>one <b>two</b></p>", "<p title=x>one <b>two</b></p>", 1.0),
        ("<p title=x>one <b>two</b></p>", "<p title=x>one <i>two</i></p>", 0.0),
        ("<p id=a title=x>same</p>", "<p id=b title=x>same</p>", 1.0),  # inner, not outer HTML
        ("<p title=x>read 1,024 times</p>", "<p title=x>read 7,311 times</p>", 1.0),
        # one content, one structure node
        ("<div title=x>text</div>", f"<div title=x>{FILL}</div>", 0.0),
    ],
)
def test_the_printed_rules_hold_in_their_order(one: str, other: str, expected: float) -> None:
    assert compare(one, other) == pytest.approx(expected)
    assert compare(other, one) == pytest.approx(expected)


def test_below_parents_that_are_not_similar_nothing_is() -> None:
    inner = f"<div title=x>{FILL}</div>"
    assert compare(f"<div id=a>{inner}</div>", f"<div id=b>{inner}</div>") == 1.0
    assert compare(f"<div id=a class=c>{inner}</div>", f"<div id=b class=d>{inner}</div>") == 0.0


def test_boxes_are_four_more_features() -> None:
    one = f"<div title=x>{FILL}</div>"
    assert compare(one, one, boxes=True) == 1.0
    lower = f"<p>first</p>{one}"  # another top
    assert compare(one, lower, boxes=True) == pytest.approx(6 / 7)
    assert compare(one, lower) == 1.0


def test_nested_content_nodes_cost_no_more_than_their_rows() -> None:
    def nested(levels: int) -> PageTable:
        return table_of(("<div>" + "<span>".join(f"word {n} " for n in range(levels))) * 2)

    table = nested(900)
    tree = build_features(table, CONFIG)
    assert len(tree.rows) == sum(tag != "#text" for tag in table.tag[root_row(table) :])
    assert_linear(lambda table: build_features(table, CONFIG), nested, 110)
