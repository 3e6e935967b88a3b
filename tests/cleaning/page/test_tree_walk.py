from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from tests.hostile.kinds import KINDS, make_page
from webclean_scrapy.cleaning.page import tree_walk
from webclean_scrapy.cleaning.page.nesting import flatten
from webclean_scrapy.cleaning.page.parse import parse, to_utf8
from webclean_scrapy.cleaning.page.tree_walk import walk_compiled, walk_pure
from webclean_scrapy.errors import PageTooLargeError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lxml.etree import _Element

    from tests.hostile.draw import Kind
    from webclean_scrapy.cleaning.page.row_attributes import RowAttributes
    from webclean_scrapy.cleaning.page.walk import WalkedRows

    Walk = Callable[[_Element], tuple[WalkedRows, RowAttributes]]

#: The compiled form is there where it was built.
FORMS = [walk_pure, walk_compiled] if tree_walk.IS_COMPILED else [walk_pure]
EACH_FORM = pytest.mark.parametrize("walk", FORMS)

_PIECES = [
    "<p>", "</p>", "<div class='A b' id=X>", "</div>", "<a href=/x>", "<a>", "</a>", "<br>",
    "<pre>", "<title>t</title>", "<meta name=a content=b>", "text", " ", "\n", "中文", "\u200b",
    "&nbsp;", "&lt;", "<i hidden style='display: none'>", "</i>", "<svg:rect x=1>",
    "<b itemprop=author role>", "<!-- c -->", "<li aria-hidden=true>", "<![CDATA[x]]>", "<td>",
    "<span data-webclean-box='hidden'>", "</body>",
]  # fmt: skip


def check_equal(html: str | bytes) -> None:
    """Compare all forms, row by row."""
    pure, attributes = walk_pure(parse(html))
    rows, same_attributes = FORMS[-1](parse(html))

    assert rows.tag == pure.tag
    assert rows.parent == pure.parent
    assert rows.end == pure.end
    assert rows.texts == pure.texts
    assert same_attributes == attributes
    assert places(rows.node) == places(pure.node)


def places(nodes: Sequence[_Element]) -> list[tuple[str, int]]:
    """Return name and place of the elements among all of their tree."""
    numbers = {element: number for number, element in enumerate(nodes[0].iter())}
    return [(str(node.tag), numbers[node]) for node in nodes]


@given(st.lists(st.sampled_from(_PIECES), max_size=40).map("".join))
def test_both_walks_give_equal_rows(html: str) -> None:
    check_equal(html)


@pytest.mark.parametrize(
    "kind", [kind for kind in KINDS if "50 MB" not in kind.name][::9], ids=lambda kind: kind.name
)
def test_both_walks_give_equal_rows_of_hostile_pages(kind: Kind) -> None:
    html = to_utf8(make_page(kind, 7).body[:300_000].decode("utf-8", "replace"))
    try:
        check_equal(html)
    except PageTooLargeError:  # too deep
        check_equal(flatten(html))


@EACH_FORM
def test_what_stands_behind_comments_and_instructions_is_no_text(walk: Walk) -> None:
    root = etree.fromstring("<html>a<!-- c -->b<?pi x?>c<p>d</p><!-- e -->f</html>")

    assert [text[1] for text in walk(root)[0].texts] == ["a", "d"]


@EACH_FORM
def test_the_nodes_of_a_page_are_its_elements_and_outlive_it(walk: Walk) -> None:
    nodes = walk(parse("<p class=one>text<b>more</b>"))[0].node

    assert [node.tag for node in nodes] == ["html", "body", "p", "p", "b", "b"]
    assert nodes[2].get("class") == "one"
    assert nodes[-1] is nodes[len(nodes) - 1]
    for row in (len(nodes), -len(nodes) - 1):
        with pytest.raises(IndexError):
            nodes[row]
