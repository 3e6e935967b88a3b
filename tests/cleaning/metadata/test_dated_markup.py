from __future__ import annotations

import pytest
from htmldate import find_date
from lxml import etree

from webclean_scrapy.cleaning.metadata.dated_markup import MAX_ELEMENTS, dated_markup
from webclean_scrapy.cleaning.page.parse import parse
from webclean_scrapy.cleaning.page.table import PageTable, build_table

FILLER = "<p>The ferry was two hours late, and nobody knew why.</p>" * 5
DATED = {
    "meta": "<meta name=gentime content='2026-02-03'>",
    "picture of the page": "<meta property=og:image content='https://a.invalid/2026/02/03/pier.png'>",
    "class": "<div class='Post-Meta'>By Ann Lee, <b>3 February 2026</b></div>",
    "id before class": "<span id=date class=x>03.02.2026</span>",
    "itemprop": "<li itemprop=datePublished>2026/02/03</li>",
    "small": "<small>Written on 3 Feb 2026</small>",
    "title of a mark": "<p class=publish title='2026-02-03'>Tuesday</p>",
    "heading": "<h1>Harbour report of 3 February 2026</h1>",
    "time": "<time datetime='2026-02-03T04:05'>Tuesday</time>",
    "text of time": "<time>3 February 2026</time>",
    "abbreviation": "<abbr class=published title='2026-02-03'>Tuesday</abbr>",
    "attribute": "<img data-taken='2026-02-03T04:05:06Z' src=pier.png>",
    "label": "<p>Last-modified: 3/2/2026 by the harbour office</p>",
    "line": "<p>As of 2026-02-03 all boats are back.</p>",
    "nothing": "<p class=price>1.299,00</p>",
    "no day": "<div class=meta>2026 and 99/99/2026</div>",
}


def page(body: str) -> PageTable:
    return build_table(parse(f"<html><head></head><body>{FILLER}{body}{FILLER}</body></html>"))


def ask(html: str) -> str | None:
    return find_date(html, original_date=True, extensive_search=False)


@pytest.mark.parametrize("body", DATED.values(), ids=DATED)
def test_the_same_date_is_found_as_in_the_whole_page(body: str) -> None:
    table = page(body)
    whole = etree.tostring(table.node[0], encoding="unicode", method="html")

    assert ask(dated_markup(table)) == ask(whole)


def test_most_of_these_have_a_date() -> None:
    found = {name for name, body in DATED.items() if ask(dated_markup(page(body)))}

    assert found == DATED.keys() - {"nothing", "no day"}


def test_what_can_have_no_date_is_left_out() -> None:
    markup = dated_markup(page("<div class=meta>By Ann Lee</div>" * 50 + DATED["class"]))

    assert "ferry" not in markup
    assert markup.count("<div") == 1


def test_texts_are_written_so_that_they_stay_texts() -> None:
    markup = dated_markup(page("<div class=meta title='\"><b>'>&lt;b&gt; 3 February 2026</div>"))

    assert "<b>" not in markup
    assert ask(markup) == "2026-02-03"


@pytest.mark.cpu_seconds(10)
def test_a_page_of_dates_takes_no_long_time() -> None:
    body = "<p class=date>1.2.2026 10:20:30 <time>x</time></p>" * 15_000

    assert 0 < len(dated_markup(page(body))) < 500 * MAX_ELEMENTS
    assert dated_markup(page("<div class=date>" * 200 + "1" * 900_000))


def test_megabytes_of_markup_are_not_looked_through() -> None:
    assert dated_markup(page("<p>The ferry was late.</p>" * 50_000)) == ""
