from __future__ import annotations

from lxml import etree

from webclean_scrapy.cleaning.page.parse import parse
from webclean_scrapy.cleaning.page.walk import collect_rows


def test_what_stands_behind_comments_and_instructions_is_no_text() -> None:
    root = etree.fromstring("<html>a<!-- c -->b<?pi x?>c<p>d</p><!-- e -->f</html>")

    assert [text[1] for text in collect_rows(root).texts] == ["a", "d"]


def test_the_nodes_of_a_page_are_its_elements() -> None:
    nodes = collect_rows(parse("<p class=one>text<b>more</b>")).node

    assert [node.tag for node in nodes] == ["html", "body", "p", "p", "b", "b"]
    assert nodes[2].get("class") == "one"
