"""The signs of the model for kinds of pages, on the pages of a data file."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.reading import table_of, trace_of
from tests.toml_files import filled, read_toml
from webclean_scrapy.cleaning.kind.page_kind import kind_features
from webclean_scrapy.cleaning.kind.text_signs import ended_share
from webclean_scrapy.cleaning.page.guard import GuardConfig
from webclean_scrapy.cleaning.page.raw_page import RawPage
from webclean_scrapy.cleaning.parsed_page import parse_page

CASES = read_toml(Path(__file__).with_name("signs.toml"))


def cases() -> Iterator[Any]:
    for sign in CASES["sign"]:
        for number, case in enumerate(sign["pages"], 1):
            yield pytest.param(sign["name"], case, id=f"{sign['name']}, {number}")


@pytest.mark.parametrize(("name", "case"), [*cases()])
def test_a_sign_is_what_its_meaning_says(name: str, case: dict[str, Any]) -> None:
    page = parse_page(RawPage(filled(case["page"], CASES), case.get("url", "")), GuardConfig())
    trace = trace_of(page)
    value = float(kind_features(page, trace.evidence, trace.body).signs[name])

    assert case.get("over", -1.0) < value < case.get("under", 2.0)
    assert value == pytest.approx(case.get("is", value), abs=1e-4)


@pytest.mark.parametrize(
    ("html", "share"),
    [
        ("<p>Over the water,<p>over again;", 1.0),
        ("<p>The price<p>Of rope:", 0.5),
        ("<p>The price of rope<p>M. Marlow", 0.0),
    ],
)
def test_ended_share_is_the_part_of_the_text_in_lines_with_a_mark_at_their_end(
    html: str, share: float
) -> None:
    table = table_of(html)

    assert ended_share(table, range(len(table.lines))) == pytest.approx(share, abs=0.03)
