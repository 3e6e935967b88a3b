from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webclean_scrapy import clean
from webclean_scrapy.cleaning.page import parsed_page
from webclean_scrapy.cleaning.page.guard import GuardConfig
from webclean_scrapy.cleaning.page.line_limit import MAX_LINES, limit_lines
from webclean_scrapy.cleaning.page.parse import parse
from webclean_scrapy.cleaning.page.parsed_page import parse_page
from webclean_scrapy.cleaning.page.raw_page import RawPage
from webclean_scrapy.cleaning.page.walk import TEXT, collect_rows

if TYPE_CHECKING:
    from webclean_scrapy.cleaning.page.table import PageTable

SENTENCE = "The ferry to island {} was two hours late this morning, because of fog in the bay."
STORY = "".join(f"<p>{f'{SENTENCE.format(at)} ' * 3}</p>" for at in range(30))


def table_of(html: str) -> PageTable:
    return parse_page(RawPage(html), GuardConfig()).table


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> int:
    """Let pages of 40 lines pass."""
    monkeypatch.setattr(parsed_page, "MAX_LINES", 40)
    return 40


def test_an_article_among_too_many_lines_is_found(few: int) -> None:
    words = "".join(f"<div>w {at}</div>" for at in range(50))
    found = clean(f"<body>{words}<h1>The ferry</h1><div id=story>{STORY}</div>{words}</body>")

    assert found.text.count("because of fog") == 90
    assert (found.extractor, found.fallback) == ("webclean", "lines")
    assert found.body_xpath == "/html/body/div[51]"
    assert len(found.trace.page.table.lines) == few


def test_a_page_whose_short_lines_hold_much_of_the_text_is_read_from_its_source(few: int) -> None:
    book = [SENTENCE.format(at)[: 30 + at % 50] for at in range(60)]
    found = clean("<h1>The ferry</h1>" + "".join(f"<p>{line}</p>" for line in book))

    assert (found.extractor, found.fallback) == ("source", "lines")
    assert [line for line in book if line.strip() not in found.text] == []


def test_a_page_of_as_many_lines_as_pass_is_read_whole(few: int) -> None:
    html = "".join(f"<p>line {at}</p>" for at in range(few))

    assert table_of(html).left_out == 0
    assert clean(html).fallback is None
    assert table_of(html + "<p>more").left_out == 1
    assert clean(html + "<p>more").fallback == "lines"


def test_the_first_heading_is_kept_though_it_is_short(few: int) -> None:
    cells = "".join(f"<td>{SENTENCE.format(at)}</td>" for at in range(42))

    assert "Fog" in table_of(f"<h1>Fog</h1><table><tr>{cells}</table>").lines.text


def test_lines_are_kept_whole_with_their_elements_and_breaks(few: int) -> None:
    long = f"<b>One</b> {SENTENCE} <i>more</i><br>{SENTENCE}"
    html = f"<div>{'<br>x' * 50}<br>{long}<br>x<img src=a.png></div>"
    found = table_of(html)

    assert f"One {SENTENCE} more" in found.lines.text
    assert found.tag.count("img") == 1
    assert found.tag.count("br") == len(found.lines) == few
    assert [found.end[row] for row, tag in enumerate(found.tag) if tag == TEXT] == [
        row + 1 for row, tag in enumerate(found.tag) if tag == TEXT
    ]


@pytest.mark.parametrize("count", [300, 600])
def test_what_later_steps_look_at_does_not_grow_with_the_page(few: int, count: int) -> None:
    html = STORY + "".join("<div><p>w</p></div>" for at in range(count))
    found = clean(html)

    assert len(found.trace.page.table.lines) == few
    assert len(found.trace.page.table) <= 3 * few + 2
    assert found.trace.page.table.left_out == count + 30 - few


def test_rows_are_those_of_the_page_without_the_lines(few: int) -> None:
    html = "<section>" + "<p>x</p>" * 5 + f"<ul><li>{SENTENCE}<li>y</ul></section>"
    rows, left_out = limit_lines(collect_rows(parse(html)), 2)

    assert left_out == 5
    assert rows.tag == ["html", "body", "section", "p", TEXT, "ul", "li", TEXT]
    assert rows.parent == [-1, 0, 1, 2, 3, 2, 5, 6]
    assert rows.end == [8, 8, 8, 5, 5, 8, 8, 8]
    assert [text[0] for text in rows.texts] == [4, 7]


def test_the_limit_is_far_above_what_articles_have() -> None:
    html = "".join(f"<p>word {at}</p>" for at in range(3_000))

    assert MAX_LINES >= 3 * 2_600
    assert len(table_of(html).lines) == 3_000
