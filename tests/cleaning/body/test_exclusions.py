"""Reasons why lines are set apart, on the pages of a data file."""

from operator import itemgetter
from pathlib import Path

import pytest

from tests.reading import (
    LONG_PARAGRAPH,
    OTHER_PARAGRAPH,
    PARAGRAPH,
    evidence_of,
    table_of,
    template_of,
    template_page,
)
from tests.toml_files import filled, read_toml
from webclean_scrapy.cleaning.body.evidence import Evidence
from webclean_scrapy.cleaning.body.reasons.names import EXCLUSIONS
from webclean_scrapy.cleaning.page.table import PageTable

CASES = read_toml(Path(__file__).with_name("exclusions.toml"))


def reasons(evidence: Evidence) -> list[str]:
    """Return the reason of each line."""
    return [EXCLUSIONS[reason] for reason in evidence.excluded]


def marked_reason(table: PageTable, box: int) -> str:
    """Return what the nearest ``data-why`` around an element says."""
    marked = table.node[box].xpath("ancestor-or-self::*[@data-why][1]/@data-why")
    return str(marked[0]) if marked else ""


@pytest.mark.parametrize("case", CASES["case"], ids=itemgetter("name"))
def test_lines_are_set_apart_where_their_page_says_so(case: dict[str, str]) -> None:
    titles = [case["title"]] if "title" in case else []
    evidence = evidence_of(filled(case["page"], CASES), titles=titles)

    boxes = evidence.table.lines.container
    assert reasons(evidence) == [marked_reason(evidence.table, box) for box in boxes]


def test_long_lines_of_the_template_are_set_apart() -> None:
    page = template_page(PARAGRAPH + LONG_PARAGRAPH, "New bridge opens to all who pay")
    table = table_of(page)
    template = template_of(table, template_page(OTHER_PARAGRAPH, "Cup lost"), "text")

    assert reasons(evidence_of(table, template=template)) == ["", "", "", "template"]
