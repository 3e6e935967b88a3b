import dataclasses

import pytest
from hypothesis import given

from tests.reading import (
    PARAGRAPH,
    row_of,
    trace_of,
    trees,
)
from webclean_scrapy.cleaning.kind.page_kind import FEATURES, ONE, KindFeatures, kind_features
from webclean_scrapy.cleaning.metadata.head import read_head
from webclean_scrapy.cleaning.page.parse import parse
from webclean_scrapy.cleaning.page.table import build_table
from webclean_scrapy.cleaning.page.walk import Elements
from webclean_scrapy.cleaning.parsed_page import ParsedPage

TITLE = "Northern pier closed after divers found a crack"


def features_of(html: str, title: str = TITLE, *, list_url: bool = False) -> KindFeatures:
    root = parse(f"<title>{title}</title>{html}")
    head = read_head(Elements(root))
    table = build_table(root)
    url = "http://a.example/news/" if list_url else None
    page = ParsedPage(url, head, head.titles, table)
    trace = trace_of(page)
    body = trace.body
    if "text" in table.ident:  # whatever the extractor thinks of it
        row = row_of(table, "text")
        body = dataclasses.replace(body, row=row, lines=tuple(table.lines_in(row)))
    return kind_features(page, trace.evidence, body)


@given(trees())
def test_the_signs_of_any_tree_are_those_of_the_model_and_shares(html: str) -> None:
    signs = features_of(html, list_url=True).signs

    assert {ONE, *signs} == set(FEATURES)
    assert all(0.0 <= sign <= 1.0 for sign in signs.values())


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        ("", True),
        ("<meta name=author content='Ann Lee'>", False),
        ("<meta property=article:published_time content=2026-03-12>", False),
        (f"<h1>{TITLE}</h1><p>12 March 2026</p>", False),
    ],
)
def test_a_list_with_a_text_before_it_has_no_date_or_author(own: str, expected: bool) -> None:
    entries = "".join(f"<h3><a href=/{n}>{TITLE} {n}</a></h3>{PARAGRAPH}" for n in range(8))
    page = f"{own}<div id=text>{PARAGRAPH}{entries}</div>"

    assert features_of(page, list_url=True).teasers is expected
