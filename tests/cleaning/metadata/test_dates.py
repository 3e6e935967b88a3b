import sys
from functools import partial
from pathlib import Path

import pytest
from lxml.html import HtmlElement, tostring

from tests.growth import assert_linear
from tests.toml_files import read_toml
from webclean_scrapy.cleaning.metadata.date_lines import date_lines
from webclean_scrapy.cleaning.metadata.dates import (
    dated_parts,
    find_date,
)
from webclean_scrapy.cleaning.metadata.head import Head
from webclean_scrapy.cleaning.metadata.nearby_lines import find_nearby
from webclean_scrapy.cleaning.page.parse import parse
from webclean_scrapy.cleaning.page.table import PageTable, build_table

TABLES = read_toml(Path(__file__).with_name("tables.toml"))
MARKUP = "<html><body><h1>Ferry</h1><p class=date>2026-02-05</p></body></html>"


def table_of(markup: str) -> PageTable:
    return build_table(parse(markup))


def test_markup_is_searched_when_no_line_and_no_address_tells() -> None:
    find = partial(find_date, table=table_of(MARKUP))
    assert find(Head()) == "2026-02-05"
    address = "https://post.invalid/2026/02/03/ferry"
    assert find(Head(), url=address) == "2026-02-03"
    assert find(Head(canonical=address)) == "2026-02-03"


PARAGRAPH = "<p>The ferry left late and came back with nobody on board but its crew.</p>"


@pytest.mark.parametrize(("markup", "expected"), TABLES["markup"])
def test_htmldate_is_given_what_it_needs_of_the_markup(markup: str, expected: str) -> None:
    part = markup.replace("{PARAGRAPH}", PARAGRAPH)
    markup = f"<body>{PARAGRAPH * 50}{part}{PARAGRAPH * 50}"
    table = table_of(markup)

    assert (find_date(Head(), table=table) or "") == expected
    assert len(tostring(dated_parts(table))) < len(markup) / 10


def test_a_long_attribute_is_written_in_proportion() -> None:
    def make(size: int) -> HtmlElement:
        return dated_parts(table_of(f"<meta name=a content='{'<!--' * size}'><p>2026"))

    assert_linear(tostring, make, 1_000)


def test_markup_is_read_only_where_the_page_says_nothing_else() -> None:
    find = partial(find_date, table=table_of(MARKUP))

    assert find(Head(published=("2026-02-03",))) == "2026-02-03"
    assert find(Head(), near=["3 February 2026"]) == "2026-02-03"
    assert find(Head(), lines=["2026-02-03 04:05"]) == "2026-02-03T04:05:00"
    assert find(Head(), url="https://post.invalid/news/2026-2-3-ferry") == "2026-02-03"


def test_without_htmldate_address_and_lines_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "htmldate", None)
    find = partial(find_date, Head(), table=table_of(MARKUP))

    assert find(url="https://post.invalid/20260203/ferry") == "2026-02-03"
    assert find(lines=["Published 2026-02-04"]) == "2026-02-04"
    assert find() is None


@pytest.mark.parametrize("unit", ["2026-02-03 ", "2026", "2026-", "2026 ", " ", "年", "3 may "])
def test_long_lines_take_time_in_proportion(unit: str) -> None:
    def work(long: str) -> None:
        lines = [unit * 30] * (len(long) // len(unit))
        find_date(Head(published=(long,)), lines=[*lines, long], near=[*lines[:100], long])

    assert_linear(work, lambda size: unit * size, 2_000)


@pytest.mark.parametrize(("written", "expected"), TABLES["written"])
def test_a_month_in_the_markup_gets_no_day_of_the_clock(
    written: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("htmldate.find_date", lambda *_, **__: "2021-03-03")  # on the third

    markup = f"<body><h1>Ferry</h1><p class=published>{written}</p>"
    assert (find_date(Head(), table=table_of(markup)) or "") == expected


def test_the_posts_of_a_forum_have_dates_of_their_own() -> None:
    table = table_of("<body><h1>Ferry late?</h1><p>It was.<p>Bo<p>22 May 2026<p>So it was.<p>Ann")
    nearby = find_nearby(table.lines.text, 0, [1])

    forum, article = (
        date_lines(table, nearby, 0, [1], is_forum=is_forum, is_others=lambda *_, **__: False)
        for is_forum in (True, False)
    )
    assert (forum.below, forum.own) == ((), None)
    assert ("22 May 2026" in article.below, article.own) == (True, (0, 1))
