import sys
from functools import partial

import pytest
from lxml.etree import tostring

from tests.growth import assert_linear
from webclean_scrapy.cleaning.metadata.dates import dated_parts, find_date, parse_date
from webclean_scrapy.cleaning.metadata.head import Head
from webclean_scrapy.cleaning.page.parse import parse
from webclean_scrapy.cleaning.page.table import PageTable, build_table


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("2026-02-03", "2026-02-03"),
        ("2026-02-03T04:05:06.123Z", "2026-02-03T04:05:06+00:00"),
        ("2026-02-03T04:05:06+0800", "2026-02-03T04:05:06+08:00"),
        ("2026/2/3 4:05", "2026-02-03T04:05:00"),
        ("2026年2月3日 04时05分", "2026-02-03T04:05:00"),
        ("20260203", "2026-02-03"),
        ("发布时间：2026.02.03", "2026-02-03"),
        ("Tue, 03 Feb 2026 04:05:06 GMT", "2026-02-03T04:05:06+00:00"),
        ("Feb 03, 2026", "2026-02-03"),
        ("3rd February 2026", "2026-02-03"),
        ("yesterday", None),
        ("2026-02-30", None),
        ("20٢6-02-03", None),
        ("2026-02-03T04:05:06+99:99", "2026-02-03"),
    ],
)
def test_dates_in_many_forms_become_iso(written: str, expected: str | None) -> None:
    assert parse_date(written) == expected


@pytest.mark.parametrize(
    ("declared", "lines", "expected"),
    [
        # the time of a declared day is read off the page
        (["2026-02-03"], ["2026-02-01 10:00", "2026年02月03日04:05 来源"], "2026-02-03T04:05:00"),
        # a line with date and time tells when nothing is declared, but not within a paragraph
        ([], ["Home", "2026-02-05", "2026-02-03 04:05:06　来源：港湾网"], "2026-02-03T04:05:06"),
        ([], ["On 2026-02-03 04:05 the ferry left. " * 20], None),
        # a declared date in words gets its time from a more exact one
        (
            ["Feb 03, 2026", "2026-02-04T01:00:00Z", "2026-02-03T04:05:06Z"],
            [],
            "2026-02-03T04:05:06+00:00",
        ),
    ],
)
def test_what_is_declared_and_the_lines_tell_the_date(
    declared: list[str], lines: list[str], expected: str | None
) -> None:
    assert find_date(Head(published=tuple(declared)), lines=lines) == expected


@pytest.mark.parametrize(
    ("near", "expected"),
    [
        (["2026年2月4日 港湾网"], "2026-02-04"),
        (["Posted on 4 February 2026"], "2026-02-04"),
        (["2026-02-05", "2026-02-04 10:00"], "2026-02-04T10:00:00"),
        (["更新时间：2026-02-05 10:00", "2026-02-04"], "2026-02-04"),
        (["Nothing of that kind"], "2026-02-03T04:05:00"),
    ],
)
def test_a_date_near_the_title_is_the_articles(near: list[str], expected: str) -> None:
    assert find_date(Head(), lines=["2026-02-03 04:05 Other story"], near=near) == expected


MARKUP = "<html><body><h1>Ferry</h1><time datetime='2026-02-05'>Thursday</time></body></html>"


def table_of(markup: str) -> PageTable:
    return build_table(parse(markup))


def test_markup_is_searched_when_no_line_and_no_address_tells() -> None:
    find = partial(find_date, table=table_of(MARKUP))
    assert find(Head()) == "2026-02-05"
    address = "https://post.invalid/2026/02/03/ferry"
    assert find(Head(), url=address) == "2026-02-03"
    assert find(Head(canonical=address)) == "2026-02-03"


PARAGRAPH = "<p>The ferry left late and came back with nobody on board but its crew.</p>"


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<meta property='og:pubdate' content='2026-02-05'>", "2026-02-05"),
        ("<title>Ferry, 5 Feb 2026</title>", "2026-02-05"),
        ("<p class=meta>By Ann Lee on <b>5</b> <i>February</i> 2026</p>", "2026-02-05"),
        ("<abbr class=published title='2026-02-05'>Yesterday</abbr>", "2026-02-05"),
        ("<o:p onclick='f()'><p x:y=1 class=date>Filed 05.02.26</p></o:p>", "2026-02-05"),
        ("<div class=date><p>Filed</p><p>05.02.26</p></div>", "2026-02-05"),
        (f"<div class=meta>{PARAGRAPH}<p>In 2026-02 or so</p></div>", None),
        (f"<div class=meta>{PARAGRAPH}<p>Or 5 May 2026</p></div>", None),
    ],
)
def test_htmldate_is_given_what_it_needs_of_the_markup(markup: str, expected: str | None) -> None:
    markup = f"<body>{PARAGRAPH * 50}{markup}{PARAGRAPH * 50}"
    table = table_of(markup)

    assert find_date(Head(), table=table) == expected
    assert len(tostring(dated_parts(table))) < len(markup) / 10


def test_markup_is_read_only_where_the_page_says_nothing_else() -> None:
    find = partial(find_date, table=table_of(MARKUP))

    assert find(Head(published=("2026-02-03",))) == "2026-02-03"
    assert find(Head(), near=["3 February 2026"]) == "2026-02-03"
    assert find(Head(), lines=["2026-02-03 04:05"]) == "2026-02-03T04:05:00"
    assert find(Head(), url="https://post.invalid/news/2026-2-3-ferry") == "2026-02-03"


def test_markup_with_a_time_that_there_is_not_has_no_date() -> None:
    table = table_of("<body><h1>Ferry</h1><time datetime='2026-02-03T09:20:00+99:99'>Text.</time>")

    assert find_date(Head(), table=table) is None
    assert find_date(Head(), table=table, url="http://a.example/2026/02/30/x") is None


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
